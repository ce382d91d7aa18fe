/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all threads tell the agent and count by: wakes, tasks, lengths. */
#include <stdatomic.h>
#include <string.h>

#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/base/wake.h"
#include "tests/races/races.h"

enum { POSTERS = 4, EACH = 2000 };

static struct rspb_lengths lengths;
static atomic_int sum;
/* Of the agent alone. */
static unsigned int heard;
static int ran, breathed;

/* What cannot wait, and what was cancelled before they were posted. */
void rspb_breathe(void)
{
	breathed++;
}

static void run(struct rspb_task *task, const struct rspb_config *config, int64_t now)
{
	(void) config;
	(void) now;
	ran++;
	free(task);
}

static void drop(struct rspb_task *task)
{
	free(task);
}

static void agent(void)
{
	while (!(heard & RSPB_WAKE_STOP)) {
		heard |= rspb_wake_wait(INT64_MAX);
		rspb_tasks_run(NULL, 0);
	}
}

static void post(unsigned int part)
{
	struct rspb_lengths_sum all;

	for (int i = 0; i < EACH; i++) {
		struct rspb_task *task = calloc(1, sizeof(*task));

		MUST(task);
		*task = (struct rspb_task){ .run = run, .drop = drop };
		rspb_task_post(task);
		rspb_wake_up(part % 2 ? RSPB_WAKE_SUBMIT : RSPB_WAKE_ENDED);
		rspb_lengths_add(&lengths, i);
		rspb_lengths_read(&lengths, &all);
		MUST(all.n && all.longest_us < EACH);
		sum++;
	}
}

/* Others are there before it, and wake it already. */
static void start(unsigned int part)
{
	struct rspb_err err;

	(void) part;
	while (!sum)
		;
	MUST(!rspb_wake_start(agent, &err));
}

int main(void)
{
	struct rspb_lengths_sum all;

	RACE(start, post, post, post, post);
	rspb_wake_stop();
	/* What came behind its last look. */
	rspb_tasks_run(NULL, 0);
	rspb_lengths_read(&lengths, &all);
	MUST(sum == POSTERS * EACH && ran == sum && all.n == (uint64_t) sum);
	MUST(breathed == ran);
	MUST(heard & RSPB_WAKE_SUBMIT && heard & RSPB_WAKE_ENDED);
	return 0;
}
