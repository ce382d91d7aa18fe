/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of a site: one table of rows - key, type, default, range, unit,
 * help - read from rspb.conf (Slurm's Key=Value syntax, # comments) or from
 * SchedulerParameters as rspb_key=value. Strict: an unknown key (with
 * the nearest known one), a value out of range or a wrong unit is an error.
 */
#ifndef RSPB_CONF_CONFIG_H
#define RSPB_CONF_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/text.h"
#include "common/ledger/ledger.h"
#include "common/plan/schedule.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"
#include "common/request/request.h"

/* --- values.c --- */

/* --- settings that differ with the features of nodes: a value for all, then others, as in
 * "50%,gpu:0,bigmem:25" or "no,batch:yes" --- */

enum { RSPB_BY_FEATURE_LIST = 1024 };
/* The kinds of values: 0 to 100 per cent, yes (1) and no (0), or of a usual node's speed between
 * SLOWEST and FASTEST per cent. */
enum rspb_by_feature_kind {
	RSPB_BY_FEATURE_PERCENT,
	RSPB_BY_FEATURE_YES_NO,
	RSPB_BY_FEATURE_SPEED
};
enum { RSPB_SPEED_SLOWEST = 10, RSPB_SPEED_FASTEST = 1000 };

struct rspb_by_feature {
	uint32_t all;			  /* of a node that no rule is for */
	char rules[RSPB_BY_FEATURE_LIST]; /* "gpu:0,bigmem:25"; zeros behind */
};

/* Read a list without empty members. RET 0, or -1 with a few words on what is wrong and
 * nothing changed. */
int rspb_by_feature_read(enum rspb_by_feature_kind kind, const char *list,
			 struct rspb_by_feature *out, struct rspb_err *err);
/* The canonical text. */
void rspb_by_feature_print(enum rspb_by_feature_kind kind, const struct rspb_by_feature *value,
			   struct rspb_text *out);
/* The value for a node with these features (separated by commas, NULL: none); of
 * several that have a rule the one whose rule stands first counts. */
uint32_t rspb_by_feature_value(const struct rspb_by_feature *value, const char *features);

/* --- hours of the week, by whatever clock: "Mon-Fri/09:00-17:00,Sat/10:00-12:00". A day, or
 * the first and last of some, is followed by the begin and the end of the hours; these end at
 * 24:00 at most, or, if the end is earlier than the begin, on the next day --- */

enum { RSPB_HOURS_DAY = 24 * 60, RSPB_HOURS_WEEK = 7 * RSPB_HOURS_DAY };

/* RET 0, or -1 with a few words on what is wrong. */
int rspb_hours_check(const char *hours, struct rspb_err *err);
/* In how many minutes a minute of the week, from Sunday 00:00 on, is followed by
 * one that is within the hours (open) or without. RET 0: it is so itself; -1:
 * never. No hours are all hours. */
int rspb_hours_next(const char *hours, int minute, int open);
/* RET the first second from `at` on that is within the hours (open) or without, in the local time
 * zone; INT64_MAX: there is none. */
int64_t rspb_hours_from(const char *hours, int64_t at, bool open);

/* --- lines of Key=Value pairs as Slurm's files have them: blanks between, also around '=',
 * and quotes around a value that has blanks --- */

/* Both lie in the line; the value is without its quotes. */
struct rspb_pair {
	const char *key, *value;
	size_t key_len, len;
};

/* Read the next pair of a line, from *p to its end, and put *p behind it. RET 1;
 * 0: there is none; -1 with a sentence without its place. */
int rspb_pair_next(const char **p, const char *end, struct rspb_pair *pair, struct rspb_err *err);

/* --- config.c, option.c, options.c --- */

enum rspb_mode {
	RSPB_MODE_BOOK,
	RSPB_MODE_OBSERVE /* requests are judged, and nothing is booked */
};

enum rspb_on_decline {
	RSPB_DECLINE_HOLD, /* the job stays, held, with the reason */
	RSPB_DECLINE_CANCEL,
	RSPB_DECLINE_ORDINARY /* the job goes on as an ordinary one */
};

enum { RSPB_GAP_AUTO = -1 }; /* as long as nodes took lately */

enum rspb_overrun {
	RSPB_OVERRUN_END,	 /* end it when its window ends */
	RSPB_OVERRUN_BEST_EFFORT /* go on until somebody follows */
};

/* For whom users may book without a job, besides operators. */
enum rspb_group_bookings {
	RSPB_GROUP_NO,
	RSPB_GROUP_COORDINATORS, /* accounts that they coordinate, their users */
	RSPB_GROUP_MEMBERS,	 /* accounts that they have, their users */
	RSPB_GROUP_ANY
};

/* How a booking ends whose job cannot start. */
enum rspb_unstartable {
	RSPB_UNSTARTABLE_HOLD, /* it keeps its nodes */
	RSPB_UNSTARTABLE_RELEASE
};

/* The consequence of a window that its owner booked and did not use. */
enum rspb_no_show {
	RSPB_NO_SHOW_FORGET,
	RSPB_NO_SHOW_COUNT, /* it counts against the owner's limits */
	RSPB_NO_SHOW_BAR    /* and nothing more is booked for a time */
};

/* How a node enforces the share of a booking. */
enum rspb_share_mode {
	RSPB_SHARE_WEIGHT,  /* at least the share when there is a contest */
	RSPB_SHARE_CEILING, /* also never more than was asked */
	RSPB_SHARE_HARD	    /* also never more than was granted */
};

/* The hosts from which a report on a node's CPU time counts. */
enum rspb_report_host {
	RSPB_REPORT_NODE, /* the node's own, or a controller's */
	RSPB_REPORT_ANY	  /* any: the credential alone counts */
};

/* The unit that a booking takes of its nodes. */
enum rspb_unit {
	RSPB_UNIT_NODE, /* all of each */
	RSPB_UNIT_PART, /* what Slurm gives its job of each, where that can be said */
	RSPB_UNIT_AUTO	/* that, where its job says more than how many nodes */
};

enum {
	RSPB_CONFIG_LIST = RSPB_BY_FEATURE_LIST,
	RSPB_CONFIG_PATH = 256,
	RSPB_CONFIG_RULES = 8192,
	RSPB_CONFIG_HOURS = 256,
	RSPB_CONFIG_MOST = 80 /* rows of rspb_options */
};

/* Where a setting came from, if not from a line of rspb.conf. */
enum { RSPB_FROM_DEFAULT = 0, RSPB_FROM_PARAMETERS = -1 };

struct rspb_config {
	enum rspb_mode mode;
	struct rspb_policy policy; /* Algorithm, Order, When, Where, ... */
	const struct rspb_preset *preset;
	/* The presets that are not for a cluster, by the names of rspb_presets. NULL: they
	 * are read, to be refused by rspb_config_live(). Set after rspb_config_defaults(). */
	const struct rspb_preset *simulated;
	int64_t batch_interval_ms; /* live: how long requests are gathered */
	bool allow;		   /* that it is booked */
	bool req_resv;		   /* also in a partition with ReqResv=YES */
	int64_t horizon;	   /* seconds ahead a booking may end */
	int64_t series_horizon;	   /* of one of a series, if that is more */
	int64_t min_notice;	   /* seconds between request and start */
	int64_t firm_notice;	   /* s: one as near its start does not move */
	int64_t outage_notice; /* s: nobody has less for a lost node before (rspb_config_outage) */
	/* Percent of the nodes that can be had at so many seconds' notice; 0: as many as
	 * ordinary jobs leave. */
	uint32_t bookable;
	int64_t bookable_notice;
	/* s: how long before its start one of whole nodes has a reservation; 0: from
	 * the first on. */
	int64_t reserve_ahead;
	uint32_t max_nodes;		       /* per booking, 0: no limit; or at least, of */
	uint32_t max_nodes_percent;	       /* that part of all nodes, 0: a number */
	int64_t max_duration;		       /* seconds, 0: no limit */
	uint32_t max_node_hours;	       /* per booking, 0: no limit */
	uint32_t max_waiting_user;	       /* bookings that have not ended, 0: any */
	int64_t max_ahead_user;		       /* seconds of all nodes, 0: no limit */
	int64_t max_series_ahead;	       /* likewise, in series */
	uint32_t max_waiting_account;	       /* as of a user, 0: any */
	int64_t max_ahead_account;	       /* likewise */
	int64_t ahead_from;		       /* seconds from now on that these do not count */
	uint32_t max_share_percent;	       /* of the nodes booked at one time */
	char start_hours[RSPB_CONFIG_HOURS];   /* "": any, see hours.h */
	char request_hours[RSPB_CONFIG_HOURS]; /* likewise */
	int64_t extend_within;		       /* seconds before the end, 0: any time */
	enum rspb_on_decline on_decline;
	enum rspb_overrun overrun;
	enum rspb_yield yield; /* the most asked of others for a lost node */
	bool release_early;    /* give back what a job leaves of its window */
	enum rspb_unstartable unstartable;
	int64_t start_within;	 /* seconds behind the start */
	uint32_t charge_percent; /* of node-seconds, 0: none are counted */
	bool charge_unused;	 /* the whole window, used or not */
	enum rspb_no_show no_show;
	enum rspb_group_bookings group_bookings;
	int64_t no_show_bar; /* seconds, of RSPB_NO_SHOW_BAR */
	/* Seconds behind and before windows, or RSPB_GAP_AUTO. */
	int64_t clean_up, prepare;
	int64_t late_cancel;		  /* seconds before the start; later is too late */
	struct rspb_by_feature dedicated; /* percent of each node, for shares */
	struct rspb_by_feature colocate;  /* ordinary jobs beside shares */
	struct rspb_by_feature speed;	  /* per cent of a usual node's */
	enum rspb_unit unit;
	enum rspb_share_mode share_mode;
	char share_state_dir[RSPB_CONFIG_PATH]; /* on every node */
	char allow_accounts[RSPB_CONFIG_LIST];	/* comma list, "": all */
	char allow_groups[RSPB_CONFIG_LIST];
	char allow_qos[RSPB_CONFIG_LIST];
	uint32_t listen_port;		       /* 0: no socket */
	char listen_address[RSPB_CONFIG_LIST]; /* "": as slurmctld */
	char notice_program[RSPB_CONFIG_PATH]; /* "": none */
	int64_t remind;			       /* seconds before the start, 0: not */
	int64_t hold_for;		       /* seconds that an offer may be held, 0: never */
	char rules[RSPB_CONFIG_RULES];	       /* a line each, see rules.c */
	bool journal;			       /* what must outlive a crash is written down */
	int64_t journal_keep;		       /* seconds, with what a replay needs; 0: without */
	bool debug_locks;		       /* log every lock held by a commit */
	bool audit;			       /* log who changed a booking, and from where */
	enum rspb_report_host report_host;     /* from where a node's usage report counts */
	char gone[RSPB_ERR_TEXT];	       /* the first key that is none any more, "" */
	/* For each row of rspb_options, the line that set it, or RSPB_FROM_... */
	int32_t from[RSPB_CONFIG_MOST];
};

enum rspb_option_kind {
	RSPB_OPTION_PRESET,
	RSPB_OPTION_ROW,  /* of a table for names.h; high: its size */
	RSPB_OPTION_WORD, /* an enum, one of a list ended by NULL */
	RSPB_OPTION_BOOL, /* high: what yes means */
	RSPB_OPTION_TIME, /* low to high times `step` milliseconds */
	RSPB_OPTION_COUNT,
	RSPB_OPTION_PERCENT,
	RSPB_OPTION_NO_SHOW,  /* a word; "bar" with a time behind it */
	RSPB_OPTION_BOOKABLE, /* a percentage, with a time behind it; 0% */
	RSPB_OPTION_NODES,    /* a number, or a percentage of all */
	RSPB_OPTION_FEATURES, /* high: of yes and no */
	RSPB_OPTION_LIST,
	RSPB_OPTION_HOURS,
	RSPB_OPTION_PATH
};

/* A row per key. `key` and `alias` come first because names.h searches this table. */
struct rspb_option {
	const char *key;      /* "BatchInterval" */
	const char *alias;    /* a second spelling, or NULL */
	const char *fallback; /* the default, NULL: as Algorithm says */
	const char *range;    /* what is allowed, for messages */
	const char *help;
	enum rspb_option_kind kind;
	size_t offset; /* in struct rspb_config */
	int64_t low, high, step;
	const void *names; /* of rows and words */
	bool by_rule;	   /* may differ by rule (rules.c) */
};
extern const struct rspb_option rspb_options[]; /* ended by key NULL */
/* A key of earlier releases, for names.h; instead: what is so now, or to be said. */
struct rspb_option_gone {
	const char *key, *alias, *instead;
};
extern const struct rspb_option_gone rspb_options_gone[];
/* RET the row of that key, case, '_' and '-' ignored, or NULL. */
const struct rspb_option *rspb_option_find(const char *key);
/* RET 0, or -1 with a few words ("is out of range"), and *config unchanged. */
int rspb_option_set(const struct rspb_option *option, struct rspb_config *config, const char *value,
		    struct rspb_err *err);
/* Whether a pair names a key of earlier releases, and what is said of it then. */
bool rspb_option_is_gone(const struct rspb_pair *pair, struct rspb_err *said);
/* The option that a pair names. RET NULL with a sentence: there is none. */
const struct rspb_option *rspb_option_of(const struct rspb_pair *pair, struct rspb_err *err);
/* rspb_option_set() with a value of len bytes, and a whole sentence. */
int rspb_option_apply(const struct rspb_option *option, struct rspb_config *config,
		      const char *value, size_t len, struct rspb_err *err);
/* Canonical text of the value in force, as snprintf. */
size_t rspb_option_get(const struct rspb_option *option, const struct rspb_config *config,
		       char *buf, size_t size);

void rspb_config_defaults(struct rspb_config *config);
/*
 * Apply the text of a file over *config. `name` is for messages. Keys may come
 * in any order; Algorithm is applied first, since Order, When, Where and
 * Degrade replace parts of it. A key may stand only once. RET 0, or -1 with
 * "rspb.conf:12: BatchInterval=5 parsecs: ..." and *config unchanged.
 */
int rspb_config_read(struct rspb_config *config, const char *text, const char *name,
		     struct rspb_err *err);
/*
 * The same for "bf_x=1,rspb_batchinterval=200ms": words that do not begin with
 * rspb_ are left alone; case, '_' and '-' within keys are ignored. ';' separates
 * the members of a list there.
 */
int rspb_config_read_parameters(struct rspb_config *config, const char *text, struct rspb_err *err);
/* How long before its start, in seconds, a booking can have less because a node is lost:
 * outage_notice, and at least firm_notice. Where no booking moves within its window
 * (RSPB_FIRM_AT_ONCE), outage_notice alone counts. */
int64_t rspb_config_outage(const struct rspb_config *config);
/* Whether a cluster can run on these settings, which may each be well and not go
 * together; the simulator runs on more. RET 0, or -1 with err. */
int rspb_config_live(const struct rspb_config *config, struct rspb_err *err);

/* --- rules.c --- */

/*
 * Settings for some requests only: lines of rspb.conf like
 *
 *	Rule=course Accounts=teaching Partitions=small MaxDuration=4h
 *
 * A rule holds for a request that all of Users, Accounts, Qos, Partitions and
 * NodesFrom which it names agree with; of several rules the later ones count.
 */

/* Whether a pair is the first of a rule. */
bool rspb_rule_begins(const struct rspb_pair *pair);
/* Check the line from p to end, and add it to the rules. RET 0, or -1 with a
 * sentence without its place. */
int rspb_rules_add(char rules[RSPB_CONFIG_RULES], const char *p, const char *end,
		   struct rspb_err *err);
/* The same of several lines, each ended by a newline, in place of the rules. */
int rspb_rules_read(const char *text, char rules[RSPB_CONFIG_RULES], struct rspb_err *err);
/* The settings that count for a request on a machine of so many nodes. RET
 * config itself, or *space where a rule holds. */
const struct rspb_config *rspb_rules_for(const struct rspb_config *config,
					 const struct rspb_request *request, uint32_t nodes,
					 struct rspb_config *space);
/* RET how far ahead a booking may end at most, whoever asks: seconds from now. */
int64_t rspb_rules_farthest(const struct rspb_config *config);
/* Whether any rule names a key ("Qos"), or a setting ("Unit"). */
bool rspb_rules_name(const struct rspb_config *config, const char *key);
/* Knows the uid of a name. RET false: it does not; the name may be a number. */
typedef bool rspb_rules_find(const char *name, uint32_t *uid, void *arg);
/* Put uids in the place of names of users, as find() knows them; others stay,
 * and are nobody's until a later call finds them. */
void rspb_rules_users(struct rspb_config *config, rspb_rules_find *find, void *arg);

/* --- limits.c --- */

/* How far ahead it may end, s: Horizon, or of one of a series SeriesHorizon. */
int64_t rspb_limits_horizon(const struct rspb_config *config, const struct rspb_request *request);
/* RET the most nodes of one booking on a machine of so many, 0: any number. */
uint32_t rspb_limits_nodes(const struct rspb_config *config, uint32_t nodes);
/* RET the most nodes that may be booked at a time (MaxBookedPercent): one at least. */
uint32_t rspb_limits_booked(const struct rspb_config *config, uint32_t nodes);
/* Size and times of a request asked at `now`, on a machine of so many nodes:
 * Mode, MaxNodes, MaxDuration, MinNotice, Horizon. RET 0, or -1 with a sentence for
 * the user. */
int rspb_limits_request(const struct rspb_request *request, const struct rspb_config *config,
			uint32_t nodes, int64_t now, struct rspb_err *err);
/* Keep those forms of a moldable request (request/request.h) that the same settings allow, and give
 * the request the first of them. If none is allowed, all stay. RET 0, or -1: out of memory, nothing
 * is changed. */
int rspb_limits_forms(struct rspb_request *request, const struct rspb_config *config,
		      uint32_t nodes, int64_t now);
/* The sums that count against a user's limits. */
struct rspb_holding {
	uint32_t bookings;
	int64_t ahead; /* node-seconds from now on */
};
/* RET the node-seconds that a booking holds from a time on; a share counts as its part of a
 * node. */
int64_t rspb_limits_ahead(const struct rspb_booking *booking, int64_t from);

/* After planning, before the booking is in the ledger: what its user has booked
 * that has not ended (MaxWaitingPerUser, MaxAheadPerUser; of series, each of which
 * is one for the former, MaxSeriesAheadPerUser), and the part of the machine booked at
 * one time (MaxBookedPercent). besides: what counts of the user's that is in the ledger
 * no more. RET 0, or -1 with a sentence for the user. */
int rspb_limits_grant(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      struct rspb_holding besides, const struct rspb_config *config,
		      struct rspb_err *err);

/* The bookings of a user and of an account (labels of the request) as they count so far against
 * the limits that rspb_limits_grant() checks; of those in series, only `series.ahead` is set. */
struct rspb_limits_use {
	struct rspb_holding user, series, account;
};
/* The time that counts begins at `from` (AheadFrom). RET 0, -1: out of memory. */
int rspb_limits_use(const struct rspb_ledger *ledger, const struct rspb_request *request,
		    struct rspb_holding besides, int64_t from, struct rspb_limits_use *out);

/* RET whether the part of the machine allows a booking beside the others of a ledger that count
 * (NULL: all do), whatever else has nodes there. */
typedef bool (*rspb_limits_counts_fn)(const struct rspb_booking *booking, const void *arg);
bool rspb_limits_beside(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
			const struct rspb_config *config, rspb_limits_counts_fn counts,
			const void *arg);
/* The same of one that moves on a plan, by the rules for its request. RET whether it may; config:
 * a struct rspb_config (rspb_policy.allows). */
bool rspb_limits_move(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      const void *config);
/* Set how long before its start a request is no longer moved (request->moves; 0: it never is):
 * FirmNotice, or its owner's --firm (0: not said) if that is longer. */
void rspb_limits_moves(struct rspb_request *request, const struct rspb_config *config,
		       int64_t firm);

/* RET the ledger without a booking that it has, which is judged anew. NULL with err: out of
 * memory. */
struct rspb_ledger *rspb_limits_rest(const struct rspb_ledger *ledger,
				     const struct rspb_booking *booking, int64_t now,
				     struct rspb_err *err);
/* As rspb_limits_grant(), of one that may be in the ledger as it was: the part of the machine
 * alone, if it has grown. */
int rspb_limits_growth(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		       const struct rspb_config *config, struct rspb_err *err);

#endif
