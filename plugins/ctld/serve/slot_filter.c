/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the nodes that a question about slots allows, by names and classes, without asking
 * Slurm. */
#include "plugins/ctld/serve/reads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/plan/plan.h"
#include "common/wire/texts.h"

/* --- names ---------------------------------------------------------------------- */

/* Check whether a number is in "1-4,7". The width counts: n01 is not n1, and n[01-10] has n09 but
 * not n9. */
static bool in_ranges(const char *digits, size_t len, const char *at, const char *end)
{
	unsigned long number = strtoul(digits, NULL, 10), low, high;

	while (at < end) {
		size_t width = strspn(at, "0123456789");
		char *rest;

		low = high = strtoul(at, &rest, 10);
		if (*rest == '-')
			high = strtoul(rest + 1, &rest, 10);
		if (number >= low && number <= high && (len == width || digits[0] != '0'))
			return width && len >= width;
		at = rest < end && *rest == ',' ? rest + 1 : end;
	}
	return false;
}

/* Check whether one member of a list of nodes means a name: n7, n[1-4,7], n[1-2]x. */
static bool is_meant(const char *name, const char *at, size_t len)
{
	const char *open = memchr(at, '[', len), *close = open ? memchr(at, ']', len) : NULL;
	size_t before, after, digits;

	if (!open || !close)
		return strlen(name) == len && !strncmp(name, at, len);
	before = (size_t) (open - at);
	after = len - (size_t) (close + 1 - at);
	if (strncmp(name, at, before) != 0)
		return false;
	name += before;
	digits = strspn(name, "0123456789");
	return digits && strlen(name + digits) == after &&
	       !strncmp(name + digits, close + 1, after) &&
	       in_ranges(name, digits, open + 1, close);
}

/* RET the length of the first member of a list, in which brackets may have commas. */
static size_t member_length(const char *at)
{
	bool inside = false;
	size_t n;

	for (n = 0; at[n] && (inside || at[n] != ','); n++)
		inside = at[n] == '[' || (inside && at[n] != ']');
	return n;
}

/* Keep the nodes of a list. The names are compared one by one: Slurm's own functions expand a text
 * such as n[0-199999] before they check it, and need its locks. RET 0, or -1 with err. */
static int keep_named(const char *list, const struct rspb_picture *picture,
		      struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_nodeset *named = rspb_nodeset_create(nodes->width);
	struct rspb_quote quote;
	size_t len;

	if (!named)
		return rspb_fail(err, "out of memory");
	for (const char *at = list; *at; at += len + (at[len] == ',')) {
		bool found = false;

		len = member_length(at);
		for (uint32_t n = 0; len && n < nodes->width; n++) {
			const char *name = picture->names[n];

			if (!name || !*name || !is_meant(name, at, len))
				continue;
			rspb_nodeset_add(named, n);
			found = true;
		}
		if (len && !found) {
			rspb_nodeset_destroy(named);
			return rspb_fail(err, "nodelist: there is no node %s",
					 rspb_text_quote(&quote, at, len));
		}
	}
	rspb_nodeset_and(nodes, named);
	rspb_nodeset_destroy(named);
	return 0;
}

/* --- features --------------------------------------------------------------------- */

/* Check whether a class has all of "a&b", or one of "a|b". The first word that is there decides for
 * |, the first that is missing for &. */
static bool has_features(const struct rspb_node_class *class, const char *text)
{
	bool any = strchr(text, '|');

	while (*text) {
		size_t len = strcspn(text, "&,|");
		char word[RSPB_ASK_NAME];

		snprintf(word, sizeof(word), "%.*s", (int) len, text);
		if (rspb_text_listed(class->features, word) == any)
			return any;
		text += len;
		text += *text != '\0';
	}
	return !any;
}

/* Refuse constraints that only Slurm can evaluate. This thread must not ask Slurm, so these belong
 * to rspb offers. */
static int check_features(const char *text, struct rspb_err *err)
{
	if (strpbrk(text, "[]()*!") || (strchr(text, '|') && strpbrk(text, "&,")))
		return rspb_fail(err, "features: slots accepts names joined by & or by |; offers "
				      "accepts all that --constraint accepts");
	return 0;
}

/* --- GPUs ------------------------------------------------------------------------- */

int rspb_eligible_read_gpus(const char *text, struct rspb_eligible_gpus *out, struct rspb_err *err)
{
	const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;

	*out = (struct rspb_eligible_gpus){ .count = 0 };
	if (!*text)
		return 0;
	if (rspb_text_whole(number, strlen(number), 1, INT32_MAX, &out->count, NULL))
		return rspb_fail(err, "gpus: allowed are N and TYPE:N, such as 2 and a100:2");
	if (colon)
		snprintf(out->type, sizeof(out->type), "%.*s", (int) (colon - text), text);
	return 0;
}

int rspb_eligible_keep(const struct rspb_inquiry *q, const struct rspb_picture *picture,
		       const struct rspb_eligible_gpus *gpus, struct rspb_nodeset *nodes,
		       struct rspb_err *err)
{
	if (check_features(q->features, err) ||
	    (q->terms.nodelist[0] && keep_named(q->terms.nodelist, picture, nodes, err)))
		return -1;
	if (!q->features[0] && !gpus->count)
		return 0;
	for (uint32_t n = 0; n < nodes->width; n++) {
		const struct rspb_node_class *class = rspb_node_class_of(&picture->classes, n);

		/* A node without a class cannot be judged, and is left out. */
		if (rspb_nodeset_has(nodes, n) &&
		    (!class || (q->features[0] && !has_features(class, q->features)) ||
		     (gpus->count && rspb_gres_gpus(class->gres, gpus->type) < gpus->count)))
			rspb_nodeset_remove(nodes, n);
	}
	return 0;
}

/* Counts licenses over time for a slot. The picture has the number of each, so Slurm is not
 * asked. */

/* Find a license by its name, of which only `length` characters count. The number of stocks is
 * small, so a search in order is enough. */
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

/* Make no node free while too few licenses are left. The steps say how many are taken from their
 * time on, until the next one. */
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

	/* The request's own window is only its first start, but slots are looked for until
	 * `last`. */
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
