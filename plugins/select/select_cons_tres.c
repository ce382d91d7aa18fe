/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_cons_tres.so: carries the name, type and id of Slurm's plugin and
 * hands everything on to it, but for the two operations that choose nodes.
 * Clients load it too and only ever hand on.
 */
#include "plugins/compat/abi.h"
#include "plugins/compat/plugin.h"
#include "plugins/compat/select_ops.h"
#include "plugins/compat/wrap.h"
#include "plugins/ctld/broker.h"

RSPB_PLUGIN("Trackable resources, kept off advance reservations",
	    "select/cons_tres");
extern const uint32_t plugin_id;
const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;

static void *handle;
static struct rspb_select_ops stock;
static int (*stock_init)(void);
static void (*stock_fini)(void);

RSPB_SELECT_OPS(RSPB_SELECT_FORWARD)

static int load_stock(struct rspb_err *err)
{
	static const char *const names[] = RSPB_SELECT_NAMES;
	static const char *const id_name[] = { "plugin_id" };
	static const char *const life_names[] = { "init", "fini" };
	void *life[2], *id;

	handle = rspb_wrap_open("select_cons_tres.so", plugin_type, err);
	if (!handle)
		return -1;
	if (rspb_wrap_symbols(handle, names, (void **) &stock,
			      sizeof(names) / sizeof(names[0]), err) ||
	    rspb_wrap_symbols(handle, life_names, life, 2, err) ||
	    rspb_wrap_symbols(handle, id_name, &id, 1, err))
		return -1;
	if (*(uint32_t *) id != plugin_id)
		return rspb_fail(err, "the stock plugin has id %u instead of %u",
				 *(uint32_t *) id, plugin_id);
	stock_init = (int (*)(void)) life[0];
	stock_fini = (void (*)(void)) life[1];
	return 0;
}

int init(void)
{
	struct rspb_err err;

	if (!rspb_abi_check(&err) && !load_stock(&err)) {
		if (stock_init() == SLURM_SUCCESS)
			return SLURM_SUCCESS;
		rspb_fail(&err, "the stock plugin's init() failed");
	}
	error("rspb: select_cons_tres.so: %s", err.text);
	rspb_wrap_close(handle);
	handle = NULL;
	return SLURM_ERROR;
}

void fini(void)
{
	if (!handle)
		return;
	stock_fini();
	rspb_wrap_close(handle);
	handle = NULL;
}

int select_p_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
		      uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,
		      List candidates, List *preemptees, bitstr_t *exc_cores)
{
	return stock.job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode,
			      candidates, preemptees, exc_cores);
}

bitstr_t *select_p_resv_test(resv_desc_msg_t *desc, uint32_t count,
			     bitstr_t *available, bitstr_t **cores)
{
	return stock.resv_test(desc, count, available, cores);
}
