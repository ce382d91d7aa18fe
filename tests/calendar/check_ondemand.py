# SPDX-License-Identifier: GPL-2.0-or-later
"""The app for Open OnDemand under plain Node, with the headers of the portal.

check_ondemand.py: rspb web of the build, with no slurmctld.
"""
import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

from judge import RSPB, check, failed, scontrol, write_program

APP = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                   "../../contrib/ondemand/app.js")
BASE = "/pun/sys/rspb"
PORTAL = {"Host": "localhost:80", "X-Forwarded-Host": "portal.example",
          "Cookie": "mod_auth_openidc_session=secret"}
OWN = {"Sec-Fetch-Site": "same-origin", "Origin": "https://portal.example"}


class Portal(http.client.HTTPConnection):
    """A connection to the app's socket, as the portal's proxy has it."""

    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(self.path)


class App:
    def __init__(self, folder, **more):
        self.socket = os.path.join(folder, "app.sock")
        self.process = subprocess.Popen(
            ["node", APP], env=os.environ | {
                "PASSENGER_BASE_URI": BASE, "RSPB": RSPB, "TMPDIR": folder,
                "RSPB_LISTEN": self.socket,
                "PATH": folder + ":" + os.environ["PATH"]} | more)
        for _ in range(200):
            if os.path.exists(self.socket):
                break
            time.sleep(0.05)

    def line(self):
        return Portal(self.socket)

    def ask(self, path, method="GET", body=None, **headers):
        line = self.line()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        line.request(method, BASE + path, body, PORTAL | named)
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        return answer.status, text, {name.lower(): value for name, value
                                     in answer.getheaders()}

    def session(self, **headers):
        return self.ask("/session", X_Rspb_Session="1", **headers)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(10)


def show_page(app):
    status, _, headers = app.ask("")
    check("the folder of the app leads to the page", status == 302 and
          headers["location"] == BASE + "/", (status, headers))
    status, text, headers = app.ask("/", Sec_Fetch_Site="cross-site")
    check("the page comes after a login elsewhere", status == 200 and
          "app.js" in text, (status, text[:200]))
    check("with its policy and no cookie",
          headers["content-security-policy"].startswith("default-src 'none'") and
          "set-cookie" not in headers, headers)
    addresses = [one for name in ("src=\"", "href=\"")
                 for one in text.split(name)[1:]]
    check("its addresses are relative", addresses and
          not any(one.startswith("/") for one in addresses), addresses)


def guard_token(app, uid):
    status, text, headers = app.session(**dict(
        (name.replace("-", "_"), value) for name, value in OWN.items()))
    token = json.loads(text).get("token", "")
    check("a page of the portal gets the token", status == 200 and
          len(token) == 32 and headers["cache-control"] == "no-store",
          (status, text))
    for what, more in (
            ("another web site does not", {"Sec_Fetch_Site": "cross-site"}),
            ("nor another host of the same site", {"Sec_Fetch_Site": "same-site"}),
            ("nor another origin", {"Origin": "https://evil.example"}),
            ("nor a page without an origin", {"Origin": "null"})):
        status, text, _ = app.session(**more)
        check(what, status == 403 and token not in text, (status, text))
        status, text, _ = app.ask("/api/v1/me", X_Rspb_Token=token, **more)
        check(f"{what}, with the token", status == 403, (status, text))
    status, text, _ = app.ask("/session")
    check("a request without X-Rspb-Session does not", status == 403 and
          token not in text, (status, text))
    status, text, _ = app.ask("/session", "POST", "{}", X_Rspb_Session="1")
    check("nor does a POST", status == 403 and token not in text, (status, text))
    status, text, _ = app.ask("/api/v1/me")
    check("the portal's cookie is not enough for data", status == 401,
          (status, text))
    status, text, _ = app.ask("/api/v1/me", X_Rspb_Token=token, Origin=OWN["Origin"])
    check("the token is", status == 200 and json.loads(text)["uid"] == uid,
          (status, text))
    return token


def pass_on(app, token):
    status, text, _ = app.ask("/api/v1/submit", "POST", json.dumps(
        {"flags": ["--book", "--nodes=2"], "hold_nodes": True, "dry": True}),
        X_Rspb_Token=token, Content_Type="application/json", **{
            "Sec_Fetch_Site": "same-origin", "Origin": OWN["Origin"]})
    check("a request reaches rspb web with its body", status == 200 and
          "sbatch --book --nodes=2" in text, (status, text))
    status, text, _ = app.ask("/api/v1/submit", "POST", "{}", X_Rspb_Token=token,
                              Content_Type="text/plain")
    check("with its type", status == 415, (status, text))
    line = app.line()
    line.request("GET", BASE + "/api/v1/events", headers=PORTAL | {
        "X-Rspb-Token": token})
    answer = line.getresponse()
    seen = answer.fp.readline(), answer.fp.readline()
    check("events come while the stream is open",
          answer.getheader("content-type") == "text/event-stream" and
          b"event: calendar\n" in seen, seen)
    line.close()


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(one) for one in file.read().split()]


def end_and_start(app, folder, token):
    made = [one for one in os.listdir(folder) if one.startswith("rspb-ood-")]
    check("the server's folder is its user's alone", len(made) == 1 and
          stat.S_IMODE(os.stat(os.path.join(folder, made[0])).st_mode) == 0o700,
          made)
    check("and so is the socket of the app without a portal",
          not stat.S_IMODE(os.stat(app.socket).st_mode) & 0o077)
    [server] = children(app.process.pid)
    os.kill(server, signal.SIGTERM)
    while os.path.exists(f"/proc/{server}"):
        time.sleep(0.05)
    status, text, _ = app.ask("/api/v1/me", X_Rspb_Token=token)
    check("a server that ended is started again, with another token",
          status == 401, (status, text))
    status, text, _ = app.session()
    check("which the page can ask for", status == 200 and
          json.loads(text)["token"] != token, (status, text))
    [server] = children(app.process.pid)
    code = app.end()
    check("the app ends well", code == 0, code)
    for _ in range(100):
        if not os.path.exists(f"/proc/{server}"):
            break
        time.sleep(0.05)
    check("and its server with it", not os.path.exists(f"/proc/{server}"))
    left = [one for one in os.listdir(folder) if one.startswith("rspb-ood-")]
    check("nothing of them is left", not left, left)


def main():
    with tempfile.TemporaryDirectory() as folder:
        scontrol(folder)
        more = {}
        if not os.geteuid():
            # rspb web asks root to say that it means it.
            more["RSPB"] = os.path.join(folder, "rspb")
            write_program(more["RSPB"],
                          f'#!/bin/sh\nexec {RSPB} "$@" --allow-operator\n')
        app = App(folder, **more)
        status, text, _ = app.session()
        if "without libmicrohttpd" in text:
            print(text)
            app.end()
            return 77
        check("it starts rspb web", status == 200, (status, text))
        if not failed:
            show_page(app)
            pass_on(app, guard_token(app, os.geteuid()))
            end_and_start(app, folder, json.loads(text)["token"])
        app.process.kill()
        os.unlink(app.socket) if os.path.exists(app.socket) else None
        app = App(folder, RSPB="/nowhere/rspb")
        status, text, _ = app.session()
        check("where rspb is missing the page says so", status == 503 and
              "ENOENT" in text, (status, text))
        app.end()
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
