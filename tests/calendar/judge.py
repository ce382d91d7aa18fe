# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the calendar share: a verdict, and a page to judge."""
import json
import os
import subprocess

RSPB = os.path.abspath("contrib/client/rspb")
failed = []


def check(what, good, seen=""):
    print(f"{'ok' if good else 'not ok'} {what}" +
          ("" if good else f": {seen}"))
    if not good:
        failed.append(what)


def page(folder, made, name):
    path = os.path.join(folder, name + ".html")
    subprocess.run([RSPB, "timeline", "--read=-", "--html=" + path],
                   input=json.dumps(made).encode(), check=True)
    return path


def status(browser):
    return browser.run("return byId('status').textContent")


COMMANDS = ("return [...byId('panel').querySelectorAll('code')].map("
            "(one) => one.textContent)")
