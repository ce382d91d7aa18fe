/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An algorithm is a composition of four choices - order x when x where x
 * degradation - and the papers' algorithms are named presets of it. Each
 * choice is a table of rows, one below the other in this file.
 */
#ifndef RSPB_POLICY_POLICY_H
#define RSPB_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/calendar/profile.h"
#include "common/request/request.h"

/* --- policy.c --- */

struct rspb_booking;
struct rspb_judge;
struct rspb_ledger;
struct rspb_order;
struct rspb_steps;
struct rspb_when;
struct rspb_where;
struct rspb_degrade;

struct rspb_policy {
	const struct rspb_order *order;
	const struct rspb_when *when;
	const struct rspb_where *where; /* for whole nodes and for shares */
	const struct rspb_degrade *degrade;
	int64_t batch_interval;	     /* delta, seconds; 0: decide on arrival */
	bool trim;		     /* grant the least units of equal benefit */
	bool distinct;		     /* parts of one request on different machines */
	enum rspb_open_end open_end; /* of the start policy's rectangles */
	/* Nodes, or share of each machine, that a request has to leave free: a
	 * request of priority p (0 to 100) leaves headroom (1 - p / 100); one
	 * of long_duration or more leaves long_headroom. In 1/10000. Who asks
	 * for nearly all nodes leaves what is left then, and is, with
	 * crowd_prompt, only taken at its ready time. */
	int64_t headroom, long_headroom, long_duration;
	bool crowd_prompt;
	/* The delay that the waiting bookings may suffer, together, to let one more in: in 1/100 of
	 * their durations. 0: bookings never move. */
	int64_t patience;
	/* The number of bookings that are looked at for one that finds no place
	 * (common/plan/schedule.h). 0: none moves, unless `waiting` holds them. */
	int64_t shift;
	/* Nobody moves for who takes more than this part of the nodes, in 1/10000:
	 * several others find no place then. */
	int64_t shift_part;
	/* Bookings move forward within their windows where others have to wait
	 * (rspb_shift_forward()); not where `when` prefers other starts than the earliest. */
	bool forward;
	int64_t repairs; /* how often a new plan for all is tried anew */
	int64_t firm;	 /* seconds before its start in which nobody moves */
	/* Steps that only the simulator takes (common/plan/schedule.h), and the bookings that
	 * wait without nodes for them; owned by the caller. NULL in slurmctld. */
	const struct rspb_steps *steps;
	void *waiting;
	/* Where grants grow lazily, what bookings grew by beyond their promise
	 * makes room for a request that would be declined; not with this. */
	bool keep_surplus;
	bool tie_load;	       /* equal starts: the one of the least average load */
	int64_t offer_horizon; /* seconds ahead in which declined requests are
				 * offered something else; 0: nothing is */
	int64_t offer_notice;  /* an offer begins no sooner than so many seconds
				* from now, on a whole minute: for who reads it
				* to take it; 0: at once */
	/* Called between two steps of a plan, so that whoever plans can see to
	 * what is more urgent; the ledger that is planned on must stay as it is.
	 * NULL: nobody wants to. */
	void (*breathe)(void);
	/* Whether a site's limits allow a booking that moves its new terms beside what the ledger
	 * holds (rspb_limits_move()). NULL: all may move. */
	bool (*allows)(const struct rspb_ledger *ledger, const struct rspb_booking *terms,
		       const void *config);
	const void *allows_config;
	/* The judge of the nodes that a job gets, because Slurm must be able to start it there
	 * (common/plan/plan.h). NULL: any free nodes will do. */
	const struct rspb_judge *judge;
	/* The judge of what a declined request is offered, where there is no other one. */
	const struct rspb_judge *offer_judge;
};

struct rspb_preset {
	const char *name;  /* "co-rspb" */
	const char *alias; /* "corspb", or NULL */
	const char *help;
	const char *source;
	bool live;	     /* makes sense on a live cluster */
	const char *instead; /* when not: why, and what to take there; nothing else is known of
			      * it here, but to the simulator (contrib/sim/policy/preset.h) */
	const char *order, *when, *where, *degrade;
	struct rspb_policy policy; /* the rest; without the choices */
};
extern const struct rspb_preset rspb_presets[]; /* ended by name NULL */
/* The preset that a live cluster runs unless told otherwise. */
#define RSPB_PRESET_DEFAULT "live"
const struct rspb_preset *rspb_preset_find(const char *name);
/* The simulator's algorithms that are no preset. RET why a name is none and
 * which preset is nearest in kind, NULL: it is no such name. */
const char *rspb_preset_other(const char *name);
/* Fill in the policy of a preset that has its choices. */
void rspb_policy_from_preset(const struct rspb_preset *preset, struct rspb_policy *policy);

/* --- order.c --- */

/* --- requests by account, or by user where there is none, for an order in which these take
 * turns --- */

struct rspb_account {
	const struct rspb_request *request; /* one of its requests */
	int64_t cost;			    /* of what it has booked; 0 until somebody adds to it */
};
struct rspb_accounts {
	size_t n;
	struct rspb_account *list; /* owned; each once, sorted */
};

/* Make the accounts of requests[n], which must outlive them. RET 0, -1: out of memory, then nothing
 * is owned. */
int rspb_accounts_init(struct rspb_accounts *accounts, const struct rspb_request *const *requests,
		       size_t n);
void rspb_accounts_fini(struct rspb_accounts *accounts);
/* RET the one of a request, NULL: none of its account or user is among them. In
 * log n steps. */
struct rspb_account *rspb_accounts_find(const struct rspb_accounts *accounts,
					const struct rspb_request *request);

/* --- orders --- */

struct rspb_order {
	const char *name;   /* "priority" */
	const char *alias;  /* or NULL */
	const char *help;   /* one line */
	const char *source; /* document, figure */
	/* Higher comes first; NULL: all alike. Equal ones go by arrival, then
	 * by id, so that the order of the input never matters. */
	int64_t (*key)(const struct rspb_request *request);
	/* If it is there accounts take turns: the next is the first, by the key, of the
	 * account whose bookings, and whose requests before it, sum up to least of
	 * this. */
	int64_t (*cost)(const struct rspb_request *request);
};
extern const struct rspb_order rspb_orders[]; /* ended by name NULL */
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_order *rspb_order_named(const char *name);

/* Whether its requests are bids: who is decided before others pays the price for it. */
bool rspb_order_sells(const struct rspb_order *order);
/* Sort requests[n] into the order of the row. accounts: theirs, with the cost of what
 * each has booked, to which that of the requests is added; for a row with a cost, else
 * NULL will do. RET 0, -1: out of memory (then nothing has moved). index[i] becomes the
 * place requests[i] had before. */
int rspb_order_sort(const struct rspb_order *order, const struct rspb_request **requests,
		    struct rspb_accounts *accounts, size_t *index, size_t n);

/* --- when.c --- */

struct rspb_when {
	const char *name;   /* e.g. "pe-worst" */
	const char *alias;  /* the paper's, e.g. "PE_W", or NULL */
	const char *help;   /* one line */
	const char *source; /* document, figure, equation */
	struct rspb_preference prefers;
	/* The earliest start while less than half of the nodes is ever booked
	 * from the ready time to the deadline: there is nothing to spare. */
	bool calm_first;
};

/* The table, ended by a row with name NULL. */
extern const struct rspb_when rspb_whens[];
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_when *rspb_when_find(const char *name);

/* --- where.c --- */

/* The marks that tell nodes apart besides their gaps. */
struct rspb_marks {
	const uint32_t *weights; /* of node n; NULL: all alike */
	const uint32_t *leaves;	 /* by node; NULL: all on one */
	const uint32_t *speeds;	 /* 1/100 of a standard one; NULL: all are */
};

struct rspb_where {
	const char *name;   /* "best" */
	const char *alias;  /* or NULL */
	const char *help;   /* one line */
	const char *source; /* document, figure */
	/* Cost of a node that is free so many seconds before the window and
	 * behind it. */
	rspb_gap_cost gap_cost;
	/* Cost of a machine with `room` units free over the window and `load`
	 * units x seconds reserved in it. */
	int64_t (*share_cost)(int64_t room, int64_t load);
	/* share_cost looks at load; a node without gap_cost costs what is
	 * booked on it. Without all three they are alike. */
	bool wants_load;
};
extern const struct rspb_where rspb_wheres[]; /* ended by name NULL */
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_where *rspb_where_find(const char *name);

/*
 * Keep the `want` nodes of `set` that the row likes best: of lower weight first, then
 * on as few leaves as will do, those of `near` (NULL: none) before others; all of the
 * set is free in profile over [start, end). Fewer than `want`: all are kept.
 * RET 0, or -1 with err and the set unchanged.
 */
int rspb_where_keep(const struct rspb_where *where, struct rspb_marks marks,
		    const struct rspb_nodeset *near, const struct rspb_profile *profile,
		    int64_t start, int64_t end, uint32_t want, struct rspb_nodeset *set,
		    struct rspb_err *err);

/* --- degrade.c --- */

/* Whether and when a grant grows after it was made. */
enum rspb_refine {
	RSPB_REFINE_NEVER,
	RSPB_REFINE_BATCH, /* grown, or moved, once the batch is in */
	RSPB_REFINE_LAZY   /* grown in place shortly before the start */
};

struct rspb_degrade {
	const char *name;   /* "benefit" */
	const char *alias;  /* or NULL */
	const char *help;   /* one line */
	const char *source; /* document, figure */
	/*
	 * RET what is granted when `room` units are free: between `least`
	 * (CPU_min) and `full` (CPU_max), 0 when that is not acceptable. Never
	 * more than room; not falling in room.
	 */
	int64_t (*take)(int64_t room, int64_t least, int64_t full);
	/* When a co-reservation fails because earlier parts took all that a
	 * later one needs: begin again with every part at its least, then let
	 * them grow. */
	bool share_out;
	enum rspb_refine refine;
	/* All that is asked is wanted, also where less has its full benefit. */
	bool as_asked;
};
extern const struct rspb_degrade rspb_degrades[]; /* ended by name NULL */
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_degrade *rspb_degrade_find(const char *name);

/* RET what the row grants when there is unlimited room, and the least that it ever grants. */
int64_t rspb_degrade_aim(const struct rspb_degrade *degrade, int64_t least, int64_t full);
int64_t rspb_degrade_floor(const struct rspb_degrade *degrade, int64_t least, int64_t full);

/* --- leaves.c --- */

/* RET on how many leaves a set lies; 0: out of memory, or an empty set. */
uint32_t rspb_leaves_count(const uint32_t *leaves, const struct rspb_nodeset *set);

/* room[leaf] = nodes of the set on each; room has as many entries as the set. */
void rspb_leaves_rooms(const uint32_t *leaves, const struct rspb_nodeset *set, uint32_t *room);
/* RET the leaf to take nodes from next when so many are wanted; width: all are empty. */
uint32_t rspb_leaves_next(const uint32_t *room, uint32_t width, uint32_t want);
/* Keep those of a set that are on the leaf. */
void rspb_leaves_keep(const uint32_t *leaves, uint32_t leaf, struct rspb_nodeset *set);
/* Keep those of a set that are on a leaf on which `near` has a node. RET false: out of
 * memory, the set is unchanged. */
bool rspb_leaves_near(const uint32_t *leaves, const struct rspb_nodeset *near,
		      struct rspb_nodeset *set);
/* Keep those of a set that are on the `most` leaves that suit so many wanted, which include the
 * leaves of the nodes in `with` (NULL: none). RET false: out of memory, the set is unchanged. */
bool rspb_leaves_limit(const uint32_t *leaves, uint32_t most, uint32_t want,
		       const struct rspb_nodeset *with, struct rspb_nodeset *set);

/* --- pick.c --- */

/*
 * out = the first `want` nodes of `from` (all, when there are fewer); with
 * `ties` also those of the weight and cost of the last. weights[n], cost[n]: of
 * node n, as arrays of from->width (NULL: all alike). out has from's width and
 * may be `from`. RET 0, or -1 with err and `from` unchanged: out of memory.
 *
 * Where work of no fixed place may go, with the ends of the nodes' gaps for
 * costs: nodes that will be needed soonest are taken, and those that stay free
 * for long remain together as large rectangles for bookings to come.
 */
int rspb_pick(const struct rspb_nodeset *from, const uint32_t *weights, const int64_t *cost,
	      uint32_t want, bool ties, struct rspb_nodeset *out, struct rspb_err *err);

#endif
