/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/beyond/clusters.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/text.h"
#include "contrib/client/beyond/sites.h"
#include "contrib/client/output.h"
#include "contrib/client/wish.h"

enum { TRIES = 40 }; /* plans that are tried before it is given up */

struct broker {
	const struct rspb_command *command;
	struct rspb_other others[RSPB_PLAN_SITES];
	uint32_t n_sites, n_parts;
	struct {
		char **words; /* of the command's */
		int n;
		struct rspb_other_job jobs[RSPB_PLAN_SITES];
	} parts[RSPB_PLAN_PARTS];
	/* A part that a site has refused at a start, until the plans are through. */
	struct refusal {
		uint32_t part, site;
		int64_t start;
	} refused[TRIES];
	size_t n_refused;
	int64_t hold, until;
	bool ask; /* before it is accepted */
};

static volatile sig_atomic_t ended; /* somebody wants this to end */

static void end(int number)
{
	ended = number;
}

bool rspb_clusters_are(const struct rspb_command *command)
{
	for (int i = 1; i < command->argc; i++)
		if (!strcmp(command->argv[i], "--clusters") ||
		    !strncmp(command->argv[i], "--clusters=", 11))
			return true;
	return false;
}

/* --- what was typed ---------------------------------------------------------- */

static int take_site(struct broker *broker, const char *name, struct rspb_err *err)
{
	struct rspb_other *other = &broker->others[broker->n_sites];

	if (broker->n_sites == RSPB_PLAN_SITES)
		return rspb_fail(err, "--clusters: has more than %d clusters", RSPB_PLAN_SITES);
	other->name = strdup(name);
	broker->n_sites++;
	return other->name ? rspb_other_init(other, err) : rspb_fail(err, "out of memory");
}

/* RET whether a cluster of slurmdbd is of a class: one of its features, or its
 * classification. NULL: of any. */
static bool is_of_class(const char *class, const char *features, const char *classification)
{
	return !class || rspb_text_listed(features, class) || !strcasecmp(classification, class);
}

/* Add the clusters that slurmdbd knows and that are registered there, of a class (NULL: of
 * any). RET 0 or -1 with err. */
static int find_sites(struct broker *broker, const char *class, struct rspb_err *err)
{
	FILE *from = popen("exec sacctmgr --noheader --parsable2 list clusters "
			   "format=Cluster,ControlHost,Features,Classification 2>&1",
			   "r");
	char line[4096], said[160] = "";
	int rc = 0, status;

	if (!from)
		return rspb_fail(err, "sacctmgr cannot be run");
	while (fgets(line, sizeof(line), from)) {
		char *rest = line, *field[4] = { NULL };

		line[strcspn(line, "\n")] = '\0';
		if (!said[0])
			snprintf(said, sizeof(said), "%.150s", line);
		for (int i = 0; i < 4; i++)
			field[i] = strsep(&rest, "|");
		if (!rc && field[3] && field[0][0] && field[1][0] &&
		    is_of_class(class, field[2], field[3]))
			rc = take_site(broker, field[0], err);
	}
	status = pclose(from);
	if (rc)
		return -1;
	if (status)
		return rspb_fail(err, "--clusters: sacctmgr lists no clusters: %s", said);
	if (!broker->n_sites)
		return rspb_fail(err, "--clusters: slurmdbd knows no cluster%s%.60s that is up",
				 class ? " of class " : "", class ? class : "");
	return 0;
}

static int take_sites(struct broker *broker, char *list, struct rspb_err *err)
{
	char *at = NULL;

	if (*list == '@')
		return find_sites(broker, list + 1, err);
	for (char *name = strtok_r(list, ",", &at); name; name = strtok_r(NULL, ",", &at))
		if (take_site(broker, name, err))
			return -1;
	return broker->n_sites ? 0
			       : rspb_fail(err, "--clusters: the list is empty; give names from "
						"slurmdbd, paths of slurm.conf files, or @CLASS");
}

/* RET 1: it is one of ours; 0: it is sbatch's; -1 with err. */
static int take_own(struct broker *broker, char *word, struct rspb_err *err)
{
	if (!strcmp(word, "--clusters"))
		return find_sites(broker, NULL, err) ? -1 : 1;
	if (!strncmp(word, "--clusters=", 11))
		return take_sites(broker, word + 11, err) ? -1 : 1;
	if (!strcmp(word, "--ask"))
		return broker->ask = true;
	if (!strncmp(word, "--hold", 6) && strchr("=", word[6]))
		return rspb_wish_hold(word[6] ? word + 7 : NULL, &broker->hold, err) ? -1 : 1;
	return 0;
}

/* Ours stand before the first of sbatch's; parts have ':' between. */
static int read_line(struct broker *broker, struct rspb_err *err)
{
	char **words = broker->command->argv;
	int n = broker->command->argc, i = 1, rc = 0;

	for (; i < n && (rc = take_own(broker, words[i], err)) > 0; i++)
		;
	if (rc < 0)
		return -1;
	if (!broker->n_sites)
		return rspb_fail(err, "--clusters: must come before the options of sbatch");
	for (int from = i; i <= n; i++) {
		if (i < n && strcmp(words[i], ":"))
			continue;
		if (broker->n_parts == RSPB_PLAN_PARTS)
			return rspb_fail(err, "there are more than %d parts", RSPB_PLAN_PARTS);
		broker->parts[broker->n_parts].words = words + from;
		broker->parts[broker->n_parts++].n = i - from;
		if (i == from)
			return rspb_fail(err, "a part is empty; give each one options of sbatch "
					      "and a script");
		from = i + 1;
	}
	return 0;
}

/* --- offers, and who holds what ---------------------------------------------- */

/* Submit a part to a site and read its offers. */
static void open_at(struct broker *broker, uint32_t part, uint32_t site)
{
	if (!ended)
		rspb_other_open(broker->command, &broker->others[site], broker->parts[part].words,
				broker->parts[part].n, &broker->parts[part].jobs[site]);
}

static void cancel_at(struct broker *broker, uint32_t part, uint32_t site)
{
	rspb_other_cancel(&broker->others[site], &broker->parts[part].jobs[site]);
}

/* Whatever is not of the plan (NULL: all). */
static void cancel_others(struct broker *broker, const struct rspb_task_plan *plan)
{
	for (uint32_t i = 0; i < broker->n_parts; i++)
		for (uint32_t j = 0; j < broker->n_sites; j++)
			if (!plan || plan->parts[i].site != j)
				cancel_at(broker, i, j);
}

static bool is_refused(const struct broker *broker, const struct rspb_task_plan *plan)
{
	for (size_t k = 0; k < broker->n_refused; k++) {
		const struct refusal *no = &broker->refused[k];

		if (no->start == plan->start && plan->parts[no->part].site == no->site)
			return true;
	}
	return false;
}

/* The first phase: all parts are held, or none. RET whether they are. */
static bool hold_all(struct broker *broker, const struct rspb_task_plan *plan)
{
	uint32_t i = 0;

	broker->until = 0;
	for (; i < broker->n_parts && !ended; i++) {
		uint32_t site = plan->parts[i].site;
		struct rspb_other_job *job = &broker->parts[i].jobs[site];
		int64_t until = 0;

		if (!job->job || !rspb_other_take(broker->command, &broker->others[site], job->job,
						  &plan->parts[i].bid, broker->hold, &until))
			break;
		if (!broker->until || until < broker->until)
			broker->until = until;
	}
	if (i == broker->n_parts)
		return true;
	if (broker->n_refused < TRIES)
		broker->refused[broker->n_refused++] = (struct refusal){ i, plan->parts[i].site,
									 plan->start };
	/* Give back what is held already, and open those sites for offers again. */
	while (i-- > 0) {
		cancel_at(broker, i, plan->parts[i].site);
		open_at(broker, i, plan->parts[i].site);
	}
	return false;
}

/* Hold the best plan that can be had. RET it, to be freed; NULL: there is none. */
static struct rspb_task_plan *hold_best(struct broker *broker)
{
	struct rspb_bids bids[RSPB_PLAN_PARTS][RSPB_PLAN_SITES];
	struct rspb_task_plan *plans;
	size_t n = 0, tried = 0;

	for (uint32_t i = 0; i < broker->n_parts; i++)
		for (uint32_t j = 0; j < broker->n_sites; j++)
			bids[i][j] = (struct rspb_bids){ broker->parts[i].jobs[j].bids,
							 broker->parts[i].jobs[j].n_bids };
	plans = rspb_plans_of(bids, broker->n_parts, broker->n_sites, &n);
	for (size_t k = 0; k < n && tried < TRIES && !ended; k++) {
		if (is_refused(broker, &plans[k]))
			continue;
		tried++;
		if (hold_all(broker, &plans[k])) {
			plans[0] = plans[k];
			return plans;
		}
	}
	free(plans);
	return NULL;
}

/* --- the second phase --------------------------------------------------------- */

/* RET whether all are booked for good; else none is. */
static bool accept_all(struct broker *broker, const struct rspb_task_plan *plan)
{
	for (uint32_t i = 0; i < broker->n_parts; i++) {
		uint32_t site = plan->parts[i].site;
		int64_t until;

		if (rspb_other_take(broker->command, &broker->others[site],
				    broker->parts[i].jobs[site].job, &plan->parts[i].bid, 0,
				    &until))
			continue;
		cancel_others(broker, NULL);
		return false;
	}
	return true;
}

/* In a process of its own: once the first part is accepted nobody who ends this
 * command, with its terminal or by kill -9, keeps the others from it. */
static bool accept_apart(struct broker *broker, const struct rspb_task_plan *plan)
{
	int status = 0;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		setsid();
		_exit(accept_all(broker, plan) ? 0 : 1);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		;
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool is_wanted(const struct broker *broker)
{
	char said[16], cell[RSPB_OUTPUT_CELL];

	if (!broker->ask)
		return true;
	printf("held until %s; accept? [y/N] ", rspb_output_moment(broker->until, cell));
	fflush(stdout);
	return fgets(said, sizeof(said), stdin) && (*said == 'y' || *said == 'Y');
}

/* --- all of it ---------------------------------------------------------------- */

static void tell_broker(const struct broker *broker, const struct rspb_task_plan *plan,
			const char *state)
{
	char start[RSPB_OUTPUT_CELL];

	for (uint32_t i = 0; i < broker->n_parts; i++) {
		const struct rspb_bid *bid = &plan->parts[i].bid;
		uint32_t site = plan->parts[i].site;

		printf("%s: job %" PRId64 " %s from %s", broker->others[site].name,
		       broker->parts[i].jobs[site].job, state,
		       rspb_output_moment(bid->start, start));
		if (bid->share)
			printf(" with a share of %g%%", (double) bid->share / 100);
		else if (bid->nodes)
			printf(" on %" PRId64 " node%s", bid->nodes, bid->nodes == 1 ? "" : "s");
		printf(", benefit %.2f\n", bid->benefit);
	}
	fflush(stdout);
}

static void tell_json(const struct broker *broker, const struct rspb_task_plan *plan)
{
	json_object *all = json_object_new_object(), *parts = json_object_new_array();

	rspb_json_put_int(all, "version", 1);
	for (uint32_t i = 0; i < broker->n_parts; i++) {
		const struct rspb_bid *bid = &plan->parts[i].bid;
		uint32_t site = plan->parts[i].site;
		json_object *part = json_object_new_object();

		rspb_json_put_text(part, "cluster", broker->others[site].name);
		rspb_json_put_int(part, "job", broker->parts[i].jobs[site].job);
		rspb_json_put_int(part, "start", bid->start);
		rspb_json_put_int(part, "end", bid->end);
		rspb_json_put_int(part, "nodes", bid->nodes);
		rspb_json_put(part, "benefit", json_object_new_double(bid->benefit));
		json_object_array_add(parts, part);
	}
	rspb_json_put(all, "parts", parts);
	rspb_output_json(all);
}

/* Ask, hold, accept. RET how it ended. */
static int broke(struct broker *broker)
{
	const struct rspb_command *command = broker->command;
	struct rspb_task_plan *plan;
	bool good;

	for (uint32_t i = 0; i < broker->n_parts; i++)
		for (uint32_t j = 0; j < broker->n_sites; j++)
			open_at(broker, i, j);
	plan = hold_best(broker);
	if (!plan) {
		cancel_others(broker, NULL);
		fprintf(stderr,
			"rspb %s: no start was found at which %s fits on these clusters; "
			"nothing is booked\n",
			command->argv[0], broker->n_parts > 1 ? "each part" : "it");
		return RSPB_EXIT_NO;
	}
	if (!command->json)
		tell_broker(broker, plan, "held");
	good = is_wanted(broker) && !ended;
	cancel_others(broker, good ? plan : NULL);
	good = good && accept_apart(broker, plan);
	if (!good)
		fprintf(stderr, "rspb %s: the offer was not accepted; nothing is booked\n",
			command->argv[0]);
	else if (command->json)
		tell_json(broker, plan);
	else
		tell_broker(broker, plan, "booked");
	free(plan);
	return good ? RSPB_EXIT_DONE : RSPB_EXIT_NO;
}

int rspb_clusters_ask(const struct rspb_command *command)
{
	const struct sigaction action = { .sa_handler = end };
	struct broker *broker = calloc(1, sizeof(*broker));
	struct rspb_err err = { "out of memory" };
	int rc;

	if (!broker)
		return RSPB_EXIT_NO;
	broker->command = command;
	broker->hold = 60;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	rc = read_line(broker, &err) ? rspb_command_misused(command, "%s", err.text)
				     : broke(broker);
	for (uint32_t j = 0; j < broker->n_sites; j++)
		rspb_other_fini(&broker->others[j]);
	free(broker);
	return rc;
}
