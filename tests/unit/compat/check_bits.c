/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of nodes are read quickly as Slurm itself reads them, or left to it. */
#include "plugins/compat/bits.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/slurm.h"
#include "tests/unit/compat/slurm_bits.h"
#include "tests/unit/runner.h"

enum { MOST = 256, ROUNDS = 20000 };

int node_record_count;
node_record_t **node_record_table_ptr;

static node_record_t records[MOST], *table[MOST];
static char names[MOST][16], hosts[MOST][16];

int nodes_there(void)
{
	return node_record_count;
}

void *node_find(const char *name, int *at)
{
	for (int host = 0; host < 2; host++)
		for (int i = 0; i < node_record_count; i++) {
			if (!table[i] || strcmp(host ? hosts[i] : names[i], name) != 0)
				continue;
			if (at)
				*at = i;
			return table[i];
		}
	return NULL;
}

static void put(const char *name)
{
	int i = node_record_count++;

	ck_assert_int_lt(i, MOST);
	snprintf(names[i], sizeof(names[i]), "%s", name);
	snprintf(hosts[i], sizeof(hosts[i]), "host%d", i);
	records[i].index = i;
	records[i].name = names[i];
	table[i] = &records[i];
}

static void put_run(const char *format, int from, int to)
{
	for (int n = from; n <= to; n++) {
		char name[16];

		snprintf(name, sizeof(name), format, n);
		put(name);
	}
}

/* Runs that end and go on elsewhere, leading zeros, a place that no node is in. */
static void setup(void)
{
	/* Of each text that it refuses Slurm says so there. */
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	node_record_count = 0;
	node_record_table_ptr = table;
	put_run("n%d", 1, 12);
	put("login");
	put_run("n%d", 13, 30);
	put_run("gpu%03d", 95, 104);
	put_run("r%02d", 1, 20);
	put_run("r%d", 1, 5);
	put_run("a1b%d", 0, 12);
	put_run("c%d-x", 1, 4);
	put_run("x-%d", 8, 11);
	put("n");
	put("7");
	for (int n = 40; n > 30; n--)
		put_run("n%d", n, n);
	table[3] = NULL; /* n4 was deleted */
	put_run("n%d", 99999998, 99999999);
}

/* Both ways say the same. RET whether Slurm's was needed; *found: it is one of names. */
static bool same(const char *text, bool *found)
{
	bitstr_t *quick = NULL, *slow = NULL;
	struct rspb_err err;
	int before = slow_ways, rc = rspb_bits_named("nodes", text, &quick, &err);
	bool needed = slow_ways != before;
	char copy[256];

	snprintf(copy, sizeof(copy), "%s", text);
	*found = !rc;
	if (!needed && !rc) {
		ck_assert_msg(!rspb_release_nodes(copy, &slow), "'%s': Slurm knows none such",
			      text);
		for (int i = 0; i < node_record_count; i++)
			ck_assert_msg(!bit_test(quick, i) == !bit_test(slow, i), "'%s': node %s",
				      text, names[i]);
	}
	if (quick)
		FREE_NULL_BITMAP(quick);
	if (slow)
		FREE_NULL_BITMAP(slow);
	return needed;
}

/* As Slurm writes them: needs no other way. */
START_TEST(what_slurm_writes_is_read_at_once)
{
	static const char *const texts[] = {
		"n1",
		"n[1-3]",
		"n[13-30]",
		"n[10-15,18,31-40]",
		"login",
		"gpu[095-104]",
		"gpu098,n9",
		"r[01-20],r[1-5]",
		"a1b[0-9]",
		"a1b[9,10-12]",
		"c1-x",
		"x-[8-9],x-[10-11]",
		"n,7,n1",
		"n[40]",
		"n[99999998-99999999]",
	};
	bool found;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ck_assert_msg(!same(texts[i], &found), "'%s'", texts[i]);
		ck_assert_msg(found, "'%s'", texts[i]);
	}
}
END_TEST

/* Others are Slurm's to read, or to refuse. */
START_TEST(what_is_written_otherwise_is_left_to_slurm)
{
	static const char *const texts[] = {
		"n[9-10]", "c[1-3]-x", "host1",	   "host[1-3]",	 "n[1-5]", "n4",      "n[30-32",
		"n1,",	   ",n1",      "n[3-1]",   "r[1-03]",	 "n[a]",   "n[]",     "n[1-]",
		"n[-3]",   "n1 n2",    "r[19-21]", "gpu[95-97]", "nobody", "n[1-2]x", "n[1-2]r1",
		"N1",	   "n01",      "n[5-30]",  "[1-3]",
	};
	bool found;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(same(texts[i], &found) || !found, "'%s'", texts[i]);
}
END_TEST

static uint64_t state = 29;

static unsigned draw(unsigned n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned) (state >> 33) % n;
}

static void draw_name(char *text, size_t size)
{
	static const char *const begins[] = { "n", "gpu",  "r",	 "a1b",	  "x-",
					      "c", "gpu0", "n1", "login", "7" };
	static const char *const formats[] = { "%d", "%02d", "%03d" };
	char *at = text;
	const char *format = formats[draw(3)];
	unsigned n = 1 + draw(3);

#define ADD(...) (at += snprintf(at, size - (size_t) (at - text), __VA_ARGS__))
	ADD("%s", begins[draw(10)]);
	if (draw(4)) {
		ADD("[");
		while (n--) {
			int from = (int) draw(40);

			ADD(format, from);
			if (draw(2)) {
				ADD("-");
				ADD(format, from + (int) draw(12) - 1);
			}
			ADD(n ? "," : "]");
		}
	}
	if (!draw(6))
		ADD("-x");
#undef ADD
}

/* Texts of a grammar wider than Slurm's own, with letters changed. */
START_TEST(texts_at_random)
{
	static const char letters[] = "[],-019nr ";
	unsigned quick = 0, slow = 0, refused = 0;
	unsigned n_rounds = (unsigned) test_rounds(ROUNDS);
	bool found;

	for (unsigned i = 0; i < n_rounds; i++) {
		char text[200] = "", name[64];

		for (unsigned n = 1 + draw(3); n; n--) {
			draw_name(name, sizeof(name));
			strcat(text, name);
			if (n > 1)
				strcat(text, ",");
		}
		if (!draw(3))
			text[draw((unsigned) strlen(text))] = letters[draw(sizeof(letters) - 1)];
		if (same(text, &found))
			slow += found;
		else
			quick += found;
		refused += !found;
	}
	ck_assert_uint_gt(quick, n_rounds / 100);
	ck_assert_uint_gt(slow, n_rounds / 1000);
	ck_assert_uint_gt(refused, n_rounds / 10);
}
END_TEST

RUN_TESTS("bits", setup, NULL, 0, what_slurm_writes_is_read_at_once,
	  what_is_written_otherwise_is_left_to_slurm, texts_at_random)
