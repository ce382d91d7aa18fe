/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs MailProg and NoticeProgram for one letter after the other. The outbox decides whether a
 * letter is sent again. */
#include "plugins/ctld/post/letters.h"

#include <ctype.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/json.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/post/state.h"

enum { VARIABLES = 32, USER_ROOM = 256, STOP_US = 2000000, FEW = 2 };

struct parcel {
	struct rspb_errand errand;
	uint64_t id;
	char *text, *program, *mail; /* owned */
};

static void drop(struct rspb_errand *errand)
{
	struct parcel *parcel = (struct parcel *) errand;

	free(parcel->text);
	free(parcel->program);
	free(parcel->mail);
	free(parcel);
}

/* At the end of slurmctld a delivery has two seconds. A program that hangs must not delay a
 * restart. */
static bool has_to_stop(void)
{
	int64_t at = atomic_load(&rspb_post->stop_at);

	return at && rspb_section_clock_us() >= at;
}

static const char *member(json_object *letter, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(letter, key, &value) ? json_object_get_string(value) : "";
}

/* Make RSPB_KEY=value of each member, and nothing of slurmctld's own environment. RET how many;
 * the caller frees them. */
static size_t make_env(json_object *letter, char *env[VARIABLES])
{
	size_t n = 0;

	env[n++] = strdup("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:"
			  "/usr/bin:/sbin:/bin");
	json_object_object_foreach(letter, key, value)
	{
		char *text;

		if (n == VARIABLES - 1 ||
		    asprintf(&text, "RSPB_%s=%s", key, json_object_get_string(value)) < 0)
			break;
		for (char *at = text; *at != '='; at++)
			*at = (char) toupper((unsigned char) *at);
		env[n++] = text;
	}
	env[n] = NULL;
	return n;
}

/* The name service may be slow, so it is asked in this thread only. A user without a name is
 * named by number. */
static void name_user(json_object *letter, char name[USER_ROOM])
{
	struct passwd pw, *found = NULL;
	char buf[4096];
	uid_t uid = (uid_t) strtoul(member(letter, "uid"), NULL, 10);

	if (!getpwuid_r(uid, &pw, buf, sizeof(buf), &found) && found)
		snprintf(name, USER_ROOM, "%s", found->pw_name);
	else
		snprintf(name, USER_ROOM, "%s", member(letter, "uid"));
}

/* A program that fails is logged and not run again: it may have delivered the letter and failed
 * then. */
static void hand_over(char *const argv[], char *const env[], const char *input)
{
	struct rspb_err err;

	if (argv[0][0] &&
	    rspb_program_run(argv, env, input, RSPB_POSTMAN_PATIENCE_S, has_to_stop, &err))
		rspb_log_error("a notice was not delivered: %s", err.text);
}

static void deliver(const struct parcel *parcel)
{
	json_object *letter = json_tokener_parse(parcel->text);
	char *env[VARIABLES], user[USER_ROOM], event[32], what[USER_ROOM];
	const char *to;
	size_t n;

	if (!letter)
		return;
	name_user(letter, user);
	rspb_json_put_text(letter, "user", user);
	if (!strcmp(member(letter, "to"), RSPB_POSTMAN_OWNER))
		rspb_json_put_text(letter, "to", user);
	to = member(letter, "to");
	snprintf(event, sizeof(event), "%s", member(letter, "event"));
	snprintf(what, sizeof(what), "%s%s", member(letter, "job"), member(letter, "reservation"));
	n = make_env(letter, env);
	hand_over((char *const[]){ parcel->program, event, what, user, NULL }, env, parcel->text);
	/* The recipient comes from --mail-user, and must not become an option of MailProg. */
	if (*to && *to != '-')
		hand_over((char *const[]){ parcel->mail, (char[]){ "-s" },
					   (char *) member(letter, "subject"), (char *) to, NULL },
			  env, member(letter, "text"));
	while (n)
		free(env[--n]);
	json_object_put(letter);
}

static enum rspb_errand_end run(struct rspb_errand *errand)
{
	deliver((const struct parcel *) errand);
	/* The agent hands over a few letters at a time, and is woken before the last of them is
	 * gone. */
	if (atomic_fetch_sub(&rspb_post->waiting, 1) == FEW + 1)
		rspb_wake_up(RSPB_WAKE_TASK);
	/* A delivery that was cut short is not reported as done. The next slurmctld repeats it. */
	return has_to_stop() ? RSPB_ERRAND_OVER : RSPB_ERRAND_KEPT;
}

static struct rspb_errands parcels = {
	.guard = RSPB_WORKER("rspb-postman", NULL),
	.most = 1,
	.run = run,
	.drop = drop,
};

int rspb_postman_start(struct rspb_err *err)
{
	atomic_store(&rspb_post->stop_at, 0);
	atomic_store(&rspb_post->waiting, 0);
	return rspb_errands_begin(&parcels, err);
}

void rspb_postman_stop(void)
{
	/* Letters that wait are dropped; the journal has them for the next slurmctld. */
	atomic_store(&rspb_post->stop_at, rspb_section_clock_us() + STOP_US);
	rspb_errands_end(&parcels, INT64_MAX);
}

bool rspb_postman_post(uint64_t id, const char *text, const char *program, const char *mail)
{
	struct parcel *parcel = calloc(1, sizeof(*parcel));
	bool posted;

	if (!parcel)
		return false;
	*parcel = (struct parcel){
		.id = id, .text = strdup(text), .program = strdup(program), .mail = strdup(mail)
	};
	atomic_fetch_add(&rspb_post->waiting, 1);
	rspb_worker_lock(&parcels.guard);
	posted = parcel->text && parcel->program && parcel->mail &&
		 rspb_errand_post(&parcels, &parcel->errand);
	rspb_worker_unlock(&parcels.guard);
	if (!posted) {
		atomic_fetch_sub(&rspb_post->waiting, 1);
		drop(&parcel->errand);
	}
	return posted;
}

bool rspb_postman_done(uint64_t *id)
{
	struct parcel *parcel = (struct parcel *) rspb_errand_kept(&parcels);

	if (!parcel)
		return false;
	*id = parcel->id;
	drop(&parcel->errand);
	return true;
}
