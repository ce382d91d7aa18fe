/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/heads.h"

int rspb_classes_init(struct rspb_classes *classes, uint32_t width)
{
	*classes = (struct rspb_classes){ .width = width };
	classes->nodes[0] = rspb_nodeset_create(width);
	if (!classes->nodes[0])
		return -1;
	rspb_nodeset_fill(classes->nodes[0]);
	classes->size[0] = width;
	classes->n = 1;
	return 0;
}

void rspb_classes_fini(struct rspb_classes *classes)
{
	for (uint32_t c = 0; c < classes->n; c++)
		rspb_nodeset_destroy(classes->nodes[c]);
	classes->n = 0;
}

/* Let a class be in two, the second with the nodes that are not eligible. RET 0,
 * -1: out of memory. */
static int split_class(struct rspb_classes *classes, uint32_t c,
		       const struct rspb_nodeset *eligible)
{
	struct rspb_nodeset *rest = rspb_nodeset_clone(classes->nodes[c]);

	if (!rest)
		return -1;
	rspb_nodeset_minus(rest, eligible);
	rspb_nodeset_and(classes->nodes[c], eligible);
	classes->nodes[classes->n] = rest;
	classes->size[classes->n] = rspb_nodeset_count(rest);
	classes->size[c] -= classes->size[classes->n];
	classes->wanted[classes->n] = classes->wanted[c];
	classes->from[classes->n] = c;
	classes->n++;
	return 0;
}

/* RET the classes that lie within a set; *across: one that does in part, n when
 * there is none. */
static uint32_t within(const struct rspb_classes *classes,
		       const struct rspb_nodeset *eligible, uint32_t *across)
{
	uint32_t mask = 0;

	*across = classes->n;
	for (uint32_t c = 0; c < classes->n; c++)
		if (rspb_nodeset_within(classes->nodes[c], eligible))
			mask |= (uint32_t) 1 << c;
		else if (!rspb_nodeset_disjoint(classes->nodes[c], eligible))
			*across = c;
	return mask;
}

int rspb_classes_of(struct rspb_classes *classes,
		    const struct rspb_nodeset *eligible, uint32_t *mask,
		    bool *split)
{
	bool may_split = *split;
	uint32_t across;

	*split = false;
	if (!eligible) {
		*mask = UINT32_MAX >> (RSPB_CLASSES - classes->n);
		return 1;
	}
	*mask = within(classes, eligible, &across);
	while (across < classes->n) {
		if (!may_split || classes->n == RSPB_CLASSES)
			return 0;
		if (split_class(classes, across, eligible))
			return -1;
		*split = true;
		*mask = within(classes, eligible, &across);
	}
	for (uint32_t c = 0; *split && c < classes->n; c++)
		classes->wanted[c] += *mask >> c & 1;
	return 1;
}
