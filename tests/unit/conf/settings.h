/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings that a text of rspb.conf makes. */
#ifndef RSPB_TESTS_UNIT_CONF_SETTINGS_H
#define RSPB_TESTS_UNIT_CONF_SETTINGS_H

#include <check.h>

#include "common/conf/config.h"

static inline struct rspb_config config_of(const char *text)
{
	struct rspb_config config;
	struct rspb_err err = { "" };

	rspb_config_defaults(&config);
	ck_assert_msg(!rspb_config_read(&config, text, "rspb.conf", &err), "%s", err.text);
	return config;
}

#endif
