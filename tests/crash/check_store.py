# SPDX-License-Identifier: GPL-2.0-or-later
"""What the journal's file says is on the disk is there after a power cut, while
writes and syncs fail: check_store.py LIBRARY WRITER [SEED [ROUNDS]]."""
import os
import random
import subprocess
import sys
import tempfile
import time

from faults import MODES, Faults


class Run:
    def __init__(self, library, writer, fate):
        self.writer, self.fate = writer, fate
        self.top = tempfile.TemporaryDirectory()
        state = self.top.name + '/state'
        os.mkdir(state)
        self.path = state + '/rspb.journal'
        self.faults = Faults(library, state, self.top.name + '/faults')
        self.env = dict(os.environ, **self.faults.env,
                        ASAN_OPTIONS='verify_asan_link_order=0:detect_leaks=0')
        self.told = self.tells = 0
        self.never = set()      # lost, and never told

    def start(self, lines):
        return subprocess.Popen([self.writer, self.path, str(lines)], text=True,
                                stdout=subprocess.PIPE, env=self.env)

    def write(self):
        """Some lines, under faults, up to a kill; what was told of them."""
        with self.start(100000) as child:
            for _ in range(self.fate.randint(1, 6)):
                mode = self.fate.choice(MODES + ('none', 'none'))
                self.faults.set(mode, self.fate.choice((5, 30, 100)))
                time.sleep(self.fate.uniform(0.002, 0.02))
            child.kill()
            self.note(child.stdout.read().split('\n')[:-1])

    def note(self, said):
        for line in said:
            word, number = line.split()
            if word == 'told':
                self.told, self.tells = int(number), self.tells + 1
        self.faults.set('none')

    def look(self):
        """A fault in words, or None."""
        with self.start(0) as child:
            said = child.stdout.read().split('\n')[:-1]
        if child.returncode != 0:
            return 'it cannot be read'
        lines = [int(x.split()[1]) for x in said]
        if lines != sorted(set(lines)):
            return 'lines are not in order'
        lost = set(range(lines[-1] + 1 if lines else 0)) - set(lines) - self.never
        lost |= set(range(self.told)) - set(lines) - self.never
        if lost and min(lost) < self.told:
            return '%d were told, and some are gone: %s' % (
                self.told, sorted(lost)[:5])
        self.never |= lost
        return None


def main(library, writer, seed=None, rounds=40):
    seed = int(seed or random.SystemRandom().randrange(100000))
    fate = random.Random(seed)
    run = Run(library, os.path.abspath(writer), fate)
    for n in range(int(rounds)):
        run.write()
        if fate.random() < 0.7:
            run.faults.power_cut(fate)
        wrong = run.look()
        if wrong:
            print('seed %d, round %d: %s' % (seed, n, wrong))
            return 1
    print('seed %d: %s rounds, %d faults, told %d times' % (
        seed, rounds, run.faults.struck(), run.tells))
    return 0 if run.tells >= 5 and run.faults.struck() >= 5 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
