/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges whether the claims of the papers about their figures hold. */
#ifndef RSPB_SIM_FIGURES_CLAIMS_H
#define RSPB_SIM_FIGURES_CLAIMS_H

#include <stddef.h>

#include "contrib/sim/figures/results.h"
#include "contrib/sim/replay/metrics.h"

enum sim_verdict { SIM_HOLDS, SIM_PARTLY, SIM_OPEN, SIM_FAILS, SIM_VERDICTS };
/* Fewer points than this for a claim decide nothing. */
enum { SIM_DECIDED = 3 };
struct sim_claim {
	const char *paper, *figure;
	const char *text; /* what is claimed */
	enum sim_claim_kind {
		SIM_ABOVE,  /* a's is above b's by more than `low` */
		SIM_BEST,   /* a's is the highest of all */
		SIM_LEAST,  /* a's is the lowest of all */
		SIM_ALIKE,  /* a and b differ by at most `high` */
		SIM_RATIO,  /* a over b lies between low and high */
		SIM_WITHIN, /* a's lies between low and high */
		SIM_RISES,  /* a's, less b's if there is one, rises along x */
		SIM_FALLS,  /* the same falls */
		SIM_LEVEL   /* a's changes along x by at most the part
				 * `high` of its mean */
	} kind;
	enum sim_metric metric;
	const char *a, *b;
	double low, high;
	double from, to;  /* points of x that count; both 0: all */
	const char *note; /* what is to be said beside the numbers */
	/* The reason why it does not hold as a whole: which choice of this program decides
	 * that, of those that the paper leaves open, or that none does. */
	const char *decides;
};
extern const struct sim_claim sim_claims[]; /* ended by paper NULL */
extern const char *const sim_verdict_names[SIM_VERDICTS];
/* Decide a claim from the numbers; text receives them in short. */
enum sim_verdict sim_claim_judge(const struct sim_claim *claim, const struct sim_results *results,
				 char *text, size_t size);

#endif
