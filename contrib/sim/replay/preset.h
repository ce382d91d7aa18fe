/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Presets of the library (common/policy/policy.h), and the choices' own names. */
#ifndef RSPB_SIM_REPLAY_PRESET_H
#define RSPB_SIM_REPLAY_PRESET_H

#include "common/base/err.h"
#include "common/policy/policy.h"

/* Does it name one that decides on requests? RET 0, or -1 with err. */
int sim_preset_known(const char *preset, struct rspb_err *err);
/* The same of a model that has two of its own, a kind of `what`. */
int sim_preset_pair(const char *preset, const char *what, const char *one, const char *other,
		    struct rspb_err *err);
int sim_preset_policy(const char *preset, struct rspb_policy *policy, struct rspb_err *err);

#endif
