/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A request: what a user asks for, whichever way it came (sbatch
 * flags, scontrol, the client, a simulator's line).
 *
 * One model serves whole nodes and shares: a part asks for `nodes` nodes,
 * each whole (share 0) or a share of each. With whole nodes a lesser grant has
 * fewer nodes; with shares it has a smaller share on the same number of nodes.
 * A share is one of the CPUs' time, or of the cores (whole > 0): then these are
 * its own. No node has shares of both kinds.
 */
#ifndef RSPB_REQUEST_REQUEST_H
#define RSPB_REQUEST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/request/benefit.h"
#include "common/request/forms.h"
#include "common/request/quota.h"

enum {
	RSPB_MAX_PARTS = 128,	  /* as many components as Slurm allows */
	RSPB_SHARE_WHOLE = 10000, /* one CPU */
	RSPB_SHARE_CORE = 100,	  /* a core of one's own */
	RSPB_REQUEST_LABELS = 160,
	RSPB_REQUEST_NAME = 48,
	RSPB_FIRM_AT_ONCE = 315360000 /* no booking is as far ahead */
};
/* Asked for by the site itself: limits of users do not count. */
#define RSPB_USER_NONE UINT32_MAX
/* With the id of a booking: what its change asks for, planned beside it. No other id
 * has that bit. */
#define RSPB_ID_AGAIN (UINT64_C(1) << 62)

/* Nodes that lie as far from those preferred (prefer.h). */
struct rspb_tier {
	uint32_t distance;
	struct rspb_nodeset *nodes; /* owned */
};

/* A node of which a part takes another amount of something than of its other nodes. */
struct rspb_odd {
	uint32_t node;
	uint64_t key; /* of a quota, or RSPB_ROOM_CORES: of its share */
	int64_t amount;
};

struct rspb_part {
	uint32_t nodes;	    /* asked, >= 1 */
	uint32_t nodes_min; /* malleable lower bound; == nodes when not */
	int64_t share;	    /* 0: whole nodes; else units per node */
	int64_t share_min;  /* 0: as the benefit function says */
	int64_t whole;	    /* units that make a node, RSPB_SHARE_CORE a core; 0: its
			     * share is one of time, of which RSPB_SHARE_WHOLE do */
	int64_t weight;	    /* units that it counts as against limits, where memory or
			      * devices of a node are scarcer than cores; 0: its share */
	/* For cores: the tasks on each node, the fewest that will do by the benefit function (0:
	 * all or nothing), and the units of the first task and of each further one. */
	uint32_t tasks, fewer;
	int64_t share_one, share_each;
	struct rspb_benefit *benefit;  /* owned; NULL: the request's */
	struct rspb_nodeset *fixed;    /* owned; NULL: floating */
	struct rspb_nodeset *eligible; /* owned; NULL: every node */
	uint32_t leaves;    /* its nodes lie on so many at most (policy/policy.h); 0: any */
	int64_t leaves_for; /* at starts up to so many seconds behind the ready time;
			     * 0: at all */
	uint32_t n_odd;
	struct rspb_odd *odd; /* owned: with cores, by rising node; then no other nodes than
			       * those that it has will do */
	uint32_t n_tiers;
	struct rspb_tier *tiers; /* owned: of rising distance, each node in one at
				  * most; who is in none comes last */
	uint32_t n_quotas;
	struct rspb_quota *quotas; /* owned: where it counts */
};

struct rspb_request {
	uint64_t id;   /* a job's id on a live cluster */
	uint32_t user; /* uid, for limits; 0 in the simulator */
	int64_t arrival;
	int64_t ready;
	int64_t deadline; /* == ready + duration: a fixed start */
	int64_t duration; /* > 0 */
	int64_t priority; /* >= 0, higher is more important */
	bool asap;	  /* as soon as it fits, whatever the policy */
	bool stays;	  /* its job takes offers: it waits when it is declined */
	bool gated;	  /* its partition takes nobody without a reservation */
	uint32_t mail;	  /* RSPB_MAIL_... of common/wire/flags.h */
	int64_t remind;	  /* its owner, so many seconds before; 0: not said */
	int64_t moves;	  /* its window is what it is promised: until so many seconds
			* before its start that may become another one in it; 0: it
			* stays, as of all whose window has no room */
	int64_t clean_up; /* whole nodes are kept free so many seconds behind
			   * its end, for epilogs and for the prologs of who
			   * follows, where nobody has them yet */
	int64_t held;	  /* its booking is given up then; 0: it is for good */
	/* "partition=a,qos=b,account=c,series=d", what is known of it: for rules,
	 * and for who asks by its series. */
	char *labels; /* owned, below RSPB_REQUEST_LABELS bytes; NULL: nothing is */
	char *name;   /* of its job, for people, owned, below RSPB_REQUEST_NAME; NULL: none */
	/* The job array that its job belongs to, shown to users, 0: none; and the number of the
	 * task. */
	uint32_t array, task;
	struct rspb_benefit *benefit; /* owned; NULL: hard */
	/* The worth of its start (thesis, 3.2: benefit in several dimensions, which are
	 * multiplied): rspb_benefit_left() of the time from the ready time to the last start;
	 * owned; NULL: each start is worth as much. */
	struct rspb_benefit *benefit_time;
	int64_t price; /* what its owner pays, in 1/100 percent of the usual; 0:
			* not said */
	/* How its one part may be had, of which one is booked, with its nodes and
	 * duration; the first is what was asked for. n_forms 0: as it is alone. */
	uint32_t n_forms;
	struct rspb_form *forms; /* owned */
	int64_t step;		 /* whatever its nodes, it is as many of so many seconds; 0: 1 */
	/* With one form: where there is no place for as long as that, it is as long as there
	 * is room for, at least so many seconds; 0: it is not shorter. */
	int64_t shortest;
	bool punctual;	/* its deadline is no more than its length from its ready time */
	uint32_t speed; /* its nodes are as fast at least (rspb_ledger_speed()), and it
			 * is as long as that takes; 0: any */
	uint32_t n_parts;
	struct rspb_part *parts; /* owned */
};

/* A begin may lie this many seconds in the past, so that somebody who types slowly is
 * not refused. */
enum { RSPB_BEGIN_PAST_S = 5 * 60 };

/* The usual price, and the most that may be stated. */
enum { RSPB_PRICE_USUAL = 10000, RSPB_PRICE_MOST = 1000 * 100 };
int64_t rspb_request_price(const struct rspb_request *request);

/* RET a zeroed request with n_parts parts that ask for one whole node each, a
 * hard benefit (NULL: out of memory). */
struct rspb_request *rspb_request_create(uint32_t n_parts);
struct rspb_request *rspb_request_clone(const struct rspb_request *request);
void rspb_request_destroy(struct rspb_request *request);
/* Destroy the node sets of a part: those it names, may have and prefers. It has none then. */
void rspb_part_forget_nodes(struct rspb_part *part);
/* Destroy all that a part owns; it is to be filled anew, or forgotten. */
void rspb_part_fini(struct rspb_part *part);

/* Note what is known for rules; NULL or "": not known. Without
 * memory nothing is. */
void rspb_request_label(struct rspb_request *request, const char *account, const char *qos,
			const char *partition);

/* Then, which series it belongs to; NULL or "": none, too long: left out. */
void rspb_request_series(struct rspb_request *request, const char *series);
bool rspb_request_in_series(const struct rspb_request *request);
/* RET the name of its series, of *len bytes; 0: none. */
const char *rspb_request_series_of(const struct rspb_request *request, size_t *len);
/* RET its account, likewise. */
const char *rspb_request_account_of(const struct rspb_request *request, size_t *len);

/* The benefit function that counts for a part. */
const struct rspb_benefit *rspb_request_benefit(const struct rspb_request *request, uint32_t part);
/* RET the worth of a start, of 1; and the last start that the window and that function allow,
 * before the ready time if there is none. */
struct rspb_ratio rspb_request_timely(const struct rspb_request *request, int64_t start);
int64_t rspb_request_last(const struct rspb_request *request);
/* RET the first second from `now` on at which it may start. */
int64_t rspb_request_first(const struct rspb_request *request, int64_t now);
/* RET how long the request may take at most: its longest form. */
int64_t rspb_request_longest(const struct rspb_request *request);
/* Whether a part may have no other nodes than those it names; else it may have
 * these and the eligible ones. */
bool rspb_part_all_fixed(const struct rspb_part *part);
/* RET how far these of a part's nodes are from those preferred, on the mean; 0: none
 * were. */
uint32_t rspb_part_distance(const struct rspb_part *part, const struct rspb_nodeset *nodes);
/* Let a request have copies of these forms. RET 0, -1: out of memory, no change. */
int rspb_request_set_forms(struct rspb_request *request, const struct rspb_form *forms, uint32_t n);
/* RET the form that was asked for first, or the request as it is if it has no forms. */
struct rspb_form rspb_request_form(const struct rspb_request *request);
/* RET what of a part counts together with all that has that key; NULL: nothing. */
const struct rspb_quota *rspb_part_quota(const struct rspb_part *part, uint64_t key);
/* Whether a request counts against a limit, licenses, or what nodes have besides cores. The ledger
 * checks none of these; a plan does. */
bool rspb_request_counted(const struct rspb_request *request);
/* RET the memory that a part takes of each node, MiB; 0: none is counted, or all of it. */
int64_t rspb_part_memory(const struct rspb_part *part);
/* RET the amount of something that a part takes of one of its nodes, where it is the usual
 * one on most of them. */
static inline int64_t rspb_part_takes(const struct rspb_part *part, uint64_t key, int64_t usual,
				      uint32_t node)
{
	for (uint32_t i = 0; i < part->n_odd; i++)
		if (part->odd[i].node == node && part->odd[i].key == key)
			return part->odd[i].amount;
	return usual;
}
/* The same of its share. */
static inline int64_t rspb_part_on(const struct rspb_part *part, int64_t usual, uint32_t node)
{
	return rspb_part_takes(part, RSPB_ROOM_CORES, usual, node);
}
/* The same in cores; part: NULL has the usual number everywhere. */
static inline uint32_t rspb_part_cores_on(const struct rspb_part *part, uint32_t usual,
					  uint32_t node)
{
	int64_t share = (int64_t) RSPB_SHARE_CORE * usual;

	return part ? (uint32_t) (rspb_part_on(part, share, node) / RSPB_SHARE_CORE) : usual;
}
/* RET the generic resources of all kinds that a part takes of these nodes together. */
int64_t rspb_part_devices(const struct rspb_part *part, const struct rspb_nodeset *nodes);
/* Let it take as much of all of its nodes. */
void rspb_part_even(struct rspb_part *part);
/* Let it take so much of one node, where that is not the usual amount. The nodes come in
 * rising order. RET 0, -1: out of memory. */
int rspb_part_add_odd(struct rspb_part *part, struct rspb_odd odd, int64_t usual);
/* Let a kind (room.h) be counted that most of its nodes do not give. RET 0, -1: out of memory. */
int rspb_part_add_kind(struct rspb_part *part, const char *kind);
/* Let a part count against limits as the mean of its nodes, where that is more than the usual
 * size. */
void rspb_part_weigh_odd(struct rspb_part *part);
/* Whether two parts take other amounts of the same nodes, and as much. */
bool rspb_part_same_odd(const struct rspb_part *a, const struct rspb_part *b);
/* Whether two parts count in the same places, and as much. */
bool rspb_part_same_quotas(const struct rspb_part *a, const struct rspb_part *b);
/* Nodes that all parts ask for together. */
uint64_t rspb_request_nodes(const struct rspb_request *request);
/* Units a part asks for (nodes, or share per node), the least that is
 * acceptable and the least of full benefit (thesis: CPU_min, CPU_max). */
int64_t rspb_part_asked(const struct rspb_part *part);
int64_t rspb_part_least(const struct rspb_request *request, uint32_t part);
int64_t rspb_part_full(const struct rspb_request *request, uint32_t part);
/* Units that it is to have, of those that it asks for; where it may have fewer tasks it is
 * no more and no less than that, until it is to have another number of them. */
int64_t rspb_part_units(const struct rspb_part *part);
/* Tasks that it is to have on each node, of one that may have fewer; else 0. */
static inline uint32_t rspb_part_tasks(const struct rspb_part *part)
{
	return part->fewer ? part->fewer : part->tasks;
}
/* Give the part so many tasks on each node, 1 to part->tasks. was: the part with all of them, with
 * quotas of its own; NULL: its quotas stay as with all tasks. */
void rspb_part_set_tasks(struct rspb_part *part, uint32_t tasks, const struct rspb_part *was);
/* Whether its forms are of tasks, not of nodes. */
bool rspb_request_forms_tasks(const struct rspb_request *request);
/* A request is as one of its forms is, of nodes or, as above, of tasks. */
void rspb_request_take_form(struct rspb_request *request, const struct rspb_form *form,
			    const struct rspb_part *was);
/* RET the worth of so many units of a part, whenever it starts. */
struct rspb_ratio rspb_part_value(const struct rspb_request *request, uint32_t part, int64_t units);
/* Units of a share that make a node of it. */
static inline int64_t rspb_part_whole(const struct rspb_part *part)
{
	return part->whole ? part->whole : RSPB_SHARE_WHOLE;
}
/* Units that it counts as, where its share is that. */
static inline int64_t rspb_part_weighs(const struct rspb_part *part, int64_t share)
{
	return share && part->weight > share ? part->weight : share;
}
/* Cores of each of its nodes that so many units of a part are; 0: it has none of its
 * own, but whole nodes or a share of time. */
uint32_t rspb_part_cores(const struct rspb_part *part, int64_t units);
/* Whether some part has cores of its own. */
bool rspb_request_has_cores(const struct rspb_request *request);
/* Whether a part of it is a share of the CPUs of its nodes, beside which others may have shares. */
bool rspb_request_has_shares(const struct rspb_request *request);
/* Add so many units of a part as text: "8 cores", "35%"; nothing for whole nodes. */
struct rspb_text;
void rspb_part_add_units(const struct rspb_part *part, int64_t units, struct rspb_text *out);
/* sum + what `units` of a part are in 1/10000 of a CPU, over all of its nodes;
 * a whole node counts as one CPU, so that parts of both kinds add up. What is
 * too much for 63 bits is INT64_MAX. */
int64_t rspb_part_add_cpu(const struct rspb_part *part, int64_t units, int64_t sum);

/*
 * Check a request against a machine of width nodes (0: unknown). RET 0 or -1
 * with a sentence naming the field: duration <= 0, deadline < ready + duration
 * nodes_min > nodes, more nodes than exist, times out of range, ...
 */
int rspb_request_validate(const struct rspb_request *request, uint32_t width, struct rspb_err *err);

#endif
