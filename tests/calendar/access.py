# SPDX-License-Identifier: GPL-2.0-or-later
"""What axe-core finds in the page of rspb web, where axe-core is installed."""
import glob
import os
import time

from judge import check

AXE = [os.environ.get("RSPB_AXE", ""),
       *glob.glob("/usr/share/nodejs/axe-core/axe.min.js"),
       *glob.glob("/usr/lib/node_modules/axe-core/axe.min.js")]
OPEN = {"form": "calendar.startDraft({})",
        "own": "calendar.pick(calendar.model.bookings.find((one) => one.mine) || null, false)",
        "help": "byId('help').open = byId('more').open = true; calendar.draw()",
        "list": "calendar.showTable(true)", "all": "calendar.toAll()"}
RUN = """; return axe.run().then((one) => one.violations.map((v) =>
    v.id + ': ' + v.nodes.map((n) => n.target).join(' ')), (error) => [String(error)]);"""


def judge_access(browser, themes=(False, True)):
    """Each view at the width of a telephone and of a desk; themes: dark or not."""
    path = next((one for one in AXE if one and os.path.exists(one)), None)
    if not path:
        return
    with open(path, encoding="utf-8") as file:
        code = file.read()
    found, runs = [], 0
    for width in (390, 1440):
        browser.size(width, 900)
        for dark in themes:
            if len(themes) > 1:
                browser.dark(dark)
            for view in ("day", "three", "week", "month", "all", "list", "form", "own",
                         "help"):
                browser.run("calendar.form.hide(); calendar.letGo();"
                            "calendar.showTable(false);")
                browser.run(OPEN.get(view, f"calendar.toSpan('{view}')"))
                time.sleep(0.1)
                runs += 1
                found += [(width, dark, view, one) for one in browser.run(code + RUN)]
                browser.run("byId('help').open = byId('more').open = false")
    browser.run("calendar.form.hide(); calendar.letGo()")
    if len(themes) > 1:
        browser.dark(False)
    browser.size(1440, 900)
    print(f"# axe-core judged {runs} pages")
    check("axe-core finds nothing", not found, found[:6])
