#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""First fit that leaves room: who asks for an hour or more takes no start at which fewer than
an eighth of the nodes would stay free. Short and narrow requests find a place there.

    rspb-sim model lublin --runs 8 --compare li-ff,mine="python3 leave_room.py" """
from first_fit import answer, json, sys

machine = json.loads(sys.stdin.readline())
answer({"protocol": 1, "send": "starts"})
for text in sys.stdin:
    request = json.loads(text)["requests"][0]
    spare = machine["nodes"] // 8 if request["duration"] >= 3600 else 0
    need = min(request["nodes"] + spare, machine["nodes"])
    fits = [start for start, free, _, _ in request["starts"] if free >= need]
    decision = {"start": fits[0]} if fits else {"reason": "too little would stay free"}
    answer({"decisions": [{"id": request["id"], **decision}]})
