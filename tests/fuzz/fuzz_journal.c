/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb-sim journal on any lines: what is read gives the same count of decisions
 * again, what is not is refused in one sentence.
 */
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>

#include "contrib/sim/journal/journal.h"

/* RET whether it was read; *different: decisions not as recorded. */
static bool read_once(const char *text, size_t size, size_t *decisions, size_t *different)
{
	struct journal journal = { .options = { .runs = 1 }, .notices = fopen("/dev/null", "w") };
	struct rspb_err err = { "" };
	FILE *in = tmpfile();
	int rc;

	MUST(in && journal.notices && fwrite(text, 1, size, in) == size);
	rewind(in);
	rc = journal_init(&journal, &err);
	if (!rc)
		rc = journal_read(&journal, in, "fuzz", &err);
	if (rc)
		fuzz_check_sentence(err.text);
	*decisions = journal.decisions;
	*different = journal.contenders[0].different;
	fclose(journal.notices);
	journal_fini(&journal);
	fclose(in);
	return !rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t decisions[2], different[2];
	char *text = fuzz_text(data, size);
	bool good;

	good = read_once(text, size, &decisions[0], &different[0]);
	MUST(read_once(text, size, &decisions[1], &different[1]) == good);
	MUST(decisions[0] == decisions[1] && different[0] == different[1]);
	free(text);
	return 0;
}
