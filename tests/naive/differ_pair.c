/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/naive/differ_pair.h"
#include "tests/validate/validate.h"

int differ_mismatch(struct differ_pair *pair, const char *what)
{
	pair->wrong = what;
	return -1;
}

int differ_same_rc(struct differ_pair *pair, int64_t rc, int64_t want, const char *what)
{
	return rc == want ? 0 : differ_mismatch(pair, what);
}

int differ_same_rect(struct differ_pair *pair, const struct rspb_rect *x, const struct rspb_rect *y)
{
	if (x->start != y->start)
		return differ_mismatch(pair, "start");
	if (x->free != y->free)
		return differ_mismatch(pair, "count of free nodes");
	if (x->left != y->left)
		return differ_mismatch(pair, "left edge");
	return x->right == y->right ? 0 : differ_mismatch(pair, "right edge");
}

int differ_same_set(struct differ_pair *pair)
{
	return rspb_nodeset_equal(pair->a, pair->b) ? 0 : differ_mismatch(pair, "set of nodes");
}

struct records {
	const struct naive_point *at, *end;
};

static int compare_record(int64_t time, const struct rspb_nodeset *booked, void *arg)
{
	struct records *records = arg;

	if (records->at == records->end || records->at->time != time ||
	    !rspb_nodeset_equal(records->at->busy, booked))
		return 1;
	records->at++;
	return 0;
}

static int check_twins(struct differ_pair *pair, const struct rspb_profile *profile,
		       const struct naive_list *list)
{
	struct records records = { list->points, list->points + list->count };

	if (validate_profile(profile, &pair->err))
		return differ_mismatch(pair, pair->err.text);
	if (naive_list_validate(list, &pair->err))
		return differ_mismatch(pair, pair->err.text);
	if (rspb_profile_records(profile, compare_record, &records) || records.at != records.end)
		return differ_mismatch(pair, "records");
	return 0;
}

int differ_check_state(struct differ_pair *pair)
{
	if (pair->kept && check_twins(pair, pair->kept, pair->kept_list))
		return -1;
	return check_twins(pair, pair->profile, pair->list);
}
