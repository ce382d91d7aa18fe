# SPDX-License-Identifier: GPL-2.0-or-later
"""A headless Firefox, by W3C WebDriver BiDi, which it speaks itself: Debian has no
geckodriver."""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time

import webdriver

PREFERENCES = {"browser.shell.checkDefaultBrowser": False,
               "datareporting.policy.dataSubmissionEnabled": False,
               "browser.startup.page": 0, "app.update.enabled": False,
               "network.captive-portal-service.enabled": False,
               "network.connectivity-service.enabled": False}
# The scripts of the tests return what JSON has.
CALL = """async function (args) {
    const call = async function () { %s };
    const value = await call.apply(null, JSON.parse(args));
    return JSON.stringify(value === undefined ? null : value);
}"""


class WebSocket:
    """As much of RFC 6455 as one client needs on loopback."""

    def __init__(self, port, path):
        self.line = socket.create_connection(("127.0.0.1", port))
        self.line.settimeout(120)
        key = base64.b64encode(os.urandom(16)).decode()
        self.line.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                           "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                           f"Sec-WebSocket-Key: {key}\r\n"
                           "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.take()
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        if b" 101 " not in head:
            raise RuntimeError(head.decode())

    def take(self):
        more = self.line.recv(1 << 16)
        if not more:
            raise RuntimeError("Firefox has ended")
        self.bytes += more

    def exactly(self, count):
        while len(self.bytes) < count:
            self.take()
        part, self.bytes = self.bytes[:count], self.bytes[count:]
        return part

    def send(self, text):
        data = text.encode()
        size = (bytes([0x80 | len(data)]) if len(data) < 126 else
                struct.pack("!BH", 0x80 | 126, len(data)) if len(data) < 1 << 16 else
                struct.pack("!BQ", 0x80 | 127, len(data)))
        mask = os.urandom(4)
        self.line.sendall(b"\x81" + size + mask + bytes(
            one ^ mask[i % 4] for i, one in enumerate(data)))

    def read(self):
        text = b""
        while True:
            first, size = self.exactly(2)
            if size == 126:
                size, = struct.unpack("!H", self.exactly(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.exactly(8))
            data = self.exactly(size)
            if first & 0x0f in (0, 1):
                text += data
            if first & 0x0f in (0, 1) and first & 0x80:
                return text.decode()


class Firefox(webdriver.Browser):
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="rspb-firefox-")
        with open(os.path.join(self.folder, "user.js"), "w", encoding="utf-8") as file:
            for key, value in PREFERENCES.items():
                file.write(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n")
        port = webdriver.free_port()
        self.driver = subprocess.Popen(
            ["firefox-esr", "--headless", f"--remote-debugging-port={port}",
             "--no-remote", "--profile", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"TZ": "Europe/Berlin", "HOME": self.folder})
        self.wait_for(port)
        self.number, self.logged = 0, []
        self.line = self.connect(port)
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        # The first tab of a headless Firefox has no focus, without which keys press no buttons.
        self.context = self.ask("browsingContext.create", type="tab")["context"]

    @staticmethod
    def connect(port):
        end = time.monotonic() + 60
        while True:
            try:
                return WebSocket(port, "/session")
            except RuntimeError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.3)

    def ask(self, method, **params):
        self.number += 1
        self.line.send(json.dumps({"id": self.number, "method": method,
                                   "params": params}))
        while True:
            answer = json.loads(self.line.read())
            if answer.get("type") == "event":
                self.logged.append(answer["params"])
            elif answer.get("id") == self.number:
                break
        if answer["type"] == "error":
            raise RuntimeError(answer["error"] + ": " + answer["message"][:400])
        return answer["result"]

    def open(self, path):
        url = path if ":" in path else f"file://{path}"
        # A navigation fails without a reason now and then while a frame of the page before
        # still loads; it is tried again.
        for left in (2, 1, 0):
            try:
                return self.ask("browsingContext.navigate", context=self.context,
                                wait="complete", url=url)
            except RuntimeError as error:
                if not left or "Address rejected" not in str(error):
                    raise
                time.sleep(0.5)

    def size(self, width, height):
        self.ask("browsingContext.setViewport", context=self.context,
                 viewport={"width": width, "height": height})

    def run(self, code, *args):
        answer = self.ask(
            "script.callFunction", functionDeclaration=CALL % code, awaitPromise=True,
            target={"context": self.context},
            arguments=[{"type": "string", "value": json.dumps(args)}])
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def act(self, kind, actions, **more):
        name = more.get("parameters", {}).get("pointerType", kind)
        self.ask("input.performActions", context=self.context, actions=[
            {"type": kind, "id": name, "actions": actions, **more}])

    def zone(self, name):
        self.ask("emulation.setTimezoneOverride", timezone=name,
                 contexts=[self.context])

    def picture(self, path):
        data = self.ask("browsingContext.captureScreenshot", context=self.context)
        with open(path, "wb") as file:
            file.write(base64.b64decode(data["data"]))

    def complaints(self):
        """In the form of Chromium's."""
        found = [{"level": "SEVERE", "message": one.get("text") or ""}
                 for one in self.logged if one.get("level") == "error"]
        self.logged = []
        return found

    def close(self):
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def open_named():
    """RET the browser that RSPB_BROWSER names; without it Chromium."""
    return Firefox() if os.environ.get("RSPB_BROWSER") == "firefox" else webdriver.Browser()
