# SPDX-License-Identifier: GPL-2.0-or-later
"""rspb timeline --serve of a calendar in a file."""
import subprocess


class Served:
    """url is None, and said why, where rspb cannot serve."""

    def __init__(self, rspb, path, *more):
        self.process = subprocess.Popen(
            [rspb, "timeline", "--serve=0", "--read=" + path, *more],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline().strip()
        self.url = line.partition("Then open:")[2].strip() or None
        self.said = "" if self.url else line + self.process.stderr.read()

    @property
    def token(self):
        return (self.url or "").partition("#t=")[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.code = self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()
