# SPDX-License-Identifier: GPL-2.0-or-later
"""The calendar in a browser: what is drawn, found, filtered, read aloud."""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

import document
import webdriver

PAGE = os.path.abspath("tests/calendar/page")
failed = 0


def check(what, good, seen=""):
    global failed
    print(f"{'ok' if good else 'not ok'} {what}" +
          ("" if good else f": {seen}"))
    failed += not good


def page(folder, made, name):
    path = os.path.join(folder, name + ".html")
    with open(path, "wb") as file:
        subprocess.run([PAGE], input=json.dumps(made).encode(), stdout=file,
                       check=True)
    return path


def status(browser):
    return browser.run("return byId('status').textContent")


def look_at_full(browser, folder):
    made = document.make(10240, 10000, 1)
    began = time.monotonic()
    browser.open(page(folder, made, "full"))
    took = time.monotonic() - began
    check("10,000 bookings on 10,240 nodes are there",
          status(browser).startswith(
              "10000 of 10000 bookings on 10240 nodes"), status(browser))
    check("within 10 s", took < 10, took)
    browser.picture(os.path.join(folder, "full.png"))
    mine = sum(1 for one in made["bookings"] if one.get("mine"))
    browser.run("byId('mine').click()")
    check("one's own are filtered",
          status(browser).startswith(f"{mine} of 10000"), status(browser))
    browser.run("byId('mine').click()")
    by_user = sum(1 for one in made["bookings"] if one["user"] == "bob" and
                  one["state"] == "booked")
    browser.run("byId('user').value = 'bob'; byId('state').value = 'booked';"
                "calendar.filter()")
    check("and those of a user in a state",
          status(browser).startswith(f"{by_user} of 10000"), status(browser))
    browser.run("byId('user').value = byId('state').value = '';"
                "calendar.filter()")
    pan(browser)


def pan(browser):
    """What drawing takes while the reader pans, at three widths of time."""
    worst = browser.run("""
        const times = [];
        for (const zoom of [1, 4, 8]) {
            calendar.scaleBy(zoom);
            for (let i = 0; i < 20; i++) {
                calendar.panBy(i % 2 ? 30 : -30);
                const began = performance.now();
                calendar.painter.paint({ model: calendar.model,
                    rows: calendar.rows, x: calendar.x,
                    scroll: calendar.scroll });
                calendar.painter.context.getImageData(0, 0, 1, 1);
                times.push(performance.now() - began);
            }
        }
        calendar.toAll();
        return times.sort((a, b) => a - b)[30];""")
    print(f"# drawing takes {worst:.1f} ms, half of the times")
    check("60 times a second can be drawn",
          worst < 1000 / 60 or os.getloadavg()[0] > 2, worst)


def look_at_drawing(browser, folder):
    """A booking is where its nodes and times are, and nowhere else."""
    made = document.make(16, 0, 1)
    made["others"] = []
    made["bookings"] = [{"id": "rspb_1", "user": "bob", "state": "booked",
                         "start": document.NOW + 3600,
                         "end": document.NOW + 7200, "on": "2-3"}]
    browser.open(page(folder, made, "drawing"))
    seen = browser.run("""
        calendar.toAll();
        const { model, rows, painter } = calendar;
        const item = model.bookings[0];
        painter.paint({ model, rows, x: calendar.x, scroll: 0 });
        const at = (time, row) => {
            const ratio = window.devicePixelRatio || 1;
            const data = painter.context.getImageData(
                calendar.x(time) * ratio,
                (AXIS + rows[row].y + rows[row].h - 4) * ratio, 1, 1).data;
            return "#" + [...data.slice(0, 3)].map(
                (one) => one.toString(16).padStart(2, "0")).join("");
        };
        const middle = (item.from + item.until) / 2;
        return [at(middle, 2), at(middle, 3), at(middle, 1), at(middle, 4),
            at(item.from - 600e3, 2), at(item.until + 600e3, 3),
            painter.colours.kinds[KINDS.indexOf("other")]];""")
    check("its nodes have its colour in its window",
          seen[0] == seen[1] == seen[6], seen)
    check("others, and other times, do not",
          seen[6] not in seen[2:6], seen)


def look_for_slots(browser, folder):
    rng = random.Random()
    seed = rng.randrange(10 ** 6)
    print(f"# seed {seed}")
    rng.seed(seed)
    made = document.make(48, 120, seed)
    browser.open(page(folder, made, "slots"))
    wrong = []
    for _ in range(12):
        nodes, hours = rng.randrange(1, 49), rng.choice([1, 3, 8])
        slots = browser.run(
            f"const m = calendar.model; return findSlots(m, {nodes}, "
            f"{hours} * 3600e3, m.now, m.extent[1] + 864e5, 5);")
        wrong += judge(made, nodes, hours * 3600, slots)
    check("free windows are as a plain count of nodes says", not wrong, wrong)
    browser.run("byId('nodes').value = 49; calendar.search()")
    check("more nodes than there are are never free",
          "there are 48" in status(browser), status(browser))


def judge(made, nodes, length, slots):
    """Each start within is good, the second before and after is not."""
    wrong = []
    good = lambda start: document.free_starts(made, nodes, length, start)
    last = document.NOW
    for slot in slots:
        begin, end = slot["from"] / 1000, slot["until"] / 1000
        if not (good(begin) and good(end) and good((begin + end) / 2)):
            wrong.append(("not free", nodes, length, slot))
        if begin > last and good(begin - 1):
            wrong.append(("earlier, too", nodes, length, slot))
        last = end
    if not slots:
        wrong.append(("nothing", nodes, length))
    return wrong


def use_keys(browser, folder):
    made = document.make(128, 200, 3)
    browser.open(page(folder, made, "keys"))
    browser.run("byId('canvas').focus()")
    browser.keys("n")
    check("n says the next booking",
          status(browser).startswith("rspb_"), status(browser))
    first = status(browser)
    browser.keys("n")
    check("and the one after it", status(browser) != first, first)
    browser.keys("p")
    check("p the one before", status(browser) == first, status(browser))
    browser.keys("0")
    browser.run("for (const g of calendar.model.groups) g.open = false;"
                "calendar.rowIndex = -1; calendar.layRows()")
    browser.keys("\ue015")
    check("Down goes to a row, which is said",
          status(browser).startswith("n1 "), status(browser))
    browser.keys("\ue007")
    check("Enter opens it", status(browser).endswith("is open"),
          status(browser))
    browser.keys("t")
    rows = browser.run("return [...document.querySelectorAll('tbody tr')]"
                       ".map((row) => row.cells.length)")
    check("t shows the table", len(rows) == 100 and set(rows) == {9}, rows)
    check("with the focus in it", browser.run(
        "return byId('table').contains(document.activeElement)"))
    named = browser.run("""return [...document.querySelectorAll(
        "button, input, select, canvas")].filter((one) =>
        !one.getAttribute("aria-label") && !one.textContent.trim() &&
        !(one.labels && one.labels.length)).map((one) => one.id)""")
    check("all that can be used has a name", named == [], named)


def see_colours(browser, folder):
    browser.open(page(folder, document.make(64, 80, 4), "colours"))
    for dark in (False, True):
        browser.dark(dark)
        time.sleep(0.3)
        ratio = browser.run("""
            const light = (text) => {
                const [r, g, b] = text.match(/[0-9.]+/g).map((one) => {
                    const part = one / 255;
                    return part <= .04045 ? part / 12.92
                        : ((part + .055) / 1.055) ** 2.4;
                });
                return .2126 * r + .7152 * g + .0722 * b;
            };
            const style = getComputedStyle(document.body);
            const pair = [light(style.color), light(style.backgroundColor)];
            return (Math.max(...pair) + .05) / (Math.min(...pair) + .05);""")
        check(f"text can be read, {'dark' if dark else 'light'}",
              ratio >= 4.5, ratio)
        browser.picture(os.path.join(
            folder, f"{'dark' if dark else 'light'}.png"))
    browser.dark(False)


def meet_malice(browser, folder):
    bad = "</script><script>window.hit=1</script><img src=x onerror=hit=1>"
    made = document.make(4, 3, 5)
    made["cluster"] = bad
    for one in made["bookings"]:
        one.update(user=bad, account=bad, id=bad, state=bad)
    browser.open(page(folder, made, "malice"))
    browser.run("calendar.pickNext(1); calendar.turnTable()")
    check("names that look like a page are names", browser.run(
        "return window.hit === undefined && !document.querySelector('img')"))
    check("and are shown as they are", bad in browser.run(
        "return byId('table').textContent"))
    made["version"] = 2
    browser.open(page(folder, made, "version"))
    check("a calendar of another version is told", "version 2" in
          status(browser), status(browser))


def main():
    browser = webdriver.Browser()
    keep = os.environ.get("RSPB_PICTURES")
    try:
        with tempfile.TemporaryDirectory() as folder:
            folder = keep or folder
            look_at_full(browser, folder)
            noisy = [one for one in browser.complaints()
                     if one["level"] == "SEVERE"]
            check("the browser has nothing to complain of", not noisy, noisy)
            look_at_drawing(browser, folder)
            look_for_slots(browser, folder)
            use_keys(browser, folder)
            see_colours(browser, folder)
            meet_malice(browser, folder)
    finally:
        browser.close()
    return failed > 0


sys.exit(main())
