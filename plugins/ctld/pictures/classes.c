/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups nodes that are alike. It does not look at what is booked of them. */
#include "plugins/ctld/pictures/classes.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/wire/flags.h"
#include "common/wire/gres.h"
#include "plugins/compat/node_kind.h"

/* Further kinds of nodes are shown as the last one, further reasons are left out. */
enum { CLASSES_MOST = 1000, OUT_MOST = 100 };

static bool is_of(const struct rspb_node_class *class, const struct rspb_node_kind *kind,
		  uint64_t partitions)
{
	return class->partitions == partitions && class->cores == kind->cores &&
	       class->threads == kind->threads && class->memory == kind->memory &&
	       !strcmp(class->said, kind->gres) && !strcmp(class->features, kind->features);
}

/* RET its number, -1: out of memory. */
static int add_class(struct rspb_node_classes *classes, uint32_t node,
		     const struct rspb_node_kind *kind, uint64_t partitions)
{
	char gres[RSPB_CONTRACT_GRES];
	struct rspb_node_class *new;

	if (rspb_array_grow(&classes->items, &classes->room, classes->n + 1,
			    sizeof(*classes->items)))
		return -1;
	rspb_node_devices(node, gres, sizeof(gres));
	new = &classes->items[classes->n];
	*new = (struct rspb_node_class){
		.cores = kind->cores,
		.threads = kind->threads,
		.memory = kind->memory,
		.partitions = partitions,
		.features = strdup(kind->features),
		.said = strdup(kind->gres),
		.gres = strdup(gres),
		.gpus = (uint32_t) rspb_gres_gpus(gres, NULL),
	};
	classes->n++;
	return new->features &&new->said &&new->gres ? (int) classes->n - 1 : -1;
}

/* RET the class of a node, most often that of the node before it; -1: out of memory. */
static int find_class(struct rspb_node_classes *classes, uint32_t node,
		      const struct rspb_node_kind *kind, uint64_t partitions)
{
	uint16_t before = node ? classes->of[node - 1] : RSPB_NO_CLASS;

	if (before != RSPB_NO_CLASS && is_of(&classes->items[before], kind, partitions))
		return before;
	for (size_t i = 0; i < classes->n; i++)
		if (is_of(&classes->items[i], kind, partitions))
			return (int) i;
	return classes->n < CLASSES_MOST ? add_class(classes, node, kind, partitions)
					 : (int) classes->n - 1;
}

static int add_out(struct rspb_node_classes *classes, uint32_t node, const char *reason)
{
	struct rspb_out_of_service new;

	for (size_t i = 0; i < classes->n_out; i++)
		if (!strcmp(classes->out[i].reason, reason)) {
			rspb_nodeset_add(classes->out[i].nodes, node);
			return 0;
		}
	if (classes->n_out == OUT_MOST)
		return 0;
	new = (struct rspb_out_of_service){ strdup(reason), rspb_nodeset_create(classes->width) };
	if (!new.reason || !new.nodes ||
	    rspb_array_grow(&classes->out, &classes->room_out, classes->n_out + 1, sizeof(new))) {
		free(new.reason);
		rspb_nodeset_destroy(new.nodes);
		return -1;
	}
	rspb_nodeset_add(new.nodes, node);
	classes->out[classes->n_out++] = new;
	return 0;
}

int rspb_node_classes_read(struct rspb_node_classes *classes, const uint64_t *member,
			   uint32_t width)
{
	*classes = (struct rspb_node_classes){ .width = width };
	classes->of = malloc((width + 1) * sizeof(*classes->of));
	for (uint32_t n = 0; classes->of && n < width; n++) {
		struct rspb_node_kind kind;
		int found;

		classes->of[n] = RSPB_NO_CLASS;
		if (!rspb_node_kind_of(n, &kind))
			continue;
		found = find_class(classes, n, &kind, member[n]);
		if (found < 0 || (kind.why && add_out(classes, n, kind.why)))
			return -1;
		classes->of[n] = (uint16_t) found;
	}
	return classes->of ? 0 : -1;
}

void rspb_node_classes_fini(struct rspb_node_classes *classes)
{
	for (size_t i = 0; i < classes->n; i++) {
		free(classes->items[i].features);
		free(classes->items[i].said);
		free(classes->items[i].gres);
	}
	for (size_t i = 0; i < classes->n_out; i++) {
		free(classes->out[i].reason);
		rspb_nodeset_destroy(classes->out[i].nodes);
	}
	free(classes->items);
	free(classes->out);
	free(classes->of);
}

const struct rspb_node_class *rspb_node_class_of(const struct rspb_node_classes *classes,
						 uint32_t node)
{
	return node < classes->width && classes->of && classes->of[node] != RSPB_NO_CLASS
		       ? &classes->items[classes->of[node]]
		       : NULL;
}

const char *rspb_node_classes_gres(const struct rspb_node_classes *classes,
				   const struct rspb_nodeset *nodes)
{
	const char *found = NULL;

	RSPB_NODESET_EACH (n, nodes) {
		const struct rspb_node_class *class = rspb_node_class_of(classes, n);

		if (!class || (found && strcmp(class->gres, found) != 0))
			return "";
		found = class->gres;
	}
	return found ? found : "";
}

uint64_t rspb_node_classes_gpus(const struct rspb_node_classes *classes,
				const struct rspb_nodeset *nodes)
{
	uint64_t sum = 0;

	RSPB_NODESET_EACH (n, nodes) {
		const struct rspb_node_class *class = rspb_node_class_of(classes, n);

		sum += class ? class->gpus : 0;
	}
	return sum;
}
