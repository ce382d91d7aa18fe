/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How select_p_job_test() is told what the job must not have: a bitmap of
 * cores, from 23.11 on in a struct with more, where nothing is excluded by
 * NULLs; and from 24.11 on of the times that are asked about.
 */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_JOB_TEST_H
#define RSPB_PLUGINS_COMPAT_RELEASE_JOB_TEST_H

#include "plugins/compat/release/headers.h"

/* clang-format off */
#ifdef RSPB_HAVE_RESV_EXC
#include "src/common/core_array.h"
typedef resv_exc_t rspb_release_exclusion;
#else
typedef bitstr_t rspb_release_exclusion;
#endif

#ifdef RSPB_HAVE_WILL_RUN_DATA
typedef will_run_data_t rspb_release_times;
#define RSPB_RELEASE_TIMES_PARAM , will_run_data_t *times
#define RSPB_RELEASE_TIMES(times) , times
#else
typedef void rspb_release_times;
#define RSPB_RELEASE_TIMES_PARAM
#define RSPB_RELEASE_TIMES(times)
#endif

/* Parameters and arguments of select_p_job_test(). */
#define RSPB_RELEASE_JOB_TEST_PARAMS \
	(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes, \
	 uint32_t max_nodes, uint32_t req_nodes, uint16_t mode, \
	 list_t *candidates, list_t **preemptees, \
	 rspb_release_exclusion *exclusion RSPB_RELEASE_TIMES_PARAM)
#define RSPB_RELEASE_JOB_TEST_ARGS \
	(job, nodes, min_nodes, max_nodes, req_nodes, mode, candidates, \
	 preemptees, exclusion RSPB_RELEASE_TIMES(times))
/* clang-format on */

/* The cores excluded, NULL: none. */
static inline bitstr_t *rspb_release_excluded(const rspb_release_exclusion *exclusion)
{
#ifdef RSPB_HAVE_RESV_EXC
	return exclusion->exc_cores ? exclusion->core_bitmap : NULL;
#else
	return (bitstr_t *) exclusion;
#endif
}

/* The same but for cores, of which none is excluded, in *out or NULL. */
static inline rspb_release_exclusion *rspb_release_exclude_none(
	const rspb_release_exclusion *exclusion, rspb_release_exclusion *out)
{
#ifdef RSPB_HAVE_RESV_EXC
	*out = *exclusion;
	out->core_bitmap = NULL;
	out->exc_cores = NULL;
	return out;
#else
	(void) exclusion;
	(void) out;
	return NULL;
#endif
}

/* The same but for cores, which are these from now on: their memory goes over,
 * to rspb_release_exclusion_free(). */
static inline rspb_release_exclusion *rspb_release_exclude(const rspb_release_exclusion *exclusion,
							   bitstr_t *cores)
{
#ifdef RSPB_HAVE_RESV_EXC
	resv_exc_t *own = xmalloc(sizeof(*own));

	*own = *exclusion;
	own->core_bitmap = cores;
	own->exc_cores = core_bitmap_to_array(cores);
	return own;
#else
	(void) exclusion;
	return cores;
#endif
}

static inline void rspb_release_exclusion_free(rspb_release_exclusion *own)
{
#ifdef RSPB_HAVE_RESV_EXC
	free_core_array(&own->exc_cores);
	FREE_NULL_BITMAP(own->core_bitmap);
	xfree(own);
#else
	FREE_NULL_BITMAP(own);
#endif
}

/* The selection plugin's word on whether a job could ever run on `least` to
 * `most` of these nodes, best on `wanted` (SELECT_MODE_TEST_ONLY), or when
 * (SELECT_MODE_WILL_RUN), or what it gets of them now (SELECT_MODE_RUN_NOW), not on
 * these cores then (NULL: on any); takes those out that it would not need. */
static inline int rspb_release_test(job_record_t *job, bitstr_t *nodes, uint32_t least,
				    uint32_t most, uint32_t wanted, uint16_t mode,
				    const bitstr_t *cores)
{
	rspb_release_exclusion *exclusion = NULL, *own = NULL;
	int rc;
#ifdef RSPB_HAVE_RESV_EXC
	resv_exc_t none = { 0 };

	exclusion = &none;
#endif
	if (cores)
		exclusion = own = rspb_release_exclude(exclusion, bit_copy((bitstr_t *) cores));
	rc = select_g_job_test(job, nodes, least, most, wanted, mode, NULL, NULL,
			       exclusion RSPB_RELEASE_TIMES(NULL));
	if (own)
		rspb_release_exclusion_free(own);
	return rc;
}

#endif
