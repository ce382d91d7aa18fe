/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between releases of Slurm about reservations and nodes. */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_RESV_H
#define RSPB_PLUGINS_COMPAT_RELEASE_RESV_H

#include "plugins/compat/release/headers.h"

/* RET Slurm's code. From 23.02 on there is a text beside it, for users. */
static inline int rspb_release_resv_create(resv_desc_msg_t *desc)
{
#ifdef RSPB_HAVE_RESV_MESSAGE
	char *text = NULL;
	int rc = create_resv(desc, &text);

	xfree(text);
	return rc;
#else
	return create_resv(desc);
#endif
}

static inline int rspb_release_resv_update(resv_desc_msg_t *desc)
{
#ifdef RSPB_HAVE_RESV_MESSAGE
	char *text = NULL;
	int rc = update_resv(desc, &text);

	xfree(text);
	return rc;
#else
	return update_resv(desc);
#endif
}

/* Nodes by their names. RET Slurm's code: not all of them exist. */
static inline int rspb_release_nodes(char *names, bitstr_t **out)
{
#ifdef RSPB_HAVE_INVALID_NAMES
	return node_name2bitmap(names, false, out, NULL);
#else
	return node_name2bitmap(names, false, out);
#endif
}

/* Flags of a reservation that returns. */
#ifdef RESERVE_REOCCURING
#define RSPB_RELEASE_RECURS RESERVE_REOCCURING
#else
#define RSPB_RELEASE_RECURS RESERVE_REOCCURRING
#endif

/* The bit of SelectTypeParameters that says that memory is counted. */
#ifdef RSPB_HAVE_SELECT_MEMORY
#define RSPB_RELEASE_MEMORY SELECT_MEMORY
#else
#define RSPB_RELEASE_MEMORY CR_MEMORY
#endif

#endif
