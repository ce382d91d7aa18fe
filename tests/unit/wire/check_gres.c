/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generic resources as text. */
#include "common/wire/texts.h"

#include <string.h>

#include "common/request/request.h"
#include "tests/unit/runner.h"

static const char *words(const char *gres)
{
	static char text[128];
	struct rspb_text out = rspb_text_over(text, sizeof(text));

	rspb_gres_add_words(gres, &out);
	return text;
}

static const char *typed(const char *gres, const char *has)
{
	static char text[128];

	rspb_gres_name_types(gres, has, text, sizeof(text));
	return text;
}

START_TEST(users_read_gpus_in_words)
{
	ck_assert_str_eq(words(""), "");
	ck_assert_str_eq(words("gpu:1"), "1 GPU");
	ck_assert_str_eq(words("gpu:a100:4"), "4 GPUs (a100)");
	ck_assert_str_eq(words("gpu:a100:1,gpu:v100:2,shard:8"),
			 "1 GPU (a100), 2 GPUs (v100), 8 shard");
	ck_assert_str_eq(words("gpu:0,fpga:1"), "1 fpga");
}
END_TEST

START_TEST(gpus_of_all_types_are_counted)
{
	ck_assert_int_eq(rspb_gres_gpus("", NULL), 0);
	ck_assert_int_eq(rspb_gres_gpus("shard:8", NULL), 0);
	ck_assert_int_eq(rspb_gres_gpus("gpu:a100:4,shard:8,gpu:2", NULL), 6);
	ck_assert_int_eq(rspb_gres_gpus("gpumem:4", NULL), 0);
}
END_TEST

START_TEST(gpus_of_a_type_are_counted)
{
	ck_assert_int_eq(rspb_gres_gpus("gpu:a100:4,gpu:v100:2", "v100"), 2);
	ck_assert_int_eq(rspb_gres_gpus("gpu:a100:4,gpu:v100:2", ""), 6);
	ck_assert_int_eq(rspb_gres_gpus("gpu:a100:4", "a10"), 0);
	ck_assert_int_eq(rspb_gres_gpus("gpu:4", "a100"), 0);
}
END_TEST

static bool has_type(const char *gres, const char *type)
{
	int len = 0;
	const char *found = rspb_gres_gpu_type(gres, &len);

	return type ? found && len == (int) strlen(type) && !strncmp(found, type, strlen(type))
		    : !found;
}

START_TEST(the_only_type_of_the_gpus_is_found)
{
	ck_assert(has_type("shard:8,gpu:a100:4", "a100"));
	ck_assert(has_type("gpu:a100:2,gpu:v100:2", NULL));
	ck_assert(has_type("gpu:a100:2,gpu:2", NULL));
	ck_assert(has_type("gpu:2", NULL));
	ck_assert(has_type("", NULL));
}
END_TEST

START_TEST(a_type_is_named_if_the_node_has_one)
{
	ck_assert_str_eq(typed("gpu:2", "gpu:a100:4"), "gpu:a100:2");
	ck_assert_str_eq(typed("gpu:2,shard:1", "shard:8,gpu:a100:4"), "gpu:a100:2,shard:1");
	/* of which type they will be is not known */
	ck_assert_str_eq(typed("gpu:2", "gpu:a100:2,gpu:v100:2"), "gpu:2");
	ck_assert_str_eq(typed("gpu:2", "gpu:4"), "gpu:2");
	ck_assert_str_eq(typed("gpu:v100:2", "gpu:a100:2,gpu:v100:2"), "gpu:v100:2");
	ck_assert_str_eq(typed("gpu:2", ""), "gpu:2");
	ck_assert_str_eq(typed("", "gpu:4"), "");
}
END_TEST

START_TEST(quotas_of_devices_are_printed_once)
{
	const struct rspb_quota quotas[] = {
		{ .key = rspb_room_key("memory"), .per_node = 100, .name = "memory" },
		{ .key = rspb_room_key("gpu"), .per_node = 3, .name = "gpu" },
		{ .key = rspb_room_key("gpu:a100"), .per_node = 2, .name = "gpu:a100" },
		{ .key = 7, .per_node = 1, .name = "shard" },
	};
	char text[64];

	rspb_devices_print(quotas, 4, text, sizeof(text));
	ck_assert_str_eq(text, "gpu:1,gpu:a100:2");
	rspb_devices_print(quotas, 4, text, 12);
	ck_assert_str_eq(text, "gpu:1");
}
END_TEST

START_TEST(gpus_are_read_one_by_one)
{
	const char *at = "fpga:1,gpu:a100:2,gpu:0,gpu:3", *type = NULL;
	int len = 0;

	ck_assert_int_eq(rspb_gres_next_gpus(&at, &type, &len), 2);
	ck_assert_int_eq(len, 4);
	ck_assert(!strncmp(type, "a100", 4));
	ck_assert_int_eq(rspb_gres_next_gpus(&at, &type, &len), 3);
	ck_assert_ptr_null(type);
	ck_assert_int_eq(rspb_gres_next_gpus(&at, &type, &len), 0);
	ck_assert(rspb_gres_has_types(""));
	ck_assert(rspb_gres_has_types("gpu:a100:2,gpu:v100:1"));
	ck_assert(!rspb_gres_has_types("gpu:a100:2,gpu:1"));
}
END_TEST

static const char *taken(int64_t cores, const char *gres, int64_t mem)
{
	static char text[128];
	struct rspb_text out = rspb_text_over(text, sizeof(text));

	rspb_cores_add_words(cores, gres, mem, &out);
	return text;
}

START_TEST(what_is_taken_is_told_without_what_is_not)
{
	ck_assert_str_eq(taken(2, "gpu:a100:1", 800), "2 cores, 1 GPU (a100), 800 MiB");
	ck_assert_str_eq(taken(0, "gpu:1", 800), "1 GPU, 800 MiB");
	ck_assert_str_eq(taken(0, "", 800), "800 MiB");
	ck_assert_str_eq(taken(1, "", 0), "1 core");
}
END_TEST

RUN_TESTS("gres", NULL, NULL, 0, users_read_gpus_in_words, gpus_of_all_types_are_counted,
	  gpus_of_a_type_are_counted, the_only_type_of_the_gpus_is_found,
	  a_type_is_named_if_the_node_has_one, quotas_of_devices_are_printed_once,
	  gpus_are_read_one_by_one, what_is_taken_is_told_without_what_is_not)
