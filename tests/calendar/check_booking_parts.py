# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the page of rspb web share."""
import time

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
