/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts nodes by the CPUs that a job can have on them, once for many questions, and by where they
 * are. Which of them are free is not known here. */
#include "plugins/compat/node.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/release/topology.h"

uint32_t rspb_node_cpus(uint32_t n)
{
	const node_record_t *node = rspb_record_at(n);

	if (!node)
		return 0;
	/* cpus_efctv leaves out the cores that are kept for the system (CoreSpecCount). */
	return node->cpus_efctv ? node->cpus_efctv : node->cpus;
}

/* The nodes on which a job can have the same number of CPUs. */
struct class
{
	uint32_t cpus;
	struct rspb_nodeset *nodes;
};

/* Guards the classes: requests come from several threads, which share Slurm's locks. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
	struct class *items; /* smallest first */
	size_t n, room;
	uint32_t width;
	bitstr_t *there; /* all that are nodes; NULL: not known */
	struct rspb_node_look look;
} classes;

static void drop_classes(void)
{
	for (size_t i = 0; i < classes.n; i++)
		rspb_nodeset_destroy(classes.items[i].nodes);
	classes.n = 0;
	FREE_NULL_BITMAP(classes.there);
}

/* RET the place of the class of so many CPUs, whether it exists or is to be inserted. */
static size_t place_of(uint32_t cpus)
{
	size_t i = 0;

	while (i < classes.n && classes.items[i].cpus < cpus)
		i++;
	return i;
}

/* RET the class, which is made if need be, NULL: out of memory. The pointer is good until the next
 * class is made, which may move all of them. */
static struct class *class_of(uint32_t cpus)
{
	size_t at = place_of(cpus);
	struct class made = { .cpus = cpus };

	if (at < classes.n && classes.items[at].cpus == cpus)
		return &classes.items[at];
	made.nodes = rspb_nodeset_create(classes.width);
	if (!made.nodes ||
	    rspb_array_grow(&classes.items, &classes.room, classes.n + 1, sizeof(*classes.items))) {
		rspb_nodeset_destroy(made.nodes);
		return NULL;
	}
	memmove(classes.items + at + 1, classes.items + at,
		(classes.n++ - at) * sizeof(*classes.items));
	classes.items[at] = made;
	return &classes.items[at];
}

/* With the mutex: learn the classes, unless no node has changed since. RET 0, or -1 and no classes:
 * out of memory. */
static int learn(uint32_t width)
{
	struct class *last = NULL;

	if (!rspb_node_look_again(&classes.look) && classes.width == width)
		return 0;
	drop_classes();
	classes.width = width;
	for (uint32_t n = 0; n < width; n++) {
		uint32_t cpus = rspb_node_cpus(n);

		/* Neighbours in the table mostly have as many CPUs. */
		if (!last || last->cpus != cpus)
			last = class_of(cpus);
		if (!last) {
			/* The next question learns the classes again. */
			drop_classes();
			classes.look.taken = 0;
			return -1;
		}
		rspb_nodeset_add(last->nodes, n);
	}
	return 0;
}

/* With the mutex, after learn(), which forgets this bitmap together with the classes. */
static void learn_there(void)
{
	if (classes.there)
		return;
	classes.there = bit_alloc(node_record_count);
	for (int n = 0; n < node_record_count; n++)
		if (rspb_record_there(node_record_table_ptr[n]))
			bit_set(classes.there, n);
}

bitstr_t *rspb_node_those_there(bitstr_t *bits)
{
	bitstr_t *out;

	if (!bits || !node_record_count)
		return bits ? bit_copy(bits) : NULL;
	pthread_mutex_lock(&mutex);
	if (learn(rspb_node_width())) {
		/* Without memory for the classes each node is looked at. */
		out = rspb_bits_there(bits);
	} else {
		learn_there();
		out = bit_copy(bits);
		bit_and(out, classes.there);
	}
	pthread_mutex_unlock(&mutex);
	return out;
}

/* Count the nodes of a set by class. Combining sets takes a few operations for each class, where a
 * look at each node would take thousands. */
static int count(const struct rspb_nodeset *set, struct rspb_node_sizes *out)
{
	struct rspb_nodeset *both = rspb_nodeset_create(set->width);

	out->n = 0;
	out->items = calloc(classes.n + 1, sizeof(*out->items));
	if (!both || !out->items) {
		rspb_nodeset_destroy(both);
		free(out->items);
		return -1;
	}
	for (size_t i = 0; i < classes.n; i++) {
		uint32_t nodes;

		rspb_nodeset_copy(both, set);
		rspb_nodeset_and(both, classes.items[i].nodes);
		nodes = rspb_nodeset_count(both);
		if (nodes)
			out->items[out->n++] = (struct rspb_node_size){
				.cpus = classes.items[i].cpus,
				.nodes = nodes,
			};
	}
	rspb_nodeset_destroy(both);
	return 0;
}

int rspb_node_sizes(const struct rspb_nodeset *set, struct rspb_node_sizes *out)
{
	int rc;

	pthread_mutex_lock(&mutex);
	rc = learn(set->width) ? -1 : count(set, out);
	pthread_mutex_unlock(&mutex);
	return rc;
}

void rspb_node_drop_smaller(struct rspb_nodeset *set, uint32_t cpus)
{
	pthread_mutex_lock(&mutex);
	if (!learn(set->width)) {
		/* Classes are sorted, so that those with fewer CPUs come first. */
		for (size_t i = 0; i < place_of(cpus); i++)
			rspb_nodeset_minus(set, classes.items[i].nodes);
	} else {
		for (uint32_t n = 0; n < set->width; n++)
			if (rspb_node_cpus(n) < cpus)
				rspb_nodeset_remove(set, n);
	}
	pthread_mutex_unlock(&mutex);
}

/* The address of a node in the topology, as a text. */
struct address {
	char *text; /* NULL: nowhere */
	uint32_t node;
};

static int by_address(const void *left, const void *right)
{
	const struct address *a = left, *b = right;

	return xstrcmp(a->text, b->text);
}

uint32_t *rspb_node_leaves(void)
{
	uint32_t width = rspb_node_width(), leaf = 0, n;
	uint32_t *leaves = malloc((width + 1) * sizeof(*leaves));
	struct address *places = calloc(width + 1, sizeof(*places));

	for (n = 0; places && n < width; n++) {
		places[n].node = n;
		if (node_record_table_ptr[n])
			places[n].text = rspb_release_leaf(node_record_table_ptr[n]);
	}
	/* Sorted by address, the nodes of a leaf are neighbours. */
	if (places)
		qsort(places, width, sizeof(*places), by_address);
	for (n = 0; places && leaves && n < width; n++) {
		leaf += n && by_address(&places[n - 1], &places[n]);
		leaves[places[n].node] = leaf;
	}
	for (n = 0; places && n < width; n++)
		xfree(places[n].text);
	free(places);
	/* A single leaf says nothing about distances. */
	if (leaf)
		return leaves;
	free(leaves);
	return NULL;
}
