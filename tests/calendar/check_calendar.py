# SPDX-License-Identifier: GPL-2.0-or-later
"""The calendar in a browser: what is drawn, found, filtered, read aloud."""
import json
import os
import random
import sys
import tempfile
import time

import document
import judge
import looks
import places
import serve
import webdriver
from judge import COMMANDS, RSPB, check, page, status


def look_at_full(browser, folder):
    made = document.make(10240, 10000, 1)
    browser.open(page(folder, made, "full"))
    check("10,000 bookings on 10,240 nodes are there",
          status(browser).startswith(
              "10000 bookings on 10240 nodes"), status(browser))
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
    pan(browser, "rows of nodes")
    made["classes"] = document.classes(10240, 7680)
    browser.open(page(folder, made, "classes"))
    check("with classes each is an area", browser.run(
        "return calendar.rows.length === 2 && calendar.rows.every((row) => row.section)"))
    pan(browser, "areas")
    browser.run("for (const one of calendar.model.sections) one.open = true;"
                "calendar.layRows()")
    check("which open to rows of 64 nodes", browser.run(
        "return calendar.rows.filter((row) => row.group).every((row) => "
        "row.last - row.first < 64) && calendar.rows.length > 100"))
    pan(browser, "open areas")


PAN = """
    // A loop of some 2 ms, by which times are compared: the machine may be busy.
    const loop = () => {
        const began = performance.now();
        for (let i = 0, x = 1; i < 2e6; i++)
            x = x * 16807 % 2147483647;
        return performance.now() - began;
    };
    const loops = [];
    for (let i = 0; i < 40; i++)
        loops.push(loop());
    const usual = Math.min(...loops), times = [];
    for (const view of ["day", "week", "all"]) {
        if (view === "all")
            calendar.toAll();
        else
            calendar.toSpan(view);
        for (let i = 0; i < 10; i++) {
            calendar.panBy(i % 2 ? 30 : -30);
            const before = loop(), began = performance.now();
            calendar.painter.paint(calendar.view());
            calendar.painter.context.getImageData(0, 0, 1, 1);
            const took = performance.now() - began;
            times.push(took / Math.max(1, (before + loop()) / 2 / usual));
        }
    }
    calendar.toAll();
    times.sort((a, b) => a - b);
    loops.sort((a, b) => a - b);
    return [calendar.opened / Math.max(1, loops[20] / usual), times[15],
        times[29], loops[20] / usual];
"""


def pan(browser, what):
    """How long opening takes, and drawing while the reader pans, in three views. Another
    process may take the processor in the middle of a frame, so it has five tries."""
    for _ in range(5):
        opened, median, worst, busy = browser.run(PAN)
        print(f"# {what}: opened in {opened:.0f} ms; 30 pans: median {median:.1f} ms, worst "
              f"{worst:.1f} ms; the machine was {busy:.1f} times as slow as it can be")
        if opened < 1000 and median < 10 and worst < 50:
            break
    check("it opens within a second", opened < 1000, opened)
    if busy > 1.25:
        print("# the machine is too busy for frames to be judged")
        return
    check("half of the frames take less than 10 ms", median < 10, median)
    check("and none 50 ms", worst < 50, worst)


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
        wrong += judge_slots(made, nodes, hours * 3600, slots)
    check("free windows are as a plain count of nodes says", not wrong, wrong)
    browser.run("byId('nodes').value = 49; calendar.search()")
    check("more nodes than there are are never free",
          "the cluster has 48 nodes" in status(browser), status(browser))


def judge_slots(made, nodes, length, slots):
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
    browser.run("byId('cells').focus()")
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
    browser.run("calendar.rowIndex = calendar.rows.findIndex("
                "(row) => row.group.open && row.node === null)")
    browser.keys("\ue015")
    check("a node is said with what is on it", browser.run(
        "return /^n[0-9]+, .* [0-9]{2}:[0-9]{2}, (free|.* until )/.test("
        "byId('status').textContent)"),
        status(browser))
    browser.keys("l")
    rows = browser.run("return [...document.querySelectorAll('tbody tr')]"
                       ".map((row) => row.cells.length)")
    check("l shows the table", len(rows) == 100 and set(rows) == {12}, rows)
    check("with the focus in it", browser.run(
        "return byId('table').contains(document.activeElement)"))
    browser.run("document.querySelector('tbody button').focus()")
    browser.keys("\ue007")
    check("Enter on a row shows its commands, with the focus there",
          browser.run("return !byId('panel').hidden && byId('panel').contains("
                      "document.activeElement)"))
    browser.keys("\ue00c")
    check("Escape leads back to the row", browser.run(
        "return byId('panel').hidden && document.activeElement === "
        "document.querySelector('tbody button')"))
    browser.keys("w")
    check("w shows a week again, and says which", browser.run(
        "return byId('table').hidden && / to /.test("
        "byId('status').textContent) && calendar.span === 'week'"),
        status(browser))
    named = browser.run("""return [...document.querySelectorAll(
        "button, input, select, [tabindex]")].filter((one) =>
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
            const { colours, context } = calendar.painter;
            const plain = (text) => {
                context.fillStyle = text;
                return context.fillStyle.match(/[0-9a-f]{2}/g).map(
                    (one) => parseInt(one, 16)).join(" ");
            };
            const style = getComputedStyle(document.body);
            const pairs = [colours.mine, colours.others, ...colours.names,
                ...[...colours.fills, style.backgroundColor].map(
                    (fill) => ({ fill, text: style.color }))];
            return Math.min(...pairs.map(({ fill, text }) => {
                const pair = [light(plain(text)), light(plain(fill))];
                return (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
            }));""")
        check(f"text can be read, {'dark' if dark else 'light'}",
              ratio >= 4.5, ratio)
        browser.picture(os.path.join(
            folder, f"{'dark' if dark else 'light'}.png"))
    browser.dark(False)


def meet_malice(browser, folder):
    bad = "</script><script>window.hit=1</script><img src=x onerror=hit=1>"
    steers = "a\u001b[31mb\u202ec"
    made = document.make(4, 3, 5)
    made["cluster"] = bad
    for one in made["bookings"]:
        one.update(user=bad, account=bad, id=bad, state=bad, name=bad,
                   reason=bad, mine=True)
    made["bookings"][0].update(name=steers, id="x; rm -rf ~", state="booked")
    made["nodes"] = [f"{bad}{i}" for i in range(4)]
    made["classes"] = [one | {"partitions": [bad], "features": bad}
                       for one in document.classes(4, 2)]
    browser.open(page(folder, made, "malice"))
    browser.run("calendar.pickNext(1); calendar.turnTable()")
    check("names that look like a page are names", browser.run(
        "return window.hit === undefined && !document.querySelector('img')"))
    shown = browser.run("return byId('table').textContent")
    check("and are shown as they are", bad in shown)
    check("but for what steers a screen", "a\ufffd[31mb\ufffdc" in shown)
    browser.run("calendar.pick(calendar.model.bookings.find("
                "(one) => one.id.startsWith('x;')), true)")
    said = browser.run(COMMANDS)
    check("nor are they commands",
          said and all("'x; rm -rf ~'" in one for one in said), said)
    browser.run("""
        const one = document.createElement("script");
        one.textContent = "window.hit = 2";
        document.body.append(one);
        document.body.insertAdjacentHTML("beforeend",
            "<img src=x onerror='window.hit=3'><p style='color:red'>");""")
    time.sleep(0.3)
    check("what came in nevertheless would not be run",
          browser.run("return window.hit === undefined"))
    made["version"] = 2
    browser.open(page_of_version_2(folder, made))
    check("a calendar of another version is told", "version 2" in
          status(browser), status(browser))


def page_of_version_2(folder, made):
    """rspb itself would not write one."""
    path = page(folder, made | {"version": 1}, "version")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('"version":1', '"version":2'))
    return path


def watch(browser, folder):
    """What is served goes along with what is booked."""
    path = os.path.join(folder, "live.json")
    made = document.make(8, 5, 1)
    write = lambda: open(path, "w", encoding="utf-8").write(json.dumps(made))
    write()
    with serve.Served(RSPB, path) as served:
        browser.complaints()
        if not served.url:
            print("skipped: " + served.said)
            return
        browser.open(served.url)
        check("the served page is there", wait_status(
            browser, "5 bookings on 8 nodes"), status(browser))
        check("in which nothing can be booked", browser.run(
            "return byId('book').hidden && calendar.startDrag(600, 200) === null"))
        browser.run("calendar.scaleBy(4)")
        span = browser.run("return calendar.until - calendar.from")
        made["bookings"].pop()
        write()
        check("what is gone goes from it", wait_status(
            browser, "4 bookings on 8 nodes"), status(browser))
        check("what is looked at stays", browser.run(
            "return calendar.until - calendar.from") == span)
        browser.keys("c")
        check("and no key books", browser.run("return byId('form').hidden"))
        noisy = [one for one in browser.complaints()
                 if one["level"] == "SEVERE"]
        check("under its policy all of it runs", not noisy, noisy)
    bar = "return byId('bar').textContent"
    for _ in range(60):
        if browser.run(bar).startswith("Not live since"):
            break
        time.sleep(0.5)
    check("and when nobody answers any more it says so",
          browser.run(bar).startswith("Not live since"), browser.run(bar))


def wait_status(browser, text):
    for _ in range(60):
        if status(browser).startswith(text):
            return True
        time.sleep(0.5)
    return False


def main():
    browser = webdriver.Browser()
    keep = os.environ.get("RSPB_PICTURES")
    try:
        with tempfile.TemporaryDirectory() as folder:
            folder = keep or folder
            browser.size(1400, 900)
            look_at_full(browser, folder)
            noisy = [one for one in browser.complaints()
                     if one["level"] == "SEVERE"]
            check("the browser has nothing to complain of", not noisy, noisy)
            looks.look_at_drawing(browser, folder)
            looks.name_rows(browser, folder)
            looks.tell_time(browser, folder)
            looks.use_mouse(browser, folder)
            looks.read_words(browser, folder)
            looks.hold_a_phone(browser, folder)
            looks.label_days(browser, folder)
            looks.begin_by_data(browser, folder)
            looks.name_colours(browser, folder)
            for part in (places.look_at_sections, places.use_filter,
                         places.use_cursor, places.choose_clock, places.hold_a_phone):
                part(browser, folder)
            if keep:
                places.draw(browser, folder)
            look_for_slots(browser, folder)
            use_keys(browser, folder)
            see_colours(browser, folder)
            meet_malice(browser, folder)
            watch(browser, folder)
    finally:
        browser.close()
    return bool(judge.failed)


if __name__ == "__main__":
    sys.exit(main())
