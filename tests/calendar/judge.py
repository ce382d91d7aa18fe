# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the calendar share: a verdict, and a page to judge."""
import json
import os
import subprocess

RSPB = os.path.abspath("contrib/client/rspb")
failed = []
SCONTROL = """#!/bin/sh
echo "ClusterName = test
SlurmctldHost[0] = localhost
SlurmUser = nobody(65534)
AuthType = auth/munge
SchedulerParameters = rspb_listen_port=1
SLURM_VERSION = 22.05.8"
"""


def check(what, good, seen=""):
    print(f"{'ok' if good else 'not ok'} {what}" +
          ("" if good else f": {seen}"))
    if not good:
        failed.append(what)


def write_program(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


def scontrol(folder):
    """A stand-in for scontrol in a folder, for a cluster without slurmctld."""
    write_program(os.path.join(folder, "scontrol"), SCONTROL)


def page(folder, made, name):
    path = os.path.join(folder, name + ".html")
    subprocess.run([RSPB, "timeline", "--read=-", "--html=" + path],
                   input=json.dumps(made).encode(), check=True)
    return path


def status(browser):
    return browser.run("return byId('status').textContent")


COMMANDS = ("return [...byId('panel').querySelectorAll('code')].map("
            "(one) => one.textContent)")
