/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job that is none is handed to Slurm only when a job of its own has shown
 * that the two mean the same by one. */
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/slurm.h"
#include "plugins/compat/submit/draft.h"
#include "tests/unit/compat/handed.h"
#include "tests/unit/runner.h"

slurm_conf_t slurm_conf;
static part_record_t part;
part_record_t *default_part_loc = &part;
static bool known;

bool rspb_abi_job_known(void)
{
	return known;
}

void rspb_job_view(void *handle, struct rspb_job *out)
{
	*out = (struct rspb_job){ .handle = handle };
}

static struct rspb_draft *submitted(const char *features, struct rspb_err *err)
{
	job_desc_msg_t desc;

	memset(&desc, 0, sizeof(desc));
	desc.features = (char *) features;
	part.node_bitmap = (bitstr_t *) &part;
	handed = 0;
	return rspb_draft_of_submission(&desc, false, err);
}

START_TEST(not_before_a_job_was_seen)
{
	struct rspb_err err = { "" };
	struct rspb_draft *draft;

	known = false;
	draft = submitted("gold", &err);
	ck_assert_msg(draft, "%s", err.text);
	ck_assert_int_eq(handed, 0);
	rspb_draft_destroy(draft);
}
END_TEST

START_TEST(an_operator_is_told_to_wait)
{
	const struct rspb_terms terms = { .nodes = 1 };
	const struct rspb_draft_of of = { .terms = &terms, .features = "gold" };
	struct rspb_err err = { "" };
	struct rspb_job view;

	known = false;
	handed = 0;
	ck_assert_ptr_null(rspb_draft_make(&of, &view, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "submit any job first"));
	ck_assert_int_eq(handed, 0);
}
END_TEST

START_TEST(but_then)
{
	struct rspb_err err = { "" };
	struct rspb_draft *draft;

	known = true;
	draft = submitted("gold", &err);
	ck_assert_msg(draft, "%s", err.text);
	ck_assert_int_eq(handed, 1);
	rspb_draft_destroy(draft);
	draft = submitted(NULL, &err);
	ck_assert_msg(draft, "%s", err.text);
	ck_assert_int_eq(handed, 0);
	rspb_draft_destroy(draft);
}
END_TEST

START_TEST(a_draft_frees_the_list_that_slurms_test_of_it_makes)
{
	struct rspb_err err = { "" };
	struct rspb_draft *draft = submitted(NULL, &err);
	struct rspb_job view;
	job_record_t *job;

	ck_assert_msg(draft, "%s", err.text);
	rspb_draft_view(draft, &view);
	job = view.handle;
	job->gres_list_req_accum = malloc(1);
	lists_destroyed = 0;
	rspb_draft_destroy(draft);
	ck_assert_int_eq(lists_destroyed, 1);
}
END_TEST

RUN_TESTS("draft", NULL, NULL, 0, not_before_a_job_was_seen, an_operator_is_told_to_wait, but_then,
	  a_draft_frees_the_list_that_slurms_test_of_it_makes)
