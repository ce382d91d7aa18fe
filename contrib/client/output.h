/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what users read. */
#ifndef RSPB_CLIENT_OUTPUT_H
#define RSPB_CLIENT_OUTPUT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RSPB_OUTPUT_CELL = 48 };

/* "2026-11-24T09:00:00" by this host's clock; "-": 0. RET buf. */
char *rspb_output_time(int64_t at, char buf[RSPB_OUTPUT_CELL]);
/* The same with the clock's name: "2026-11-24T09:00:00 CET". */
char *rspb_output_moment(int64_t at, char buf[RSPB_OUTPUT_CELL]);
/* The names of this host's clock at the moments that a list has in two members, "CET" or
 * "CET, CEST"; of an empty list that of now. */
char *rspb_output_zones(json_object *list, const char *from, const char *until,
			char buf[RSPB_OUTPUT_CELL]);
/* A text of slurmctld's, whose times are UTC, by this host's clock. RET what the
 * caller frees, NULL: out of memory. */
char *rspb_output_local(const char *text);
/* Its state: "held until 10:32" for what is booked until then, "open" for what only
 * asked what could be had. */
char *rspb_output_state(json_object *booking, char buf[RSPB_OUTPUT_CELL]);
/* Job or reservation, as commands take it. */
char *rspb_output_id(json_object *booking, char buf[RSPB_OUTPUT_CELL]);
/* "1-02:00:00" */
char *rspb_output_duration(int64_t seconds, char buf[RSPB_OUTPUT_CELL]);
/* A user's name, or the number where there is none. */
char *rspb_output_user(int64_t uid, char buf[RSPB_OUTPUT_CELL]);
/* "3/4", or "4" where that is what was asked. */
char *rspb_output_nodes(json_object *booking, char buf[RSPB_OUTPUT_CELL]);
/* The GPUs of all its nodes: "a100:4", "a100:2,v100:2", "4" of unknown types, "-". RET buf. */
char *rspb_output_gpus(json_object *booking, char buf[RSPB_OUTPUT_CELL]);
/* The memory that each node gives: "800M", "2G", "-". RET buf. */
char *rspb_output_mem(json_object *booking, char buf[RSPB_OUTPUT_CELL]);
/* Columns of a terminal, 0: it is none. */
size_t rspb_output_width(void);
/* Its lines, 50 where there is none; LINES counts over that. */
uint32_t rspb_output_height(void);
/* Print as one object, and drop it. */
void rspb_output_json(json_object *object);

#endif
