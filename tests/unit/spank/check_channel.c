/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmd's socket for grants, with no descriptor left for who calls. */
#include "plugins/spank/node.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/runner.h"

/* As slurm/spank.h has them; this stands in for slurmd. */
void slurm_error(const char *fmt, ...);
void slurm_info(const char *fmt, ...);

enum { CPU_MOST_MS = 100, PAUSE_MS = 1000, FDS_MOST = 100 };

static atomic_int taken;

void slurm_error(const char *fmt, ...)
{
	(void) fmt;
}

void slurm_info(const char *fmt, ...)
{
	(void) fmt;
}

void rspb_reporter_start(const struct rspb_node *node)
{
	(void) node;
}

void rspb_reporter_stop(void)
{
}

int rspb_node_take(const struct rspb_node *node, uid_t user, uid_t peer, const void *data,
		   size_t len, struct rspb_err *err)
{
	(void) node;
	(void) user;
	(void) peer;
	(void) data;
	(void) len;
	taken++;
	return rspb_fail(err, "no grant");
}

static void sleep_ms(long ms)
{
	const struct timespec pause = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&pause, NULL);
}

static int64_t cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

START_TEST(without_descriptors)
{
	struct rlimit few = { FDS_MOST, FDS_MOST };
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fds[FDS_MOST], n = 0, client;
	struct rspb_node node = { .name = "n1", .dir = "check_channel.XXXXXX" };
	char folder[sizeof(node.dir) + 8];
	struct rspb_err err = { "" };
	int64_t began;

	ck_assert(mkdtemp(node.dir));
	snprintf(folder, sizeof(folder), "%s/n1", node.dir);
	ck_assert(!mkdir(folder, 0700));
	ck_assert_msg(!rspb_channel_open(&node, getuid(), true, &err), "%s", err.text);
	snprintf(at.sun_path, sizeof(at.sun_path), "%.60s/n1/%s", node.dir, RSPB_SHARE_SOCKET);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert(!setrlimit(RLIMIT_NOFILE, &few));
	while (n < FDS_MOST && (fds[n] = dup(0)) >= 0)
		n++;
	ck_assert_int_eq(errno, EMFILE);
	ck_assert(!connect(client, (struct sockaddr *) &at, sizeof(at)));
	ck_assert_int_eq(shutdown(client, SHUT_WR), 0);
	began = cpu_ms();
	sleep_ms(PAUSE_MS);
	ck_assert_int_lt(cpu_ms() - began, CPU_MOST_MS);
	ck_assert_int_eq(taken, 0);
	while (n)
		close(fds[--n]);
	for (int i = 0; i < 1000 && !taken; i++)
		sleep_ms(10);
	ck_assert_int_eq(taken, 1);
	rspb_channel_close();
	close(client);
	unlink(at.sun_path);
	rmdir(folder);
	rmdir(node.dir);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { without_descriptors };

	return suite_of("channel", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
