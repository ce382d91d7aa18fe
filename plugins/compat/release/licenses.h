/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hides the differences between releases of Slurm in licenses. */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_LICENSES_H
#define RSPB_PLUGINS_COMPAT_RELEASE_LICENSES_H

#include <string.h>

#include "plugins/compat/release/headers.h"
#include "src/slurmctld/licenses.h"

/* The cluster's licenses; in no header from 25.05 on. Slurm changes the list
 * under a mutex of its own: it is only walked, which the list itself guards. */
#ifdef RSPB_HAVE_LICENSE_LIST
#pragma weak license_list
#else
extern list_t *cluster_license_list;
#pragma weak cluster_license_list
#endif

static inline list_t *rspb_release_licenses(void)
{
#ifdef RSPB_HAVE_LICENSE_LIST
	return license_list;
#else
	return cluster_license_list;
#endif
}

/* How much of a remote one the server says is taken outside of the cluster. */
static inline uint32_t rspb_release_license_elsewhere(const licenses_t *license)
{
#ifdef RSPB_HAVE_LICENSE_DEFICIT
	return license->last_deficit;
#else
	(void) license;
	return 0;
#endif
}

/* Whether the license is one of several of which a job wants one; whether it is bound to nodes. */
static inline bool rspb_release_license_either(const licenses_t *license)
{
#ifdef RSPB_HAVE_LICENSE_HRES
	return license->op_or;
#else
	(void) license;
	return false;
#endif
}

static inline bool rspb_release_license_of_nodes(const licenses_t *license)
{
#ifdef RSPB_HAVE_LICENSE_HRES
	return license->id.hres_id != NO_VAL16;
#else
	(void) license;
	return false;
#endif
}

/* The licenses of a text, for the caller to free; NULL: none, or it is none. If they have to be
 * there, a text with one that is unknown, or of which the site has too few, is none. counts: the
 * numbers by TRES of a job's record, in which those of the licenses are set; NULL: none. */
static inline list_t *rspb_release_licenses_parse(char *text, bool there, uint64_t *counts)
{
	bool valid = true;
	list_t *list;
#ifdef RSPB_HAVE_LICENSE_FUZZY
	bool fuzzy = false;

	list = license_validate(text, there, there, false, counts, &valid, &fuzzy);
#elif defined(RSPB_HAVE_LICENSE_HRES)
	list = license_validate(text, there, there, false, counts, &valid);
#else
	list = license_validate(text, there, there, counts, &valid);
#endif
	if (!valid)
		FREE_NULL_LIST(list);
	return list;
}

static inline list_t *rspb_release_licenses_read(char *text)
{
	return rspb_release_licenses_parse(text, true, NULL);
}

/* Whether Slurm held a job when it read the job's record, because the site had fewer licenses than
 * the job requests. From 26.05 on, Slurm holds such a job as an operator does, forgets its list of
 * licenses, and never lets it go. The text tells this hold from one by an operator. */
static inline bool rspb_release_license_hold(const job_record_t *job)
{
	static const char text[] = "License request '";

	return !job->priority && job->licenses && job->state_desc &&
	       !strncmp(job->state_desc, text, sizeof(text) - 1);
}

#endif
