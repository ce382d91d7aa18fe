# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run has seen: a table, and what of it is right."""
import collections
import glob
import os
import statistics

from promises import AGES

FEWEST = 5      # jobs that are to have run, in however short a run
WITHOUT_JOB = ('lost', 'cancelled', 'kept without its job')


def runs_of(folder):
    """Of each job by name: when its runs began and ended; None: it was ended."""
    found = {}
    for path in glob.glob(folder + '/runs.*'):
        with open(path) as f:
            found[os.path.basename(path)[5:]] = runs_in(f)
    return found


def runs_in(lines):
    begun, ended = {}, {}
    for what, at, _, process in map(str.split, lines):
        (begun if what == 'begin' else ended)[process] = float(at)
    return sorted((t, ended.get(p)) for p, t in begun.items())


def wanted(driver):
    """How many jobs are to have run."""
    return max(FEWEST, sum(driver.kills.values()) / 2)


def verdict(runs, kills):
    """Again is right where a kill may have made a start forgotten, and where
    what ran is over by then: see doc/journal.md."""
    for (begin, end), (later, _) in zip(runs, runs[1:]):
        if end and end > later or not any(begin - 1 < k < later for k in kills):
            return 'twice'
    return ('not', 'once', 'again')[min(len(runs), 2)]


def count_runs(driver):
    """Of windows that were read to be booked, and that have begun."""
    runs, counts = runs_of(driver.cluster.out), collections.Counter()
    for name, _ in driver.traffic.starts:
        promises = driver.promises.find(name)
        how = verdict(runs.get(name, []), driver.cluster.killed)
        if how == 'not' and not (promises and not any(
                p.over in WITHOUT_JOB or p.cancel_tried for p in promises)):
            continue
        counts[how] += 1
        if how == 'twice':
            driver.promises.told.append('run twice: %s, %s' % (name, runs[name]))
        elif how == 'not':
            driver.promises.told.append('not run: %s, %s, now %s' % (
                name, promises[0].contract.text, promises[0].over))
    return counts


def table(driver, runs, drained, seconds):
    c, kills = driver.promises.counts, driver.kills
    times = [t for t in driver.recoveries if t is not None]
    rows = [
        ('seconds', '%.0f' % seconds),
        ('kills: slurmctld, slurmd, both', '%d, %d, %d' % (
            kills['slurmctld'], kills['slurmd'], kills['both'])),
        ('  at', ', '.join('%s %d' % x for x in sorted(driver.moments.items()))),
        ('bookings acknowledged', c['acknowledged']),
    ]
    if driver.faults:
        rows += [('faults of the disk', driver.faults.struck()),
                 ('power cuts', driver.cuts)]
    if driver.states:
        rows.append(("Slurm's state made", ', '.join(
            '%s %d' % x for x in sorted(driver.damages.items()))))
    for what, name in (('lost', 'lost'), ('changed', 'changed'),
                       ('change undone', 'changes undone')):
        for age in AGES:
            rows.append(('%s, read %s before the kill' % (name, age),
                         '%d of %d' % (c['%s %s' % (what, age)],
                                       c['pairs ' + age])))
    rows.append(('cancels answered', c['cancels']))
    for age in AGES:
        rows.append(('cancels undone, answered %s before' % age, '%d of %d' % (
            c['cancels undone ' + age], c['cancel pairs ' + age])))
    if driver.faults:
        rows.append(('cancels undone, the disk failed all the time since',
                     c['cancels on a failing disk']))
    rows += [
        ('changes answered', c['changes']),
        ('withdrawn without a wish', c['withdrawn']),
        ('on other nodes, as theirs did not answer', c['moved']),
        ('with another start in their windows', c['shifted']),
        ('kept as a reservation, without its job', c['kept without its job']),
        ('doubled', c['doubled']),
        ('orphaned reservations', c['orphans']),
        ('right only some seconds after a restart', c['right a little later']),
        ('run once', runs['once']),
        ('run again, its start forgotten by a kill', runs['again']),
        ('run twice', runs['twice']),
        ('not run', runs['not']),
        ('nodes drained', len(drained)),
        ('first decision after a start, s: median, most', '%.2f, %.2f' % (
            statistics.median(times), max(times)) if times else 'none'),
    ]
    return rows


def checks(driver, runs, drained):
    c, n = driver.promises.counts, sum(driver.kills.values())
    yield 'the stream of requests has not ended', not driver.traffic.broken
    yield 'enough was acknowledged', c['acknowledged'] >= max(20, 3 * n)
    yield 'enough of it right before a kill', c['pairs ' + AGES[0]] >= n / 2
    yield 'enough cancels were answered', c['cancels'] >= max(5, n / 2)
    if driver.faults:
        yield 'the disk has failed', driver.faults.struck() >= n
        yield 'and the power', driver.cuts >= n / 5
    if driver.states:
        yield "Slurm's state was damaged", driver.damages
    yield 'jobs have run', runs['once'] + runs['again'] >= wanted(driver)
    for age in AGES:
        yield 'nothing lost that was read %s before' % age, \
            c['lost ' + age] == 0
    if not driver.states:
        yield 'no job lost of what was kept', c['kept without its job'] == 0
    yield 'nothing changed', c['changed'] == 0
    yield 'no change undone', c['change undone'] == 0
    yield 'nothing withdrawn', c['withdrawn'] == 0
    # Slurm answers a cancel without asking: where the disk fails just then,
    # nobody can keep it, and it is counted apart.
    yield 'cancels stay cancelled', c['cancels undone'] == 0
    yield 'nothing doubled', c['doubled'] == 0
    yield 'no reservation orphaned', c['orphans'] == 0
    yield 'none run twice', runs['twice'] == 0
    yield 'all have run', runs['not'] == 0
    yield 'no node drained', not drained
    yield 'decisions went on after each start', None not in driver.recoveries


def tell(driver, seconds):
    """Prints it all; the status to end with."""
    runs, drained = count_runs(driver), driver.cluster.drained()
    for line in driver.promises.told + drained:
        print('# ' + line)
    rows = table(driver, runs, drained, seconds)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print('  %-*s  %s' % (width, name, value))
    failed = passed = 0
    for text, good in checks(driver, runs, drained):
        passed, failed = passed + bool(good), failed + (not good)
        print('%s %s' % ('ok' if good else 'not ok', text))
    print('seed %d: %d passed, %d failed' % (driver.options.seed, passed, failed))
    return 1 if failed else 0
