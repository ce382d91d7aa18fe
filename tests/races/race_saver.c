/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves that several threads ask for and look after while one is under way, some
 * of them in vain. */
#include "plugins/ctld/base/saver.h"

#include <stdatomic.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/save.h"
#include "tests/races/races.h"

enum { REQUESTS = 3, LOOKS_MOST = 20000 };

/* Of the saver's thread. */
static unsigned int saves;
static atomic_int well, in_vain;

bool rspb_ctld_stopping(void)
{
	return false;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) level;
	(void) fmt;
}

bool rspb_save_in_charge(void)
{
	return true;
}

bool rspb_save_now(bool (*give_up)(void), int64_t *took_us)
{
	MUST(!give_up());
	*took_us = 1;
	return ++saves % 3;
}

static void user(unsigned int part)
{
	(void) part;
	for (int i = 0; i < REQUESTS; i++) {
		uint64_t ticket = rspb_saver_request();
		enum rspb_saved is = RSPB_SAVED_NOT_YET;

		for (int looks = 0; is == RSPB_SAVED_NOT_YET; looks++) {
			const struct timespec pause = { .tv_nsec = 1000000 };

			MUST(looks < LOOKS_MOST);
			nanosleep(&pause, NULL);
			is = rspb_saver_look(ticket);
		}
		if (is == RSPB_SAVED) {
			MUST(rspb_saver_saved_at());
			well++;
		} else {
			in_vain++;
		}
	}
}

int main(void)
{
	struct rspb_err err;

	MUST(!rspb_saver_start(&err));
	RACE(user, user, user, user);
	rspb_saver_stop();
	MUST(well + in_vain == 4 * REQUESTS && well);
	/* One save is for all who asked before it. */
	MUST(saves < 4 * REQUESTS);
	return 0;
}
