/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_backfill.so: carries the name and type of Slurm's backfill scheduler,
 * hands everything on to it, and gives the broker its life: it starts with the
 * scheduler and ends with it. The name matters: Slurm takes heterogeneous jobs
 * only when SchedulerType is sched/backfill.
 */
#include "plugins/compat/abi.h"
#include "plugins/compat/plugin.h"
#include "plugins/compat/wrap.h"
#include "plugins/ctld/broker.h"

RSPB_PLUGIN("Backfill scheduler with advance reservations", "sched/backfill");

/* The operations of a scheduler plugin, which are the same in all releases. */
struct sched_ops {
	int (*init)(void);
	void (*fini)(void);
	int (*reconfig)(void);
};

extern int sched_p_reconfig(void);

static void *handle;
static struct sched_ops stock;

static int load_stock(struct rspb_err *err)
{
	/* In the order of the members of stock. */
	static const char *const names[] = { "init", "fini", "sched_p_reconfig" };

	handle = rspb_wrap_open("sched_backfill.so", plugin_type, err);
	if (!handle)
		return -1;
	if (rspb_wrap_symbols(handle, names, (void **) &stock, sizeof(names) / sizeof(names[0]),
			      err)) {
		rspb_wrap_close(handle);
		handle = NULL;
		return -1;
	}
	return 0;
}

static int refuse(const struct rspb_err *err)
{
	error("rspb: sched_backfill.so: %s", err->text);
	rspb_wrap_close(handle);
	handle = NULL;
	return SLURM_ERROR;
}

/* Refuse to load with another select plugin, because bookings would not be kept free of regular
 * jobs. Slurm then takes its own scheduler, and there are no bookings. */
static int check_selection(struct rspb_err *err)
{
	if (!xstrcmp(slurm_conf.select_type, "select/cons_tres"))
		return 0;
	return rspb_fail(
		err,
		"SelectType=%s: bookings need SelectType=select/cons_tres; until slurm.conf has "
		"it, nothing can be booked",
		slurm_conf.select_type ? slurm_conf.select_type : "(none)");
}

int init(void)
{
	struct rspb_err err;

	if (rspb_abi_check(plugin_type, &err) || check_selection(&err) || load_stock(&err))
		return refuse(&err);
	/* Settings that cannot be read end slurmctld: to run with others than the site's would
	 * break its promises to users. The administrator is there to read this. */
	if (rspb_broker_start(&err))
		fatal("rspb: %s", err.text);
	if (stock.init() != SLURM_SUCCESS) {
		/* A scheduler that is not loaded must leave no thread behind. */
		rspb_broker_stop();
		rspb_fail(&err, "the stock plugin's init() failed");
		return refuse(&err);
	}
	return SLURM_SUCCESS;
}

void fini(void)
{
	rspb_broker_stop();
	if (!handle)
		return;
	stock.fini();
	rspb_wrap_close(handle);
	handle = NULL;
}

/* Read the settings again. Unlike at the start, wrong settings do not end slurmctld. */
int sched_p_reconfig(void)
{
	struct rspb_err err;

	if (rspb_broker_reconfig(&err))
		error("rspb: %s; the old settings stay in force", err.text);
	return stock.reconfig();
}
