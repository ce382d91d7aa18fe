/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a request, once for each copy. */
#include "contrib/client/replicas.h"

#include <string.h>

#include "tests/unit/runner.h"

enum { MANY = 40 };

/* Of a line of words, the first of which is the command. */
static const char *copied(const char *line, int64_t copies)
{
	static char text[1000];
	char words[1000], *word[MANY], *rest = words, **all;
	struct rspb_err err = { "" };
	int n = 0;

	strcpy(words, line);
	while ((word[n] = strsep(&rest, " ")))
		n++;
	all = rspb_replicas_of(word, n, 1, copies, &err);
	strcpy(text, all ? "" : err.text);
	for (int i = 0; all && all[i]; i++) {
		strcat(text, i ? " " : "");
		strcat(text, all[i]);
	}
	free(all);
	return text;
}

START_TEST(options_are_repeated)
{
	ck_assert_str_eq(copied("sbatch -N 2 -t1 -- job.sh -N 9", 3),
			 "sbatch -N 2 -t1 : -N 2 -t1 : -N 2 -t1 job.sh -N 9");
	ck_assert_str_eq(copied("sbatch -N2 -- job.sh", 1), "sbatch -N2 job.sh");
}
END_TEST

START_TEST(what_runs_is_not)
{
	ck_assert_str_eq(copied("sbatch --wrap=x -N2", 2), "sbatch --wrap=x -N2 : -N2");
	ck_assert_str_eq(copied("sbatch --wrap x -N2", 2), "sbatch --wrap x -N2 : -N2");
	ck_assert_str_eq(copied("sbatch -N2 --wrap", 2), "sbatch -N2 --wrap : -N2");
}
END_TEST

START_TEST(refused)
{
	ck_assert_ptr_nonnull(strstr(copied("sbatch -N2 job.sh", 2), "put \"--\" before"));
	ck_assert_ptr_nonnull(strstr(copied("sbatch -N2 : -N1 -- job.sh", 2),
				     "not allowed for a heterogeneous job"));
	ck_assert_ptr_nonnull(strstr(copied("sbatch -N2 -- job.sh", 129), "at most 128"));
}
END_TEST

RUN_TESTS("replicas", NULL, NULL, 0, options_are_repeated, what_runs_is_not, refused)
