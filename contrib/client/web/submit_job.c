/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/web/submit_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/err.h"
#include "common/base/text.h"
#include "common/wire/flags.h"
#include "common/wire/json.h"

enum { FLAGS_MOST = 64, FIXED = 6, SAID = 2048 };

/* Options of Slurm that describe a request, beside the flags of rspb. None of them runs or reads a
 * file. */
static const char *const allowed[] = {
	"account",   "begin",	  "constraint",	     "cpus-per-task", "deadline",    "exclude",
	"exclusive", "gpus",	  "gpus-per-node",   "gpus-per-task", "gres",	     "job-name",
	"licenses",  "mail-type", "mail-user",	     "mem",	      "mem-per-cpu", "nodelist",
	"nodes",     "ntasks",	  "ntasks-per-node", "partition",     "qos",	     "time",
};

static const char hold_script[] = "#!/bin/sh\n"
				  "# Holds the nodes of this booking until its time limit.\n"
				  "exec sleep infinity\n";

extern char **environ;

json_object *rspb_web_refusal(const char *error, const char *text)
{
	json_object *answer = json_object_new_object();

	rspb_json_put_int(answer, "version", 1);
	rspb_json_put_bool(answer, "ok", false);
	rspb_json_put_text(answer, "error", error);
	rspb_json_put_text(answer, "text", text);
	return answer;
}

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char) *text < ' ' || *text == 127)
			return true;
	return false;
}

static int check_flag(const char *flag, struct rspb_err *err)
{
	size_t len = strcspn(flag, "=");
	const struct rspb_term *term;

	if (strncmp(flag, "--", 2) || len < 4)
		return rspb_fail(err, "%.80s: write --NAME or --NAME=VALUE", flag);
	if (has_control(flag))
		return rspb_fail(err, "%.*s: a control character is not allowed", (int) len, flag);
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		if (strlen(allowed[i]) == len - 2 && !strncmp(allowed[i], flag + 2, len - 2))
			return 0;
	term = rspb_term_find(flag + 2, len - 2);
	if (term && term->help && !strncmp(term->name, flag + 2, len - 2))
		return 0;
	return rspb_fail(err, "%.*s: this page does not pass that option on", (int) len, flag);
}

/* The words for sbatch; the strings stay with the question. RET 0, or -1 with err. */
struct words {
	const char *list[FLAGS_MOST + FIXED + 1];
	int n;
};

static int take_flags(struct words *words, json_object *question, struct rspb_err *err)
{
	json_object *flags = rspb_json_list(question, "flags");
	size_t n = flags ? json_object_array_length(flags) : 0;

	if (n > FLAGS_MOST)
		return rspb_fail(err, "flags: at most %d", FLAGS_MOST);
	words->list[words->n++] = "sbatch";
	for (size_t i = 0; i < n; i++) {
		json_object *one = json_object_array_get_idx(flags, i);
		const char *flag = json_object_get_string(one);

		if (!json_object_is_type(one, json_type_string) ||
		    strlen(flag) != (size_t) json_object_get_string_len(one))
			return rspb_fail(err, "flags: a list of texts");
		if (check_flag(flag, err))
			return -1;
		words->list[words->n++] = flag;
	}
	return 0;
}

/* --- what the user could have typed ------------------------------------------- */

static void put_word(FILE *out, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_.,:/=+@%-";

	if (*word && strspn(word, plain) == strlen(word)) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, '\0' }, out);
	fputc('\'', out);
}

static char *command_of(const struct words *words, const char *path, bool hold)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (int i = 0; i < words->n; i++) {
		fputs(i ? " " : "", out);
		put_word(out, words->list[i]);
	}
	fputc(' ', out);
	if (hold)
		fputs("--wrap 'sleep infinity'", out);
	else
		put_word(out, *path ? path : "job.sh");
	fclose(out);
	return text;
}

/* --- processes ------------------------------------------------------------------ */

static int file_of(const char *script)
{
	int fd = memfd_create("script", MFD_CLOEXEC);
	size_t size = strlen(script);

	if (fd >= 0 && (write(fd, script, size) != (ssize_t) size || lseek(fd, 0, SEEK_SET))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void read_all(int fd, char said[SAID])
{
	size_t len = 0;
	ssize_t n;
	char rest[256];

	while (len + 1 < SAID && (n = read(fd, said + len, SAID - 1 - len)) > 0)
		len += (size_t) n;
	said[len] = '\0';
	while (read(fd, rest, sizeof(rest)) > 0)
		;
}

/* Run a command with that as its input (-1: none). RET its status, with what it
 * said; 127: it cannot be run. */
static int run(const char *const *argv, int input, char said[SAID])
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none;
	int ends[2], status, rc;
	pid_t pid;

	snprintf(said, SAID, "%s cannot be run", argv[0]);
	if (pipe2(ends, O_CLOEXEC))
		return 127;
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&how);
	sigemptyset(&none);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
	if (input >= 0)
		posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	else
		posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
	rc = posix_spawnp(&pid, argv[0], &files, &how, (char *const *) argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	close(ends[1]);
	if (!rc)
		read_all(ends[0], said);
	close(ends[0]);
	if (rc || waitpid(pid, &status, 0) < 0)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* RET a number that stands on a line of its own, 0: none. */
static int64_t job_in(const char *said)
{
	int64_t job;

	while (*said) {
		size_t len = strcspn(said, ";\n");

		if (!rspb_text_whole(said, len, 1, UINT32_MAX, &job, NULL))
			return job;
		said += strcspn(said, "\n");
		said += *said == '\n';
	}
	return 0;
}

static json_object *submit(struct words *words, const char *script, const char *path,
			   const char *command)
{
	int input = *path ? -1 : file_of(script);
	json_object *answer;
	char said[SAID], folder[1024];
	const char *home = getenv("HOME");
	int rc;

	snprintf(folder, sizeof(folder), "--chdir=%s", home && *home ? home : "/");
	words->list[words->n++] = "--parsable";
	words->list[words->n++] = "--export=NONE";
	words->list[words->n++] = folder;
	if (*path)
		words->list[words->n++] = path;
	words->list[words->n] = NULL;
	rc = run(words->list, input, said);
	if (input >= 0)
		close(input);
	if (rc)
		return rspb_web_refusal("no", said);
	answer = json_object_new_object();
	rspb_json_put_int(answer, "version", 1);
	rspb_json_put_bool(answer, "ok", true);
	rspb_json_put_int(answer, "job", job_in(said));
	rspb_json_put_text(answer, "text", said);
	rspb_json_put_text(answer, "command", command);
	return answer;
}

json_object *rspb_submit_job(json_object *question)
{
	const char *script = rspb_json_text(question, "script");
	const char *path = rspb_json_text(question, "path");
	bool hold = rspb_json_bool(question, "hold_nodes"), dry = rspb_json_bool(question, "dry");
	struct words words = { .n = 0 };
	json_object *answer;
	struct rspb_err err;
	char *command;

	if (take_flags(&words, question, &err))
		return rspb_web_refusal("bad-request", err.text);
	if (*path && (*path != '/' || has_control(path)))
		return rspb_web_refusal("bad-request", "path: write a whole path, from /");
	if (!dry && !!*script + !!*path + hold != 1)
		return rspb_web_refusal("bad-request", "give one of script, path and hold_nodes");
	command = command_of(&words, path, hold);
	if (!command)
		return rspb_web_refusal("no", "out of memory");
	if (dry) {
		answer = json_object_new_object();
		rspb_json_put_int(answer, "version", 1);
		rspb_json_put_bool(answer, "ok", true);
		rspb_json_put_text(answer, "command", command);
	} else {
		answer = submit(&words, hold ? hold_script : script, path, command);
	}
	free(command);
	return answer;
}

/* Run a command of Slurm's whose last word is the number of the question's job. */
static json_object *act_on_job(json_object *question, const char *program, const char *verb,
			       const char *done)
{
	int64_t job = rspb_json_int(question, "job");
	char number[24], said[SAID];
	const char *argv[] = { program, verb ? verb : number, verb ? number : NULL, NULL };
	json_object *answer;

	if (job < 1 || job > UINT32_MAX)
		return rspb_web_refusal("bad-request", "job: a number is missing");
	snprintf(number, sizeof(number), "%" PRId64, job);
	if (run(argv, -1, said))
		return rspb_web_refusal("no", said);
	answer = json_object_new_object();
	rspb_json_put_int(answer, "version", 1);
	rspb_json_put_bool(answer, "ok", true);
	rspb_json_put_text(answer, "text", done);
	return answer;
}

json_object *rspb_cancel_job(json_object *question)
{
	return act_on_job(question, "scancel", NULL, "the job was cancelled");
}

json_object *rspb_release_job(json_object *question)
{
	return act_on_job(question, "scontrol", "release", "the job waits as a regular job");
}

static const char *name_of_user(void)
{
	const struct passwd *entry = getpwuid(geteuid());

	return entry ? entry->pw_name : "";
}

json_object *rspb_web_accounts(void)
{
	char user[64], said[SAID], *rest, *name;
	const char *argv[] = {
		"sacctmgr", "-n", "-P", "show", "assoc", user, "format=account", NULL
	};
	json_object *list = json_object_new_array();

	snprintf(user, sizeof(user), "user=%s", name_of_user());
	if (run(argv, -1, said))
		return list;
	for (name = strtok_r(said, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest)) {
		bool known = false;

		for (size_t i = 0; i < json_object_array_length(list); i++)
			known |= !strcmp(name, json_object_get_string(
						       json_object_array_get_idx(list, i)));
		if (!known && *name)
			json_object_array_add(list, json_object_new_string(name));
	}
	return list;
}
