# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's own state files, damaged between a kill and the restart.

old	jobs and reservations as they were saved some seconds to a minute ago, as
	from a backup. Expected: as after a plain kill. What was promised since
	is there; cancels, changes and ends since are not undone; what has run
	does not run again.
torn	one of the two files is cut somewhere. Slurm refuses to start on it without
	-i. Expected: with it, as after a plain kill.
missing	one of the two files is gone, with its .old. Expected: likewise.
swapped	one of the two is old, the other one is not, so that they contradict
	each other. Expected: likewise.

Where Slurm has lost the job itself, its nodes, or its share of them, are kept for
its owner in a reservation kept_JOB (doc/journal.md).
"""
import os
import shutil

FILES = ('job_state', 'resv_state')
VARIANTS = ('old', 'torn', 'missing', 'swapped')


class States:
    def __init__(self, state, folder):
        self.state, self.folder = state, folder
        self.kept = []          # folders with both files, oldest first
        self.kept_at = 0
        os.makedirs(folder, exist_ok=True)

    def keep(self, now):
        """A copy for later, every five seconds."""
        if now < self.kept_at + 5:
            return
        copy = '%s/%d' % (self.folder, now)
        os.makedirs(copy, exist_ok=True)
        try:
            for name in FILES:
                shutil.copy(os.path.join(self.state, name), copy)
        except OSError:
            return              # being replaced, or not yet there
        self.kept_at = now
        self.kept = self.kept[-12:] + [copy]

    def damage(self, variant, random):
        """RET options that slurmctld then needs, None: nothing was done."""
        some = [random.choice(FILES)]
        if variant in ('old', 'swapped'):
            return self.restore(FILES if variant == 'old' else some, random)
        for name in some:
            path = os.path.join(self.state, name)
            for old in (path, path + '.old'):
                if not os.path.exists(old):
                    continue
                if variant == 'missing':
                    os.unlink(old)
                else:
                    os.truncate(old, random.randrange(os.path.getsize(old)))
        return ['-i']

    def restore(self, names, random):
        if not self.kept:
            return None
        source = random.choice(self.kept)
        for name in names:
            for old in ('', '.old'):
                shutil.copy(os.path.join(source, name),
                            os.path.join(self.state, name) + old)
        return []
