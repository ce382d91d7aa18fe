/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/flags.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"

/* A whole node in the unit of shares of a node. */
enum { WHOLE_NODE = 10000 };

/* Read --book and its two variants, which exclude each other. */
static int read_book(const char *value, struct rspb_terms *flags, struct rspb_err *err)
{
	struct rspb_quote quote;
	bool offers = !strcmp(value, "offers");

	if (*value && !offers && strcmp(value, "asap"))
		return rspb_fail(
			err,
			"unknown value '%s'; allowed are --book, --book=asap and --book=offers",
			rspb_text_quote(&quote, value, strlen(value)));
	flags->book = true;
	flags->offers = offers;
	flags->asap = *value && !offers;
	return 0;
}

/* Read "PCT[:MIN%]". The minimum cannot exceed the share. */
static int read_share(const struct rspb_term *term, const char *value, struct rspb_terms *flags,
		      struct rspb_err *err)
{
	size_t n = strcspn(value, ":");

	flags->share_min = 0;
	if (rspb_text_percent(value, n, term->low, term->high, &flags->share, err) < 0)
		return -1;
	return value[n] && rspb_text_percent(value + n + 1, strlen(value + n + 1), term->low,
					     flags->share, &flags->share_min, err) < 0
		       ? rspb_fail_at(err, "the minimum")
		       : 0;
}

/* Read whole seconds from term->low to term->high. */
static int read_seconds(const struct rspb_term *term, const char *value, int64_t *at,
			struct rspb_err *err)
{
	int64_t ms;

	/* A --firm without a time fixes the start when the booking is made, however far away it
	 * is. */
	if (!*value) {
		*at = term->high;
		return 0;
	}
	if (rspb_duration_parse_ms(value, &ms, err))
		return -1;
	if (ms < 1000 || ms % 1000 || ms / 1000 > term->high)
		return rspb_fail(err, "allowed are 1s to %" PRId64 "d, in whole seconds%s",
				 term->high / 86400,
				 term->optional_arg ? ", and nothing: at once" : "");
	*at = ms / 1000;
	return 0;
}

/* Read the name of a series. Commands take it in place of a job number, so it needs a letter, and
 * lists and contracts forbid most other characters. */
static int read_series(const char *value, char *at, struct rspb_err *err)
{
	static const char may[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	size_t n = strlen(value);
	struct rspb_quote quote;

	/* `may + 52` are the characters after the 52 letters: a name of these alone has no
	 * letter. */
	if (!n || n >= RSPB_SERIES_NAME || strspn(value, may) < n || strspn(value, may + 52) == n ||
	    !strncmp(value, RSPB_GROUP_PREFIX, strlen(RSPB_GROUP_PREFIX)))
		return rspb_fail(
			err,
			"'%s' is not a name; allowed are up to %d letters, digits, '.', '_' and "
			"'-', a letter among them, and not " RSPB_GROUP_PREFIX " at the beginning",
			rspb_text_quote(&quote, value, n), RSPB_SERIES_NAME - 1);
	memcpy(at, value, n + 1);
	return 0;
}

/* Read "TIME[+-SIGMA]". A deviation of 0 is allowed: the input arrives at that time exactly. */
static int read_stage_in(const char *value, struct rspb_terms *flags, struct rspb_err *err)
{
	const char *sign = strstr(value, "+-");
	size_t len = sign ? (size_t) (sign - value) : strlen(value);

	flags->stage_sigma = 0;
	if (rspb_duration_seconds(value, len, &flags->stage_in, err))
		return -1;
	if (sign && rspb_duration_seconds(sign + 2, strlen(sign + 2), &flags->stage_sigma, err))
		return rspb_fail_at(err, "the deviation");
	return flags->stage_in ? 0 : rspb_fail(err, "allowed is a time of a second or more");
}

const void *rspb_term_at(const struct rspb_term *term, const struct rspb_terms *flags)
{
	return (const char *) flags + term->offset;
}

int rspb_term_read(const struct rspb_term *term, const char *value, struct rspb_terms *flags,
		   struct rspb_err *err)
{
	void *at = (char *) flags + term->offset;

	switch (term->kind) {
	case RSPB_TERM_SECONDS:
		return read_seconds(term, value, at, err);
	case RSPB_TERM_PERCENT:
		return rspb_text_percent(value, strlen(value), term->low, term->high, at, err);
	case RSPB_TERM_BOOK:
		return read_book(value, flags, err);
	case RSPB_TERM_BENEFIT:
		return rspb_benefit_parse(value, at, err);
	case RSPB_TERM_SHARE:
		return read_share(term, value, flags, err);
	case RSPB_TERM_SERIES:
		return read_series(value, at, err);
	case RSPB_TERM_STAGE_IN:
		return read_stage_in(value, flags, err);
	case RSPB_TERM_WORK:
		return rspb_moldable_parse(value, at, err);
	case RSPB_TERM_PREFER:
		return rspb_prefer_parse(value, at, err);
	case RSPB_TERM_ZONE:
		/* The time zone of the submitting host, whose user sees times in it. The host sends
		 * it as a flag that is no option of users. */
		snprintf(at, sizeof(flags->zone), "%s", value);
		return rspb_zone_check(value, err);
	case RSPB_TERM_TEST:
		/* An option of Slurm, of which job_submit plugins are not told, so the client sends
		 * it as a flag. */
		flags->test = true;
	}
	return 0;
}

/* Times are printed in seconds, a form that rspb_moldable_parse() reads without loss. */
static void print_work(const struct rspb_moldable *work, struct rspb_text *out)
{
	for (uint32_t i = 0; i < work->n; i++)
		rspb_text_add(out, "%s%" PRIu32 "@%" PRId64 "s", i ? "," : "", work->table[i].nodes,
			      work->table[i].duration);
	if (work->seconds)
		rspb_text_add(out, "%" PRId64 "s", work->seconds);
	if (work->serial) {
		rspb_text_add(out, ":");
		rspb_text_add_percent(out, work->serial);
	}
}

void rspb_term_print(const struct rspb_term *term, const struct rspb_terms *flags,
		     struct rspb_text *out)
{
	const void *at = rspb_term_at(term, flags);
	char text[RSPB_BENEFIT_TEXT] = "";

	switch (term->kind) {
	case RSPB_TERM_SECONDS:
	case RSPB_TERM_STAGE_IN:
		rspb_text_add(out, "%" PRId64 "s", *(const int64_t *) at);
		if (term->kind == RSPB_TERM_STAGE_IN && flags->stage_sigma)
			rspb_text_add(out, "+-%" PRId64 "s", flags->stage_sigma);
		return;
	case RSPB_TERM_PERCENT:
	case RSPB_TERM_SHARE:
		rspb_text_add_percent(out, *(const int64_t *) at);
		if (term->kind == RSPB_TERM_PERCENT || !flags->share_min)
			return;
		rspb_text_add(out, ":");
		rspb_text_add_percent(out, flags->share_min);
		return;
	case RSPB_TERM_BENEFIT:
		rspb_benefit_print(at, text, sizeof(text));
		break;
	case RSPB_TERM_WORK:
		print_work(at, out);
		return;
	case RSPB_TERM_PREFER:
		rspb_prefer_print(at, text, sizeof(text));
		break;
	case RSPB_TERM_SERIES:
	case RSPB_TERM_ZONE:
		snprintf(text, sizeof(text), "%s", (const char *) at);
		break;
	case RSPB_TERM_BOOK:
	case RSPB_TERM_TEST:
		strcpy(text, flags->asap ? "asap" : "offers");
	}
	rspb_text_add(out, "%s", text);
}

bool rspb_term_said(const struct rspb_term *term, const struct rspb_terms *flags)
{
	const void *at = rspb_term_at(term, flags);

	switch (term->kind) {
	case RSPB_TERM_BOOK: /* in another way than usual */
		return flags->asap || flags->offers;
	case RSPB_TERM_TEST:
		return flags->test;
	case RSPB_TERM_BENEFIT:
		return ((const struct rspb_benefit *) at)->n_points;
	case RSPB_TERM_WORK:
		return rspb_moldable_said(at);
	case RSPB_TERM_PREFER:
		return flags->prefer.n;
	case RSPB_TERM_SERIES:
	case RSPB_TERM_ZONE:
		return *(const char *) at;
	default:
		return *(const int64_t *) at;
	}
}

#define AT(member)	.offset = offsetof(struct rspb_terms, member)
#define REQUEST(member) .request = offsetof(struct rspb_request, member)
#define ALL_DOORS	(RSPB_TERM_TAG | RSPB_TERM_RESERVE | RSPB_TERM_OFFERS)

/* All members. Clients register the ones with a help text as options. slurmctld accepts every row
 * as a flag, and refuses one that comes twice. Words of one place in a contract are in this
 * order, so a new member comes last, with place 4. */
const struct rspb_term rspb_terms[] = {
	{ "book", "[asap|offers]",
	  "book nodes for this job; asap: as early as possible; offers: only print what is "
	  "available",
	  .optional_arg = true, .kind = RSPB_TERM_BOOK, AT(book), .where = RSPB_TERM_TAG,
	  .words = 2 },
	{ "benefit", "SHAPE[:MIN%]",
	  "what a smaller grant is worth: hard, linear:25%, stairs:25%, concave:25%, convex:25%, "
	  "or points 25%@0.4,100%@1",
	  "what a smaller grant is worth, as for sbatch",
	  "without a booking there is nothing to reduce", "asked", RSPB_TERM_BENEFIT, AT(benefit),
	  .where = ALL_DOORS, .words = 1 },
	{ "benefit-time", "SHAPE[:MIN%]",
	  "what a later start is worth: the same shapes, over the time between the earliest and "
	  "the last possible start",
	  "what a later start is worth", "without a booking there is no start to choose",
	  .kind = RSPB_TERM_BENEFIT, AT(benefit_time), REQUEST(benefit_time), .where = ALL_DOORS,
	  .words = 1 },
	{ "cpu-share", "PCT[:MIN%]",
	  "book this share of the CPUs of each node, or at least the second one",
	  "share of the CPUs of each node", "only a booking holds a share", .kind = RSPB_TERM_SHARE,
	  AT(share), .low = 1, .high = WHOLE_NODE, .words = 1 },
	{ "firm", "[TIME]",
	  "fix the start that long before it (30m, 1d), even if its deadline would allow a later "
	  "one; without TIME: fix it at once",
	  .optional_arg = true, .kind = RSPB_TERM_SECONDS, AT(firm), .high = RSPB_FIRM_AT_ONCE,
	  .words = 3 },
	{ "remind", "TIME", "remind the owner that long before the start (30m, 1d)",
	  "remind the owner that long before the start", "there is no start to be reminded of",
	  .kind = RSPB_TERM_SECONDS, AT(remind), REQUEST(remind), .low = 1, .high = 365 * 86400,
	  .where = RSPB_TERM_RESERVE | RSPB_TERM_LISTED, .words = 3 },
	{ "series", "NAME",
	  "name of a series of bookings, which rspb shows, changes and cancels together",
	  .alone = "a series consists of bookings", .kind = RSPB_TERM_SERIES, AT(series),
	  .words = 4 },
	{ "zone", "CLOCK", .kind = RSPB_TERM_ZONE, AT(zone), .words = 4 },
	{ "stage-in", "TIME[+-SIGMA]",
	  "how long the job's input takes to arrive, with its standard deviation; the booking "
	  "starts after that",
	  .alone = "without a booking there is no window to place", .kind = RSPB_TERM_STAGE_IN,
	  AT(stage_in), .words = 4 },
	{ "time-sigma", "TIME",
	  "the standard deviation of --time; three of them are booked in addition",
	  .alone = "without a booking there is no window to lengthen", .kind = RSPB_TERM_SECONDS,
	  AT(time_sigma), .low = 1, .high = 3650 * 86400, .words = 4 },
	{ "work", "TIME[:SERIAL%]",
	  "the time on one node of work that can use any number of -N MIN-MAX, and its serial "
	  "part; or NODES@TIME,NODES@TIME",
	  "duration from work, as for sbatch",
	  "without a booking there is no number of nodes to choose", .kind = RSPB_TERM_WORK,
	  AT(work), .where = RSPB_TERM_OFFERS, .words = 4 },
	{ "prefer-qos", "mem=SIZE,cpus=N,feature=NAME,weight=N",
	  "prefer suitable nodes whose properties are nearest to these",
	  "properties that nodes should have", "without a booking Slurm picks the nodes",
	  .kind = RSPB_TERM_PREFER, AT(prefer), .where = RSPB_TERM_OFFERS | RSPB_TERM_KEPT,
	  .words = 4 },
	{ "price", "PCT",
	  "what the job pays, in percent of the usual price, if the site decides by price",
	  "what the job pays, of the usual price", "only bookings have a price",
	  .kind = RSPB_TERM_PERCENT, AT(price), REQUEST(price), .low = 1, .high = RSPB_PRICE_MOST,
	  .where = RSPB_TERM_OFFERS | RSPB_TERM_KEPT, .words = 4 },
	{ "test-only", "", .optional_arg = true, .kind = RSPB_TERM_TEST, AT(test) },
	{ .name = NULL },
};

const struct rspb_term *rspb_term_find(const char *name, size_t len)
{
	for (const struct rspb_term *t = rspb_terms; t->name; t++) {
		size_t n = 0;

		while (n < len && (t->name[n] == name[n] || (t->name[n] == '-' && name[n] == '_')))
			n++;
		if (n == len && !t->name[n])
			return t;
	}
	return NULL;
}

const char *rspb_term_key(const struct rspb_term *term, char buf[RSPB_TERM_KEY])
{
	snprintf(buf, RSPB_TERM_KEY, "%s", term->name);
	for (char *dash = buf; (dash = strchr(dash, '-'));)
		*dash = '_';
	return buf;
}

void rspb_terms_settle(struct rspb_terms *flags)
{
	flags->asap = false;
	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		if (t->kind == RSPB_TERM_BENEFIT)
			rspb_benefit_set((void *) ((char *) flags + t->offset), NULL);
}

int rspb_terms_ask(const struct rspb_terms *flags, struct rspb_request *request)
{
	request->mail = flags->mail;
	for (const struct rspb_term *t = rspb_terms; t->name; t++) {
		void *to = (char *) request + t->request;

		if (t->request && rspb_term_is_number(t))
			memcpy(to, rspb_term_at(t, flags), sizeof(int64_t));
		else if (t->request && rspb_benefit_keep(to, rspb_term_at(t, flags)))
			return -1;
	}
	return 0;
}

void rspb_terms_asked(const struct rspb_request *request, struct rspb_terms *flags)
{
	flags->book = true;
	flags->asap = request->asap;
	flags->mail = request->mail;
	for (const struct rspb_term *t = rspb_terms; t->name; t++) {
		const void *from = (const char *) request + t->request;
		void *at = (char *) flags + t->offset;

		if (t->request && rspb_term_is_number(t))
			memcpy(at, from, sizeof(int64_t));
		else if (t->request)
			rspb_benefit_set(at, *(struct rspb_benefit *const *) from);
	}
}

void rspb_terms_size(const struct rspb_request *request, uint32_t part, struct rspb_terms *terms)
{
	const struct rspb_part *of = &request->parts[part];

	terms->ready = request->ready;
	terms->deadline = request->deadline;
	terms->duration = request->duration;
	terms->nodes = of->nodes;
	terms->nodes_least = of->nodes_min < of->nodes ? of->nodes_min : 0;
}

/* Refuse a flag that is not in the table, with the flags that users can give. */
static int unknown_flag(const char *name, struct rspb_err *err)
{
	char allowed[192];
	struct rspb_text list = rspb_text_over(allowed, sizeof(allowed));
	struct rspb_quote quote;

	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		if (t->help)
			rspb_text_add(&list, "%s--%s", list.len ? ", " : "", t->name);
	return rspb_fail(err, "--%s: unknown flag; known are %s",
			 rspb_text_quote(&quote, name, strlen(name)), allowed);
}

int rspb_flag_set(struct rspb_terms *flags, const char *name, const char *value,
		  struct rspb_err *err)
{
	const struct rspb_term *term = rspb_term_find(name, strlen(name));
	struct rspb_terms changed = *flags;
	/* A message to slurmctld can have values of any length, so no more than the limit is looked
	 * at. */
	size_t len = value ? strnlen(value, RSPB_FLAG_TEXT_MAX + 1) : 0;

	if (!term || strcmp(term->name, name))
		return unknown_flag(name, err);
	if (len > RSPB_FLAG_TEXT_MAX)
		return rspb_fail(err, "--%s: the value is too long; allowed are %d characters",
				 name, RSPB_FLAG_TEXT_MAX);
	if (value && !rspb_text_printable(value, len))
		return rspb_fail(err, "--%s: the value holds control characters; allowed is %s",
				 name, term->arginfo);
	if (len == 0 && !term->optional_arg)
		return rspb_fail(err, "--%s: a value is missing; allowed is %s", name,
				 term->arginfo);
	/* The reader works on a copy, so a refused value leaves the flags as they were. */
	if (rspb_term_read(term, value ? value : "", &changed, err) < 0)
		return rspb_fail_at(err, "--%s", name);
	*flags = changed;
	return 0;
}

void rspb_terms_stage(const struct rspb_terms *flags, int64_t now, int64_t *begin, int64_t *limit)
{
	int64_t margin = RSPB_STAGE_SIGMAS * flags->stage_sigma;
	int64_t first = now + flags->stage_in - margin;
	int64_t last = now + flags->stage_in + margin;

	/* Time limits of Slurm are whole minutes, so additions are rounded up to minutes. */
	*limit += (RSPB_STAGE_SIGMAS * flags->time_sigma + 59) / 60 * 60;
	if (!flags->stage_in)
		return;
	/* Input may already be there; a window cannot begin in the past. */
	if (first < now)
		first = now;
	if (first > *begin)
		*begin = first;
	/* The booking begins before late input can arrive, so it is longer by the possible wait. */
	if (last > *begin)
		*limit += (last - *begin + 59) / 60 * 60;
}

void rspb_terms_benefit(const struct rspb_terms *flags, int64_t least, int64_t asked,
			struct rspb_benefit *out)
{
	if (flags->benefit.n_points)
		*out = flags->benefit;
	else if (least > 0 && least < asked)
		rspb_shape_draw(rspb_shape_find("linear"), rspb_ratio_make(least, asked), out);
	else
		/* The first shape is "hard": nothing less than all is worth anything. */
		rspb_shape_draw(rspb_shapes, (struct rspb_ratio){ 0, 0 }, out);
}

/* --- what only all flags of a job together show --- */

/* Refuse flags that contradict each other. The readers cannot do that, because users give flags in
 * any order. */
static int check_booked(const struct rspb_terms *flags, struct rspb_err *err)
{
	if (rspb_moldable_said(&flags->work) && flags->benefit.n_points)
		return rspb_fail(
			err,
			"--work: cannot be combined with --benefit, because all of the work is "
			"done; remove one of the two");
	if (rspb_moldable_said(&flags->work) && (flags->stage_in || flags->time_sigma))
		return rspb_fail(
			err,
			"--work: cannot be combined with --stage-in or --time-sigma; give longer "
			"times instead");
	if (flags->share && rspb_moldable_said(&flags->work))
		return rspb_fail(
			err, "--work: cannot be combined with --cpu-share, because whole nodes or "
			     "tasks do the work");
	if (flags->share && flags->prefer.n)
		return rspb_fail(
			err,
			"--prefer-qos: cannot be combined with --cpu-share, whose nodes are those "
			"that have room");
	return 0;
}

int rspb_terms_check(const struct rspb_terms *flags, struct rspb_err *err)
{
	if (flags->book)
		return check_booked(flags, err);
	/* Without --book these flags would have no effect. They are refused, so that nobody takes a
	 * regular job for a booking. Only --firm is ignored, as rspb-flags(7) says. */
	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		if (t->alone && rspb_term_said(t, flags))
			return rspb_fail(err, "--%s: needs --book; %s", t->name, t->alone);
	return 0;
}

/* --- the text of --work --- */

/* Read one entry NODES@TIME of a table. Numbers of nodes must rise, so that each of them has one
 * time. */
static int read_point(const char *text, size_t len, struct rspb_moldable *out, struct rspb_err *err)
{
	const char *at = memchr(text, '@', len);
	struct rspb_form *form = &out->table[out->n];
	struct rspb_quote quote;
	int64_t nodes;

	/* This is checked before the entry is written; `form` may point past the table until
	 * then. */
	if (out->n == RSPB_MOLDABLE_POINTS)
		return rspb_fail(err, "more than %d entries", RSPB_MOLDABLE_POINTS);
	if (!at)
		return rspb_fail(err, "'%s': '@' is missing; allowed are NODES@TIME,NODES@TIME",
				 rspb_text_quote(&quote, text, len));
	if (rspb_text_whole(text, (size_t) (at - text), 1, UINT32_MAX - 2, &nodes, err) ||
	    rspb_duration_seconds(at + 1, len - (size_t) (at + 1 - text), &form->duration, err))
		return -1;
	if (!form->duration)
		return rspb_fail(err, "a time of 0; allowed is 1s or more");
	form->nodes = (uint32_t) nodes;
	if (out->n && form->nodes <= form[-1].nodes)
		return rspb_fail(err,
				 "%" PRIu32 " nodes after %" PRIu32 "; numbers of nodes must rise",
				 form->nodes, form[-1].nodes);
	out->n++;
	return 0;
}

/* Read all entries of a table. `out` is a scratch copy, which is dropped after a failure. */
static int read_table(const char *text, struct rspb_moldable *out, struct rspb_err *err)
{
	for (;;) {
		size_t len = strcspn(text, ",");

		if (read_point(text, len, out, err))
			return -1;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

/* Read the time that one node needs, and after ":" the serial part in percent. */
static int read_whole(const char *text, struct rspb_moldable *out, struct rspb_err *err)
{
	size_t len = strcspn(text, ":");
	const char *serial = text + len + 1;

	/* Times such as 1-12:00:00 hold colons themselves. */
	if (!text[len] || !strchr(serial, '%')) {
		len = strlen(text);
		serial = NULL;
	}
	if (rspb_duration_seconds(text, len, &out->seconds, err))
		return -1;
	if (!out->seconds)
		return rspb_fail(err, "a time of 0; allowed is 1s or more");
	return serial && rspb_text_percent(serial, strlen(serial), 0, RSPB_MOLDABLE_WHOLE,
					   &out->serial, err)
		       ? rspb_fail_at(err, "the serial part")
		       : 0;
}

/* A "@" decides: only tables have it. */
int rspb_moldable_parse(const char *text, struct rspb_moldable *out, struct rspb_err *err)
{
	struct rspb_moldable work = { .seconds = 0 };

	if (strchr(text, '@') ? read_table(text, &work, err) : read_whole(text, &work, err))
		return -1;
	*out = work;
	return 0;
}
