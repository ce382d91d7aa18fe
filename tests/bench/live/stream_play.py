# SPDX-License-Identifier: GPL-2.0-or-later
"""Plays a stream of requests (stream.py) to the cluster of SLURM_CONF, in real time.

    stream_play.py STREAM KIND BEGIN FOLDER

BEGIN is the second at which the stream's begins. KIND is what a request for a booking
becomes:
    once    a reservation of stock Slurm at the first start asked for, with a job in it
    stock   the same; where Slurm refuses it, each later minute of the window is tried
    firm    sbatch --book, with the window and --firm
    live    sbatch --book, with the window; also none, and bookable
    fixed   the same in a partition of its own, booked
Who is declined goes away. Nodes are not there (see cluster.sh), so a job is on its nodes
until the driver ends it, when it has taken what the stream says; a reservation of stock
Slurm is deleted then, too, as somebody would who gives back the rest. answers.json in
FOLDER is what was promised, by Slurm's own records."""
import concurrent.futures
import json
import re
import subprocess
import sys
import time

from moves import local, overlaps, records, utc

LOOK = 1.0              # seconds between two looks
TAIL = 1000             # behind the stream: the last windows, and those who wait
EARLY_ENDED = ('COMPLETED', 'CANCELLED', 'NODE_FAIL', 'TIMEOUT', 'FAILED')


def run(*words):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)


def stamp(seconds):
    return time.strftime('%Y-%m-%dT%H:%M:%S', time.localtime(seconds))


def script(thing, *more):
    it = run('sbatch', '-Q', '--parsable', '-o', '/dev/null', '-J', thing['name'],
             '-N', str(thing['nodes']), '-t', str(thing['minutes']), *more, '--wrap', 'true')
    if it.returncode:
        print(thing['name'], it.stdout.strip(), file=sys.stderr)


class Play:
    def __init__(self, kind, begin, things):
        self.kind, self.begin = kind, begin
        self.things = {thing['name']: thing for thing in things}
        self.todo = []          # (when, what, thing), in this order
        self.promised = {}
        self.gone, self.ended = set(), set()
        self.left = 0
        self.count = {'moves': 0, 'broken': 0, 'doubled': 0, 'lag': 0}
        self.pairs = set()
        for thing in things:
            self.todo.append((thing['at'], thing['do'], thing))
            if thing.get('cancel'):
                self.todo.append((thing['cancel'], 'cancel', thing))
            if thing['do'] == 'fail':
                self.todo.append((thing['at'] + thing['for'], 'mend', thing))
        self.todo.sort(key=lambda one: one[0])

    # --- what users and operators do ---

    def book(self, thing):
        ready = self.begin + thing['ready']
        if self.kind in ('once', 'stock'):
            self.book_stock(thing, ready)
            return
        more = ['--book', '--begin=' + stamp(ready)]
        if thing['slack']:
            more.append('--deadline=' + stamp(ready + thing['slack'] + 60 * thing['minutes']))
            if self.kind == 'firm':
                more.append('--firm')
        if self.kind == 'fixed':
            more.append('--partition=booked')
        script(thing, *more)

    def book_stock(self, thing, ready):
        last = ready + (thing['slack'] if self.kind == 'stock' else 0)
        for start in range(ready, last + 1, 60):
            if run('scontrol', 'create', 'reservation', 'reservationname=' + thing['name'],
                   'starttime=' + stamp(start), f'duration={thing["minutes"]}', 'users=root',
                   f'nodecnt={thing["nodes"]}').returncode == 0:
                self.promise(thing['name'], start)
                script(thing, '--reservation=' + thing['name'])
                return

    def plain(self, thing):
        script(thing)

    def cancel(self, thing):
        name = thing['name']
        if name in self.promised and not self.promised[name]['begun']:
            self.promised[name]['given_up'] = True
            run('scancel', '-n', name)
            self.over(name)

    def fail(self, thing):
        # A node that is not there answers nobody, and would be of no use behind that, but
        # for one that wakes up.
        for state in ('down', 'power_down_force'):
            run('scontrol', 'update', f'nodename=f{thing["node"]}', f'state={state}',
                'reason=test')

    def mend(self, thing):
        run('scontrol', 'update', f'nodename=f{thing["node"]}', 'state=resume')

    # --- what is seen ---

    def promise(self, name, start):
        self.promised[name] = {'start': start, 'given_up': False, 'begun': False,
                               'ready': self.begin + self.things[name]['ready']}

    def over(self, name):
        if name not in self.gone:
            self.gone.add(name)
            if name in self.promised and self.kind in ('once', 'stock'):
                run('scontrol', 'delete', 'reservation=' + name)

    def contract(self, name, text, now):
        """What the record of a job says of its booking."""
        terms = dict(w.split('=', 1) for w in text.split(' ') if '=' in w)
        if 'start' not in terms or self.promised.get(name, {}).get('begun'):
            return
        start = utc(terms['start'])
        if name not in self.promised:
            self.promise(name, start)
        it = self.promised[name]
        if it['start'] != start:
            self.count['moves'] += 1
            self.count['broken'] += it.get('firm', now + 1) < now - LOOK
        it['start'] = start
        it['firm'] = utc(terms['firm-from']) if 'firm-from' in terms else 0

    def job(self, line, now, ends):
        it = dict(re.findall(r'(\w+)=(\S+)', line))
        name, state = it['JobName'], it['JobState']
        if name not in self.things or name in self.ended:
            return
        said = re.search(r'AdminComment=rspb: (\w+) (.*?) Power=', line)
        if said and said[1] == 'booked':
            self.contract(name, said[2], now)
        elif said and said[1] == 'declined':
            ends.append(it['JobId'])
            self.ended.add(name)
            return
        if state in EARLY_ENDED:
            self.ended.add(name)
            self.over(name)
        elif state in ('CONFIGURING', 'RUNNING'):
            if name in self.promised:
                self.promised[name]['begun'] = True
            if now >= local(it['StartTime']) + self.things[name]['runs']:
                ends.append(it['JobId'])
            self.left += 1
        elif name in self.promised:
            # who has lost his reservation waits for nothing
            it = self.things[name]
            self.left += now < self.begin + it['ready'] + it['slack'] + 60 * it['minutes'] + 60
        else:
            self.left += 1

    def look(self):
        now, ends, self.left = time.time(), [], 0
        for line in records('job'):
            if line.startswith('JobId='):
                self.job(line, now, ends)
        if ends:
            run('scancel', *ends)
        if self.kind not in ('once', 'stock') and int(now) % 3 == 0:
            pairs = overlaps()
            self.count['doubled'] += len(pairs & self.pairs)
            self.pairs = pairs

    def all(self, span, pool):
        over = False
        at_look = self.begin
        while not over:
            now = time.time() - self.begin
            while self.todo and self.todo[0][0] <= now:
                due, what, thing = self.todo.pop(0)
                self.count['lag'] = max(self.count['lag'], now - due)
                pool.submit(getattr(self, what), thing)
            if time.time() >= at_look:
                self.look()
                at_look = max(at_look + LOOK, time.time() + LOOK / 4)
            over = now > span + TAIL or (now > span and not self.todo and not self.left)
            time.sleep(.05)


def main():
    stream, kind, begin, folder = sys.argv[1:]
    with open(stream, encoding='utf-8') as text:
        head, *things = [json.loads(line) for line in text]
    play = Play(kind, int(begin), things)
    time.sleep(max(0, play.begin - time.time()))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        play.all(head['span'], pool)
    over = time.time()
    run('scancel', '-u', 'root')
    time.sleep(2)
    with open(f'{folder}/answers.json', 'w', encoding='utf-8') as text:
        json.dump({'began': play.begin, 'over': over, 'promised': play.promised,
                   **play.count}, text)


main()
