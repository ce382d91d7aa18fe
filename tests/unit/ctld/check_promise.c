/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of what was promised: the last of a key counts, and what is written
 * is read. */
#include "plugins/ctld/record/promise.h"

#include <string.h>

#include "tests/unit/runner.h"

static struct rspb_promise of_job(uint32_t job, char *contract)
{
	return (struct rspb_promise){
		.key = job,
		.leader = job,
		.user = 1000,
		.submitted = 1795000000,
		.contract = contract,
	};
}

START_TEST(the_last_counts)
{
	struct rspb_promise one = of_job(7, "rspb: booked"), two = one;

	for (uint32_t job = 20; job > 0; job--) {
		struct rspb_promise other = of_job(job, "rspb: requested");

		ck_assert_int_eq(rspb_promise_put(&other), 0);
	}
	ck_assert_uint_eq(rspb_promises_count(), 20);
	ck_assert(!rspb_promise_stands(&one));
	ck_assert_int_eq(rspb_promise_put(&one), 0);
	ck_assert(rspb_promise_stands(&one));
	two.at = 5;
	ck_assert(rspb_promise_stands(&two));
	two.submitted++;
	ck_assert(!rspb_promise_stands(&two));
	two = one;
	two.ended = true;
	ck_assert(!rspb_promise_stands(&two));
	two = one;
	two.limit = 60;
	ck_assert(!rspb_promise_stands(&two));
	ck_assert_uint_eq(rspb_promises_count(), 20);
	for (size_t i = 0; i < 20; i++)
		ck_assert_uint_eq(rspb_promise_at(i)->key, i + 1);
	rspb_promise_drop(7);
	rspb_promise_drop(7);
	ck_assert_uint_eq(rspb_promises_count(), 19);
	ck_assert_ptr_null(rspb_promise_find(7));
	ck_assert_ptr_nonnull(rspb_promise_find(8));
	rspb_promises_reset();
}
END_TEST

static void goes_round(const struct rspb_promise *promise)
{
	struct json_object *object = rspb_promise_write(promise);
	struct rspb_promise read;

	ck_assert_ptr_nonnull(object);
	ck_assert_int_eq(rspb_promise_put(promise), 0);
	ck_assert(rspb_promise_read(object, &read));
	ck_assert(rspb_promise_stands(&read));
	ck_assert(read.doubted == promise->doubted);
	json_object_put(object);
	rspb_promises_reset();
}

START_TEST(what_is_written_is_read)
{
	static char names[100000]; /* of nodes */
	struct rspb_promise job = of_job(UINT32_MAX, "rspb: booked reason=a \"b\" \\ \xc3\xa4");
	struct rspb_promise resv = {
		.key = rspb_promise_resv(3, "maint"),
		.name = "maint",
		.contract = "rspb: booked",
	};

	goes_round(&job);
	job.ended = true;
	goes_round(&job);
	job.doubted = true;
	goes_round(&job);
	job.limit = INT64_MAX;
	job.tasks = 3;
	job.cpus = UINT32_MAX;
	job.features = "red|blue";
	goes_round(&job);
	ck_assert_str_eq(rspb_promise_nodes(&job, "n1"), "n1");
	memset(names, 'n', sizeof(names) - 1);
	job.nodes = names;
	goes_round(&job);
	ck_assert_str_eq(rspb_promise_nodes(&job, ""), names);
	goes_round(&resv);
	resv.accounts = "course";
	resv.partition = "long";
	resv.features = "gpu&big";
	goes_round(&resv);
}
END_TEST

/* Slurm's record of the contract before is older, also after the file is written anew. */
START_TEST(a_promise_knows_the_contract_that_it_replaced)
{
	struct rspb_promise job = of_job(7, "rspb: booked start=1 on=n1"), read;
	struct rspb_promise resv = { .key = rspb_promise_resv(3, "r"),
				     .name = "r",
				     .contract = "rspb: booked start=1 on=n1,n2 leaves=1" };
	struct json_object *object;

	ck_assert_int_eq(rspb_promise_put(&job), 0);
	ck_assert(!rspb_promise_replaced(rspb_promise_find(7), "rspb: booked start=1 on=n1"));
	job.contract = "rspb: booked start=2 on=n1";
	ck_assert_int_eq(rspb_promise_put(&job), 0);
	job.limit = 60;
	ck_assert_int_eq(rspb_promise_put(&job), 0);
	object = rspb_promise_write(rspb_promise_find(7));
	rspb_promises_reset();
	ck_assert(rspb_promise_read(object, &read));
	ck_assert_int_eq(rspb_promise_put(&read), 0);
	json_object_put(object);
	ck_assert(rspb_promise_replaced(rspb_promise_find(7), "rspb: booked start=1 on=n1"));
	ck_assert(!rspb_promise_replaced(rspb_promise_find(7), "rspb: booked start=1 on=n2"));
	ck_assert(!rspb_promise_replaced(rspb_promise_find(7), job.contract));
	ck_assert(!rspb_promise_replaced(rspb_promise_find(7), NULL));

	ck_assert_int_eq(rspb_promise_put(&resv), 0);
	resv.contract = "rspb: booked start=2 on=n1";
	ck_assert_int_eq(rspb_promise_put(&resv), 0);
	ck_assert(rspb_promise_replaced(rspb_promise_find(resv.key),
					"rspb: booked start=1 leaves=1"));
	rspb_promises_reset();
}
END_TEST

/* Slurm gives a number once more. */
START_TEST(reservations_have_names)
{
	struct rspb_promise one = { .key = rspb_promise_resv(3, "one"),
				    .name = "one",
				    .ended = true,
				    .contract = "rspb: cancelled" };
	struct rspb_promise two = { .key = rspb_promise_resv(3, "two"),
				    .name = "two",
				    .contract = "rspb: booked" };
	struct rspb_promise far = { .key = rspb_promise_resv(UINT32_MAX, "two"),
				    .name = "two",
				    .contract = "rspb: booked" };
	struct rspb_promise job = of_job(UINT32_MAX, "rspb: booked");

	ck_assert_ptr_null(rspb_promise_find_resv(3));
	ck_assert_int_eq(rspb_promise_put(&far), 0);
	ck_assert_int_eq(rspb_promise_put(&two), 0);
	ck_assert_int_eq(rspb_promise_put(&one), 0);
	ck_assert_int_eq(rspb_promise_put(&job), 0);
	ck_assert_uint_eq(rspb_promises_count(), 4);
	ck_assert_str_eq(rspb_promise_find_resv(3)->name, "two");
	ck_assert_ptr_null(rspb_promise_find_resv(4));
	ck_assert_uint_eq(rspb_promise_number(&far), UINT32_MAX);
	ck_assert_uint_eq(rspb_promise_number(&job), 0);
	ck_assert(rspb_promise_find(one.key)->ended);
	two.ended = true;
	two.at = 1;
	ck_assert_int_eq(rspb_promise_put(&two), 0);
	ck_assert_str_eq(rspb_promise_find_resv(3)->name, "two");
	rspb_promises_reset();
}
END_TEST

START_TEST(others_are_not)
{
	static const char *const texts[] = {
		"{}",
		"{\"contract\":\"rspb: booked\"}",
		"{\"job\":1,\"leader\":1,\"user\":1,\"contract\":\"\"}",
		"{\"job\":-1,\"leader\":1,\"user\":1,\"submitted\":1,"
		"\"contract\":\"\"}",
		"{\"job\":4294967296,\"leader\":1,\"user\":1,\"submitted\":1,"
		"\"contract\":\"\"}",
		"{\"job\":1,\"leader\":1,\"user\":1,\"submitted\":1,"
		"\"contract\":7}",
		"{\"reservation\":1,\"contract\":\"\"}",
		"[]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct json_object *object = json_tokener_parse(texts[i]);
		struct rspb_promise read;

		ck_assert_ptr_nonnull(object);
		ck_assert(!rspb_promise_read(object, &read));
		json_object_put(object);
	}
}
END_TEST

RUN_TESTS("promise", NULL, NULL, 0, the_last_counts, what_is_written_is_read,
	  a_promise_knows_the_contract_that_it_replaced, reservations_have_names, others_are_not)
