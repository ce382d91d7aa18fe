/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that the controller remembers: one structure, which the agent owns. A room knows its own
 * member only, by the pointer that its state.h declares. What is not in here is what a thread
 * needs before it runs: its name, function and mutex. */
#ifndef RSPB_CTLD_CONTROLLER_H
#define RSPB_CTLD_CONTROLLER_H

#include "plugins/ctld/decide/state.h"
#include "plugins/ctld/kinds/state.h"
#include "plugins/ctld/mirror/state.h"
#include "plugins/ctld/observe/state.h"
#include "plugins/ctld/start/state.h"
#include "plugins/ctld/watch/state.h"

struct rspb_controller {
	struct rspb_decide_state decide;
	struct rspb_mirror_state mirror;
	struct rspb_observe_state observe;
	struct rspb_start_state start;
	struct rspb_kinds_state kinds;
	struct rspb_watch_state watch;
};

extern struct rspb_controller rspb_controller;

#endif
