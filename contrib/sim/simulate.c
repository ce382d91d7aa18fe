/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "common/conf/config.h"
#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/replay/failures.h"
#include "contrib/sim/replay/random.h"
#include "contrib/sim/replay/requests.h"
#include "contrib/sim/replay/slack.h"
#include "contrib/sim/replay/trace.h"
#include "contrib/sim/replay/worth.h"
#include "contrib/sim/report/simulate.h"

/* A trace, to whose jobs slack and worth are added. */
struct source {
	struct sim_source common;
	struct sim_trace trace;
	const char *file;
	uint32_t nodes;	    /* 0: as the trace says */
	uint32_t cpus;	    /* the same, where its jobs are counted in CPUs */
	struct sim_fat fat; /* of each node; cores 0: nodes are given whole */
	size_t limit;	    /* jobs, 0: all */
	struct sim_slack slack;
	struct sim_worth worth;
	double book;	     /* so many of 100 jobs book, the others are regular ones */
	int real;	     /* jobs end when they did: 1, 0; -1: in a rehearsal */
	double mtbf, repair; /* of each node, hours; mtbf 0: none fails */
	bool labelled;	     /* users, accounts and so on count, for rules */
};

/* Worth and prices are drawn by themselves, so that what else there is is the same with
 * and without. */
#define WORTH_SEED UINT64_C(0x776f727468)
#define PRICE_SEED UINT64_C(0x7072696365)
#define BOOK_SEED  UINT64_C(0x626f6f6b)
#define FAIL_SEED  UINT64_C(0x6661696c)

enum { MB_OF_GB = 1024 };

/* Machines of which shares can be had. RET 0 or -1 with err. */
static int open_machines(struct sim_workload *workload, struct rspb_err *err)
{
	workload->capacity = calloc(workload->nodes, sizeof(*workload->capacity));
	if (!workload->capacity)
		return rspb_fail(err, "out of memory");
	for (uint32_t i = 0; i < workload->nodes; i++)
		workload->capacity[i] = RSPB_SHARE_WHOLE;
	return 0;
}

/* A job as the part of nodes that it is. RET 0 or -1 with err. */
static int add_part(const struct source *source, const struct sim_trace_job *job,
		    struct sim_job *added, struct sim_workload *workload, struct rspb_err *err)
{
	struct sim_need need = sim_fat_need(&source->fat, job);

	added->nodes = need.nodes;
	if (added->request)
		added->request->parts[0].nodes = added->request->parts[0].nodes_min = added->nodes;
	return sim_workload_add_sized(workload, added, &need.each, err);
}

/* Say whose request it is. RET 0 or -1 with err. */
static int label(const struct source *source, const struct sim_trace_job *job,
		 struct sim_job *added, uint64_t id, struct rspb_err *err)
{
	const struct sim_trace *trace = &source->trace;

	if (!source->labelled)
		return 0;
	if (!added->request)
		added->request = sim_job_request(added, id);
	if (!added->request)
		return rspb_fail(err, "out of memory");
	added->request->user = job->user ? job->user : RSPB_USER_NONE;
	rspb_request_label(added->request, sim_trace_name_of(trace, job->account),
			   sim_trace_name_of(trace, job->qos),
			   sim_trace_name_of(trace, job->partition));
	return 0;
}

/* RET whether this is a rehearsal of what a site would have. */
static bool is_rehearsal(const struct source *source)
{
	return source->labelled || source->book < 100 || source->mtbf > 0 ||
	       source->common.options.failures;
}

static bool is_real(const struct source *source)
{
	return source->real < 0 ? is_rehearsal(source) : source->real > 0;
}

/* Let nodes fail. RET 0 or -1 with err. */
static int add_failures(const struct source *source, uint64_t seed, struct sim_workload *workload,
			struct rspb_err *err)
{
	const char *file = source->common.options.failures;
	const double hour = 3600;
	int rc = 0;

	if (file)
		rc = sim_failures_read(file, workload, err);
	else if (source->mtbf > 0)
		rc = sim_failures_draw(seed ^ FAIL_SEED, source->mtbf * hour, source->repair * hour,
				       workload, err);
	workload->beside = source->book < 100 || file || source->mtbf > 0;
	workload->real = is_real(source);
	return rc;
}

static int trace_workload(const void *arg, uint64_t seed, struct sim_workload *workload,
			  struct rspb_err *err)
{
	const struct source *source = arg;
	struct sim_random random, worth, price, book;
	size_t n = source->trace.n;

	if (source->common.options.requests)
		return sim_requests_read(source->file, source->limit, workload, err) ||
				       (source->common.options.failures &&
					add_failures(source, seed, workload, err))
			       ? -1
			       : 0;
	sim_random_seed(&random, seed);
	sim_random_seed(&worth, seed ^ WORTH_SEED);
	sim_random_seed(&price, seed ^ PRICE_SEED);
	sim_random_seed(&book, seed ^ BOOK_SEED);
	workload->nodes = source->trace.nodes;
	if (source->fat.cores && sim_fat_open(&source->fat, &source->trace, workload, err))
		return -1;
	if (source->worth.shares > 0 && open_machines(workload, err))
		return -1;
	if (source->limit && source->limit < n)
		n = source->limit;
	for (size_t i = 0; i < n; i++) {
		const struct sim_trace_job *job = &source->trace.jobs[i];
		struct sim_job added = { .arrival = job->submit,
					 .duration = job->duration,
					 .nodes = job->nodes,
					 .ran = is_real(source) ? job->ran : 0 };

		added.regular = sim_random_uniform(&book, 0, 100) >= source->book;
		sim_slack_apply(&random, &source->slack, job->submit, job->duration, &added.ready,
				&added.deadline);
		if (sim_worth_any(&source->worth)) {
			added.request = sim_worth_draw(&worth, &source->worth, &added, i + 1, err);
			if (!added.request)
				return -1;
			if (source->worth.price > 0)
				added.request->price = sim_worth_price(&price, source->worth.price);
		}
		if (!added.regular && label(source, job, &added, i + 1, err))
			return -1;
		if (source->fat.cores ? add_part(source, job, &added, workload, err)
				      : sim_workload_add(workload, &added, err))
			return -1;
	}
	return add_failures(source, seed, workload, err);
}

static int run_trace(size_t i, struct sim_metrics *metrics, void *arg, struct rspb_err *err)
{
	const struct source *source = arg;
	const struct sim_options *options = &source->common.options;
	struct sim_workload workload = { .n = 0 };
	size_t p = i / options->runs;
	int rc;

	sim_run_setup(&source->common, p, &workload.setup);
	workload.setup.config = source->common.contenders[p].config;
	workload.setup.began = source->trace.began;
	rc = trace_workload(source, options->seed + i % options->runs, &workload, err);
	if (!rc)
		rc = sim_replay_measure(&workload, &source->common.contenders[p].policy, metrics,
					err);
	sim_workload_fini(&workload);
	return rc;
}

/* "nodes=1024" and the like, for a trace. */
static int trace_setting(struct source *source, const char *text, struct rspb_err *err)
{
	static const struct sim_param rows[] = {
		{ "nodes", 0, 1, 1e8, "" },
		{ "limit", 0, 1, 1e9, "" },
		{ "artime", 0, 0, 1000, "" },
		{ "deadline", 0, 0, 1000, "" },
		{ "cpus", 0, 1, 1e8, "" },
		{ "priority", 0, 0, 1e6, "" },
		{ "soft", 0, 0, 100, "" },
		{ "shares", 0, 0, 100, "" },
		{ "timely", 0, 0, 100, "" },
		{ "cores", 0, 1, 1e6, "" },
		{ "mem", 0, 0, 1e6, "" },
		{ "gpus", 0, 0, 1e6, "" },
		{ "price", 0, 1, SIM_PRICE_MOST, "" },
		{ "book", 0, 0, 100, "" },
		{ "real", 0, 0, 1, "" },
		{ "mtbf", 0, 0, 1e9, "" },
		{ "repair", 0, 0, 1e6, "" },
		{ .name = NULL },
	};
	struct sim_params params = {
		.value = { source->nodes, (double) source->limit, source->slack.artime,
			   source->slack.deadline, source->cpus, source->worth.priority,
			   source->worth.soft, source->worth.shares, source->worth.timely,
			   source->fat.cores, source->fat.memory / (double) MB_OF_GB,
			   source->fat.gpus, source->worth.price, source->book, source->real,
			   source->mtbf, source->repair }
	};

	if (sim_params_set("trace", rows, &params, text, err))
		return -1;
	source->nodes = (uint32_t) params.value[0];
	source->limit = (size_t) params.value[1];
	source->slack.artime = params.value[2];
	source->slack.deadline = params.value[3];
	source->cpus = (uint32_t) params.value[4];
	source->worth = (struct sim_worth){ params.value[5], params.value[6], params.value[7],
					    params.value[8], params.value[12] };
	source->fat = (struct sim_fat){ (uint32_t) params.value[9],
					(uint32_t) (params.value[10] * MB_OF_GB),
					(uint32_t) params.value[11] };
	source->book = params.value[13];
	source->real = (int) params.value[14];
	source->mtbf = params.value[15];
	source->repair = params.value[16];
	return 0;
}

static void trace_usage(FILE *out)
{
	fputs("usage: rspb-sim trace FILE.swf[.gz] [NAME=VALUE ...] "
	      "[OPTION ...]\n"
	      "       rspb-sim trace --sacct FILE[.gz] [NAME=VALUE ...] "
	      "[OPTION ...]\n"
	      "       rspb-sim trace --requests FILE [limit=N] [OPTION ...]\n\n",
	      out);
	sim_options_help(SIM_TRACE, out);
	fputs("  nodes=N     number of nodes (default: as the file says)\n"
	      "  cpus=N      --sacct: number of CPUs of the machine; jobs share nodes, and their\n"
	      "              sizes are CPUs\n"
	      "  cores=N     processors of each node; jobs share nodes\n"
	      "  mem=N       memory of each node in GB (default: memory is not counted)\n"
	      "  gpus=N      GPUs of each node (default: GPUs are not counted)\n"
	      "  limit=N     read only the first N jobs (default: all)\n"
	      "  artime=F    ready up to F durations after the submission (3)\n"
	      "  deadline=F  deadline up to F durations after the earliest possible end (3)\n"
	      "  priority=N  priorities are 1 to N, equally frequent (1)\n"
	      "  soft=P      percentage of jobs with a benefit function (0)\n"
	      "  shares=P    percentage of jobs that ask for 10 to 90 % of each node (0)\n"
	      "  price=P     each job pays between 100 and P % of the usual price (100)\n"
	      "  book=P      percentage of jobs that ask for a booking; the others are regular\n"
	      "              jobs with backfilling (100)\n"
	      "  real=0|1    1: jobs end when they did in the trace; 0: each lasts as long as its\n"
	      "              limit (1 with book, failures or a file of settings, otherwise 0)\n"
	      "  mtbf=H      each node fails after H hours on average (0: never)\n"
	      "  repair=H    a failed node returns after H hours on average (4)\n"
	      "  timely=P    percentage of jobs for which a later start is worth less (0)\n",
	      out);
	sim_options_help_presets(out);
}

/* RET 0, or -1 with err: what does not go together. */
static int check_settings(const struct source *source, struct rspb_err *err)
{
	if (source->cpus && !source->common.options.sacct)
		return rspb_fail(err,
				 "cpus=%u is for --sacct; the sizes in a "
				 "FILE.swf are processors, and nodes=N is "
				 "their number",
				 source->cpus);
	if (source->cpus && source->nodes)
		return rspb_fail(err, "nodes=%u and cpus=%u exclude each other", source->nodes,
				 source->cpus);
	if (source->cpus && source->fat.cores)
		return rspb_fail(
			err, "cpus=%u and cores=%u exclude each other; use nodes=N with cores=N",
			source->cpus, source->fat.cores);
	if (source->book < 100 && (source->fat.cores || source->worth.shares > 0))
		return rspb_fail(err, "book=%g is for whole nodes: leave out cores and shares",
				 source->book);
	if (source->common.options.failures && source->mtbf > 0)
		return rspb_fail(err, "--failures and mtbf=%g exclude each other", source->mtbf);
	if (source->fat.cores && source->worth.shares > 0)
		return rspb_fail(err,
				 "shares=%g and cores=%u exclude each other: "
				 "jobs share either time or cores",
				 source->worth.shares, source->fat.cores);
	if (!source->fat.cores && (source->fat.memory || source->fat.gpus))
		return rspb_fail(err, "mem and gpus need cores=N");
	if (source->fat.cores && source->nodes > UINT32_MAX / source->fat.cores)
		return rspb_fail(err, "nodes=%u with cores=%u: too many processors", source->nodes,
				 source->fat.cores);
	return 0;
}

static int read_trace(struct source *source, const char *path, struct rspb_err *err)
{
	enum sim_trace_format format = SIM_TRACE_SWF;
	uint32_t cores = source->fat.cores ? source->fat.cores : 1;

	if (check_settings(source, err))
		return -1;
	if (source->common.options.sacct)
		format = source->cpus || source->fat.cores ? SIM_TRACE_SACCT_CPUS : SIM_TRACE_SACCT;
	if (sim_trace_read(&source->trace, path, format,
			   source->cpus ? source->cpus : source->nodes * cores, cores, err))
		return -1;
	if (source->fat.cores && sim_fat_fit(&source->fat, &source->trace, path, err))
		return -1;
	if (!source->common.options.quiet)
		sim_trace_report(&source->trace, path, stderr);
	return 0;
}

/* Lines that say all of a request leave nothing to be set. */
static int check_requests(const struct sim_options *options, struct rspb_err *err)
{
	if (options->sacct)
		return rspb_fail(err, "--sacct and --requests exclude each "
				      "other");
	for (size_t i = 0; i < options->n_left; i++)
		if (strncmp(options->left[i], "limit=", 6))
			return rspb_fail(err,
					 "\"%.60s\": with --requests only limit=N "
					 "is allowed",
					 options->left[i]);
	return 0;
}

/* Find a user whom a rule names in the trace. */
static bool find_user(const char *name, uint32_t *uid, void *arg)
{
	const struct sim_trace *trace = arg;

	for (uint32_t i = 0; i < trace->n_names; i++)
		if (!strcmp(trace->names[i], name)) {
			*uid = i + 1;
			return true;
		}
	return false;
}

static void name_users(struct source *source)
{
	for (size_t p = 0; p < source->common.options.n_presets; p++)
		if (source->common.contenders[p].config)
			rspb_rules_users(source->common.contenders[p].config, find_user,
					 &source->trace);
}

/* RET whether limits apply to a policy that would leave its nodes open until the start. */
static bool needs_nodes(const struct source *source)
{
	for (size_t p = 0; p < source->common.options.n_presets; p++) {
		const struct sim_contender *contender = &source->common.contenders[p];

		if (contender->config && contender->policy.patience && !contender->policy.shift)
			return true;
	}
	return false;
}

/* Say what the jobs are taken for. */
static void tell_rehearsal(const struct source *source)
{
	size_t known = 0, users = 0, n = source->trace.n;

	if (source->limit && source->limit < n)
		n = source->limit;
	for (size_t i = 0; i < n; i++) {
		known += source->trace.jobs[i].ran > 0;
		users += source->trace.jobs[i].user > 0;
	}
	if (source->book < 100)
		fprintf(stderr,
			"rspb-sim: %g of 100 jobs ask for a booking, the others are regular "
			"jobs with backfilling (book=%g)\n",
			source->book, source->book);
	else
		fprintf(stderr,
			"rspb-sim: all jobs ask for a booking (book=100; with book=P the others "
			"are regular jobs with backfilling)\n");
	if (is_real(source))
		fprintf(stderr,
			"rspb-sim: jobs end when they did, %zu of %zu before their limits "
			"(real=1)\n",
			known, n);
	else
		fprintf(stderr, "rspb-sim: each job lasts as long as its limit (real=0)\n");
	if (needs_nodes(source))
		fprintf(stderr,
			"rspb-sim: flex in a file of settings gives nodes at the decision, since "
			"limits count them; --preset flex gives them at the start\n");
	if (source->labelled && users < n)
		fprintf(stderr,
			"rspb-sim: limits of users apply to the %zu of %zu jobs with a "
			"user in the file\n",
			users, n);
}

static int prepare_trace(struct source *source, struct rspb_err *err)
{
	struct sim_options *options = &source->common.options;
	const char *file = options->requests ? options->requests : options->sacct;
	size_t i = file ? 0 : 1;

	source->slack = (struct sim_slack){ 3, 3 };
	source->book = 100;
	source->real = -1;
	source->repair = 4;
	if (!file && !options->n_left)
		return rspb_fail(err, "trace: name a file: FILE.swf, FILE.swf.gz, "
				      "--sacct FILE or --requests FILE");
	source->file = file ? file : options->left[0];
	if (options->requests && check_requests(options, err))
		return -1;
	for (; i < options->n_left; i++)
		if (trace_setting(source, options->left[i], err))
			return -1;
	if (sim_choose_presets(&source->common, "li-pe-worst", sim_preset_known, err))
		return -1;
	for (size_t p = 0; p < options->n_presets; p++)
		source->labelled |= source->common.contenders[p].config != NULL;
	if (options->requests)
		return 0;
	if (read_trace(source, source->file, err))
		return -1;
	name_users(source);
	if (!options->quiet)
		tell_rehearsal(source);
	return 0;
}

int sim_trace_main(int argc, char **argv)
{
	static struct source source;
	struct rspb_err err = { "" };
	int rc = sim_options_parse(&source.common.options, SIM_TRACE, argc, argv, &err);

	if (!rc && source.common.options.help) {
		trace_usage(stdout);
		sim_source_fini(&source.common);
		return SIM_OK;
	}
	if (!rc)
		rc = prepare_trace(&source, &err);
	if (!rc)
		rc = sim_open_schedule(&source.common, true, &err);
	if (!rc && sim_exports(&source.common))
		rc = sim_export(&source.common, trace_workload, &source, &err);
	else if (!rc)
		rc = sim_simulate(&source.common, source.file, run_trace, &source, &err);
	sim_close_schedule(&source.common);
	sim_trace_fini(&source.trace);
	sim_source_fini(&source.common);
	return rc ? sim_complain(&err) : SIM_OK;
}
