/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other amounts of some nodes as text. */
#include "common/wire/texts.h"

#include <string.h>

#include "tests/unit/runner.h"

static const char contract[] =
	"rspb: booked nodes=3/3 cores=16 odd=c2/cores=8/memory=800,g1/gpu=1/gpu:a100=1 mem=1600";

START_TEST(the_amount_of_a_node_is_found)
{
	ck_assert_int_eq(rspb_odd_amount(contract, "c2", "cores", 16), 8);
	ck_assert_int_eq(rspb_odd_amount(contract, "c2", "memory", 1600), 800);
	ck_assert_int_eq(rspb_odd_amount(contract, "g1", "gpu:a100", 2), 1);
}
END_TEST

START_TEST(other_nodes_have_the_usual_amount)
{
	ck_assert_int_eq(rspb_odd_amount(contract, "g1", "cores", 16), 16);
	ck_assert_int_eq(rspb_odd_amount(contract, "c", "cores", 16), 16);
	ck_assert_int_eq(rspb_odd_amount("rspb: booked cores=16 on=c2", "c2", "cores", 16), 16);
	ck_assert_int_eq(rspb_odd_amount(NULL, "c2", "cores", 16), 16);
	ck_assert(rspb_odd_any(contract));
	ck_assert(!rspb_odd_any("rspb: booked cores=16 on=c2") && !rspb_odd_any(NULL));
}
END_TEST

static uint32_t count(const char *text)
{
	struct rspb_odd_word word = { .amount = 0 };
	uint32_t n = 0;

	while (rspb_odd_next(&text, &word))
		n++;
	return n;
}

START_TEST(reading_ends_at_what_is_no_amount)
{
	ck_assert_uint_eq(count("c2/cores=8/memory=800,g1/gpu=1"), 3);
	ck_assert_uint_eq(count("c2/cores=8 on=c3/cores=9"), 1);
	ck_assert_uint_eq(count(""), 0);
	ck_assert_uint_eq(count("c2"), 0);
	ck_assert_uint_eq(count("/cores=8"), 0);
	ck_assert_uint_eq(count("c2/cores"), 0);
	ck_assert_uint_eq(count("c2/cores=x"), 0);
	ck_assert_uint_eq(count("c2/cores=0"), 0);
	ck_assert_uint_eq(count("c2/cores=8,,c3/cores=8"), 1);
	ck_assert_uint_eq(count("c2/cores=99999999999999999999"), 0);
}
END_TEST

START_TEST(long_names_are_refused)
{
	char text[200];

	memset(text, 'c', sizeof(text));
	strcpy(text + 100, "/cores=8");
	ck_assert_uint_eq(count(text), 0);
	strcpy(text + 60, "/cores=8");
	ck_assert_uint_eq(count(text), 1);
}
END_TEST

static void check_words(const char *odd, const char *expected)
{
	char text[200];
	struct rspb_text out = rspb_text_over(text, sizeof(text));

	rspb_odd_add_words(odd, &out);
	ck_assert_str_eq(text, expected);
}

START_TEST(people_read_words)
{
	check_words("", "");
	check_words("c2/cores=8/memory=1600", "8 cores, 1600 MiB of c2");
	check_words("c2/cores=1,k1/gpu:a100=1", "1 core of c2; 1 GPU (a100) of k1");
	check_words("k1/memory=5/gpu=3/gpu:a100=2/gpu:v100=1",
		    "2 GPUs (a100), 1 GPU (v100), 5 MiB of k1");
	check_words("k1/gpu=2", "2 GPUs of k1");
}
END_TEST

START_TEST(a_single_node_has_its_own_amounts)
{
	char gres[64] = "gpu:1";
	int64_t cores = 2, mem = 100;

	ck_assert(rspb_odd_take_first("x1/gpu:v100=1", &cores, &mem, gres, sizeof(gres)));
	ck_assert_str_eq(gres, "gpu:v100:1");
	ck_assert_int_eq(cores, 2);
	ck_assert(rspb_odd_take_first("c2/cores=8/memory=800,x1/gpu=3", &cores, &mem, gres,
				      sizeof(gres)));
	ck_assert_int_eq(cores, 8);
	ck_assert_int_eq(mem, 800);
	ck_assert_str_eq(gres, "gpu:v100:1");
	ck_assert(!rspb_odd_take_first("", &cores, &mem, gres, sizeof(gres)));
	strcpy(gres, "gpu:1,fpga:1");
	ck_assert(!rspb_odd_take_first("x1/gpu:v100=1", &cores, &mem, gres, sizeof(gres)));
	ck_assert_str_eq(gres, "gpu:1,fpga:1");
}
END_TEST

RUN_TESTS("odd", NULL, NULL, 0, the_amount_of_a_node_is_found, other_nodes_have_the_usual_amount,
	  reading_ends_at_what_is_no_amount, long_names_are_refused, people_read_words,
	  a_single_node_has_its_own_amounts)
