/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of nodes: cores of one's own, and what is taken besides. */
#include <malloc.h>
#include <stdlib.h>

#include "common/conf/config.h"
#include "common/plan/schedule.h"
#include "tests/unit/plan/pair.h"

enum { LARGE = 10240 };

static int64_t taken(const struct rspb_ledger *ledger, int64_t start, int64_t end)
{
	int64_t most[PAIR];

	ck_assert_int_eq(rspb_ledger_taken(ledger, GPU, start, end, most, NULL), 0);
	return most[0];
}

START_TEST(taken_besides)
{
	struct rspb_ledger *ledger = machine(), *copy;
	const struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
					    .id = 1,
					    .event = RSPB_EV_CANCEL };

	ck_assert_int_eq(add(ledger, part(1, 0, 4, 2, 0, 100)), 0);
	ck_assert_int_eq(add(ledger, part(2, 0, 4, 1, 50, 150)), 0);
	ck_assert_int_eq(taken(ledger, 0, 50), 2);
	ck_assert_int_eq(taken(ledger, 0, 200), 3);
	ck_assert_int_eq(taken(ledger, 100, 200), 1);
	/* No more cores than there are, and then no device is taken either. */
	ck_assert_int_eq(add(ledger, part(3, 0, 9, 1, 60, 70)), -1);
	ck_assert_int_eq(taken(ledger, 0, 200), 3);
	copy = rspb_ledger_clone(ledger);
	ck_assert_int_eq(rspb_ledger_apply(ledger, &cancel, NULL), 0);
	ck_assert_int_eq(taken(ledger, 0, 200), 1);
	ck_assert_int_eq(taken(copy, 0, 200), 3);
	rspb_ledger_destroy(copy);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* What 2,000 parts like those of a site take on a machine of 10,240 nodes, a booking. */
static size_t bytes_each(struct rspb_ledger *ledger)
{
	enum { MANY = 2000, BEFORE = 100 };
	struct mallinfo2 info = mallinfo2();

	for (uint64_t id = 1; id <= MANY + BEFORE; id++) {
		int64_t start = (int64_t) (id % 100) * 1000;
		struct rspb_booking *b = part(id, 0, 1, 1, start, start + 60);
		struct rspb_request *request = b->request;

		request->parts[0].eligible = rspb_nodeset_create(LARGE);
		rspb_nodeset_fill(request->parts[0].eligible);
		rspb_nodeset_destroy(b->grants[0].nodes);
		b->grants[0].nodes = rspb_nodeset_create(LARGE);
		rspb_nodeset_add(b->grants[0].nodes, (uint32_t) id);
		rspb_request_label(request, "physics", "normal", "main");
		ck_assert_int_eq(add(ledger, b), 0);
		if (id == BEFORE)
			info = mallinfo2();
	}
	return (mallinfo2().uordblks - info.uordblks) / MANY;
}

START_TEST(small_on_file)
{
	int64_t *capacity = calloc(LARGE, sizeof(*capacity));
	uint32_t *gpus = calloc(LARGE, sizeof(*gpus));
	struct rspb_ledger *ledger;
	size_t bytes;

	for (uint32_t n = 0; n < LARGE; n++) {
		capacity[n] = CORES * RSPB_SHARE_CORE;
		gpus[n] = 4;
	}
	ledger = rspb_ledger_create(LARGE, capacity, 0);
	ck_assert_int_eq(rspb_ledger_add_room(ledger, GPU, gpus), 0);
	bytes = bytes_each(ledger);
	/* One set of 10,240 nodes, which it has, is 1.3 kB. */
	ck_assert_msg(bytes < 3000, "%zu bytes each", bytes);
	rspb_ledger_destroy(ledger);
	free(capacity);
	free(gpus);
}
END_TEST

START_TEST(used_by_others)
{
	struct rspb_ledger *ledger = machine(), *basis;
	const struct rspb_hold cores = { .key = RSPB_ROOM_CPUS,
					 .amount = 14 * RSPB_SHARE_CORE,
					 .start = 0,
					 .end = 100,
					 .on = 1 };
	const struct rspb_hold gpu = { .key = GPU, .amount = 3, .start = 0, .end = 100, .on = 1 };
	size_t n;

	ck_assert_int_eq(add(ledger, part(1, 0, 4, 0, 50, 150)), 0);
	basis = rspb_ledger_clone(ledger);
	/* What is more than there is left is all of that. */
	ck_assert_int_eq(rspb_ledger_hold(basis, &cores), 0);
	ck_assert_int_eq(rspb_ledger_hold(basis, &gpu), 0);
	ck_assert_int_eq(add(basis, part(2, 0, 1, 0, 60, 70)), -1);
	ck_assert_int_eq(add(basis, part(3, 1, 16, 0, 60, 70)), 0);
	/* Where nothing is booked they use all of it. */
	ck_assert_int_eq(add(basis, part(4, 0, 3, 0, 30, 40)), -1);
	ck_assert_int_eq(add(basis, part(5, 0, 2, 0, 30, 40)), 0);
	ck_assert_int_eq(taken(basis, 0, 10), 3);
	ck_assert_int_eq(taken(ledger, 0, 10), 0);
	rspb_ledger_uses(basis, &n);
	ck_assert_uint_eq(n, 2);
	rspb_ledger_holds(basis, &n);
	ck_assert_uint_eq(n, 0);
	rspb_ledger_destroy(basis);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(used_more_than_counted)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_hold bytes = { .key = GPU, .start = 0, .end = 100, .on = 1 };

	/* Three jobs, each with more than a table holds, and all sums. */
	for (int64_t n = 1; n <= 3; n++) {
		bytes.amount = n << 30;
		ck_assert_int_eq(rspb_ledger_hold(ledger, &bytes), 0);
	}
	ck_assert_int_eq(taken(ledger, 0, 10), INT32_MAX);
	ck_assert_int_eq(add(ledger, part(1, 0, 1, 1, 50, 70)), -1);
	ck_assert_int_eq(add(ledger, part(2, 0, 1, 0, 50, 70)), 0);
	ck_assert_int_eq(add(ledger, part(3, 0, 1, 1, 100, 120)), 0);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* What is there of a smaller machine that got these. */
static struct rspb_ledger *smaller(uint32_t gpus, uint32_t cores)
{
	const int64_t capacity[PAIR] = { CORES * RSPB_SHARE_CORE, CORES * RSPB_SHARE_CORE };
	const uint32_t devices[PAIR] = { gpus, 4 };
	const uint32_t units[PAIR] = { cores * RSPB_SHARE_CORE, CORES * RSPB_SHARE_CORE };
	struct rspb_ledger *ledger = rspb_ledger_create(PAIR, capacity, 0);

	ck_assert_ptr_nonnull(ledger);
	ck_assert_int_eq(rspb_ledger_add_room(ledger, GPU, devices), 0);
	ck_assert_int_eq(rspb_ledger_add_room(ledger, RSPB_ROOM_CORES, units), 0);
	return ledger;
}

/* Which of them have too little, as digits. */
static uint64_t lacking(struct rspb_ledger *ledger, const char *what)
{
	struct rspb_overfull *list;
	int64_t n = rspb_ledger_overfull(ledger, &list);
	uint64_t ids = 0;

	ck_assert_int_ge(n, 0);
	for (int64_t i = 0; i < n; i++) {
		ids = ids * 10 + list[i].id;
		ck_assert_uint_eq(list[i].node, 0);
		ck_assert_str_eq(list[i].what, what);
	}
	free(list);
	return ids;
}

static int add_asked(struct rspb_ledger *ledger, struct rspb_booking *booking, int64_t arrival)
{
	booking->request->arrival = arrival;
	return add(ledger, booking);
}

START_TEST(fewer_than_booked)
{
	struct rspb_ledger *ledger = smaller(2, CORES);
	struct rspb_booking *runs = part(9, 0, 1, 1, 0, 60);
	const struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
					    .id = 2,
					    .event = RSPB_EV_CANCEL };

	ck_assert_uint_eq(lacking(ledger, ""), 0);
	ck_assert_int_eq(add_asked(ledger, part(1, 0, 4, 1, 50, 100), 7), 0);
	ck_assert_int_eq(add_asked(ledger, part(2, 0, 4, 1, 50, 150), 3), 0);
	ck_assert_int_eq(add_asked(ledger, part(3, 1, 4, 4, 50, 100), 9), 0);
	ck_assert_uint_eq(lacking(ledger, ""), 0);
	/* Who asked last goes; not who comes behind. */
	ck_assert_int_eq(add_asked(ledger, part(4, 0, 1, 1, 90, 140), 5), 0);
	ck_assert_int_eq(add_asked(ledger, part(5, 0, 1, 1, 140, 190), 8), 0);
	ck_assert_uint_eq(lacking(ledger, "gpu"), 1);
	/* Who runs stays, whatever it asked. */
	runs->state = RSPB_ACTIVE;
	ck_assert_int_eq(add_asked(ledger, runs, 10), 0);
	ck_assert_uint_eq(lacking(ledger, "gpu"), 1);
	ck_assert_int_eq(rspb_ledger_apply(ledger, &cancel, NULL), 0);
	ck_assert_uint_eq(lacking(ledger, "gpu"), 0);
	/* More than the node has at all. */
	ck_assert_int_eq(add_asked(ledger, part(6, 0, 1, 3, 200, 210), 0), 0);
	ck_assert_uint_eq(lacking(ledger, "gpu"), 6);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(fewer_cores_than_booked)
{
	struct rspb_ledger *ledger = smaller(4, 8);

	ck_assert_int_eq(add_asked(ledger, part(1, 0, 6, 0, 0, 100), 1), 0);
	ck_assert_int_eq(add_asked(ledger, part(2, 0, 4, 0, 50, 100), 2), 0);
	ck_assert_int_eq(add_asked(ledger, part(3, 0, 2, 0, 50, 100), 3), 0);
	ck_assert_int_eq(add_asked(ledger, part(4, 1, 16, 0, 50, 100), 4), 0);
	ck_assert_uint_eq(lacking(ledger, "cores"), 2);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Which node a part gets, of so many cores from 0 to 100, by the live policy. */
static uint32_t placed(const struct rspb_ledger *ledger, int64_t cores)
{
	struct rspb_booking *asked = part(9, 0, cores, 0, 0, 100), *decided;
	struct rspb_ledger *plan = rspb_ledger_clone(ledger);
	const struct rspb_request *request = asked->request;
	struct rspb_policy policy;
	uint32_t node;

	rspb_policy_from_preset(rspb_preset_find("live"), &policy);
	ck_assert_int_eq(rspb_schedule_batch(plan, &policy, &request, 1, 0, &decided, NULL), 0);
	ck_assert_int_eq(decided->state, RSPB_BOOKED);
	node = rspb_nodeset_next(decided->grants[0].nodes, 0);
	rspb_booking_destroy(decided);
	rspb_booking_destroy(asked);
	rspb_ledger_destroy(plan);
	return node;
}

/* What more is booked of a node than it has now stands, and is no room for others. */
START_TEST(no_room_in_what_is_lost)
{
	struct rspb_ledger *ledger = smaller(4, 8);

	ck_assert_int_eq(add_asked(ledger, part(1, 0, 6, 0, 0, 100), 1), 0);
	ck_assert_uint_eq(placed(ledger, 2), 0);
	ck_assert_uint_eq(placed(ledger, 4), 1);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Whole nodes stay free for others; of those that are begun the first one does. */
START_TEST(begun_nodes_first)
{
	struct rspb_ledger *ledger = machine();

	ck_assert_uint_eq(placed(ledger, 2), 0);
	ck_assert_int_eq(add(ledger, part(1, 1, 4, 0, 50, 100)), 0);
	ck_assert_uint_eq(placed(ledger, 2), 1);
	ck_assert_uint_eq(placed(ledger, 13), 0);
	ck_assert_int_eq(add(ledger, part(2, 0, 2, 0, 0, 10)), 0);
	ck_assert_uint_eq(placed(ledger, 2), 0);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(calendar_of_a_part)
{
	struct rspb_ledger *ledger = smaller(2, CORES);
	struct rspb_nodeset *nodes = rspb_nodeset_create(PAIR);
	struct rspb_booking *like = part(9, 0, 8, 2, 0, 1);
	struct rspb_profile *profile;

	ck_assert_int_eq(add(ledger, part(1, 0, 4, 1, 50, 100)), 0);
	ck_assert_int_eq(add(ledger, part(2, 0, 12, 0, 100, 150)), 0);
	ck_assert_int_eq(add(ledger, part(3, 1, 4, 2, 70, 90)), 0);
	rspb_nodeset_fill(nodes);
	/* Of the second 2 GPUs are left; of the first they lack, then cores. */
	profile = rspb_ledger_for_part(ledger, &like->request->parts[0], nodes);
	ck_assert_ptr_nonnull(profile);
	ck_assert_uint_eq(rspb_nodeset_count(nodes), 2);
	ck_assert_int_eq(rspb_profile_free_over(profile, 0, 50, nodes, NULL), 0);
	ck_assert_uint_eq(rspb_nodeset_count(nodes), 2);
	ck_assert_int_eq(rspb_profile_free_over(profile, 49, 51, nodes, NULL), 0);
	ck_assert(!rspb_nodeset_has(nodes, 0) && rspb_nodeset_has(nodes, 1));
	ck_assert_int_eq(rspb_profile_free_over(profile, 149, 150, nodes, NULL), 0);
	ck_assert(!rspb_nodeset_has(nodes, 0));
	ck_assert_int_eq(rspb_profile_free_over(profile, 150, 900, nodes, NULL), 0);
	ck_assert_uint_eq(rspb_nodeset_count(nodes), 2);
	rspb_profile_destroy(profile);
	/* The first never has three. */
	like->request->parts[0].quotas[0].per_node = 3;
	rspb_nodeset_fill(nodes);
	profile = rspb_ledger_for_part(ledger, &like->request->parts[0], nodes);
	ck_assert(!rspb_nodeset_has(nodes, 0) && rspb_nodeset_has(nodes, 1));
	rspb_profile_destroy(profile);
	rspb_booking_destroy(like);
	rspb_nodeset_destroy(nodes);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* MaxBookedPercent counts parts as the part of a node that they are. */
START_TEST(part_of_the_machine)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_booking *more = part(3, 1, 4, 0, 0, 100);
	struct rspb_booking *most = part(4, 1, 12, 0, 0, 100);
	struct rspb_config config = { .max_share_percent = 50 };
	struct rspb_err err = { "" };

	ck_assert_int_eq(add(ledger, part(1, 0, 8, 0, 0, 100)), 0);
	ck_assert_int_eq(rspb_limits_grant(ledger, more, (struct rspb_holding){ 0, 0 }, &config,
					   &err),
			 0);
	ck_assert_int_eq(rspb_limits_grant(ledger, most, (struct rspb_holding){ 0, 0 }, &config,
					   &err),
			 -1);
	ck_assert_str_eq(err.text, "0.5 of the 1 nodes that can be booked at the same time "
				   "are already booked (MaxBookedPercent=50%)");
	rspb_booking_destroy(more);
	rspb_booking_destroy(most);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Of four GPUs all are more than one core of sixteen. */
START_TEST(scarcest_counts)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_booking *one = part(1, 0, 1, 4, 0, 3600);
	struct rspb_booking *two = part(2, 1, 1, 1, 0, 3600);
	struct rspb_config config = { .max_share_percent = 50 };
	struct rspb_err err = { "" };
	const struct rspb_holding none = { 0, 0 };

	one->request->parts[0].weight = CORES * RSPB_SHARE_CORE;
	two->request->parts[0].weight = 4 * RSPB_SHARE_CORE;
	ck_assert_int_eq(rspb_limits_ahead(one, 0), 3600);
	ck_assert_int_eq(rspb_limits_ahead(two, 0), 900);
	ck_assert_int_eq(rspb_limits_grant(ledger, two, none, &config, &err), 0);
	ck_assert_int_eq(add(ledger, one), 0);
	ck_assert_int_eq(rspb_limits_grant(ledger, two, none, &config, &err), -1);
	ck_assert_str_eq(err.text, "1 of the 1 nodes that can be booked at the same time are "
				   "already booked (MaxBookedPercent=50%)");
	rspb_booking_destroy(two);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(grows_within_the_part_of_the_machine)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_booking *more = part(1, 0, 8, 0, 0, 100), *most = part(1, 0, 9, 0, 0, 100);
	struct rspb_booking *fewer = part(1, 0, 2, 0, 0, 100);
	struct rspb_config config;
	struct rspb_err err = { "" };

	rspb_config_defaults(&config);
	ck_assert_int_eq(add(ledger, part(1, 0, 4, 0, 0, 100)), 0);
	ck_assert_int_eq(add(ledger, part(2, 1, 8, 0, 50, 150)), 0);
	ck_assert_int_eq(rspb_limits_growth(ledger, more, &config, &err), 0);
	ck_assert_int_eq(rspb_limits_growth(ledger, most, &config, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "MaxBookedPercent=50%"));
	config.max_share_percent = 10;
	ck_assert_int_eq(rspb_limits_growth(ledger, fewer, &config, &err), 0);
	rspb_booking_destroy(more);
	rspb_booking_destroy(most);
	rspb_booking_destroy(fewer);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* RET a part of both nodes: 8 cores and 2 GPUs of the first, 4 and 1 of the second. */
static struct rspb_booking *uneven(uint64_t id, int64_t start, int64_t end)
{
	struct rspb_booking *b = part(id, 0, 8, 2, start, end);
	struct rspb_part *asked = &b->request->parts[0];

	asked->nodes = asked->nodes_min = PAIR;
	asked->eligible = rspb_nodeset_create(PAIR);
	rspb_nodeset_fill(asked->eligible);
	rspb_nodeset_fill(b->grants[0].nodes);
	ck_assert_int_eq(rspb_part_add_odd(asked, (struct rspb_odd){ 0, RSPB_ROOM_CORES, 800 },
					   800),
			 0);
	ck_assert_uint_eq(asked->n_odd, 0);
	ck_assert_int_eq(rspb_part_add_odd(asked, (struct rspb_odd){ 1, RSPB_ROOM_CORES, 400 },
					   800),
			 0);
	ck_assert_int_eq(rspb_part_add_odd(asked, (struct rspb_odd){ 1, GPU, 1 }, 2), 0);
	return b;
}

static void check_taken(const struct rspb_ledger *ledger, int64_t cores_0, int64_t cores_1,
			int64_t gpus_0, int64_t gpus_1)
{
	int64_t cores[PAIR], gpus[PAIR];

	ck_assert_int_eq(rspb_shares_peaks(rspb_ledger_shares(ledger), 0, 100, cores, NULL), 0);
	ck_assert_int_eq(rspb_ledger_taken(ledger, GPU, 0, 100, gpus, NULL), 0);
	ck_assert_int_eq(cores[0], cores_0 * RSPB_SHARE_CORE);
	ck_assert_int_eq(cores[1], cores_1 * RSPB_SHARE_CORE);
	ck_assert_int_eq(gpus[0], gpus_0);
	ck_assert_int_eq(gpus[1], gpus_1);
}

START_TEST(nodes_of_a_part_may_differ)
{
	const struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
					    .id = 1,
					    .event = RSPB_EV_CANCEL };
	struct rspb_ledger *ledger = machine();

	ck_assert_int_eq(add(ledger, uneven(1, 0, 100)), 0);
	check_taken(ledger, 8, 4, 2, 1);
	ck_assert_int_eq(add(ledger, part(2, 1, 12, 3, 0, 100)), 0);
	ck_assert_int_eq(add(ledger, part(3, 0, 9, 0, 0, 100)), -1);
	check_taken(ledger, 8, 16, 2, 4);
	ck_assert_int_eq(rspb_ledger_apply(ledger, &cancel, NULL), 0);
	check_taken(ledger, 0, 12, 0, 3);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(limits_count_the_mean_of_different_sizes)
{
	const struct rspb_odd large = { 1, RSPB_ROOM_CORES, 15 * RSPB_SHARE_CORE };
	struct rspb_booking *b = uneven(1, 0, 3600);
	struct rspb_part *asked = &b->request->parts[0];

	/* 8 and 4 cores: no more than twice 8. */
	rspb_part_weigh_odd(asked);
	ck_assert_int_eq(rspb_part_weighs(asked, asked->share), 8 * RSPB_SHARE_CORE);
	/* 8 and 15 cores: 11.5 of each. */
	rspb_part_even(asked);
	ck_assert_int_eq(rspb_part_add_odd(asked, large, asked->share), 0);
	rspb_part_weigh_odd(asked);
	ck_assert_int_eq(rspb_part_weighs(asked, asked->share), 1150);
	rspb_booking_destroy(b);
}
END_TEST

START_TEST(different_sizes_are_planned_where_they_fit)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_booking *asked = uneven(1, 0, 100), *decided;
	const struct rspb_request *request = asked->request;
	struct rspb_policy policy;

	rspb_policy_from_preset(rspb_preset_find("live"), &policy);
	ck_assert_int_eq(add(ledger, part(2, 0, 8, 2, 0, 100)), 0);
	ck_assert_int_eq(add(ledger, part(3, 1, 12, 3, 0, 100)), 0);
	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, &request, 1, 0, &decided, NULL), 0);
	ck_assert_int_eq(decided->state, RSPB_BOOKED);
	ck_assert_int_eq(decided->grants[0].share, 8 * RSPB_SHARE_CORE);
	check_taken(ledger, 16, 16, 4, 4);
	rspb_booking_destroy(decided);
	rspb_ledger_destroy(ledger);
	/* The second node lacks one core, and then one GPU. */
	for (int lack = 0; lack < 2; lack++) {
		ledger = machine();
		ck_assert_int_eq(add(ledger, part(3, 1, 12 + !lack, 3 + lack, 0, 100)), 0);
		ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, &request, 1, 0, &decided,
						     NULL),
				 0);
		ck_assert_int_eq(decided->state, RSPB_DECLINED);
		rspb_booking_destroy(decided);
		rspb_ledger_destroy(ledger);
	}
	rspb_booking_destroy(asked);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		taken_besides,
		used_by_others,
		used_more_than_counted,
		grows_within_the_part_of_the_machine,
		fewer_than_booked,
		fewer_cores_than_booked,
		no_room_in_what_is_lost,
		part_of_the_machine,
		begun_nodes_first,
		calendar_of_a_part,
		scarcest_counts,
		small_on_file,
		limits_count_the_mean_of_different_sizes,
		nodes_of_a_part_may_differ,
		different_sizes_are_planned_where_they_fit,
	};

	return suite_of("parts", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
