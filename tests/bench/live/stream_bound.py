#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How many bookings of a stream anybody could have accepted who knows all of it.

    stream_bound.py LOAD WORK WAIT SEED...

LOAD is as of stream.py make; 15 minutes on 128 nodes. WORK: so much of the work that is
asked for is to be accepted at least; WAIT: ordinary jobs wait no longer in the mean, in
seconds. Prints acceptance in the mean of the seeds: of a schedule, the smallest first, and
the optimum of a linear program (glpsol), with and without the ordinary jobs; as asked, and
as if the lengths that they really take, and who gives up, were known.

The program may take a booking in part and mix its starts, nodes do not fail, and 128 nodes
hold in the mean of each half minute. How much of a booking lies in each is linear in its
start between those that put its begin or end on a border, so these are all starts that it
needs: what it finds is a bound."""
import json
import os
import re
import subprocess
import sys
import tempfile

WIDTH, STEP, LATE = 128, 30, 1500
here = os.path.dirname(os.path.abspath(__file__))


def stream(seed, load):
    out = subprocess.run([sys.executable, here + '/stream.py', 'make', seed, load, str(WIDTH),
                          '15'], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def length(one, known):
    if known and one.get('cancel'):
        return 0
    return min(one['minutes'] * 60, one['runs']) if known else one['minutes'] * 60


def smallest_first(bookings, known):
    free, taken = [WIDTH] * 5000, 0
    for one in sorted(bookings, key=lambda one: one['nodes'] * one['minutes']):
        start, last, runs = one['ready'], one['ready'] + one['slack'], length(one, known)
        while start <= last:
            lacks = [at for at in range(start, start + runs) if free[at] < one['nodes']]
            if not lacks:
                break
            start = lacks[-1] + 1
        if start <= last:
            taken += 1
            for at in range(start, start + runs):
                free[at] -= one['nodes']
    return taken


def starts(first, last, runs):
    borders = range(first // STEP, (last + runs) // STEP + 2)
    own = {at * STEP - off for at in borders for off in (0, runs)}
    return sorted({first, last} | {at for at in own if first <= at <= last})


class Program:
    def __init__(self):
        self.goal, self.rows, self.room, self.n = [], [], {}, 0

    def add(self, nodes, first, last, runs):
        """RET (variable, start) of each that it may have."""
        made = []
        for start in starts(first, last, runs):
            self.n += 1
            made.append((f'x{self.n}', start))
            for at in range(start // STEP, (start + runs - 1) // STEP + 1):
                part = min(start + runs, (at + 1) * STEP) - max(start, at * STEP)
                self.room.setdefault(at, []).append((part * nodes, f'x{self.n}'))
        return made

    def row(self, terms, rest):
        self.rows.append('\n + '.join(f'{a:.9g} {x}' for a, x in terms) + rest)

    def solve(self):
        for terms in self.room.values():
            self.row(terms, f' <= {WIDTH * STEP}')
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + '/lp', 'w') as file:
                file.write('maximize\n z: ' + '\n + '.join(self.goal) + '\nsubject to\n')
                file.writelines(f' r{i}: {row}\n' for i, row in enumerate(self.rows))
                file.write('end\n')
            subprocess.run(['glpsol', '--lp', folder + '/lp', '-o', folder + '/out'],
                           check=True, stdout=subprocess.DEVNULL)
            with open(folder + '/out') as file:
                said = file.read()
        if not re.search(r'Status: +OPTIMAL', said):
            raise SystemExit('no optimum')
        return float(re.search(r'z = (\S+)', said)[1])


def bound(bookings, jobs, known, least, wait):
    program, work, given = Program(), [], 0
    everything = sum(one['nodes'] * one['minutes'] for one in bookings)
    for one in bookings:
        part = one['nodes'] * one['minutes'] / everything
        if not length(one, known):
            given += 1
            least -= part
            continue
        made = program.add(one['nodes'], one['ready'], one['ready'] + one['slack'],
                           length(one, known))
        program.goal += [x for x, _ in made]
        program.row([(1, x) for x, _ in made], ' <= 1')
        work += [(part, x) for x, _ in made]
    program.row(work, f' >= {least}')
    waits = []
    for one in jobs:
        first = int(one['at']) + 1
        made = program.add(one['nodes'], first, first + LATE, one['runs'])
        program.row([(1, x) for x, _ in made], ' = 1')
        waits += [(start - first, x) for x, start in made if start > first]
    if waits:
        program.row(waits, f' <= {wait * len(jobs)}')
    return given + program.solve()


def main(load, least, wait, *seeds):
    streams = [stream(seed, load) for seed in seeds]
    parts = [([one for one in each if one['do'] == 'book'],
              [one for one in each if one['do'] == 'plain']) for each in streams]
    asked = sum(len(bookings) for bookings, _ in parts)
    print(f'{asked} bookings      smallest first  bound  beside jobs')
    for known in (False, True):
        sums = [sum(smallest_first(b, known) for b, _ in parts)]
        sums += [sum(bound(b, j if beside else [], known, float(least), float(wait))
                     for b, j in parts) for beside in (False, True)]
        print(f'{"all is known" if known else "as asked":17}' +
              ''.join(f'{taken / asked:12.3f}' for taken in sums))


if __name__ == '__main__':
    main(*sys.argv[1:])
