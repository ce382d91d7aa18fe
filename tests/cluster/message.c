/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A submission as no honest command sends one, of a job that may begin in an
 * hour: message [KEY=VALUE]...
 *
 *	spank=N:TEXT	N entries TEXT among the options of SPANK plugins; %d in
 *			TEXT becomes the number of the entry
 *	reservation=, features=, nodes=, gres=, comment=, account=	as sbatch
 *
 *	FIELD=	the field of that name of job_desc_msg_t, a number
 *
 * "fields" lists these fields. With update=ID first it is an update of that job, also of fields that no command sets;
 * of a job array or a heterogeneous job with ID as scontrol takes it. sweep=FIELD behind
 * it tries its lowest, its highest and other values, and ends with 0.
 *
 * Each value may be "xN:TEXT", which is TEXT N times, with commas between. Says
 * "job ID", or what slurmctld says, and ends with 1 then.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
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

/* The numbers of a message that are the same in all releases. */
#define NUMBER(field)                                                                              \
	{                                                                                          \
#field, offsetof(job_desc_msg_t, field), sizeof(((job_desc_msg_t *) 0)->field)     \
	}
static const struct {
	const char *key;
	size_t at, size;
} numbers[] = {
	NUMBER(begin_time),
	NUMBER(bitflags),
	NUMBER(boards_per_node),
	NUMBER(contiguous),
	NUMBER(core_spec),
	NUMBER(cores_per_socket),
	NUMBER(cpu_bind_type),
	NUMBER(cpu_freq_gov),
	NUMBER(cpu_freq_max),
	NUMBER(cpu_freq_min),
	NUMBER(cpus_per_task),
	NUMBER(deadline),
	NUMBER(delay_boot),
	NUMBER(end_time),
	NUMBER(het_job_offset),
	NUMBER(immediate),
	NUMBER(kill_on_node_fail),
	NUMBER(mail_type),
	NUMBER(max_cpus),
	NUMBER(max_nodes),
	NUMBER(mem_bind_type),
	NUMBER(min_cpus),
	NUMBER(min_nodes),
	NUMBER(nice),
	NUMBER(ntasks_per_board),
	NUMBER(ntasks_per_core),
	NUMBER(ntasks_per_node),
	NUMBER(ntasks_per_socket),
	NUMBER(ntasks_per_tres),
	NUMBER(num_tasks),
	NUMBER(open_mode),
	NUMBER(overcommit),
	NUMBER(plane_size),
	NUMBER(pn_min_cpus),
	NUMBER(pn_min_memory),
	NUMBER(pn_min_tmp_disk),
	NUMBER(priority),
	NUMBER(profile),
	NUMBER(reboot),
	NUMBER(req_switch),
	NUMBER(requeue),
	NUMBER(restart_cnt),
	NUMBER(shared),
	NUMBER(site_factor),
	NUMBER(sockets_per_board),
	NUMBER(sockets_per_node),
	NUMBER(task_dist),
	NUMBER(threads_per_core),
	NUMBER(time_limit),
	NUMBER(time_min),
	NUMBER(wait4switch),
	NUMBER(wait_all_nodes),
	NUMBER(warn_flags),
	NUMBER(warn_signal),
	NUMBER(warn_time),
	NUMBER(x11),
};

/* Write the lowest bytes of a value into the field that the first `key` bytes of a word
 * name; this is for machines with the lowest byte first. */
static void set_number(job_desc_msg_t *desc, const char *word, size_t key, uint64_t value)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!strncmp(numbers[i].key, word, key) && !numbers[i].key[key])
			memcpy((char *) desc + numbers[i].at, &value, numbers[i].size);
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
	size_t key = strcspn(word, "=");
	const char *value = word + key + 1;

	if (!strncmp(word, "spank=", 6))
		add_spank(desc, value);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!strncmp(fields[i].key, word, key) && !fields[i].key[key])
			*fields[i].field = *value == 'x' ? repeated(value + 1) : strdup(value);
	set_number(desc, word, key, strtoull(value, NULL, 0));
}

/* Change a job. RET the exit status. */
static int update(job_desc_msg_t *desc, char *id)
{
	job_array_resp_msg_t *answer = NULL;
	int status = 0;

	desc->job_id_str = id;
	desc->user_id = NO_VAL;
	desc->group_id = NO_VAL;
	if (slurm_update_job2(desc, &answer)) {
		printf("%s\n", slurm_strerror(errno));
		return 1;
	}
	for (uint32_t i = 0; answer && i < answer->job_array_count; i++)
		if (answer->error_code[i]) {
			printf("%s\n", slurm_strerror((int) answer->error_code[i]));
			status = 1;
		}
	return status;
}

/* Change one field of a job to each of these values, whatever Slurm says to that. */
static int sweep(char *id, const char *field)
{
	static const uint64_t values[] = {
		0,
		1,
		2,
		45,
		255,
		65520,
		65534,
		65535,
		100000,
		UINT32_C(1) << 31,
		UINT32_MAX - 1,
		UINT32_MAX,
		UINT64_MAX - 1,
		UINT64_MAX,
	};
	int taken = 0;

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		job_desc_msg_t desc;

		slurm_init_job_desc_msg(&desc);
		set_number(&desc, field, strlen(field), values[i]);
		taken += !update(&desc, id);
	}
	printf("%d are taken\n", taken);
	return 0;
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
	if (argc > 1 && !strcmp(argv[1], "fields")) {
		for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
			puts(numbers[i].key);
		return 0;
	}
	if (argc > 2 && !strncmp(argv[1], "update=", 7) && !strncmp(argv[2], "sweep=", 6))
		return sweep(argv[1] + 7, argv[2] + 6);
	if (argc > 1 && !strncmp(argv[1], "update=", 7)) {
		slurm_init_job_desc_msg(&desc);
		for (int i = 2; i < argc; i++)
			set(&desc, argv[i]);
		return update(&desc, argv[1] + 7);
	}
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
