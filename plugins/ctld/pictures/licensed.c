/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts licenses over time for who looks for a slot. What there is of each the picture
 * says; nothing is asked of Slurm. */
#include "plugins/ctld/pictures/licensed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/plan/count.h"

static const struct rspb_stock *stock_of(const struct rspb_picture *picture, const char *name,
					 size_t length)
{
	for (size_t i = 0; i < picture->n_stocks; i++)
		if (strlen(picture->stocks[i].name) == length &&
		    !strncmp(picture->stocks[i].name, name, length))
			return &picture->stocks[i];
	return NULL;
}

/* Add one of them, NAME or NAME:COUNT. */
static int ask_one(const struct rspb_picture *picture, const char *text, size_t length,
		   struct rspb_part *part, struct rspb_err *err)
{
	const char *colon = memchr(text, ':', length);
	size_t name = colon ? (size_t) (colon - text) : length;
	const struct rspb_stock *stock = stock_of(picture, text, name);
	struct rspb_quota *quotas, *quota;
	int64_t count = 1;

	if (!stock ||
	    (colon && rspb_text_whole(colon + 1, length - name - 1, 1, INT32_MAX, &count, NULL)) ||
	    (stock->most >= 0 && count > stock->most))
		return rspb_fail(err, "licenses: the site has no %.*s, or not as many",
				 (int) length, text);
	quotas = realloc(part->quotas, (part->n_quotas + 1) * sizeof(*quotas));
	if (!quotas)
		return rspb_fail(err, "out of memory");
	part->quotas = quotas;
	quota = &quotas[part->n_quotas++];
	*quota = (struct rspb_quota){ .key = stock->key, .most = stock->most, .use = count };
	snprintf(quota->name, sizeof(quota->name), "license %.80s:%" PRId64, stock->name,
		 stock->most);
	return 0;
}

int rspb_licensed_ask(const struct rspb_picture *picture, const char *text, struct rspb_part *part,
		      struct rspb_err *err)
{
	while (*text) {
		size_t length = strcspn(text, ",;");

		if (ask_one(picture, text, length, part, err))
			return -1;
		text += length;
		text += *text != '\0';
	}
	return 0;
}

static int cover(struct rspb_profile *calendar, const struct rspb_count *count, int64_t last,
		 const struct rspb_nodeset *all)
{
	for (size_t i = 0; i < count->n && count->steps[i].at < last; i++) {
		int64_t end = i + 1 < count->n ? count->steps[i + 1].at : last;

		if (count->steps[i].sum + count->quota->use > count->quota->most &&
		    rspb_profile_cover(calendar, count->steps[i].at, end < last ? end : last, all,
				       NULL))
			return -1;
	}
	return 0;
}

struct rspb_profile *rspb_licensed_calendar(const struct rspb_profile *calendar,
					    const struct rspb_ledger *ledger,
					    const struct rspb_request *request, int64_t last)
{
	struct rspb_nodeset *all = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	struct rspb_profile *copy = rspb_profile_clone(calendar);
	struct rspb_request whole = *request; /* all of the time counts */
	struct rspb_counts counts = { .n = 0 };
	bool good = all && copy;

	whole.deadline = last;
	if (good) {
		rspb_nodeset_fill(all);
		good = !rspb_counts_make(&counts, ledger, &whole, NULL, 0);
	}
	for (size_t i = 0; good && i < counts.used; i++)
		good = !cover(copy, &counts.items[i], last, all);
	rspb_counts_fini(&counts);
	rspb_nodeset_destroy(all);
	if (good)
		return copy;
	rspb_profile_destroy(copy);
	return NULL;
}
