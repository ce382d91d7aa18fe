# SPDX-License-Identifier: GPL-2.0-or-later
"""Kills a cluster again and again; see the head of tests/crash/run."""
import argparse
import random
import sys
import threading
import time

import report
from cluster import Cluster
from faults import MODES, Faults
from promises import Promises
from states import VARIANTS, States
from traffic import Traffic, at

SETTLE = 10     # seconds for what looks wrong to come right by itself
WELL = 1        # for how long a disk has to be well to have got what was cancelled
STEADY = 1      # and how long it is wrong all the time


class Driver:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.cluster = Cluster(options.cluster, options.out)
        self.promises, self.lock = Promises(), threading.RLock()
        self.traffic = Traffic(self.cluster, self.promises, self.lock,
                               random.Random(options.seed + 1), options.seed)
        self.reading, self.over = threading.Event(), False
        self.epoch = 0          # counts kills: who reads across one knows not whom
        self.kills = {'slurmctld': 0, 'slurmd': 0, 'both': 0}
        self.moments, self.recoveries = {}, []
        self.fresh = threading.Event()  # something was read to be booked
        self.faults, self.cuts = None, 0
        self.states, self.damages = None, {}
        if options.state:
            self.states = States(self.cluster.state, options.out + '.states')
        if options.faults:
            self.faults = Faults(options.faults, self.cluster.state,
                                 options.out + '.faults')
            self.promises.can_be_kept = self.can_be_kept
            self.cluster.ctld_env = self.faults.env

    # --- reading ----------------------------------------------------------

    def reader(self):
        turn = 0
        while not self.over:
            self.reading.wait()
            epoch = self.epoch
            snapshot = self.cluster.read()
            if snapshot and epoch == self.epoch:
                turn += 1
                self.note(snapshot)
                if turn % 40 == 0:
                    self.traffic.tidy(snapshot)
            if self.states:
                self.states.keep(time.time())
            time.sleep(0.1)

    def note(self, snapshot):
        with self.lock:
            before = self.promises.counts['acknowledged']
            self.promises.read(snapshot)
            if self.promises.counts['acknowledged'] > before:
                self.fresh.set()

    # --- moments ------------------------------------------------------------

    def moment(self):
        """Waits for one to kill at; its name."""
        names = ('any', 'booked', 'start', 'cancel', 'reconfigure', 'recovery')
        name = self.random.choices(names, (20, 20, 30, 10, 10, 10))[0]
        time.sleep(self.random.uniform(0.5, 5))
        getattr(self, 'at_' + name)()
        return name

    def at_any(self):
        pass

    at_recovery = at_any        # the second kill follows in restart()

    def at_booked(self):
        self.fresh.clear()
        self.fresh.wait(5)
        time.sleep(self.random.uniform(0, 0.1))

    def at_start(self):
        with self.lock:
            ahead = [s for _, s in self.traffic.starts if s > time.time()]
        if ahead:
            late = self.random.uniform(-0.3, 1.5)
            time.sleep(max(0, min(min(ahead) - time.time() + late, 6)))

    def at_cancel(self):
        self.traffic.cancel()
        time.sleep(self.random.uniform(0, 0.2))

    def at_reconfigure(self):
        threading.Thread(target=self.cluster.run, daemon=True,
                         args=('scontrol', 'reconfigure')).start()
        time.sleep(self.random.uniform(0, 0.6))

    # --- a round ----------------------------------------------------------

    def round(self):
        moment = self.moment()
        what = self.random.choices(('slurmctld', 'both', 'slurmd'),
                                   (80, 12, 8))[0]
        self.moments[moment] = self.moments.get(moment, 0) + 1
        self.kills[what] += 1
        down = self.slurmd_kill() if what != 'slurmctld' else []
        if what == 'slurmd':
            time.sleep(self.random.uniform(0, 3))
            self.slurmd_start(down)
            return
        self.traffic.open.clear()
        self.reading.clear()
        pids = self.cluster.ctld_pids()
        killed_at = time.time()
        self.cluster.kill(pids)
        with self.lock:
            self.epoch += 1
        self.cluster.hang_up()
        time.sleep(self.random.choice((0, 0, self.random.uniform(0, 3))))
        self.slurmd_start(down)
        self.disk()
        if moment == 'recovery':
            self.cluster.ctld_start()
            time.sleep(self.random.uniform(0, 2))
            self.cluster.kill(self.cluster.ctld_pids())
            self.cluster.hang_up()
            self.kills['slurmctld'] += 1
            self.disk()
        self.restart(killed_at)

    def disk(self):
        """While nobody writes: damage, a power cut, and whether all is well
        again."""
        if self.states and self.random.random() < 1 / 3:
            self.damage()
        if not self.faults:
            return
        if self.random.random() < 0.5 or self.cuts < sum(self.kills.values()) / 4:
            self.faults.power_cut(self.random)
            self.cuts += 1
        if self.random.random() < 0.25:
            threading.Timer(self.random.uniform(0, 3), self.faults.set,
                            ('none',)).start()
        else:
            self.faults.set('none')

    def damage(self):
        variant = self.options.state
        if variant == 'any':
            variant = self.random.choice(VARIANTS)
        options = self.states.damage(variant, self.random)
        if options is not None:
            # for good: killed before it has saved, it finds the same file again
            self.cluster.ctld_options = options or self.cluster.ctld_options
            self.promises.damaged = True
            self.damages[variant] = self.damages.get(variant, 0) + 1

    def weather(self):
        """The disk fails now and then, for some seconds."""
        fate = random.Random(self.options.seed + 2)
        while not self.over:
            time.sleep(fate.uniform(1, 6))
            self.traffic.open.wait()
            self.faults.set(fate.choice(MODES), fate.choice((30, 100)))
            end = time.time() + fate.uniform(0.3, 3)
            while time.time() < end and self.traffic.open.is_set():
                time.sleep(0.05)
            if self.traffic.open.is_set():
                self.faults.set('none')

    def slurmd_kill(self):
        running = self.cluster.slurmds()
        some = sorted(running)
        if self.random.random() < 0.5:
            some = [self.random.choice(some)]
        self.promises.node_lost_at = time.time()
        self.cluster.kill([running[n] for n in some])
        return some

    def slurmd_start(self, nodes):
        for node in nodes:
            self.cluster.slurmd_start(node)

    def restart(self, killed_at):
        began = time.time()
        self.cluster.ctld_start()
        self.recoveries.append(self.first_decision(began))
        snapshot = self.judge(killed_at)
        if snapshot:
            self.note(snapshot)
        self.reading.set()
        self.traffic.open.set()

    def first_decision(self, began):
        """Seconds from the start of slurmctld to a new request's decision;
        None: there is none within a minute."""
        end, number = began + 60, 0
        while time.time() < end:
            if not number and self.cluster.answers():
                _, number = self.traffic.sbatch(
                    'probe', '--book', '-p', 'far', '-N1', '--time=5',
                    '--begin=' + at(3600 * 23))
            if number:
                rc, said = self.cluster.run('scontrol', '-o', 'show', 'job',
                                            str(number), timeout=5)
                if rc == 0 and any('=rspb: %s ' % s in said
                                   for s in ('booked', 'declined')):
                    return time.time() - began
            elif not self.cluster.ctld_runs():
                print('slurmctld has ended by itself')
                return None
            time.sleep(0.03)
        return None

    def judge(self, killed_at):
        """Compares, again and again where something looks wrong, and counts what
        stays so: what ends just now is wrong for a moment, too."""
        end, late, since = time.time() + SETTLE, [], {}
        while True:
            snapshot, now = self.cluster.read(), time.time()
            if snapshot:
                with self.lock:
                    wrong = self.promises.suspects(snapshot, killed_at)
                since = {x: since.get(x, now) for x in wrong}
                if now > end + SETTLE or all(
                        now > max(end, t + STEADY) for t in since.values()):
                    break
                late = late or sorted(wrong)
            elif now > end:
                print('nobody answers after the restart')
                return None
            time.sleep(0.25)
        with self.lock:
            told = len(self.promises.told)
            self.promises.compare(snapshot, killed_at, since.keys())
            if late and len(self.promises.told) == told:
                self.promises.counts['right a little later'] += 1
                print('  kill %d: right a little later: %s' % (
                    sum(self.kills.values()), '; '.join(late)))
            for line in self.promises.told[told:]:
                print('  kill %d: %s' % (sum(self.kills.values()), line),
                      flush=True)
        return snapshot

    def can_be_kept(self, since, until):
        """Whether what Slurm itself answered then can have come to the disk."""
        return self.faults.well_between(since, until) >= WELL

    # --- all ----------------------------------------------------------------

    def enough(self, began):
        if self.options.kills:
            return sum(self.kills.values()) >= self.options.kills
        return time.time() - began >= self.options.minutes * 60

    def run(self):
        began = time.time()
        print('seed %d' % self.options.seed, flush=True)
        if self.faults:         # quickstart knows nothing of them
            self.cluster.kill(self.cluster.ctld_pids())
            self.faults.forget()
            self.cluster.ctld_start()
            while not self.cluster.answers():
                time.sleep(0.1)
            threading.Thread(target=self.weather, daemon=True).start()
        threading.Thread(target=self.reader, daemon=True).start()
        self.reading.set()
        self.traffic.start()
        while not self.enough(began):
            self.round()
        self.some_windows()
        self.traffic.stop()
        self.last_windows()
        self.over = True
        return report.tell(self, time.time() - began)

    def some_windows(self):
        """Few kills are over before as many windows have begun as are judged; where
        Slurm's state is damaged most of those that begin soon are lost."""
        end = time.time() + 90
        while len(report.runs_of(self.cluster.out)) < report.wanted(self) and (
                time.time() < end):
            time.sleep(0.5)

    def last_windows(self):
        """Until those that begin in this run have ended."""
        with self.lock:
            last = max([s for _, s in self.traffic.starts], default=0)
        time.sleep(max(0, min(last + 20 - time.time(), 60)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--cluster', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--faults', help='the library')
    parser.add_argument('--state', choices=VARIANTS + ('any',))
    parser.add_argument('--kills', type=int, default=0)
    parser.add_argument('--minutes', type=float, default=2)
    parser.add_argument('--seed', type=int,
                        default=random.SystemRandom().randrange(1, 100000))
    return Driver(parser.parse_args()).run()


if __name__ == '__main__':
    sys.exit(main())
