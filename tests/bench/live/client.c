/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tests/bench/live/run asks of a slurmctld, quicker than commands could:
 *
 *	client book|plain|place|pick [KEY=VALUE]...
 *		book: requests for bookings; plain: ordinary jobs; place:
 *		reservations on nodes that are named; pick: reservations whose
 *		nodes Slurm picks, each with a job in it. Says how many and in
 *		how many ms.
 *	client probe seconds=S job=ID
 *		asks for one job all the time; says the median, the 99th
 *		percentile and the longest wait in ms.
 *	client files FOLDER
 *		the CPU that it takes to make a folder with two files in there,
 *		in ms, as slurmctld does for each job.
 *	client cpu PID
 *		the CPU that a process has taken so far, in ms; /proc says it in
 *		steps of 10.
 *
 * Keys: n, processes, seed, width (nodes of the cluster), from and span (starts
 * lie in [from, from + span)), step (instead: one every so many seconds), nodes
 * (sizes, log-uniform up to it), minutes (lengths up to it), slack (seconds
 * from the latest end on), user, first (a node: they want those from it on),
 * pause (ms between two), job (place: each with a job in it, too), cores (book:
 * up to so many tasks, log-uniform, which take as much of a node).
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

struct options {
	long n, processes, seed, width, from, span, step, nodes, minutes, slack, user, first, pause,
		seconds, job, cores;
};

static const struct {
	const char *key;
	size_t at;
} keys[] = {
#define KEY(name)                                                                                  \
	{                                                                                          \
#name, offsetof(struct options, name)                                              \
	}
	KEY(n),	    KEY(processes), KEY(seed),	  KEY(width), KEY(from), KEY(span),
	KEY(step),  KEY(nodes),	    KEY(minutes), KEY(slack), KEY(user), KEY(first),
	KEY(pause), KEY(seconds),   KEY(job),	  KEY(cores),
};

/* One of the things asked for. */
struct item {
	long number, start, nodes, minutes, first, cores;
};

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

static double draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double) (*state >> 11) / (double) (UINT64_C(1) << 53);
}

static struct item item_draw(const struct options *o, long i, uint64_t *state)
{
	struct item item = { .number = i };

	item.start = o->from + (long) (draw(state) * (double) o->span);
	if (o->step)
		item.start = o->from + i * o->step;
	item.nodes = (long) exp(draw(state) * log((double) o->nodes + 0.99));
	if (o->cores)
		item.cores = (long) exp(draw(state) * log((double) o->cores + 0.99));
	item.minutes = 1 + (long) (draw(state) * (double) o->minutes);
	item.first = o->first ? o->first + i % 64
			      : 1 + (long) (draw(state) * (double) (o->width - o->nodes));
	return item;
}

static void nodes_text(const struct item *item, char *buf, size_t size)
{
	snprintf(buf, size, "f[%ld-%ld]", item->first, item->first + item->nodes - 1);
}

static int submit(const struct options *o, const struct item *item, bool book,
		  const char *reservation)
{
	static char *environment[] = { "PATH=/bin:/usr/bin", NULL };
	static char *flags[] = { "_SLURM_SPANK_OPTION_rspb_book=" };
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t desc;
	char nodes[64];

	slurm_init_job_desc_msg(&desc);
	desc.user_id = (uid_t) o->user;
	desc.group_id = (gid_t) o->user;
	desc.name = "live";
	desc.script = "#!/bin/sh\nsleep 60\n";
	desc.work_dir = "/";
	desc.std_out = "/dev/null";
	desc.environment = environment;
	desc.env_size = 1;
	desc.time_limit = (uint32_t) item->minutes;
	desc.min_nodes = (uint32_t) item->nodes;
	desc.max_nodes = (uint32_t) item->nodes;
	if (item->cores) {
		desc.num_tasks = (uint32_t) item->cores;
		desc.min_cpus = (uint32_t) item->cores;
		desc.bitflags |= JOB_NTASKS_SET;
	}
	desc.begin_time = item->start;
	desc.reservation = (char *) reservation;
	if (book) {
		desc.spank_job_env = flags;
		desc.spank_job_env_size = 1;
		if (o->slack)
			desc.deadline = item->start + item->minutes * 60 + o->slack;
	}
	if (o->first && book) {
		nodes_text(item, nodes, sizeof(nodes));
		desc.req_nodes = nodes;
	}
	if (slurm_submit_batch_job(&desc, &answer))
		return -1;
	slurm_free_submit_response_response_msg(answer);
	return 0;
}

static int reserve(const struct item *item, bool pick)
{
	resv_desc_msg_t desc;
	char name[64], nodes[64], *made;

	slurm_init_resv_desc_msg(&desc);
	snprintf(name, sizeof(name), "%s%ld", pick ? "p" : "s", item->number);
	desc.name = name;
	desc.users = "root";
	desc.start_time = item->start;
	desc.end_time = item->start + item->minutes * 60;
	if (pick) {
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
		uint32_t count[] = { (uint32_t) item->nodes, 0 };

		desc.node_cnt = count;
		made = slurm_create_reservation(&desc);
		free(made);
		return made ? 0 : -1;
#else
		desc.node_cnt = (uint32_t) item->nodes;
#endif
	} else {
		desc.flags = RESERVE_FLAG_OVERLAP | RESERVE_FLAG_IGN_JOBS;
		nodes_text(item, nodes, sizeof(nodes));
		desc.node_list = nodes;
	}
	made = slurm_create_reservation(&desc);
	free(made);
	return made ? 0 : -1;
}

static int do_one(const char *what, const struct options *o, const struct item *item)
{
	bool pick = !strcmp(what, "pick");
	char name[64];

	if (!strcmp(what, "book"))
		return submit(o, item, true, NULL);
	if (!strcmp(what, "plain"))
		return submit(o, item, false, NULL);
	if (reserve(item, pick))
		return -1;
	if (!pick && !o->job)
		return 0;
	snprintf(name, sizeof(name), "%s%ld", pick ? "p" : "s", item->number);
	return submit(o, item, false, name);
}

/* RET how many went wrong. */
static int run_part(const char *what, const struct options *o, long part)
{
	uint64_t state = (uint64_t) o->seed * 1000003 + (uint64_t) part;
	int failed = 0;

	for (int i = 0; i < 8; i++)
		draw(&state);
	for (long i = part; i < o->n; i += o->processes) {
		struct item item = item_draw(o, i, &state);

		item.number += o->seed * 100000;
		if (do_one(what, o, &item) && failed++ < 3)
			fprintf(stderr, "%s: %s\n", what, slurm_strerror(errno));
		if (o->pause)
			usleep((useconds_t) o->pause * 1000);
	}
	return failed;
}

static int run_all(const char *what, const struct options *o)
{
	int64_t began = now_us();
	int failed = 0, status;

	for (long p = 0; p < o->processes; p++)
		if (!fork())
			_exit(run_part(what, o, p) ? 1 : 0);
	while (wait(&status) > 0)
		failed |= status;
	printf("%ld %.0f\n", o->n, (double) (now_us() - began) / 1000);
	return failed != 0;
}

static int compare(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static int probe(const struct options *o)
{
	enum { MOST = 100000 };
	int64_t end = now_us() + o->seconds * 1000000, *took;
	size_t n = 0;

	took = calloc(MOST, sizeof(*took));
	while (took && now_us() < end && n < MOST) {
		int64_t began = now_us();
		job_info_msg_t *jobs = NULL;

		if (!slurm_load_job(&jobs, (uint32_t) o->job, 0))
			slurm_free_job_info_msg(jobs);
		took[n++] = now_us() - began;
		usleep(10000);
	}
	if (!n)
		return 1;
	qsort(took, n, sizeof(*took), compare);
	printf("%.1f %.1f %.1f\n", (double) took[n / 2] / 1000, (double) took[n * 99 / 100] / 1000,
	       (double) took[n - 1] / 1000);
	free(took);
	return 0;
}

static int option_set(struct options *o, const char *word)
{
	size_t key = strcspn(word, "=");

	for (size_t i = 0; word[key] && i < sizeof(keys) / sizeof(*keys); i++)
		if (!strncmp(keys[i].key, word, key) && !keys[i].key[key]) {
			*(long *) ((char *) o + keys[i].at) = strtol(word + key + 1, NULL, 10);
			return 0;
		}
	fprintf(stderr, "client: no such option: %s\n", word);
	return -1;
}

static int cpu(const char *pid)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid((pid_t) atol(pid), &clock) || clock_gettime(clock, &used))
		return 1;
	printf("%.3f\n", (double) used.tv_sec * 1e3 + (double) used.tv_nsec / 1e6);
	return 0;
}

static int touch(const char *folder, const char *name)
{
	char path[4096];
	int file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
	return file < 0 ? -1 : close(file);
}

static int files(const char *where)
{
	enum { FOLDERS = 200 };
	struct timespec used;
	char folder[2048];

	for (int i = 0; i < FOLDERS; i++) {
		snprintf(folder, sizeof(folder), "%s/files.%d", where, i);
		if (mkdir(folder, 0700) || touch(folder, "script") ||
		    touch(folder, "environment")) {
			perror(folder);
			return 1;
		}
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	printf("%.2f\n", ((double) used.tv_sec * 1e3 + (double) used.tv_nsec / 1e6) / FOLDERS);
	return 0;
}

int main(int argc, char **argv)
{
	struct options o = { .n = 1,
			     .processes = 1,
			     .seed = 1,
			     .width = 1024,
			     .nodes = 1,
			     .minutes = 60,
			     .seconds = 1 };

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "cpu") && argc == 3)
		return cpu(argv[2]);
	if (!strcmp(argv[1], "files") && argc == 3)
		return files(argv[2]);
	slurm_init(NULL);
	for (int i = 2; i < argc; i++)
		if (option_set(&o, argv[i]))
			return 2;
	return strcmp(argv[1], "probe") ? run_all(argv[1], &o) : probe(&o);
}
