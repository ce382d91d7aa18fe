/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/preset.h"

#include <string.h>

#include "common/base/names.h"

int sim_preset_policy(const char *preset, struct rspb_policy *policy, struct rspb_err *err)
{
	const struct rspb_preset *row = rspb_preset_find(preset);

	if (!row)
		return rspb_fail(err,
				 "\"%.60s\" is not a preset; the nearest "
				 "name is \"%s\"",
				 preset,
				 rspb_names_nearest(rspb_presets, sizeof(rspb_presets[0]), preset));
	rspb_policy_from_preset(row, policy);
	if (!policy->order || !policy->when || !policy->where || !policy->degrade)
		return rspb_fail(err,
				 "preset %s cannot decide requests of this "
				 "workload",
				 row->name);
	return 0;
}

int sim_preset_known(const char *preset, struct rspb_err *err)
{
	struct rspb_policy policy;

	return sim_preset_policy(preset, &policy, err);
}

int sim_preset_pair(const char *preset, const char *what, const char *one, const char *other,
		    struct rspb_err *err)
{
	if (!strcmp(preset, one) || !strcmp(preset, other))
		return 0;
	return rspb_fail(err, "\"%.60s\" is not a %s; allowed are %s, %s", preset, what, one,
			 other);
}
