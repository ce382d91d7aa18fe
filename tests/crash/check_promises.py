# SPDX-License-Identifier: GPL-2.0-or-later
"""The judge of tests/crash/run sees what is wrong, and only that."""
import random
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, __file__.rpartition('/')[0])
sys.dont_write_bytecode = True

from cluster import Snapshot            # noqa: E402
from promises import Promises, node_names   # noqa: E402
from report import runs_in, verdict     # noqa: E402
from traffic import Traffic             # noqa: E402

FAR = 'start=2026-11-23T08:00:00Z end=2026-11-23T09:00:00Z'
NOW = 1795400000        # before that


def job(number, name, text, state='PENDING'):
    return 'JobId=%d JobName=%s JobState=%s AdminComment=%s Power=' % (
        number, name, state, text)


def booked(number, name, terms='nodes=2/2 benefit=1 on=n[1-2]', **more):
    return job(number, name, 'rspb: booked %s %s' % (FAR, terms), **more)


def resv(name, text='', nodes='n1'):
    return ('ReservationName=%s StartTime=2026-11-23T08:00:00 '
            'EndTime=2026-11-23T09:00:00 Nodes=%s Users=news '
            'State=INACTIVE BurstBuffer=%s Watts=n/a' % (name, nodes, text))


def snapshot(*lines, at=NOW):
    return Snapshot([x for x in lines if x.startswith('JobId')],
                    [x for x in lines if x.startswith('Reserv')], at, at)


class Judge(unittest.TestCase):
    def setUp(self):
        self.promises = Promises()

    def after(self, *lines, killed_at=NOW + 0.5):
        """The faults that a restart with these records would show."""
        now = snapshot(*lines, at=NOW + 3)
        suspects = self.promises.suspects(now, killed_at)
        told = len(self.promises.told)
        self.promises.compare(now, killed_at)
        new = [x.split(':')[0] for x in self.promises.told[told:]]
        self.assertEqual(bool(suspects), bool(new))
        return new

    def test_kept(self):
        self.promises.read(snapshot(booked(7, '1-1-far'), resv('rspb_7')))
        self.assertEqual(self.after(booked(7, '1-1-far'), resv('rspb_7')), [])
        self.assertEqual(self.promises.counts['pairs < 1 s'], 1)

    def test_made_again(self):
        begun = 'start=2026-11-08T00:00:00Z end=2026-11-30T09:00:00Z on=n1'
        left = begun.replace('00:00:00Z', '01:00:00Z', 1)
        for damaged, wanted in ((True, []), (False, ['changed'])):
            self.setUp()
            self.promises.damaged = damaged
            self.promises.read(snapshot(job(7, '1-1', 'rspb: booked ' + begun)))
            self.assertEqual(self.after(
                job(7, '1-1', 'rspb: booked ' + left)), wanted)

    def test_gone(self):
        self.promises.read(snapshot(booked(7, '1-1-far')))
        self.assertEqual(self.after(killed_at=NOW + 3), ['lost'])
        self.assertEqual(self.promises.counts['lost 1-5 s'], 1)
        self.assertEqual(self.after(), [])      # told once

    def test_its_job_is_back(self):
        later = FAR.replace('T08', 'T07', 1)
        for what, wanted in ((booked(7, '1-1-far'), []), (booked(8, '1-2-far'), ['lost']),
                             (job(7, '1-1-far', 'rspb: booked %s nodes=2/2 benefit=1' %
                                  later), ['lost'])):
            self.setUp()
            self.promises.read(snapshot(
                resv('kept_7', 'rspb: booked %s nodes=2/2 benefit=1' % FAR)))
            self.assertEqual(self.after(what), wanted)

    def test_kept_without_its_job(self):
        for nodes, fault in (('n[1-2]', 'kept without its job'), ('n1', 'lost')):
            self.setUp()
            self.promises.read(snapshot(booked(7, '1-1-far')))
            self.assertEqual(self.after(resv('kept_7', nodes=nodes)), [fault])

    def test_kept_without_its_script(self):
        for nodes, fault in (('n[1-2]', 'kept without its job'), ('n1', 'lost')):
            self.setUp()
            self.promises.read(snapshot(booked(7, '1-1-far')))
            self.assertEqual(self.after(
                job(7, '1-1-far', 'rspb: cancelled x=1', state='FAILED'),
                resv('kept_7', nodes=nodes)), [fault])

    def test_number_of_another(self):
        self.promises.read(snapshot(booked(7, '1-1-far')))
        self.assertEqual(self.after(booked(7, '1-2-far')), ['lost'])

    def test_asked_again(self):
        self.promises.read(snapshot(booked(7, '1-1-far')))
        self.assertEqual(self.after(job(7, '1-1-far', 'rspb: requested x=1')),
                         ['lost'])

    def test_changed(self):
        self.promises.read(snapshot(booked(7, '1-1-far')))
        self.assertEqual(self.after(booked(7, '1-1-far', 'nodes=1/2 on=n1')),
                         ['changed'])

    def test_moved_forward(self):
        early, late = (FAR.replace('23T', day + 'T') for day in ('21', '24'))
        ready = ' on=n1 ready=2026-11-20T07:00:00Z'
        for kind, text, wanted in (('asap', early, []), ('asap', late, ['changed']),
                                   ('yes', early, ['changed'])):
            self.setUp()
            self.promises.read(snapshot(job(7, '1-1', 'rspb: booked %s%s book=%s' % (
                FAR, ready, kind))))
            self.assertEqual(self.after(job(7, '1-1', 'rspb: booked %s%s book=%s' % (
                text, ready.replace('n1', 'n2'), kind))), wanted)

    def test_moved_in_its_window(self):
        inside, outside = (FAR.replace('23T', day + 'T') for day in ('24', '28'))
        window = ' on=n1 ready=2026-11-20T07:00:00Z deadline=2026-11-26T07:00:00Z'
        firm = ' firm-from=%s'
        for text, notice, wanted in ((inside, firm % '2036-01-01T00:00:00Z', []),
                                     (outside, firm % '2036-01-01T00:00:00Z',
                                      ['changed']),
                                     (inside, firm % '1990-01-01T00:00:00Z',
                                      ['changed']),
                                     (inside, '', ['changed'])):
            self.setUp()
            self.promises.read(snapshot(job(7, '1-1', 'rspb: booked %s%s%s' % (
                FAR, notice, window))))
            self.assertEqual(self.after(job(7, '1-1', 'rspb: booked %s%s%s' % (
                text, notice, window.replace('n1', 'n2')))), wanted)

    def test_change_undone(self):
        self.promises.read(snapshot(booked(7, '1-1-far', 'nodes=1/2')))
        self.promises.read(snapshot(booked(7, '1-1-far', 'nodes=2/2')))
        self.assertEqual(self.after(booked(7, '1-1-far', 'nodes=1/2')),
                         ['change undone'])

    def test_cancelled(self):
        for state, fault in (('CANCELLED', []), ('PENDING', ['cancels undone'])):
            self.setUp()
            self.promises.read(snapshot(booked(7, '1-1-far')))
            promise = self.promises.all['job 7']
            promise.cancel_tried = NOW
            self.promises.cancelled(promise, NOW)
            self.assertEqual(self.after(booked(7, '1-1-far', state=state)), fault)

    def test_cancel_on_a_failing_disk(self):
        for can, fault in ((False, []), (True, ['cancels undone'])):
            self.setUp()
            self.promises.can_be_kept = lambda since, until, can=can: can
            self.promises.read(snapshot(booked(7, '1-1-far')))
            promise = self.promises.all['job 7']
            promise.cancel_tried = NOW
            self.promises.cancelled(promise, NOW)
            now = snapshot(booked(7, '1-1-far'), at=NOW + 3)
            self.promises.compare(now, NOW + 0.5)
            self.assertEqual([x.split(':')[0] for x in self.promises.told], fault)

    def test_cancel_without_answer(self):
        self.promises.read(snapshot(booked(7, '1-1-far')))
        self.promises.all['job 7'].cancel_tried = NOW
        self.assertEqual(self.after(booked(7, '1-1-far', state='CANCELLED')), [])

    def test_orphan(self):
        self.assertEqual(self.after(resv('rspb_7_1')), ['orphans'])
        self.assertEqual(self.after(resv('rspb_7_1')), [])
        self.assertEqual(self.after(resv('rspb_waiting'), resv('mine')), [])

    def test_for_a_moment(self):
        self.promises.read(snapshot(booked(7, '1-1-far')))
        now = snapshot(resv('rspb_8'), at=NOW + 3)
        self.assertEqual(self.promises.suspects(now, NOW), {'job 7', 'rspb_8'})
        self.promises.compare(now, NOW, {'job 7'})
        self.assertEqual([x[:4] for x in self.promises.told], ['lost'])
        self.assertEqual(self.after(resv('rspb_8')), ['orphans'])

    def test_doubled(self):
        self.assertEqual(self.after(booked(7, '1-1-far', 'on=n1'),
                                    booked(8, '1-1-far', 'on=n2')), ['doubled'])
        self.setUp()
        self.assertEqual(self.after(booked(7, '1-1-het', 'on=n1'),
                                    booked(8, '1-1-het', 'on=n2')), [])

    def test_overlap(self):
        two = (booked(7, '1-1-far', 'on=n[1-3]'), booked(8, '1-2-far', 'on=n3'))
        self.assertEqual(self.after(*two), ['doubled'])
        self.setUp()
        two = (booked(7, '1-1-far', 'share=20% on=n1'),
               booked(8, '1-2-far', 'share=30% on=n1'))
        self.assertEqual(self.after(*two), [])

    def test_parts(self):
        two = (booked(7, '1-1-part', 'nodes=1/1 cores=5 on=p1'),
               booked(8, '1-2-part', 'nodes=1/1 cores=3 on=p1'))
        self.assertEqual(self.after(*two), [])
        self.setUp()
        three = two + (booked(9, '1-3-part', 'nodes=1/1 cores=1 on=p1'),)
        self.assertEqual(self.after(*three), ['doubled'])
        self.setUp()
        gpus = two[0] + ' TresPerNode=gres:gpu:2'
        self.assertEqual(self.after(gpus, two[1] + ' TresPerNode=gres:gpu:2'), [])
        self.setUp()
        self.assertEqual(self.after(gpus, two[1] + ' TresPerNode=gres:gpu:3'),
                         ['doubled'])
        self.setUp()
        self.promises.read(snapshot(two[0], resv('rspb_7', nodes='p1')))
        self.assertEqual(
            self.after(booked(7, '1-1-part', 'nodes=1/1 cores=4 on=p1'),
                       resv('rspb_7', nodes='p1')), ['changed'])

    def test_operators(self):
        text = 'rspb: booked %s nodes=1/1 benefit=1' % FAR
        self.promises.read(snapshot(resv('op1', text)))
        self.assertEqual(self.after(resv('op1', text)), [])
        self.assertEqual(self.after(), ['lost'])

    def test_withdrawn(self):
        self.promises.read(snapshot(booked(7, '1-1-far')))
        self.promises.read(snapshot(job(7, '1-1-far', 'rspb: declined reason=x')))
        self.assertEqual(self.promises.counts['withdrawn'], 1)

    def test_nodes(self):
        self.assertEqual(node_names('f[1-3,7],n2,m[1]'),
                         ['f1', 'f2', 'f3', 'f7', 'n2', 'm1'])

    def test_asked(self):
        class Cluster:
            out = self.enterContext(tempfile.TemporaryDirectory())

            def run(self, *argv, user=None):
                return 0, 'sbatch: rspb: likely: Nov 22 on 1 node\n12\n'
        traffic = Traffic(Cluster(), self.promises, threading.RLock(),
                          random.Random(1), 1)
        traffic.near()
        self.assertEqual([name for name, _ in traffic.starts], ['1-1-near'])

    def test_runs(self):
        def how(*lines, kills=()):
            return verdict(runs_in(lines), kills)
        one, two = ('begin 10.0 7 100', 'end 12.0 7 100'), 'begin 11.5 7 90'
        self.assertEqual(how(), 'not')
        self.assertEqual(how(*one), 'once')
        self.assertEqual(how(one[0], 'begin 12.5 7 90'), 'twice')
        self.assertEqual(how(one[0], two, kills=[10.8]), 'again')
        self.assertEqual(how(one[0], two, kills=[9.5]), 'again')
        self.assertEqual(how(one[0], two, kills=[5, 11.6]), 'twice')
        self.assertEqual(how(*one, two, kills=[10.8]), 'twice')


if __name__ == '__main__':
    unittest.main(verbosity=0)
