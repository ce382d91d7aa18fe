# SPDX-License-Identifier: GPL-2.0-or-later
"""check_operator.py URL: the page of an operator says so, also after it was not live."""
import sys

import firefox
import webdriver
from check_booking_parts import wait
from judge import check, failed

BANNER = "return !byId('bar').hidden && /bookings of all users/.test(byId('bar').textContent)"


def main():
    browser = firefox.Firefox() if not webdriver.is_here() else webdriver.Browser()
    try:
        browser.open(sys.argv[1])
        wait(browser, "return !!window.calendar")
        check("an operator has a banner", wait(browser, BANNER))
        browser.run("calendar.setLive(false)")
        check("a page that is not live says that", browser.run(
            "return /Not live/.test(byId('bar').textContent)"))
        browser.run("calendar.setLive(true)")
        check("and then has the banner again", wait(browser, BANNER))
    finally:
        browser.close()
    return bool(failed)


sys.exit(main())
