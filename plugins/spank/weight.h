/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a share to what the kernel is told.
 *
 * A share s of the node and N CPUs that the job may use, period P:
 *
 *	v2	cpu.weight = 1000 s in 1..10000
 *		cpu.max    = max(1000, c N P) P, or max P without a ceiling c
 *	v1	cpu.shares = 10240 s in 2..262144, quota alike, or -1
 *
 * The kernel's defaults (v2: 100, v1: 1024) so stand for a tenth of the node.
 * The whole range of v2 would be ten times finer, but then Slurm's own group
 * beside the jobs, at 100, starves and launches take seconds.
 *
 * Source: the kernel's admin-guide/cgroup-v2 (cpu interface files) and
 * scheduler/sched-bwc for ranges; ratios are linear in both.
 */
#ifndef RSPB_PLUGINS_SPANK_WEIGHT_H
#define RSPB_PLUGINS_SPANK_WEIGHT_H

#include <stdint.h>

enum {
	RSPB_PERIOD_MIN_US = 20000,
	RSPB_PERIOD_MAX_US = 100000,
	RSPB_QUOTA_MIN_US = 1000, /* the kernel takes no less */
	RSPB_V1_WHOLE = 10240,
	RSPB_V2_WHOLE = 1000, /* weight of a node */
	RSPB_V1_SHARES_TOP = 262144,
	RSPB_V2_WEIGHT_TOP = 10000
};

/* share in 1/10000 of the node, rounded to the nearest weight. */
int64_t rspb_weight_v2(int64_t share);
int64_t rspb_weight_v1(int64_t share);

/* Microseconds of CPU time a period, -1 without a ceiling (0). */
int64_t rspb_quota_us(int64_t ceiling, int64_t n_cpus, int64_t period_us);

/* The reverse: the share that a weight stands for (whole: 1000 or 10240), and
 * the ceiling that a quota is. */
int64_t rspb_weight_share(int64_t weight, int64_t whole);
int64_t rspb_quota_ceiling(int64_t quota_us, int64_t n_cpus, int64_t period_us);

/* RET the share with which a job without a granted one competes: its part of the node's cores, at
 * least 1/10000, the whole if nothing is known. */
int64_t rspb_share_of_cores(int64_t cores, int64_t node_cores);

/* RET the weight of a job without a granted share beside granted ones: its own share, or less of
 * it, in proportion, when all such jobs together (`others`) would weigh more than the granted
 * shares leave of the node. */
int64_t rspb_share_beside(int64_t own, int64_t granted, int64_t others);

/* How many numbers a kernel list such as "0-3,8,10-11" has; -1 when it is
 * none. "" has 0. */
int64_t rspb_list_count(const char *text);

#endif
