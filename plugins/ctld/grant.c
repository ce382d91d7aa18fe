/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/grant.h"

#include "plugins/compat/job_edit.h"

static int64_t ceiling(const struct rspb_booking *booking, uint32_t part,
		       const struct rspb_config *config)
{
	switch (config->share_mode) {
	case RSPB_SHARE_CEILING:
		return booking->request->parts[part].share;
	case RSPB_SHARE_HARD:
		return booking->grants[part].share;
	default:
		return 0;
	}
}

bool rspb_grant_of(const struct rspb_booking *booking, uint32_t part,
		   const struct rspb_config *config,
		   struct rspb_share_env *env)
{
	if (part >= booking->n_grants || !booking->grants[part].share)
		return false;
	*env = (struct rspb_share_env) {
		.generation = 1,
		.share = booking->grants[part].share,
		.ceiling = ceiling(booking, part, config),
		.period_ms = config->share_period_ms,
	};
	return true;
}

int rspb_grant_give(const struct rspb_booking *booking, const uint32_t *ids,
		    uint32_t n, const struct rspb_config *config,
		    struct rspb_err *err)
{
	struct rspb_share_env env;
	char text[RSPB_SHARE_TEXT];
	uint32_t i;

	for (i = 0; i < n; i++) {
		bool granted = rspb_grant_of(booking, i, config, &env);

		if (granted)
			rspb_share_env_print(&env, text, sizeof(text));
		if (rspb_job_set_env(ids[i], RSPB_SHARE_ENV,
				     granted ? text : NULL, err))
			return -1;
	}
	return 0;
}
