/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The socket's thread: woken by others until it is gone and beyond, and without a
 * descriptor for who calls. */
#include "plugins/ctld/serve/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/wire/credential.h"
#include "tests/races/races.h"

enum { STARTS = 200, CALLERS = 3, CPU_MOST_MS = 100, PAUSE_MS = 1000, FDS_MOST = 100 };

static atomic_bool over;
static uint16_t port;
static atomic_int listens;

struct rspb_slurm_conf rspb_slurm_conf(void)
{
	return (struct rspb_slurm_conf){ .missing = 0 };
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	listens += level == RSPB_LOG_INFO && strstr(fmt, "listens");
}

int64_t rspb_section_clock_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

const char *rspb_credential_socket(const char *info, char *path, size_t size)
{
	(void) info;
	(void) path;
	(void) size;
	return NULL;
}

char *rspb_credential_make(const char *socket, const char *data, size_t len, uid_t reader,
			   struct rspb_err *err)
{
	(void) socket;
	(void) data;
	(void) len;
	(void) reader;
	(void) err;
	return NULL;
}

int rspb_credential_open(const char *socket, const char *text, struct rspb_credential *out,
			 struct rspb_err *err)
{
	(void) socket;
	(void) text;
	(void) out;
	(void) err;
	return -1;
}

static char *asked(uint64_t line, uint32_t uid, const char *from, const char *text, size_t len)
{
	(void) line;
	(void) uid;
	(void) from;
	(void) text;
	(void) len;
	return NULL;
}

static int64_t woken(int64_t now_us)
{
	(void) now_us;
	return INT64_MAX;
}

static void ended(void)
{
}

static const struct rspb_server_use use = { asked, woken, ended };

static void start_and_stop(unsigned int part)
{
	struct rspb_err err;

	(void) part;
	for (int i = 0; i < STARTS; i++) {
		MUST(!rspb_server_start(&use, &err));
		rspb_server_stop();
	}
	over = true;
}

static void wake(unsigned int part)
{
	(void) part;
	while (!over)
		rspb_server_hand(NULL);
}

static void sleep_ms(long ms)
{
	const struct timespec pause = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&pause, NULL);
}

/* One that is free now. */
static uint16_t free_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	MUST(!bind(fd, (struct sockaddr *) &at, len));
	MUST(!getsockname(fd, (struct sockaddr *) &at, &len));
	close(fd);
	return ntohs(at.sin_port);
}

/* Take what is left, so that none is. RET how many in fds. */
static int take_all(int fds[FDS_MOST])
{
	struct rlimit few = { .rlim_cur = FDS_MOST, .rlim_max = FDS_MOST };
	int n = 0;

	MUST(!setrlimit(RLIMIT_NOFILE, &few));
	while (n < FDS_MOST && (fds[n] = dup(0)) >= 0)
		n++;
	MUST(errno == EMFILE);
	return n;
}

static int64_t cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

static uint64_t opened(void)
{
	struct rspb_server_counts counts;

	rspb_server_count(&counts);
	return counts.opened;
}

/* Who calls where nobody can be taken waits, and costs nothing. */
static void without_descriptors(void)
{
	struct rspb_config config = { .listen_port = port = free_port() };
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct rspb_err err;
	int fds[CALLERS], taken[FDS_MOST], i, n;
	int64_t began;

	strcpy(config.listen_address, "127.0.0.1");
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	MUST(!rspb_server_start(&use, &err));
	rspb_server_configure(&config);
	for (i = 0; i < 1000 && !listens; i++)
		sleep_ms(10);
	MUST(listens);
	for (i = 0; i < CALLERS; i++)
		fds[i] = socket(AF_INET, SOCK_STREAM, 0);
	n = take_all(taken);
	for (i = 0; i < CALLERS; i++)
		MUST(!connect(fds[i], (struct sockaddr *) &at, sizeof(at)));
	began = cpu_ms();
	sleep_ms(PAUSE_MS);
	if (cpu_ms() - began > CPU_MOST_MS) {
		fprintf(stderr, "%lld ms of CPU in a second of waiting\n",
			(long long) (cpu_ms() - began));
		exit(1);
	}
	while (n)
		close(taken[--n]);
	sleep_ms(PAUSE_MS);
	rspb_server_stop();
	MUST(opened() == CALLERS);
	for (i = 0; i < CALLERS; i++)
		close(fds[i]);
}

int main(void)
{
	without_descriptors();
	RACE(start_and_stop, wake, wake);
	return 0;
}
