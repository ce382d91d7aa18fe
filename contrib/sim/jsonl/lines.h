/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON lines in: strict, and every complaint names file, line and field.
 *
 * One object a line; lines that are empty or begin with '#' are skipped. The
 * first lines may be {"type":"config",...}; later ones add to earlier ones.
 */
#ifndef RSPB_SIM_JSONL_LINES_H
#define RSPB_SIM_JSONL_LINES_H

#include <stddef.h>
#include <stdio.h>

#include "common/base/err.h"
#include "contrib/sim/jsonl/fields.h"

struct sim_lines {
	const char *file;
	struct sim_record config;   /* object is owned, {} without config */
	struct sim_record *records; /* owned, with their objects */
	size_t n, room;
};

/* All of a file (NULL: standard input) as one malloc'ed text, with a NUL behind it. RET
 * 0, or -1 with err and *text NULL. */
int sim_lines_slurp(const char *file, char **text, size_t *length, struct rspb_err *err);
/* RET 0, or -1 with err and nothing to free. */
int sim_lines_parse(struct sim_lines *lines, const char *text, size_t length, const char *file,
		    struct rspb_err *err);
void sim_lines_fini(struct sim_lines *lines);
/* Parse one line, for input that is too long to be held in memory: record->object is the
 * caller's then. RET 1; 0: there is no object in it; -1 with err that says where, by
 * record->file and line. */
int sim_line_parse(const char *text, size_t length, struct sim_record *record,
		   struct rspb_err *err);
/* No two records with the same "id". RET 0 or -1 with err. */
int sim_lines_unique(const struct sim_lines *lines, struct rspb_err *err);

#endif
