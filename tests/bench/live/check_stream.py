# SPDX-License-Identifier: GPL-2.0-or-later
"""The judge of bookings beside stock (stream.py) sees what is wrong, and only that."""
import json
import os
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from stream import ROWS, judge      # noqa: E402

BEGIN = 1795400000
BOOKED = {'name': 'b0', 'do': 'book', 'at': 0, 'nodes': 2, 'minutes': 2, 'ready': 60,
          'slack': 120, 'runs': 116, 'cancel': None}
PLAIN = {'name': 'p1', 'do': 'plain', 'at': 10, 'nodes': 1, 'minutes': 2, 'runs': 100}


def stamp(after):
    return time.strftime('%Y-%m-%dT%H:%M:%S', time.localtime(BEGIN + after))


def ran(name, begin, end, nodes, state='CANCELLED'):
    return (f'JobId=1 Name={name} JobState={state} StartTime={stamp(begin)} '
            f'EndTime={stamp(end)} NodeList={nodes} NodeCnt=1')


def judged(*lines, start=60, over=700, given_up=False, promised=True, doubled=0):
    said = {'start': BEGIN + start, 'ready': BEGIN + 60, 'given_up': given_up, 'begun': True}
    head = {'do': 'begin', 'seed': 1, 'load': '.5:.5', 'nodes': 4, 'span': 600}
    with tempfile.TemporaryDirectory() as folder:
        with open(f'{folder}/jobs.txt', 'w', encoding='utf-8') as text:
            text.write(''.join(line + '\n' for line in lines))
        with open(f'{folder}/answers.json', 'w', encoding='utf-8') as text:
            json.dump({'began': BEGIN, 'over': BEGIN + over, 'moves': 0, 'broken': 0,
                       'lag': 0, 'doubled': doubled,
                       'promised': {'b0': said} if promised else {}}, text)
        return judge([head, BOOKED, PLAIN], folder)


class Judge(unittest.TestCase):
    def test_kept(self):
        it = judged(ran('b0', 60, 176, 'f[1-2]'), ran('p1', 15, 115, 'f3'))
        self.assertEqual((it['accepted'], it['kept'], it['due']), (1, 240, 240))
        self.assertEqual((it['late'], it['never'], it['cut'], it['failed'], it['outside']),
                         (0, 0, 0, 0, 0))
        self.assertEqual((it['jobs'], it['wait'], it['slowdown']), (1, 5, 1.05))
        self.assertEqual(it['used'], 2 * 56)    # from 120 s on
        self.assertEqual(it['doubles'], 0)
        for _, value in ROWS:
            value(it)

    def test_not_kept(self):
        self.assertEqual(judged()['never'], 1)
        self.assertEqual(judged(given_up=True)['never'], 0)
        short = judged(ran('b0', 60, 169, 'f[1-2]'), over=169)
        self.assertEqual((short['never'], short['open'], short['due']), (0, 1, 0))
        self.assertEqual(judged(promised=False)['accepted'], 0)
        late = judged(ran('b0', 63, 180, 'f[1-2]'))
        self.assertEqual((late['late'], late['late_most'], late['kept']), (1, 3, 0))
        self.assertEqual(judged(ran('b0', 60, 150, 'f[1-2]'))['cut'], 1)
        self.assertEqual(judged(ran('b0', 60, 90, 'f[1-2]', 'NODE_FAIL'))['failed'], 1)
        self.assertEqual(judged(ran('b0', 50, 300, 'f[1-2]'))['outside'], 1)
        self.assertEqual(judged(ran('b0', 190, 306, 'f[1-2]'), start=190)['outside'], 1)
        self.assertEqual(judged()['unstarted'], 1)
        self.assertEqual(judged()['wait'], 690)

    def test_as_asked(self):
        it = judged(ran('b0', 60, 176, 'f[1-2]'), ran('p1', 15, 115, 'f3'))
        self.assertEqual((it['as_asked'], it['behind']), (1, 0))
        self.assertEqual((it['short'], it['long'], it['wait_long']), (0, 1, 5))
        later = judged(ran('b0', 90, 206, 'f[1-2]'), start=90)
        self.assertEqual((later['as_asked'], later['behind']), (0, 30))
        self.assertEqual(judged(promised=False)['as_asked'], 0)

    def test_doubles(self):
        booked = ran('b0', 60, 176, 'f[1-2]')
        self.assertEqual(judged(booked, ran('p1', 100, 200, 'f2'))['doubles'], 1)
        self.assertEqual(judged(booked, ran('p1', 176, 276, 'f[2-3]'))['doubles'], 0)
        self.assertEqual(judged(booked, doubled=2)['doubles'], 2)


if __name__ == '__main__':
    unittest.main(verbosity=0)
