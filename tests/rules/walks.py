# SPDX-License-Identifier: GPL-2.0-or-later
"""The rule of tests/rules/walks: walks.py TOP. A list is known by its last name: two
lists of that name count as one. Calls through a pointer are followed where the
function is an argument of the one that walks."""
import glob
import os
import re
import sys

from breath import called, functions

WALKS = 'for_each|for_each_ro|for_each_nobreak|for_each_max|find_first|find_first_ro|' \
    'delete_all|delete_first|remove_first|sort|transfer_unique'
WALK = re.compile(r'\blist_(?:%s)\(((?:\w|->|\.|\(\))+), (\w+)' % WALKS)
TOUCH = re.compile(r'\blist_\w+\(((?:\w|->|\.|\(\))+)[,)]')
# Functions of Slurm that walk such a list themselves.
OF_SLURM = {
    'assoc_mgr_assoc_list': 'assoc_mgr_fill_in_assoc assoc_mgr_is_user_acct_coord',
    'assoc_mgr_qos_list': 'assoc_mgr_fill_in_qos',
    'assoc_mgr_user_list': 'assoc_mgr_fill_in_user assoc_mgr_is_user_acct_coord',
    'part_list': 'find_part_record get_part_list',
    'resv_list': 'find_resv_name create_resv update_resv delete_resv validate_job_resv '
                 'job_test_resv',
    'rspb_release_licenses()': 'license_validate license_job_test license_job_get',
}


def list_name(text):
    return re.split(r'->|\.', text)[-1]


def walked(all_of):
    """{name of a function: lists that it walks with a function it was given}"""
    found = {}
    for key, (_, body) in all_of.items():
        for at, _ in WALK.findall(body):
            found.setdefault(key, set()).add(list_name(at))
    return found


def reached(all_of, calls, key):
    """{list: by which function}, also by functions that are called."""
    seen, todo, lists = {key}, [key], {}
    while todo:
        at = todo.pop()
        body = all_of[at][1]
        for name in TOUCH.findall(body):
            lists.setdefault(list_name(name), at[1])
        for name, slurm in OF_SLURM.items():
            if re.search(r'\b(%s)\(' % slurm.replace(' ', '|'), body):
                lists.setdefault(name, at[1])
        for other in calls[at] - seen:
            if other in all_of:
                seen.add(other)
                todo.append(other)
    return lists


def walks(all_of):
    """(file, function, list, the function called for each item), also where a
    function that walks is handed that one by its caller."""
    by = walked(all_of)
    for (_, name), (file, body) in sorted(all_of.items()):
        for at, visit in WALK.findall(body):
            yield file, name, list_name(at), visit
        for call in re.finditer(r'(?<![>.\w])(\w+)\(([^;]*?)\);', body):
            for key in ((file, call[1]), ('', call[1])):
                for at in by.get(key, ()):
                    for visit in re.findall(r'\b\w+\b(?!\()', call[2]):
                        yield file, name, at, visit


def faults(all_of):
    calls = {key: called(all_of, *of) for key, of in all_of.items()}
    for file, name, at, visit in walks(all_of):
        for key in ((file, visit), ('', visit)):
            by = key in all_of and reached(all_of, calls, key).get(at)
            if by:
                yield '%s: %s() walks %s, and %s() reaches it in %s()' % (
                    file, name, at, visit, by)


BAD = {'plugins/compat/a.c': '''
static bool belongs(struct wanted *wanted)
{
	return some_list && list_find_first(some_list, has, wanted);
}

static int is_beside(void *item, void *key)
{
	return belongs(key);
}

static bool any_beside(struct wanted *wanted)
{
	return list_find_first(some_list, is_beside, wanted);
}

void rspb_each(int (*fn)(void *arg), void *arg)
{
	struct walk walk = { fn, arg };

	list_for_each(part_list, tell, &walk);
}
''', 'plugins/ctld/b.c': '''
static int look(void *arg)
{
	return find_part_record(arg) != NULL;
}

void rspb_all(void)
{
	rspb_each(look, NULL);
}
'''}
GOOD = {'plugins/compat/a.c': '''
static int add(void *item, void *arg)
{
	return list_find_first(other_list, has, item) ? 1 : 0;
}

void rspb_one_by_one(void)
{
	list_for_each(some_list, add, NULL);
	list_find_first(some_list, has, NULL);
}
'''}


def main():
    top = sys.argv[1]
    told = list(faults(functions(BAD)))
    if len(told) != 2 or list(faults(functions(GOOD))):
        sys.exit('walks: the rule itself sees wrong: %s' % told)
    texts = {}
    for file in glob.glob('%s/plugins/**/*.[ch]' % top, recursive=True):
        with open(file, encoding='utf-8') as text:
            texts[os.path.relpath(file, top)] = text.read()
    all_of = functions(texts)
    told = sorted(set(faults(all_of)))
    for line in told:
        print('walks: ' + line, file=sys.stderr)
    count = len(set(walks(all_of)))
    if count < 20:
        sys.exit('walks: only %d walks are seen' % count)
    sys.exit(bool(told))


main()
