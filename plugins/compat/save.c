/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/save.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/slurm.h"

/*
 * Slurm's thread that saves state ("the saver") begins a pass over all that
 * waits to be saved at most every five seconds. Told to end it would save at
 * once, but not end while jobs are submitted, and take up a core. So jobs alone
 * are saved from here, while it is certain that the saver rests: two at it would
 * be one too many, as the older copy could be written last. Its passes are
 * known by the times in its files; where it may begin one, that is waited for.
 */
enum {
	REST_S = 4, /* what is certain of the five: seconds are whole */
	PASS_S = 7, /* by then it has made one that it was asked for */
	TRIES = 8,
	STEP_MS = 5,
	SETTLE_MS = 10, /* from its file's being there to its knowing that */
	MARGIN_MS = 300
};

static const char *const files[] = { "job_state", "node_state", "part_state",
				     "resv_state", "trigger_state" };
enum { FILES = sizeof(files) / sizeof(files[0]) };

/* Tells a file from the one before it. */
struct mark {
	ino_t ino;
	struct timespec at;
};

static struct {
	pthread_t saver;	 /* of which the rest is known, 0: of none */
	struct mark left[FILES]; /* what was there before it */
	int64_t at;		 /* of its last file of jobs, 0: none yet */
	struct mark ours; /* the file of jobs, if it is not the saver's */
	int64_t took_us;  /* the last of ours */
} known;

static void nap(int ms)
{
	const struct timespec pause = { .tv_nsec = ms * 1000000L };

	nanosleep(&pause, NULL);
}

static int64_t clock_us(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

/* Its head: the length of a word, the word, a version, and then the time. */
static int64_t time_in(const char *file)
{
	static const char word[] = "PROTOCOL_VERSION";
	enum { WORD_AT = 4, TIME_AT = WORD_AT + sizeof(word) + 2 };
	unsigned char head[TIME_AT + 8];
	char path[PATH_MAX];
	uint64_t at = 0;
	FILE *in;
	bool good;

	snprintf(path, sizeof(path), "%s/%s", slurm_conf.state_save_location,
		 file);
	in = fopen(path, "re");
	if (!in)
		return 0;
	good = fread(head, sizeof(head), 1, in) == 1 &&
	       !memcmp(head + WORD_AT, word, sizeof(word));
	fclose(in);
	for (int i = 0; good && i < 8; i++)
		at = at << 8 | head[TIME_AT + i];
	return (int64_t) at;
}

/* Slurm puts a new file in the place of the old one, or leaves that. */
static struct mark mark_of(const char *file)
{
	struct mark mark = { .ino = 0 };
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", slurm_conf.state_save_location,
		 file);
	if (!stat(path, &st))
		mark = (struct mark){ .ino = st.st_ino, .at = st.st_mtim };
	return mark;
}

static bool same(struct mark a, struct mark b)
{
	return a.ino == b.ino && a.at.tv_sec == b.at.tv_sec &&
	       a.at.tv_nsec == b.at.tv_nsec;
}

bool rspb_save_in_charge(void)
{
	pthread_t saver = slurmctld_config.thread_id_save;

	if (saver && saver == known.saver)
		return true;
	known.saver = saver;
	known.at = 0;
	known.ours.ino = 0;
	for (int i = 0; i < FILES && !saver; i++)
		known.left[i] = mark_of(files[i]);
	return saver;
}

/* The second in which the saver has begun to write a file, 0: it has not yet. */
static int64_t written_at(int i)
{
	struct mark mark = mark_of(files[i]);

	return !mark.ino || same(mark, known.left[i]) ? 0 : time_in(files[i]);
}

static void look_at_jobs(void)
{
	if (!same(mark_of(files[0]), known.ours))
		known.at = written_at(0);
}

/* The second in which the saver has begun its last pass, at the earliest; it
 * begins with jobs, if there are any to save. 0: nothing is known. */
static int64_t pass_began(void)
{
	int64_t at[FILES], last = 0, first;

	look_at_jobs();
	at[0] = known.at;
	for (int i = 1; i < FILES; i++)
		at[i] = written_at(i);
	for (int i = 0; i < FILES; i++)
		last = at[i] > last ? at[i] : last;
	first = last;
	for (int i = 0; i < FILES; i++)
		if (at[i] > last - REST_S - 1 && at[i] < first)
			first = at[i];
	return first;
}

/* RET until when the saver rests, us. */
static int64_t rests_until(void)
{
	int64_t began = pass_began();

	return began ? (began + REST_S) * 1000000 : 0;
}

enum saved { SAVED, IN_VAIN, TOO_LATE };

static enum saved save_jobs(int64_t until)
{
	int64_t began = clock_us(CLOCK_MONOTONIC);
	struct mark before = mark_of(files[0]), after;
	bool good = dump_all_job_state() == SLURM_SUCCESS;

	after = mark_of(files[0]);
	known.took_us = clock_us(CLOCK_MONOTONIC) - began;
	if (clock_us(CLOCK_REALTIME) >= until)
		return TOO_LATE;
	if (!good || same(before, after))
		return IN_VAIN;
	known.ours = after;
	return SAVED;
}

/* Until the saver has saved jobs, as soon as it does. RET false: it does not. */
static bool await_saver(bool (*give_up)(void))
{
	int64_t until = clock_us(CLOCK_MONOTONIC) + PASS_S * 1000000;
	struct mark before = mark_of(files[0]);

	schedule_job_save();
	while (!give_up() && clock_us(CLOCK_MONOTONIC) < until) {
		nap(STEP_MS);
		if (!same(before, mark_of(files[0]))) {
			nap(SETTLE_MS);
			return true;
		}
	}
	return false;
}

bool rspb_save_now(bool (*give_up)(void), int64_t *took_us)
{
	int64_t asked = clock_us(CLOCK_REALTIME) / 1000000;

	*took_us = 0;
	for (int i = 0; i < TRIES && rspb_save_in_charge() && !give_up(); i++) {
		int64_t until = rests_until();
		enum saved saved = TOO_LATE;

		if (clock_us(CLOCK_REALTIME) + MARGIN_MS * 1000 +
			    2 * known.took_us <
		    until) {
			saved = save_jobs(until);
			*took_us = known.took_us;
		}
		if (saved != TOO_LATE)
			return saved == SAVED;
		known.took_us /= 2;
		if (!await_saver(give_up))
			return false;
		look_at_jobs();
		if (known.at > asked)
			return true;
	}
	return false;
}

/* Slurm syncs its state, but no job's script and environment, which are many
 * files. */
bool rspb_save_scripts(void)
{
	int fd = open(slurm_conf.state_save_location,
		      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && !syncfs(fd);

	if (fd >= 0)
		close(fd);
	return good;
}

int64_t rspb_save_left_at(void)
{
	return time_in("job_state");
}

void rspb_save_mend(void)
{
	static const char *const read[] = { "job_state", "resv_state" };
	char path[PATH_MAX], old[PATH_MAX];

	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s",
			 slurm_conf.state_save_location, read[i]);
		snprintf(old, sizeof(old), "%s/%s.old",
			 slurm_conf.state_save_location, read[i]);
		/* Never over one that is there. */
		if (!link(old, path))
			error("rspb: %s was missing: the last slurmctld was "
			      "killed while it put a new one there; the one "
			      "before it is read",
			      path);
	}
}
