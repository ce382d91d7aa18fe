# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the page of rspb web share."""
import http.server
import threading
import time

from judge import check, status

FILL = """
    const set = (name, value) => {
        const input = document.querySelector(`#form [name=${name}]`);
        input.value = value;
        input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const press = (text) => [...document.querySelectorAll("#form button")].find(
        (one) => one.textContent.startsWith(text)).click();
"""


def wait(browser, script, seconds=20):
    """RET the first true value of a script, or its last one."""
    end = time.monotonic() + seconds
    while True:
        seen = browser.run(script)
        if seen or time.monotonic() > end:
            return seen
        time.sleep(0.1)


def form(browser):
    return browser.run("return byId('form').textContent")


def press(browser, text):
    browser.run(FILL + f"press('{text}')")


def on_a_phone(browser):
    """Book what the list calls free, see it among Yours, and cancel it there."""
    browser.run("calendar.form.hide(); calendar.letGo()")
    browser.size(390, 844)
    browser.run("byId('as-table').click()")
    check("a telephone has the list with free time", wait(
        browser, "return calendar.isBrief() && "
                 "!!document.querySelector('#brief .free button')"))
    browser.run("document.querySelector('#brief .free button').click()")
    sheet = browser.run("""const r = byId("form").getBoundingClientRect();
        return [byId("form").hidden, Math.round(r.left), Math.round(r.right),
            Math.round(r.bottom), innerHeight];""")
    check("free time that is tapped opens the form as a sheet at the bottom",
          sheet[:3] == [False, 0, 390] and sheet[3] == sheet[4], sheet)
    small = browser.run("""return [...byId("form").querySelectorAll(
        "button, input, select")].filter((one) => one.offsetParent &&
        one.type !== "checkbox" && one.offsetHeight < 44).map((one) => one.name)""")
    check("whose controls have 44 pixels", not small, small)
    browser.run(FILL + "set('run', 'hold'); set('name', 'pocket')")
    wait(browser, "return /It fits/.test(calendar.form.note.textContent)")
    press(browser, "Book")
    check("what is booked there is among Yours", wait(
        browser, "return [...document.querySelectorAll('#brief .own button')].some("
                 "(one) => /pocket/.test(one.textContent))"), form(browser))
    check("with how its steps are started", browser.run(
        "return /srun --jobid=[0-9]+/.test(byId('status').textContent)"),
        status(browser))
    browser.run("calendar.form.hide(); [...document.querySelectorAll("
                "'#brief .own button')].find((one) => /pocket/.test("
                "one.textContent)).click()")
    for _ in range(2):
        press(browser, "Cancel the job")
        time.sleep(0.3)
    check("and is cancelled from there", wait(
        browser, "return ![...document.querySelectorAll('#brief .own button')].some("
                 "(one) => /pocket/.test(one.textContent))"), form(browser))
    browser.run("calendar.form.hide(); byId('to-day').click()")
    time.sleep(0.5)
    browser.tap(*browser.run("""
        const c = calendar, r = c.canvas.getBoundingClientRect();
        const n = c.model.names.length - 1;
        return [r.left + c.scale().x(c.model.now + 15 * 36e5),
            r.top + AXIS + c.rows.tops[n] - c.scroll + 8];"""))
    wait(browser, "return !byId('form').hidden")
    time.sleep(0.5)
    seen = browser.run("return [document.activeElement.name, "
                       "calendar.form.inputs.where.value]")
    check("free time that is tapped opens the form, and touches nothing in it",
          seen == ["nodes", "these"], seen)
    browser.size(1440, 900)
    # The next draft is for the next quarter of an hour, not for the time that was tapped.
    browser.run("calendar.form.hide(); sessionStorage.removeItem('rspb-draft');"
                "byId('to-day').click()")


ATTACK = """
    const [base, token] = arguments;
    const headers = { "X-Rspb-Token": token, "Content-Type": "application/json" };
    const ends = (call) => call.then(() => "answered", () => "refused");
    const loads = (tag, path) => new Promise((done) => {
        const one = document.createElement(tag);
        one.onload = () => done("answered");
        one.onerror = () => done("refused");
        one.src = base + path;
        document.body.append(one);
    });
    const form = document.createElement("form");
    form.action = base + "api/v1/cancel";
    form.method = "post";
    form.enctype = "text/plain";
    form.target = "hole";
    const field = document.createElement("input");
    [field.name, field.value] = ['{"job":' + arguments[2] + ',"x":"', '"}'];
    const hole = document.createElement("iframe");
    hole.name = "hole";
    form.append(field);
    document.body.append(hole, form);
    form.submit();
    // No page sees what becomes of these two: whether the booking is there tells.
    const blind = fetch(base + "api/v1/cancel", { method: "POST", mode: "no-cors",
        body: JSON.stringify({ job: arguments[2] }) }).catch(() => {});
    return blind.then(() => Promise.all([
        ends(fetch(base + "api/v1/calendar")),
        ends(fetch(base + "api/v1/calendar", { headers })),
        ends(fetch(base + "api/v1/calendar", { headers, credentials: "include" })),
        ends(fetch(base + "api/v1/cancel", { method: "POST", headers,
            body: JSON.stringify({ job: arguments[2] }) })),
        ends(fetch(base + "api/v1/events", { headers })),
        loads("script", "app.js"),
    ]));"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>elsewhere</title><body>")

    def log_message(self, *_):
        pass


def attack(browser, url, job):
    """Pages of other origins read nothing and cancel nothing, even if they know the token."""
    base, _, token = url.partition("#t=")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        for host in ("127.0.0.1", "localhost"):
            browser.open(f"http://{host}:{server.server_port}/")
            seen = browser.run(ATTACK, base, token, job)
            check(f"a page of another origin, {host}, is refused all that it tries",
                  set(seen) == {"refused"}, seen)
    finally:
        server.shutdown()
    browser.open(url)
    wait(browser, "return !!window.calendar")
    check("and the booking that it would cancel is there", browser.run(
        f"return calendar.model.bookings.some((one) => one.job === {job} && "
        "/^booked/.test(one.state))"), job)
