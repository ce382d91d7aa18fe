# SPDX-License-Identifier: GPL-2.0-or-later
"""A headless Chromium, by the protocol of its driver (W3C WebDriver)."""
import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--window-size=1400,900",
             "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update",
             "--disable-sync"]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def is_here():
    return bool(shutil.which("chromedriver"))


class Browser:
    def __init__(self):
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"TZ": "Europe/Berlin"})
        self.wait_for(port)
        options = {"args": ARGUMENTS}
        answer = self.call("POST", "/session", {"capabilities": {
            "alwaysMatch": {"goog:chromeOptions": options,
                            # A machine may be busy.
                            "timeouts": {"script": 120000},
                            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/session/" + answer["sessionId"]

    @staticmethod
    def wait_for(port):
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:500]) from error

    def open(self, path):
        self.call("POST", "/url", {"url": path if ":" in path
                                   else f"file://{path}"})

    def size(self, width, height):
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride", "params": {
                "width": width, "height": height, "deviceScaleFactor": 1,
                "mobile": width < 700}})

    def run(self, code, *args):
        return self.call("POST", "/execute/sync",
                         {"script": code, "args": list(args)})

    def keys(self, text):
        self.act("key", [{"type": kind, "value": key} for key in text
                         for kind in ("keyDown", "keyUp")])

    def shift(self, text):
        """Keys while Shift is held."""
        self.act("key", [{"type": "keyDown", "value": "\ue008"}] +
                 [{"type": kind, "value": key} for key in text
                  for kind in ("keyDown", "keyUp")] +
                 [{"type": "keyUp", "value": "\ue008"}])

    def act(self, kind, actions, **more):
        # A mouse and a finger are two devices.
        name = more.get("parameters", {}).get("pointerType", kind)
        self.call("POST", "/actions", {"actions": [
            {"type": kind, "id": name, "actions": actions, **more}]})

    def drag(self, *places):
        """The mouse is pressed at the first place, moved, and let go at the last."""
        move = [{"type": "pointerMove", "duration": 60, "x": int(x),
                 "y": int(y)} for x, y in places]
        self.act("pointer", [move[0], {"type": "pointerDown", "button": 0},
                             *move[1:], {"type": "pointerUp", "button": 0}],
                 parameters={"pointerType": "mouse"})

    def tap(self, x, y):
        self.act("pointer", [{"type": "pointerMove", "x": int(x), "y": int(y)},
                             {"type": "pointerDown", "button": 0},
                             {"type": "pointerUp", "button": 0}],
                 parameters={"pointerType": "touch"})

    def zone(self, name):
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setTimezoneOverride",
            "params": {"timezoneId": name}})

    def dark(self, on):
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia", "params": {"features": [{
                "name": "prefers-color-scheme",
                "value": "dark" if on else "light"}]}})

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def complaints(self):
        return self.call("POST", "/se/log", {"type": "browser"})

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
