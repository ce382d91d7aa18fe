/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When: which of the feasible starts. One function and one row each; the row
 * feeds parsing, --help, the man page check, the property tests, the simulator.
 */
#include "common/policy/policy.h"

#include "common/base/names.h"

/* A product of nodes and seconds may need more than 64 bits. */
static struct rspb_score score_of(unsigned __int128 value)
{
	return (struct rspb_score){
		.hi = (int64_t) (uint64_t) (value >> 64),
		.lo = (uint64_t) value,
	};
}

/* A score looks at some of this. */
#define SCORE(name)                                                                                \
	static struct rspb_score name(__attribute__((unused)) uint32_t nodes,                      \
				      __attribute__((unused)) uint64_t length,                     \
				      __attribute__((unused)) const struct rspb_query *query)

/* Best fit likes what leaves least: the same figure, turned round. The two halves are negated as
 * one number of 128 bits. */
static struct rspb_score negated(struct rspb_score score)
{
	return (struct rspb_score){ .hi = -score.hi - (score.lo != 0), .lo = -score.lo };
}

SCORE(pe_worst)
{
	return score_of(nodes);
}

SCORE(du_worst)
{
	return score_of(length);
}

/* An endless rectangle is larger than any that ends, whatever its nodes. */
SCORE(pedu_worst)
{
	if (length == UINT64_MAX)
		return (struct rspb_score){ .hi = INT64_MAX };
	return score_of((unsigned __int128) length * nodes);
}

SCORE(pe_best)
{
	return negated(pe_worst(nodes, length, query));
}

/* Free nodes in eighths of the machine: small differences don't outweigh an
 * earlier start. */
SCORE(pe_steps)
{
	/* If the size of the machine is not known, each node is a step of its own. */
	uint64_t machine = query->machine ? query->machine : 8;

	return score_of((uint64_t) nodes * 8 / machine);
}

SCORE(du_best)
{
	return negated(du_worst(nodes, length, query));
}

SCORE(pedu_best)
{
	return negated(pedu_worst(nodes, length, query));
}

/* A row without a score takes the earliest start, which also decides among equal scores. */
const struct rspb_when rspb_whens[] = {
	{ .name = "ff",
	  .alias = "FF",
	  .help = "the earliest start",
	  .source = "Li et al., section 5, FF" },
	{ .name = "pe-best",
	  .alias = "PE_B",
	  .help = "fewest free nodes at the start",
	  .source = "Li et al., section 5, PE_B",
	  .prefers.score = pe_best },
	{ .name = "pe-worst",
	  .alias = "PE_W",
	  .help = "most free nodes at the start",
	  .source = "Li et al., section 5, PE_W",
	  .prefers.score = pe_worst },
	{ .name = "du-best",
	  .alias = "Du_B",
	  .help = "shortest free rectangle around the start",
	  .source = "Li et al., section 5, Du_B",
	  .prefers.score = du_best },
	{ .name = "du-worst",
	  .alias = "Du_W",
	  .help = "longest free rectangle around the start",
	  .source = "Li et al., section 5, Du_W",
	  .prefers.score = du_worst },
	{ .name = "pedu-best",
	  .alias = "PEDu_B",
	  .help = "smallest free rectangle, nodes x time",
	  .source = "Li et al., section 5, PEDu_B",
	  .prefers.score = pedu_best },
	{ .name = "pedu-worst",
	  .alias = "PEDu_W",
	  .help = "largest free rectangle, nodes x time",
	  .source = "Li et al., section 5, PEDu_W",
	  .prefers.score = pedu_worst },
	{ .name = "pe-steps",
	  .help = "most free nodes, in eighths of the machine",
	  .source = "this project; doc/policies.md",
	  .prefers.score = pe_steps },
	{ .name = "pe-worst-calm",
	  .help = "the earliest start while at least half of the nodes are "
		  "free, else most free nodes",
	  .source = "this project; doc/policies.md",
	  .prefers.score = pe_worst,
	  .calm_first = true },
	{ .name = "fixed",
	  .help = "the ready time or never",
	  .source = "Min, chapter 3 (reservations with a fixed start)",
	  .prefers.fixed = true },
	{ .name = NULL }
};

RSPB_NAMES_FINDER(rspb_when_find, rspb_when, rspb_whens)
