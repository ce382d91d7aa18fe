# SPDX-License-Identifier: GPL-2.0-or-later
"""The private cluster that is killed: its daemons, and commands of its users."""
import datetime
import os
import re
import signal
import subprocess
import threading
import time

ENDED = ('CANCELLED', 'COMPLETED', 'FAILED', 'TIMEOUT', 'NODE_FAIL', 'BOOT_FAIL',
         'DEADLINE', 'OUT_OF_MEMORY')


def fields(line, names):
    """Words NAME=value of a line of scontrol -o, by name."""
    found = {}
    for name in names:
        match = re.search(r'(?:^| )%s=(\S*)' % name, line)
        found[name] = match.group(1) if match else ''
    return found


class Contract:
    """What a text "rspb: booked start=... reason=..." says."""

    def __init__(self, text):
        self.text = text
        head, _, self.reason = text.partition(' reason=')
        words = head.split()
        self.state = words[1] if len(words) > 1 else ''
        self.terms = dict(w.split('=', 1) for w in words[2:] if '=' in w)

    def stands(self):
        return self.state in ('booked', 'active')


class Record:
    """A job, or an operator's reservation, as somebody reads it."""

    def __init__(self, key, name, state, contract, gpus=0):
        self.key, self.name, self.state = key, name, state
        self.gpus = gpus        # of each node
        self.contract = Contract(contract)

    def stands(self):
        """It is a booking: a job that has ended may still have that text."""
        return self.contract.stands() and self.state not in ENDED


def job_record(line):
    f = fields(line, ('JobId', 'JobName', 'JobState'))
    text = re.search(r' AdminComment=(rspb: .*?)(?= [A-Z]\w*=|$)', line)
    gpus = re.search(r' TresPerNode=gres[:/]gpu:(\d+)', line)
    return Record('job ' + f['JobId'], f['JobName'], f['JobState'],
                  text.group(1) if text else '',
                  int(gpus.group(1)) if gpus else 0)


class Reservation:
    def __init__(self, line):
        f = fields(line, ('ReservationName', 'StartTime', 'EndTime', 'Nodes',
                          'Users', 'State'))
        self.name, self.nodes, self.users = (f['ReservationName'], f['Nodes'],
                                             f['Users'])
        self.start, self.end = f['StartTime'], f['EndTime']
        self.state = f['State']
        text = re.search(r' BurstBuffer=(rspb:.*?)(?= [A-Z]\w*=|$)', line)
        self.text = text.group(1) if text else ''

    def job(self):
        """The job it was made for; None: it is somebody else's."""
        match = re.fullmatch(r'rspb_(\d+)(_\d+)?', self.name)
        return int(match.group(1)) if match else None

    def holds(self, terms, now):
        """Whether it is for the window and the nodes of a contract. Of one that
        had begun by now Slurm makes none but for what is left."""
        return (goes_on(terms.get('start', ''), self.start + 'Z', now) and
                terms.get('end') == self.end + 'Z' and
                terms.get('on') == self.nodes)


def second(text):
    """2026-11-22T13:00:00Z as seconds since 1970."""
    return datetime.datetime.fromisoformat(
        text.replace('Z', '+00:00')).replace(
            tzinfo=datetime.timezone.utc).timestamp()


def goes_on(old, new, now):
    """Whether a start is what it was, or the window had begun and goes on: from
    when it was made again, or by an older file from when it was at first."""
    return old == new or bool(old and new) and max(map(second, (old, new))) <= now


class Snapshot:
    """All that can be read at one time; None where nobody answered."""

    def __init__(self, jobs, reservations, began, ended):
        self.began, self.ended = began, ended
        self.reservations = [Reservation(r) for r in reservations]
        self.records = {}
        for line in jobs:
            record = job_record(line)
            self.records[record.key] = record
        for r in self.reservations:
            if r.text.startswith('rspb:') and not r.name.startswith('rspb_'):
                key = 'resv ' + r.name
                self.records[key] = Record(key, r.name, r.state, r.text)


class Cluster:
    def __init__(self, folder, out):
        self.dir, self.out = folder, out
        self.conf = folder + '/etc/slurm.conf'
        self.state = folder + '/state'
        self.env = dict(PATH=os.environ['PATH'], LC_ALL='C.UTF-8',
                        HOME='/nonexistent', SLURM_CONF=self.conf, TZ='UTC')
        self.ctld_env, self.ctld_options = {}, []
        self.children, self.commands, self.ctld = [], set(), None
        self.killed = []        # when

    # --- commands -----------------------------------------------------------

    def run(self, *argv, user=None, timeout=20):
        """Status and output; None for a status where nobody knows: time was up,
        or hang_up() was called."""
        who = dict(user=user, group=user, extra_groups=[]) if user else {}
        with subprocess.Popen(argv, cwd=self.out, env=self.env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, errors='replace',
                              **who) as child:
            self.commands.add(child)
            try:
                said, _ = child.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                child.kill()
                said, _ = child.communicate()
            finally:
                self.commands.discard(child)
        return (None if child.returncode < 0 else child.returncode), said

    def hang_up(self):
        """Ends commands that wait for a slurmctld that is no more: they would
        ask again only after ten seconds."""
        for child in list(self.commands):
            child.kill()

    def read(self):
        """A Snapshot, or None."""
        began = time.time()
        rc_jobs, jobs = self.run('scontrol', '-o', '-a', 'show', 'job')
        rc_resv, resv = self.run('scontrol', '-o', '-a', 'show', 'reservation')
        if rc_jobs != 0 or rc_resv != 0:
            return None
        return Snapshot([x for x in jobs.splitlines() if x.startswith('JobId=')],
                        [x for x in resv.splitlines()
                         if x.startswith('ReservationName=')],
                        began, time.time())

    def answers(self):
        _, said = self.run('scontrol', 'ping', timeout=3)
        return 'is UP' in said

    def drained(self):
        """Which nodes can't be used any more, and why."""
        _, said = self.run('sinfo', '-h', '-N', '-o', '%N %T %E')
        return sorted(set(x for x in said.splitlines()
                          if re.search(r' (drain|down|fail)', x)))

    # --- daemons --------------------------------------------------------------

    def daemons(self, name):
        """Process ids of NAME on this cluster's slurm.conf."""
        pids = []
        for entry in os.listdir('/proc'):
            if not entry.isdigit():
                continue
            try:
                with open('/proc/%s/cmdline' % entry, 'rb') as f:
                    words = f.read().decode(errors='replace').split('\0')
            except OSError:
                continue
            if os.path.basename(words[0]) == name and self.conf in words:
                pids.append(int(entry))
        return pids

    def start(self, name, argv, env=None):
        with open('%s/log/%s.out' % (self.dir, name), 'ab') as log:
            child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=log, start_new_session=True,
                                     env=dict(self.env, **(env or {})))
        with open('%s/run/%s.pid' % (self.dir, name), 'w') as f:
            f.write('%d\n' % child.pid)
        self.children.append(child)
        return child

    def kill(self, pids):
        """As by kill -9; returns when they are gone."""
        self.killed.append(time.time())
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        while any(self.alive(pid) for pid in pids):
            time.sleep(0.005)

    def alive(self, pid):
        """Whether any thread of it is left: its first may be a zombie while
        others still hold its files and ports."""
        self.children = [c for c in self.children if c.poll() is None]
        try:
            if len(os.listdir('/proc/%d/task' % pid)) > 1:
                return True
            with open('/proc/%d/stat' % pid) as f:
                return f.read().rpartition(')')[2].split()[0] not in 'ZX'
        except OSError:
            return False

    def ctld_pids(self):
        return self.daemons('slurmctld')

    def ctld_start(self):
        self.ctld = self.start(
            'slurmctld', ['slurmctld', '-D', '-f', self.conf] + self.ctld_options,
            self.ctld_env)

    def ctld_runs(self):
        return self.ctld is not None and self.ctld.poll() is None

    def slurmds(self):
        """Process ids by name of the node."""
        found = {}
        for pid in self.daemons('slurmd'):
            with open('/proc/%d/cmdline' % pid) as f:
                words = f.read().split('\0')
            if '-N' in words:
                found[words[words.index('-N') + 1]] = pid
        return found

    def slurmd_start(self, node):
        """Again where it ends at once: what its last run forked a moment before
        the kill may still hold its port."""
        argv = ['slurmd', '-D', '-N', node, '-f', self.conf]
        children = [self.start('node-' + node, argv)]

        def look():
            for _ in range(50):
                time.sleep(0.1)
                code = children[-1].poll()
                if code is not None and code >= 0:
                    children.append(self.start('node-' + node, argv))
        threading.Thread(target=look, daemon=True).start()
