/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An algorithm is a composition of four choices - order x when x where x
 * degradation - and the papers' algorithms are named presets of it. Each
 * choice is a table of rows (common/policy/order.h, when.h, where.h, degrade.h).
 */
#ifndef RSPB_POLICY_POLICY_H
#define RSPB_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/calendar/profile.h"

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
	 * (common/plan/shift.h). 0: none moves, unless `waiting` holds them. */
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

#endif
