/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for plugins/compat: reservations of whole nodes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "tests/simulated/world.h"

/* The names of nodes are good until eight more reservations have been looked at. */
static void view_resv(struct sim_resv *resv, struct rspb_resv *out)
{
	static char names[8][SIM_NODES * 4 + 1];
	static int next;

	*out = (struct rspb_resv){
		.handle = resv,
		.id = resv->id,
		.name = resv->name,
		.tag = resv->tag[0] ? resv->tag : NULL,
		.users = resv->users[0] ? resv->users : NULL,
		.start = resv->start,
		.end = resv->end,
		.has_nodes = resv->nodes != 0,
		.maintenance = resv->maintenance,
		.recurs = resv->period == 86400 ? RSPB_RESV_DAILY
			  : resv->period	? RSPB_RESV_HOURLY
						: RSPB_RESV_ONCE,
	};
	if (resv->nodes) {
		char *text = sim_names(resv->nodes);

		next = (next + 1) % 8;
		snprintf(names[next], sizeof(names[next]), "%s", text ? text : "");
		free(text);
		out->nodes = names[next];
	}
}

int rspb_resv_each(enum rspb_resv_which which, int64_t now, rspb_resv_fn fn, void *arg)
{
	int rc = 0;

	(void) now;
	for (int i = 0; i < sim_world->resvs.top && !rc; i++) {
		struct sim_resv *resv = &sim_world->resvs.slot[i];
		struct rspb_resv view;
		uint64_t id;
		uint32_t part;

		if (!resv->used ||
		    (which == RSPB_RESV_OF_OTHERS && rspb_resv_of_job(resv->name, &id, &part)))
			continue;
		view_resv(resv, &view);
		rc = fn(&view, arg);
	}
	return rc;
}

bool rspb_resv_find(const char *name, int64_t now, struct rspb_resv *out)
{
	struct sim_resv *resv = sim_resv_find(name);

	(void) now;
	if (resv)
		view_resv(resv, out);
	return resv;
}

bool rspb_resv_find_id(uint32_t id, int64_t now, struct rspb_resv *out)
{
	(void) now;
	for (int i = 0; i < sim_world->resvs.top; i++)
		if (sim_world->resvs.slot[i].used && sim_world->resvs.slot[i].id == id) {
			view_resv(&sim_world->resvs.slot[i], out);
			return true;
		}
	return false;
}

void rspb_resv_view(void *handle, int64_t now, struct rspb_resv *out)
{
	(void) now;
	view_resv(handle, out);
}

void rspb_resv_nodes(const struct rspb_resv *resv, struct rspb_nodeset *out)
{
	sim_bits_add(((const struct sim_resv *) resv->handle)->nodes, out);
}

bool rspb_resv_is_room(const struct rspb_resv *resv, const struct rspb_resv_spec *spec)
{
	(void) spec;
	return !resv->users;
}

bool rspb_resv_news(struct rspb_resv_seen_at *seen, int64_t now)
{
	bool is = !seen->looked || seen->others != sim_world->others;

	seen->others = sim_world->others;
	seen->looked = now;
	return is;
}

static int create_resv(const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	struct sim_resv *resv;

	if (sim_resv_find(spec->name))
		return rspb_fail(err, "there is a reservation %s already", spec->name);
	resv = sim_resv_add(spec->name);
	if (!resv)
		return rspb_fail(err, "there are too many reservations");
	snprintf(resv->tag, sizeof(resv->tag), "%s", spec->tag ? spec->tag : "");
	snprintf(resv->users, sizeof(resv->users), "%s", spec->user ? spec->user : "");
	resv->start = spec->start;
	resv->end = spec->end;
	resv->nodes = sim_nodes_parse(spec->nodes);
	sim_log("RESV %s made for %s, %" PRId64 " to %" PRId64 " nodes %016llx", resv->name,
		resv->users, resv->start, resv->end, (unsigned long long) resv->nodes);
	sim_resv_changed(false);
	return 0;
}

bool sim_resv_blocks(uint64_t nodes)
{
	for (int i = 0; i < sim_world->resvs.top; i++) {
		const struct sim_resv *resv = &sim_world->resvs.slot[i];

		if (resv->used && resv->maintenance && resv->nodes & nodes &&
		    resv->start <= sim_now() && resv->end > sim_now())
			return true;
	}
	return false;
}

const char *rspb_resv_strays(const struct rspb_resv *resv, uint32_t uid, const char *account,
			     bool grown)
{
	(void) resv;
	(void) uid;
	(void) account;
	(void) grown;
	return NULL;
}

/* A reservation that somebody else made counts as edited. */
static void edit_resv(const char *name)
{
	uint64_t id;
	uint32_t part;

	if (!rspb_resv_of_job(name, &id, &part))
		sim_world->edits++;
	sim_resv_changed(false);
}

/* Accounts and features are not modelled. */
int rspb_resv_make_so(const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	struct sim_resv *resv = sim_resv_find(spec->name);

	if (spec->create)
		return create_resv(spec, err);
	if (!resv)
		return rspb_fail(err, "there is no reservation %s", spec->name);
	if (spec->room)
		return rspb_fail(err, "reservation %s was changed", spec->name);
	if (spec->end && sim_now() < sim_world->fixed_until)
		return rspb_fail(err, "reservation %s is not changed: a user is not known",
				 spec->name);
	if (spec->end && spec->nodes) {
		resv->nodes = sim_nodes_parse(spec->nodes);
		memset(resv->cores, 0, sizeof(resv->cores));
	}
	if (spec->tag)
		snprintf(resv->tag, sizeof(resv->tag), "%s", spec->tag);
	if (spec->end && spec->user)
		snprintf(resv->users, sizeof(resv->users), "%s", spec->user);
	if (spec->end) {
		resv->start = spec->start;
		resv->end = spec->end;
		sim_log("RESV %s placed, %" PRId64 " to %" PRId64 " nodes %016llx", resv->name,
			resv->start, resv->end, (unsigned long long) resv->nodes);
	} else if (spec->tag) {
		sim_log("RESV %s tag %s", spec->name, resv->tag);
	}
	if (spec->end || spec->tag)
		edit_resv(spec->name);
	return 0;
}

int rspb_resv_delete(const char *name, struct rspb_err *err)
{
	struct sim_resv *resv = sim_resv_find(name);

	if (!resv)
		return 0;
	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->jobs.ids[i]);

		if (job->phase != RSPB_JOB_DONE && !strcmp(job->resv, name))
			return rspb_fail(err, "reservation %s is in use", name);
	}
	sim_log("RESV %s deleted", name);
	sim_world_look(1);
	resv->used = false;
	sim_resv_changed(false);
	return 0;
}
