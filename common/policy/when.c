/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/when.h"

#include <strings.h>

/* The rectangle's length; all that never end are alike. */
static uint64_t length_of(const struct rspb_rect *rect)
{
	if (rect->right >= RSPB_TIME_MAX)
		return UINT64_MAX;
	return (uint64_t) rect->right - (uint64_t) rect->left;
}

static struct rspb_score score_of(unsigned __int128 value)
{
	return (struct rspb_score){
		.hi = (int64_t) (uint64_t) (value >> 64),
		.lo = (uint64_t) value,
	};
}

/* Best fit likes what leaves least: the same figure, turned round. */
static struct rspb_score negated(struct rspb_score score)
{
	return (struct rspb_score){ .hi = -score.hi - (score.lo != 0),
				    .lo = -score.lo };
}

static struct rspb_score pe_worst(const struct rspb_rect *rect,
				  const struct rspb_query *query)
{
	(void) query;
	return score_of(rect->free);
}

static struct rspb_score du_worst(const struct rspb_rect *rect,
				  const struct rspb_query *query)
{
	(void) query;
	return score_of(length_of(rect));
}

/* An endless rectangle is larger than any that ends, whatever its nodes. */
static struct rspb_score pedu_worst(const struct rspb_rect *rect,
				    const struct rspb_query *query)
{
	uint64_t length = length_of(rect);

	(void) query;
	if (length == UINT64_MAX)
		return (struct rspb_score){ .hi = INT64_MAX };
	return score_of((unsigned __int128) length * rect->free);
}

static struct rspb_score pe_best(const struct rspb_rect *rect,
				 const struct rspb_query *query)
{
	return negated(pe_worst(rect, query));
}

/* Free nodes in eighths of the machine: small differences don't outweigh an
 * earlier start. */
static struct rspb_score pe_steps(const struct rspb_rect *rect,
				  const struct rspb_query *query)
{
	uint64_t nodes = query->machine ? query->machine : 8;

	return score_of((uint64_t) rect->free * 8 / nodes);
}

static struct rspb_score du_best(const struct rspb_rect *rect,
				 const struct rspb_query *query)
{
	return negated(du_worst(rect, query));
}

static struct rspb_score pedu_best(const struct rspb_rect *rect,
				   const struct rspb_query *query)
{
	return negated(pedu_worst(rect, query));
}

const struct rspb_when rspb_whens[] = {
	{ .name = "ff",
	  .alias = "FF",
	  .help = "the earliest start",
	  .source = "Li et al., section 5, FF" },
	{ .name = "pe-best",
	  .alias = "PE_B",
	  .help = "fewest free nodes at the start",
	  .source = "Li et al., section 5, PE_B",
	  .score = pe_best,
	  .reads = RSPB_READS_FREE,
	  .nodes = RSPB_TREND_LESS },
	{ .name = "pe-worst",
	  .alias = "PE_W",
	  .help = "most free nodes at the start",
	  .source = "Li et al., section 5, PE_W",
	  .score = pe_worst,
	  .reads = RSPB_READS_FREE,
	  .nodes = RSPB_TREND_MORE },
	{ .name = "du-best",
	  .alias = "Du_B",
	  .help = "shortest free rectangle around the start",
	  .source = "Li et al., section 5, Du_B",
	  .score = du_best,
	  .reads = RSPB_READS_EDGES,
	  .length = RSPB_TREND_LESS },
	{ .name = "du-worst",
	  .alias = "Du_W",
	  .help = "longest free rectangle around the start",
	  .source = "Li et al., section 5, Du_W",
	  .score = du_worst,
	  .reads = RSPB_READS_EDGES,
	  .length = RSPB_TREND_MORE },
	{ .name = "pedu-best",
	  .alias = "PEDu_B",
	  .help = "smallest free rectangle, nodes x time",
	  .source = "Li et al., section 5, PEDu_B",
	  .score = pedu_best,
	  .reads = RSPB_READS_FREE | RSPB_READS_EDGES,
	  .nodes = RSPB_TREND_LESS,
	  .length = RSPB_TREND_LESS },
	{ .name = "pedu-worst",
	  .alias = "PEDu_W",
	  .help = "largest free rectangle, nodes x time",
	  .source = "Li et al., section 5, PEDu_W",
	  .score = pedu_worst,
	  .reads = RSPB_READS_FREE | RSPB_READS_EDGES,
	  .nodes = RSPB_TREND_MORE,
	  .length = RSPB_TREND_MORE },
	{ .name = "pe-steps",
	  .help = "most free nodes, in eighths of the machine",
	  .source = "this project; doc/policies.md",
	  .score = pe_steps,
	  .reads = RSPB_READS_FREE,
	  .nodes = RSPB_TREND_MORE },
	{ .name = "fixed",
	  .help = "the ready time or never",
	  .source = "Min, chapter 3 (reservations with a fixed start)",
	  .fixed = true },
	{ .name = NULL }
};

const struct rspb_when *rspb_when_find(const char *name)
{
	for (const struct rspb_when *row = rspb_whens; row->name; row++)
		if (!strcasecmp(row->name, name) ||
		    (row->alias && !strcasecmp(row->alias, name)))
			return row;
	return NULL;
}
