# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks at Slurm's own records once a second while bookings move, until it is told to
end (SIGTERM): two reservations on a node at a time, bookings outside of their windows,
reservations that begin at another time than was promised or are not there, moves to
another start and to other nodes at the same one, and who is gone of jobs up to the number
that is given: those behind it are cancelled. Prints one line of counts and, on stderr,
what was wrong."""
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


def places():
    """Of each booking's reservation: begin, end, nodes."""
    found = {}
    for line in records('reservation'):
        it = re.match(r'ReservationName=rspb_(\d\S*) StartTime=(\S+) EndTime=(\S+) .*?'
                      r'Nodes=(\S+)', line)
        if it and it[4] != '(null)':
            found[it[1]] = (local(it[2]), local(it[3]), it[4])
    return found


def overlaps(found):
    """Pairs of bookings that have a node at the same time."""
    events, pairs, now = [], set(), {}
    for name, (begin, over_at, where) in found.items():
        where = nodes(where)
        events += [(begin, 1, name, where), (over_at, 0, name, where)]
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


def moves(was, is_now, before, placed):
    """How many have another start, and how many other nodes at the same one."""
    stay = [k for k in is_now if k in was and was[k][0] == is_now[k][0]]
    return (sum(1 for k, v in is_now.items() if k in was and was[k][0] != v[0]),
            sum(1 for k in stay if k in before and k in placed
                and before[k][2] != placed[k][2]))


def main():
    signal.signal(signal.SIGTERM, end)
    count = dict.fromkeys(('looks', 'moves', 'elsewhere', 'doubled', 'apart', 'outside',
                           'gone'), 0)
    was, before, wrong_before, told = {}, {}, set(), 0
    last = int(sys.argv[1])
    while not over:
        began = time.time()
        is_now, placed = bookings(), places()
        moved, elsewhere = moves(was, is_now, before, placed)
        wrong = {('doubled',) + pair for pair in overlaps(placed)}
        wrong |= {('apart', k, v[0], placed.get(k, [0])[0]) for k, v in is_now.items()
                  if k not in placed or placed[k][0] != v[0]}
        found = wrong & wrong_before  # a proposal is made so in several sections
        found |= {('outside', k) for k, v in is_now.items() if not v[1]}
        found |= {('gone', k) for k in was if k not in is_now and int(k) <= last}
        count['looks'] += 1
        count['moves'] += moved
        count['elsewhere'] += elsewhere
        for what in sorted(found):
            count[what[0]] += 1
            told += 1
            if told <= SEEN_MOST:
                print(*what, file=sys.stderr)
        was, before, wrong_before = is_now, placed, wrong
        time.sleep(max(0, began + 1 - time.time()))
    print(' '.join(str(v) for v in count.values()))


if __name__ == '__main__':
    main()
