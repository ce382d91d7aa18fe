/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Presets by name: those of the library (common/policy/policy.h), and those that only the
 * simulator runs, because they move bookings whose start was announced, know requests
 * beforehand, or are tuned for the papers' workloads.
 */
#ifndef RSPB_SIM_POLICY_PRESET_H
#define RSPB_SIM_POLICY_PRESET_H

#include "common/base/err.h"
#include "common/policy/policy.h"

/* A batch_interval in which everything that will ever arrive is decided at once: no policy,
 * but a bound for those that cannot see what comes. */
#define SIM_BATCH_ALL INT64_MAX

/* The presets that are not live, ended by name NULL. */
extern const struct rspb_preset sim_presets[];
/* RET the preset of that name or alias with all of its choices, or NULL. */
const struct rspb_preset *sim_preset_find(const char *name);

/* Does it name one that decides on requests? RET 0, or -1 with err. */
int sim_preset_known(const char *preset, struct rspb_err *err);
/* The same of a model that has two of its own, a kind of `what`. */
int sim_preset_pair(const char *preset, const char *what, const char *one, const char *other,
		    struct rspb_err *err);
/* Fill in the policy of that preset. RET 0, or -1 with err: there is none. */
int sim_preset_policy(const char *preset, struct rspb_policy *policy, struct rspb_err *err);

#endif
