# SPDX-License-Identifier: GPL-2.0-or-later
"""The size and shape of what slurmctld and slurmd load. figures.py SOURCE: run in the build."""
import collections
import os
import re
import subprocess
import sys

source = sys.argv[1]
CLIPPED = re.compile(r"(Who|What|Whose|Those|Of|One|It|So|Behind|By)\b")


def sources():
    found = []
    for top in ("common", "plugins"):
        for folder, _, names in os.walk(os.path.join(source, top)):
            found += [os.path.join(folder, name) for name in names if name.endswith((".c", ".h"))]
    return sorted(found)


def parts(text):
    """The code and the comments of a file; texts in quotes are code."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
    comments = []

    def cut(match):
        if match.group().startswith("/"):
            comments.append(match.group())
            return "\n" * match.group().count("\n")
        return match.group()

    return token.sub(cut, text), comments


def files_that_name(word):
    """Source files with that name in their code; settings of the same name do not count."""
    found = 0
    for top in ("common", "contrib", "plugins"):
        for folder, _, names in os.walk(os.path.join(source, top)):
            if folder.endswith("common/conf"):
                continue
            for name in names:
                if name.endswith((".c", ".h")):
                    text = open(os.path.join(folder, name), encoding="utf-8").read()
                    found += bool(re.search(r"\b%s\b" % word, parts(text)[0]))
    return found


def names_of(objects, wanted, flag="--defined-only"):
    """(kind, name) of the symbols of object files, for the kinds that are wanted."""
    said = subprocess.run(["nm", flag] + objects, capture_output=True, text=True, check=True)
    pairs = set()
    for line in said.stdout.splitlines():
        words = line.split()
        if len(words) >= 2 and words[-2] in wanted:
            pairs.add(words[-1])
    return pairs


def objects_of(top):
    found = []
    for folder, _, names in os.walk(os.path.join("plugins", top)):
        if folder.endswith(".libs"):
            found += [os.path.join(folder, name) for name in names
                      if name.startswith("librspb_la-") and name.endswith(".o")]
    return sorted(found)


def variables(objects):
    """Objects that can change, but for those that the compiler makes."""
    said = subprocess.run(["objdump", "-t"] + objects, capture_output=True, text=True, check=True)
    return sum(1 for line in said.stdout.splitlines()
               if re.search(r" O \.(data|bss|tdata|tbss)(?!\.rel\.ro)", line)
               and not re.search(r"\.data\.rel\.ro", line))


def measure():
    code = comment_lines = c_lines = clipped = comments_seen = short = long_lines = 0
    includes = collections.Counter()
    applies, resets = set(), 0
    headers = []
    for path in sources():
        text = open(path, encoding="utf-8").read()
        name = os.path.relpath(path, source)
        plain, comments = parts(text)
        lines = sum(1 for line in plain.splitlines() if line.strip())
        code += lines
        long_lines += sum(1 for line in text.splitlines() if len(line.expandtabs(8)) > 100)
        for comment in comments:
            said = re.sub(r"^[/*!\s]+", "", comment)
            comments_seen += 1
            clipped += bool(CLIPPED.match(said))
        for header in re.findall(r'#include "([^"]+)"', text):
            if os.path.splitext(header)[0] != os.path.splitext(name)[0]:
                includes[header] += 1
        if name.endswith(".h"):
            headers.append(name)
            continue
        comment_lines += sum(comment.count("\n") + 1 for comment in comments)
        c_lines += lines
        short += text.count("\n") < 100
        if name.startswith("plugins/ctld/"):
            resets += len(re.findall(r"^(?:static )?void \w*reset\w*\(void\)", plain, re.M))
            if "rspb_book_apply(" in plain and not name.startswith("plugins/ctld/book/"):
                applies.add(name)
    ctld, compat = objects_of("ctld"), objects_of("compat")
    rooms = [entry for entry in os.scandir(os.path.join(source, "plugins/ctld")) if entry.is_dir()]
    asked = names_of(ctld, ("U",), "--undefined-only") if ctld else set()
    given = names_of(compat, ("T",)) if compat else set()
    return [
        ("code lines of plugins and common", code, "<= 51000"),
        ("files that name `remind`, a member of a request", files_that_name("remind"), "<= 8"),
        ("variables of the controller that can change", variables(ctld) if ctld else None,
         "<= 60"),
        ("functions of the controller that reset them", resets, "<= 10"),
        ("files outside the book that call rspb_book_apply", len(applies), "1"),
        ("rooms of the controller", len(rooms), "<= 12"),
        ("functions of compat that the controller links against",
         len(asked & given) if ctld else None, "<= 115"),
        ("comment lines in .c files, per cent",
         round(100 * comment_lines / (comment_lines + c_lines), 1), ">= 12"),
        ("comments that begin with a pronoun or preposition, per cent",
         round(100 * clipped / comments_seen, 1), "0"),
        ("headers that serve one other file", sum(1 for h in headers if includes[h] == 1), "few"),
        (".c files under 100 lines", short, "few"),
        ("lines over 100 columns", long_lines, "0"),
    ]


def main():
    print("%-60s %8s  %s" % ("figure", "is", "wanted"))
    for name, is_, wanted in measure():
        print("%-60s %8s  %s" % (name, "-" if is_ is None else is_, wanted))


main()
