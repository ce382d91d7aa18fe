/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option table of common/conf/config.h: what each key takes. */
#include "common/base/names.h"
#include "common/conf/config.h"
#include "common/policy/degrade.h"
#include "common/policy/order.h"
#include "common/policy/when.h"
#include "common/policy/where.h"

/* clang-format off */
#define KIND(kind, field, low, high, step, names)			\
	RSPB_OPTION_##kind, offsetof(struct rspb_config, field),	\
	low, high, step, names
#define PRESET	    KIND(PRESET, preset, 0, 0, 0, NULL)
#define ROW(field, rows)						\
	KIND(ROW, policy.field, 0, sizeof((rows)[0]), 0, rows)
#define WORDS(field, ...)						\
	KIND(WORD, field, 0, 0, 0,					\
	     ((const char *const[]){ __VA_ARGS__, NULL }))
#define BOOL(field, yes)	      KIND(BOOL, field, 0, yes, 0, NULL)
#define TIME(field, step, low, high)  KIND(TIME, field, low, high, step, NULL)
#define NUMBER(kind, field, high)     KIND(kind, field, 0, high, 0, NULL)
#define TEXT(kind, field)	      KIND(kind, field, 0, 0, 0, NULL)
/* clang-format on */

const struct rspb_option rspb_options[] = {
	{ "Algorithm", NULL, RSPB_PRESET_DEFAULT,
	  "the name of a preset (rspb.conf(5))",
	  "preset of order, start, nodes and degradation", PRESET },
	{ "Order", NULL, NULL, "the name of an order",
	  "which request of a batch is looked at first",
	  ROW(order, rspb_orders) },
	{ "When", NULL, NULL, "the name of a start policy",
	  "which of the feasible starts is taken", ROW(when, rspb_whens) },
	{ "Where", NULL, NULL, "the name of a node policy",
	  "which nodes are taken at that start", ROW(where, rspb_wheres) },
	{ "Degrade", NULL, NULL, "the name of a degradation",
	  "how much is granted when it does not all fit",
	  ROW(degrade, rspb_degrades) },
	{ "Reclaim", NULL, "yes", "yes, no",
	  "whether requests may have what bookings grew by beyond their "
	  "promise",
	  BOOL(policy.keep_surplus, false) },
	{ "Yield", NULL, "whole", "none, surplus, part, whole",
	  "the most that others give up for a booking that lost a node",
	  WORDS(yield, "none", "surplus", "part", "whole") },
	{ "BatchInterval", NULL, "1s", "50ms to 1h",
	  "how long requests are gathered before they are decided together",
	  TIME(batch_interval_ms, 1, 50, 3600000) },
	{ "Horizon", NULL, "14d", "1m to 3650d, in whole seconds",
	  "how far ahead a booking may end",
	  TIME(horizon, 1000, 60, 315360000) },
	{ "MinNotice", NULL, "0s", "0s to 365d, in whole seconds",
	  "least time between a request and its start",
	  TIME(min_notice, 1000, 0, 31536000) },
	{ "MaxNodes", NULL, "25%",
	  "0 (no limit) to 1000000, or 1% to 100% of all nodes",
	  "most nodes of one booking", NUMBER(NODES, max_nodes, 1000000) },
	{ "MaxDuration", NULL, "1d", "0s (no limit) to 3650d, in whole seconds",
	  "longest booking", TIME(max_duration, 1000, 0, 315360000) },
	{ "MaxWaitingPerUser", NULL, "8", "0 (no limit) to 1000000",
	  "most bookings of one user that have not ended",
	  NUMBER(COUNT, max_waiting_user, 1000000) },
	{ "MaxAheadPerUser", NULL, "6h",
	  "0s (no limit) to 3650d, in whole seconds",
	  "most that one user may have booked ahead, as time of all nodes",
	  TIME(max_ahead_user, 1000, 0, 315360000) },
	{ "MaxBookedPercent", NULL, "50%", "1% to 100%",
	  "share of all nodes that may be booked at any one time",
	  NUMBER(PERCENT, max_share_percent, 100) },
	{ "OnDecline", NULL, "hold", "hold, cancel, ordinary",
	  "what becomes of a job whose request is declined",
	  WORDS(on_decline, "hold", "cancel", "ordinary") },
	{ "Overrun", NULL, "best-effort", "end, best-effort",
	  "whether a job may go on behind its window while nobody follows",
	  WORDS(overrun, "end", "best-effort") },
	{ "ReleaseEarly", NULL, "yes", "yes, no",
	  "whether the rest of the window is free when a job ends early",
	  BOOL(release_early, true) },
	{ "Unstartable", NULL, "release", "release, hold",
	  "whether a booking whose job cannot start gives its nodes back",
	  WORDS(unstartable, "hold", "release") },
	{ "StartWithin", NULL, "5m", "1s to 365d, in whole seconds",
	  "how long behind its start it keeps them all the same",
	  TIME(start_within, 1000, 1, 31536000) },
	{ "NoShow", NULL, "count", "forget, count, bar",
	  "what becomes of a window that its owner did not use",
	  WORDS(no_show, "forget", "count", "bar") },
	{ "NoShowBar", NULL, "1d", "1s to 365d, in whole seconds",
	  "for how long NoShow=bar lets the owner book nothing",
	  TIME(no_show_bar, 1000, 1, 31536000) },
	{ "LateCancel", NULL, "5m", "0s to 365d, in whole seconds",
	  "how near its start a cancelled booking counts as not used",
	  TIME(late_cancel, 1000, 0, 31536000) },
	{ "DedicatedShare", NULL, "100%",
	  "0% to 100%, then any number of FEATURE:PCT",
	  "part of each node's CPUs that bookings of shares may take",
	  NUMBER(FEATURES, dedicated, false) },
	{ "Colocate", NULL, "no",
	  "yes or no, then any number of FEATURE:yes or FEATURE:no",
	  "whether ordinary jobs may be on a node beside bookings of shares",
	  NUMBER(FEATURES, colocate, true) },
	{ "ShareMode", NULL, "weight", "weight, ceiling, hard",
	  "what a booked CPU share means on the node",
	  WORDS(share_mode, "weight", "ceiling", "hard") },
	{ "SharePeriod", NULL, "100ms", "20ms to 100ms",
	  "period of the kernel's CPU quota",
	  TIME(share_period_ms, 1, 20, 100) },
	{ "ShareReport", NULL, "30s",
	  "0s (at the end only) to 1d, in whole seconds",
	  "how often nodes tell what running jobs with a share have used",
	  TIME(share_report_s, 1000, 0, 86400) },
	{ "ShareStateDir", NULL, "/run/slurm-rspb", "an absolute path",
	  "where the nodes keep the granted shares: state= in plugstack.conf",
	  TEXT(PATH, share_state_dir) },
	{ "PrioritySource", NULL, "job", "job, qos",
	  "whose priority a request has",
	  WORDS(priority_source, "job", "qos") },
	{ "AllowAccounts", NULL, "", "names separated by commas, none for all",
	  "accounts that may book", TEXT(LIST, allow_accounts) },
	{ "AllowGroups", NULL, "", "names separated by commas, none for all",
	  "groups of users that may book", TEXT(LIST, allow_groups) },
	{ "AllowQos", NULL, "", "names separated by commas, none for all",
	  "QOS that may book", TEXT(LIST, allow_qos) },
	{ "ListenPort", NULL, "6821", "0 (nowhere) to 65535",
	  "the port at which rspb(1) asks slurmctld",
	  NUMBER(COUNT, listen_port, 65535) },
	{ "ListenAddress", NULL, "", "an address or name, none for slurmctld's",
	  "and the address", TEXT(LIST, listen_address) },
	{ "NoticeProgram", NULL, "", "an absolute path, none for no program",
	  "a program that is told what becomes of bookings",
	  TEXT(PATH, notice_program) },
	{ "Remind", NULL, "0s", "0s (never) to 365d, in whole seconds",
	  "how long before its start the owner of a booking is reminded",
	  TIME(remind, 1000, 0, 31536000) },
	{ "Journal", NULL, "yes", "yes, no",
	  "whether what is promised is on the disk before it is told",
	  BOOL(journal, true) },
	{ "JournalFile", NULL, "", "an absolute path, none for no journal",
	  "where slurmctld records what it decides, for rspb-sim journal",
	  TEXT(PATH, journal_file) },
	{ "DebugLocks", NULL, "no", "yes, no",
	  "log how long every commit held Slurm's locks",
	  BOOL(debug_locks, true) },
	{ .key = NULL },
};

RSPB_NAMES_FINDER(rspb_option_find, rspb_option, rspb_options)
