/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables: every row can be found, every preset is made of known rows. */
#include "common/base/names.h"
#include "common/policy/policy.h"
#include "plugins/ctld/request/ask.h"
#include "tests/unit/plan/requests.h"

START_TEST(every_preset_is_complete)
{
	struct rspb_policy policy;

	for (const struct rspb_preset *p = rspb_presets; p->name; p++) {
		const struct rspb_preset *row = sim_preset_find(p->name);

		ck_assert_ptr_nonnull(row);
		rspb_policy_from_preset(row, &policy);
		ck_assert_str_eq(policy.order->name, row->order);
		ck_assert_str_eq(policy.when->name, row->when);
		ck_assert_str_eq(policy.where->name, row->where);
		ck_assert_str_eq(policy.degrade->name, row->degrade);
		ck_assert_ptr_eq(rspb_preset_find(row->name), p);
		if (row->alias)
			ck_assert_ptr_eq(rspb_preset_find(row->alias), p);
		/* A cluster is told what to take in place of a preset that is not live. */
		ck_assert(p->live ? row == p : p->instead && !p->order && !row->live);
		ck_assert_ptr_nonnull(row->help);
		ck_assert_ptr_nonnull(row->source);
	}
	ck_assert_ptr_nonnull(rspb_preset_find(RSPB_PRESET_DEFAULT));
	ck_assert_ptr_eq(rspb_preset_find("CoRSPB"), rspb_preset_find("co-rspb"));
	ck_assert_ptr_null(rspb_preset_find("nonsense"));
	ck_assert_str_eq(rspb_names_nearest(rspb_presets, sizeof(rspb_presets[0]), "co-rpsb"),
			 "co-rspb");
	ck_assert_str_eq(rspb_names_nearest(rspb_presets, sizeof(rspb_presets[0]), "lif-ff"),
			 "li-ff");
}
END_TEST

START_TEST(orders)
{
	struct rspb_request *r[] = {
		ask(1, 100, 10, 4),
		ask(2, 100, 10, 2),
		ask(3, 100, 10, 8),
	};
	static const struct {
		const char *name;
		uint64_t ids[3];
	} wanted[] = {
		{ "arrival", { 3, 1, 2 } },  { "priority", { 2, 3, 1 } },
		{ "deadline", { 2, 1, 3 } }, { "laxity", { 1, 2, 3 } },
		{ "minimum", { 3, 1, 2 } },  { "smallest", { 2, 3, 1 } },
		{ "price", { 1, 3, 2 } },
	};

	r[0]->arrival = r[1]->arrival = 5;
	r[1]->priority = 9;
	/* The usual price is 100 %. */
	r[0]->price = 15000;
	r[1]->price = 5000;
	r[0]->deadline = 150;
	r[0]->duration = 50;
	r[1]->deadline = 140;
	r[2]->deadline = 160;
	benefit(r[2], "linear:75%");
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct rspb_request *list[] = { r[0], r[1], r[2] };
		const struct rspb_order *row = rspb_order_named(wanted[i].name);
		size_t index[3];

		ck_assert_int_eq(rspb_order_sort(row, list, NULL, index, 3), 0);
		for (int k = 0; k < 3; k++) {
			ck_assert_uint_eq(list[k]->id, wanted[i].ids[k]);
			ck_assert_ptr_eq(list[k], r[index[k]]);
		}
	}
	for (int i = 0; i < 3; i++)
		rspb_request_destroy(r[i]);
}
END_TEST

/*
 * Nodes x 10 seconds: account a asks for 2, 2 and 9, b for 3 and 3, user 7, who has
 * no account, for 20. From nothing: a 2 (its urgent one before), b 3, user 7 20, then
 * a (2) 4, b (3) 6, a. With 5 booked for a, who then has most but for user 7: b 3,
 * user 7, b 6, and a's.
 */
START_TEST(accounts_take_turns)
{
	static const struct {
		const char *account;
		uint32_t nodes;
	} asked[] = { { "a", 2 }, { "a", 9 }, { "b", 3 }, { NULL, 20 }, { "b", 3 }, { "a", 2 } };
	static const struct {
		int64_t of_a;
		uint64_t ids[6];
	} cases[] = { { 0, { 6, 3, 4, 1, 5, 2 } },
		      { 50, { 3, 4, 5, 6, 1, 2 } },
		      { 500, { 3, 4, 5, 6, 1, 2 } } };
	const struct rspb_order *fair = rspb_order_named("fair");
	struct rspb_request *r[6];

	for (uint32_t i = 0; i < 6; i++) {
		r[i] = ask(i + 1, 100, 10, asked[i].nodes);
		r[i]->user = 7;
		rspb_request_label(r[i], asked[i].account, NULL, NULL);
	}
	r[5]->priority = 1;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		const struct rspb_request *list[6];
		struct rspb_accounts accounts;
		size_t index[6];

		for (int i = 0; i < 6; i++)
			list[i] = r[i];
		ck_assert_int_eq(rspb_accounts_init(&accounts, list, 6), 0);
		ck_assert_uint_eq(accounts.n, 3);
		rspb_accounts_find(&accounts, r[0])->cost = cases[c].of_a * RSPB_SHARE_WHOLE;
		ck_assert_int_eq(rspb_order_sort(fair, list, &accounts, index, 6), 0);
		rspb_accounts_fini(&accounts);
		for (int i = 0; i < 6; i++)
			ck_assert_uint_eq(list[i]->id, cases[c].ids[i]);
	}
	for (int i = 0; i < 6; i++)
		rspb_request_destroy(r[i]);
}
END_TEST

/* Whatever the row: never more than there is, never less than the least. */
START_TEST(degradations)
{
	for (const struct rspb_degrade *row = rspb_degrades; row->name; row++)
		for (int64_t room = 0; room < 12; room++) {
			int64_t units = row->take(room, 3, 8);

			ck_assert_int_le(units, room);
			ck_assert(units == 0 || (units >= 3 && units <= 8));
			ck_assert_int_ge(row->take(room + 1, 3, 8), units);
			ck_assert_int_eq(units > 0, room >= rspb_degrade_floor(row, 3, 8));
			ck_assert_int_le(units, rspb_degrade_aim(row, 3, 8));
		}
	ck_assert_int_eq(rspb_degrade_find("benefit")->take(5, 3, 8), 5);
	ck_assert_int_eq(rspb_degrade_find("none")->take(5, 3, 8), 0);
	ck_assert_int_eq(rspb_degrade_find("minimum")->take(5, 3, 8), 3);
}
END_TEST

static void hold_on(struct rspb_profile *profile, uint32_t width, int64_t start, int64_t end,
		    const char *nodes)
{
	struct rspb_nodeset *set = nodes_of(width, nodes);

	ck_assert_int_eq(rspb_profile_add(profile, start, end, set, NULL), 0);
	rspb_nodeset_destroy(set);
}

static void hold(struct rspb_profile *profile, int64_t start, int64_t end, const char *nodes)
{
	hold_on(profile, 4, start, end, nodes);
}

START_TEST(node_choice)
{
	static const char *const wanted[][2] = {
		{ "lowest", "0-1" }, { "best", "1,3" },	      { "worst", "0,2" },
		{ "gap", "2-3" },    { "least-load", "0-1" },
	};
	struct rspb_profile *profile = rspb_profile_create(4, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(4);
	char text[16];

	/* Around [50, 60): node 0 is free for good, node 1 in [40, 80), node
	 * 2 from 50 on, node 3 in [45, 70). */
	hold(profile, 38, 40, "1");
	hold(profile, 80, 90, "1");
	hold(profile, 20, 50, "2");
	hold(profile, 20, 45, "3");
	hold(profile, 70, 90, "3");
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		rspb_nodeset_fill(set);
		ck_assert_int_eq(rspb_where_keep(rspb_where_find(wanted[i][0]),
						 (struct rspb_marks){ 0 }, NULL, profile, 50, 60, 2,
						 set, NULL),
				 0);
		rspb_nodeset_print(set, text, sizeof(text));
		ck_assert_msg(!strcmp(text, wanted[i][1]), "%s: %s", wanted[i][0], text);
	}
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

/* What the row likes best counts among nodes of one weight. */
START_TEST(node_weights)
{
	static const uint32_t weights[4] = { 1000, 1, 20, 20 };
	struct rspb_profile *profile = rspb_profile_create(4, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(4);
	char text[16];

	/* The gap of node 3 is the tightest of all, that of node 0 next. */
	hold(profile, 70, 90, "3");
	hold(profile, 80, 90, "0");
	for (uint32_t want = 1; want <= 4; want++) {
		static const char *const wanted[] = { "1", "1,3", "1-3", "0-3" };

		rspb_nodeset_fill(set);
		ck_assert_int_eq(rspb_where_keep(rspb_where_find("best"),
						 (struct rspb_marks){ .weights = weights }, NULL,
						 profile, 50, 60, want, set, NULL),
				 0);
		rspb_nodeset_print(set, text, sizeof(text));
		ck_assert_str_eq(text, wanted[want - 1]);
	}
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

/* Leaves of four: the smallest with enough, among alike ones that of the tightest gap,
 * else the fullest and then the same for the rest; near ones first. */
START_TEST(node_leaves)
{
	static const struct {
		const char *free, *near;
		uint32_t want;
		const char *kept;
	} cases[] = {
		{ "0-3,4-6,8-9", "", 2, "8-9" },    { "0-3,4-6,8-9", "", 3, "4-6" },
		{ "0-3,4-6,8-9", "", 5, "0-3,8" },  { "0-3,4-6,8-9", "", 6, "0-3,8-9" },
		{ "0-3,4-6,8-9", "", 8, "0-6,8" },  { "0-3,4-6,8-9", "7", 2, "4-5" },
		{ "0-3,4-6,8-9", "7", 4, "4-6,8" }, { "0-3,4-7", "", 2, "4,7" },
		{ "0-3,4-7", "", 4, "4-7" },	    { "0-3", "", 9, "0-3" },
	};
	uint32_t leaves[12];
	struct rspb_profile *profile = rspb_profile_create(12, 0);

	for (uint32_t n = 0; n < 12; n++)
		leaves[n] = n / 4;
	/* The tightest gap is that of node 7. */
	hold_on(profile, 12, 70, 90, "7");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rspb_nodeset *set = nodes_of(12, cases[i].free);
		struct rspb_nodeset *near = nodes_of(12, cases[i].near);
		char text[32];

		ck_assert_int_eq(rspb_where_keep(rspb_where_find("best"),
						 (struct rspb_marks){ .leaves = leaves }, near,
						 profile, 50, 60, cases[i].want, set, NULL),
				 0);
		rspb_nodeset_print(set, text, sizeof(text));
		ck_assert_msg(!strcmp(text, cases[i].kept), "case %zu: %s", i, text);
		rspb_nodeset_destroy(set);
		rspb_nodeset_destroy(near);
	}
	rspb_profile_destroy(profile);
}
END_TEST

/* Whatever is kept costs no more than what is not; equal costs by index. */
static void check_kept(const int64_t *cost, const struct rspb_nodeset *all,
		       const struct rspb_nodeset *kept)
{
	for (uint32_t a = rspb_nodeset_next(kept, 0); a < all->width;
	     a = rspb_nodeset_next(kept, a + 1))
		for (uint32_t b = rspb_nodeset_next(all, 0); b < all->width;
		     b = rspb_nodeset_next(all, b + 1))
			ck_assert(rspb_nodeset_has(kept, b) || cost[a] < cost[b] ||
				  (cost[a] == cost[b] && a < b));
}

START_TEST(cheapest_of_many)
{
	enum { WIDTH = 70 };
	const struct rspb_where *best = rspb_where_find("best");
	struct rspb_nodeset *one = rspb_nodeset_create(WIDTH);
	struct rspb_nodeset *set = rspb_nodeset_create(WIDTH);
	struct rspb_nodeset *all = rspb_nodeset_create(WIDTH);
	unsigned int seed = 5;

	for (int round = 0; round < 200; round++) {
		struct rspb_profile *profile = rspb_profile_create(WIDTH, 0);
		uint32_t want = (uint32_t) rand_r(&seed) % WIDTH;
		uint32_t weights[WIDTH];
		int64_t cost[WIDTH];

		for (uint32_t n = 0; n < WIDTH; n++) {
			int64_t behind = 10 + rand_r(&seed) % 6;
			int64_t before = 2 + rand_r(&seed) % 4;

			weights[n] = (uint32_t) rand_r(&seed) % 3;
			cost[n] = 5 - before + behind - 8 + (round % 2 ? 1000 * weights[n] : 0);
			rspb_nodeset_clear(one);
			rspb_nodeset_add(one, n);
			ck_assert_int_eq(rspb_profile_add(profile, behind, 20, one, NULL), 0);
			ck_assert_int_eq(rspb_profile_add(profile, 1, before, one, NULL), 0);
		}
		rspb_nodeset_fill(all);
		rspb_nodeset_copy(set, all);
		ck_assert_int_eq(rspb_where_keep(best,
						 (struct rspb_marks){ .weights = round % 2 ? weights
											   : NULL },
						 NULL, profile, 5, 8, want, set, NULL),
				 0);
		ck_assert_uint_eq(rspb_nodeset_count(set), want);
		check_kept(cost, all, set);
		rspb_profile_destroy(profile);
	}
	rspb_nodeset_destroy(one);
	rspb_nodeset_destroy(set);
	rspb_nodeset_destroy(all);
}
END_TEST

/* Two of user 2 among nine of user 1, and the only one of user 3 at the end. */
START_TEST(turns)
{
	const uint32_t users[] = { 1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 3 };
	const size_t five[] = { 0, 1, 4, 8, 11 };
	size_t taken[12];

	ck_assert_int_eq(rspb_turns_take(users, 12, 12, taken), 12);
	for (size_t i = 0; i < 12; i++)
		ck_assert_uint_eq(taken[i], i);
	ck_assert_int_eq(rspb_turns_take(users, 12, 5, taken), 5);
	for (size_t i = 0; i < 5; i++)
		ck_assert_uint_eq(taken[i], five[i]);
	ck_assert_int_eq(rspb_turns_take(users, 12, 1, taken), 1);
	ck_assert_uint_eq(taken[0], 0);
	ck_assert_int_eq(rspb_turns_take(users, 0, 5, taken), 0);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = { every_preset_is_complete,
				 orders,
				 accounts_take_turns,
				 degradations,
				 node_choice,
				 node_weights,
				 node_leaves,
				 cheapest_of_many,
				 turns };

	return suite_of("policy", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
