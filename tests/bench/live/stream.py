# SPDX-License-Identifier: GPL-2.0-or-later
"""One stream of requests for clusters side by side, and what came of it.

    stream.py make SEED LOAD NODES MINUTES [NOTICE] >STREAM
    stream.py tell KIND,... STREAM...

A stream is a line of JSON for each thing that somebody does: "book" (nodes, minutes, ready
and slack in seconds; most have a window, some a start of their own), "plain" (an ordinary
job), "fail" (a node, for so long); "at" is when, in seconds. "runs" is how long a job
really takes, "cancel" when its owner gives it up. LOAD is BOOKINGS:JOBS, what is asked for
as a part of what all nodes can do in that time. With NOTICE, in seconds, bookings are asked
for so long ahead, for that start or a later one, and jobs are short, over by then, or long.

What came of it is read from the folder STREAM.KIND that stream_play.py has left: jobs.txt
(Slurm's jobcomp/filetxt) and answers.json (who was promised what). All kinds are judged
alike."""
import collections
import json
import math
import random
import re
import sys
import time

from moves import nodes

MOST = 32           # nodes of one job or booking
MINUTES = (1, 2, 3)
FIXED = .25         # of the bookings have one start
EARLY = .3          # end long before they have to
GIVEN_UP = .08
SPARE = 4           # seconds that the others need less than they have
LATE = 1            # seconds behind its start that are still its second


def size(draw):
    return round(2 ** draw.uniform(0, math.log2(MOST)))


def arrivals(draw, load, width, span, each):
    """Seconds at which they come, for jobs of EACH node-seconds in the mean."""
    at = draw.expovariate(load * width / each)
    while at < span:
        yield round(at, 2)
        at += draw.expovariate(load * width / each)


def bookings(draw, load, width, span):
    usual = (MOST - 1) / math.log(MOST) * 60 * sum(MINUTES) / len(MINUTES)
    for at in arrivals(draw, load, width, span, usual):
        minutes = draw.choice(MINUTES)
        ahead = draw.uniform(20, 240)
        slack = draw.uniform(.5, 3) * minutes * 60
        part = draw.uniform(.3, .95) if draw.random() < EARLY else 1
        given_up = draw.random() < GIVEN_UP
        yield {'at': at, 'do': 'book', 'nodes': size(draw), 'minutes': minutes,
               'ready': math.ceil(at + ahead),
               'slack': 0 if draw.random() < FIXED else round(slack),
               'runs': round(part * minutes * 60) - (SPARE if part == 1 else 0),
               'cancel': round(at + draw.uniform(.2, .9) * ahead, 2) if given_up else None}


def jobs(draw, load, width, span):
    usual = (MOST - 1) / math.log(MOST) * 60 * 3.5 * .65
    for at in arrivals(draw, load, width, span, usual):
        minutes = draw.randint(1, 6)
        yield {'at': at, 'do': 'plain', 'nodes': size(draw), 'minutes': minutes,
               'runs': max(5, round(draw.uniform(.3, 1) * minutes * 60) - SPARE)}


# A week in which an hour takes 15 seconds: with a notice of four hours, bookings of 4 and 8,
# jobs with limits of 4 or of 8 to 48, one as many as the other, and nothing fails.

NOTICED_MOST = 16   # nodes of one booking
NOTICED_MARGIN = 5  # seconds in which it is decided


def noticed(draw, load, width, span, notice):
    usual = (NOTICED_MOST - 1) / math.log(NOTICED_MOST) * 60 * 1.5
    for at in arrivals(draw, load, width, span, usual):
        minutes = draw.choice((1, 2))
        yield {'at': at, 'do': 'book',
               'nodes': round(2 ** draw.uniform(0, math.log2(NOTICED_MOST))),
               'minutes': minutes, 'ready': math.ceil(at + notice + NOTICED_MARGIN),
               'slack': 240 * minutes, 'runs': 60 * minutes - SPARE, 'cancel': None}


def short_and_long(draw, load, width, span):
    usual = (MOST - 1) / math.log(MOST) * 60 * 4 * .65
    for at in arrivals(draw, load, width, span, usual):
        minutes = 1 if draw.random() < .5 else draw.randint(2, 12)
        yield {'at': at, 'do': 'plain', 'nodes': size(draw), 'minutes': minutes,
               'runs': max(5, round(draw.uniform(.3, 1) * minutes * 60) - SPARE)}


def failures(draw, width, span):
    for at in arrivals(draw, 1 / 90, 1, span, 1):
        yield {'at': at, 'do': 'fail', 'node': draw.randint(1, width),
               'for': draw.randint(60, 180)}


def make(seed, load, width, minutes, notice=0):
    draw = random.Random(int(seed))
    booked, plain = (float(part) for part in load.split(':'))
    width, span, notice = int(width), 60 * float(minutes), int(notice)
    if notice:
        things = list(noticed(draw, booked, width, span, notice)) \
            + list(short_and_long(draw, plain, width, span))
    else:
        things = list(bookings(draw, booked, width, span)) \
            + list(jobs(draw, plain, width, span)) + list(failures(draw, width, span))
    things.sort(key=lambda thing: thing['at'])
    print(json.dumps({'do': 'begin', 'seed': int(seed), 'load': load, 'nodes': width,
                      'span': span}))
    for n, thing in enumerate(things):
        print(json.dumps({'name': f'{thing["do"][0]}{n}', **thing}))


# --- what came of it ----------------------------------------------------------------

Run = collections.namedtuple('Run', 'name state begin end nodes')


def moment(text):
    return time.mktime(time.strptime(text, '%Y-%m-%dT%H:%M:%S'))


def runs(path):
    """By name, each time that a job was on nodes."""
    found = collections.defaultdict(list)
    with open(path, encoding='utf-8') as text:
        for line in text:
            it = dict(re.findall(r'(\w+)=(\S*)', line))
            if it.get('NodeList', '(null)') != '(null)':
                found[it['Name']].append(Run(it['Name'], it['JobState'],
                                             moment(it['StartTime']), moment(it['EndTime']),
                                             nodes(it['NodeList'])))
    return found


def doubles(found):
    """Pairs of jobs that had a node at the same time."""
    there, pairs = collections.defaultdict(list), set()
    for run in sorted((r for rs in found.values() for r in rs), key=lambda r: r.begin):
        for node in run.nodes:
            pairs.update((run.name, other.name) for other in there[node]
                         if other.end > run.begin + LATE)
            there[node] = [o for o in there[node] if o.end > run.begin] + [run]
    return len(pairs)


def judge_booking(thing, answer, ran, over, count):
    """What became of a booking that was granted."""
    work = thing['nodes'] * thing['minutes'] * 60
    behind = max(0, answer['start'] - answer['ready'])
    count['accepted'] += 1
    count['work'] += work
    count['as_asked'] += behind <= LATE
    count['behind'] += behind
    if answer['given_up']:
        count['given_up'] += 1
        return
    if (ran[0].end if ran else answer['start']) >= over - LATE and \
            answer['start'] + thing['runs'] > over:
        count['open'] += 1
        return
    count['due'] += work
    if not ran:
        count['never'] += 1
        return
    first, late = ran[0], ran[0].begin - answer['start']
    count['late_sum'] += max(0, late)
    count['late_most'] = max(count['late_most'], late)
    count['outside'] += first.begin < answer['ready'] or \
        answer['start'] > answer['ready'] + thing['slack']
    if late > LATE:
        count['late'] += 1
    elif first.state == 'NODE_FAIL' or len(ran) > 1:
        count['failed'] += 1
    elif first.end - first.begin >= thing['runs'] - LATE:
        count['kept'] += work
    else:
        count['cut'] += 1


def judge_job(thing, ran, submitted, over, count):
    kind = 'short' if thing['minutes'] == 1 else 'long'
    count['jobs'] += 1
    count[kind] += 1
    began = ran[0].begin if ran else over
    wait = max(0, began - submitted)
    count['unstarted'] += not ran
    count['wait'] += wait
    count['wait_' + kind] += wait
    count['slowdown'] += max(1, (wait + thing['runs']) / max(thing['runs'], 10))


def judge(stream, folder):
    head, things = stream[0], stream[1:]
    count = collections.Counter()
    with open(f'{folder}/answers.json', encoding='utf-8') as text:
        said = json.load(text)
    found = runs(f'{folder}/jobs.txt')
    begin = said['began']
    for thing in things:
        ran = found.get(thing['name'], [])
        if thing['do'] == 'book':
            work = thing['nodes'] * thing['minutes'] * 60
            count['asked'] += 1
            count['asked_work'] += work
            if thing['name'] in said['promised']:
                judge_booking(thing, said['promised'][thing['name']], ran, said['over'],
                              count)
        elif thing['do'] == 'plain':
            judge_job(thing, ran, begin + thing['at'], said['over'], count)
    low, high = begin + min(120, head['span'] / 4), begin + head['span']
    count['used'] = sum(max(0, min(r.end, high) - max(r.begin, low)) * len(r.nodes)
                        for rs in found.values() for r in rs)
    count['could'] = (high - low) * head['nodes']
    count['doubles'] = doubles(found) + said['doubled']
    for key in ('moves', 'broken', 'lag'):
        count[key] = said[key]
    return count


def mean(count, kind):
    return f"{count['wait_' + kind] / max(1, count[kind]):.1f}"


ROWS = (('acceptance', lambda c: f"{c['accepted'] / c['asked']:.3f}"),
        ('  of', lambda c: c['asked']),
        ('at the first start asked for', lambda c: f"{c['as_asked'] / c['asked']:.3f}"),
        ('  behind it, mean s', lambda c: f"{c['behind'] / max(1, c['accepted']):.1f}"),
        ('accepted work', lambda c: f"{c['work'] / c['asked_work']:.3f}"),
        ('work asked for that ran on its second',
         lambda c: f"{c['kept'] / c['asked_work']:.3f}"),
        ('  of the accepted, not given up', lambda c: f"{c['kept'] / max(1, c['due']):.3f}"),
        ('bookings late by more than 1 s', lambda c: c['late']),
        ('  late, mean s', lambda c: f"{c['late_sum'] / max(1, c['accepted']):.2f}"),
        ('  most', lambda c: f"{c['late_most']:.0f}"),
        ('never begun', lambda c: c['never']),
        ('ended by a node that failed', lambda c: c['failed']),
        ('cut short', lambda c: c['cut']),
        ('windows not over at the end', lambda c: c['open']),
        ('outside of their window', lambda c: c['outside']),
        ('firm starts that moved', lambda c: c['broken']),
        ('moves', lambda c: c['moves']),
        ('two on a node', lambda c: c['doubles']),
        ("ordinary jobs' mean wait, s", lambda c: f"{c['wait'] / c['jobs']:.1f}"),
        ('  of those with a minute', lambda c: mean(c, 'short')),
        ('  of those with more', lambda c: mean(c, 'long')),
        ('  slowdown', lambda c: f"{c['slowdown'] / c['jobs']:.2f}"),
        ('  of', lambda c: c['jobs']),
        ('  not begun in the end', lambda c: c['unstarted']),
        ("use of the machine", lambda c: f"{c['used'] / c['could']:.3f}"),
        ('driver late, most s', lambda c: f"{c['lag']:.1f}"))


def add(total, count):
    for key, value in count.items():
        most = key in ('late_most', 'lag')
        total[key] = max(total[key], value) if most else total[key] + value


def tell(kinds, paths):
    """A table of each load, of all its seeds together."""
    totals, seeds = {}, collections.defaultdict(list)
    for path in paths:
        with open(path, encoding='utf-8') as text:
            stream = [json.loads(line) for line in text]
        load = stream[0]['load']
        seeds[load].append(str(stream[0]['seed']))
        for kind in kinds:
            add(totals.setdefault((load, kind), collections.Counter()),
                judge(stream, f'{path}.{kind}'))
    for load, which in seeds.items():
        print(f'\nbookings:jobs ask for {load} of the machine, seeds {" ".join(which)}')
        print(f'{"":38}' + ''.join(f'{kind:>10}' for kind in kinds))
        for name, value in ROWS:
            print(f'{name:38}' + ''.join(f'{value(totals[load, k]):>10}' for k in kinds))


if __name__ == '__main__':
    if sys.argv[1] == 'make':
        make(*sys.argv[2:])
    else:
        tell(sys.argv[2].split(','), sys.argv[3:])
