# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of rspb web as people use it for a week. For the suite 19-web-course.

check_course.py FOLDER: of a cluster with gpu[1-2] and n[1-6], and a course of another user.
"""
import json
import os
import subprocess
import sys
import time

import firefox
import webdriver
from access import judge_access
from check_booking_parts import FILL, form, on_a_phone, press, wait
from judge import check, failed, status

FOLDER = sys.argv[1]


def url():
    with open(os.path.join(FOLDER, "address"), encoding="utf-8") as file:
        return file.read().partition("Then open:")[2].strip()


def wish(word, at=0):
    """Have the suite do something, and wait until it is done."""
    done = os.path.join(FOLDER, "done")
    if os.path.exists(done):
        os.remove(done)
    with open(os.path.join(FOLDER, "at"), "w", encoding="utf-8") as file:
        file.write(str(int(at)))
    with open(os.path.join(FOLDER, "wish.new"), "w", encoding="utf-8") as file:
        file.write(word)
    os.rename(os.path.join(FOLDER, "wish.new"), os.path.join(FOLDER, "wish"))
    end = time.monotonic() + 120
    while not os.path.exists(done) and time.monotonic() < end:
        time.sleep(0.1)
    if not os.path.exists(done):
        raise RuntimeError(f"the suite has not done: {word}")


def place(browser, node, hours, lane=0):
    """Where a time on a node is, and how wide an hour."""
    return browser.run("""
        const c = calendar, s = c.scale(), n = c.model.names.indexOf(arguments[0]);
        const r = c.canvas.getBoundingClientRect();
        return [r.left + s.x(c.model.now + arguments[1] * 36e5),
            r.top + AXIS + c.rows.tops[n] - c.scroll + 8 + 16 * arguments[2],
            s.perMs * 36e5];""", node, hours, lane)


def box_of(browser, name):
    """The box of a booking, as it is drawn: left, top, width, height."""
    return browser.run("""
        const c = calendar, r = c.canvas.getBoundingClientRect();
        c.painter.paint(c.view());
        const box = c.painter.boxes.find((one) => !one.silent &&
            one.item.name === arguments[0] && /^booked/.test(one.item.state));
        return box && [r.left + box.left, r.top + box.top, box.wide, box.tall,
            box.item.from, box.item.until];""", name)


def see_course(browser):
    browser.run("byId('to-week').click()")
    days = browser.run("return calendar.model.bookings.filter((one) => "
                       "one.name === 'course').map((one) => one.from)")
    check("a week of a course is there, day after day", len(days) == 5 and
          all(80000 < (b - a) / 1000 < 93000
              for a, b in zip(days, days[1:])), days)
    check("as bookings of somebody else", browser.run(
        "return calendar.model.bookings.every((one) => !one.mine)"))
    check("nodes with GPUs have a lane for each", browser.run(
        "return calendar.rows.lanes[calendar.model.names.indexOf('gpu1')]") == 4)


def drag_new(browser):
    browser.run("byId('to-day').click()")
    x, y, hour = place(browser, "gpu1", 6)
    browser.drag((x, y), (x + hour, y + 4), (x + 2 * hour, y + 4))
    check("a drag over free time opens the form", wait(
        browser, "return !byId('form').hidden && "
                 "calendar.form.inputs.where.value === 'these'"), form(browser))
    browser.run(FILL + "set('gpus', '2'); set('cores', '2'); set('run', 'hold');"
                "set('name', 'dragged'); set('gpuType', 'a100')")
    check("which says that it would fit", wait(
        browser, "return /It fits/.test(calendar.form.note.textContent)"),
        form(browser))
    check("and what it leaves", browser.run(
        "return calendar.form.limits.textContent.length > 20"))
    wait(browser, "return /gpus-per-node=a100:2/.test("
                  "calendar.form.command.textContent)")
    command = browser.run("return calendar.form.command.textContent")
    check("with the node, its GPUs and the time in the command",
          "--nodelist=gpu1" in command and "--gpus-per-node=a100:2" in command
          and "--time=0" in command, command)
    press(browser, "Book")
    began = time.monotonic()
    check("it is booked", wait(
        browser, "return calendar.model.bookings.some((one) => one.mine && "
                 "one.name === 'dragged' && one.gpus === 2)"), form(browser))
    print(f"# booked and seen {time.monotonic() - began:.2f} s after the click")
    job = browser.run("return calendar.model.bookings.find((one) => "
                      "one.name === 'dragged').job")
    said = subprocess.run(["squeue", "-h", "-j", str(job), "-O",
                           "ReqNodes:20,tres-per-node:40"],
                          capture_output=True, text=True).stdout.split()
    with open(os.path.join(FOLDER, "dragged"), "w", encoding="utf-8") as file:
        file.write(" ".join(one.replace("gres:gpu", "gres/gpu")
                            for one in said) + "\n")
    box = box_of(browser, "dragged")
    check("and is as high as its two GPUs", box and 28 < box[3] < 40, box)


def drag_change(browser):
    x, y, wide, tall, start, end = box_of(browser, "dragged")
    hour = place(browser, "gpu1", 0)[2]
    middle = (x + wide / 2, y + tall / 2)
    browser.drag(middle, (middle[0] + hour / 2, middle[1]),
                 (middle[0] + hour, middle[1]))
    wait(browser, "return /Press Change/.test(byId('form').textContent)")
    check("a drag alone changes nothing", browser.run(
        "return calendar.model.bookings.find((one) => "
        "one.name === 'dragged').from") == start)
    press(browser, "Change")
    moved = wait(browser, "return calendar.model.bookings.some((one) => "
                          f"one.name === 'dragged' && one.from > {start})")
    check("it moves when that is confirmed", moved, form(browser))
    x, y, wide, tall, start, end = box_of(browser, "dragged")
    browser.drag((x + wide - 2, y + tall / 2), (x + wide + hour / 2, y + tall / 2),
                 (x + wide + hour, y + tall / 2))
    wait(browser, "return /Press Change/.test(byId('form').textContent)")
    press(browser, "Change")
    check("an edge that is dragged makes it longer", wait(
        browser, "return calendar.model.bookings.some((one) => "
                 f"one.name === 'dragged' && one.until > {end})"), form(browser))
    start, end = box_of(browser, "dragged")[4:]
    x, y, wide, tall = box_of(browser, "dragged")[:4]
    browser.drag((x + wide / 2, y + tall / 2), (x + wide, y + tall / 2),
                 (x + wide + 40, y + tall / 2))
    browser.keys("\ue00c")
    browser.run("calendar.form.hide(); calendar.letGo()")
    check("Escape leaves it where it is", box_of(browser, "dragged")[4] == start)


def ask_otherwise(browser):
    """What the form takes besides nodes and a time."""
    for what, fields, words, size in (
            ("worth of fewer nodes, a reminder and mail",
             "set('benefit', 'linear:25%'); set('remind', '1h');"
             "calendar.form.inputs.mail.checked = true;",
             ("--benefit=linear:25%", "--remind=1h", "--mail-type=ALL"), 2),
            ("a least number of nodes", "set('flexible', 'least');"
             "set('least', '1');", ("--nodes=1-2",), 2),
            ("a deadline", "set('flexible', 'until'); set('deadline', "
             "fieldTime(calendar.model.now + 40 * 36e5, ""));", ("--deadline=",), 2),
            ("a script", "set('run', 'script');", ("job.sh",), 2)):
        name = what.split()[-1]
        browser.run("calendar.startDraft({ nodes: 2, length: 36e5, run: 'hold',"
                    f"name: '{name}', from: calendar.model.now + 36 * 36e5 }})")
        browser.run(FILL + fields + "calendar.form.changed()")
        wait(browser, "const text = calendar.form.command.textContent; return "
                      "/It fits/.test(calendar.form.note.textContent) && "
                      f"{json.dumps(list(words))}.every((one) => text.includes(one))")
        command = browser.run("return calendar.form.command.textContent")
        check(f"the command has {what}",
              all(one in command for one in words), command)
        press(browser, "Book")
        check("and it is booked so", wait(
            browser, "return calendar.model.bookings.some((one) => one.mine && "
                     f"one.name === '{name}' && one.count === {size})"),
            form(browser))
        browser.run("calendar.form.hide(); calendar.letGo();"
                    "for (const one of calendar.model.bookings) "
                    f"if (one.name === '{name}') "
                    "calendar.api.call('cancel', { job: one.job })")
        wait(browser, "return !calendar.model.bookings.some((one) => "
                      f"one.name === '{name}' && /^booked/.test(one.state))")
    browser.run("calendar.startDraft({ nodes: 2, length: 36e5, run: 'reserve', "
                "from: calendar.model.now + 36 * 36e5 })")
    check("for others somebody has to be named", browser.run(
        "return /For whom/.test(calendar.form.note.textContent)"))
    browser.run(FILL + "set('users', 'nobody')")
    press(browser, "Book")
    check("and the booking has no job", wait(
        browser, "return calendar.model.bookings.some((one) => "
                 "one.reservation && /^booked/.test(one.state))"), form(browser))
    browser.run("calendar.pick(calendar.model.bookings.find((one) => "
                "one.reservation), false)")
    press(browser, "Release")
    time.sleep(0.3)
    check("to release it asks once more, and names what that gives up",
          "2 node-hours" in form(browser), form(browser))
    press(browser, "Release")
    check("then it is gone", wait(
        browser, "return !calendar.model.bookings.some((one) => "
                 "one.reservation && /^booked/.test(one.state))"), form(browser))


def two_people(browser):
    """Two browsers change one booking: the second is told."""
    pick = ("calendar.pick(calendar.model.bookings.find((one) => "
            "one.name === 'dragged'), false)")
    other = webdriver.Browser()
    try:
        other.size(1440, 900)
        other.open(url())
        wait(other, "return window.calendar && calendar.model.bookings.some("
                    "(one) => one.name === 'dragged')")
        # The second one sees nothing of the first before it asks.
        other.run("calendar.reload = async () => {};" + pick)
        browser.run(pick)
        before = browser.run("return calendar.picked.until")
        browser.run(FILL + "set('length', '2:00'); press('Change')")
        check("the first of two browsers changes a booking", wait(
            browser, "return calendar.model.bookings.some((one) => "
                     f"one.name === 'dragged' && one.until !== {before} && "
                     "one.until - one.from === 7200e3)"), form(browser))
        other.run(FILL + "set('length', '5:00'); press('Change')")
        check("the second one is told that it was changed", wait(
            other, "return /changed (in the )?mean(time|while)/.test(byId('status').textContent)"),
            (status(other), form(other)))
        other.run("delete calendar.reload; return calendar.reload()")
        check("and sees it as it is", wait(
            other, "return calendar.model.bookings.some((one) => "
                   "one.name === 'dragged' && one.until - one.from === 7200e3)"),
            form(other))
    finally:
        other.close()
    browser.run("calendar.form.hide(); calendar.letGo()")


def hostile_names(browser):
    """What people type is text, also of a booking that is live."""
    bad = "</script><img src=x onerror=hit=1>\u202e'\"`;$(id)"
    job = browser.run("""
        const name = arguments[0], c = calendar;
        return c.api.call("submit", { flags: draftFlags({ nodes: 1, length: 36e5,
            from: Math.ceil(c.model.now / 36e5 + 60) * 36e5, name }, c.model.zone),
            hold_nodes: true }).then((one) => one.job);""", bad)
    shown = bad.replace("\u202e", "?")
    seen = wait(browser, "const one = calendar.model.bookings.find((one) => "
                         f"one.job === {job}); return one && one.name")
    check("a hostile name comes as it is, without what turns text", seen == shown, seen)
    browser.run(f"calendar.pick(calendar.model.bookings.find((one) => one.job === {job}),"
                "true); calendar.showTable(true)")
    check("and is text everywhere", browser.run(
        "return window.hit === undefined && !document.querySelector('img') && "
        "byId('table').textContent.includes(arguments[0]) && "
        "byId('form').textContent.includes(arguments[0])", shown), form(browser))
    browser.run(f"calendar.form.hide(); calendar.showTable(false); calendar.letGo();"
                f"calendar.api.call('cancel', {{ job: {job} }})")


def any_like_these(browser):
    browser.run("calendar.startDraft({ length: 36e5, from: calendar.model.now + 36 * 36e5,"
                "...calendar.placeOf(calendar.model.names.indexOf('gpu1'),"
                "calendar.model.names.indexOf('gpu1')) })")
    browser.run(FILL + "set('gpus', '1'); set('run', 'hold'); set('where', 'like')")
    command = wait(browser, "const text = calendar.form.command.textContent;"
                            "return /gpus-per-node=a100:1/.test(text) && text")
    check("any nodes like these keep partition and type of GPU", command and
          "--partition=main" in command and "--nodelist" not in command, command)
    check("and to hold nodes says how steps are started", browser.run(
        "return !calendar.form.holdField.hidden"))
    browser.run("calendar.form.hide()")


def somebody_first(browser):
    """Another user books between draft and submission."""
    at = browser.run("calendar.startDraft({ nodes: 6, length: 36e5, nodelist: "
                     "'n1,n2,n3,n4,n5,n6', from: Math.ceil(calendar.model.now / "
                     "36e5 + 30) * 36e5, name: 'late', run: 'hold' });"
                     "return calendar.draft.from") / 1000
    check("a draft fits at first", wait(
        browser, "return /It fits/.test(calendar.form.note.textContent)"),
        form(browser))
    wish("rival", at)
    check("somebody else was faster, which is seen", wait(
        browser, "return calendar.model.bookings.some("
                 "(one) => one.name === 'rival')"))
    press(browser, "Book")
    check("so it is declined, with offers", wait(
        browser, "return /was declined/.test(byId('form').textContent) && "
                 "/Take/.test(byId('form').textContent)", 40), form(browser))
    reason = browser.run("return document.querySelector('#form .error')"
                         ".textContent")
    check("and a reason by the reader's clock", "Z" not in reason and
          "CE" in reason, reason)
    check("the offers are in the calendar, too", browser.run(
        "return calendar.drafts.length > 0 && calendar.drafts.every("
        "(one) => one.text === 'offer')"))
    press(browser, "Take")
    check("an offer is taken in place", wait(
        browser, "return calendar.model.bookings.some((one) => one.mine && "
                 "one.name === 'late' && /^booked/.test(one.state))"),
        form(browser))
    browser.run("calendar.form.hide(); calendar.letGo()")


def run_regular(browser):
    """A declined job can be run without a booking."""
    job = browser.run("const { from } = calendar.model.bookings.find((one) => "
                      "one.name === 'rival'); return calendar.api.call('submit', { flags:"
                      "draftFlags({ nodes: 6, from, length: 36e5, nodelist: 'n[1-6]',"
                      "name: 'plain' }, calendar.model.zone), hold_nodes: true })"
                      ".then((one) => one.job)")
    check("a declined job is in sight", wait(
        browser, f"return byId('declined').textContent.includes('Job {job} ')"),
        browser.run("return byId('declined').textContent"))
    browser.run(f"[...byId('declined').querySelectorAll('button')].find((one) => "
                f"one.ariaLabel.endsWith('for job {job}')).click()")
    check("and has a way to run it as a regular job", wait(
        browser, "return /Run as a regular job/.test(byId('form').textContent)", 30),
        form(browser))
    press(browser, "Run as a regular")
    check("which is said", wait(
        browser, "return /waits as a regular job/.test(byId('status').textContent)"),
        (status(browser), form(browser)))
    priority = subprocess.run(["squeue", "-h", "-j", str(job), "-o", "%Q %r"],
                              capture_output=True, text=True).stdout
    check("and Slurm holds it no longer", priority and
          not priority.startswith("0 ") and "Held" not in priority, priority)
    browser.run(f"calendar.api.call('cancel', {{ job: {job} }})")


def would_not_fit(browser):
    """What would not fit has its offers before anything is asked for."""
    browser.run("const { from } = calendar.model.bookings.find((one) => "
                "one.name === 'rival'); calendar.startDraft({ nodes: 6, from, "
                "length: 36e5, nodelist: 'n1,n2,n3,n4,n5,n6' })")
    check("a draft in the way of another says so", wait(
        browser, "return /does not fit/.test(calendar.form.note.textContent)"),
        form(browser))
    seen = wait(browser, "return /See [0-9]+ offers?/.test("
                         "calendar.form.button.textContent)")
    check("and has offers on its button", seen, form(browser))
    if seen:
        press(browser, "See")
        press(browser, "Use this")
        check("each fills the form", wait(
            browser, "return /It fits/.test(calendar.form.note.textContent)"),
            form(browser))
        seen = browser.run("return [calendar.draft.nodes, calendar.draft.nodelist]")
        check("and keeps the nodes that were named, if it has all of them",
              seen[0] < 6 or seen[1] == "n1,n2,n3,n4,n5,n6", seen)
    browser.run("calendar.form.hide()")


def controller_restarts(browser):
    browser.run("calendar.startDraft({ nodes: 3, length: 36e5, name: 'kept' })")
    wish("stop")
    check("a bar says that it is not live", wait(
        browser, "return !byId('bar').hidden && "
                 "/Not live since/.test(byId('bar').textContent)", 90),
        browser.run("return byId('bar').textContent"))
    check("nothing can be booked meanwhile", browser.run(
        "return byId('book').disabled && "
        "calendar.form.button.ariaDisabled === 'true'"))
    check("the draft is kept", browser.run(
        "return calendar.form.inputs.name.value") == "kept")
    wish("start")
    check("it goes on by itself", wait(
        browser, "return byId('bar').hidden && !byId('book').disabled", 60),
        browser.run("return byId('bar').textContent"))
    check("with the draft", browser.run(
        "return calendar.form.inputs.name.value") == "kept")


def token_expires(browser):
    wish("end")
    wish("again")
    check("a page whose server has ended says so", wait(
        browser, "return /Run rspb web again/.test(byId('bar').textContent)", 40),
        browser.run("return byId('bar').textContent"))
    check("and keeps the draft", browser.run(
        "return calendar.form.inputs.name.value") == "kept")
    browser.open("about:blank")
    browser.open(url())
    wait(browser, "return !!window.calendar")
    browser.run("byId('book').click()")
    check("which is there with the new address", wait(
        browser, "return calendar.form.inputs.name.value === 'kept'"),
        form(browser))
    browser.run("sessionStorage.removeItem('rspb-draft'); calendar.form.hide()")


def left_overnight(browser):
    browser.run("byId('to-day').click()")
    seen = browser.run("""
        const c = calendar, was = Date.now, now = c.model.now, { from } = c;
        Date.now = () => was() + 10 * 36e5;
        c.tick();
        const after = [c.model.now - now, c.from - from];
        Date.now = was;
        c.ticked = was();
        return after;""")
    check("a page that is left open goes along with the time",
          all(abs(one - 36e6) < 6e4 for one in seen), seen)
    day = browser.run("""
        calendar.startDraft({});
        const { from } = calendar.form.inputs;
        return fieldMoment(from.value, calendar.clock()) - calendar.model.now;""")
    check("and books from now on, not from yesterday", 0 < day <= 9e5 + 6e4, day)
    browser.run("byId('to-day').click();" + FILL + "set('from', fieldTime("
                "calendar.model.now + 9 * 864e5, calendar.clock()))")
    seen = browser.run("const { draft, from, until } = calendar;"
                       "return [from, draft.from, until]")
    check("the picture goes along to another start", seen[0] < seen[1] < seen[2], seen)
    browser.size(768, 1024)
    browser.run("byId('to-day').click();" + FILL + "set('from', fieldTime("
                "calendar.model.now + 20 * 36e5, calendar.clock()))")
    seen = browser.run("return [calendar.scale().x(calendar.draft.from) + "
                       "calendar.canvas.getBoundingClientRect().left,"
                       "byId('form').getBoundingClientRect().left]")
    check("also from below the form", seen[0] < seen[1], seen)
    browser.size(1440, 900)
    browser.run("calendar.form.hide(); location.reload()")
    wait(browser, "return !!window.calendar")


def clocks_change(browser):
    """Nights with 23 and 25 hours, and a zone of half hours."""
    for zone, wanted in (("America/New_York", "2026-11-01T05:30:00"),
                         ("Asia/Kolkata", "2026-10-31T20:00:00")):
        browser.zone(zone)
        browser.open("about:blank")
        browser.open(url())
        wait(browser, "return !!window.calendar")
        seen = browser.run("""
            const at = new Date(2026, 10, 1, 1, 30).getTime();
            return [flagTime(at, "UTC"), fieldTime(at, ""), snap(at + 5 * 6e4,
                15 * 6e4, "") - at];""")
        check(f"a time in {zone} is the cluster's in the command",
              seen == [wanted, "2026-11-01T01:30", 0], seen)
    browser.zone("America/New_York")
    browser.open("about:blank")
    browser.open(url())
    wait(browser, "return !!window.calendar")
    seen = browser.run("""
        const night = (month, day) => {
            const from = new Date(2027, month, day).getTime();
            const until = new Date(2027, month, day + 1).getTime();
            const ticks = ticksOfDay(from, until - 1, 36e5, "");
            const snaps = ticks.every((one) => snap(one, 36e5, "") === one);
            return [(until - from) / 36e5, ticks.length, snaps,
                ticks.every((one, i) => !i || one > ticks[i - 1])];
        };
        return [night(2, 14), night(10, 7)];""")
    check("a night of 23 hours has 23, and each is a place to drop",
          seen[0] == [23, 23, True, True], seen)
    check("one of 25 hours has each hour of the clock once",
          seen[1][0] == 25 and seen[1][2:] == [True, True] and
          seen[1][1] in (24, 25), seen)
    browser.zone("Europe/Berlin")
    browser.open("about:blank")
    browser.open(url())
    wait(browser, "return !!window.calendar")


def draw(browser, folder):
    """Pictures for people to look at: four sizes, both themes."""
    browser.run("calendar.toSpan('day'); calendar.showTable(false)")
    for width, height in ((390, 844), (768, 1024), (1440, 900), (1920, 1080)):
        browser.size(width, height)
        browser.run(f"byId('more').open = {'true' if width > 700 else 'false'};"
                    "calendar.rowIndex = -1; calendar.say('')")
        for dark in (False, True):
            browser.dark(dark)
            name = f"course-{width}{'-dark' if dark else ''}"
            browser.run("calendar.form.hide(); calendar.letGo();"
                        f"calendar.showTable({'true' if width < 700 else 'false'})")
            time.sleep(0.4)
            browser.picture(os.path.join(folder, name + ".png"))
            browser.run("calendar.startDraft({ gpus: 2, gpuType: 'a100', cores: 4,"
                        "nodelist: 'gpu2', from: calendar.model.now + 72e5 })")
            time.sleep(1)
            browser.picture(os.path.join(folder, name + "-form.png"))
            browser.run("calendar.form.hide()")
    browser.dark(False)
    browser.size(1440, 900)


def main():
    browser = firefox.open_named()
    try:
        browser.size(1440, 900)
        browser.open(url())
        check("the page is there", wait(browser, "return !!window.calendar"),
              status(browser))
        for part in (see_course, drag_new, drag_change, ask_otherwise,
                     two_people, hostile_names, any_like_these, on_a_phone,
                     somebody_first,
                     run_regular, would_not_fit):
            part(browser)
        if os.environ.get("RSPB_PICTURES"):
            draw(browser, os.environ["RSPB_PICTURES"])
        for part in (judge_access, left_overnight, controller_restarts,
                     token_expires, clocks_change):
            part(browser)
        noisy = [one for one in browser.complaints()
                 if one["level"] == "SEVERE" and "favicon" not in one["message"]
                 and "Failed to load resource" not in one["message"]
                 and "ERR_" not in one["message"]]
        check("under its policy all of it runs", not noisy, json.dumps(noisy))
    finally:
        browser.close()
    return bool(failed)


sys.exit(main())
