# SPDX-License-Identifier: GPL-2.0-or-later
"""The stream of requests: all kinds, by several users, at random."""
import re
import threading
import time

USERS = ('games', 'news', 'mail', 'uucp')
FAR_AT_MOST = 60        # bookings at a time; beyond that some are cancelled
KEPT_AT_MOST = 20       # what is kept for lost jobs, likewise

JOB = r'''#!/bin/bash
echo "begin $EPOCHREALTIME $SLURM_JOB_ID $$" >>runs.$SLURM_JOB_NAME
sleep "$1"
echo "end $EPOCHREALTIME $SLURM_JOB_ID $$" >>runs.$SLURM_JOB_NAME
'''


def at(seconds):
    return time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(time.time() + seconds))


class Traffic:
    """Runs in threads of its own while `open` is set."""

    def __init__(self, cluster, promises, lock, random, seed):
        self.cluster, self.promises, self.lock = cluster, promises, lock
        self.random, self.seed, self.serial = random, seed, 0
        self.open, self.over = threading.Event(), threading.Event()
        self.reservations = []
        self.starts = []        # (name, start): windows that begin in this run
        self.refused, self.broken = 0, None
        with open(cluster.out + '/job.sh', 'w') as f:
            f.write(JOB)
        self.threads = [threading.Thread(target=self.work, daemon=True)
                        for _ in range(4)]

    KINDS = (('far', 20), ('window', 12), ('degrade', 8), ('asap', 6), ('share', 10),
             ('het', 8), ('part', 12), ('reservation', 8), ('near', 14),
             ('near_share', 16), ('near_het', 4), ('near_part', 8),
             ('cancel', 16), ('change', 5), ('resize', 5),
             ('change_reservation', 3), ('delete_reservation', 4),
             ('delete_kept', 4))

    def start(self):
        self.open.set()
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.over.set()
        self.open.set()
        for thread in self.threads:
            thread.join(30)

    def work(self):
        try:
            self.requests()
        except Exception as error:      # a thread's end must not go unseen
            self.broken = '%s: %s' % (type(error).__name__, error)
            raise

    def requests(self):
        names = [k for k, _ in self.KINDS]
        weights = [w for _, w in self.KINDS]
        while not self.over.is_set():
            self.open.wait()
            if self.over.is_set():
                return
            with self.lock:
                kind = self.random.choices(names, weights)[0]
                pause = self.random.uniform(0.2, 1)
                kept = sum(p.name.startswith('kept_')
                           for p in self.promises.watched())
                if self.far_count() - kept > FAR_AT_MOST:
                    kind = 'cancel'
                elif kept > KEPT_AT_MOST:
                    kind = 'delete_kept'
            getattr(self, kind)()
            time.sleep(pause)

    def far_count(self):
        return len(self.promises.watched())

    def draw(self, low, high):
        with self.lock:
            return self.random.randint(low, high)

    def name(self, kind):
        with self.lock:
            self.serial += 1
            return '%s-%d-%s' % (self.seed, self.serial, kind)

    # --- requests ---------------------------------------------------------

    def sbatch(self, kind, *options, seconds=1):
        """One more job; its number, 0 where it was refused or nobody knows."""
        name = self.name(kind)
        user = USERS[self.draw(0, len(USERS) - 1)]
        rc, said = self.cluster.run(
            'sbatch', '--parsable', '-o', '/dev/null', '-J', name, *options,
            'job.sh', str(seconds), user=user)
        # the plugin says before it what is likely
        number = re.search(r'^(\d+)$', said, re.M) if rc == 0 else None
        self.refused += rc not in (0, None)
        return name, int(number.group(1)) if number else 0

    def far(self):
        self.sbatch('far', '--book', '-p', 'far', '-N%d' % self.draw(1, 3),
                    '--begin=' + at(3600 * self.draw(1, 20)),
                    '--time=%d' % self.draw(5, 120))

    def window(self):
        """One whose start may move for others."""
        start, minutes = 3600 * self.draw(1, 8), self.draw(20, 90)
        self.sbatch('window', '--book', '-p', 'far', '-N%d' % self.draw(5, 8),
                    '--begin=' + at(start), '--time=%d' % minutes,
                    '--deadline=' + at(start + 3600 * self.draw(6, 12)))

    def degrade(self):
        self.sbatch('degrade', '--book', '-p', 'far', '-N8',
                    '--benefit=linear:25%',
                    '--begin=' + at(3600 * self.draw(1, 20)), '--time=60')

    def asap(self):
        self.sbatch('asap', '--book=asap', '-p', 'far', '-N2',
                    '--begin=' + at(7200), '--time=30')

    def share(self):
        self.sbatch('share', '--book', '-p', 'farshared', '-N1',
                    '--cpu-share=%d%%' % (10 * self.draw(1, 5)),
                    '--begin=' + at(3600 * self.draw(1, 20)), '--time=60')

    def part(self):
        nodes = self.draw(1, 2)
        self.sbatch('part', '--book', '-p', 'farparts', '-N%d' % nodes,
                    '-n%d' % (nodes * self.draw(1, 5)),
                    '--mem=%d' % (500 * self.draw(1, 6)), *self.gpus(),
                    '--begin=' + at(3600 * self.draw(1, 20)), '--time=60')

    def gpus(self):
        """Of each node: half of the parts have none."""
        n = self.draw(-3, 3)
        return ('--gpus-per-node=%d' % n,) if n > 0 else ()

    def het(self):
        start = '--begin=' + at(3600 * self.draw(1, 20))
        one = ('--book', '-p', 'far', start, '--time=45')
        self.sbatch('het', '-N1', *one, ':', '-N2', *one)

    def near(self):
        self.starting('near', '--book', '-p', 'main', '-N1', '--time=1')

    def near_share(self):
        self.starting('near', '--book', '-p', 'shared', '-N1', '--time=1',
                      '--cpu-share=10%')

    def near_part(self):
        self.starting('near', '--book', '-p', 'parts',
                      '-n%d' % self.draw(1, 3), '--time=1', *self.gpus())

    def near_het(self):
        self.starting('near-het', '--book', '-p', 'main', '-N1', '--time=1')

    def starting(self, kind, *options):
        """A window that begins soon, and whose job ends early."""
        ahead = self.draw(8, 30)
        start = time.time() + ahead
        options = ('--begin=' + at(ahead),) + options
        if kind == 'near-het':
            options += (':',) + options
        name, number = self.sbatch(kind, *options, seconds=self.draw(1, 12))
        if number:
            with self.lock:
                self.starts.append((name, int(start)))

    def reservation(self):
        name = 'op' + self.name('resv').replace('-', '_')
        with self.lock:
            self.reservations.append(name)
        self.cluster.run(
            'scontrol', 'create', 'reservation', 'reservationname=' + name,
            'starttime=' + at(3600 * self.draw(1, 20)),
            'duration=%d' % self.draw(5, 60), 'users=' + USERS[0],
            'partitionname=far', 'flags=any_nodes',
            'burstbuffer=rspb:nodes=%d' % self.draw(1, 3))

    # --- what comes later -------------------------------------------------

    def pick(self, prefix):
        """A promise that lies far ahead, at random."""
        with self.lock:
            soon = time.time() + 600
            able = [p for p in self.promises.watched()
                    if p.key.startswith(prefix) and not p.cancel_tried and
                    not p.change_tried and p.window_end() > soon]
            return self.random.choice(able) if able else None

    def cancel(self):
        promise = self.pick('job ')
        if promise:
            self.end(promise, 'scancel', promise.key[4:])

    def delete_reservation(self):
        promise = self.pick('resv op')
        if promise:
            self.end(promise, 'scontrol', 'delete',
                     'reservationname=' + promise.name)

    def delete_kept(self):
        """What its owner does not want."""
        promise = self.pick('resv kept_')
        if promise:
            self.end(promise, 'scontrol', 'delete',
                     'reservationname=' + promise.name)

    def end(self, promise, *argv):
        with self.lock:
            others = [p for p in self.promises.find(promise.name)
                      if not p.over]    # all components go together
            for p in others:
                p.cancel_tried = time.time()
        rc, said = self.cluster.run(*argv)
        if rc != 0 or said:
            return
        with self.lock:
            for p in others:
                self.promises.cancelled(p, time.time())

    def change(self):
        promise = self.pick('job ')
        if promise and '-het' not in promise.name:
            self.alter(promise, 'jobid=' + promise.key[4:],
                       'timelimit=%d' % self.draw(5, 60))

    def resize(self):
        """Another part of its node, as its owner."""
        promise = self.pick('job ')
        if not promise or '-part' not in promise.name:
            return
        with self.lock:
            promise.change_tried = time.time()
        rc, _ = self.cluster.run(self.cluster.dir + '/rspb/bin/rspb', 'modify',
                                 promise.key[4:], '-n%d' % self.draw(2, 8))
        if rc == 0:
            with self.lock:
                self.promises.counts['changes'] += 1

    def change_reservation(self):
        promise = self.pick('resv op')
        if promise:
            self.alter(promise, 'reservationname=' + promise.name,
                       'duration=%d' % self.draw(5, 60))

    def alter(self, promise, *words):
        with self.lock:
            promise.change_tried = time.time()
        rc, _ = self.cluster.run('scontrol', 'update', *words)
        if rc == 0:
            with self.lock:
                self.promises.counts['changes'] += 1

    def tidy(self, snapshot):
        """Ends what was declined: it is held, and would stay for ever."""
        ids = [r.key[4:] for r in snapshot.records.values()
               if r.key.startswith('job ') and r.state == 'PENDING' and
               r.contract.state in ('declined', 'cancelled')]
        if ids:
            self.cluster.run('scancel', *ids)
        for r in snapshot.records.values():
            if r.key.startswith('resv ') and r.contract.state == 'declined':
                self.cluster.run('scontrol', 'delete', 'reservationname=' + r.name)
