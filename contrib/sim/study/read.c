/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a study: JSON lines, a workload each. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/hash.h"
#include "contrib/sim/report/contender.h"
#include "contrib/sim/study/study.h"

/* RET a text field; NULL: it is missing, or none, with err. */
static const char *text_of(const struct sim_record *record, const char *key, struct rspb_err *err)
{
	struct json_object *value = sim_need(record, key, err);

	if (value && !json_object_is_type(value, json_type_string)) {
		sim_bad(record, key, err, "%.60s is not a text", sim_text(value));
		return NULL;
	}
	return value ? json_object_get_string(value) : NULL;
}

static int add_word(struct study_workload *workload, char *word, struct rspb_err *err)
{
	if (!word)
		return rspb_fail(err, "out of memory");
	if (workload->n_words == STUDY_WORDS - 1) {
		free(word);
		return rspb_fail(err, "a workload has more than %d words", STUDY_WORDS - 1);
	}
	workload->words[workload->n_words++] = word;
	return 0;
}

/* {"umed":7} is umed=7 on a command line. */
static int add_params(struct study_workload *workload, const struct sim_record *record,
		      struct rspb_err *err)
{
	struct json_object *params = sim_get(record, "params");
	char text[160];

	if (!params)
		return 0;
	if (!json_object_is_type(params, json_type_object))
		return sim_bad(record, "params", err, "%.60s is not an object of names and numbers",
			       sim_text(params));
	json_object_object_foreach(params, key, value)
	{
		if (!json_object_is_type(value, json_type_int) &&
		    !json_object_is_type(value, json_type_double))
			return sim_bad(record, "params", err, "%.60s of %.40s is not a number",
				       sim_text(value), key);
		snprintf(text, sizeof(text), "%.60s=%.60s", key, sim_text(value));
		if (add_word(workload, strdup(text), err))
			return -1;
	}
	return 0;
}

int study_contents(const char *file, struct study_contents *contents, struct rspb_err *err)
{
	FILE *in = fopen(file, "re");
	char part[1 << 16];
	size_t got;
	bool bad;

	*contents = (struct study_contents){ RSPB_HASH_START, 0 };
	if (!in)
		return rspb_fail(err, "%s: %s", file, strerror(errno));
	while ((got = fread(part, 1, sizeof(part), in))) {
		contents->hash = rspb_hash(contents->hash, part, got);
		contents->size += got;
	}
	bad = ferror(in);
	fclose(in);
	return bad ? rspb_fail(err, "%s: cannot be read", file) : 0;
}

/* Note the file of a workload, its last word so far. RET 0 or -1 with err. */
static int add_file(struct study_workload *workload, const struct sim_record *record,
		    struct rspb_err *err)
{
	workload->file = workload->n_words - 1;
	return study_contents(workload->words[workload->file], &workload->contents, err)
		       ? sim_at(record, err)
		       : 0;
}

static int read_workload(struct study *study, const struct sim_record *record, struct rspb_err *err)
{
	static const char *const kinds[] = { "model", "trace", "sacct", "requests" };
	static const char *const options[] = { NULL, NULL, "--sacct", "--requests" };
	struct study_workload *workload = &study->workloads[study->n_workloads];
	int kind = -1;
	struct json_object *x = sim_get(record, "x");

	if (sim_only(record, "name model trace sacct requests params x", err))
		return -1;
	for (int i = 0; i < 4; i++) {
		if (!sim_has(record, kinds[i]))
			continue;
		if (kind >= 0)
			return sim_bad(record, kinds[i], err,
				       "a workload has one of model, trace, sacct and requests");
		kind = i;
	}
	if (kind < 0)
		return sim_bad(
			record, "model", err,
			"is missing; a workload has one of model, trace, sacct and requests");
	if (x && !json_object_is_type(x, json_type_int) &&
	    !json_object_is_type(x, json_type_double))
		return sim_bad(record, "x", err, "%.60s is not a number", sim_text(x));
	workload->x = x ? json_object_get_double(x) : NAN;
	workload->name = text_of(record, "name", err);
	if (!workload->name || !text_of(record, kinds[kind], err) ||
	    add_word(workload, strdup(kind ? "trace" : "model"), err) ||
	    (options[kind] && add_word(workload, strdup(options[kind]), err)) ||
	    add_word(workload, strdup(text_of(record, kinds[kind], err)), err))
		return -1;
	study->n_workloads++;
	if (kind && add_file(workload, record, err))
		return -1;
	for (size_t i = 0; i + 1 < study->n_workloads; i++)
		if (!strcmp(study->workloads[i].name, workload->name))
			return sim_bad(record, "name", err, "%.60s is already used",
				       workload->name);
	return add_params(workload, record, err);
}

/* Add the contents of one more file. RET 0 or -1 with err. */
static int add_contents(struct study_contents *contents, const char *file, struct rspb_err *err)
{
	struct study_contents more;

	if (study_contents(file, &more, err))
		return -1;
	contents->hash = rspb_hash(contents->hash ? contents->hash : RSPB_HASH_START, &more.hash,
				   sizeof(more.hash));
	contents->size += more.size;
	return 0;
}

/* Add the files among the words of a command. RET as above. */
static int add_command(struct study_contents *contents, const char *command, struct rspb_err *err)
{
	char *copy = strdup(command), *rest = copy, *word;
	struct stat about;
	int rc = copy ? 0 : rspb_fail(err, "out of memory");

	while (!rc && (word = strsep(&rest, " \t\n'\";|&<>")))
		if (*word && !stat(word, &about) && S_ISREG(about.st_mode))
			rc = add_contents(contents, word, err);
	free(copy);
	return rc;
}

/* Read a policy. RET 0 or -1 with err. */
static int read_policy(struct study *study, const char *text, struct rspb_err *err)
{
	struct study_policy *policy = &study->policies[study->n_presets];
	const char *command = strchr(text, '=');

	*policy = (struct study_policy){ .text = text, .program = command };
	study->presets[study->n_presets] = command ? strndup(text, (size_t) (command - text))
						   : strdup(text);
	if (!study->presets[study->n_presets])
		return rspb_fail(err, "out of memory");
	study->n_presets++;
	if (command)
		return add_command(&policy->contents, command + 1, err);
	return sim_contender_is_file(text) ? add_contents(&policy->contents, text, err) : 0;
}

/* Note what runs: this program, and the one for models beside it. RET 0 or -1 with err. */
static int read_build(struct study *study, struct rspb_err *err)
{
	struct study_contents contents = { 0, 0 };
	char path[1024];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 16);

	path[n > 0 ? n : 0] = '\0';
	if (add_contents(&contents, path, err))
		return -1;
	strcat(path, "-papers");
	if (!access(path, R_OK) && add_contents(&contents, path, err))
		return -1;
	study->build = contents.hash;
	return 0;
}

static int read_presets(struct study *study, struct rspb_err *err)
{
	const struct sim_record *config = &study->lines.config;
	struct json_object *list = sim_array(config, "presets", err), *one;
	size_t n = list ? json_object_array_length(list) : 0;

	if (!list)
		return -1;
	if (!n || n > SIM_PRESETS)
		return sim_bad(config, "presets", err,
			       "names %zu, allowed are "
			       "1 to %d",
			       n, SIM_PRESETS);
	while (study->n_presets < n) {
		one = json_object_array_get_idx(list, study->n_presets);
		if (!json_object_is_type(one, json_type_string))
			return sim_bad(config, "presets", err, "%.60s is not a name",
				       sim_text(one));
		if (read_policy(study, json_object_get_string(one), err))
			return sim_at(config, err);
		for (size_t i = 0; i + 1 < study->n_presets; i++)
			if (!strcmp(study->presets[i], study->presets[study->n_presets - 1]))
				return sim_bad(config, "presets", err, "%.60s is named twice",
					       study->presets[i]);
	}
	return 0;
}

int study_read(struct study *study, const char *file, struct rspb_err *err)
{
	const struct sim_record *config = &study->lines.config;
	int64_t seeds = 8;
	size_t length;

	study->file = file;
	study->seed = 1;
	study->x_label = "";
	if (sim_lines_slurp(file, &study->text, &length, err) ||
	    sim_lines_parse(&study->lines, study->text, length, file, err))
		return -1;
	if (!study->lines.n || study->lines.n > STUDY_WORKLOADS)
		return rspb_fail(err, "%s: has %zu workloads, allowed are 1 to %d", file,
				 study->lines.n, STUDY_WORKLOADS);
	if (sim_only(config, "type presets seeds seed x_label", err) ||
	    sim_int_or(config, "seeds", 1, 100000, &seeds, err) ||
	    sim_int_or(config, "seed", 0, INT64_MAX / 2, &study->seed, err) ||
	    read_presets(study, err) || read_build(study, err))
		return -1;
	study->seeds = (size_t) seeds;
	if (sim_has(config, "x_label") && !(study->x_label = text_of(config, "x_label", err)))
		return -1;
	for (size_t i = 0; i < study->lines.n; i++)
		if (read_workload(study, &study->lines.records[i], err))
			return -1;
	return 0;
}

void study_fini(struct study *study)
{
	for (size_t i = 0; i < STUDY_WORKLOADS; i++)
		for (int k = 0; k < study->workloads[i].n_words; k++)
			free(study->workloads[i].words[k]);
	if (study->lines.config.object)
		sim_lines_fini(&study->lines);
	for (size_t p = 0; p < study->n_presets; p++)
		free((char *) (uintptr_t) study->presets[p]);
	free(study->text);
	free(study->metrics);
	free(study->reused);
}
