/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A batch of tasks with deadlines for processors that run one task at a time:
 * in which order they are looked at, where each one goes, and how well that
 * served them.
 *
 * Source: Varvarigos et al., sections 4.2, 4.3, 5.2 and 6.1.
 */
#ifndef RSPB_PAPERS_TASKS_H
#define RSPB_PAPERS_TASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"
#include "contrib/sim/papers/ect.h"
#include "contrib/sim/papers/fair.h"
#include "contrib/sim/papers/rational.h"
#include "contrib/sim/papers/real.h"

/* Where a task runs, and when. */
struct rspb_task_copy {
	size_t processor;
	struct rspb_span span;
};

struct rspb_paper_task {
	/* Asked: */
	struct rspb_rational workload;	    /* w_i > 0 */
	struct rspb_rational deadline;	    /* D_i > 0, desired end */
	struct rspb_rational weight;	    /* phi_i > 0 */
	const struct rspb_rational *delays; /* d_ij, one per processor */
	const size_t *after;		    /* tasks that are over before it starts (figure 1) */
	size_t n_after;
	size_t more; /* copies besides, on processors of their own (figure 10) */
	/* Found out: */
	struct rspb_rational access; /* delta_i, grid access delay */
	struct rspb_rational demand; /* X_i, infinite when D_i <= delta_i */
	struct rspb_real rate;	     /* r_i, fair orders only */
	struct rspb_real key;	     /* what the queue is sorted by */
	size_t rank;		     /* position in the queue */
	bool placed;		     /* has processor and span */
	bool accepted;		     /* placed at the first pass */
	size_t processor;	     /* of the copy that is over last */
	struct rspb_span span;
	struct rspb_task_copy *copies; /* [1 + more] */
};

struct rspb_tasks {
	struct rspb_pool *pool; /* where all numbers live */
	struct rspb_processor *processors;
	size_t n_processors;
	struct rspb_paper_task *tasks;
	size_t n;
	struct rspb_rational capacity; /* C, equation 2; set by prepare */
	struct rspb_reals reals;       /* of rates and keys; set by prepare */
};

/* The treatment of tasks that miss their deadline in orders that keep it. */
enum rspb_waiting {
	RSPB_WAITING_GLOBAL,  /* again, behind the last task that was placed */
	RSPB_WAITING_RELEASE, /* again, behind each processor's last task */
	RSPB_WAITING_NONE     /* refused */
};

/* An order of the queue: one function and one row each. */
struct rspb_task_order {
	const char *name;
	const char *alias;
	const char *help;
	bool fair;	      /* rates are computed; late tasks run all the same */
	rspb_fluid_rule rule; /* adjusted orders: how a fluid is divided */
	/* The key of one task; NULL: the fluid's ends. */
	struct rspb_real (*key)(struct rspb_tasks *batch, size_t i);
};
extern const struct rspb_task_order rspb_task_orders[]; /* ends: name NULL */
const struct rspb_task_order *rspb_task_order_find(const char *name);

/*
 * Compute access delays (equations 3 and 4) and demands (equation 5), fair
 * rates and keys where the order has them, and ranks. RET 0, or -1 with err:
 * numbers so large, small or close together that their order can't be told.
 */
int rspb_tasks_prepare(struct rspb_tasks *batch, const struct rspb_task_order *order,
		       struct rspb_err *err);
/* Place the prepared tasks on processors by a rule. RET 0 or -1. */
int rspb_tasks_place(struct rspb_tasks *batch, const struct rspb_task_order *order,
		     enum rspb_ect_rule rule, enum rspb_waiting waiting, bool gaps,
		     struct rspb_err *err);

/* Relative error of the rates, rate served per capacity (it may exceed 1), mean
 * relative lateness (equations 20 to 22). Infinity where a demand is infinite
 * or a task was refused. */
struct rspb_criteria {
	double e1, e2, e3;
};
void rspb_tasks_criteria(const struct rspb_tasks *batch, const struct rspb_task_order *order,
			 struct rspb_criteria *criteria);

#endif
