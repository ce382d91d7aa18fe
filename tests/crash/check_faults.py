# SPDX-License-Identifier: GPL-2.0-or-later
"""The faults of tests/crash/faults.c: check_faults.py LIBRARY."""
import os
import random
import subprocess
import sys
import tempfile
import unittest

from faults import Faults

WORK = '''
import os
d = os.environ['RSPB_FAULTS_STATE']
def put(name, text, sync=True, how=os.O_APPEND):
    fd = os.open(d + '/' + name, os.O_WRONLY | os.O_CREAT | how, 0o600)
    n = os.write(fd, text)
    if sync:
        os.fsync(fd)
    os.close(fd)
    return n
def folder():
    fd = os.open(d, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(fd)
    os.close(fd)
def fails(number, f, *a, **k):
    try:
        f(*a, **k)
    except OSError as error:
        assert error.errno == number, error
    else:
        raise AssertionError('it did not fail')
'''


class Disk(unittest.TestCase):
    def setUp(self):
        top = self.enterContext(tempfile.TemporaryDirectory())
        self.state = top + '/state'
        os.mkdir(self.state)
        self.faults = Faults(sys.argv[1], self.state, top + '/faults')

    def work(self, text):
        subprocess.run([sys.executable, '-c', WORK + text], check=True,
                       env=dict(os.environ, **self.faults.env))

    def cut(self):
        """What a power cut leaves, without luck."""
        class Never:
            random = staticmethod(lambda: 1)
        self.faults.power_cut(Never)
        found = {}
        for name in sorted(os.listdir(self.state)):
            with open(self.state + '/' + name, 'rb') as f:
                found[name] = f.read()
        return found

    def test_synced(self):
        self.work('put("rspb.a", b"one"); folder(); put("rspb.a", b"two")')
        self.assertEqual(self.cut(), {'rspb.a': b'onetwo'})
        self.work('put("rspb.a", b"three")')
        self.assertEqual(self.cut(), {'rspb.a': b'onetwothree'})

    def test_not_synced(self):
        self.work('put("rspb.a", b"one"); folder(); put("rspb.a", b"two", False)')
        self.assertEqual(self.cut(), {'rspb.a': b'one'})

    def test_older_writers(self):
        self.work('put("rspb.a", b"one"); folder(); put("rspb.a", b"two", False)')
        self.work('put("rspb.a", b"three")')
        self.assertEqual(self.cut(), {'rspb.a': b'onetwothree'})

    def test_name_not_synced(self):
        self.work('put("rspb.a", b"one")')
        self.assertEqual(self.cut(), {})

    def test_rename(self):
        swap = 'put("rspb.b", b"new"); os.rename(d + "/rspb.b", d + "/rspb.a")'
        self.work('put("rspb.a", b"old"); folder(); ' + swap)
        self.assertEqual(self.cut(), {'rspb.a': b'old'})
        self.work(swap + '; folder()')
        self.assertEqual(self.cut(), {'rspb.a': b'new'})

    def test_unlinked(self):
        self.work('put("rspb.a", b"one"); folder(); os.unlink(d + "/rspb.a")')
        self.assertEqual(self.cut(), {'rspb.a': b'one'})
        self.work('os.unlink(d + "/rspb.a"); folder()')
        self.assertEqual(self.cut(), {})

    def test_torn(self):
        self.work('put("rspb.a", b"x" * 700); folder();'
                  'put("rspb.a", b"y" * 5000, False)')
        self.faults.power_cut(random.Random(2))
        with open(self.state + '/rspb.a', 'rb') as f:
            left = f.read()
        self.assertTrue(left.startswith(b'x' * 700))

    def test_failed_sync(self):
        self.faults.set('fsync')
        self.work('fails(5, put, "rspb.a", b"lost")')
        self.faults.set('none')
        self.work('put("rspb.b", b"x"); folder()')
        self.assertEqual(self.cut(), {'rspb.a': b'', 'rspb.b': b'x'})

    def test_errors(self):
        for mode, number in (('eio', 5), ('erofs', 30), ('enospc', 28)):
            self.faults.set(mode)
            struck = self.faults.struck()
            self.work('fails(%d, put, "rspb.c", b"abc")' % number)
            self.assertGreater(self.faults.struck(), struck)
        self.faults.set('short')
        self.work('assert put("rspb.c", b"x" * 100) == 50')

    def test_others(self):
        self.faults.set('eio')
        self.work('put("job_state", b"abc")')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1], verbosity=0)
