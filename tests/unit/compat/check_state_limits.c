/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A submission that Slurm could not read from its saved state is refused. */
#include <string.h>

#include "plugins/compat/submit/submission.h"
#include "tests/unit/runner.h"

static job_desc_msg_t desc;

/* As slurm_init_job_desc_msg() leaves it. */
static void setup(void)
{
	memset(&desc, 0, sizeof(desc));
	desc.contiguous = NO_VAL16;
	desc.overcommit = NO_VAL8;
	desc.kill_on_node_fail = NO_VAL16;
}

static void expect_refused(const char *text)
{
	struct rspb_err err = { "" };

	ck_assert_int_eq(rspb_submission_readable(&desc, &err), -1);
	ck_assert_msg(!strncmp(err.text, text, strlen(text)), "%s", err.text);
	setup();
}

START_TEST(a_value_that_slurm_reads_is_accepted)
{
	struct rspb_err err;

	ck_assert_int_eq(rspb_submission_readable(&desc, &err), 0);
	for (unsigned value = 0; value < 8; value++) {
		desc.contiguous = value & 1;
		desc.overcommit = value >> 1 & 1;
		desc.kill_on_node_fail = value >> 2;
		ck_assert_int_eq(rspb_submission_readable(&desc, &err), 0);
	}
}
END_TEST

START_TEST(a_value_that_slurm_cannot_read_is_named)
{
	desc.contiguous = 65520;
	expect_refused("contiguous=65520: ");
	desc.contiguous = 2;
	expect_refused("contiguous=2: ");
	desc.overcommit = 45;
	expect_refused("overcommit=45: ");
	desc.overcommit = UINT8_MAX;
	expect_refused("overcommit=255: ");
	desc.kill_on_node_fail = 2;
	expect_refused("kill_on_node_fail=2: ");
	desc.kill_on_node_fail = UINT16_MAX;
	expect_refused("kill_on_node_fail=65535: ");
}
END_TEST

RUN_TESTS("state_limits", setup, NULL, 0, a_value_that_slurm_reads_is_accepted,
	  a_value_that_slurm_cannot_read_is_named)
