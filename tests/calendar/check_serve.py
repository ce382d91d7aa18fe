# SPDX-License-Identifier: GPL-2.0-or-later
"""What rspb timeline --serve answers, and to whom."""
import http.client
import json
import os
import re
import socket
import sys
import tempfile
import threading
import urllib.parse

import document
import serve
from judge import RSPB, check, failed


def ask(url, path, method="GET", **headers):
    at = urllib.parse.urlsplit(url)
    line = http.client.HTTPConnection(at.hostname, at.port, timeout=20)
    line.request(method, path, headers=headers)
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, dict(answer.getheaders()), body


def with_key(url):
    root = urllib.parse.urlsplit(url).path
    check("the address is one that nobody guesses",
          re.fullmatch(r"/[0-9a-f]{32}/", root) is not None, root)
    status, headers, body = ask(url, root)
    check("the page is there", status == 200 and "<canvas" in body, status)
    policy = headers.get("Content-Security-Policy", "")
    nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", policy)
    check("with a strict policy", nonce and "unsafe" not in policy and
          policy.startswith("default-src 'none'") and
          "frame-ancestors 'none'" in policy, policy)
    check("whose word all its scripts have",
          nonce and len(re.findall("<script", body)) ==
          len(re.findall(f'<script[^>]*nonce="{nonce[1]}"', body)))
    check("and no other page", nonce and nonce[1] not in ask(url, root)[2])
    status, headers, body = ask(url, root + "calendar.json")
    check("what it shows is beside it", status == 200 and
          len(json.loads(body)["bookings"]) == 5 and
          headers["Content-Type"] == "application/json", status)
    for path in ("/", "/calendar.json", root[:-1], root + "x", root * 2,
                 root + "../" , "/" + "0" * 32 + "/",
                 root[:-2] + ("0" if root[-2] != "0" else "1") + "/"):
        status, _, body = ask(url, path)
        check(f"nothing is at {path[:20]}", status == 404 and
              "bookings" not in body, (path, status))
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        check(f"{method} is refused", ask(url, root, method)[0] == 405)
    check("HEAD is not", ask(url, root, "HEAD")[0] == 200)
    for host, wanted in (("evil.example", 403), ("localhost.evil.example", 403),
                         ("127.0.0.1.evil.example:80", 403), ("", 403),
                         ("localhost:9", 200), ("127.0.0.1", 200),
                         ("[::1]:80", 200)):
        status = ask(url, root, Host=host)[0]
        check(f"by the name '{host}' {wanted}", status == wanted, status)


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
            with_key(served.url)
            only_loopback(served.url)
            rudely(served.url)
        check("SIGTERM ends it well", served.code == 0, served.code)
        with serve.Served(RSPB, path, "--anonymous") as served:
            status, _, body = ask(served.url, "/calendar.json")
            check("anonymously there is no key", status == 200, status)
            check("and nothing is the reader's", '"mine"' not in body)
        with serve.Served(RSPB, "/nowhere") as served:
            root = urllib.parse.urlsplit(served.url).path
            status, _, body = ask(served.url, root)
            check("without an answer of slurmctld it says so",
                  status == 503 and "does not answer" in body, (status, body))
    return bool(failed)


sys.exit(main())
