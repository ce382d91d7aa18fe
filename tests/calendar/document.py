# SPDX-License-Identifier: GPL-2.0-or-later
"""Calendars for the tests: made up, the same for the same seed."""
import random

NOW = 1790000000
USERS = ["ann", "bob", "cleo", "dan"] + [f"u{i}" for i in range(60)]


def bookings(rng, nodes, count):
    """Bookings one after the other on each node; ann reads them."""
    free = [NOW - 3600] * nodes
    for i in range(count):
        size = min(nodes, int(2 ** rng.uniform(0, 8)))
        first = rng.randrange(nodes - size + 1)
        start = max(free[first:first + size]) + rng.randrange(7200)
        end = start + rng.choice([600, 3600, 7200, 14400, 43200])
        free[first:first + size] = [end] * size
        user = rng.choice(USERS)
        booking = {"id": f"rspb_{i + 1}", "user": user,
                   "account": rng.choice(["astro", "bio", "climate"]),
                   "state": "active" if start <= NOW else "booked",
                   "start": start, "end": end,
                   "on": f"{first}-{first + size - 1}",
                   "benefit": 1 if rng.random() < 0.8 else 0.5}
        if user == "ann":
            booking["mine"] = True
        if rng.random() < 0.1:
            booking["share"] = 35
        yield booking


def others(rng, nodes):
    yield {"kind": "reservation", "label": "maintenance",
           "start": NOW + 86400, "end": NOW + 100000, "on": f"0-{nodes // 8}"}
    for i in range(nodes // 20):
        yield {"kind": "job", "label": f"job {i}",
               "start": NOW - rng.randrange(4000),
               "end": NOW + rng.randrange(100, 8000),
               "on": str(rng.randrange(nodes))}


def make(nodes, count, seed):
    rng = random.Random(seed)
    return {"version": 1, "cluster": "test", "time": NOW,
            "nodes": [f"n{i + 1}" for i in range(nodes)],
            "bookings": list(bookings(rng, nodes, count)),
            "others": list(others(rng, nodes))}


def classes(nodes, plain):
    """The first so many nodes without GPUs, the rest with four each."""
    return [{"on": f"0-{plain - 1}", "partitions": ["main"], "cores": 16,
             "memory": 64000, "gpus": 0, "features": ""},
            {"on": f"{plain}-{nodes - 1}", "partitions": ["main"], "cores": 16,
             "memory": 64000, "gpus": 4, "gres": "gpu:a100:4", "features": "fast"}]


def runs(text):
    for run in text.split(","):
        first, _, last = run.partition("-")
        yield from range(int(first), int(last or first) + 1)


def free_starts(document, wanted, length, start):
    """Whether so many nodes are free together from then on for so long."""
    taken = set()
    for item in document["bookings"] + document["others"]:
        if item["start"] < start + length and item["end"] > start:
            taken.update(runs(item["on"]))
    return len(document["nodes"]) - len(taken) >= wanted
