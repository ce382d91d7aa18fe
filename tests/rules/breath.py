# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests/rules/breath says: breath.py TOP. Reads the sources as they are formatted
here; what goes through a table of functions is not seen, but for policies' breathe()."""
import glob
import os
import re
import sys

# Between two of many, or two parts of something long, without locks.
NAMED = """
observe/changed.c observe/intake.c base/wake.c decide/commit.c decide/redecision.c
decide/commit.c decide/preempt.c decide/proposal.c decide/recount.c decide/suits.c
record/durable.c
observe/dependents.c observe/late.c observe/recheck.c serve/change.c
watch/comeback.c watch/sooner.c watch/threat.c agent.c""".split()

FUNCTION = re.compile(r'^(static )?[a-z][\w \*]*?\b(\w+)\([^;{]*?\)\n\{\n(.*?)^\}',
                      re.M | re.S)
BOOK = r'rspb_book_ledger\(\)'
OF_BOOK = r'^&?(?:rspb_ledger_(?:find|at)\()?(?:%s)(?!\w)'
WHOLE = r'[^()]*\)?'


def functions(texts):
    """{(file or '' where all may call it, name): (file, body)}"""
    found = {}
    for file, text in texts.items():
        text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\n])*"', '', text, flags=re.S)
        for match in FUNCTION.finditer(text):
            found[file if match[1] else '', match[2]] = file, match[3]
    return found


def called(all_of, file, body):
    names = set(re.findall(r'(?<![>.\w])(\w+)\(', body))
    if re.search(r'(->|\.)breathe\(', body):
        names.add('rspb_breathe')
    return {key for name in names for key in ((file, name), ('', name))
            if key in all_of or name == 'rspb_breathe'}


def breathing(all_of):
    """Those that may breathe."""
    calls = {key: called(all_of, *of) for key, of in all_of.items()}
    breath, before = {('', 'rspb_breathe')}, 0
    while len(breath) > before:
        before = len(breath)
        breath |= {key for key, names in calls.items() if names & breath}
    return breath, calls


def arguments(body, at):
    """Those of a call, without what is around them."""
    depth, begin, out = 1, at, []
    while depth:
        depth += (body[at] in '([{') - (body[at] in ')]}')
        if not depth or (depth == 1 and body[at] == ','):
            out.append(body[begin:at].strip())
            begin = at + 1
        at += 1
    return out


def held(body):
    """{pointer into the book: where it becomes one}"""
    names = {}
    for match in re.finditer(r'\b(\w+) = ([^;]*?)[;,]', body, re.S):
        value = match[2].split('?')[-1].strip()
        if (re.match(OF_BOOK % '|'.join([BOOK, *names]), value)
                and re.search(r'struct rspb_\w+ \*(?:[^;]*?\*)?%s\b' % match[1],
                              body)
                and not re.match(r'\w+(->|\.)\w+$', value)):
            names.setdefault(match[1], []).append(match.end())
    return names


def faults(all_of):
    breath, calls = breathing(all_of)
    for key, (file, body) in sorted(all_of.items()):
        if 'ctld' not in file or not calls[key] & breath:
            continue
        names = held(body)
        for _, name in calls[key] & breath:
            for call in re.finditer(r'(?<![>.\w])%s\(' % name, body):
                behind = body.find(';', call.end())
                for one, places in names.items():
                    again = [p for p in places if p > call.start()]
                    until = min(again) if again else len(body)
                    if (min(places) < call.start() and
                            re.search(r'\b%s\b(?! =)' % one, body[behind:until])):
                        yield '%s: %s() uses %s behind %s()' % (
                            file, key[1], one, name)
                for given in arguments(body, call.end()):
                    if given in names or re.fullmatch(
                            OF_BOOK % '|'.join([BOOK, *names]) + WHOLE, given,
                            re.S):
                        yield '%s: %s() hands %s to %s()' % (
                            file, key[1], given, name)
        if file.endswith('.c') and re.search(r'\brspb_breathe\(', body):
            place = file.split('plugins/ctld/')[-1]
            if place not in NAMED and key[1] != 'rspb_breathe':
                yield '%s: %s() breathes, and is not named' % (file, key[1])


BAD = {'plugins/ctld/agent.c': '''
static void wait(void)
{
	rspb_breathe();
}

static void keep(uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);

	wait();
	use(b);
}

static void look(const struct rspb_booking *b)
{
	wait();
	use(b);
}

void rspb_hand(uint64_t id)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	look(rspb_ledger_find(ledger, id));
}
''', 'plugins/ctld/other.c': '''
void rspb_other(void)
{
	rspb_breathe();
}
'''}
GOOD = {'plugins/ctld/agent.c': '''
static void fine(uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	int64_t at = b->start;

	rspb_breathe();
	b = rspb_ledger_find(rspb_book_ledger(), id);
	use(b, at);
}
'''}


def main():
    top = sys.argv[1]
    told = list(faults(functions(BAD)))
    if len(told) != 3 or list(faults(functions(GOOD))):
        sys.exit('breath: the rule itself sees wrong: %s' % told)
    texts = {}
    for file in glob.glob('%s/plugins/ctld/**/*.c' % top, recursive=True) + \
            glob.glob('%s/common/**/*.c' % top, recursive=True):
        with open(file, encoding='utf-8') as text:
            texts[os.path.relpath(file, top)] = text.read()
    all_of = functions(texts)
    told = list(faults(all_of))
    for line in told:
        print('breath: ' + line, file=sys.stderr)
    count = len(breathing(all_of)[0])
    if count < 50:
        sys.exit('breath: only %d functions are seen to breathe' % count)
    sys.exit(bool(told))


if __name__ == '__main__':
    main()
