/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim journal: the command. */
#include <errno.h>
#include <string.h>

#include "contrib/sim/journal/journal.h"
#include "contrib/sim/jsonl/status.h"

static int read_file(struct journal *journal, const char *path, struct rspb_err *err)
{
	FILE *in = fopen(path, "r");
	int rc;

	if (!in)
		return rspb_fail(err, "%s: %s", path, strerror(errno));
	rc = journal_read(journal, in, path, err);
	fclose(in);
	return rc;
}

/* The recorded decisions beside those of the policies that were asked for. */
static int report(struct journal *journal, struct rspb_err *err)
{
	struct sim_metrics metrics[SIM_PRESETS + 2];
	struct sim_options shown = journal->options;

	if (journal->n_contenders >= SIM_PRESETS)
		return rspb_fail(err, "more than %d policies", SIM_PRESETS - 1);
	shown.runs = 1;
	shown.n_presets = journal->n_contenders + 1;
	shown.presets[0] = "recorded";
	sim_metrics_clear(&metrics[0]);
	sim_sums_metrics(&journal->sums, &metrics[0]);
	for (size_t k = 0; k < journal->n_contenders; k++) {
		struct contender *contender = &journal->contenders[k];

		shown.presets[k + 1] = contender->name;
		contender->sums.shares = journal->sums.shares;
		sim_metrics_clear(&metrics[k + 1]);
		sim_sums_metrics(&contender->sums, &metrics[k + 1]);
	}
	return sim_report(&shown, "the same requests, decided otherwise", metrics, err);
}

/* Print the promises of a durable journal. */
static void tell_promises(const struct journal *journal, FILE *out)
{
	const char *between = "promises: ";

	for (int state = 0; state < RSPB_N_STATES; state++) {
		if (!journal->promises[state])
			continue;
		fprintf(out, "%s%zu %s", between, journal->promises[state], rspb_state_name(state));
		between = ", ";
	}
	if (between[0] == ',')
		fputc('\n', out);
	if (journal->broken)
		fprintf(out, "%zu lines that are not what was written\n", journal->broken);
}

static int tell_all(struct journal *journal, struct rspb_err *err)
{
	bool data = journal->options.json || journal->options.csv;
	FILE *out = data ? stderr : stdout;

	if (!fflush(journal->out))
		fwrite(journal->said, 1, journal->length, stdout);
	for (size_t k = 0; k < journal->n_contenders; k++)
		fprintf(out, "%zu decisions, %zu otherwise than recorded%s%s\n", journal->decisions,
			journal->contenders[k].different, journal->asked ? " by " : "",
			journal->asked ? journal->contenders[k].name : "");
	if (journal->moves || journal->limited)
		fprintf(out,
			"among them %zu for bookings that were to change; "
			"%zu requests refused by the site's limits\n",
			journal->moves, journal->limited);
	if (journal->rescues || journal->growths)
		fprintf(out,
			"among them %zu that rescue a booking, %zu that "
			"let one grow\n",
			journal->rescues, journal->growths);
	tell_promises(journal, out);
	if (journal->machines > 1 || journal->gaps || journal->torn || journal->cut)
		fprintf(out,
			"%zu beginnings, %zu gaps, %zu torn lines, %zu "
			"unfinished batches\n",
			journal->machines, journal->gaps, journal->torn, journal->cut);
	return journal->asked ? report(journal, err) : 0;
}

static void usage(void)
{
	puts("usage: rspb-sim journal FILE ... [OPTION ...]\n\n"
	     "Repeats each decision that a journal records and compares the results; "
	     "the exit\nstatus is 1 if a decision differs. With --preset, --compare or "
	     "--conf, prints what\nthese policies would have decided, each time from the "
	     "recorded state. With --apart,\neach policy continues from its own decisions. "
	     "rspb-sim(1) describes the format.\n");
	sim_options_help(SIM_JOURNAL, stdout);
	sim_options_help_presets(stdout);
}

int sim_journal_main(int argc, char **argv)
{
	struct journal journal = { .nodes = 0 };
	struct rspb_err err = { "" };
	int rc = sim_options_parse(&journal.options, SIM_JOURNAL, argc, argv, &err);
	bool differs;

	if (!rc && journal.options.help) {
		usage();
		sim_options_fini(&journal.options);
		return SIM_OK;
	}
	if (!rc && !journal.options.n_left)
		rc = rspb_fail(&err, "journal: name at least one file");
	if (!rc)
		rc = journal_init(&journal, &err);
	for (size_t i = 0; !rc && i < journal.options.n_left; i++)
		rc = read_file(&journal, journal.options.left[i], &err);
	if (!rc)
		rc = tell_all(&journal, &err);
	if (rc)
		fprintf(stderr, "rspb-sim: %s\n", err.text);
	differs = !journal.asked && journal.n_contenders && journal.contenders[0].different;
	journal_fini(&journal);
	sim_options_fini(&journal.options);
	return rc ? SIM_BAD_INPUT : differs ? SIM_TROUBLE : SIM_OK;
}
