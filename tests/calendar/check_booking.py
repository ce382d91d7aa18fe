# SPDX-License-Identifier: GPL-2.0-or-later
"""Book, change, cancel and take an offer in the page of rspb web.

check_booking.py URL NODES: of a cluster with nothing booked. For the suite 19-web.
"""
import os
import re
import sys
import time

import firefox
from access import judge_access
from check_booking_parts import FILL, attack, form, on_a_phone, wait
from judge import check, failed, status

def book(browser, nodes, hours="1:00"):
    browser.run("byId('book').click()")
    browser.run(FILL + f"set('nodes', '{nodes}'); set('length', '{hours}');"
                "set('run', 'hold'); set('name', 'course');")
    command = wait(browser, "return document.querySelector('#form pre')"
                            f".textContent.includes('--nodes={nodes}') && "
                            "document.querySelector('#form pre').textContent")
    # A draft that is known not to fit has its offers first, and can be booked anyway.
    wait(browser, "return /^It fits/.test(calendar.form.note.textContent) || "
                  "/^See/.test(calendar.form.button.textContent)", 10)
    browser.run("const { button } = calendar.form;"
                "if (/^See/.test(button.textContent)) button.click();"
                "button.click()")
    return command


def use_form(browser):
    command = book(browser, 2)
    check("the form shows the command that does the same",
          command and command.startswith("sbatch --book --nodes=2 "
                                         "--time=01:00:00 --begin="), command)
    said = wait(browser, "return / is booked: /.test("
                         "byId('status').textContent) && "
                         "byId('status').textContent")
    check("and books", said, (status(browser), form(browser)))
    check("the booking is in the calendar as one's own", browser.run(
        "return calendar.model.bookings.filter((one) => one.mine && "
        "one.name === 'course' && one.count === 2).length === 1"))
    browser.run(FILL + "set('length', '2:00'); press('Change')")
    longer = wait(browser, "return calendar.model.bookings.some((one) => "
                           "one.until - one.from === 7200e3)")
    check("its length can be changed", longer, form(browser))
    browser.run(FILL + "press('Cancel the job')")
    time.sleep(0.5)
    check("one click does not cancel it", browser.run(
        "return calendar.model.bookings.length") == 1)
    browser.run(FILL + "press('Cancel the job')")
    gone = wait(browser, "return !calendar.model.bookings.some((one) => "
                         "/^booked/.test(one.state))")
    check("two do", gone, status(browser))


def take_offer(browser, nodes):
    book(browser, nodes)
    check("all nodes are booked", wait(
        browser, "return calendar.model.bookings.some((one) => "
                 f"/^booked/.test(one.state) && one.count === {nodes})"),
        form(browser))
    browser.run("calendar.form.hide()")
    book(browser, 1)
    seen = wait(browser, "return byId('form').textContent.includes("
                         "'was declined') && byId('form').textContent")
    check("what does not fit is declined, with offers in place",
          seen and "instead" in seen and "Take" in seen, form(browser))
    browser.run("calendar.form.hide()")
    seen = wait(browser, "return !byId('declined').hidden && "
                         "/was declined: .*[0-9] offers?/.test("
                         "byId('declined').textContent) && "
                         "byId('declined').textContent")
    check("and stays in sight when its panel is closed", seen,
          browser.run("return byId('declined').textContent"))
    browser.run("byId('declined').querySelector('button').click()")
    check("its offers are a click away", wait(
        browser, "return byId('form').textContent.includes('Take')"),
        form(browser))
    browser.run(FILL + "press('Take')")
    check("and an offer that is taken is booked", wait(
        browser, "return calendar.model.bookings.filter((one) => "
                 "/^booked/.test(one.state)).length === 2"), form(browser))
    check("a job that is booked is no longer among the declined", wait(
        browser, "return byId('declined').hidden"),
        browser.run("return byId('declined').textContent"))


def use_keys(browser):
    """The same with keys alone, each step announced."""
    enter, tab = "\ue007", "\ue004"
    on = ("return document.activeElement.name || "
          "document.activeElement.textContent.trim()")

    def reach(wanted):
        for _ in range(40):
            if browser.run(on).startswith(wanted):
                return True
            browser.keys(tab)
        return False

    browser.run("byId('cells').focus()")
    browser.keys("c")
    check("c opens the form, with the focus in it", browser.run(on) == "nodes",
          browser.run(on))
    check("Tab reaches more fields", reach("More"), browser.run(on))
    browser.keys(enter)
    check("and the name in them", reach("name"), browser.run(on))
    browser.keys("keys")
    check("and Book", reach("Book"), browser.run(on))
    browser.keys(enter)
    check("Enter books, which is announced", wait(
        browser, "return / is booked: /.test(byId('status').textContent) && "
                 "calendar.model.bookings.some((one) => one.name === 'keys')"),
        (status(browser), form(browser)))
    browser.keys("\ue00c")
    check("Escape leads back to the calendar", browser.run(
        "return byId('form').hidden && document.activeElement.id") == "cells")
    browser.run("calendar.letGo(); calendar.toUsual()")
    browser.keys("n")
    check("n announces the booking", "keys" in status(browser) and browser.run(
        "return document.activeElement.id") == "cells", status(browser))
    browser.keys(enter)
    check("Enter opens it", reach("Cancel the job"), browser.run(on))
    browser.keys(enter)
    check("the first Enter asks", wait(browser, "return document.querySelector("
          "'#form [role=status]').textContent.includes('once more')"),
          form(browser))
    check("and leaves the focus", browser.run(on).startswith("Cancel the job"),
          browser.run(on))
    browser.keys(enter)
    check("the second cancels, which is announced", wait(
        browser, "return /was cancelled/.test(byId('status').textContent) && "
                 "!calendar.model.bookings.some((one) => one.name === 'keys' && "
                 "/^booked/.test(one.state))"), (status(browser), form(browser)))


def see_others(browser, nodes):
    """Somebody else's booking appears without a reload."""
    browser.run("for (const one of calendar.model.bookings) if (one.job) "
                "calendar.api.call('cancel', { job: one.job })")
    check("what is cancelled elsewhere goes away by itself", wait(
        browser, "return !calendar.model.bookings.some((one) => "
                 "/^booked/.test(one.state))"), status(browser))


def main():
    url, nodes = sys.argv[1], int(sys.argv[2])
    browser = firefox.open_named()
    try:
        browser.size(1440, 900)
        browser.open(url)
        check("the page is there", wait(browser, "return !!window.calendar"),
              status(browser))
        check("the token is out of the address", browser.run(
            "return location.hash === '' && "
            "/^[0-9a-f]{32}$/.test(sessionStorage.getItem('rspb-token'))"))
        check("and in no cookie", browser.run("return document.cookie") == "")
        use_form(browser)
        use_keys(browser)
        # For Chromium the suite of a course does these.
        if isinstance(browser, firefox.Firefox):
            on_a_phone(browser)
            judge_access(browser, (False,))
        take_offer(browser, nodes)
        said = browser.complaints()
        attack(browser, url, browser.run(
            "return calendar.model.bookings.find((one) => one.mine && "
            "/^booked/.test(one.state)).job"))
        # Here the browser complains of what it refused.
        browser.complaints()
        keep = os.environ.get("RSPB_PICTURES")
        if keep:
            browser.run("byId('book').click()")
            time.sleep(1)
            browser.picture(os.path.join(keep, "calendar-book.png"))
            browser.run("calendar.form.hide()")
        see_others(browser, nodes)
        browser.run("byId('as-table').click()")
        browser.open(url)
        check("the view that was chosen is there again", wait(
            browser, "return window.calendar && !byId('table').hidden"))
        browser.run("byId('to-day').click()")
        noisy = [one for one in said + browser.complaints()
                 if one["level"] == "SEVERE" and "favicon" not in one["message"]
                 # Answers that the page heeds: not known yet, no, too many questions.
                 and not re.search("status of (404|409|429)", one["message"])]
        check("under its policy all of it runs", not noisy, noisy)
        browser.run("sessionStorage.setItem('rspb-token', '0'.repeat(32))")
        browser.open(url.partition("#")[0])
        check("a page whose server has ended says what to do", wait(
            browser, "return byId('status').textContent.includes("
                     "'Run rspb web again')"), status(browser))
    finally:
        browser.close()
    return bool(failed)


sys.exit(main())
