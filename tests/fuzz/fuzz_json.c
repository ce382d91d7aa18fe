/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"

#include "contrib/sim/jsonl/read.h"

enum { WIDTH = 70 };

static void check_request(const char *text, size_t len)
{
	struct rspb_err err = { "" };
	struct rspb_request *r = sim_read_request(text, len, WIDTH, &err);
	struct rspb_request *again;
	char *one, *two;

	if (!r) {
		fuzz_check_sentence(err.text);
		return;
	}
	MUST(!rspb_request_validate(r, WIDTH, &err));
	one = rspb_json_line(rspb_json_write(rspb_json_request, r));
	MUST(one);
	again = sim_read_request(one, strlen(one), WIDTH, &err);
	MUST(again);
	two = rspb_json_line(rspb_json_write(rspb_json_request, again));
	MUST(two && !strcmp(one, two));
	free(one);
	free(two);
	rspb_request_destroy(r);
	rspb_request_destroy(again);
}

static void check_booking(const char *text, size_t len)
{
	struct rspb_err err = { "" };
	struct rspb_booking *b = sim_read_booking(text, len, WIDTH, &err);
	struct rspb_booking *again;
	char *one, *two;

	if (!b) {
		fuzz_check_sentence(err.text);
		return;
	}
	one = rspb_json_line(rspb_json_write(rspb_json_booking, b));
	MUST(one);
	again = sim_read_booking(one, strlen(one), WIDTH, &err);
	MUST(again);
	two = rspb_json_line(rspb_json_write(rspb_json_booking, again));
	MUST(two && !strcmp(one, two));
	rspb_booking_value(b);
	free(one);
	free(two);
	rspb_booking_destroy(b);
	rspb_booking_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* With its length alone: a line of JSON has no 0 behind it. */
	char *text = fuzz_text(data, size);

	check_request(text, size);
	check_booking(text, size);
	free(text);
	return 0;
}
