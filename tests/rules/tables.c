/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every row of every table that users meet, for the checks of the
 * documentation: kind, name, default, range, separated by tabs. With
 * the argument "example": contrib/examples/rspb.conf as the table of options
 * says it must be.
 */
#include <stdio.h>
#include <string.h>

#include "common/conf/config.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"
#include "common/wire/flags.h"

static void row(const char *kind, const char *name)
{
	printf("%s\t%s\t\t\n", kind, name);
}

static void print_rows(void)
{
	for (const struct rspb_option *o = rspb_options; o->key; o++)
		printf("key\t%s\t%s\t%s\n", o->key, o->fallback ? o->fallback : "", o->range);
	for (const struct rspb_preset *p = rspb_presets; p->name; p++)
		row(p->live ? "preset" : "simulated", p->name);
	for (const struct rspb_order *o = rspb_orders; o->name; o++)
		row("order", o->name);
	for (const struct rspb_when *w = rspb_whens; w->name; w++)
		row("when", w->name);
	for (const struct rspb_where *w = rspb_wheres; w->name; w++)
		row("where", w->name);
	for (const struct rspb_degrade *d = rspb_degrades; d->name; d++)
		row("degrade", d->name);
	/* What no one can type needs no manual. */
	for (const struct rspb_term *f = rspb_terms; f->name; f++)
		if (f->help)
			row("flag", f->name);
	for (const struct rspb_tag_key *k = rspb_tag_keys; k->name; k++)
		row("tag", k->name);
	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		if (t->where & RSPB_TERM_TAG)
			row("tag", t->name);
	for (const struct rspb_shape *s = rspb_shapes; s->name; s++)
		row("shape", s->name);
	for (int s = 0; s < RSPB_N_STATES; s++)
		row("state", rspb_state_name((enum rspb_state) s));
}

static void print_example(void)
{
	struct rspb_config config;
	char value[RSPB_CONFIG_LIST];

	rspb_config_defaults(&config);
	printf("# SPDX-License-Identifier: GPL-2.0-or-later\n"
	       "# Settings of slurm-rspb with their defaults; rspb.conf(5) "
	       "explains them.\n"
	       "# This file is beside slurm.conf on the host of "
	       "slurmctld.\n");
	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		printf("\n# %c%s.\n# Allowed: %s.\n",
		       o->help[0] >= 'a' && o->help[0] <= 'z' ? o->help[0] - 'a' + 'A' : o->help[0],
		       o->help + 1, o->range);
		rspb_option_get(o, &config, value, sizeof(value));
		printf("#%s=%s\n", o->key, value);
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "example"))
		print_example();
	else
		print_rows();
	return 0;
}
