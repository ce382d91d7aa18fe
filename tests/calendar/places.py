# SPDX-License-Identifier: GPL-2.0-or-later
"""Sections, the occupied share, the filter, keys in the calendar, and a telephone's list."""
import os
import time

import document
from judge import check, page, status

HOUR = 3600
UP, DOWN, LEFT, RIGHT = "\ue013", "\ue015", "\ue012", "\ue014"
SHIFT, ENTER, ESCAPE = "\ue008", "\ue007", "\ue00c"


def course():
    """Six nodes without GPUs and two with four each; ann reads."""
    made = document.make(8, 0, 1)
    now = document.NOW
    made["zone"] = "America/New_York"
    made["nodes"] = [f"n{i}" for i in range(1, 7)] + ["gpu1", "gpu2"]
    made["classes"] = document.classes(8, 6)
    made["others"] = [{"kind": "maintenance", "label": "maintenance",
                       "start": now + 16 * HOUR, "end": now + 20 * HOUR,
                       "on": "6-7"}]
    rows = [(17, "ann", "fetch", 2, 6, "0-1", {"mine": True}),
            (18, "bob", "train", 1, 3, "2-4", {}),
            (19, "cleo", "mesh", -2, 4, "5", {}),
            (20, "ann", "vision", 3, 5, "6",
             {"mine": True, "gres": "gpu:a100:2", "node_part": 25, "cores": 4}),
            (21, "dan", "tune", 1, 7, "7",
             {"gres": "gpu:a100:1", "node_part": 13, "cores": 2}),
            (22, "dan", "weather", 8, 14, "0-3", {}),
            (23, "cleo", "course", 26, 30, "0-5", {})]
    made["bookings"] = [
        {"id": f"rspb_{job}", "job": job, "user": user, "name": name,
         "state": "active" if start < 0 else "booked", "start": now + start * HOUR,
         "end": now + end * HOUR, "on": on, **more}
        for job, user, name, start, end, on, more in rows]
    return made


def look_at_sections(browser, folder):
    browser.open(page(folder, course(), "sections"))
    seen = browser.run("""
        const texts = [], { context } = calendar.painter;
        const draw = context.fillText;
        context.fillText = (text, x, y) => texts.push(text);
        calendar.painter.paint(calendar.view());
        context.fillText = draw;
        return texts;""")
    for text in ("main", "5 of 6 free", "GPU a100", "2 of 2 free", "Occupied 13 %"):
        check(f"the rows have '{text}'", text in seen, seen)
    seen = browser.run("""
        const sums = calendar.rows.map((row) => row.section ? "+" : "-").join("");
        const at = calendar.rows.findIndex((row) => row.section);
        const y = AXIS + calendar.rows[at].y + 5;
        calendar.press(20, y);
        const closed = calendar.rows.map((row) => row.section ? "+" : "-").join("");
        const said = byId("status").textContent;
        calendar.painter.paint(calendar.view());
        const own = calendar.painter.boxes.filter((one) => one.item.mine).length;
        calendar.press(20, y);
        return [sums, closed, said, own, calendar.rows.length];""")
    check("a click closes a section and opens it again",
          seen[0] == "+------+--" and seen[1] == "++--" and
          seen[2] == "main is closed" and seen[4] == 10, seen)
    check("one's own bookings are seen in it", seen[3] >= 2, seen)
    seen = browser.run("""
        calendar.toSpan("day");
        calendar.scroll = 0;
        const pixel = (time, y) => {
            const c = calendar.painter.context, r = devicePixelRatio || 1;
            calendar.painter.paint(calendar.view());
            const x = calendar.scale().x(calendar.model.now + time * HOUR);
            return [...c.getImageData(x * r, y * r, 1, 1).data].slice(0, 3).join();
        };
        // Four of eight nodes are booked at 2.5 h, 1/8 at now, none at 21.9 h.
        const low = HOURS + OCCUPIED - 12, high = HOURS + OCCUPIED / 2 + 3;
        return [pixel(2.5, low), pixel(2.5, HOURS + 4), pixel(21.9, low),
            pixel(2.5, high), calendar.painter.colours.back];""")
    check("the occupied share is drawn, as high as it is",
          seen[0] != seen[2] and seen[0] == seen[3] and seen[1] == seen[2], seen)
    seen = browser.run("""
        calendar.rowHeight = 200;
        calendar.layRows();
        calendar.scrollBy(500);
        const y = HOURS + OCCUPIED - 6, c = calendar.painter.context;
        calendar.painter.paint(calendar.view());
        const x = calendar.scale().x(calendar.model.now + 2.5 * HOUR);
        const r = devicePixelRatio || 1;
        const seen = [...c.getImageData(x * r, y * r, 1, 1).data].slice(0, 3).join();
        const scroll = calendar.scroll;
        calendar.rowHeight = 0;
        calendar.layRows();
        return [seen, scroll];""")
    check("and stays where the rows are scrolled", seen[1] > 0 and seen[0] != "255,255,255",
          seen)


def use_filter(browser, folder):
    browser.open(page(folder, course(), "filter"))
    rows = """byId("find").value = arguments[0];
        byId("find").dispatchEvent(new Event("input"));
        return [calendar.rows.filter((row) => row.node !== null).map((row) =>
            calendar.model.names[row.node]).join(" "),
            calendar.shownBookings.map((one) => one.job).sort().join(" ")];"""
    everything = "17 18 19 20 21 22 23"
    for text, nodes, jobs in (
            ("gpu:a100", "gpu1 gpu2", None), ("gpu", "gpu1 gpu2", None),
            ("n[12]", "n1 n2", None),
            ("n* free", "n1 n2 n3 n4 n5", None), ("gpu:h100", "", None),
            ("n1 n2", "n1 n2", None), ("GPU?", "gpu1 gpu2", None),
            ("main", "n1 n2 n3 n4 n5 n6 gpu1 gpu2", None),
            ("weather", "n1 n2 n3 n4 n5 n6 gpu1 gpu2", "22"),
            ("dan gpu*", "gpu1 gpu2", "21 22"), ("mine", None, "17 20"),
            ("19", None, "19"), ("(", None, ""), ("", None, everything)):
        seen = browser.run(rows, text)
        check(f"the filter '{text}'", (nodes is None or seen[0] == nodes) and
              seen[1] == (everything if jobs is None else jobs), seen)
    browser.run(rows, "gpu2")
    seen = browser.run("""
        calendar.painter.paint(calendar.view());
        return [calendar.painter.boxes.filter((one) => one.item.booking).map((one) =>
            one.item.job), byId("status").textContent];""")
    check("what is hidden is not drawn", set(seen[0]) == {21}, seen)
    check("and how much is left is said", "1 of 8 nodes" in seen[1], seen)
    browser.run("byId('cells').focus()")
    browser.keys("/")
    check("/ leads to the filter",
          browser.run("return document.activeElement.id") == "find")
    browser.keys("s" + ESCAPE)
    check("Escape empties it and leads back", browser.run(
        "return byId('find').value === '' && document.activeElement.id === 'cells'"))


def use_cursor(browser, folder):
    browser.open(page(folder, course(), "cursor"))
    browser.run("calendar.toSpan('day'); byId('cells').focus(); calendar.rowIndex = -1")
    browser.keys(DOWN)
    check("the first step is on a section, which says what is free",
          status(browser).startswith("main, Monday 21 September 16:15, 5 of 6 free"),
          status(browser))
    browser.keys(DOWN + DOWN + DOWN)
    check("a place is announced with its node, time and how long it is free",
          status(browser) == "n3, Monday 21 September 16:15, free for 58 minutes",
          status(browser))
    browser.keys(RIGHT * 4)
    check("and what is on it", status(browser).startswith(
        "n3, Monday 21 September 17:15, job 18, train, of bob, booked, until"),
        status(browser))
    browser.keys(ENTER)
    check("which Enter opens, with the focus there", browser.run(
        "return calendar.picked.job === 18 && byId('panel').contains("
        "document.activeElement)"), status(browser))
    browser.keys(ESCAPE)
    check("Escape leads back", browser.run(
        "return byId('panel').hidden && document.activeElement.id === 'cells'"))
    browser.run("calendar.letGo(); calendar.rowIndex = -1")
    browser.keys(DOWN + DOWN + RIGHT * 30)
    before = browser.run("return calendar.cursor.time")
    browser.shift(RIGHT * 3 + DOWN)
    seen = browser.run("""const s = calendar.selection();
        return [s.from, s.until - s.from, s.first, s.last, s.conflict,
            calendar.drafts.length, byId("status").textContent];""")
    step = browser.run("return calendar.step()")
    check("Shift and arrows mark time and nodes", seen[:4] == [
        before, 4 * step, 0, 1] and seen[5] == 1 and
        seen[6].startswith("2 nodes, n1 to n2, "), seen)
    check("and say whether they are free", seen[6].endswith(
        "something is in the way" if seen[4] else "free"), seen)
    browser.keys(ENTER)
    code = browser.run("return byId('panel').querySelector('code').textContent")
    check("Enter asks for what is marked", "--nodes=2" in code and "n1,n2" in code, code)
    browser.keys(ESCAPE)
    span = browser.run("calendar.letGo(); return [calendar.from, calendar.until]")
    browser.keys(RIGHT * 120)
    now = browser.run("return [calendar.from, calendar.until, calendar.cursor.time,"
                      "calendar.scale().x(calendar.cursor.time)]")
    check("the picture goes along with the place", now[0] > span[0] and
          now[0] <= now[2] < now[1], (span, now))
    browser.keys("j")
    check("j goes on to the next period", browser.run("return calendar.from") > now[0] and
          " to " in status(browser), status(browser))
    browser.keys("kk" + ESCAPE + "t")
    browser.keys("c")


def choose_clock(browser, folder):
    browser.open(page(folder, course(), "clock"))
    names = browser.run("return [...byId('clock').options].map((one) => one.text)")
    check("the clocks are the reader's, the cluster's and UTC",
          names == ["Berlin", "New York (cluster)", "UTC"], names)
    for name, clock in (("America/New_York", "10:13"), ("UTC", "14:13"), ("", "16:13")):
        seen = browser.run("""byId("clock").value = arguments[0];
            byId("clock").dispatchEvent(new Event("change"));
            calendar.pick(calendar.model.bookings.find((one) => one.job === 19));
            return [calendar.scale().hourText(Math.floor(calendar.model.now / 6e4) * 6e4),
                byId("panel").querySelector("p").textContent,
                calendar.view().zone, byId("date").value];""", name)
        check(f"times by '{name}' are {clock}", seen[0] == clock, seen)
        hour = f"{int(clock[:2]) - 2:02d}:13"
        check("also in the text of a booking", hour in seen[1], seen)
    browser.run("byId('date').value = '2026-11-28';"
                "byId('date').dispatchEvent(new Event('change'))")
    check("a date that is chosen is shown from its midnight", browser.run(
        "return calendar.from === new Date(2026, 10, 28).getTime()"))
    time.sleep(0.2)
    check("and if nothing is booked then, it says so", browser.run(
        "return !byId('empty').hidden && byId('next').hidden"))
    browser.run("byId('date').value = '2026-09-01';"
                "byId('date').dispatchEvent(new Event('change'))")
    time.sleep(0.2)
    browser.run("byId('next').click()")
    time.sleep(0.2)
    check("with a way to the next booking", browser.run(
        "const [one] = calendar.model.bookings; return byId('empty').hidden && "
        "calendar.from < one.from && one.until < calendar.until"))


def hold_a_phone(browser, folder):
    browser.size(390, 844)
    browser.open(page(folder, course(), "brief"))
    seen = browser.run("""
        const texts = (name) => [...document.querySelectorAll(name)].map((one) =>
            one.textContent);
        return [texts("#brief h2, #brief h3"), texts("#brief .own button"),
            texts("#brief .free button"), byId("others").textContent,
            byId("rest").open, document.documentElement.scrollWidth,
            texts("header button").filter((_, i) => document.querySelectorAll(
                "header button")[i].offsetParent)];""")
    check("a telephone's list has the day, Yours and Free", seen[0] == [
        "Monday 21 September", "Yours", "Free for 1 node, 1 hour"], seen)
    check("one's own with time, job, nodes and state", len(seen[1]) == 2 and
          seen[1][0] == "18:13–22:1317 fetch2 nodes, booked", seen[1])
    check("free time from now on", seen[2] and seen[2][0].startswith("now–"), seen[2])
    check("and others, closed", seen[3] == "Others (3)" and not seen[4], seen)
    check("as wide as it is", seen[5] <= 390, seen)
    check("there is a day, and no week", seen[6][:2] == ["Day", "List"] and
          "Week" not in seen[6], seen)
    small = browser.run("""return [...document.querySelectorAll(
        "#brief button, header button, header input, #rest summary")].filter((one) =>
        one.offsetParent && one.offsetHeight < 44).map((one) => one.id)""")
    check("whatever is touched has 44 pixels", not small, small)
    seen = browser.run("""
        document.querySelector("#brief .head button").click();
        const [count, hours] = document.querySelectorAll("#brief form input");
        count.value = 5;
        hours.value = "2:00";
        count.form.requestSubmit();
        return new Promise((done) => setTimeout(() => done([
            document.querySelector("#brief .head h3").textContent,
            [...document.querySelectorAll("#brief .free button")].map((one) =>
                one.textContent)]), 300));""")
    check("another number of nodes and length can be chosen",
          seen[0] == "Free for 5 nodes, 2 hours", seen)
    made = course()
    first = next(minute for minute in range(document.NOW // 60 + 1, 10 ** 9)
                 if document.free_starts(made, 5, 2 * HOUR, minute * 60))
    wanted = time.strftime("%H:%M–", time.gmtime(first * 60 + 2 * HOUR))
    check("and what is free is what a count of nodes gives",
          seen[1] and seen[1][0] == wanted + "24:00", (seen, wanted))
    browser.run("document.querySelector('#brief .free button').click()")
    check("one that is tapped says how to book it", browser.run(
        "return /--nodes=5/.test(byId('panel').textContent)"))
    browser.run("byId('panel').querySelector('button').click();"
                "byId('after').click()")
    time.sleep(0.3)
    seen = browser.run("return [document.querySelector('#brief h2').textContent,"
                       "byId('others').textContent]")
    check("the next day is a step away", seen == ["Tuesday 22 September", "Others (2)"],
          seen)
    browser.picture(os.path.join(folder, "phone-list.png"))
    browser.size(1400, 900)


def draw(browser, folder):
    """The pictures of doc/calendar.md."""
    for name, made, width, height in (
            ("calendar-8", course(), 1440, 720),
            ("calendar-1024", document.make(1024, 2000, 2) |
             {"classes": document.classes(1024, 768)}, 1440, 900),
            ("calendar-10240", document.make(10240, 10000, 2) |
             {"classes": document.classes(10240, 7680)}, 1440, 900),
            ("calendar-phone", course(), 390, 844)):
        browser.size(width, height)
        browser.open(page(folder, made, name))
        time.sleep(0.5)
        browser.picture(os.path.join(folder, name + ".png"))
    browser.size(1400, 900)
