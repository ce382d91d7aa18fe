/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations of slurmctld. Reading wants the read lock, create and delete
 * the write lock; a view and what it points to are good until it is released.
 */
#ifndef RSPB_PLUGINS_COMPAT_RESV_H
#define RSPB_PLUGINS_COMPAT_RESV_H

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"

/* Names by which our reservations are known. */
#define RSPB_WAITING_ROOM   "rspb_waiting"
#define RSPB_LATER_ROOM	    "rspb_later"
#define RSPB_BOOKING_PREFIX "rspb_"

/* Whether a reservation of that name (NULL: none) is ours. */
static inline bool rspb_resv_ours(const char *name)
{
	return name && !strncmp(name, RSPB_BOOKING_PREFIX, sizeof(RSPB_BOOKING_PREFIX) - 1);
}

enum { RSPB_RESV_NAME = 40 };

/* The name of a job's booking, "rspb_<job>", with the part behind it where there are
 * several. */
static inline void rspb_resv_name(uint64_t id, uint32_t part, uint32_t n_parts, char *buf,
				  size_t size)
{
	if (n_parts > 1)
		snprintf(buf, size, RSPB_BOOKING_PREFIX "%" PRIu64 "_%u", id, part);
	else
		snprintf(buf, size, RSPB_BOOKING_PREFIX "%" PRIu64, id);
}

/* Whether a name is such a one; a single job has no part in its name, which is 0 then. */
static inline bool rspb_resv_of_job(const char *name, uint64_t *id, uint32_t *part)
{
	static const size_t len = sizeof(RSPB_BOOKING_PREFIX) - 1;
	char *end;

	if (strncmp(name, RSPB_BOOKING_PREFIX, len) || !isdigit((unsigned char) name[len]))
		return false;
	*id = strtoull(name + len, &end, 10);
	*part = *end == '_' ? (uint32_t) strtoul(end + 1, NULL, 10) : 0;
	return true;
}

/* How often a reservation returns. */
enum rspb_resv_recurs {
	RSPB_RESV_ONCE,
	RSPB_RESV_HOURLY,
	RSPB_RESV_DAILY,
	RSPB_RESV_WEEKLY,
	RSPB_RESV_WEEKDAYS,
	RSPB_RESV_WEEKENDS
};

struct rspb_resv {
	void *handle; /* Slurm's record */
	uint32_t id;  /* Slurm's number for it; used again much later */
	const char *name;
	const char *tag;		  /* BurstBuffer=, NULL: none */
	const char *nodes;		  /* as text, NULL: none */
	const char *users, *accounts;	  /* who may use it; NULL: any */
	const char *partition, *features; /* NULL: not given */
	int64_t start, end;		  /* of the occurrence that runs or comes next */
	bool has_nodes;
	bool maintenance;
	enum rspb_resv_recurs recurs;
	bool floats;   /* stays so far ahead of now */
	bool flexible; /* its jobs may leave its window and nodes */
};

typedef int (*rspb_resv_fn)(const struct rspb_resv *resv, void *arg);
/* Call fn for each until it returns non-zero, or for those alone that are not of a booked job,
 * by their names. RET that, else 0. */
enum rspb_resv_which { RSPB_RESV_ALL, RSPB_RESV_OF_OTHERS };
int rspb_resv_each(enum rspb_resv_which which, int64_t now, rspb_resv_fn fn, void *arg);
bool rspb_resv_find(const char *name, int64_t now, struct rspb_resv *out);
bool rspb_resv_find_id(uint32_t id, int64_t now, struct rspb_resv *out);
/* Fill a view of Slurm's record. */
void rspb_resv_view(void *handle, int64_t now, struct rspb_resv *out);
/* Add its nodes to out; a reservation of cores counts as one of its nodes. */
void rspb_resv_nodes(const struct rspb_resv *resv, struct rspb_nodeset *out);

/*
 * A reservation as it is to be. One that is there keeps what is NULL or 0, and its jobs stay tied
 * to it. Without a user, who may use it and its other settings stay, too; with one, it is for that
 * user alone and as it would be created.
 */
struct rspb_resv_spec {
	const char *name;
	bool create;	      /* there is none of that name */
	bool room;	      /* it lets in whoever may have jobs, and has no nodes */
	const char *user;     /* by name or number; to create it NULL: whoever may have jobs */
	const char *accounts; /* with user, or alone; Slurm may refuse another one */
	const char *nodes;
	const char *partition; /* to create it; NULL: any */
	const char *features;  /* Features=, "": none. It keeps its nodes. */
	const char *tag;       /* BurstBuffer= */
	int64_t start, end;    /* end 0: window and nodes stay */
	bool purge;	       /* to create it: let Slurm end it when it stays unused */
	/* Its window is over: keep Slurm from ending the jobs in it (ResvOverRun); their own limits
	 * hold. */
	bool outlasts;
};
/* Make it so, with the write lock. RET 0; -1 with err: its window, nodes and users are as
 * before. */
int rspb_resv_make_so(const struct rspb_resv_spec *spec, struct rspb_err *err);
/* Whether it is a room as that was created. */
bool rspb_resv_is_room(const struct rspb_resv *resv, const struct rspb_resv_spec *spec);
/* Whether somebody else may have made, changed or deleted one since this was last
 * true of `seen` (0 at first); at the same time as ours, where there are many, it may
 * take five seconds to be seen. With the read lock. */
struct rspb_resv_seen_at {
	int64_t looked, others;
};
bool rspb_resv_news(struct rspb_resv_seen_at *seen, int64_t now);
/* Count a change by us of one that somebody else made. */
void rspb_resv_edited(void);
/* Whether one that was created for this user is still for that user alone, with no
 * other account than this, and of no other kind; one that has grown may name the default partition,
 * where Slurm has looked for more nodes. RET NULL, or what of it has been changed, by the name
 * scontrol has for it. */
const char *rspb_resv_strays(const struct rspb_resv *resv, uint32_t uid, const char *account,
			     bool grown);
/* RET 0 (also when there is none of that name), or -1 with err: in use. */
int rspb_resv_delete(const char *name, struct rspb_err *err);

#endif
