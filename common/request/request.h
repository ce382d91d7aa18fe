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

/* --- limits that parts count against: part.c --- */

/*
 * Limits on what runs at a time, of a user, an account or a QOS, and licenses:
 * what counts together, how much of it there may be, and what a part of a
 * request adds.
 */

enum { RSPB_QUOTA_NAME = 112 };

/* The time for which a part counts. */
enum rspb_quota_span {
	RSPB_QUOTA_NOW,	   /* an amount, while its window lasts */
	RSPB_QUOTA_LENGTH, /* that times its length in seconds, as long */
	RSPB_QUOTA_EVER	   /* the same from now on for good: a budget */
};

/* A value type. */
struct rspb_quota {
	uint64_t key;	  /* what has the same one counts together */
	int64_t most;	  /* -1: it counts, and is not bound */
	int64_t use;	  /* of a part, whatever it is granted, */
	int64_t per_node; /* with each of its nodes, */
	int64_t per_cpu;  /* and with each CPU of those */
	/* For a part that will do with fewer tasks: per_node with one task there, and what each
	 * further task adds; 0 and 0: as much as with all tasks. The last is for all tasks, 0: by
	 * the same sum. */
	int64_t one, each, all;
	int64_t span;		    /* enum rspb_quota_span */
	int64_t unit;		    /* how many make one of what the name counts; 0: 1 */
	char name[RSPB_QUOTA_NAME]; /* "MaxJobsPerUser=1 of QOS normal" */
};

/* The keys of all other quotas lack this bit. */
#define RSPB_QUOTA_LICENSE (UINT64_C(1) << 62)

static inline bool rspb_quota_of_license(const struct rspb_quota *quota)
{
	return quota->key & RSPB_QUOTA_LICENSE;
}

/* RET the factor for its amounts in a window of so many seconds. */
static inline int64_t rspb_quota_times(const struct rspb_quota *quota, int64_t seconds)
{
	return quota->span == RSPB_QUOTA_NOW ? 1 : seconds;
}

/* More than this is no more than this: sums of it are to fit, too. */
#define RSPB_QUOTA_MOST (INT64_C(1) << 57)

static inline int64_t rspb_quota_product(int64_t amount, int64_t times)
{
	int64_t product;

	return __builtin_mul_overflow(amount, times, &product) || product > RSPB_QUOTA_MOST
		       ? RSPB_QUOTA_MOST
		       : product;
}

/* RET what one node of a part adds; cpus as below. */
static inline int64_t rspb_quota_on(const struct rspb_quota *quota, const uint32_t *cpus,
				    uint32_t node)
{
	return quota->per_node + quota->per_cpu * (cpus ? cpus[node] : 1);
}

/* RET what a part with these nodes adds. cpus[nodes->width]: the CPUs of each node, NULL: one
 * each. */
int64_t rspb_quota_use(const struct rspb_quota *quota, const struct rspb_nodeset *nodes,
		       const uint32_t *cpus);

/* A kind that is counted on each node by itself, and how much each has. For such a key, per_node is
 * what a share takes of each of its nodes, at most all of it. */
struct rspb_room {
	uint64_t key; /* RSPB_ROOM_CPUS, _CORES: of no quota */
	uint32_t *of; /* owned; by node */
};
enum {
	RSPB_ROOM_CPUS = 0,
	RSPB_ROOM_CORES = 2 /* in share units, RSPB_SHARE_CORE each */
};

/* A use without a booking, from start to end (seconds). */
struct rspb_hold {
	uint64_t key;
	int64_t amount, start, end;
	uint32_t on;	/* 1 + the node where it does, of what is counted on each, or of
		      * its shares (RSPB_ROOM_CPUS); 0: of what is counted in all */
	uint32_t owner; /* as that of the block beside which it is left; 0: nobody */
};

/* Memory and generic resources, which are counted on each node besides cores. Each kind has a
 * name, "memory", "gpu" or "gpu:a100", and a quota of it has that name. */

#define RSPB_ROOM_MEMORY "memory"

/* The key of a kind, by that name. */
uint64_t rspb_room_key(const char *kind);
/* Print the generic resources among quotas, per_node, as --gres takes them:
 * "gpu:a100:2,shard:1". What is too long for the text is left out. */
void rspb_devices_print(const struct rspb_quota *quotas, size_t n, char *text, size_t size);

/* --- forms of moldable requests: request.c --- */

/*
 * Work that may be done on fewer nodes for longer, or on more for shorter: a moldable
 * request as a group of rigid ones, of which one is booked.
 *
 * Source: Varvarigos et al., figure 5 (capacity against duration); Li et al., section 7
 * (malleable jobs).
 */

enum { RSPB_FORMS_MOST = 32, RSPB_MOLDABLE_POINTS = 16, RSPB_MOLDABLE_WHOLE = 10000 };

struct rspb_form {
	uint32_t nodes;
	int64_t duration; /* seconds, > 0 */
	uint32_t tasks;	  /* on each of the nodes, of which it has their cores; 0: it has the
			 * nodes */
};

/* Which numbers of nodes a request may have, or how many tasks on each of `on` nodes. */
struct rspb_form_range {
	uint32_t least, most;
	uint32_t on;	 /* 0: nodes are counted, not tasks */
	int64_t unit;	 /* forms take a multiple of so many seconds, */
	int64_t longest; /* of so many at most; 0: any */
};

/* The work to be done, a value type: so many seconds on one node, or for one task where tasks are
 * counted, or a table by the user. seconds and n 0: nothing is said. */
struct rspb_moldable {
	int64_t seconds;
	int64_t serial; /* 1/10000 of it which more nodes do not shorten */
	uint32_t n;
	/* The forms by rising number of nodes, or of tasks where these are counted. */
	struct rspb_form table[RSPB_MOLDABLE_POINTS];
};

/* Whether anything is said. */
bool rspb_moldable_said(const struct rspb_moldable *work);
/*
 * RET how long it takes on so many nodes, in seconds, rounded up: by Amdahl's law
 * seconds x (serial + (1 - serial) / nodes), or as the table says; 0: it says nothing
 * of that number.
 */
int64_t rspb_moldable_duration(const struct rspb_moldable *work, uint32_t nodes);
/*
 * Its forms in that range, the most nodes or tasks first; of more numbers than
 * RSPB_FORMS_MOST some, evenly, with the first and the last. One on more that takes as long
 * as one on fewer is none. RET how many; 0 with err: there is none.
 */
uint32_t rspb_moldable_forms(const struct rspb_moldable *work, const struct rspb_form_range *range,
			     struct rspb_form out[RSPB_FORMS_MOST], struct rspb_err *err);

/* --- requests and their parts: request.c, part.c, validate.c --- */

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

/* Nodes that lie as far from those preferred (prefer.c, below). */
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
/* Let a kind (rspb_room_key()) be counted that most of its nodes do not give. RET 0, -1: out of
 * memory. */
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

/* --- prefer.c --- */

/*
 * Ranks the nodes that will do by what the request would like: each by its distance from that,
 * the nearest first.
 *
 * Source: Wu and Luo, section 5.1, formula 8 (QoS deviation distance): what must hold
 * is Slurm's own --mem, --constraint and the like, these count in the distance alone.
 */

enum {
	RSPB_PREFER_MOST = 8,
	RSPB_PREFER_NAME = 32,
	RSPB_PREFER_TEXT = 512,
	RSPB_PREFER_SCALE = 1000 /* the distance of a node that lacks all of one
				  * thing of weight 1 */
};

enum rspb_liked { RSPB_LIKED_MEM, RSPB_LIKED_CPUS, RSPB_LIKED_FEATURE };

struct rspb_liking_term {
	int64_t kind;			/* enum rspb_liked */
	int64_t wanted;			/* MiB, CPUs, 1 */
	int64_t weight;			/* of the squared difference, 1 to 1000 */
	char feature[RSPB_PREFER_NAME]; /* "": of another kind */
};

/* A value type; n 0: nothing is said. */
struct rspb_prefer {
	uint32_t n;
	struct rspb_liking_term terms[RSPB_PREFER_MOST];
};

/* Read "mem=64G,cpus=32,feature=x,weight=10"; weight= is that of what stands before it.
 * RET 0, or -1 with err and out unchanged. */
int rspb_prefer_parse(const char *text, struct rspb_prefer *out, struct rspb_err *err);
/* Add the features of Slurm's own --prefer: names with '&' between, or with '|' where
 * one of them will do. RET 0, or -1 with err and out unchanged. */
int rspb_prefer_features(const char *text, struct rspb_prefer *out, struct rspb_err *err);
/* Its text; RET the length, as snprintf does. */
size_t rspb_prefer_print(const struct rspb_prefer *prefer, char *buf, size_t size);
/*
 * RET how far a node is that offers so much of each: the root of the sum of the squared
 * differences, each in parts of what is wanted and by its weight, in 1/1000. What it
 * has too much of counts, too: smaller nodes are left to those who need less.
 */
uint32_t rspb_prefer_distance(const struct rspb_prefer *prefer, const int64_t *offered);

/* --- spread.c --- */

/* A node that may get some. */
struct rspb_spread_node {
	uint32_t node;
	uint32_t weight; /* the lightest are taken first */
	uint32_t fits;	 /* the most that it can get; 0: it is not taken */
	uint32_t gets;	 /* out */
	bool named;	 /* it has to be among them */
};

/*
 * Choose from least to most of places[n], as few as hold the load, and give each at least one of
 * it. Named nodes come first, then light ones, then large ones; where the most of these do not
 * hold it, large ones of the least weight that is enough. RET how many there are, with which
 * places[] begins then; 0: none will do.
 */
uint32_t rspb_spread(struct rspb_spread_node *places, uint32_t n, uint32_t load, uint32_t least,
		     uint32_t most);
/* The same on nodes without a gap between their numbers; places[] come by rising node. */
uint32_t rspb_spread_row(struct rspb_spread_node *places, uint32_t n, uint32_t load, uint32_t least,
			 uint32_t most);

#endif
