# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks at Slurm's own records once a second while bookings move, until it is told to
end (SIGTERM): two reservations on a node at a time, bookings outside of their windows,
moves, and who is gone of jobs up to the number that is given: those behind it are
cancelled. Prints one line of counts and, on stderr, what was wrong."""
import calendar
import re
import signal
import subprocess
import sys
import time

over = False
SEEN_MOST = 20          # of what is wrong, told in words


def end(_signal, _frame):
    global over
    over = True


def records(what):
    return subprocess.run(['scontrol', '-o', 'show', what], text=True,
                          stdout=subprocess.PIPE, check=False).stdout.splitlines()


def nodes(text):
    """The numbers of f[1-3,7] or f4."""
    found = set()
    for low, high in re.findall(r'(\d+)(?:-(\d+))?', text):
        found.update(range(int(low), int(high or low) + 1))
    return found


def utc(text):
    return calendar.timegm(time.strptime(text, '%Y-%m-%dT%H:%M:%SZ'))


def local(text):
    return time.mktime(time.strptime(text, '%Y-%m-%dT%H:%M:%S'))


def overlaps():
    """Pairs of bookings that have a node at the same time."""
    events, pairs, now = [], set(), {}
    for line in records('reservation'):
        it = re.match(r'ReservationName=(rspb_\d\S*) StartTime=(\S+) EndTime=(\S+) .*?'
                      r'Nodes=(\S+)', line)
        if it and it[4] != '(null)':
            where = nodes(it[4])
            events += [(local(it[2]), 1, it[1], where), (local(it[3]), 0, it[1], where)]
    for _, begins, name, where in sorted(events, key=lambda e: e[:3]):
        for n in where:
            if begins and n in now:
                pairs.add(tuple(sorted((name, now[n]))))
            if begins:
                now[n] = name
            elif now.get(n) == name:
                del now[n]
    return pairs


def bookings():
    """Of each booked job: start, and whether that is in its window."""
    found = {}
    for line in records('job'):
        it = re.search(r'^JobId=(\d+) .*AdminComment=rspb: booked (\S.*?) Power=', line)
        terms = dict(w.split('=', 1) for w in it[2].split(' ') if '=' in w) if it else {}
        if 'start' in terms and 'ready' in terms:
            found[it[1]] = (utc(terms['start']), utc(terms['ready']) <= utc(terms['start'])
                            and utc(terms['end']) <= utc(terms['deadline']))
    return found


def main():
    signal.signal(signal.SIGTERM, end)
    count = dict.fromkeys(('looks', 'moves', 'doubled', 'outside', 'gone'), 0)
    before, pairs_before, told = {}, set(), 0
    last = int(sys.argv[1])
    while not over:
        began = time.time()
        is_now, pairs = bookings(), overlaps()
        count['looks'] += 1
        count['moves'] += sum(1 for k, v in is_now.items()
                              if k in before and before[k][0] != v[0])
        outside = [k for k, v in is_now.items() if not v[1]]
        gone = [k for k in before if k not in is_now and int(k) <= last]
        doubled = pairs & pairs_before  # a proposal is made so in several sections
        count['outside'] += len(outside)
        count['gone'] += len(gone)
        count['doubled'] += len(doubled)
        for what in [f'doubled {p}' for p in doubled] + [f'outside {k}' for k in outside] \
                + [f'gone {k}' for k in gone]:
            told += 1
            if told <= SEEN_MOST:
                print(what, file=sys.stderr)
        before, pairs_before = is_now, pairs
        time.sleep(max(0, began + 1 - time.time()))
    print(' '.join(str(v) for v in count.values()))


if __name__ == '__main__':
    main()
