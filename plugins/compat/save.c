/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has Slurm write its jobs now, in the pauses of its own saver. The caller (ctld/base/saver.c)
 * decides when. */
#include "plugins/compat/save.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/clock.h"
#include "plugins/compat/slurm.h"

/*
 * The thread of Slurm that saves state ("the saver") begins a pass over all that waits to be saved
 * at most every five seconds. If it were told to end, it would save at once, but it would not end
 * while jobs are submitted, and would take up a core. Therefore only jobs are saved from here, and
 * only while it is certain that the saver rests: with two writers at the same time the older copy
 * could be written last. The passes of the saver are known by the times in its files. Where it may
 * be about to begin one, that pass is waited for.
 *
 * The rest is counted from the second in which the saver looked at the clock. A file has the second
 * in which the writing began, which is one more if a second ended in between. Therefore four of the
 * five seconds are certain. In the fifth the saver is asked to begin: if it is due, it begins at
 * once, and its new file is seen. If no file is seen, it rests until the fifth second is over.
 */
enum {
	REST_S = 5,
	CERTAIN_S = REST_S - 1,
	PASS_S = 7, /* by then it has made one that it was asked for */
	TRIES = 8,
	STEP_MS = 5,
	SETTLE_MS = 10, /* from its file's being there to its knowing that */
	MARGIN_MS = 50, /* before its rest ends, ours has ended */
	/* A backup in control ends where two are at it at a time. */
	BACKUP_MARGIN_MS = 300,
	BEGINS_MS = 30 /* what it takes to begin, beside what ours takes */
};

static const char *const files[] = { "job_state", "node_state", "part_state", "resv_state",
				     "trigger_state" };
enum { FILES = sizeof(files) / sizeof(files[0]) };

/* Tells a file from the one before it in its place. */
struct mark {
	ino_t ino;
	struct timespec at;
};

static struct {
	pthread_t saver;	 /* of which the rest is known, 0: of none */
	struct mark left[FILES]; /* what was there before it */
	int64_t at;		 /* of its last file of jobs, 0: none yet */
	struct mark ours;	 /* the file of jobs, if it is not the saver's */
	int64_t took_us;	 /* the last of ours */
} known;

/* A copy of StateSaveLocation: while Slurm reads its configuration again, its own text is freed and
 * replaced. */
static char folder[PATH_MAX];

/* RET whether it fits. */
static bool path_of(const char *file, char path[static PATH_MAX])
{
	int len = snprintf(path, PATH_MAX, "%s/%s", folder, file);

	return len < PATH_MAX;
}

static void nap(int ms)
{
	const struct timespec pause = { .tv_nsec = ms * 1000000L };

	nanosleep(&pause, NULL);
}

/* RET the time in the head of a state file, 0: none. The head is the length of a word, the word, a
 * version, and then the time. */
static int64_t time_in(const char *file)
{
	static const char word[] = "PROTOCOL_VERSION";
	enum { WORD_AT = 4, TIME_AT = WORD_AT + sizeof(word) + 2 };
	unsigned char head[TIME_AT + 8];
	char path[PATH_MAX];
	uint64_t at = 0;
	FILE *in;
	bool good;

	in = path_of(file, path) ? fopen(path, "re") : NULL;
	if (!in)
		return 0;
	good = fread(head, sizeof(head), 1, in) == 1 && !memcmp(head + WORD_AT, word, sizeof(word));
	fclose(in);
	for (int i = 0; good && i < 8; i++)
		at = at << 8 | head[TIME_AT + i];
	return (int64_t) at;
}

/* RET a mark of a state file. Slurm puts a new file in its place or leaves it alone, so that inode
 * and time tell two apart. */
static struct mark mark_of(const char *file)
{
	struct mark mark = { .ino = 0 };
	char path[PATH_MAX];
	struct stat st;

	if (path_of(file, path) && !stat(path, &st))
		mark = (struct mark){ .ino = st.st_ino, .at = st.st_mtim };
	return mark;
}

static bool same(struct mark a, struct mark b)
{
	return a.ino == b.ino && a.at.tv_sec == b.at.tv_sec && a.at.tv_nsec == b.at.tv_nsec;
}

bool rspb_save_in_charge(void)
{
	pthread_t saver = slurmctld_config.thread_id_save;

	if (saver && saver == known.saver)
		return true;
	/* The times that are known are those of another saver. While there is none, the marks of
	 * the files are noted, so that its own files are told from these. */
	known.saver = saver;
	known.at = 0;
	known.ours.ino = 0;
	for (int i = 0; i < FILES && !saver; i++)
		known.left[i] = mark_of(files[i]);
	return saver;
}

/* RET the second in which the saver began to write a file, 0: it has not written it yet. */
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

/* RET the earliest second in which the saver can have begun its last pass. A pass starts with jobs
 * if they have changed. 0: nothing is known. */
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
		if (at[i] > last - REST_S && at[i] < first)
			first = at[i];
	return first;
}

/* RET whether the saver begins a pass, now that it is asked for one: it has
 * written jobs, or will have by the end of the pause. */
static bool begins_pass(void)
{
	int64_t until = rspb_clock_us(CLOCK_MONOTONIC) + BEGINS_MS * 1000 + 2 * known.took_us;
	struct mark before = mark_of(files[0]);

	schedule_job_save();
	while (rspb_clock_us(CLOCK_MONOTONIC) < until) {
		nap(STEP_MS);
		if (!same(before, mark_of(files[0]))) {
			nap(SETTLE_MS);
			return true;
		}
	}
	return false;
}

/* RET until when the saver rests, in us; 0: it may be saving now, or begin before our own save has
 * ended. */
static int64_t rests_until(void)
{
	int64_t began = pass_began(), now = rspb_clock_us(CLOCK_REALTIME);
	int64_t needs = 2 * known.took_us +
			1000 * (slurmctld_primary ? MARGIN_MS : BACKUP_MARGIN_MS);

	if (!began)
		return 0;
	if (now + needs < (began + CERTAIN_S) * 1000000)
		return (began + CERTAIN_S) * 1000000;
	if (!slurmctld_primary || now + needs >= (began + REST_S) * 1000000 || begins_pass())
		return 0;
	return (began + REST_S) * 1000000;
}

enum saved { SAVED, IN_VAIN, TOO_LATE };

static enum saved save_jobs(int64_t until)
{
	int64_t began = rspb_clock_us(CLOCK_MONOTONIC);
	struct mark before = mark_of(files[0]), after;
	bool good = dump_all_job_state() == SLURM_SUCCESS;

	after = mark_of(files[0]);
	known.took_us = rspb_clock_us(CLOCK_MONOTONIC) - began;
	/* The saver may have begun meanwhile, and the older of the two copies may be the last. */
	if (rspb_clock_us(CLOCK_REALTIME) >= until)
		return TOO_LATE;
	if (!good || same(before, after))
		return IN_VAIN;
	known.ours = after;
	return SAVED;
}

/* Wait until the saver has saved jobs. From 26.05 on it looks at the clock when it is asked, and
 * otherwise once a second. RET false: it has not saved them. */
static bool await_saver(const struct mark *before, bool (*give_up)(void))
{
	int64_t until = rspb_clock_us(CLOCK_MONOTONIC) + PASS_S * 1000000;

	while (same(*before, mark_of(files[0]))) {
		if (give_up() || rspb_clock_us(CLOCK_MONOTONIC) >= until)
			return false;
		schedule_job_save();
		nap(STEP_MS);
	}
	nap(SETTLE_MS);
	return true;
}

static bool save_now(bool (*give_up)(void), int64_t *took_us)
{
	int64_t asked = rspb_clock_us(CLOCK_REALTIME) / 1000000;

	*took_us = 0;
	for (int i = 0; i < TRIES && rspb_save_in_charge() && !give_up(); i++) {
		struct mark before = mark_of(files[0]);
		int64_t until = rests_until();

		if (until) {
			enum saved saved = save_jobs(until);

			*took_us = known.took_us;
			if (saved != TOO_LATE)
				return saved == SAVED;
			/* After one slow save no pause might seem long enough any more. */
			known.took_us /= 2;
			before = mark_of(files[0]);
		}
		if (!await_saver(&before, give_up))
			return false;
		look_at_jobs();
		/* The saver has begun to write after the request, so its copy has what was to be
		 * saved. */
		if (known.at > asked)
			return true;
	}
	return false;
}

/* Slurm syncs its state files, but not the scripts and environments of jobs, which are many
 * files. */
static bool save_scripts(void)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && !syncfs(fd);

	if (fd >= 0)
		close(fd);
	return good;
}

bool rspb_save_now(bool (*give_up)(void), int64_t *took_us)
{
	return save_now(give_up, took_us) && save_scripts();
}

struct rspb_save_left rspb_save_begin(void)
{
	static const char *const read[] = { "job_state", "resv_state" };
	char path[PATH_MAX], old[PATH_MAX], name[32];

	snprintf(folder, sizeof(folder), "%s", slurm_conf.state_save_location);
	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++) {
		snprintf(name, sizeof(name), "%s.old", read[i]);
		/* link() fails where the file exists, so that none is replaced. */
		if (path_of(read[i], path) && path_of(name, old) && !link(old, path))
			error("rspb: %s is missing, because slurmctld was killed while it "
			      "replaced the file; the previous file is read",
			      path);
	}
	return (struct rspb_save_left){
		.jobs_at = time_in("job_state"),
		.resvs_at = time_in("resv_state"),
		.whole = !ignore_state_errors,
	};
}
