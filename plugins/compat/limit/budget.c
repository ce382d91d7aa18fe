/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits on minutes: budgets that are used up, and what all that runs has yet to
 * run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "plugins/compat/limit/reader.h"
#include "src/common/assoc_mgr.h"

/* Minutes of a TRES: of all that runs at a time, or for good. */
static void count_minutes(struct reader *reader, const struct owner *owner, const uint64_t *most,
			  const bool *met, const char *name, enum rspb_quota_span span)
{
	for (int i = 0; most && reader->factor > 0 && i < slurmctld_tres_cnt; i++) {
		struct rspb_quota use;
		char limit[64];

		if (most[i] == INFINITE64 || most[i] == NO_VAL64 || !rspb_use_counted(i))
			continue;
		use = rspb_use_of(reader, i);
		use = rspb_use_scaled(&use, reader->factor * (use.unit ? 1 : THOUSANDTHS));
		use.span = span;
		use.unit = MINUTE;
		snprintf(limit, sizeof(limit), "%s=%.16s=%" PRIu64, name,
			 assoc_mgr_tres_name_array[i], most[i]);
		if (use.use || use.per_node || use.per_cpu)
			rspb_reader_add(reader, owner,
					i + (span == RSPB_QUOTA_EVER ? OF_MINUTES : OF_RUN_MINUTES),
					met[i] ? -1 : (int64_t) most[i], &use, limit);
	}
}

/* A group's minutes of jobs, however wide they are. */
static void count_wall(struct reader *reader, const struct owner *owner, uint32_t most)
{
	const struct rspb_quota use = {
		.use = (int64_t) ceil(reader->factor * THOUSANDTHS),
		.span = RSPB_QUOTA_EVER,
		.unit = MINUTE,
	};
	char limit[48];

	if (most == INFINITE || most == NO_VAL || reader->factor <= 0)
		return;
	snprintf(limit, sizeof(limit), "GrpWall=%u", most);
	rspb_reader_add(reader, owner, OF_WALL, reader->met.grp_wall ? -1 : (int64_t) most, &use,
			limit);
}

void rspb_budget_count(struct reader *reader, const struct owner *owner, const uint64_t *mins,
		       const uint64_t *run_mins, uint32_t wall)
{
	count_minutes(reader, owner, mins, reader->met.grp_mins, "GrpTRESMins", RSPB_QUOTA_EVER);
	count_minutes(reader, owner, run_mins, reader->met.grp_run_mins, "GrpTRESRunMins",
		      RSPB_QUOTA_LENGTH);
	count_wall(reader, owner, wall);
}

/* --- what has been used ------------------------------------------------- */

static void add_used(struct rspb_quotas *out, const struct owner *owner, int tres,
		     long double seconds)
{
	const struct rspb_quota use = {
		.use = (int64_t) fminl(ceill(seconds * THOUSANDTHS), RSPB_QUOTA_MOST),
	};
	struct rspb_quota *quota = rspb_quotas_add(out, &use);

	if (quota)
		quota->key = rspb_quota_key(owner, tres);
}

static void add_group(struct rspb_quotas *out, const struct owner *owner, const uint64_t *mins,
		      uint32_t wall, const long double *used, double used_wall)
{
	for (int i = 0; mins && used && i < slurmctld_tres_cnt; i++)
		if (mins[i] != INFINITE64 && mins[i] != NO_VAL64)
			add_used(out, owner, i + OF_MINUTES, used[i]);
	if (wall != INFINITE && wall != NO_VAL)
		add_used(out, owner, OF_WALL, used_wall);
}

static int used_by_qos(void *item, void *out)
{
	const slurmdb_qos_rec_t *qos = item;
	const struct owner owner = { .kind = 'q', .id = qos->id };

	if (qos->usage)
		add_group(out, &owner, qos->grp_tres_mins_ctld, qos->grp_wall,
			  qos->usage->usage_tres_raw, qos->usage->grp_used_wall);
	return 0;
}

static int used_by_assoc(void *item, void *out)
{
	const slurmdb_assoc_rec_t *assoc = item;
	const struct owner owner = { .kind = 'g', .id = assoc->id };

	if (assoc->usage)
		add_group(out, &owner, assoc->grp_tres_mins_ctld, assoc->grp_wall,
			  assoc->usage->usage_tres_raw, assoc->usage->grp_used_wall);
	return 0;
}

void rspb_quotas_used(struct rspb_quotas *out)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
	};

	assoc_mgr_lock(&locks);
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, used_by_qos, out);
	if (assoc_mgr_assoc_list)
		list_for_each(assoc_mgr_assoc_list, used_by_assoc, out);
	assoc_mgr_unlock(&locks);
}
