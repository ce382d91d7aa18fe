# SPDX-License-Identifier: GPL-2.0-or-later
"""What rspb timeline --serve answers, and to whom."""
import http.client
import json
import os
import random
import re
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import document
import serve
from judge import RSPB, check, failed, scontrol


def ask(url, path, method="GET", body=None, **headers):
    at = urllib.parse.urlsplit(url)
    line = http.client.HTTPConnection(at.hostname, at.port, timeout=20)
    line.request(method, path, body, {name.replace("_", "-"): value
                                      for name, value in headers.items()})
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, dict(answer.getheaders()), body


CALENDAR = "/api/v1/calendar"


def with_token(served):
    """Who has the address reads; nobody else, and nobody changes anything."""
    url, token = served.url, served.token
    check("the token of the address is one that nobody guesses",
          re.fullmatch(r"[0-9a-f]{32}", token) is not None, url)
    status, headers, body = ask(url, "/")
    check("the page is there, without data", status == 200 and
          "<canvas" in body and "ann" not in body, status)
    policy = headers.get("Content-Security-Policy", "")
    check("with a strict policy", "script-src 'self'" in policy and
          "unsafe" not in policy and policy.startswith("default-src 'none'") and
          "frame-ancestors 'none'" in policy, policy)
    status, headers, body = ask(url, CALENDAR, X_Rspb_Token=token)
    check("what it shows is beside it", status == 200 and
          len(json.loads(body)["bookings"]) == 5 and
          headers["Content-Type"] == "application/json", status)
    for wrong in ({}, {"X_Rspb_Token": "0" * 32}, {"Cookie": "t=" + token}):
        status, _, body = ask(url, CALENDAR, **wrong)
        check(f"but not with {wrong or 'nothing'}"[:50], status == 401 and
              "bookings" not in body, status)
    for path in ("/calendar.json", "/x", "/app.js/", "/../etc/passwd"):
        check(f"nothing is at {path}", ask(url, path)[0] == 404)
    for method in ("PUT", "DELETE", "OPTIONS"):
        check(f"{method} is refused", ask(url, "/", method)[0] == 405)
    check("HEAD is not", ask(url, "/", "HEAD")[0] == 200)
    for path in ("ask", "submit", "cancel"):
        status, _, body = ask(url, "/api/v1/" + path, "POST", "{}", X_Rspb_Token=token,
                              Content_Type="application/json")
        check(f"{path} changes nothing", status == 403 and "only be read" in body,
              (status, body))
    status, _, body = ask(url, "/api/v1/me", X_Rspb_Token=token)
    check("the page knows that", json.loads(body).get("readonly") is True, body)
    for host, wanted in (("evil.example", 403), ("localhost.evil.example", 403),
                         ("127.0.0.1.evil.example:80", 403), ("", 403),
                         ("localhost:9", 200), ("127.0.0.1", 200),
                         ("[::1]:80", 200)):
        status = ask(url, "/", Host=host)[0]
        check(f"by the name '{host}' {wanted}", status == wanted, status)


def merged(doc, answer):
    """A calendar with its changes, as a page makes it of them."""
    made = doc | {key: value for key, value in answer.items() if key != "changes"}
    for key, value in answer.items():
        if isinstance(value, list):
            made[key] = [one for part in value for one in (
                doc[key][part[0]:part[0] + part[1]] if isinstance(part, list) else [part])]
    return made


def only_changes(served, path, made):
    """Who knows the calendar before gets what differs, which gives the calendar now."""
    seed = random.randrange(10 ** 6)
    print(f"# seed {seed}")
    rng = random.Random(seed)
    made = made | {"bookings": document.make(64, 400, seed)["bookings"]}
    known = wrong = None
    sizes = []
    for turn in range(7):
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(made, file)
        os.rename(path + ".new", path)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            since = f"?since={known['serial']}" if known else ""
            answer = json.loads(ask(served.url, CALENDAR + since,
                                    X_Rspb_Token=served.token)[2])
            if answer.get("bookings") and not answer.get("same"):
                break
            time.sleep(0.3)
        whole = json.loads(ask(served.url, CALENDAR, X_Rspb_Token=served.token)[2])
        if turn:
            sizes.append(len(json.dumps(answer)) / len(json.dumps(whole)))
            known = merged(known, answer)
            known["time"] = whole["time"]
            if not answer.get("changes") or known != whole:
                wrong = wrong or (turn, answer.keys())
        known = whole
        bookings = made["bookings"][:]
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(bookings))
            kind = rng.randrange(3)
            if kind == 0:
                bookings[at] = bookings[at] | {"end": bookings[at]["end"] + 60 + turn}
            elif kind == 1:
                # Some stay, to be changed.
                del bookings[at:at + min(rng.choice([1, 3, 90]), len(bookings) - 20)]
            else:
                bookings.insert(at, bookings.pop(rng.randrange(len(bookings))))
        made = made | {"bookings": bookings}
    check("changes give the calendar that there is", wrong is None, wrong)
    check("and are a small part of it", min(sizes) < .1, sizes)


def as_strangers(served):
    """A site's page: no token, and nothing that is the reader's."""
    url = served.url
    check("anonymously there is no token", not served.token, url)
    status, _, body = ask(url, CALENDAR)
    check("and the calendar is there", status == 200, status)
    check("in which nothing is the reader's", '"mine"' not in body)
    status, _, body = ask(url, "/api/v1/me")
    check("nor is the name of who serves it", status == 200 and
          "user" not in json.loads(body) and "uid" not in json.loads(body), body)
    for path in ("ask", "submit", "cancel"):
        status, _, body = ask(url, "/api/v1/" + path, "POST", '{"op":"list"}',
                              Content_Type="application/json")
        check(f"{path} is refused", status == 405 and "only be read" in body,
              (status, body))
    check("another web site is refused nevertheless", ask(
        url, CALENDAR, Sec_Fetch_Site="cross-site")[0] == 403)
    check("as is a name that leads here", ask(
        url, CALENDAR, Host="evil.example")[0] == 403)


def for_a_proxy(folder):
    """rspb web --anonymous on a socket that a proxy of another user opens."""
    path = os.path.join(folder, "open.sock")
    scontrol(folder)
    with subprocess.Popen([RSPB, "web", "--anonymous", "--socket=" + path,
                           "--host=calendar.example"], stdout=subprocess.PIPE,
                          text=True, env=os.environ | {
                              "PATH": folder + ":" + os.environ["PATH"]}) as server:
        lines = [server.stdout.readline(), server.stdout.readline()]
        check("it prints an address without a token", "Then open:" in lines[1] and
              "#t=" not in lines[1], lines)
        check("its socket is for all, and no token lies beside it",
              stat.S_IMODE(os.stat(path).st_mode) == 0o666 and
              not os.path.exists(path + ".token"))
        code = ("import http.client,os,socket,sys\nif not os.geteuid(): os.setuid(65534)\n"
                "c=http.client.HTTPConnection('localhost'); c.sock=socket.socket("
                "socket.AF_UNIX); c.sock.connect(sys.argv[1])\n"
                "c.request('GET','/api/v1/me',headers={'Host':sys.argv[2]})\n"
                "print(c.getresponse().status)")
        os.chmod(folder, 0o755)
        for host, wanted in (("calendar.example", "200"), ("localhost", "200"),
                             ("evil.example", "403")):
            said = subprocess.run([sys.executable, "-c", code, path, host], text=True,
                                  capture_output=True)
            check(f"another user's proxy gets {wanted} for {host}",
                  said.stdout.strip() == wanted, (said.stdout, said.stderr))
        server.terminate()
    check("and it removes its socket", not os.path.exists(path))


def only_loopback(url):
    port = urllib.parse.urlsplit(url).port
    try:
        mine = socket.gethostbyname(socket.gethostname())
    except OSError:
        mine = "127.0.0.2"
    if mine == "127.0.0.1":
        mine = "127.0.0.2"
    try:
        socket.create_connection((mine, port), timeout=2).close()
        check("nobody reaches it by another address", False, mine)
    except OSError:
        check("nobody reaches it by another address", True)


def rudely(url):
    """Half requests, and many at once, keep nobody else from an answer."""
    at = urllib.parse.urlsplit(url)
    lines = [socket.create_connection((at.hostname, at.port))
             for _ in range(30)]
    for line in lines:
        line.sendall(b"GET / HTTP/1.1\r\nHost: local")
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(
        ask(url, at.path)[0])) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("who comes beside slow ones is served", answers == [200] * 20,
          answers)
    for line in lines:
        line.close()


def main():
    made = document.make(8, 5, 1)
    made["bookings"][0]["mine"] = True
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calendar.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(made, file)
        with serve.Served(RSPB, path) as served:
            if not served.url:
                print(served.said)
                return 77 if "without libmicrohttpd" in served.said else 1
            with_token(served)
            only_loopback(served.url)
            only_changes(served, path, made)
            rudely(served.url)
        check("SIGTERM ends it well", served.code == 0, served.code)
        with serve.Served(RSPB, path, "--anonymous") as served:
            as_strangers(served)
        for_a_proxy(folder)
        with serve.Served(RSPB, "/nowhere") as served:
            status, _, body = ask(served.url, CALENDAR, X_Rspb_Token=served.token)
            check("without an answer of slurmctld it says so",
                  status == 503 and "does not answer" in body, (status, body))
    return bool(failed)


sys.exit(main())
