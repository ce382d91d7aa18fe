/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for plugins/ctld/post/program.c, which runs the site's program for each notice:
 * remembers what owners are told, and that they are told once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/ctld/post/letters.h"
#include "tests/simulated/world.h"

enum { EVENT = 2, WHAT = 3, DELIVERY_US = 200000 };

static int64_t number_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoll(at + strlen(key), NULL, 10) : 0;
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	while (text && *text)
		hash = (hash ^ (unsigned char) *text++) * UINT64_C(1099511628211);
	return hash;
}

/* Nothing else was told of the same in between. What was delivered just before a kill may be
 * delivered again, since that may not have been noted. A request that is declined at the second
 * `at`, asked again and declined again within that second has two notices with the same words. */
static void check_twice(const char *event, const char *what, uint64_t hash, int64_t at)
{
	uint64_t key = hash_of(what);
	struct sim_notice *last = NULL;

	for (int i = 0; i < SIM_NOTICES; i++) {
		struct sim_notice *notice = &sim_world->notices[i];

		if (notice->key == key && (!last || notice->number > last->number))
			last = notice;
	}
	if (last && last->hash == hash && last->life == sim_world->counts.lives &&
	    strcmp(event, "warned") != 0 && !sim_asked_at((uint32_t) strtoul(what, NULL, 10), at))
		sim_fault("the owner of %s is told twice: %s", what, event);
	sim_world->notices[sim_world->n_notices % SIM_NOTICES] = (struct sim_notice){
		.key = key,
		.hash = hash,
		.life = sim_world->counts.lives,
		.number = ++sim_world->n_notices,
	};
}

/* The jobs of a series may be told together. */
static void note_jobs(const char *input, const char *what, const char *event)
{
	const char *at = strstr(input, "\"jobs\":");
	char *end;

	at = at ? strchr(at, '[') : NULL;
	if (strstr(input, "\"reservation\":"))
		sim_check_group_notice(what, number_of(input, "\"start\":"));
	sim_check_notice((uint32_t) strtoul(what, NULL, 10), event,
			 at ? 0 : number_of(input, "\"start\":"),
			 at ? 0 : (uint32_t) number_of(input, "\"nodes\":"));
	while (at && *at && *at != ']') {
		sim_check_notice((uint32_t) strtoul(at + 1, &end, 10), event, 0, 0);
		at = end + strcspn(end, ",]");
	}
}

int rspb_program_run(char *const argv[], char *const env[], const char *input, int seconds,
		     bool (*stop)(void), struct rspb_err *err)
{
	const char *event = argv[EVENT - 1], *what = argv[WHAT - 1];
	const char *reason = strstr(input, "\"reason\":");
	char text[256];

	(void) env;
	(void) seconds;
	(void) stop;
	(void) err;
	snprintf(text, sizeof(text), "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %.64s",
		 event, number_of(input, "\"start\":"), number_of(input, "\"end\":"),
		 number_of(input, "\"nodes\":"), number_of(input, "\"at\":"), reason ? reason : "");
	sim_log("NOTICE %s %s", what, text);
	check_twice(event, what, hash_of(text), number_of(input, "\"at\":"));
	if (!strcmp(event, "declined") && !reason)
		sim_fault("the owner of %s is told that it is declined, without a reason", what);
	/* Nobody takes a job out of its reservation here. */
	if (reason && strstr(reason, "taken out of its reservation"))
		sim_fault("the owner of %s is told that its job was taken out", what);
	note_jobs(input, what, event);
	sim_world->counts.notices++;
	sim_sleep(1000 + (int64_t) sim_below(DELIVERY_US));
	return 0;
}
