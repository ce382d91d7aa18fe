/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program of the site with a text as its input and a time limit. */
#include "plugins/ctld/post/letters.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugins/ctld/base/section.h"

enum { LOOK_US = 5000, LOOK_MOST_US = 100000 };

/* RET a file in memory to read from; -1: none. Unlike a pipe it takes a text of any length
 * without a thread that feeds it. */
static int input_of(const char *text)
{
	int fd = memfd_create("rspb-letter", MFD_CLOEXEC);
	size_t length = strlen(text);

	if (fd >= 0 && (write(fd, text, length) != (ssize_t) length || lseek(fd, 0, SEEK_SET))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The program gets no file of slurmctld. glibc 2.34 and later close even descriptors without
 * FD_CLOEXEC. RET 0, or an error number and nothing to free. */
static int prepare_files(posix_spawn_file_actions_t *files, int input)
{
	int rc = posix_spawn_file_actions_init(files);

	if (rc)
		return rc;
	rc = posix_spawn_file_actions_adddup2(files, input, STDIN_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY,
						      0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, STDERR_FILENO);
#if __GLIBC_PREREQ(2, 34)
	if (!rc)
		rc = posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
#endif
#if __GLIBC_PREREQ(2, 29)
	if (!rc)
		rc = posix_spawn_file_actions_addchdir_np(files, "/");
#endif
	if (rc)
		posix_spawn_file_actions_destroy(files);
	return rc;
}

/* slurmctld's threads block signals, and slurmctld ignores some. The program gets the usual
 * state, and a process group of its own, so that its children can be killed with it. */
static int prepare_process(posix_spawnattr_t *process)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	sigdelset(&all, SIGKILL);
	sigdelset(&all, SIGSTOP);
	if (posix_spawnattr_init(process))
		return ENOMEM;
	posix_spawnattr_setsigmask(process, &none);
	posix_spawnattr_setsigdefault(process, &all);
	posix_spawnattr_setpgroup(process, 0);
	return posix_spawnattr_setflags(process, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
							 POSIX_SPAWN_SETPGROUP);
}

static int start(char *const argv[], char *const env[], int input, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t process;
	int rc = prepare_files(&files, input);

	if (rc)
		return rc;
	rc = prepare_process(&process);
	if (!rc) {
		rc = posix_spawn(pid, argv[0], &files, &process, argv, env);
		posix_spawnattr_destroy(&process);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

/* Wait with waitpid() for this child alone, since slurmctld has others. The status is polled,
 * so that the time limit and stop() are seen. RET 0, or -1 with err. */
static int wait_for(pid_t pid, const char *name, int seconds, bool (*stop)(void),
		    struct rspb_err *err)
{
	int64_t until = rspb_section_clock_us() + seconds * INT64_C(1000000);
	useconds_t pause = LOOK_US;
	int status = 0;
	pid_t got;

	while (!(got = waitpid(pid, &status, WNOHANG)) && rspb_section_clock_us() < until &&
	       !stop()) {
		usleep(pause);
		pause = pause * 2 < LOOK_MOST_US ? pause * 2 : LOOK_MOST_US;
	}
	if (got == pid && WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (got == pid && WIFEXITED(status))
		return rspb_fail(err, "%s: ended with status %d", name, WEXITSTATUS(status));
	if (got)
		return rspb_fail(err, "%s: ended by signal %d", name,
				 got == pid ? WTERMSIG(status) : 0);
	/* The child may have started others. All of its group go, and the child leaves no
	 * zombie. */
	kill(-pid, SIGKILL);
	waitpid(pid, &status, 0);
	return rspb_fail(err, "%s: did not end within %d s", name, seconds);
}

int rspb_program_run(char *const argv[], char *const env[], const char *input, int seconds,
		     bool (*stop)(void), struct rspb_err *err)
{
	int in = input_of(input), rc;
	pid_t pid;

	if (in < 0)
		return rspb_fail(err, "%s: %s", argv[0], strerror(errno));
	rc = start(argv, env, in, &pid);
	close(in);
	if (rc)
		return rspb_fail(err, "%s cannot be run: %s", argv[0], strerror(rc));
	return wait_for(pid, argv[0], seconds, stop, err);
}
