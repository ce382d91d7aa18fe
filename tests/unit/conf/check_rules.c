/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which settings count for whom. */
#include "common/conf/config.h"

#include <string.h>

#include "tests/unit/conf/settings.h"
#include "tests/unit/plan/records.h"

enum { HOUR = 3600, DAY = 24 * HOUR, ANN = 1000, BOB = 1001 };

static struct rspb_config space;

/* For a request by somebody on a machine of 100 nodes. */
static const struct rspb_config *of(const struct rspb_config *config, uint32_t user,
				    const char *account, const char *qos, const char *partition,
				    uint32_t nodes)
{
	struct rspb_request *request = ask(1, 0, HOUR, nodes);
	const struct rspb_config *found;

	request->user = user;
	rspb_request_label(request, account, qos, partition);
	found = rspb_rules_for(config, request, 100, &space);
	rspb_request_destroy(request);
	return found;
}

static bool find(const char *name, uint32_t *uid, void *arg)
{
	(void) arg;
	*uid = !strcmp(name, "ann") ? ANN : BOB;
	return !strcmp(name, "ann") || !strcmp(name, "bob");
}

enum { LARGE_UID = INT32_MAX };

static bool find_large(const char *name, uint32_t *uid, void *arg)
{
	(void) arg;
	(void) name;
	*uid = LARGE_UID;
	return true;
}

START_TEST(whom_they_are_for)
{
	struct rspb_config c = config_of("MaxDuration=1d\n"
					 "Rule=a Accounts=school,x MaxDuration=4h\n"
					 "rule=b qos = urgent MinNotice=0s MaxDuration=2h # more\n"
					 "Rule=c Partition=fat Account=school MaxDuration=8h\n"
					 "Rule=d NodesFrom=33% MinNotice=12h\n"
					 "Rule=e Users=1000 MaxNodes=\"7\"\n");

	ck_assert_ptr_eq(of(&c, BOB, "lab", "normal", "small", 1), &c);
	ck_assert_ptr_eq(of(&c, BOB, NULL, "", NULL, 32), &c);
	ck_assert_int_eq(of(&c, BOB, "x", NULL, NULL, 1)->max_duration, 4 * HOUR);
	/* A part of a name, or another's label, is not the name. */
	ck_assert_ptr_eq(of(&c, BOB, "schoo", "school", "x", 1), &c);
	ck_assert_ptr_eq(of(&c, BOB, "schools", NULL, NULL, 1), &c);
	/* Whoever may name any account names no more by that. */
	ck_assert_ptr_eq(of(&c, BOB, "y,qos=urgent", NULL, "fat,account=x", 1), &c);
	/* Later ones count. */
	ck_assert_int_eq(of(&c, BOB, "school", "urgent", "small", 1)->max_duration, 2 * HOUR);
	ck_assert_int_eq(of(&c, BOB, "school", "urgent", "fat", 1)->max_duration, 8 * HOUR);
	ck_assert_int_eq(of(&c, BOB, "lab", "x", "fat", 33)->min_notice, 12 * HOUR);
	ck_assert_int_eq(of(&c, ANN, "lab", "x", "fat", 1)->max_nodes, 7);
	ck_assert_int_eq(of(&c, ANN, "lab", "x", "fat", 1)->max_nodes_percent, 0);
	/* The site's own are nobody's to limit. */
	ck_assert_ptr_eq(of(&c, RSPB_USER_NONE, "school", NULL, NULL, 50), &c);
	ck_assert(rspb_rules_name(&c, "Qos"));
	ck_assert(rspb_rules_name(&c, "Users"));
}
END_TEST

START_TEST(long_names)
{
	struct rspb_config c = config_of("Rule=a Partitions=fat Allow=no\n"
					 "Rule=b Qos=q MaxNodes=3");
	char name[2 * RSPB_REQUEST_LABELS];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert(!of(&c, BOB, name, "q", "fat", 1)->allow);
	ck_assert_int_eq(of(&c, BOB, name, "q", "fat", 1)->max_nodes, 3);
}
END_TEST

START_TEST(users_by_name)
{
	struct rspb_config c = config_of("Rule=a Users=ann,eve,1002 MaxNodes=9\n"
					 "Rule=b Accounts=x MaxNodes=8");
	struct rspb_err err;
	char again[RSPB_CONFIG_RULES];

	ck_assert_ptr_eq(of(&c, ANN, NULL, NULL, NULL, 1), &c);
	rspb_rules_users(&c, find, NULL);
	ck_assert_int_eq(of(&c, ANN, NULL, NULL, NULL, 1)->max_nodes, 9);
	ck_assert_int_eq(of(&c, 1002, NULL, NULL, NULL, 1)->max_nodes, 9);
	ck_assert_int_eq(of(&c, ANN, "x", NULL, NULL, 1)->max_nodes, 8);
	ck_assert_ptr_eq(of(&c, BOB, NULL, NULL, NULL, 1), &c);
	ck_assert_int_eq(rspb_rules_read(c.rules, again, &err), 0);
	ck_assert_str_eq(again, c.rules);
	ck_assert(!rspb_rules_name(&c, "Qos"));
}
END_TEST

START_TEST(bad_ones)
{
	static const char *const bad[][2] = {
		{ "MaxNodes=5 Rule=a MaxNodes=6", "a rule begins a line" },
		{ "Rule=a Rule=b", "a rule begins a line" },
		{ "Rule= MaxNodes=5", "not Key=Value" },
		{ "Rule=a MaxNodes=-1", "MaxNodes=-1: is not a whole number in the allowed range" },
		{ "Rule=a MaxNode=5", "did you mean MaxNodes" },
		{ "Rule=a Account=b Order=fcfs", "Order cannot differ by rule" },
		{ "Rule=a NodesFrom=200%", "1% to 100% of all" },
		{ "Rule=a NodesFrom=none", "1% to 100% of all" },
		{ "Rule=a Accounts=\"\"", "Accounts has no value" },
		{ "Rule=a StartHours=Mon", "not a list of days and hours" },
		{ "Rule=a Accounts=b MaxNodes", "not Key=Value" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rspb_config c = config_of("MaxNodes=77"), before = c;
		char text[256];
		struct rspb_err err = { "" };

		snprintf(text, sizeof(text), "\n%s", bad[i][0]);
		ck_assert_int_eq(rspb_config_read(&c, text, "rspb.conf", &err), -1);
		ck_assert_msg(strstr(err.text, bad[i][1]) &&
				      !strncmp(err.text, "rspb.conf:2: ", 13),
			      "%s", err.text);
		ck_assert_int_eq(memcmp(&c, &before, sizeof(c)), 0);
	}
}
END_TEST

START_TEST(too_many)
{
	char text[RSPB_CONFIG_RULES + 200] = "";
	struct rspb_config c = config_of("");
	struct rspb_err err = { "" };

	while (strlen(text) < RSPB_CONFIG_RULES - 1)
		strcat(text, "Rule=a Accounts=some,of,them MaxNodes=1\n");
	ck_assert_int_eq(rspb_config_read(&c, text, "f", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "longer than"));
}
END_TEST

START_TEST(many_users)
{
	char text[RSPB_CONFIG_RULES + 200] = "Rule=a Users=ann";
	struct rspb_config c;
	struct rspb_err err = { "" };

	for (uint32_t uid = 20000; strlen(text) < 2000; uid++)
		snprintf(text + strlen(text), 8, ",%u", uid);
	strcat(text, ",bob MaxNodes=9");
	c = config_of(text);
	rspb_rules_users(&c, find, NULL);
	ck_assert_int_eq(of(&c, ANN, NULL, NULL, NULL, 1)->max_nodes, 9);
	ck_assert_int_eq(of(&c, BOB, NULL, NULL, NULL, 1)->max_nodes, 9);
	ck_assert_int_eq(of(&c, 20100, NULL, NULL, NULL, 1)->max_nodes, 9);
	ck_assert_ptr_eq(of(&c, 2010, NULL, NULL, NULL, 1), &c);
	/* Names that would become too long as numbers. */
	strcpy(text, "Rule=a Users=ann");
	while (strlen(text) < RSPB_CONFIG_RULES / 2)
		strcat(text, ",bo");
	strcat(text, " MaxNodes=9");
	c = config_of("");
	ck_assert_int_eq(rspb_config_read(&c, text, "f", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "10 at least for each user"));
}
END_TEST

/* The most that is taken. */
START_TEST(as_long_as_can_be)
{
	char text[RSPB_CONFIG_RULES + 200] = "";
	struct rspb_config c;
	uint32_t n = 0;

	for (; (n + 2) * 48 < RSPB_CONFIG_RULES; n++)
		strcat(text, "Rule=a Users=bob,1 MaxNodes=1\n");
	strcat(text, "Rule=b User=\"bob,ann\" MaxNodes=7");
	c = config_of(text);
	rspb_rules_users(&c, find_large, NULL);
	ck_assert_int_eq(of(&c, LARGE_UID, NULL, NULL, NULL, 1)->max_nodes, 7);
}
END_TEST

/* RET "" when a booking of an account is booked, else why not. */
static const char *granted(struct rspb_ledger *ledger, const struct rspb_config *config,
			   uint32_t user, const char *account, struct rspb_booking *booking)
{
	static struct rspb_err err;
	int rc;

	booking->request->user = user;
	rspb_request_label(booking->request, account, "q", "p");
	config = rspb_rules_for(config, booking->request, 6, &space);
	rc = rspb_limits_grant(ledger, booking, (struct rspb_holding){ 0 }, config, &err);
	if (rc)
		rspb_booking_destroy(booking);
	else
		ck_assert_int_eq(book(ledger, booking), 0);
	return rc ? err.text : "";
}

START_TEST(accounts)
{
	struct rspb_config c = config_of("MaxBookedPercent=100 MaxAheadPerUser=0\n"
					 "MaxWaitingPerUser=3\n"
					 "Rule=a Accounts=lab "
					 "MaxWaitingPerAccount=2 "
					 "MaxAheadPerAccount=1h");
	struct rspb_ledger *ledger = fresh();

	ck_assert_str_eq(granted(ledger, &c, ANN, "lab", made(1, 0, HOUR, "0", 0)), "");
	ck_assert_ptr_nonnull(strstr(granted(ledger, &c, BOB, "lab", made(2, 0, 6 * HOUR, "1", 0)),
				     "MaxAheadPerAccount"));
	ck_assert_str_eq(granted(ledger, &c, BOB, "lab", made(2, 0, 5 * HOUR, "1", 0)), "");
	ck_assert_ptr_nonnull(strstr(granted(ledger, &c, ANN, "lab", made(3, 0, 60, "2", 0)),
				     "your account has 2 bookings"));
	ck_assert_str_eq(granted(ledger, &c, ANN, "la", made(3, 0, 60, "2", 0)), "");
	ck_assert_str_eq(granted(ledger, &c, ANN, NULL, made(4, 0, 60, "3", 0)), "");
	ck_assert_ptr_nonnull(strstr(granted(ledger, &c, ANN, NULL, made(5, 0, 60, "4", 0)),
				     "you have 3 bookings"));
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(node_hours)
{
	struct rspb_config c = config_of("MaxNodeHours=48 MaxNodes=0");
	struct rspb_request *request = ask(1, 0, 12 * HOUR, 4);
	struct rspb_err err;

	ck_assert_int_eq(rspb_limits_request(request, &c, 100, 0, &err), 0);
	request->parts[0].nodes = 5;
	ck_assert_int_eq(rspb_limits_request(request, &c, 100, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "60.0 node-hours"));
	request->parts[0].share = RSPB_SHARE_WHOLE / 2;
	ck_assert_int_eq(rspb_limits_request(request, &c, 100, 0, &err), 0);
	rspb_request_destroy(request);
}
END_TEST

/* A site's file goes on working, and it is told of the first of them. */
START_TEST(old_keys)
{
	struct rspb_config c = config_of("MaxNodes=7\nPrioritySource=qos\n"
					 "SharePeriod=20ms MaxNodeHours=5");
	struct rspb_err err;

	ck_assert_uint_eq(c.max_nodes, 7);
	ck_assert_uint_eq(c.max_node_hours, 5);
	ck_assert_str_eq(c.gone, "line 2: PrioritySource is no longer a key: "
				 "Algorithm=co-rspb-headroom takes the priority of "
				 "the QOS, others the job's");
	c = config_of("MaxNodes=7");
	ck_assert_str_eq(c.gone, "");
	ck_assert_int_eq(rspb_config_read_parameters(&c, "rspb_journalfile=/var/log/j", &err), 0);
	ck_assert_str_eq(c.gone, "JournalFile is no longer a key: write "
				 "JournalKeep=30d");
}
END_TEST

RUN_TESTS("rules", NULL, NULL, 0, whom_they_are_for, long_names, users_by_name, bad_ones, too_many,
	  many_users, as_long_as_can_be, accounts, node_hours, old_keys)
