# SPDX-License-Identifier: GPL-2.0-or-later
"""What a reader of the page sees, and what his hands do."""
import os
import re
import time

import document
from judge import COMMANDS, check, page, status

SEE = """
    byId("colour").value = "user";
    calendar.recolour();
    calendar.toAll();
    calendar.rowHeight = 20;
    calendar.layRows();
    const { model, rows, painter } = calendar;
    const scale = calendar.scale();
    painter.paint(calendar.view());
    const colour = (text) => {
        painter.context.fillStyle = text;
        return painter.context.fillStyle;
    };
    const pixel = (x, y) => {
        const ratio = window.devicePixelRatio || 1;
        const data = painter.context.getImageData(x * ratio, y * ratio,
            1, 1).data;
        return "#" + [...data.slice(0, 3)].map(
            (one) => one.toString(16).padStart(2, "0")).join("");
    };
    const at = (time, row, below = rows[row].h - 4) => pixel(scale.x(time),
        AXIS + rows[row].y + below);
"""


def look_at_drawing(browser, folder):
    """A booking is where its nodes and times are, and nowhere else."""
    made = document.make(16, 0, 1)
    made["others"] = []
    made["bookings"] = [{"id": "rspb_1", "job": 1, "user": "bob",
                         "state": "booked", "start": document.NOW + 3600,
                         "end": document.NOW + 7200, "on": "2-3"},
                        {"id": "rspb_2", "job": 2, "user": "cleo",
                         "state": "booked", "start": document.NOW + 3600,
                         "end": document.NOW + 7200, "on": "4"}]
    browser.open(page(folder, made, "drawing"))
    seen = browser.run(SEE + """
        const item = model.bookings[0];
        const middle = (item.from + item.until) / 2;
        return [at(middle, 2), at(middle, 3), at(middle, 3, 0),
            at(middle, 1), at(item.from - 600e3, 2), at(item.until + 600e3, 3),
            at(middle, 4), colour(painter.colours.names[0].fill),
            colour(painter.colours.names[1].fill)];""")
    check("its nodes have its colour in its window",
          seen[0] == seen[1] == seen[7], seen)
    check("and so has what lies between neighbours: one box",
          seen[2] == seen[7], seen)
    check("others, and other times, do not", seen[7] not in seen[3:6], seen)
    check("another owner has another colour",
          seen[6] == seen[8] != seen[7], seen)
    seen = browser.run(SEE + """
        byId("colour").value = "job";
        model.bookings[1].user = "bob";
        calendar.recolour();
        return model.bookings.map((item) => item.hue);""")
    check("by job, of one owner, too", seen == [0, 1], seen)


def name_rows(browser, folder):
    """However many nodes there are, each row can be read, and all are seen."""
    for nodes in (1, 8, 44, 64, 65, 1024, 10240):
        browser.open(page(folder, document.make(nodes, 10, 1), "rows"))
        seen = browser.run("""
            const texts = [], { context } = calendar.painter;
            const draw = context.fillText;
            context.fillText = (text, x, y) => {
                if (x < calendar.painter.labels && y > AXIS &&
                    y < calendar.painter.height)
                    texts.push([text, y]);
            };
            calendar.painter.paint(calendar.view());
            context.fillText = draw;
            return [texts, calendar.rows.filter((row) => row.y + row.h / 2 <
                calendar.painter.height - AXIS).length, calendar.rows.total,
                calendar.painter.height - AXIS];""")
        texts, rows, total, room = seen
        check(f"all rows of {nodes} nodes are named",
              len(texts) == rows and all(text.strip() for text, _ in texts),
              seen)
        apart = [b[1] - a[1] for a, b in zip(texts, texts[1:])]
        check("with room between the names", min(apart, default=16) >= 13,
              min(apart, default=16))
        check("and they fill the page, or are as high as rows should be",
              room * .6 <= total <= room or nodes == 64 or
              total == 36 * nodes, (total, room))


def tell_time(browser, folder):
    """Ticks are round by the reader's clock, also where an hour comes twice."""
    browser.open(page(folder, document.make(4, 4, 1), "time"))
    odd = browser.run("""
        const odd = [];
        const day = Date.UTC(2026, 9, 24);
        for (const clock of ["", "UTC", "Asia/Kolkata"])
            for (let span = 10 * MINUTE; span < 400 * DAY; span *= 1.37) {
                const scale = new TimeScale(day, day + span, 100, 1300, clock);
                const hours = scale.hours(), days = scale.days();
                const gaps = hours.slice(1).map((one, i) =>
                    (one - hours[i]) * scale.perMs);
                if (hours.some((one) => one % MINUTE) && span > HOUR)
                    odd.push(["seconds", span]);
                if (span > 2 * DAY && hours.some((one) =>
                    partsOf(one, clock).minute))
                    odd.push(["minutes", span]);
                if (days.some((one) => !scale.isMidnight(one)))
                    odd.push(["no midnight", span]);
                if (Math.min(...gaps, 99) < 25)
                    odd.push(["crowded", span]);
                if (hours.length + days.length < 2)
                    odd.push(["empty", span]);
            }
        return odd;""")
    check("ticks are round, and neither crowded nor missing", not odd, odd)
    zone = browser.run("return Intl.DateTimeFormat().resolvedOptions()"
                       ".timeZone")
    check("in the reader's zone", zone == "Europe/Berlin", zone)
    check("which is named", browser.run(
        "return calendar.view().zone") in ("CEST", "CET", "Europe/Berlin"))


def said_in(browser):
    return browser.run("return byId('panel').textContent")


def use_mouse(browser, folder):
    made = document.make(8, 0, 1)
    made["others"] = []
    made["zone"] = "America/New_York"
    at = document.NOW + 3600
    made["bookings"] = [
        {"id": "rspb_7", "job": 7, "user": "ann", "mine": True,
         "state": "booked", "start": at, "end": at + 7200, "on": "2-3"},
        {"id": "rspb_8", "job": 8, "user": "bob", "state": "booked",
         "start": at, "end": at + 7200, "on": "5",
         "reason": "booked", "remark": "n9 is down since 2026-09-21T10:00:00Z"}]
    browser.open(page(folder, made, "mouse"))
    spot = """const place = (time, node) => [calendar.scale().x(time),
        AXIS + (calendar.rows.tops[node] + calendar.rows.nodeEnds[node]) / 2];
        const click = (time, node) => {
            const [x, y] = place(time, node);
            const box = calendar.canvas.getBoundingClientRect();
            for (const name of ["pointerdown", "pointerup"]) {
                const event = new PointerEvent(name, { pointerId: 1,
                    clientX: box.left + x, clientY: box.top + y });
                calendar.canvas.setPointerCapture = () => {};
                calendar.canvas.dispatchEvent(event);
            }
        };
        const start = calendar.model.bookings[0].from;"""
    browser.run(spot + "click(start + 600e3, 2)")
    said = browser.run(COMMANDS)
    check("a click on one's own says how to change it", said == [
        "rspb show 7", "rspb modify 7 --begin=2026-09-21T11:13:20",
        "rspb modify 7 -t 02:00:00", "rspb modify 7 -N 2",
        "rspb giveback 7", "rspb cancel 7"], said)
    check("by the clock where it is typed", "America/New_York" in browser.run(
        "return byId('panel').textContent"))
    browser.run(spot + "click(start + 600e3, 5)")
    said = browser.run(COMMANDS)
    check("on another's how to see it", said == ["rspb show 8"], said)
    check("and what has become of it, by the reader's clock",
          re.search(r"Note: n9 is down since Mon,? 21 Sept?,? (at )?12:00 (CEST|GMT\+2)",
                    said_in(browser)) is not None, said_in(browser))
    browser.run(spot + "click(start - 1800e3, 5)")
    said = browser.run(COMMANDS)
    check("on free time how to ask for it, until what comes next",
          re.fullmatch(r"sbatch --book --nodes=1 --nodelist=n6 "
                       r"--time=00:[345]\d:00 "
                       r"--begin=2026-09-21T10:[345]\d:00 job.sh",
                       said[0]) is not None, said)
    browser.run("byId('cells').focus()")
    browser.keys("\ue00c")
    check("which goes away again", browser.run(
        "return byId('panel').hidden"))
    seen = browser.run(spot + """
        const box = calendar.canvas.getBoundingClientRect();
        const before = calendar.scale();
        const [x] = place(start, 2);
        calendar.canvas.dispatchEvent(new WheelEvent("wheel", {
            deltaY: -200, clientX: box.left + x, clientY: box.top + 200,
            cancelable: true }));
        const after = calendar.scale();
        return [after.perMs / before.perMs, after.x(start) - x];""")
    check("the wheel zooms, about where it is",
          abs(seen[0] - 2) < .01 and abs(seen[1]) < 1, seen)
    seen = browser.run(spot + """
        const box = calendar.canvas.getBoundingClientRect();
        const finger = (name, id, x) => calendar.canvas.dispatchEvent(
            new PointerEvent(name, { pointerId: id, clientX: box.left + x,
                clientY: box.top + 200 }));
        calendar.letGo();
        const before = calendar.scale(), middle = before.time(500);
        finger("pointerdown", 1, 450);
        finger("pointerdown", 2, 550);
        finger("pointermove", 1, 400);
        finger("pointermove", 2, 600);
        finger("pointerup", 1, 400);
        finger("pointerup", 2, 600);
        const after = calendar.scale();
        return [after.perMs / before.perMs, after.x(middle) - 500,
            byId("panel").hidden];""")
    check("so do two fingers, which are no click",
          abs(seen[0] - 2) < .05 and abs(seen[1]) < 8 and seen[2], seen)


def read_words(browser, folder):
    """The line of now crosses no words, and a list has no empty columns."""
    made = document.make(8, 0, 1)
    now = document.NOW
    made["others"] = []
    made["bookings"] = [
        {"id": f"rspb_{i}", "job": i, "user": "bob", "name": "mesh", "state": "active",
         "start": now - before * 60, "end": now + after * 60, "on": str(i)}
        for i, (before, after) in enumerate([(20, 300), (5, 300), (50, 240), (55, 40)])]
    browser.open(page(folder, made, "words"))
    seen = browser.run("""
        const texts = [], { context } = calendar.painter;
        calendar.toSpan("day");
        const draw = context.fillText;
        context.fillText = (text, x, y) => {
            if (x > calendar.painter.labels && y > AXIS)
                texts.push([x, x + context.measureText(text).width]);
        };
        calendar.painter.paint(calendar.view());
        context.fillText = draw;
        return [texts, calendar.scale().x(calendar.model.now)];""")
    check("the line of now crosses no words of a box", len(seen[0]) >= 4 and all(
        right < seen[1] or left > seen[1] for left, right in seen[0]), seen)
    said = browser.run("""
        const r = calendar.canvas.getBoundingClientRect();
        const event = new PointerEvent("pointermove", { clientX: r.left +
            calendar.scale().x(calendar.model.now) + 2, clientY: r.top + HOURS + 9 });
        calendar.canvas.dispatchEvent(event);
        return byId("tip").hidden ? "" : byId("tip").textContent;""")
    check("the occupied share is told where the pointer is",
          "50 % of nodes occupied, 50 % booked" in said, said)
    seen = browser.run("""
        calendar.showTable(true);
        return [...document.querySelectorAll("th")].filter((one) => !one.hidden).map(
            (one) => one.textContent);""")
    check("columns with nothing in them are left out", seen == [
        "job", "name", "user", "state", "start", "end", "nodes"], seen)


def hold_a_phone(browser, folder):
    browser.size(390, 844)
    browser.open(page(folder, document.make(8, 20, 1), "phone"))
    seen = browser.run("""
        byId("rest").open = true;
        const rows = [...document.querySelectorAll("#table tbody tr")];
        return [byId("table").hidden, document.documentElement.scrollWidth,
            rows.length === calendar.listed().length, Math.max(...rows.map((one) => one.offsetHeight)),
            byId("table").scrollWidth,
            byId("as-table").getAttribute("aria-pressed"),
            byId("to-day").getAttribute("aria-pressed")];""")
    check("a phone opens with the list, as wide as it is",
          not seen[0] and seen[1] <= 390 and seen[2] and
          seen[4] <= 390 and seen[5:] == ["true", "false"], seen)
    check("which has at most two lines for a booking", seen[3] <= 56, seen)
    browser.picture(os.path.join(folder, "phone-list.png"))
    browser.run("byId('to-day').click()")
    time.sleep(0.3)
    seen = browser.run("""return [document.documentElement.scrollWidth,
        document.documentElement.scrollHeight,
        calendar.painter.height, byId("more").open]""")
    check("a phone shows all its width, mostly calendar",
          seen[0] <= 390 and seen[1] <= 844 and seen[2] > 844 * .6, seen)
    browser.picture(os.path.join(folder, "phone.png"))
    browser.size(1400, 900)


def label_days(browser, folder):
    """Each midnight is marked, and the day of the left edge is named."""
    for width in (390, 1400):
        browser.size(width, 844)
        browser.open(page(folder, document.make(8, 20, 1), "days"))
        odd = browser.run("""
            const odd = [], c = calendar.painter.context;
            calendar.showTable(false);
            calendar.resize();
            for (const span of ["day", "three", "week", "month", "all"]) {
                if (span === "all")
                    calendar.toAll();
                else
                    calendar.toSpan(span);
                const scale = calendar.scale();
                const wide = (text) => c.measureText(text).width;
                const labels = scale.dayLabels(wide);
                if (span !== "month" && scale.days().length !==
                    ticksOfDay(scale.from, scale.until, HOUR, false)
                        .filter((one) => scale.isMidnight(one)).length)
                    odd.push([span, "a midnight without a mark"]);
                labels.forEach((one, i) => {
                    if (labels[i + 1] && one.x + wide(one.text) > labels[i + 1].x)
                        odd.push([span, "labels meet", one.text]);
                });
                if (!/^\\D*\\b21\\b/.test(calendar.scale().dayText(
                    calendar.model.now)))
                    odd.push([span, "not the day of now"]);
                const at = labels.filter((one) => one.x <=
                    scale.x(calendar.model.now)).pop();
                if (!/month|all/.test(span) && !/\\b21\\b/.test(at.text))
                    odd.push([span, "now is below", at.text]);
            }
            return odd;""")
        check(f"days are where they belong, {width} pixels", not odd, odd)
    browser.size(1400, 900)


def begin_by_data(browser, folder):
    """The first view is the widest in which the median booking can be read."""
    for hours, wanted in ((1, "day"), (5, "three"), (14, "week"), (60, "month")):
        made = document.make(8, 0, 1)
        made["bookings"] = [
            {"id": f"rspb_{i}", "job": i, "user": "ann", "state": "booked",
             "start": document.NOW + 3600, "on": str(i),
             "end": document.NOW + 3600 * (1 + hours)} for i in range(1, 4)]
        browser.open(page(folder, made, "first"))
        seen = browser.run("""return [calendar.span, calendar.scale().perMs *
            (calendar.model.bookings[0].until -
             calendar.model.bookings[0].from)]""")
        check(f"bookings of {hours} h are shown by the {wanted}",
              seen[0] == wanted and seen[1] >= 40, seen)
    made["bookings"] = []
    browser.open(page(folder, made, "first"))
    check("and none by the day",
          browser.run("return calendar.span") == "day")


def name_colours(browser, folder):
    """The legend says whose each colour in sight is, and no other."""
    made = document.make(8, 0, 1)
    made["others"] = [{"kind": "down", "start": document.NOW - 60,
                       "end": document.NOW + 9e6, "on": "7"}]
    made["bookings"] = [
        {"id": f"rspb_{i}", "job": i, "user": user, "state": "booked",
         "name": "fetch", "start": document.NOW + 3600,
         "end": document.NOW + 14400, "on": str(i)}
        for i, user in enumerate(["ann", "bob", "cleo", "dan", "eve"])]
    made["bookings"][0]["mine"] = True
    browser.open(page(folder, made, "legend"))
    legend = ("calendar.painter.paint(calendar.view()); calendar.fillLegend();"
              "return [...byId('legend').children].map("
              "(one) => one.textContent.trim())")
    seen = browser.run(legend)
    check("the legend names mine, others and what closes nodes",
          seen == ["mine", "others", "down"], seen)
    seen = browser.run("byId('colour').value = 'user'; calendar.recolour();" +
                       legend)
    check("or the owners, of whom four have colours",
          len(seen) == 6 and "the rest" in seen and "down" in seen, seen)
    texts = browser.run("""
        const texts = [], { context } = calendar.painter;
        const draw = context.fillText;
        context.fillText = (text, x, y) => {
            if (x > calendar.painter.labels && y > AXIS)
                texts.push(text);
        };
        for (const pixels of [1e9, 60, 24, 12]) {
            const { from, until } = calendar.model.bookings[0];
            const span = pixels === 1e9 ? (until - from) * 3
                : (until - from) * (calendar.painter.width -
                    calendar.painter.labels) / pixels;
            calendar.setView(from - span / 9, from + span);
            calendar.painter.paint(calendar.view());
            texts.push("|");
        }
        context.fillText = draw;
        return texts.join(" ");""")
    whole = ["rspb_0", "ann", "fetch", "1", "bob", "2", "cleo", "3", "dan", "4",
             "eve", "|", "down"]
    check("a label is whole words or none", "…" not in texts and
          all(one in whole for one in texts.split()), texts)
    check("which are fewer where there is less room",
          texts.split("|")[0].count("fetch") == 5 and
          "fetch" not in texts.split("|")[2], texts)
    made["nodes"] = ["n1"]
    made["others"] = []
    made["bookings"] = made["bookings"][:1]
    browser.open(page(folder, made, "one"))
    said = status(browser)
    check("one is not several", said == "1 booking on 1 node", said)
