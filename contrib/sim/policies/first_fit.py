#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""First fit, as the preset li-ff: the earliest start, on the lowest nodes.

    rspb-sim trace FILE.swf --compare li-ff,mine="python3 first_fit.py"

rspb-sim writes a line of JSON for each batch of requests and reads one answer
(doc/policy-programs.md)."""
import json
import sys


def decide(request):
    """The decision on one request: starts come in order, as [start, free nodes, ...]."""
    if not request["starts"]:
        return {"id": request["id"], "reason": "no start within its window has enough nodes"}
    return {"id": request["id"], "start": request["starts"][0][0]}


def answer(line):
    print(json.dumps(line), flush=True)


def main():
    machine = json.loads(sys.stdin.readline())
    assert machine["protocol"] == 1
    answer({"protocol": 1, "batch": 0, "send": "starts", "most": 1})
    for text in sys.stdin:
        batch = json.loads(text)
        # Only the first one: the next line has the others, with what is free then.
        answer({"decisions": [decide(batch["requests"][0])]})


if __name__ == "__main__":
    main()
