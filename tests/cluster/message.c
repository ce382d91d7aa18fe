/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A submission as no honest command sends one, of a job that may begin in an
 * hour: message [KEY=VALUE]...
 *
 *	spank=N:TEXT	N entries TEXT among the options of SPANK plugins; %d in
 *			TEXT becomes the number of the entry
 *	contiguous=, overcommit=, kill_on_node_fail=	numbers
 *	reservation=, features=, nodes=, gres=, comment=, account=	as sbatch
 *
 * Each value may be "xN:TEXT", which is TEXT N times, with commas between. Says
 * "job ID", or what slurmctld says, and ends with 1 then.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

/* "3:ab" as "ab,ab,ab". */
static char *repeated(const char *text)
{
	char *end, *out;
	size_t n = strtoul(text, &end, 10), len = strlen(end + 1);

	out = malloc(n * (len + 1) + 1);
	*out = '\0';
	for (size_t i = 0; i < n; i++) {
		memcpy(out + i * (len + 1), end + 1, len);
		out[i * (len + 1) + len] = i + 1 < n ? ',' : '\0';
	}
	return out;
}

/* "3:a%d" as the entries a0, a1 and a2. */
static void add_spank(job_desc_msg_t *desc, const char *value)
{
	char *text, entry[256];
	size_t n = strtoul(value, &text, 10);
	const char *mark = strstr(++text, "%d");
	int before = mark ? (int) (mark - text) : (int) strlen(text);

	desc->spank_job_env = calloc(n + 1, sizeof(char *));
	desc->spank_job_env_size = (uint32_t) n;
	for (size_t i = 0; i < n; i++) {
		int len = snprintf(entry, sizeof(entry), "%.*s", before, text);

		if (mark)
			snprintf(entry + len, sizeof(entry) - (size_t) len, "%zu%s", i, mark + 2);
		desc->spank_job_env[i] = strdup(entry);
	}
}

static void set(job_desc_msg_t *desc, const char *word)
{
	const struct {
		const char *key;
		char **field;
	} fields[] = {
		{ "reservation", &desc->reservation }, { "features", &desc->features },
		{ "nodes", &desc->req_nodes },	       { "gres", &desc->tres_per_node },
		{ "comment", &desc->comment },	       { "account", &desc->account },
	};
	const struct {
		const char *key;
		uint16_t *field;
	} numbers[] = {
		{ "contiguous", &desc->contiguous },
		{ "kill_on_node_fail", &desc->kill_on_node_fail },
	};
	size_t key = strcspn(word, "=");
	const char *value = word + key + 1;

	if (!strncmp(word, "spank=", 6))
		add_spank(desc, value);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!strncmp(fields[i].key, word, key) && !fields[i].key[key])
			*fields[i].field = *value == 'x' ? repeated(value + 1) : strdup(value);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!strncmp(numbers[i].key, word, key) && !numbers[i].key[key])
			*numbers[i].field = (uint16_t) atoi(value);
	if (!strncmp(word, "overcommit=", 11))
		desc->overcommit = (uint8_t) atoi(value);
}

int main(int argc, char **argv)
{
	char *environment[] = { "PATH=/bin:/usr/bin", NULL };
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t desc;

	slurm_init(NULL);
	slurm_init_job_desc_msg(&desc);
	desc.user_id = getuid();
	desc.group_id = getgid();
	desc.name = "message";
	desc.script = "#!/bin/sh\ntrue\n";
	desc.work_dir = "/";
	desc.std_out = "/dev/null";
	desc.environment = environment;
	desc.env_size = 1;
	desc.time_limit = 1;
	desc.begin_time = time(NULL) + 3600;
	for (int i = 1; i < argc; i++)
		set(&desc, argv[i]);
	if (slurm_submit_batch_job(&desc, &answer)) {
		printf("%s%s%s\n", slurm_strerror(errno), answer ? ": " : "",
		       answer && answer->job_submit_user_msg ? answer->job_submit_user_msg : "");
		return 1;
	}
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	printf("job %u\n", answer->step_id.job_id);
#else
	printf("job %u\n", answer->job_id);
#endif
	return 0;
}
