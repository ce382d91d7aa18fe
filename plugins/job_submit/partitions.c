/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Picks one of the partitions that a submission names, by what could be had. It books
 * nothing there. */
#include "plugins/job_submit/partitions.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"
#include "plugins/compat/limit/members.h"
#include "plugins/ctld/requests/users.h"

/* Each costs a look at the calendar, under Slurm's read locks. */
enum { PARTITIONS_MOST = 8 };

/* A partition, and when the job would begin there; INT64_MAX: it is not known. */
struct outlook {
	const char *name;
	int64_t start;
};

/* RET 0, or -1 with err: it is not for that one. *at_once: it begins nowhere sooner. */
static int look_in(job_desc_msg_t *desc, const struct rspb_flags *flags, int64_t now,
		   struct outlook *out, bool *at_once, struct rspb_err *err)
{
	char account[RSPB_USER_NAME], line[RSPB_ADVICE_TEXT];
	struct rspb_contract contract;
	struct rspb_submission sub;

	rspb_submission_view(desc, &sub);
	rspb_submission_account(&sub, account, sizeof(account));
	if (rspb_member_partition(sub.user, account, out->name, 0, 0, err) ||
	    rspb_admit(&sub, flags, now, true, &contract, line, sizeof(line), err))
		return -1;
	out->start = contract.start ? contract.start : INT64_MAX;
	*at_once = contract.start && contract.start <= contract.ready;
	return 0;
}

/* The last one of n goes before those where it would be later. */
static void rank(struct outlook *all, uint32_t n)
{
	struct outlook last = all[--n];

	for (; n && all[n - 1].start > last.start; n--)
		all[n] = all[n - 1];
	all[n] = last;
}

/* Find the partitions of the list, which is lost, that would take the job. RET how many, -1 with
 * err. */
static int look_at_all(job_desc_msg_t *desc, const struct rspb_flags *flags, int64_t now,
		       char *list, struct outlook *all, struct rspb_err *err)
{
	struct rspb_submission_part part;
	struct rspb_submission sub;
	struct rspb_err why, first = { "" };
	bool at_once = false;
	char *name, *rest;
	int n = 0;

	for (name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		if (n == PARTITIONS_MOST)
			return rspb_fail(err,
					 "--partition: a booking can name at most %d partitions",
					 PARTITIONS_MOST);
		all[n] = (struct outlook){ name, INT64_MAX };
		rspb_submission_partition(desc, name);
		rspb_submission_view(desc, &sub);
		if (rspb_submission_part(&sub, &part, err))
			return -1;
		if (at_once || !look_in(desc, flags, now, &all[n], &at_once, &why))
			rank(all, (uint32_t) ++n);
		else if (!first.text[0])
			first = why;
	}
	if (!n)
		*err = first;
	return n ? n : -1;
}

/* RET how many would take it, in their order, which its partition is the first of; 0: it
 * names no list; -1 with err. */
static int choose(job_desc_msg_t *desc, const struct rspb_flags *flags, int64_t now, char *order,
		  struct rspb_err *err)
{
	struct rspb_text out = rspb_text_over(order, RSPB_PARTITIONS_TEXT);
	struct outlook all[PARTITIONS_MOST];
	char names[RSPB_PARTITIONS_TEXT];
	struct rspb_submission sub;
	int n;

	rspb_submission_view(desc, &sub);
	if (!sub.partition || !strchr(sub.partition, ','))
		return 0;
	if (strlen(sub.partition) >= sizeof(names) || strchr(sub.partition, ' '))
		return rspb_fail(err,
				 "--partition: with a booking the list has at most %d characters "
				 "and no blanks",
				 RSPB_PARTITIONS_TEXT - 1);
	strcpy(names, sub.partition);
	n = look_at_all(desc, flags, now, names, all, err);
	for (int i = 0; i < n; i++)
		rspb_text_add(&out, "%s%s", i ? "," : "", all[i].name);
	if (n > 0)
		rspb_submission_partition(desc, all[0].name);
	return n;
}

int rspb_partitions_admit(job_desc_msg_t *desc, const struct rspb_flags *flags,
			  struct rspb_contract *contract, char *advice, size_t size,
			  struct rspb_err *err)
{
	char order[RSPB_PARTITIONS_TEXT], list[RSPB_PARTITIONS_TEXT] = "";
	struct rspb_submission sub;
	int64_t now = time(NULL);
	int n, rc;

	rspb_submission_view(desc, &sub);
	snprintf(list, sizeof(list), "%s", sub.partition ? sub.partition : "");
	n = choose(desc, flags, now, order, err);
	if (n < 0)
		return -1;
	rspb_submission_view(desc, &sub);
	rc = rspb_admit(&sub, flags, now, false, contract, advice, size, err);
	/* Mode=observe: an ordinary job may have any of them. */
	if (rc > 0 && n)
		rspb_submission_partition(desc, list);
	if (!rc && n && advice[0])
		snprintf(advice + strlen(advice), size - strlen(advice), ", in partition %s",
			 sub.partition);
	if (!rc && n > 1) {
		strcpy(contract->partitions, order);
		contract->untried = (uint32_t) n - 1;
	}
	return rc;
}
