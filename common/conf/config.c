/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "common/wire/texts.h"

/* A key and its value. Values point into the text that is read, so a setting lives no longer than
 * that. */
struct setting {
	const struct rspb_option *option;
	const char *value; /* in the text, without its quotes */
	size_t len;
	uint32_t line; /* 0: not in a file */
};

/* All settings of one text. They are collected before any is applied, so that a mistake in the last
 * line leaves the settings in force unchanged. */
struct settings {
	uint32_t n;
	struct setting list[RSPB_CONFIG_MOST];
	char rules[RSPB_CONFIG_RULES]; /* "": none */
	struct rspb_err gone;	       /* the first old key, "": none */
};

void rspb_config_defaults(struct rspb_config *config)
{
	/* slurmctld compares settings with memcmp() to see whether something has changed, so
	 * padding must be zero, too. */
	memset(config, 0, sizeof(*config));
	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		/* A default that its own row refuses is a mistake in the table. Tests find it, and
		 * users cannot cause it. */
		int rc = o->fallback ? rspb_option_set(o, config, o->fallback, NULL) : 0;

		assert(!rc);
		(void) rc;
	}
}

/* Put the file and line in front of the sentence in err. Settings without a line come from
 * SchedulerParameters, of which the caller gives the name. RET -1. */
static int fail_at_line(const char *name, uint32_t line, struct rspb_err *err)
{
	return line ? rspb_fail_at(err, "%s:%" PRIu32, name, line) : -1;
}

/* Note one key=value. A key of an earlier release is passed over, because a file that was valid
 * before an upgrade must not keep slurmctld from starting. RET 0 or -1 with err, without the
 * place. */
static int note(struct settings *settings, const struct rspb_pair *pair, uint32_t line,
		struct rspb_err *err)
{
	const struct rspb_option *option;
	struct rspb_err gone;

	if (rspb_option_is_gone(pair, &gone)) {
		if (line)
			rspb_fail_at(&gone, "line %" PRIu32, line);
		/* Only the first such key is reported, as one line in the log of slurmctld. */
		if (!settings->gone.text[0])
			settings->gone = gone;
		return 0;
	}
	option = rspb_option_of(pair, err);
	if (!option)
		return -1;
	for (uint32_t i = 0; i < settings->n; i++)
		if (settings->list[i].option == option)
			/* A second value would silently win or lose, and which one the site means
			 * is unknown. */
			return rspb_fail(err, "%s is given twice; once is allowed", option->key);
	/* No key twice, so there is always room for one more. */
	assert(settings->n < RSPB_CONFIG_MOST);
	settings->list[settings->n++] = (struct setting){
		.option = option,
		.value = pair->value,
		.len = pair->len,
		.line = line,
	};
	return 0;
}

/* Apply all settings to a copy, which replaces *config only if every one is valid. The preset comes
 * first, because other keys replace parts of it wherever they are. */
static int apply(struct rspb_config *config, const struct settings *settings, const char *name,
		 struct rspb_err *err)
{
	struct rspb_config changed = *config;

	for (int preset = 1; preset >= 0; preset--) {
		for (uint32_t i = 0; i < settings->n; i++) {
			const struct setting *s = &settings->list[i];

			if ((s->option == rspb_options) != preset)
				continue;
			if (rspb_option_apply(s->option, &changed, s->value, s->len, err) < 0)
				return fail_at_line(name, s->line, err);
			/* The origin is shown to operators, and tells a default from a written
			 * value (check_notices). */
			changed.from[s->option - rspb_options] = s->line ? (int32_t) s->line
									 : RSPB_FROM_PARAMETERS;
		}
	}
	/* A text without rules leaves those of an earlier text alone: SchedulerParameters are read
	 * after rspb.conf and cannot have any. */
	if (settings->rules[0])
		memcpy(changed.rules, settings->rules, sizeof(changed.rules));
	if (settings->gone.text[0])
		memcpy(changed.gone, settings->gone.text, sizeof(changed.gone));
	*config = changed;
	return 0;
}

/* Read one line: any number of pairs, or a rule, which takes the whole line. RET 0 or -1 with err,
 * without the place. */
static int scan_line(struct settings *settings, const char *p, const char *end, uint32_t line,
		     struct rspb_err *err)
{
	const char *from = p;
	struct rspb_pair pair;
	int rc;

	while ((rc = rspb_pair_next(&p, end, &pair, err)) > 0) {
		/* The whole line is passed, also what came before "Rule=", so that a rule which
		 * does not begin its line is refused. */
		if (rspb_rule_begins(&pair))
			return rspb_rules_add(settings->rules, from, end, err);
		if (note(settings, &pair, line, err))
			return -1;
	}
	return rc;
}

/* RET whether the bytes of a line may stand in a file of settings. */
static bool clean(const char *p, const char *end)
{
	for (; p < end; p++)
		if (((unsigned char) *p < 0x20 && !strchr("\t\r", *p)) || *p == 0x7f)
			return false;
	return true;
}

int rspb_config_read(struct rspb_config *config, const char *text, const char *name,
		     struct rspb_err *err)
{
	struct settings settings = { .n = 0 };
	uint32_t line = 1;

	for (const char *p = text; *p; line++) {
		const char *end = p + strcspn(p, "\n");
		const char *hash = memchr(p, '#', (size_t) (end - p));

		/* The check covers comments, too. */
		if (!clean(p, end))
			return rspb_fail(err,
					 "%s:%" PRIu32 ": control "
					 "characters; allowed is text",
					 name, line);
		if (scan_line(&settings, p, hash ? hash : end, line, err) < 0)
			return fail_at_line(name, line, err);
		p = *end ? end + 1 : end;
	}
	return apply(config, &settings, name, err);
}

/* The text has words for Slurm, too, so words without the prefix are not judged. Values cannot be
 * quoted there. */
int rspb_config_read_parameters(struct rspb_config *config, const char *text, struct rspb_err *err)
{
	static const char prefix[] = "rspb_";
	struct settings settings = { .n = 0 };
	const size_t skip = sizeof(prefix) - 1;

	while (*text) {
		size_t len = strcspn(text, ",");
		const char *equals = memchr(text, '=', len);
		struct rspb_quote quote;
		struct rspb_pair pair;

		if (!strncasecmp(text, prefix, skip)) {
			if (!equals)
				return rspb_fail(err,
						 "%s has no value; "
						 "allowed is rspb_key=value",
						 rspb_text_quote(&quote, text, len));
			/* The pair points into the text; the key loses its prefix, so that both
			 * sources share the table. */
			pair.key = text + skip;
			pair.key_len = (size_t) (equals - text) - skip;
			pair.value = equals + 1;
			pair.len = len - (size_t) (equals - text) - 1;
			if (note(&settings, &pair, 0, err))
				return -1;
		}
		text += len + (text[len] == ',');
	}
	return apply(config, &settings, "", err);
}

/* Refuse an OutageNotice that is written and shorter than FirmNotice. A default that is too short
 * is raised instead (rspb_config_outage), since the site did not choose it. */
static int check_notices(const struct rspb_config *config, struct rspb_err *err)
{
	const struct rspb_option *option = rspb_option_find("OutageNotice");
	char has[32], least[32];

	if (config->from[option - rspb_options] == RSPB_FROM_DEFAULT ||
	    rspb_config_outage(config) == config->outage_notice)
		return 0;
	rspb_duration_print_ms(config->outage_notice * 1000, has, sizeof(has));
	rspb_duration_print_ms(config->firm_notice * 1000, least, sizeof(least));
	return rspb_fail(err, "OutageNotice=%s is less than FirmNotice=%s; allowed is %s or more",
			 has, least, least);
}

int rspb_config_live(const struct rspb_config *config, struct rspb_err *err)
{
	/* Presets of the simulator are known by name, so that the answer says why they cannot be
	 * used and which one to take. */
	if (config->preset && !config->preset->live)
		return rspb_fail(err, "Algorithm=%s is for rspb-sim only: %s", config->preset->name,
				 config->preset->instead ? config->preset->instead
							 : "it changes grants until they start");
	/* Bids without charges would let every user offer the highest price for nothing. */
	if (rspb_order_sells(config->policy.order) && !config->charge_percent)
		return rspb_fail(err, "Order=price: with ChargePercent=0 a "
				      "price costs nothing; allowed is "
				      "ChargePercent=1 or more");
	return check_notices(config, err);
}

/* FirmNotice=3650d means that no booking moves. Raising the other notice to that as well would
 * forbid every reaction to an outage. */
int64_t rspb_config_outage(const struct rspb_config *config)
{
	bool less = config->outage_notice < config->firm_notice;

	return less && config->firm_notice < RSPB_FIRM_AT_ONCE ? config->firm_notice
							       : config->outage_notice;
}
