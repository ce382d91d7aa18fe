/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks and tells when it is time, in a thread of slurmd. It measures nothing itself
 * (usage.c) and no job waits for it. */
#include "plugins/spank/node.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include <slurm/spank.h>

#include "common/base/hash.h"
#include "plugins/compat/controller.h"

enum {
	SETTLE_MS = 300,  /* changes of files gather so long */
	SPREAD_MS = 1500, /* nodes of a job speak within this */
	RETRY_MS = 5000,
	RETRY_MOST_MS = 60000,
	LOOK_MS = 600000 /* when nothing happens at all */
};

static struct {
	const struct rspb_node *node;
	pthread_t thread;
	bool running;
	int stop[2], watch;
	/* Only the thread uses these: */
	struct rspb_usage usage;
	char text[RSPB_USE_REPORT];
	uint64_t told;		     /* news that the controller has */
	int64_t phase_ms;	     /* of this node, within all intervals */
	int64_t retry_ms;	     /* after a failure; 0: there was none */
	char trouble[RSPB_ERR_TEXT]; /* which is in the log already */
} reporter;

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

/* Somewhere within `every`, at another moment than most other nodes. */
static int64_t next_turn(int64_t now, int64_t every)
{
	return now + every - (now - reporter.phase_ms % every) % every;
}

/* Wait until a time, until a file changes, or for the end. RET false: the thread is to stop. */
static bool wait_until(int64_t at, bool *changed)
{
	struct pollfd fds[] = {
		{ .fd = reporter.stop[0], .events = POLLIN },
		{ .fd = reporter.watch, .events = POLLIN },
	};
	char events[4096];
	int64_t left = at - now_ms();

	*changed = false;
	if (poll(fds, 2, left > 0 ? (int) left : 0) < 0 && errno != EINTR)
		return false;
	/* The events only say that there is something new. All files are looked at. */
	if (fds[1].revents & POLLIN)
		*changed = read(reporter.watch, events, sizeof(events)) > 0;
	return !fds[0].revents;
}

/* Tell what has been looked at. Trouble is logged when it begins, and when it
 * is another one. */
static void tell_controller(void)
{
	struct rspb_usage *usage = &reporter.usage;
	struct rspb_err err;

	rspb_usage_print(reporter.node, usage, reporter.text, sizeof(reporter.text));
	if (!rspb_controller_tell(reporter.text, reporter.stop[0], &err)) {
		/* Files about jobs that have ended go only after the controller has taken the
		 * report. */
		rspb_usage_told(reporter.node, usage);
		slurm_debug("rspb: reported: %s", reporter.text);
		reporter.told = usage->news;
		reporter.retry_ms = 0;
		reporter.trouble[0] = '\0';
		return;
	}
	reporter.retry_ms = reporter.retry_ms ? 2 * reporter.retry_ms : RETRY_MS;
	if (reporter.retry_ms > RETRY_MOST_MS)
		reporter.retry_ms = RETRY_MOST_MS;
	if (strcmp(reporter.trouble, err.text))
		slurm_info("rspb: the use of jobs could not be reported; it is reported later: %s",
			   err.text);
	memcpy(reporter.trouble, err.text, sizeof(reporter.trouble));
}

/* Look, and tell when it is time. RET when to come back. */
static int64_t take_turn(int64_t *regular, int64_t *urgent)
{
	struct rspb_usage *usage = &reporter.usage;
	int64_t now = now_ms(), next = now + LOOK_MS;
	bool news;

	rspb_usage_look(reporter.node, usage);
	news = usage->n_ended || (usage->n_jobs && usage->news != reporter.told);
	/* A turn without anything to tell is over: left standing, its time
	 * would be past for ever, and the thread would never rest. */
	if (!news)
		*urgent = 0;
	else if (!*urgent)
		*urgent = now + reporter.phase_ms % SPREAD_MS;
	if ((news && now >= *urgent) || (usage->n_jobs && *regular && now >= *regular)) {
		tell_controller();
		now = now_ms();
		/* The pause grows with each failure, up to RETRY_MOST_MS. */
		*urgent = reporter.retry_ms ? now + reporter.retry_ms : 0;
		*regular = 0;
	}
	/* Nobody wants regular reports. */
	if (!usage->every_s)
		*regular = 0;
	else if (!*regular || now >= *regular)
		*regular = next_turn(now, usage->every_s * 1000);
	if (*urgent && *urgent < next)
		next = *urgent;
	return *regular && *regular < next ? *regular : next;
}

/* Look when it is time, and soon after a change. A change does not put off a look that is due
 * earlier, so that many changes in a row cannot delay it for ever. */
static void *report(void *arg)
{
	int64_t regular = 0, urgent = 0, next = now_ms() + SETTLE_MS;
	bool changed;

	while (wait_until(next, &changed)) {
		if (!changed) {
			next = take_turn(&regular, &urgent);
		} else if (next > now_ms() + SETTLE_MS) {
			next = now_ms() + SETTLE_MS;
		}
	}
	return arg;
}

/* Watch a folder of state files: rspb_file_replace() renames each new one into its place. */
static int watch_folder(const char *name)
{
	char path[RSPB_PATH];

	if (rspb_path(path, NULL, "%s/%s/%s", reporter.node->dir, reporter.node->name, name))
		return -1;
	return inotify_add_watch(reporter.watch, path, IN_MOVED_TO);
}

static void shut(void)
{
	close(reporter.watch);
	close(reporter.stop[0]);
	close(reporter.stop[1]);
}

/* RET a number by which nodes report at different moments. */
static int64_t phase_of(const char *name)
{
	return (uint32_t) rspb_hash(RSPB_HASH_START, name, strlen(name));
}

void rspb_reporter_start(const struct rspb_node *node)
{
	reporter.node = node;
	reporter.phase_ms = phase_of(node->name);
	if (pipe2(reporter.stop, O_CLOEXEC)) {
		slurm_error("rspb: the use of jobs is not reported: %s", strerror(errno));
		return;
	}
	reporter.watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (reporter.watch < 0 || watch_folder(RSPB_STATE_JOBS) < 0 ||
	    watch_folder(RSPB_STATE_ENDED) < 0 ||
	    pthread_create(&reporter.thread, NULL, report, NULL)) {
		slurm_error("rspb: the use of jobs is not reported: %s", strerror(errno));
		shut();
		return;
	}
	reporter.running = true;
}

void rspb_reporter_stop(void)
{
	if (!reporter.running)
		return;
	/* The byte stays in the pipe, so that it also ends a report that is being sent. */
	if (write(reporter.stop[1], "", 1) == 1)
		pthread_join(reporter.thread, NULL);
	reporter.running = false;
	shut();
}
