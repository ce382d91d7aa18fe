/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines the controller's state and where in it the state of each room is. It has no code, so that
 * all rooms may use it. */
#include "plugins/ctld/controller.h"

struct rspb_controller rspb_controller = {
	.decide.batch.due = INT64_MAX,
	.decide.batch.look = INT64_MAX,
	.mirror.until = INT64_MAX,
	.kinds.usage.mutex = PTHREAD_MUTEX_INITIALIZER,
	.kinds.waiting.earliest = INT64_MAX,
	.watch.aside.mutex = PTHREAD_MUTEX_INITIALIZER,
};

struct rspb_decide_state *const rspb_decisions = &rspb_controller.decide;
struct rspb_mirror_state *const rspb_mirror = &rspb_controller.mirror;
struct rspb_observe_state *const rspb_observe = &rspb_controller.observe;
struct rspb_start_state *const rspb_start = &rspb_controller.start;
struct rspb_kinds_state *const rspb_of_kinds = &rspb_controller.kinds;
struct rspb_watch_state *const rspb_watch = &rspb_controller.watch;
