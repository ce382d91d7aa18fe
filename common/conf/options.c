/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option table of common/conf/config.h: what each key takes. */
#include "common/base/names.h"
#include "common/conf/config.h"
#include "common/policy/degrade.h"
#include "common/policy/order.h"
#include "common/policy/when.h"
#include "common/policy/where.h"

/* Whether an option may differ by rule (rules.h). Only options that limit requests may. */
enum { SITE, RULE };

/* clang-format off */
/* Each macro makes the last members of a row. The kind decides as which type option.c reads and
 * writes the member. */
#define KIND(kind, by, field, low, high, step, names)			\
	RSPB_OPTION_##kind, offsetof(struct rspb_config, field),	\
	low, high, step, names, (by) == RULE
#define PRESET	    KIND(PRESET, SITE, preset, 0, 0, 0, NULL)
#define ROW(field, rows)						\
	KIND(ROW, SITE, policy.field, 0, sizeof((rows)[0]), 0, rows)
#define WORDS(by, field, ...)						\
	KIND(WORD, by, field, 0, 0, 0,					\
	     ((const char *const[]){ __VA_ARGS__, NULL }))
#define BOOL(by, field, yes)	      KIND(BOOL, by, field, 0, yes, 0, NULL)
#define TIME(by, field, step, low, high) \
	KIND(TIME, by, field, low, high, step, NULL)
#define NUMBER(kind, by, field, high) KIND(kind, by, field, 0, high, 0, NULL)
#define TEXT(kind, by, field)	      KIND(kind, by, field, 0, 0, 0, NULL)
/* clang-format on */

/* Algorithm must be the first row: config.c applies it before all others. Ranges are texts for
 * messages; `low` and `high` decide. */
const struct rspb_option rspb_options[] = {
	{ "Algorithm", NULL, RSPB_PRESET_DEFAULT, "the name of a preset (rspb.conf(5))",
	  "preset of order, start, nodes and degradation", PRESET },
	{ "Order", NULL, NULL, "the name of an order",
	  "which request of a batch is looked at first", ROW(order, rspb_orders) },
	{ "When", NULL, NULL, "the name of a start policy", "which of the feasible starts is taken",
	  ROW(when, rspb_whens) },
	{ "Where", NULL, NULL, "the name of a node policy", "which nodes are taken at that start",
	  ROW(where, rspb_wheres) },
	{ "Degrade", NULL, NULL, "the name of a degradation",
	  "how much is granted if not everything fits", ROW(degrade, rspb_degrades) },
	{ "Yield", NULL, "whole", "none, surplus, part, whole",
	  "the most that others give up for a booking that lost a node",
	  WORDS(SITE, yield, "none", "surplus", "part", "whole") },
	{ "BatchInterval", NULL, "1s", "50ms to 1h",
	  "how long requests are gathered before they are decided together",
	  TIME(SITE, batch_interval_ms, 1, 50, 3600000) },
	{ "Mode", NULL, "book", "book, observe",
	  "whether requests are booked, or only judged (a rehearsal)",
	  WORDS(SITE, mode, "book", "observe") },
	{ "Allow", NULL, "yes", "yes, no", "whether booking is allowed at all",
	  BOOL(RULE, allow, true) },
	{ "Horizon", NULL, "14d", "1m to 3650d, in whole seconds",
	  "how far in advance a booking can end", TIME(RULE, horizon, 1000, 60, 315360000) },
	{ "SeriesHorizon", NULL, "200d", "1m to 3650d, in whole seconds",
	  "how far in advance a booking of a series can end",
	  TIME(RULE, series_horizon, 1000, 60, 315360000) },
	{ "MinNotice", NULL, "0s", "0s to 365d, in whole seconds",
	  "least time between a request and its start", TIME(RULE, min_notice, 1000, 0, 31536000) },
	{ "FirmNotice", NULL, "10m", "0s to 3650d, in whole seconds",
	  "how long before its start a booking no longer moves",
	  TIME(RULE, firm_notice, 1000, 0, RSPB_FIRM_AT_ONCE) },
	{ "OutageNotice", NULL, "1h", "0s to 3650d, in whole seconds, and not less than FirmNotice",
	  "how long before its start a booking can shrink or yield because a node is lost",
	  TIME(RULE, outage_notice, 1000, 0, 315360000) },
	{ "Bookable", NULL, "0%", "0%, or 1% to 90% / 1m to 365d (20%/4h)",
	  "part of the nodes that long regular jobs leave for bookings at that notice",
	  KIND(BOOKABLE, SITE, bookable, 60, 31536000, 1000, NULL) },
	{ "ReserveAhead", NULL, "5m", "0s (as soon as it is booked) to 365d, in whole seconds",
	  "how long before its start a booking has a reservation in Slurm",
	  TIME(SITE, reserve_ahead, 1000, 0, 31536000) },
	{ "MaxNodes", NULL, "25%:4",
	  "0 (no limit) to 1000000, or 1% to 100% of all nodes, but at least a number (25%:4)",
	  "most nodes of one booking", NUMBER(NODES, RULE, max_nodes, 1000000) },
	{ "MaxDuration", NULL, "1d", "0s (no limit) to 3650d, in whole seconds", "longest booking",
	  TIME(RULE, max_duration, 1000, 0, 315360000) },
	{ "MaxNodeHours", NULL, "0", "0 (no limit) to 1000000000", "most node-hours of one booking",
	  NUMBER(COUNT, RULE, max_node_hours, 1000000000) },
	{ "MaxWaitingPerUser", NULL, "8", "0 (no limit) to 1000000",
	  "most bookings of one user that have not ended",
	  NUMBER(COUNT, RULE, max_waiting_user, 1000000) },
	{ "MaxAheadPerUser", NULL, "6h", "0s (no limit) to 3650d, in whole seconds",
	  "most that one user can book in advance, as time of all nodes",
	  TIME(RULE, max_ahead_user, 1000, 0, 315360000) },
	{ "MaxSeriesAheadPerUser", NULL, "1d", "0s (no limit) to 3650d, in whole seconds",
	  "the same for series, in addition", TIME(RULE, max_series_ahead, 1000, 0, 315360000) },
	{ "MaxWaitingPerAccount", NULL, "0", "0 (no limit) to 1000000",
	  "most bookings of one account that have not ended",
	  NUMBER(COUNT, RULE, max_waiting_account, 1000000) },
	{ "MaxAheadPerAccount", NULL, "0s", "0s (no limit) to 3650d, in whole seconds",
	  "most that one account can book in advance, as time of all nodes",
	  TIME(RULE, max_ahead_account, 1000, 0, 315360000) },
	{ "AheadFrom", NULL, "0s", "0s (all) to 365d, in whole seconds",
	  "time from now on that MaxAhead limits do not count",
	  TIME(RULE, ahead_from, 1000, 0, 31536000) },
	{ "MaxBookedPercent", NULL, "50%", "1% to 100%",
	  "part of all nodes that can be booked at any time",
	  NUMBER(PERCENT, RULE, max_share_percent, 100) },
	{ "StartHours", NULL, "", "Mon-Fri/09:00-17:00 and the like, none for any",
	  "when bookings can start, in the site's time zone", TEXT(HOURS, RULE, start_hours) },
	{ "RequestHours", NULL, "", "Mon-Fri/09:00-17:00 and the like, none for any",
	  "when bookings can be requested", TEXT(HOURS, RULE, request_hours) },
	{ "ExtendWithin", NULL, "0s", "0s (any time) to 365d, in whole seconds",
	  "how near its end a booking must be before it can be extended",
	  TIME(RULE, extend_within, 1000, 0, 31536000) },
	{ "OnDecline", NULL, "hold", "hold, cancel, ordinary",
	  "what happens to a job whose request is declined",
	  WORDS(SITE, on_decline, "hold", "cancel", "ordinary") },
	{ "Overrun", NULL, "best-effort", "end, best-effort",
	  "whether a job can continue after its time slot while its nodes are free",
	  WORDS(SITE, overrun, "end", "best-effort") },
	{ "CleanUp", NULL, "auto", "auto, 0s to 10m, in whole seconds",
	  "time after a booking in which its nodes are cleaned up; auto: as measured",
	  TIME(SITE, clean_up, 1000, RSPB_GAP_AUTO, 600) },
	{ "Prepare", NULL, "auto", "auto, 0s to 10m, in whole seconds",
	  "how long before its start a booked job gets its nodes, for prologs; auto: as "
	  "measured",
	  TIME(SITE, prepare, 1000, RSPB_GAP_AUTO, 600) },
	{ "ReleaseEarly", NULL, "yes", "yes, no",
	  "whether the remaining time is free when a job ends early",
	  BOOL(SITE, release_early, true) },
	{ "Unstartable", NULL, "release", "release, hold",
	  "whether a booking whose job cannot start releases its nodes",
	  WORDS(SITE, unstartable, "hold", "release") },
	{ "StartWithin", NULL, "5m", "1s to 365d, in whole seconds",
	  "how long after its start such a booking keeps its nodes",
	  TIME(SITE, start_within, 1000, 1, 31536000) },
	{ "NoShow", NULL, "count",
	  "forget, count, bar or bar:TIME with 1s to 365d, in whole seconds",
	  "what happens when an owner does not use a booking",
	  KIND(NO_SHOW, RULE, no_show, 1, 31536000, 1000,
	       ((const char *const[]){ "forget", "count", "bar", NULL })) },
	{ "LateCancel", NULL, "5m", "0s to 365d, in whole seconds",
	  "how near its start a cancelled booking counts as unused",
	  TIME(RULE, late_cancel, 1000, 0, 31536000) },
	{ "ChargePercent", NULL, "0", "0 (not counted) to 100000",
	  "charge for a node-second of a booking, in percent",
	  NUMBER(COUNT, RULE, charge_percent, 100000) },
	{ "ChargeUnused", NULL, "yes", "yes, no",
	  "whether unused time of a booking is charged, too", BOOL(RULE, charge_unused, true) },
	{ "GroupBookings", NULL, "coordinators", "no, coordinators, members, any",
	  "which users can book for others and for accounts, without a job",
	  WORDS(RULE, group_bookings, "no", "coordinators", "members", "any") },
	{ "DedicatedShare", NULL, "100%", "0% to 100%, then any number of FEATURE:PCT",
	  "part of each node's CPUs that bookings of shares can take",
	  NUMBER(FEATURES, SITE, dedicated, RSPB_BY_FEATURE_PERCENT) },
	{ "Colocate", NULL, "no", "yes or no, then any number of FEATURE:yes or FEATURE:no",
	  "whether regular jobs can run on a node beside bookings of shares",
	  NUMBER(FEATURES, SITE, colocate, RSPB_BY_FEATURE_YES_NO) },
	{ "Speed", NULL, "100%", "10% to 1000%, then any number of FEATURE:PCT",
	  "speed of nodes; the slowest node of a booking sets its length",
	  NUMBER(FEATURES, SITE, speed, RSPB_BY_FEATURE_SPEED) },
	{ "Unit", NULL, "auto", "node, part, auto",
	  "whether a booking takes whole nodes or the parts that its job needs",
	  WORDS(RULE, unit, "node", "part", "auto") },
	{ "ShareMode", NULL, "weight", "weight, ceiling, hard",
	  "how nodes enforce a booked CPU share",
	  WORDS(SITE, share_mode, "weight", "ceiling", "hard") },
	{ "ShareStateDir", NULL, "/run/slurm-rspb", "an absolute path",
	  "where nodes store the granted shares: state= in plugstack.conf",
	  TEXT(PATH, SITE, share_state_dir) },
	{ "AllowAccounts", NULL, "", "names separated by commas, none for all",
	  "accounts that can book", TEXT(LIST, SITE, allow_accounts) },
	{ "AllowGroups", NULL, "", "names separated by commas, none for all",
	  "groups of users that can book", TEXT(LIST, SITE, allow_groups) },
	{ "AllowQos", NULL, "", "names separated by commas, none for all", "QOS that can book",
	  TEXT(LIST, SITE, allow_qos) },
	{ "ReqResv", NULL, "no", "yes, no", "whether partitions with ReqResv=YES can be booked",
	  BOOL(RULE, req_resv, true) },
	{ "ListenPort", NULL, "6821", "0 (nowhere) to 65535",
	  "the port on which slurmctld answers rspb(1)", NUMBER(COUNT, SITE, listen_port, 65535) },
	{ "ListenAddress", NULL, "", "an address or name, none for slurmctld's",
	  "the address of that port", TEXT(LIST, SITE, listen_address) },
	{ "NoticeProgram", NULL, "", "an absolute path, none for no program",
	  "a program that is called for each event of a booking",
	  TEXT(PATH, SITE, notice_program) },
	{ "Remind", NULL, "0s", "0s (never) to 365d, in whole seconds",
	  "how long before its start the owner of a booking is reminded",
	  TIME(SITE, remind, 1000, 0, 31536000) },
	{ "HoldFor", NULL, "0s", "0s (never) to 1d, in whole seconds",
	  "how long an offer can be held for a user", TIME(SITE, hold_for, 1000, 0, 86400) },
	{ "Journal", NULL, "yes", "yes, no",
	  "whether decisions are written to disk before they are announced",
	  BOOL(SITE, journal, true) },
	{ "JournalKeep", NULL, "0s", "0s (bookings alone) to 365d, in whole seconds",
	  "how long the journal keeps decisions for rspb-sim journal",
	  TIME(SITE, journal_keep, 1000, 0, 31536000) },
	{ "DebugLocks", NULL, "no", "yes, no", "log how long each change held Slurm's locks",
	  BOOL(SITE, debug_locks, true) },
	{ "Audit", NULL, "no", "yes, no", "log who changed each booking, and from which address",
	  BOOL(SITE, audit, true) },
	{ "ReportHost", NULL, "node", "node, any",
	  "from which host a report on the CPU time of booked shares counts",
	  WORDS(SITE, report_host, "node", "any") },
	{ .key = NULL },
};

/* Keys that earlier releases had. They are passed over with a sentence, so that an upgrade does not
 * keep slurmctld from starting. */
const struct rspb_option_gone rspb_options_gone[] = {
	{ "JournalFile", NULL, "write JournalKeep=30d" },
	{ "MaxHeldPerUser", NULL, "two offers are held for a user" },
	{ "NoShowBar", NULL, "write NoShow=bar:1d" },
	{ "PrioritySource", NULL,
	  "Algorithm=co-rspb-headroom takes the priority of the QOS, "
	  "others the job's" },
	{ "Reclaim", NULL, "requests can take what bookings grew by beyond their promise" },
	{ "SharePeriod", NULL, "the kernel's period is 100 ms" },
	{ "ShareReport", NULL, "nodes report the use of running jobs with a share every 30 s" },
	{ "StageInSigmas", NULL, "--stage-in counts three deviations" },
	{ .key = NULL },
};

RSPB_NAMES_FINDER(rspb_option_find, rspb_option, rspb_options)
