# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests/simulated/outages says: outages.py [SEED [COUNT]]. Bookings of all nodes,
rigid or of a range of nodes, in series or alone, far ahead or within OutageNotice, lose
nodes for seconds to hours. Once all nodes serve again, each booking has what it was granted
first, at the start that it was granted first, and its owner was told once at most of each
outage, once more if it lasted into OutageNotice, and once at most of each return."""
import os
import random
import re
import subprocess
import sys
import tempfile

HEAD = """seed {seed}
nodes {nodes}
end {end}
calm
conf ReserveAhead=300s
conf MaxBookedPercent=100%
conf MaxNodes=100%
conf Horizon=14d
conf MaxWaitingPerUser=0
conf NoticeProgram=/bin/true
"""
LENGTHS = [2, 4, 10, 60, 300, 1200, 3600, 7200]
NEAR_S, BACK_S, OUTAGE_NOTICE_S = 400, 90, 3600


def clock(seconds):
    return '%d:%02d:%02d' % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def bookings(draw, nodes, start):
    """[(second, action)] of all nodes at one start."""
    at, left, actions = 1, nodes, []
    while left:
        most = draw.randint(1, left)
        least = draw.choice([most, draw.randint(1, most), draw.randint(1, most)])
        size = str(most) if least == most else '%d-%d' % (least, most)
        series = ' series=s%d' % draw.randint(1, 2) if draw.random() < .3 else ''
        actions.append((at, 'book j%d nodes=%s limit=600 runs=5 begin=%d user=%d%s' % (
            len(actions) + 1, size, start - at, draw.randint(1000, 1002), series)))
        left -= most
        at += 3
    return actions


def outages(draw, nodes, start, near, at):
    """[(second, action)], and when the last is over."""
    actions, last = [], at
    for _ in range(draw.randint(1, 5)):
        length = draw.choice(LENGTHS[:5] if near else LENGTHS)
        if at + length > start - NEAR_S:
            continue
        actions.append((at, '%s n%d for=%d' % (draw.choice(['drain', 'drain', 'fail']),
                                               draw.randint(1, nodes), length)))
        last = max(last, at + length)
        at += draw.choice([0, 1, 3, 20, length, length + 5])
    return actions, last


def scenario(seed):
    """RET its text, and how often the owner of a booking may be warned."""
    draw = random.Random(seed)
    nodes, near = draw.choice([4, 6, 8]), draw.random() < .4
    start = draw.choice([1500, 2400, 3000] if near else [5400, 7200, 20000, 172800])
    actions = bookings(draw, nodes, start)
    lost, last = outages(draw, nodes, start, near, actions[-1][0] + 13)
    lines = ['%s %s' % (clock(at), text) for at, text in sorted(actions + lost,
                                                                key=lambda pair: pair[0])]
    return HEAD.format(seed=seed, nodes=nodes, end=clock(last + BACK_S)) + '\n'.join(
        lines) + '\n', sum(1 + spans(action, start - OUTAGE_NOTICE_S) for action in lost)


def spans(outage, second):
    """Whether it has begun before that second and ends after it."""
    return outage[0] <= second <= outage[0] + int(outage[1].rpartition('=')[2]) + 1


def judge(log, warnings):
    """RET a line for each booking that is not as it was granted first, or whose owner was
    warned more often than WARNINGS, and their number."""
    first, last, told = {}, {}, {}
    for line in open(log):
        notice = re.search(r'NOTICE (\d+) (warned|changed) ', line)
        if notice:
            told[notice.groups()] = told.get(notice.groups(), 0) + 1
        said = re.search(r'CONTRACT job (\d+) rspb: (.*)', line)
        if not said:
            continue
        terms = re.match(r'booked start=(\S+) .*?nodes=(\S+)', said[2])
        last[said[1]] = terms.groups() if terms else said[2]
        if terms:
            first.setdefault(said[1], terms.groups())
    wrong = ['job %s: %s at first, then %s' % (job, first[job], last[job])
             for job in first if last[job] != first[job]]
    for (job, event), times in told.items():
        if times > warnings * (1 if event == 'warned' else 2):
            wrong.append('job %s: told %d times that it is %s' % (job, times, event))
    return wrong, len(first)


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    bad = booked = 0
    with tempfile.TemporaryDirectory() as work:
        files, warnings = [], []
        for number in range(seed, seed + count):
            files.append('%s/%d.scenario' % (work, number))
            with open(files[-1], 'w') as out:
                text, most = scenario(number)
                out.write(text)
            warnings.append(most)
        run = subprocess.run([os.path.dirname(sys.argv[0]) + '/run', '--keep', work + '/kept']
                             + files, stdout=subprocess.PIPE, text=True)
        if run.returncode:
            print(''.join(line for line in run.stdout.splitlines(True) if ' 0 faults' not in line))
        for number in range(seed, seed + count):
            wrong, n = judge('%s/kept/%d/log' % (work, number), warnings[number - seed])
            booked += n
            for line in wrong:
                print('seed %d: %s' % (number, line))
            bad += bool(wrong)
    print('%d scenarios with %d bookings, %d of them end otherwise' % (count, booked, bad))
    return 1 if bad or run.returncode or not booked else 0


sys.exit(main())
