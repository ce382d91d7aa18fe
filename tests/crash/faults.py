# SPDX-License-Identifier: GPL-2.0-or-later
"""The folder of the library faults.c: faults on and off, power cuts."""
import os
import shutil
import time

MODES = ('short', 'eio', 'enospc', 'erofs', 'fsync')
BLOCK = 512


def ours(folder):
    return [x for x in os.listdir(folder) if x.startswith('rspb')]


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


class Faults:
    def __init__(self, library, state, folder):
        self.state, self.folder = state, folder
        self.env = {'LD_PRELOAD': library, 'RSPB_FAULTS_STATE': state,
                    'RSPB_FAULTS': folder}
        os.makedirs(folder, exist_ok=True)
        self.mode, self.well = None, []     # when it was well, as (from, to)
        self.set('none')

    def set(self, mode, percent=100):
        """From the next call on."""
        with open(self.folder + '/control.new', 'w') as f:
            f.write('%s %d\n' % (mode, percent))
        if self.mode == 'none' and mode != 'none':
            self.well[-1] = self.well[-1][0], time.time()
        os.rename(self.folder + '/control.new', self.folder + '/control')
        if mode == 'none' and self.mode != 'none':
            self.well.append((time.time(), float('inf')))
        self.mode = mode

    def well_between(self, since, until):
        """Seconds of that in which the disk was well, in one piece."""
        return max(min(b, until) - max(a, since) for a, b in self.well)

    def struck(self):
        """How many faults were dealt so far."""
        try:
            return os.stat(self.folder + '/struck').st_size
        except OSError:
            return 0

    def power_cut(self, random):
        """What is on the disk takes the place of what stands there: blocks that
        were not synced are lost, or, half the time, some of them are not."""
        torn = random.random() < 0.5
        tree = self.folder + '/tree'
        os.makedirs(tree, exist_ok=True)
        saved = self.state + '/.cut'
        shutil.copytree(tree, saved)
        if torn:
            self.tear(saved, random)
        for name in ours(self.state):
            remove(os.path.join(self.state, name))
        for name in os.listdir(saved):
            os.rename(os.path.join(saved, name), os.path.join(self.state, name))
        os.rmdir(saved)
        self.forget()

    def tear(self, saved, random):
        """Of files that are on the disk and were written since."""
        for name in os.listdir(saved):
            path, now = os.path.join(saved, name), os.path.join(self.state, name)
            if not os.path.isfile(path) or not os.path.isfile(now):
                continue
            with open(path, 'rb') as f:
                old = f.read()
            with open(now, 'rb') as f:
                new = f.read()
            if not new.startswith(old):
                continue        # another file by now
            size = random.randint(len(old), len(new))
            mixed = bytearray(new[:size])
            for at in range(len(old) - len(old) % BLOCK, size, BLOCK):
                if random.random() < 0.5:
                    keep = old[at:at + BLOCK].ljust(
                        len(mixed[at:at + BLOCK]), b'\0')
                    mixed[at:at + BLOCK] = keep
            with open(path, 'wb') as f:
                f.write(mixed)

    def forget(self):
        """The disk is as what stands there now."""
        for name in os.listdir(self.folder):
            if name.startswith(('data.', 'hold.', 'tree')):
                remove(os.path.join(self.folder, name))
        tree = self.folder + '/tree'
        os.mkdir(tree)
        self.adopt(self.state, tree, ours(self.state))

    def adopt(self, source, target, names):
        for name in names:
            path, to = os.path.join(source, name), os.path.join(target, name)
            if os.path.isdir(path):
                os.mkdir(to)
                self.adopt(path, to, os.listdir(path))
                continue
            inode = os.stat(path).st_ino
            data = '%s/data.%d' % (self.folder, inode)
            os.link(path, '%s/hold.%d' % (self.folder, inode))
            shutil.copy(path, data)
            os.link(data, to)
