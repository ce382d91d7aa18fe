/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb-sim journal: decide again what a controller decided, and compare.
 *
 * rspb-sim(1) tells the format, plugins/ctld/record/line.c writes it. Any
 * number of journals may stand in one file, one behind the other: each begins
 * with a machine and what stands on it.
 */
#include "contrib/sim/journal/journal.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/seal.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/report/contender.h"

static const struct kind {
	const char *name, *within;
	journal_read_fn *read;
} kinds[] = { { "machine", "machine.", journal_machine },
	      { "standing", "standing.", journal_standing },
	      { "block", "block.", journal_block },
	      { "hold", "hold.", journal_hold },
	      { "request", "request.", journal_request },
	      { "decide", "decide.", journal_decide },
	      { "booking", "booking.", journal_booking },
	      { "book", "book.", journal_book },
	      { "change", "change.", journal_change },
	      { "move", "move.", journal_move },
	      { "event", "event.", journal_event },
	      { "purge", "purge.", journal_purge },
	      { "rescue", "rescue.", journal_rescue },
	      { "grow", "grow.", journal_grow },
	      { "refuse", "refuse.", journal_refuse },
	      { "gap", "gap.", journal_gap },
	      { "journal", "journal.", journal_head },
	      { "promise", "promise.", journal_promise },
	      { "no_show", "no_show.", journal_kept },
	      { "letter", "letter.", journal_kept },
	      { "node_gap", "node_gap.", journal_kept },
	      { "alive", "alive.", journal_kept },
	      { NULL, NULL, NULL } };

static const struct kind *kind_of(const struct sim_record *line, struct rspb_err *err)
{
	const struct kind *found = NULL;

	json_object_object_foreach(line->object, key, value)
	{
		const struct kind *kind = kinds;

		if (!strcmp(key, "at") || !strcmp(key, "crc"))
			continue;
		while (kind->name && strcmp(kind->name, key))
			kind++;
		if (!kind->name || found || !json_object_is_type(value, json_type_object)) {
			found = NULL;
			break;
		}
		found = kind;
	}
	if (!found) {
		rspb_fail(err, "not one of machine, standing, block, hold, request, "
			       "decide, booking, book, change, move, event, purge, "
			       "rescue, grow, refuse, gap, journal, promise, no_show, "
			       "letter, alive");
		sim_at(line, err);
	}
	return found;
}

static int read_line(struct journal *journal, const struct sim_record *line, struct rspb_err *err)
{
	const struct kind *kind = kind_of(line, err);
	struct sim_record inner = *line;

	if (!kind)
		return -1;
	inner.object = sim_get(line, kind->name);
	inner.within = kind->within;
	return kind->read(journal, &inner, err);
}

struct line {
	char *text; /* owned, with its end */
	size_t room;
	ssize_t length; /* -1: there is none */
};

/* A line that its writer, killed or out of disk, did not finish: it can only
 * be the last one, or stand before a new beginning. */
static bool is_torn(const struct line *line, const struct line *next)
{
	size_t left = next->length < 0 ? 0 : (size_t) next->length;
	struct json_tokener *tok;
	struct json_object *object;
	bool torn;

	if (line->length > INT32_MAX || *line->text == '\n' || *line->text == '#' ||
	    (left && !memmem(next->text, left < 80 ? left : 80, "\"machine\":{", 11) &&
	     !memmem(next->text, left < 40 ? left : 40, "\"gap\":{", 7)))
		return false;
	tok = json_tokener_new();
	if (!tok)
		return false;
	object = json_tokener_parse_ex(tok, line->text,
				       (int) line->length - (line->text[line->length - 1] == '\n'));
	torn = json_tokener_get_error(tok) == json_tokener_continue;
	json_object_put(object);
	json_tokener_free(tok);
	return torn;
}

/* A line that has a seal which is not its own. */
static bool is_broken(const struct line *line)
{
	size_t length = (size_t) line->length;

	return rspb_seal_check(line->text, length - (line->text[length - 1] == '\n')) < 0;
}

static int take_line(struct journal *journal, const struct line *line, const struct line *next,
		     struct sim_record *record, struct rspb_err *err)
{
	int rc;

	if (is_torn(line, next)) {
		fprintf(journal->notices,
			"%s:%zu: the line is torn, it is "
			"skipped\n",
			record->file, record->line);
		journal->torn++;
		return 0;
	}
	if (is_broken(line)) {
		fprintf(journal->notices, "%s:%zu: the line is damaged (crc) and is skipped\n",
			record->file, record->line);
		journal->broken++;
		return 0;
	}
	rc = sim_line_parse(line->text, (size_t) line->length, record, err);
	if (rc == 1)
		rc = read_line(journal, record, err);
	json_object_put(record->object);
	return rc;
}

int journal_read(struct journal *journal, FILE *in, const char *path, struct rspb_err *err)
{
	struct sim_record record = { .file = path, .within = "" };
	struct line line = { .length = 0 }, next = { .length = 0 }, swap;
	int rc = 0;

	line.length = getline(&line.text, &line.room, in);
	while (!rc && line.length >= 0) {
		next.length = getline(&next.text, &next.room, in);
		record.line++;
		rc = take_line(journal, &line, &next, &record, err);
		swap = line;
		line = next;
		next = swap;
	}
	free(line.text);
	free(next.text);
	if (!rc && (ferror(in) || !feof(in)))
		rc = rspb_fail(err, "%s: cannot be read", path);
	if (!rc)
		rc = journal_batch_end(journal, true, &record, err);
	if (!rc && !journal->machines && !journal->gaps && !journal->heads)
		rc = rspb_fail(err, "%s: has no machine", path);
	return rc;
}

static int add_contender(struct journal *journal, const char *name, struct rspb_err *err)
{
	struct contender *contender = &journal->contenders[journal->n_contenders];

	contender->name = name;
	contender->decided = calloc(JOURNAL_BATCH, sizeof(*contender->decided));
	if (!contender->decided)
		return rspb_fail(err, "out of memory");
	journal->n_contenders++;
	return 0;
}

/* Read the policy of a name, a preset or a file of settings, whose limits count then. RET 0 or
 * -1 with err. */
static int read_policy(struct contender *contender, const struct sim_options *options, size_t i,
		       struct rspb_err *err)
{
	const char *name = options->presets[i];

	if (options->commands[i])
		return rspb_fail(err,
				 "%s: a program decides in trace and model alone, a journal "
				 "has presets and files of settings",
				 name);
	if (!sim_contender_is_file(name))
		return sim_preset_policy(name, &contender->policy, err);
	if (sim_options_conf(name, &contender->config, err))
		return -1;
	contender->policy = contender->config.policy;
	contender->own_limits = true;
	return 0;
}

/* The recorded policy alone, or those that are asked for. */
static int add_contenders(struct journal *journal, struct rspb_err *err)
{
	const struct sim_options *options = &journal->options;

	journal->asked = options->conf || options->n_presets;
	for (size_t i = 0; i < options->n_presets; i++) {
		struct contender *contender = &journal->contenders[journal->n_contenders];

		if (read_policy(contender, options, i, err) ||
		    add_contender(journal, options->presets[i], err))
			return -1;
	}
	if (options->conf) {
		struct contender *contender = &journal->contenders[journal->n_contenders];

		contender->policy = options->config.policy;
		contender->config = options->config;
		contender->own_limits = true;
		return add_contender(journal, options->conf, err);
	}
	return journal->asked ? 0 : add_contender(journal, "again", err);
}

int journal_init(struct journal *journal, struct rspb_err *err)
{
	journal->requests = calloc(JOURNAL_BATCH, sizeof(struct rspb_request *));
	journal->recorded = calloc(JOURNAL_BATCH, sizeof(struct rspb_booking *));
	journal->contenders = calloc(SIM_PRESETS + 1, sizeof(*journal->contenders));
	if (!journal->notices)
		journal->notices = stderr;
	journal->out = open_memstream(&journal->said, &journal->length);
	if (!journal->requests || !journal->recorded || !journal->contenders || !journal->out)
		return rspb_fail(err, "out of memory");
	return add_contenders(journal, err);
}

void journal_fini(struct journal *journal)
{
	journal_batch_fini(journal);
	journal_drop_earlier(journal);
	journal_forget(journal);
	for (size_t k = 0; k < journal->n_contenders; k++)
		free(journal->contenders[k].decided);
	free(journal->contenders);
	if (journal->out)
		fclose(journal->out);
	free(journal->said);
	free(journal->requests);
	free(journal->recorded);
	free(journal->earlier);
}
