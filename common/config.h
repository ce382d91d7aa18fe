/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of a site: one table of rows - key, type, default, range, unit,
 * help - read from rspb.conf (Slurm's Key=Value syntax, # comments) or from
 * SchedulerParameters as rspb_key=value. Strict: an unknown key (with
 * the nearest known one), a value out of range or a wrong unit is an error.
 */
#ifndef RSPB_COMMON_CONFIG_H
#define RSPB_COMMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/policy.h"

enum rspb_on_decline {
	RSPB_DECLINE_HOLD,	/* the job stays, held, with the reason */
	RSPB_DECLINE_CANCEL,
	RSPB_DECLINE_ORDINARY	/* the job goes on as an ordinary one */
};

enum rspb_overrun {
	RSPB_OVERRUN_END,	/* end it when its window ends */
	RSPB_OVERRUN_BEST_EFFORT	/* go on until somebody follows */
};

struct rspb_config {
	struct rspb_policy policy;	/* Algorithm, Order, When, Where, ... */
	const struct rspb_preset *preset;
	int64_t batch_interval_ms;	/* live: how long requests are gathered */
	int64_t horizon;	/* seconds ahead a booking may end */
	int64_t min_notice;	/* seconds between request and start */
	uint32_t max_nodes;	/* per booking, 0: no limit */
	int64_t max_duration;	/* seconds, 0: no limit */
	uint32_t max_waiting_user;	/* bookings not yet started, 0: none */
	uint32_t max_share_percent;	/* of the nodes booked at one time */
	enum rspb_on_decline on_decline;
	enum rspb_overrun overrun;
	bool release_early;	/* give back what a job leaves of its window */
	uint32_t dedicated_share_percent;	/* of each node, for shares */
	char allow_accounts[1024];	/* comma list, "": all */
	char allow_groups[1024];
	char allow_qos[1024];
	bool debug_locks;	/* log every lock held by a commit */
};

struct rspb_option {
	const char *key;	/* "BatchInterval" */
	const char *unit;	/* "ms", "time", "percent", "nodes", NULL */
	const char *fallback;	/* the default, as text */
	const char *range;	/* what is allowed, as text for messages */
	const char *help;
	/* RET 0, or -1 with a sentence that does not repeat key and place. */
	int (*set)(struct rspb_config *config, const char *value,
		   struct rspb_err *err);
	/* Canonical text of the value in force, as snprintf. */
	size_t (*get)(const struct rspb_config *config, char *buf, size_t size);
};
extern const struct rspb_option rspb_options[];	/* ended by key NULL */

void rspb_config_defaults(struct rspb_config *config);
/*
 * Apply the text of a file over *config. `name` is for messages. RET 0, or -1
 * with "rspb.conf:12: BatchInterval=5 parsecs: ..." and *config unchanged.
 */
int rspb_config_read(struct rspb_config *config, const char *text,
		     const char *name, struct rspb_err *err);
/* The same for "bf_x=1,rspb_batchinterval=200ms": keys without the prefix are
 * left alone, '_' within keys and case are ignored. */
int rspb_config_read_parameters(struct rspb_config *config, const char *text,
				struct rspb_err *err);

/* Durations as text: 90, 90s, 15m, 2h, 1d, 500ms, Slurm's [D-]HH:MM[:SS].
 * In milliseconds. RET 0 or -1 with err. */
int rspb_duration_parse_ms(const char *text, int64_t *ms,
			   struct rspb_err *err);

#endif
