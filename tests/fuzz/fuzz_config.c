/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/fuzz.h"

#include "common/conf/config.h"

/* Every value in force can be written and read back. */
static void check_values(const struct rspb_config *config)
{
	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		struct rspb_config copy = *config;
		char text[2 * RSPB_CONFIG_LIST], again[2 * RSPB_CONFIG_LIST];
		struct rspb_err err;

		MUST(rspb_option_get(o, config, text, sizeof(text)) < sizeof(text));
		MUST(!rspb_option_set(o, &copy, text, &err));
		rspb_option_get(o, &copy, again, sizeof(again));
		MUST(!strcmp(text, again));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct rspb_config config, before;
	struct rspb_err err = { "" };

	rspb_config_defaults(&config);
	before = config;
	if (rspb_config_read(&config, text, "rspb.conf", &err) < 0) {
		MUST(!memcmp(&config, &before, sizeof(config)));
		MUST(!strncmp(err.text, "rspb.conf:", 10));
		fuzz_check_sentence(err.text);
	} else {
		check_values(&config);
	}
	before = config;
	if (rspb_config_read_parameters(&config, text, &err) < 0) {
		MUST(!memcmp(&config, &before, sizeof(config)));
		fuzz_check_sentence(err.text);
	} else {
		check_values(&config);
	}
	rspb_by_feature_value(&config.dedicated, text);
	rspb_by_feature_value(&config.colocate, text);
	free(text);
	return 0;
}
