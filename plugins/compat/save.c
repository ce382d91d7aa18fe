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

#include "plugins/compat/release/saver.h"
#include "plugins/compat/slurm.h"

/*
 * Slurm's thread that saves state waits five seconds between two saves, with
 * one exception: told to end, it saves what is waiting, at once. So it is ended
 * and begun anew, as slurmctld itself does it; whoever saves is never two. Its
 * functions that save cannot be called beside it: the older copy of the two
 * could be written last.
 */
static void save(pthread_t *saver)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	int rc;

	schedule_job_save();
	schedule_resv_save();
	shutdown_state_save();
	rspb_release_saver_join(*saver);
	/* Slurm ends when it cannot have a thread. This one is worth waiting
	 * for: without it nothing would be saved any more. */
	while ((rc = rspb_release_saver_create(saver))) {
		error("rspb: the thread that saves state: %s", strerror(rc));
		nanosleep(&pause, NULL);
	}
}

/* Slurm puts a new file in the place of the old one, or leaves that. */
static bool job_state_file(struct stat *st)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/job_state",
			      slurm_conf.state_save_location);

	memset(st, 0, sizeof(*st));
	return length > 0 && (size_t) length < sizeof(path) && !stat(path, st);
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

bool rspb_save_now(void)
{
	pthread_t *saver = &slurmctld_config.thread_id_save;
	struct stat before, after;

	if (!*saver)
		return false;
	job_state_file(&before);
	save(saver);
	return job_state_file(&after) &&
	       (before.st_ino != after.st_ino ||
		before.st_mtim.tv_sec != after.st_mtim.tv_sec ||
		before.st_mtim.tv_nsec != after.st_mtim.tv_nsec);
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

int64_t rspb_save_left_at(void)
{
	int64_t at = time_in("job_state");

	return at ? at : time_in("job_state.old");
}
