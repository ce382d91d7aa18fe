/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The durable journal's file: what was said to be there is, whatever became of
 * the rest of it. */
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/wire/seal.h"
#include "plugins/ctld/record/store.h"
#include "tests/unit/runner.h"

enum { LINES = 12, NOW = 1795000000 };

static char path[] = "check_store.XXXXXX/journal";
static const char *folder;

static void setup(void)
{
	static char name[sizeof(path)];

	strcpy(name, "check_store.XXXXXX");
	folder = mkdtemp(name);
	ck_assert_ptr_nonnull(folder);
	snprintf(path, sizeof(path), "%s/journal", folder);
}

static void teardown(void)
{
	unlink(path);
	rmdir(folder);
}

/* RET the length of the i-th line, with its end. */
static size_t line(int i, char *text, size_t size)
{
	int length = snprintf(text, size,
			      "{\"at\":%d,\"promise\":{\"job\":%d,"
			      "\"contract\":\"rspb: booked\"}}",
			      NOW + i, i);
	size_t sealed = rspb_seal_close(text, (size_t) length);

	text[sealed] = '\n';
	text[sealed + 1] = '\0';
	return sealed + 1;
}

/* What was taken: how many, and whether each is one of those that were
 * written, in their order. */
struct taken {
	int n, last;
	bool good;
};

static void take(void *arg, const char *text, size_t length)
{
	struct taken *taken = arg;
	char wanted[256];
	const char *job = strstr(text, "\"job\":");
	int i = job ? atoi(job + 6) : -1;

	taken->good &= i > taken->last && i < 2 * LINES &&
		       line(i, wanted, sizeof(wanted)) == length + 1 &&
		       !memcmp(wanted, text, length);
	taken->last = i;
	taken->n++;
}

static int load(struct rspb_store *store, struct taken *taken, struct rspb_store_found *found,
		struct rspb_err *err)
{
	*taken = (struct taken){ .last = -1, .good = true };
	return rspb_store_load(store, path, "here", take, taken, found, err);
}

static void append(struct rspb_store *store, int first, int n)
{
	char text[LINES * 256] = "";
	size_t length = 0;
	struct rspb_err err;

	for (int i = first; i < first + n; i++)
		length += line(i, text + length, sizeof(text) - length);
	ck_assert_int_eq(rspb_store_append(store, text, length, &err), 0);
}

static void fill(struct rspb_store *store)
{
	struct rspb_store_found found;
	struct taken taken;
	struct rspb_err err;
	char first[256];

	ck_assert_int_eq(load(store, &taken, &found, &err), 0);
	ck_assert(!found.any);
	ck_assert_int_eq(rspb_store_replace(store, first, line(0, first, sizeof(first)), NOW, &err),
			 0);
	append(store, 1, LINES - 1);
}

static size_t slurp(char *text, size_t size)
{
	FILE *in = fopen(path, "r");
	size_t length = fread(text, 1, size, in);

	fclose(in);
	return length;
}

static void spill(const char *text, size_t length)
{
	FILE *out = fopen(path, "w");

	ck_assert_uint_eq(fwrite(text, 1, length, out), length);
	fclose(out);
}

START_TEST(what_is_written_is_read)
{
	struct rspb_store store = RSPB_STORE_NONE;
	struct rspb_store_found found;
	struct taken taken;
	struct rspb_err err;
	struct stat st;

	fill(&store);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(st.st_size, store.size);
	ck_assert_int_eq(load(&store, &taken, &found, &err), 0);
	ck_assert(taken.good && taken.n == LINES);
	ck_assert_uint_eq(found.lines, LINES + 1);
	ck_assert_uint_eq(found.broken, 0);
	ck_assert_int_eq(found.torn_bytes, 0);
}
END_TEST

/* Cut anywhere: all whole lines before that are there, and nothing else. */
START_TEST(torn_anywhere)
{
	static char text[LINES * 256];
	struct rspb_store store = RSPB_STORE_NONE;
	size_t length, whole = 0;
	int lines = -1; /* the first one is not counted */

	fill(&store);
	length = slurp(text, sizeof(text));
	for (size_t cut = 0; cut <= length; cut++) {
		struct rspb_store_found found;
		struct taken taken;
		struct rspb_err err;

		if (cut && text[cut - 1] == '\n') {
			lines++;
			whole = cut;
		}
		spill(text, cut);
		ck_assert_int_eq(load(&store, &taken, &found, &err), 0);
		ck_assert(taken.good);
		ck_assert_int_eq(taken.n, lines > 0 ? lines : 0);
		ck_assert_int_eq(found.torn_bytes, (int64_t) (cut - whole));
	}
}
END_TEST

/* Any bit: the line that it is in is missing, the others are there; where it
 * made two lines of one, or one of two, so are those. */
START_TEST(flipped_anywhere)
{
	static char text[LINES * 256];
	struct rspb_store store = RSPB_STORE_NONE;
	size_t length;

	fill(&store);
	length = slurp(text, sizeof(text));
	for (size_t i = 0; i < length * 8; i++) {
		struct rspb_store_found found;
		struct taken taken;
		struct rspb_err err;

		text[i / 8] ^= (char) (1 << i % 8);
		spill(text, length);
		ck_assert_int_eq(load(&store, &taken, &found, &err), 0);
		ck_assert(taken.good);
		ck_assert_int_ge(taken.n, LINES - 2);
		ck_assert(found.broken || found.torn_bytes);
		if (found.broken)
			ck_assert_int_le(found.broken_at, (int64_t) i / 8);
		text[i / 8] ^= (char) (1 << i % 8);
	}
}
END_TEST

START_TEST(noise_is_nothing)
{
	static char text[4096];
	struct rspb_store store = RSPB_STORE_NONE;
	uint32_t x = 7;

	for (int round = 0; round < 500; round++) {
		struct rspb_store_found found;
		struct taken taken;
		struct rspb_err err;

		for (size_t i = 0; i < sizeof(text); i++) {
			x = x * 1664525 + 1013904223;
			text[i] = (char) (x >> 24);
		}
		spill(text, sizeof(text));
		ck_assert_int_eq(load(&store, &taken, &found, &err), 0);
		ck_assert_int_eq(taken.n, 0);
	}
}
END_TEST

START_TEST(newer_is_left_alone)
{
	char text[128] = "{\"at\":1,\"journal\":{\"version\":2}}";
	struct rspb_store store = RSPB_STORE_NONE;
	struct rspb_store_found found;
	struct taken taken;
	struct rspb_err err;
	size_t length = rspb_seal_close(text, strlen(text));

	text[length] = '\n';
	spill(text, length + 1);
	ck_assert_int_eq(load(&store, &taken, &found, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "version 2; allowed is 1"));
}
END_TEST

/* As where a StateSaveLocation was copied. */
START_TEST(another_clusters_is_left_alone)
{
	struct rspb_store store = RSPB_STORE_NONE;
	struct rspb_store_found found;
	struct taken taken = { .last = -1, .good = true };
	struct rspb_err err;

	fill(&store);
	ck_assert_int_eq(rspb_store_load(&store, path, "there", take, &taken, &found, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "belongs to cluster here, and this is there"));
	ck_assert_int_eq(taken.n, 0);
	ck_assert_int_eq(rspb_store_load(&store, path, "HERE", take, &taken, &found, &err), 0);
	ck_assert_int_eq(taken.n, LINES);
}
END_TEST

/* A disk that gives back zeros, or a file that is none of ours: nothing of its
 * size is in memory. */
START_TEST(three_gigabytes_of_zeros)
{
	struct rspb_store store = RSPB_STORE_NONE;
	struct rspb_store_found found;
	struct taken taken;
	struct rspb_err err;
	char text[256];
	FILE *out;

	fill(&store);
	ck_assert_int_eq(truncate(path, INT64_C(3) << 30), 0);
	out = fopen(path, "a");
	line(LINES, text, sizeof(text));
	fprintf(out, "\n%s", text);
	fclose(out);
	ck_assert(test_memory(256 << 20));
	ck_assert_int_eq(load(&store, &taken, &found, &err), 0);
	ck_assert(taken.good && taken.n == LINES + 1 && found.broken == 1);
}
END_TEST

/* What is damaged is there to be looked at, also when that happens often. */
START_TEST(kept_aside)
{
	struct rspb_store store = RSPB_STORE_NONE;
	char name[256], wanted[256];
	struct stat st, now;
	struct rspb_err err;

	fill(&store);
	for (int i = 1; i <= RSPB_STORE_ASIDE + 2; i++) {
		snprintf(wanted, sizeof(wanted), "%s.damaged.%d", path,
			 i < RSPB_STORE_ASIDE ? i : RSPB_STORE_ASIDE);
		ck_assert_int_eq(stat(path, &st), 0);
		ck_assert_int_eq(rspb_store_keep_aside(&store, name, sizeof(name), &err), 0);
		ck_assert_str_eq(name, wanted);
		ck_assert_int_eq(rspb_store_replace(&store, "", 0, NOW, &err), 0);
		ck_assert_int_eq(stat(name, &now), 0);
		ck_assert_uint_eq(st.st_ino, now.st_ino);
	}
	for (int i = 1; i <= RSPB_STORE_ASIDE; i++) {
		snprintf(name, sizeof(name), "%s.damaged.%d", path, i);
		ck_assert_int_eq(unlink(name), 0);
	}
}
END_TEST

/* No file may grow beyond that. */
static void limit(rlim_t bytes)
{
	struct rlimit size = { .rlim_cur = bytes, .rlim_max = RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &size), 0);
}

/* Where there is no room nothing is said to be there, the old file stays whole,
 * and all is well when there is. */
START_TEST(no_room)
{
	struct rspb_store store = RSPB_STORE_NONE;
	struct rspb_store_found found;
	struct taken taken;
	struct rspb_err err;
	char text[LINES * 256];
	size_t length = 0;

	fill(&store);
	limit((rlim_t) store.size + 20);
	length = line(LINES, text, sizeof(text));
	ck_assert_int_eq(rspb_store_append(&store, text, length, &err), -1);
	ck_assert_int_eq(rspb_store_append(&store, text, 0, &err), -1);
	ck_assert_int_eq(load(&store, &taken, &found, &err), 0);
	ck_assert(taken.good && taken.n == LINES);
	ck_assert_int_eq(found.torn_bytes, 0);
	limit(64);
	ck_assert_int_eq(rspb_store_replace(&store, text, length, NOW, &err), -1);
	limit(RLIM_INFINITY);
	ck_assert_int_eq(load(&store, &taken, &found, &err), 0);
	ck_assert(taken.good && taken.n == LINES);
	ck_assert_int_eq(rspb_store_replace(&store, text, length, NOW, &err), 0);
	append(&store, LINES + 1, 2);
	ck_assert_int_eq(load(&store, &taken, &found, &err), 0);
	ck_assert(taken.good && taken.n == 3);
}
END_TEST

START_TEST(taken_away)
{
	struct rspb_store store = RSPB_STORE_NONE;
	char text[256], away[] = "away.XXXXXX";
	struct rspb_err err;

	fill(&store);
	/* It is there, and is not what is read the next time. */
	ck_assert_int_eq(close(mkstemp(away)) || rename(path, away), 0);
	ck_assert_int_eq(rspb_store_append(&store, text, line(1, text, sizeof(text)), &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "another process"));
	unlink(away);
}
END_TEST

RUN_TESTS("store", setup, teardown, 60, what_is_written_is_read, torn_anywhere, flipped_anywhere,
	  noise_is_nothing, newer_is_left_alone, another_clusters_is_left_alone,
	  three_gigabytes_of_zeros, kept_aside, no_room, taken_away)
