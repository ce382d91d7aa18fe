/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines the controller's state and where in it the state of each room is. It has no code, so that
 * all rooms may use it. */
#include "plugins/ctld/controller.h"

struct rspb_controller rspb_controller = {
	.watch.aside.mutex = PTHREAD_MUTEX_INITIALIZER,
};

struct rspb_watch_state *const rspb_watch = &rspb_controller.watch;
