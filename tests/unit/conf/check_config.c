/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/config.h"
#include "common/wire/texts.h"

#include "plugins/compat/colocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"
#include "tests/unit/conf/settings.h"
#include "tests/unit/runner.h"

static const char *value_of(const struct rspb_config *c, const char *key, char *buf, size_t size)
{
	ck_assert_uint_lt(rspb_option_get(rspb_option_find(key), c, buf, size), size);
	return buf;
}

START_TEST(defaults_are_what_the_table_says)
{
	struct rspb_config c = config_of("");

	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		char buf[RSPB_CONFIG_LIST];

		ck_assert_ptr_nonnull(o->range);
		ck_assert_ptr_nonnull(o->help);
		if (o->fallback)
			ck_assert_str_eq(value_of(&c, o->key, buf, sizeof(buf)), o->fallback);
	}
	ck_assert_str_eq(c.preset->name, RSPB_PRESET_DEFAULT);
	ck_assert_str_eq(c.policy.when->name, c.preset->when);
}
END_TEST

/* What get writes, set reads back to the same. */
START_TEST(every_value_can_be_written_back)
{
	struct rspb_config c = config_of("Algorithm=co-rspb Order=arrival MaxNodes=7\n"
					 "DedicatedShare=50%,bigmem:25,gpu:0%\n"
					 "Colocate=no,batch:YES,gpu:no\n"
					 "AllowAccounts=\"a;b\" Overrun=end");

	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		char text[RSPB_CONFIG_LIST], again[RSPB_CONFIG_LIST];
		struct rspb_config d = c;

		value_of(&c, o->key, text, sizeof(text));
		if (o != rspb_options)
			ck_assert_int_eq(rspb_option_set(o, &d, text, NULL), 0);
		ck_assert_str_eq(value_of(&d, o->key, again, sizeof(again)), text);
		ck_assert_int_eq(memcmp(&c, &d, sizeof(c)), 0);
	}
}
END_TEST

START_TEST(values_arrive)
{
	struct rspb_config c = config_of(
		"# a comment\n"
		"batch_interval = 250ms\tHorizon=14d # more\r\n"
		"\n"
		"MinNotice=\"0-01:30\" Bookable=20%/4h MaxDuration=12:00:00\n"
		"MaxWaitingPerUser=5 MaxBookedPercent=80 OnDecline=ordinary\n"
		"Overrun=best_effort ReleaseEarly=NO ShareMode=hard\n"
		"AllowQos=gold,silver\n"
		"AllowGroups=\"\" DebugLocks=yes DedicatedShare=75%;fat:5\n"
		"AllowAccounts=");

	ck_assert_int_eq(c.batch_interval_ms, 250);
	ck_assert_int_eq(c.horizon, 14 * 86400);
	ck_assert_int_eq(c.min_notice, 5400);
	ck_assert_uint_eq(c.bookable, 20);
	ck_assert_int_eq(c.bookable_notice, 14400);
	ck_assert_int_eq(c.max_duration, 43200);
	ck_assert_uint_eq(c.max_waiting_user, 5);
	ck_assert_uint_eq(c.max_share_percent, 80);
	ck_assert_int_eq(c.on_decline, RSPB_DECLINE_ORDINARY);
	ck_assert_int_eq(c.overrun, RSPB_OVERRUN_BEST_EFFORT);
	ck_assert(!c.release_early);
	ck_assert(c.debug_locks);
	ck_assert_int_eq(c.share_mode, RSPB_SHARE_HARD);
	ck_assert_str_eq(c.allow_qos, "gold,silver");
	ck_assert_str_eq(c.allow_groups, "");
	ck_assert_uint_eq(rspb_by_feature_value(&c.dedicated, "slim,fat"), 5);
	ck_assert_uint_eq(rspb_by_feature_value(&c.dedicated, "fatter,fa"), 75);
	ck_assert_uint_eq(rspb_by_feature_value(&c.dedicated, NULL), 75);
}
END_TEST

START_TEST(unused_windows_bar_for_a_time)
{
	struct rspb_config c = config_of("NoShow=bar:90s");
	char text[64];

	ck_assert_int_eq(c.no_show, RSPB_NO_SHOW_BAR);
	ck_assert_int_eq(c.no_show_bar, 90);
	ck_assert_str_eq(value_of(&c, "NoShow", text, sizeof(text)), "bar:90s");
	c = config_of("NoShow=bar");
	ck_assert_int_eq(c.no_show_bar, 86400);
}
END_TEST

START_TEST(features_say_where_ordinary_jobs_are_beside)
{
	struct rspb_config c = config_of("Colocate=no,batch:yes,big:no");

	ck_assert(rspb_by_feature_value(&c.colocate, "slim,batch"));
	ck_assert(!rspb_by_feature_value(&c.colocate, "slim,batches"));
	ck_assert(!rspb_by_feature_value(&c.colocate, NULL));
	/* The one named first counts. */
	ck_assert(rspb_by_feature_value(&c.colocate, "big,batch"));
	c = config_of("Colocate=yes;gpu:no");
	ck_assert(rspb_by_feature_value(&c.colocate, NULL));
	ck_assert(!rspb_by_feature_value(&c.colocate, "gpu"));
	rspb_config_defaults(&c);
	ck_assert(!rspb_by_feature_value(&c.colocate, "batch"));
}
END_TEST

/* What is kept, and what is left. */
START_TEST(kept_cores_are_the_last_of_all_sockets)
{
	static const uint32_t last[] = { 15, 7, 14, 6, 13, 5 };
	uint64_t seen = 0;

	ck_assert_uint_eq(rspb_colocate_kept(0, 16), 0);
	ck_assert_uint_eq(rspb_colocate_kept(1, 16), 1);
	ck_assert_uint_eq(rspb_colocate_kept(50, 16), 8);
	ck_assert_uint_eq(rspb_colocate_kept(51, 16), 9);
	ck_assert_uint_eq(rspb_colocate_kept(50, 3), 2);
	ck_assert_uint_eq(rspb_colocate_kept(99, 1), 1);
	ck_assert_uint_eq(rspb_colocate_kept(100, 7), 7);
	ck_assert_uint_eq(rspb_colocate_kept(101, UINT32_MAX), UINT32_MAX);
	ck_assert_uint_eq(rspb_colocate_kept(50, UINT32_MAX), 1u << 31);
	for (uint32_t i = 0; i < 6; i++)
		ck_assert_uint_eq(rspb_colocate_core(i, 2, 8), last[i]);
	ck_assert_uint_eq(rspb_colocate_core(1, 1, 4), 2);
	/* Every core once. */
	for (uint32_t i = 0; i < 60; i++)
		seen |= UINT64_C(1) << rspb_colocate_core(i, 3, 20);
	ck_assert_uint_eq(seen, (UINT64_C(1) << 60) - 1);
	ck_assert_uint_eq(rspb_colocate_rest(50, 4001), 2000);
	ck_assert_uint_eq(rspb_colocate_rest(0, 77), 77);
	ck_assert_uint_eq(rspb_colocate_rest(100, UINT64_MAX), 0);
	ck_assert_uint_eq(rspb_colocate_rest(75, 1003), 250);
	ck_assert_uint_ge(rspb_colocate_rest(50, UINT64_MAX), UINT64_MAX / 2 - 1);
}
END_TEST

START_TEST(the_preset_comes_first)
{
	struct rspb_config c = config_of("When=ff\nAlgorithm=li-pe-worst");

	ck_assert_str_eq(c.preset->name, "li-pe-worst");
	ck_assert_str_eq(c.policy.when->name, "ff");
}
END_TEST

/* Each text is refused for what stands beside it, and without effect. */
static void refuse(const char *const (*bad)[2], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct rspb_config c = config_of("MaxNodes=77"), before = c;
		struct rspb_err err = { "" };

		ck_assert_int_eq(rspb_config_read(&c, bad[i][0], "rspb.conf", &err), -1);
		ck_assert_msg(!strncmp(err.text, "rspb.conf:", 10) && strstr(err.text, bad[i][1]),
			      "%s", err.text);
		ck_assert_int_eq(memcmp(&c, &before, sizeof(c)), 0);
	}
}

START_TEST(bad_values)
{
	static const char *const bad[][2] = {
		{ "Bookable=20%",
		  "Bookable=20%: has no notice; write it as 20%/4h; allowed is 0%" },
		{ "Bookable=20%/4", "the unit is missing; write 4d, 4h or 4m" },
		{ "Horizon=14", "Horizon=14: the unit is missing; write 14d, 14h or 14m" },
		{ "Horizon=soon", "Horizon=soon: is not a duration" },
		{ "Bookable=20%/59s", "is out of range" },
		{ "Bookable=20.5%/4h", "is not a whole percentage" },
		{ "NoShow=count:5s", "NoShow=count:5s: is a word without a time; allowed" },
		{ "NoShow=bar:0s", "NoShow=bar:0s: is out of range; allowed" },
		{ "\nHorzon=1d", "rspb.conf:2: unknown key 'Horzon'; did you "
				 "mean Horizon?" },
		{ "BatchInterval=5 parsecs", "rspb.conf:1: 'parsecs' is not" },
		{ "BatchInterval=5parsecs", "rspb.conf:1: BatchInterval="
					    "5parsecs: is not a duration; write a number with its "
					    "unit, such as 90s, 15m, 2h or 1d; allowed is 50ms" },
		{ "BatchInterval=1ms", "out of range; allowed is 50ms" },
		{ "Horizon=1500ms", "in whole seconds" },
		{ "MaxNodes=-1", "allowed is 0 (no limit) to 1000000" },
		{ "MaxNodes=0x10", "is not a whole number in the allowed range" },
		{ "MaxNodes=1e3", "is not a whole number in the allowed range" },
		{ "MaxNodes=99999999999999999999", "is not a whole number in the allowed range" },
		{ "MaxNodes=", "is not a whole number in the allowed range" },
		{ "MaxBookedPercent=101%", "allowed is 1% to 100%" },
		{ "MaxBookedPercent=nan", "not a whole percentage" },
		{ "MaxBookedPercent=0.5", "not a whole percentage" },
		{ "DedicatedShare=50,:3", "FEATURE:PCT" },
		{ "DedicatedShare=50,gpu", "FEATURE:PCT" },
		{ "DedicatedShare=50,gpu:101", "whole percentage" },
		{ "Colocate=maybe", "Colocate=maybe: is neither yes nor no; "
				    "allowed is yes or no, then any number of FEATURE:yes or "
				    "FEATURE:no" },
		{ "Colocate=", "is neither yes nor no" },
		{ "Colocate=batch:yes", "is neither yes nor no" },
		{ "Colocate=yes,batch", "is not FEATURE:yes or FEATURE:no" },
		{ "Colocate=yes,batch:1", "is neither yes nor no" },
		{ "Colocate=no,batch:yesyesyes", "is neither yes nor no" },
		{ "AllowQos=a,,b", "empty member" },
		{ "AllowQos=a,", "empty member" },
		{ "AllowQos=\"a, b\"", "blank" },
		{ "Algorithm=co-rspbb", "did you mean co-rspb" },
		{ "Algorithm=edf", "use Algorithm=li-ff Order=deadline" },
		{ "Algorithm=AFTO2", "use --cpu-share" },
		{ "Algorithm=vrc", "use Algorithm=live" },
		{ "NoticeProgram=tell", "is not an absolute path" },
		{ "When=", "is unknown" },
		{ "Overrun=never", "is unknown; allowed is end, best-effort" },
	};

	refuse(bad, sizeof(bad) / sizeof(bad[0]));
}
END_TEST

START_TEST(bad_lines)
{
	static const char *const bad[][2] = {
		{ "MaxNodes=1\nx\nMaxNodes=2", "rspb.conf:2: 'x' is not" },
		{ "MaxNodes=1\nmax_nodes=2", "rspb.conf:2: MaxNodes is given "
					     "twice" },
		{ "MaxNodes", "is not Key=Value" },
		{ "=5", "is not Key=Value" },
		{ "AllowQos= MaxNodes=5", "is not Key=Value" },
		{ "AllowQos=\"a", "quote is not closed" },
		{ "AllowQos=\"a\"b", "is not Key=Value" },
		{ "Max\001Nodes=1", "control characters" },
		{ "\xc3\x9c"
		  "berlauf=1",
		  "unknown key" },
	};

	refuse(bad, sizeof(bad) / sizeof(bad[0]));
}
END_TEST

START_TEST(a_megabyte)
{
	const size_t size = 1 << 20;
	char *text = malloc(size + 1);
	struct rspb_config c = config_of("");
	struct rspb_err err;

	memset(text, 'x', size);
	text[size] = '\0';
	ck_assert_int_eq(rspb_config_read(&c, text, "f", &err), -1);
	memcpy(text, "AllowQos=", 9);
	ck_assert_int_eq(rspb_config_read(&c, text, "f", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "longer than 1023"));
	text[0] = '#';
	ck_assert_int_eq(rspb_config_read(&c, text, "f", &err), 0);
	memset(text, '\n', size);
	ck_assert_int_eq(rspb_config_read(&c, text, "f", &err), 0);
	free(text);
}
END_TEST

START_TEST(parameters)
{
	struct rspb_config c = config_of("MaxNodes=3 Horizon=1d");
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_config_read_parameters(&c,
						   "bf_window=1440,rspb_batch_interval=200ms,defer,"
						   "RSPB_MaxNodes=5,rspb_allowqos=a;b",
						   &err),
		      "%s", err.text);
	ck_assert_int_eq(c.batch_interval_ms, 200);
	ck_assert_uint_eq(c.max_nodes, 5);
	ck_assert_int_eq(c.horizon, 86400);
	ck_assert_str_eq(c.allow_qos, "a,b");
	ck_assert_int_eq(rspb_config_read_parameters(&c, "", &err), 0);
	ck_assert_int_eq(rspb_config_read_parameters(&c, "x,rspb_maxnodes", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "has no value"));
	ck_assert_int_eq(rspb_config_read_parameters(&c, "rspb_maxnode=4", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean MaxNodes?"));
	ck_assert_int_eq(rspb_config_read_parameters(&c, "rspb_maxnodes=9,rspb_horizon=never",
						     &err),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "Horizon=never: is not a"));
	ck_assert_uint_eq(c.max_nodes, 5);
}
END_TEST

START_TEST(durations)
{
	static const struct {
		const char *text;
		int64_t ms;
		const char *printed;
	} good[] = {
		{ "0", 0, "0s" },
		{ "90s", 90000, "90s" },
		{ "15m", 900000, "15m" },
		{ "2h", 7200000, "2h" },
		{ "48h", 172800000, "2d" },
		{ "500ms", 500, "500ms" },
		{ "1500ms", 1500, "1500ms" },
		{ "01:30:00", 5400000, "90m" },
		{ "1-12", 129600000, "36h" },
		{ "1-00:00:01", 86401000, "86401s" },
		{ "0-00:10", 600000, "10m" },
		{ "36500d", INT64_C(3153600000000), "36500d" },
	};
	int64_t ms;
	char text[32];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_int_eq(rspb_duration_parse_ms(good[i].text, &ms, NULL), 0);
		ck_assert_int_eq(ms, good[i].ms);
		rspb_duration_print_ms(ms, text, sizeof(text));
		ck_assert_str_eq(text, good[i].printed);
	}
}
END_TEST

START_TEST(bad_durations)
{
	static const char *const bad[] = {
		"",	   "s",	    "-5",      "90",  "00",  "5 s",    "5x",
		"1.5h",	   "1e3",   "nan",     "inf", "0x5", "15:30",  "1:60:00",
		"1-24:00", "1-1-1", "1:2:3:4", "1-",  ":",   "36501d", "99999999999999999999",
		"5S",	   "1::2",
	};
	int64_t ms = 4711;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rspb_err err = { "" };

		ck_assert_msg(rspb_duration_parse_ms(bad[i], &ms, &err) == -1, "%s", bad[i]);
		ck_assert_ptr_nonnull(strstr(err.text, "allowed"));
	}
	ck_assert_int_eq(ms, 4711);
}
END_TEST

/* RET how long before its start a booking can have less, by these settings. */
static int64_t outage(const char *text)
{
	struct rspb_config c = config_of(text);
	struct rspb_err err;

	ck_assert_msg(!rspb_config_live(&c, &err), "%s: %s", text, err.text);
	return rspb_config_outage(&c);
}

START_TEST(the_notice_of_an_outage_is_not_less_than_the_firm_one)
{
	struct rspb_config c = config_of("FirmNotice=2h OutageNotice=1h");
	struct rspb_err err = { "" };

	ck_assert_int_eq(outage(""), 3600);
	ck_assert_int_eq(outage("OutageNotice=10m"), 600);
	ck_assert_int_eq(outage("OutageNotice=7d"), 7 * 86400);
	ck_assert_int_eq(outage("FirmNotice=0s OutageNotice=0s"), 0);
	/* a default rises */
	ck_assert_int_eq(outage("FirmNotice=2h"), 7200);
	/* windows that never move say nothing of outages */
	ck_assert_int_eq(outage("FirmNotice=3650d"), 3600);
	ck_assert_int_eq(outage("FirmNotice=3650d OutageNotice=5m"), 300);
	ck_assert_int_eq(rspb_config_live(&c, &err), -1);
	ck_assert_str_eq(err.text, "OutageNotice=1h is less than FirmNotice=2h; "
				   "allowed is 2h or more");
}
END_TEST

RUN_TESTS("config", NULL, NULL, 0, defaults_are_what_the_table_says,
	  every_value_can_be_written_back, values_arrive,
	  features_say_where_ordinary_jobs_are_beside, unused_windows_bar_for_a_time,
	  kept_cores_are_the_last_of_all_sockets, the_preset_comes_first, bad_values, bad_lines,
	  a_megabyte, parameters, durations, bad_durations,
	  the_notice_of_an_outage_is_not_less_than_the_firm_one)
