/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/flags.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/time_text.h"

/* A whole node in the unit of shares of a node. */
enum { WHOLE_NODE = 10000 };

/* Set --book and its two variants, which exclude each other. */
static int set_book(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	struct rspb_quote quote;

	bool offers = value && !strcmp(value, "offers");

	if (value && *value && !offers && strcmp(value, "asap"))
		return rspb_fail(err,
				 "--book=%s: unknown value; allowed are "
				 "--book, --book=asap and --book=offers",
				 rspb_text_quote(&quote, value, strlen(value)));
	flags->book = true;
	flags->offers = offers;
	flags->asap = value && *value && !offers;
	return 0;
}

/* --benefit is kept apart from the default, because the default depends on the request
 * (rspb_flags_benefit). */
static int set_benefit(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	if (rspb_benefit_parse(value ? value : "", &flags->benefit, err) < 0)
		return rspb_fail_at(err, "--benefit");
	flags->has_benefit = true;
	return 0;
}

static int set_benefit_time(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	if (rspb_benefit_parse(value ? value : "", &flags->benefit_time, err) < 0)
		return rspb_fail_at(err, "--benefit-time");
	flags->has_benefit_time = true;
	return 0;
}

/* Note --test-only. It is an option of Slurm, of which job_submit plugins are not told, so the
 * client sends it as a flag. */
static int set_test(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	(void) value;
	(void) err;
	flags->test = true;
	return 0;
}

/* Read "PCT[:MIN%]". The minimum cannot exceed the share. RET 0, or -1 with err and nothing
 * changed. */
static int parse_share(const char *value, int64_t *share, int64_t *least, struct rspb_err *err)
{
	size_t n = strcspn(value, ":");
	int64_t whole, low = 0;

	if (rspb_text_percent(value, n, 1, WHOLE_NODE, &whole, err) < 0)
		return -1;
	if (value[n]) {
		const char *rest = value + n + 1;

		if (rspb_text_percent(rest, strlen(rest), 1, whole, &low, err) < 0)
			return rspb_fail_at(err, "the minimum");
	}
	*share = whole;
	*least = low;
	return 0;
}

static int set_cpu_share(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	if (parse_share(value ? value : "", &flags->share, &flags->share_min, err) < 0)
		return rspb_fail_at(err, "--cpu-share");
	return 0;
}

static int set_remind(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	/* A reminder a year ahead is the most that the setting Remind allows, too. */
	enum { LEAST_MS = 1000, MOST_S = 31536000 };
	int64_t ms;

	if (rspb_duration_parse_ms(value ? value : "", &ms, err))
		return rspb_fail_at(err, "--remind");
	if (ms < LEAST_MS || ms % 1000 || ms / 1000 > MOST_S)
		return rspb_fail(err,
				 "--remind=%s: allowed are 1s to 365d, in "
				 "whole seconds",
				 value);
	flags->remind = ms / 1000;
	return 0;
}

static int set_firm(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	int64_t ms;

	if (!value || !*value) {
		/* Without a time the start is fixed when the booking is made, however far away it
		 * is. */
		flags->firm = RSPB_FIRM_AT_ONCE;
		return 0;
	}
	if (rspb_duration_parse_ms(value, &ms, err))
		return rspb_fail_at(err, "--firm");
	if (ms < 1000 || ms % 1000 || ms / 1000 > RSPB_FIRM_AT_ONCE)
		return rspb_fail(err,
				 "--firm=%s: allowed are 1s to 3650d, in whole "
				 "seconds, and nothing: at once",
				 value);
	flags->firm = ms / 1000;
	return 0;
}

/* Set the name of a series. Commands take it in place of a job number, so it needs a letter, and
 * lists and contracts forbid most other characters. */
static int set_series(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	static const char may[] = "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	size_t n = value ? strlen(value) : 0;
	struct rspb_quote quote;

	/* `may + 52` are the characters after the 52 letters: a name of these alone has no
	 * letter. */
	if (!n || n >= RSPB_SERIES_NAME || strspn(value, may) < n || strspn(value, may + 52) == n ||
	    !strncmp(value, RSPB_GROUP_PREFIX, strlen(RSPB_GROUP_PREFIX)))
		return rspb_fail(
			err,
			"--series=%s: is not a name; allowed are up to %d letters, "
			"digits, '.', '_' and '-', a letter among them, and not " RSPB_GROUP_PREFIX
			" at the beginning",
			rspb_text_quote(&quote, value ? value : "", n), RSPB_SERIES_NAME - 1);
	memcpy(flags->series, value, n + 1);
	return 0;
}

/* Read "TIME[+-SIGMA]". A deviation of 0 is allowed: the input arrives at that time exactly. */
static int set_stage_in(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	const char *text = value ? value : "", *sign = strstr(text, "+-");
	size_t len = sign ? (size_t) (sign - text) : strlen(text);
	int64_t time, sigma = 0;

	if (rspb_duration_seconds(text, len, &time, err))
		return rspb_fail_at(err, "--stage-in");
	if (sign && rspb_duration_seconds(sign + 2, strlen(sign + 2), &sigma, err))
		return rspb_fail_at(err, "--stage-in: the deviation");
	if (!time)
		return rspb_fail(err,
				 "--stage-in=%.40s: allowed is a time of "
				 "a second or more",
				 text);
	flags->stage_in = time;
	flags->stage_sigma = sigma;
	return 0;
}

/* Set the deviation of the length. 0 is refused, as it would mean the same as no flag. */
static int set_time_sigma(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	const char *text = value ? value : "";
	int64_t sigma;

	if (rspb_duration_seconds(text, strlen(text), &sigma, err))
		return rspb_fail_at(err, "--time-sigma");
	if (!sigma)
		return rspb_fail(err,
				 "--time-sigma=%.40s: allowed is a time "
				 "of a second or more",
				 text);
	flags->time_sigma = sigma;
	return 0;
}

static int set_work(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	return rspb_moldable_parse(value ? value : "", &flags->work, err)
		       ? rspb_fail_at(err, "--work")
		       : 0;
}

static int set_price(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	const char *text = value ? value : "";

	return rspb_text_percent(text, strlen(text), 1, RSPB_PRICE_MOST, &flags->price, err)
		       ? rspb_fail_at(err, "--price")
		       : 0;
}

static int set_prefer(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	return rspb_prefer_parse(value ? value : "", &flags->prefer, err)
		       ? rspb_fail_at(err, "--prefer-qos")
		       : 0;
}

/* Keep the time zone of the submitting host, so that its user sees times in it. The host sends it
 * as a flag that has no help text and is no option of users. */
static int set_zone(struct rspb_flags *flags, const char *value, struct rspb_err *err)
{
	if (rspb_zone_check(value ? value : "", err))
		return rspb_fail_at(err, "--zone");
	snprintf(flags->zone, sizeof(flags->zone), "%s", value);
	return 0;
}

/* All flags. Clients register the ones with a help text as options. slurmctld accepts every row,
 * and refuses a flag that comes twice. */
const struct rspb_flag rspb_flag_table[] = {
	{ "book", "[asap|offers]",
	  "book nodes for this job; asap: as early as possible; offers: only print "
	  "what is available",
	  true, set_book },
	{ "benefit", "SHAPE[:MIN%]",
	  "what a smaller grant is worth: hard, linear:25%, stairs:25%, "
	  "concave:25%, convex:25%, or points 25%@0.4,100%@1",
	  false, set_benefit },
	{ "benefit-time", "SHAPE[:MIN%]",
	  "what a later start is worth: the same shapes, over the time between the "
	  "earliest and the last possible start",
	  false, set_benefit_time },
	{ "cpu-share", "PCT[:MIN%]",
	  "book this share of the CPUs of each node, or at least the second one", false,
	  set_cpu_share },
	{ "firm", "[TIME]",
	  "fix the start that long before it (30m, 1d), even if its deadline would "
	  "allow a later one; without TIME: fix it at once",
	  true, set_firm },
	{ "remind", "TIME", "remind the owner that long before the start (30m, 1d)", false,
	  set_remind },
	{ "series", "NAME",
	  "name of a series of bookings, which rspb shows, changes and cancels "
	  "together",
	  false, set_series },
	{ "stage-in", "TIME[+-SIGMA]",
	  "how long the job's input takes to arrive, with its standard deviation; "
	  "the booking starts after that",
	  false, set_stage_in },
	{ "time-sigma", "TIME",
	  "the standard deviation of --time; three of them are booked in addition", false,
	  set_time_sigma },
	{ "work", "TIME[:SERIAL%]",
	  "the time on one node of work that can use any number of -N MIN-MAX, and "
	  "its serial part; or NODES@TIME,NODES@TIME",
	  false, set_work },
	{ "prefer-qos", "mem=SIZE,cpus=N,feature=NAME,weight=N",
	  "prefer suitable nodes whose properties are nearest to these", false, set_prefer },
	{ "price", "PCT",
	  "what the job pays, in percent of the usual price, if the site decides by "
	  "price",
	  false, set_price },
	{ "test-only", "", NULL, true, set_test },
	{ "zone", "CLOCK", NULL, false, set_zone },
	{ .name = NULL },
};

/* Refuse a flag that is not in the table, with the flags that users can give. */
static int unknown_flag(const char *name, struct rspb_err *err)
{
	char allowed[192];
	struct rspb_text list = rspb_text_over(allowed, sizeof(allowed));
	struct rspb_quote quote;

	for (const struct rspb_flag *f = rspb_flag_table; f->name; f++)
		if (f->help)
			rspb_text_add(&list, "%s--%s", list.len ? ", " : "", f->name);
	return rspb_fail(err, "--%s: unknown flag; known are %s",
			 rspb_text_quote(&quote, name, strlen(name)), allowed);
}

int rspb_flag_set(struct rspb_flags *flags, const char *name, const char *value,
		  struct rspb_err *err)
{
	const struct rspb_flag *flag = rspb_flag_table;
	struct rspb_flags changed = *flags;
	/* A message to slurmctld can have values of any length, so no more than the limit is looked
	 * at. */
	size_t len = value ? strnlen(value, RSPB_FLAG_TEXT_MAX + 1) : 0;

	while (flag->name && strcmp(flag->name, name))
		flag++;
	if (!flag->name)
		return unknown_flag(name, err);
	if (len > RSPB_FLAG_TEXT_MAX)
		return rspb_fail(err,
				 "--%s: the value is too long; allowed "
				 "are %d characters",
				 name, RSPB_FLAG_TEXT_MAX);
	if (value && !rspb_text_printable(value, len))
		return rspb_fail(err,
				 "--%s: the value holds control "
				 "characters; allowed is %s",
				 name, flag->arginfo);
	if (len == 0 && !flag->optional_arg)
		return rspb_fail(err, "--%s: a value is missing; allowed is %s", name,
				 flag->arginfo);
	/* The setter works on a copy, so a refused value leaves the flags as they were. */
	if (flag->set(&changed, value, err) < 0)
		return -1;
	*flags = changed;
	return 0;
}

void rspb_flags_stage(const struct rspb_flags *flags, int64_t now, int64_t *begin, int64_t *limit)
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

void rspb_flags_benefit(const struct rspb_flags *flags, int64_t least, int64_t asked,
			struct rspb_benefit *out)
{
	if (flags->has_benefit)
		*out = flags->benefit;
	else if (least > 0 && least < asked)
		rspb_shape_draw(rspb_shape_find("linear"), rspb_ratio_make(least, asked), out);
	else
		/* The first shape is "hard": nothing less than all is worth anything. */
		rspb_shape_draw(rspb_shapes, (struct rspb_ratio){ 0, 0 }, out);
}

void rspb_flags_set_benefit(struct rspb_flags *flags, const struct rspb_benefit *benefit)
{
	flags->has_benefit = benefit;
	if (benefit)
		flags->benefit = *benefit;
}

const struct rspb_benefit *rspb_flags_own_benefit(const struct rspb_flags *flags)
{
	return flags->has_benefit ? &flags->benefit : NULL;
}

void rspb_flags_set_benefit_time(struct rspb_flags *flags, const struct rspb_benefit *benefit)
{
	flags->has_benefit_time = benefit;
	if (benefit)
		flags->benefit_time = *benefit;
}

const struct rspb_benefit *rspb_flags_benefit_time(const struct rspb_flags *flags)
{
	return flags->has_benefit_time ? &flags->benefit_time : NULL;
}

/* --- what only all flags of a job together show --- */

/* Refuse flags that contradict each other. The setters cannot do that, because users give flags in
 * any order. */
static int check_booked(const struct rspb_flags *flags, struct rspb_err *err)
{
	if (rspb_moldable_said(&flags->work) && flags->has_benefit)
		return rspb_fail(err, "--work: cannot be combined with --benefit, because all of "
				      "the work is done; remove one of the two");
	if (rspb_moldable_said(&flags->work) && (flags->stage_in || flags->time_sigma))
		return rspb_fail(err, "--work: cannot be combined with --stage-in or "
				      "--time-sigma; give longer times instead");
	if (flags->share && rspb_moldable_said(&flags->work))
		return rspb_fail(err, "--work: cannot be combined with --cpu-share, because "
				      "whole nodes or tasks do the work");
	if (flags->share && flags->prefer.n)
		return rspb_fail(err, "--prefer-qos: cannot be combined with --cpu-share, whose "
				      "nodes are those that have room");
	return 0;
}

int rspb_flags_check(const struct rspb_flags *flags, struct rspb_err *err)
{
	if (flags->book)
		return check_booked(flags, err);
	/* Without --book these flags would have no effect. They are refused, so that nobody takes a
	 * regular job for a booking. Only --firm is ignored, as rspb-flags(7) says. */
	if (flags->has_benefit)
		return rspb_fail(err, "--benefit: needs --book; without a booking there is "
				      "nothing to reduce");
	if (flags->has_benefit_time)
		return rspb_fail(err, "--benefit-time: needs --book; without a "
				      "booking there is no start to choose");
	if (flags->stage_in)
		return rspb_fail(err, "--stage-in: needs --book; without a "
				      "booking there is no window to place");
	if (flags->time_sigma)
		return rspb_fail(err, "--time-sigma: needs --book; without a "
				      "booking there is no window to lengthen");
	if (flags->share)
		return rspb_fail(err, "--cpu-share: needs --book; only a "
				      "booking holds a share");
	if (flags->remind)
		return rspb_fail(err, "--remind: needs --book; there is no "
				      "start to be reminded of");
	if (rspb_moldable_said(&flags->work))
		return rspb_fail(err, "--work: needs --book; without a booking "
				      "there is no number of nodes to choose");
	if (flags->prefer.n)
		return rspb_fail(err, "--prefer-qos: needs --book; without a "
				      "booking Slurm picks the nodes");
	if (flags->price)
		return rspb_fail(err, "--price: needs --book; only bookings have a price");
	if (flags->series[0])
		return rspb_fail(err, "--series: needs --book; a series consists of bookings");
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
		return rspb_fail(err,
				 "'%s': '@' is missing; allowed are "
				 "NODES@TIME,NODES@TIME",
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

/* Times are printed in seconds, a form that rspb_moldable_parse() reads without loss. */
size_t rspb_moldable_print(const struct rspb_moldable *work, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	for (uint32_t i = 0; i < work->n; i++)
		rspb_text_add(&out, "%s%" PRIu32 "@%" PRId64 "s", i ? "," : "",
			      work->table[i].nodes, work->table[i].duration);
	if (work->seconds)
		rspb_text_add(&out, "%" PRId64 "s", work->seconds);
	if (work->serial) {
		rspb_text_add(&out, ":");
		rspb_text_add_percent(&out, work->serial);
	}
	return out.len;
}
