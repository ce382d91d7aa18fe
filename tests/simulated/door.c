/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for the socket (plugins/ctld/serve/server.c): a thread that gives messages
 * of users to the one function that answers them. What is not here: connections, frames,
 * credentials, and how many messages one user may send.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/serve/server.h"
#include "tests/simulated/world.h"

enum { WAITING = 32, ASKED = 64, LATE_US = 600000, LOST_US = 60000000, SLOW_US = 3000000 };

static struct {
	const struct rspb_server_use *use;
	pthread_t thread;
	bool stops, woken;
	size_t n;
	struct message {
		uint64_t line;
		uint32_t uid;
		char *text;
	} waiting[WAITING];
	struct rspb_queue tasks;
	uint64_t lines;
	uint64_t line_of[SIM_GROUPS]; /* whose answer has the name */
	/* When the last were asked; microseconds, 0: it is answered. */
	int64_t asked_at[ASKED];
	uint64_t refuses[ASKED]; /* lines that a stranger asks */
	/* A question for offers of which one is to be accepted. */
	struct {
		uint64_t line; /* 0: none */
		uint32_t job, which;
	} accepts;
} door;

static void answer_messages(void)
{
	while (door.n) {
		struct message m = door.waiting[0];
		char *answer;

		door.n--;
		memmove(&door.waiting[0], &door.waiting[1], door.n * sizeof(m));
		answer = door.use->asked(m.line, m.uid, "127.0.0.1", m.text, strlen(m.text));
		free(m.text);
		if (answer)
			rspb_server_answer(m.line, answer);
	}
}

static void *run_door(void *arg)
{
	int64_t due = 0;

	(void) arg;
	while (!door.stops) {
		answer_messages();
		if (door.woken || due <= sim_world->us) {
			door.woken = false;
			due = door.use->woken(sim_world->us);
			continue;
		}
		sim_wait(&door, due);
	}
	door.use->over();
	return NULL;
}

int rspb_server_start(const struct rspb_server_use *use, struct rspb_err *err)
{
	memset(&door, 0, sizeof(door));
	door.use = use;
	if (pthread_create(&door.thread, NULL, run_door, NULL))
		return rspb_fail(err, "the thread that answers messages cannot be started");
	return 0;
}

void rspb_server_stop(void)
{
	door.stops = true;
	sim_wake(&door);
	pthread_join(door.thread, NULL);
}

void rspb_server_configure(const struct rspb_config *config)
{
	(void) config;
}

void rspb_server_count(struct rspb_server_counts *out)
{
	*out = (struct rspb_server_counts){ .questions = door.lines };
}

void rspb_server_hand(struct rspb_task *task)
{
	if (task)
		rspb_queue_put(&door.tasks, &task->link);
	door.woken = true;
	sim_wake(&door);
}

struct rspb_task *rspb_server_next(void)
{
	return rspb_queue_take(&door.tasks);
}

/* An answer may wait for the disk, and for nothing else that takes long. */
static void check_answered(uint64_t line, bool now)
{
	int64_t asked_at = door.asked_at[line % ASKED];
	int64_t took = sim_world->us - asked_at;

	if (!asked_at || took < (now ? LATE_US : LOST_US) || sim_recovering() ||
	    asked_at < sim_world->disk_slow_until + SLOW_US ||
	    asked_at < sim_world->disk_bad_until + SLOW_US)
		return;
	sim_fault("question %llu has waited %lld ms for its answer", (unsigned long long) line,
		  (long long) took / 1000);
	door.asked_at[line % ASKED] = 0;
}

/* A name is given again after a kill. */
static void forget_name(const char *name)
{
	for (int i = 0; i < SIM_GROUPS; i++)
		if (!strcmp(sim_world->groups[i].name, name))
			sim_world->groups[i].released = false;
}

static void take_name(uint64_t line, const char *text)
{
	const char *name = strstr(text, "\"reservation\":\"");

	for (int i = 0; i < SIM_GROUPS; i++) {
		struct sim_group *group = &sim_world->groups[i];

		if (group->number && group->release_line == line &&
		    group->release_life == sim_world->counts.lives && strstr(text, "\"ok\":true"))
			group->released = true;
		if (!name || door.line_of[i] != line)
			continue;
		sscanf(name, "\"reservation\":\"%63[^\"]", group->name);
		forget_name(group->name);
	}
}

/* Reads "4@20261124T110000Z+3600". RET false: it is a share, or has fewer tasks. */
static bool read_word(const char *word, struct sim_want *want)
{
	long long seconds, start, end;
	struct tm tm = { .tm_isdst = 0 };
	uint32_t nodes;
	char *rest;

	want->nodes = (uint32_t) strtoul(word, &rest, 10);
	rest = want->nodes ? strptime(rest, "@%Y%m%dT%H%M%SZ", &tm) : NULL;
	if (!rest || sscanf(rest, "+%lld\"", &seconds) != 1)
		return false;
	want->from = timegm(&tm);
	want->seconds = seconds;
	rest = strstr(rest, "\"start\":");
	if (!rest ||
	    sscanf(rest, "\"start\":%lld,\"end\":%lld,\"nodes\":%u", &start, &end, &nodes) != 3 ||
	    start != want->from || end != start + seconds || nodes != want->nodes)
		sim_fault("an offer has another word than its time and nodes: %.120s", word);
	return true;
}

/* Accept one of the offers in an answer, as rspb accept does. */
static void accept_from(const char *text)
{
	static const char mark[] = "\"offer\":\"";
	struct sim_want want = { .id = door.accepts.job, .offer = true };
	struct sim_job *job = sim_job_find(want.id);
	char question[256];

	for (uint32_t i = 0; text && i < door.accepts.which; i++) {
		text = strstr(text, mark);
		text = text ? text + strlen(mark) : NULL;
	}
	if (!text || !job || job->phase != RSPB_JOB_PENDING || !read_word(text, &want))
		return;
	snprintf(question, sizeof(question),
		 "{\"version\":1,\"op\":\"modify\",\"job\":%u,\"begin\":%lld,\"duration\":%lld,"
		 "\"nodes\":%u,\"exact\":true}",
		 job->id, (long long) want.from, (long long) want.seconds, want.nodes);
	sim_check_asked(job->id);
	job->asked_from = job->asked_until = 0;
	want.life = sim_world->counts.lives;
	want.line = door.lines + 1;
	sim_door_ask(job->uid, question);
	if (door.lines == want.line)
		sim_want_note(&want);
}

void rspb_server_answer(uint64_t line, char *text)
{
	sim_log("ANSWER %llu %s", (unsigned long long) line, text);
	take_name(line, text);
	sim_want_answered(line, strstr(text, "\"ok\":true"));
	if (door.accepts.line == line) {
		door.accepts.line = 0;
		accept_from(text);
	}
	if (door.refuses[line % ASKED] == line && strstr(text, "\"ok\":true"))
		sim_fault("question %llu of a stranger is answered: %.120s",
			  (unsigned long long) line, text);
	check_answered(line, true);
	door.asked_at[line % ASKED] = 0;
	sim_world->counts.answered++;
	free(text);
}

int64_t rspb_server_turn(uint64_t line)
{
	(void) line;
	return 0;
}

void rspb_server_used(uint32_t uid, int64_t us)
{
	(void) uid;
	(void) us;
}

void sim_door_ask(uint32_t uid, const char *text)
{
	if (door.n == WAITING)
		return;
	door.waiting[door.n] = (struct message){
		.line = ++door.lines,
		.uid = uid,
		.text = strdup(text),
	};
	check_answered(door.lines, false);
	door.asked_at[door.lines % ASKED] = sim_world->us;
	sim_log("ASK %llu user %u %s", (unsigned long long) door.lines, uid, text);
	sim_world->counts.asked++;
	door.n++;
	sim_wake(&door);
}

void sim_door_refuses(uint32_t uid, const char *text)
{
	uint64_t before = door.lines;

	sim_door_ask(uid, text);
	if (door.lines > before)
		door.refuses[door.lines % ASKED] = door.lines;
}

void sim_door_accept(const struct sim_job *job, uint32_t which)
{
	char text[64];

	if (door.n == WAITING)
		return;
	snprintf(text, sizeof(text), "{\"version\":1,\"op\":\"offers\",\"job\":%u}", job->id);
	door.accepts.line = door.lines + 1;
	door.accepts.job = job->id;
	door.accepts.which = which;
	sim_door_ask(job->uid, text);
}

uint64_t sim_door_lines(void)
{
	return door.lines;
}

void sim_door_reserve(uint32_t uid, const char *text, uint32_t label)
{
	struct sim_group *group = &sim_world->groups[label % SIM_GROUPS];

	if (door.n == WAITING)
		return;
	*group = (struct sim_group){ .label = label };
	sim_door_ask(uid, text);
	door.line_of[label % SIM_GROUPS] = door.lines;
}
