/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the text of a picture, all of which users may have typed. */
#ifndef RSPB_CLIENT_SVG_WORDS_H
#define RSPB_CLIENT_SVG_WORDS_H

#include <json-c/json.h>
#include <stdio.h>

#include "common/base/nodeset.h"

/* The beginning of <style>, in light and dark, whose end is the caller's. */
extern const char rspb_svg_style[];

/* A text of any bytes as text of XML. */
void rspb_svg_put(FILE *out, const char *text);
/* The name of a node, "": it has none. */
const char *rspb_svg_node(json_object *nodes, uint32_t n);
/* Describe an entry of a calendar in one line: "rspb_7 of ann, booked, 2026-11-24T09:00:00 to ...,
 * on n1 and 3 more". scratch: for as many nodes as there are. */
void rspb_svg_tell(FILE *out, json_object *nodes, struct rspb_nodeset *scratch, json_object *item);
/* A booking's number and owner into its box, and its job's name where that is high
 * enough; its number alone where that is too narrow, else nothing. */
void rspb_svg_title(FILE *out, json_object *item, double left, double top, double wide,
		    double tall);

#endif
