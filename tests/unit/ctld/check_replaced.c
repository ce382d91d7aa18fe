/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal's files of before, which are there for replays. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plugins/ctld/record/store.h"
#include "tests/unit/runner.h"

enum { NOW = 1795000000 };

static char folder[] = "check_replaced.XXXXXX", path[64];
static struct rspb_store store = RSPB_STORE_NONE;

static bool full; /* the disk */

/* The library's, but for that. */
ssize_t write(int fd, const void *text, size_t length)
{
	if (!full)
		return syscall(SYS_write, fd, text, length);
	errno = ENOSPC;
	return -1;
}

static void replace(void)
{
	struct rspb_err err;

	ck_assert_int_eq(rspb_store_replace(&store, "", 0, NOW, &err), 0);
}

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/journal", folder);
	rspb_store_name(&store, path, "here");
	replace();
}

static void teardown(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	ck_assert_int_eq(rmdir(folder), 0);
}

/* RET how many of these names are there; each is removed. */
static int remove_kept(const int64_t *seconds, int n)
{
	char name[256];
	int there = 0;

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s-%010" PRId64, path, seconds[i]);
		there += !unlink(name);
	}
	return there;
}

/* What is replaced stays as it was, for so long. */
START_TEST(replaced_stays)
{
	const int64_t kept[] = { NOW - 50, NOW - 150 };
	char name[256];
	struct stat st, now;

	for (int keep = 0; keep <= 100; keep += 100) {
		store.keep = keep;
		for (int i = 0; i < 2; i++) {
			snprintf(name, sizeof(name), "%s-%010" PRId64, path, kept[i]);
			ck_assert_int_eq(symlink("none", name), 0);
		}
		ck_assert_int_eq(stat(path, &st), 0);
		replace();
		ck_assert_int_eq(remove_kept(&kept[1], 1), 0);
		ck_assert_int_eq(remove_kept(kept, 1), keep ? 1 : 0);
		snprintf(name, sizeof(name), "%s-%010" PRId64, path, (int64_t) st.st_mtime);
		ck_assert_int_eq(stat(name, &now), keep ? 0 : -1);
		if (!keep)
			continue;
		ck_assert_uint_eq(st.st_ino, now.st_ino);
		ck_assert_int_eq(unlink(name), 0);
	}
}
END_TEST

static void keep_one(int64_t second, off_t bytes)
{
	char name[256];
	FILE *out;

	snprintf(name, sizeof(name), "%s-%010" PRId64, path, second);
	out = fopen(name, "w");
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(ftruncate(fileno(out), bytes), 0);
	fclose(out);
}

/* The oldest of too many. */
START_TEST(too_much_stays)
{
	const int64_t kept[] = { NOW - 3, NOW - 2, NOW - 1 };

	store.keep = INT64_C(1) << 30;
	for (int i = 0; i < 3; i++)
		keep_one(kept[i], RSPB_STORE_KEPT / 5 * 2);
	replace();
	ck_assert_int_eq(remove_kept(kept, 1), 0);
	ck_assert_int_eq(remove_kept(kept + 1, 2), 2);
}
END_TEST

/* A disk that is full takes one more each time, and nothing is replaced by half. */
START_TEST(full_disk)
{
	const int64_t kept[] = { NOW - 3, NOW - 2, NOW - 1 };
	struct stat st, now;
	struct rspb_err err;

	store.keep = INT64_C(1) << 30;
	for (int i = 0; i < 3; i++)
		keep_one(kept[i], 10);
	ck_assert_int_eq(stat(path, &st), 0);
	full = true;
	ck_assert_int_eq(rspb_store_append(&store, "{}\n", 3, &err), -1);
	ck_assert_int_eq(remove_kept(kept, 1), 0);
	ck_assert_int_eq(rspb_store_replace(&store, "", 0, NOW, &err), -1);
	ck_assert_int_eq(remove_kept(kept + 1, 1), 0);
	ck_assert_int_eq(stat(path, &now), 0);
	ck_assert_uint_eq(st.st_ino, now.st_ino);
	full = false;
	replace();
	ck_assert_int_eq(remove_kept(kept + 2, 1), 1);
	ck_assert_int_eq(remove_kept((int64_t[]){ st.st_mtime }, 1), 1);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("replaced");
	TCase *tcase = tcase_create("replaced");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, replaced_stays);
	tcase_add_test(tcase, too_much_stays);
	tcase_add_test(tcase, full_disk);
	suite_add_tcase(s, tcase);
	return s;
}

RUN_SUITE(suite)
