# SPDX-License-Identifier: GPL-2.0-or-later
"""What was read before a kill, and what of it holds after the restart.

Knows no process and no clock: fed with snapshots, it can be tested alone."""
import collections
import time

from cluster import ENDED, goes_on, second

AGES = ('< 1 s', '1-5 s', '> 5 s')
# Of each node that is booked in parts (run).
PART_HAS = {'cores': 8, 'GPUs': 4}


def age_of(seconds):
    return AGES[0] if seconds < 1 else AGES[1] if seconds < 5 else AGES[2]


class Promise:
    """One record whose text has said that it is booked."""

    def __init__(self, record, at):
        self.key, self.name = record.key, record.name
        self.contract, self.read_at = record.contract, at
        self.before = None      # terms that the last change has replaced
        self.cancel_tried = self.cancelled_at = None
        self.change_tried = None
        self.over = None        # why nobody looks after it any more

    def window_end(self):
        return second(self.contract.terms['end'])

    def seen(self, record, at):
        if record.contract.terms != self.contract.terms:
            self.before = self.contract.terms
            self.read_at = at
            self.change_tried = None
        elif self.change_tried and at > self.change_tried + 5:
            self.change_tried = None
        self.contract = record.contract

    def shifted(self, record):
        """Whether it has another start in its window."""
        old, new = self.contract.terms, record.contract.terms
        return ('firm-from' in old and old.get('start') != new.get('start') and
                self.within(new))

    def within(self, new):
        """Whether it lies in the window that was promised, and begins later than
        it was to be firm."""
        old = self.contract.terms
        return (old.get('ready', '') <= new.get('start', '') and
                new.get('end', '') <= old.get('deadline', '') and
                time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(self.read_at)) <
                old['firm-from'])

    def differences(self, record, remade_by=0):
        """Terms that are not as they were read. The end counts while a window
        lies ahead: one that ends early gives back the rest. remade_by: when one
        that Slurm had lost may have been made again for what is left of it."""
        old, new = self.contract.terms, record.contract.terms
        names = {'start', 'nodes', 'share', 'cores', 'benefit', 'on',
                 'duration'}
        if self.contract.state == record.contract.state == 'booked':
            names.add('end')
        if old.get('start') != new.get('start') and goes_on(
                old.get('start', ''), new.get('start', ''), remade_by):
            names -= {'start', 'duration'}
        if old.get('book') == 'asap' and old.get('ready', '') <= new.get(
                'start', '') < old.get('start', ''):
            names -= {'start', 'end', 'on'}     # nodes came free
        if 'firm-from' in old and self.within(new):
            names -= {'start', 'end', 'on'}     # its window is what it has
        if self.change_tried:
            names -= {'end', 'duration', 'nodes', 'cores', 'benefit', 'on'}
        return sorted(n for n in names if old.get(n) != new.get(n))


class Promises:
    def __init__(self):
        self.all = {}
        self.counts = collections.Counter()
        self.told = []          # one line a fault
        self.orphans, self.doubled = set(), set()
        self.damaged = False    # whether Slurm's own files ever were
        self.can_be_kept = None # asked of cancels, where the disk fails
        self.node_lost_at = 0   # then a booking may go to other nodes

    def fault(self, what, text):
        self.counts[what] += 1
        self.told.append('%s: %s' % (what, text))

    def watched(self):
        return [p for p in self.all.values() if not p.over]

    def find(self, name):
        return [p for p in self.all.values() if p.name == name]

    # --- while all is well ----------------------------------------------------

    def read(self, snapshot):
        """Notes what is promised now."""
        for record in snapshot.records.values():
            promise = self.all.get(record.key)
            if promise and promise.name != record.name:
                continue        # another job's number: judged by compare()
            if promise:
                self.advance(promise, record, snapshot.ended)
            elif record.stands() and 'start' in record.contract.terms:
                self.all[record.key] = Promise(record, snapshot.ended)
                self.counts['acknowledged'] += 1

    def advance(self, promise, record, at):
        if promise.over:
            return
        if record.stands():
            self.counts['shifted'] += promise.shifted(record)
            promise.seen(record, at)
        elif promise.cancel_tried:
            pass                # as wished
        elif record.state in ENDED or record.contract.state == 'completed':
            promise.over = 'ended'
        elif record.contract.state in ('declined', 'cancelled'):
            promise.over = record.contract.text
            self.fault('withdrawn', '%s %s: %s' % (promise.key, promise.name,
                                                   record.contract.text))

    def cancelled(self, promise, at):
        promise.cancelled_at = at
        promise.over = 'cancelled'
        self.counts['cancels'] += 1

    # --- after a restart ------------------------------------------------------

    def wrong(self, promise, snapshot):
        """What became of a promise: None, or a fault and its text."""
        record = snapshot.records.get(promise.key)
        reservations, now = snapshot.reservations, snapshot.ended
        if promise.window_end() <= now:
            return None         # whether it ran is asked at the end
        there = record is not None and record.name == promise.name
        # one whose script is lost is there, and has failed
        if not there or (record.state == 'FAILED' and not record.stands()):
            if any(r.name == 'kept_' + promise.key[4:] and
                   r.holds(promise.contract.terms, now) for r in reservations):
                return 'kept without its job', 'as a reservation'
        if not there:
            if record is None and self.is_back(promise, snapshot):
                return None     # with an older file of Slurm's
            return 'lost', 'gone' if record is None else 'now ' + record.name
        if promise.cancel_tried:
            return None         # on its way, answered or not
        if record.contract.state == 'completed':
            return None
        if record.state in ('COMPLETED', 'COMPLETING'):
            return None
        if not record.stands():
            return 'lost', '%s %s' % (record.state, record.contract.text)
        different = promise.differences(record, now if self.damaged else 0)
        if different == ['on'] and (self.node_lost_at > promise.read_at or
                                    record.contract.state == 'active'):
            promise.contract = record.contract
            self.counts['moved'] += 1   # its nodes did not answer
            return None
        if not different:
            return None
        if promise.before and all(
                promise.before.get(n) == record.contract.terms.get(n)
                for n in different):
            return 'change undone', record.contract.text
        return 'changed', '%s now %s' % (', '.join(different),
                                         record.contract.text)

    def is_back(self, promise, snapshot):
        """Whether it was kept for a lost job, which is there again and booked."""
        job = snapshot.records.get('job ' + promise.name[5:])
        return bool(promise.name.startswith('kept_') and job and job.stands() and
                    not set(promise.differences(job)) - {'on'})

    def undone(self, promise, record):
        return (record is not None and record.name == promise.name and
                record.state != 'COMPLETING' and
                (record.stands() or record.state == 'PENDING'))

    def suspects(self, snapshot, killed_at):
        """What compare() would complain about; a second look may clear it."""
        found = set()
        for p in self.watched():
            if p.read_at <= snapshot.began and self.wrong(p, snapshot):
                found.add(p.key)
        for p in self.all.values():
            if p.over == 'cancelled' and self.undone(
                    p, snapshot.records.get(p.key)):
                found.add(p.key)
        found.update(self.orphans_of(snapshot).keys() - self.orphans)
        found.update(self.doubled_of(snapshot).keys() - self.doubled)
        return found

    def compare(self, snapshot, killed_at, only=None):
        """Counts what did not outlive the kill; only: of those suspects."""
        for p in self.watched():
            age = age_of(killed_at - p.read_at)
            what = self.wrong(p, snapshot)
            self.counts['pairs ' + age] += 1
            if not what or (only is not None and p.key not in only):
                continue
            p.over = what[0]
            self.counts['%s %s' % (what[0], age)] += 1
            self.fault(what[0], '%s %s, read %.2f s before the kill as %s: %s' %
                       (p.key, p.name, killed_at - p.read_at, p.contract.text,
                        what[1]))
        for p in self.all.values():
            if p.cancelled_at and p.over == 'cancelled':
                self.compare_cancelled(p, snapshot, killed_at, only)
        for what, seen, found in (
                ('orphans', self.orphans, self.orphans_of(snapshot)),
                ('doubled', self.doubled, self.doubled_of(snapshot))):
            for key in sorted(found.keys() - seen):
                if only is None or key in only:
                    self.fault(what, found[key])
                    seen.add(key)

    def compare_cancelled(self, p, snapshot, killed_at, only):
        age = age_of(killed_at - p.cancelled_at)
        self.counts['cancel pairs ' + age] += 1
        record = snapshot.records.get(p.key)
        if self.undone(p, record) and (only is None or p.key in only):
            p.over = 'undone'
            if self.can_be_kept and not self.can_be_kept(p.cancelled_at,
                                                         killed_at):
                self.counts['cancels on a failing disk'] += 1
                return
            self.counts['cancels undone ' + age] += 1
            self.fault('cancels undone', '%s %s, %.2f s before the kill: %s %s' %
                       (p.key, p.name, killed_at - p.cancelled_at, record.state,
                        record.contract.text))

    def orphans_of(self, snapshot):
        """Reservations of ours for a job that has no booking, or for none: what
        to say of each, by name."""
        found = {}
        for r in snapshot.reservations:
            if r.job() is None:
                continue
            record = snapshot.records.get('job %d' % r.job())
            if record is None or not record.stands():
                found[r.name] = '%s, its job: %s' % (
                    r.name, record.contract.text if record else 'gone')
        return found

    def doubled_of(self, snapshot):
        """One request with several jobs, and nodes booked twice. Likewise."""
        found, numbers = {}, collections.defaultdict(set)
        for record in snapshot.records.values():
            if record.key.startswith('job ') and '-' in record.name:
                numbers[record.name].add(int(record.key[4:]))
        for name, jobs in numbers.items():
            if len(jobs) > (2 if '-het' in name else 1):
                found[name] = '%s: jobs %s' % (name, sorted(jobs))
        return dict(found, **self.overlaps_of(snapshot))

    def overlaps_of(self, snapshot):
        found, booked = {}, collections.defaultdict(list)
        for record in snapshot.records.values():
            terms = record.contract.terms
            if record.stands() and 'end' in terms and not (
                    'share' in terms or 'cores' in terms):
                for node in node_names(terms.get('on', '')):
                    booked[node].append((second(terms['start']),
                                         second(terms['end']), record.key))
        for node, windows in booked.items():
            windows.sort()
            for one, two in zip(windows, windows[1:]):
                if two[0] < one[1]:
                    text = '%s is booked for %s and %s at once' % (
                        node, one[2], two[2])
                    found[text] = text
        return dict(found, **self.crowds_of(snapshot))

    def crowds_of(self, snapshot):
        """Nodes of which more cores or GPUs are booked at once than they have."""
        found, edges = {}, collections.defaultdict(list)
        for record in snapshot.records.values():
            terms = record.contract.terms
            if not record.stands() or not {'end', 'cores'} <= terms.keys():
                continue
            for what, n in ('cores', int(terms['cores'])), ('GPUs', record.gpus):
                for node in node_names(terms.get('on', '')):
                    edges[node, what] += [(second(terms['start']), n),
                                          (second(terms['end']), -n)]
        for (node, what), changes in edges.items():
            taken = 0
            for _, n in sorted(changes):        # who ends gives back first
                taken += n
                if taken > PART_HAS[what]:
                    text = '%d %s of %s are booked at once' % (taken, what, node)
                    found[text] = text
        return found


def node_names(text):
    """n[1-3,5] as names; the suffixes here are plain numbers."""
    names = []
    prefix, bracket, rest = text.partition('[')
    if not bracket:
        return [x for x in text.split(',') if x]
    head, _, prefix = prefix.rpartition(',')
    inside, _, tail = rest.partition(']')
    for part in inside.split(','):
        low, _, high = part.partition('-')
        names += ['%s%d' % (prefix, i)
                  for i in range(int(low), int(high or low) + 1)]
    return node_names(head) + names + node_names(tail.lstrip(','))
