/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the copy that reads are answered from. Once made, a picture does not change, so the
 * socket's thread reads it without a lock. */
#include "plugins/ctld/serve/picture.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/wire/flags.h"
#include "common/wire/texts.h"
#include "plugins/compat/job.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/kinds/operator.h"
#include "plugins/ctld/observe/intake.h"

/* RET a copy of a text that goes with the picture, NULL: of none. Without memory the picture has
 * failed, so that nobody else needs to look. */
static const char *keep(struct rspb_picture *picture, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (copy && rspb_array_insert(&picture->texts, &picture->room_texts, &picture->n_texts,
				      picture->n_texts, &copy, sizeof(copy)))
		return copy;
	free(copy);
	picture->failed |= text != NULL;
	return text ? "" : NULL;
}

/* Append an item to one of the arrays. RET 1, which ends a walk, without memory. */
static int append(struct rspb_picture *picture, void *array, size_t *room, size_t *n,
		  const void *item, size_t size)
{
	if (!rspb_array_insert(array, room, n, *n, item, size))
		picture->failed = true;
	return picture->failed;
}

/* Groups nodes that are alike, because a calendar of thousands of nodes would otherwise repeat the
 * same lines for each. Bookings are not looked at here. */

/* Further kinds of nodes are shown as the last one, further reasons are left out. */
enum { CLASSES_MOST = 1000, OUT_MOST = 100 };

/* Compare a class with a node. Generic resources are compared as slurm.conf has them (said),
 * because the other form would have to be made for each node first. */
static bool is_of(const struct rspb_node_class *class, const struct rspb_node_kind *kind,
		  uint64_t partitions)
{
	return class->partitions == partitions && class->cores == kind->cores &&
	       class->threads == kind->threads && class->memory == kind->memory &&
	       !strcmp(class->said, kind->gres) && !strcmp(class->features, kind->features);
}

/* RET its number. */
static size_t add_class(struct rspb_picture *picture, uint32_t node,
			const struct rspb_node_kind *kind, uint64_t partitions)
{
	struct rspb_node_classes *classes = &picture->classes;
	char gres[RSPB_CONTRACT_GRES];
	struct rspb_node_class new;

	rspb_node_devices(node, gres, sizeof(gres));
	new = (struct rspb_node_class){
		.cores = kind->cores,
		.threads = kind->threads,
		.memory = kind->memory,
		.partitions = partitions,
		.features = keep(picture, kind->features),
		.said = keep(picture, kind->gres),
		.gres = keep(picture, gres),
		.gpus = (uint32_t) rspb_gres_gpus(gres, NULL),
	};
	append(picture, &classes->items, &classes->room, &classes->n, &new, sizeof(new));
	return classes->n - 1;
}

/* RET the class of a node, most often that of the node before it. */
static size_t find_class(struct rspb_picture *picture, uint32_t node,
			 const struct rspb_node_kind *kind, uint64_t partitions)
{
	const struct rspb_node_classes *classes = &picture->classes;
	uint16_t before = node ? classes->of[node - 1] : RSPB_NO_CLASS;

	if (before != RSPB_NO_CLASS && is_of(&classes->items[before], kind, partitions))
		return before;
	for (size_t i = 0; i < classes->n; i++)
		if (is_of(&classes->items[i], kind, partitions))
			return i;
	return classes->n < CLASSES_MOST ? add_class(picture, node, kind, partitions)
					 : classes->n - 1;
}

/* Add a node to those that are out of service for a reason. Reasons are users' texts and can all
 * differ, so their number is bounded. */
static void add_out(struct rspb_picture *picture, uint32_t node, const char *reason)
{
	struct rspb_node_classes *classes = &picture->classes;
	struct rspb_out_of_service new;

	for (size_t i = 0; i < classes->n_out; i++)
		if (!strcmp(classes->out[i].reason, reason)) {
			rspb_nodeset_add(classes->out[i].nodes, node);
			return;
		}
	if (classes->n_out == OUT_MOST)
		return;
	new = (struct rspb_out_of_service){ keep(picture, reason),
					    rspb_nodeset_create(classes->width) };
	if (new.nodes)
		rspb_nodeset_add(new.nodes, node);
	if (!new.nodes || !rspb_array_insert(&classes->out, &classes->room_out, &classes->n_out,
					     classes->n_out, &new, sizeof(new))) {
		rspb_nodeset_destroy(new.nodes);
		picture->failed = true;
	}
}

/* Read the node table; member[i] has the partitions of node i as bits. The caller holds at least
 * the read lock. */
static void read_classes(struct rspb_picture *picture, const uint64_t *member, uint32_t width)
{
	struct rspb_node_classes *classes = &picture->classes;

	classes->width = width;
	classes->of = malloc((width + 1) * sizeof(*classes->of));
	picture->failed |= !classes->of;
	for (uint32_t n = 0; n < width && !picture->failed; n++) {
		struct rspb_node_kind kind;

		classes->of[n] = RSPB_NO_CLASS;
		if (!rspb_node_kind_of(n, &kind))
			continue;
		classes->of[n] = (uint16_t) find_class(picture, n, &kind, member[n]);
		if (kind.why)
			add_out(picture, n, kind.why);
	}
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

/* More of either are left out. */
enum { ASKED_MOST = 20000, NAMED_MOST = 500 };

/* RET the reason in a contract; "": none. */
static const char *reason_in(const char *contract)
{
	const char *reason = contract ? strstr(contract, " reason=") : NULL;

	return reason ? reason + strlen(" reason=") : "";
}

/* RET the last message on a booking, NULL: none, or the ledger says it anyway. The contract comes
 * first, and then the remark that a refused change of the job left in Slurm. */
static const char *remark_on(const struct rspb_booking *b, const char *contract, const char *remark)
{
	static const char refused[] = "rspb: ";
	const char *text = reason_in(contract);

	if ((!*text || !strcmp(text, rspb_booking_why(b))) && remark &&
	    !strncmp(remark, refused, strlen(refused)))
		text = remark + strlen(refused);
	return *text && strcmp(text, rspb_booking_why(b)) != 0 ? text : NULL;
}

static int add_said(struct rspb_picture *picture, const struct rspb_named *said)
{
	return append(picture, &picture->named, &picture->room_named, &picture->n_named, said,
		      sizeof(*said));
}

/* RET 1: the list is full, or there is no memory. */
static int add_request(struct rspb_picture *picture, const struct rspb_asked *asked)
{
	return picture->n_asked == ASKED_MOST ||
	       append(picture, &picture->asked, &picture->room_asked, &picture->n_asked, asked,
		      sizeof(*asked));
}

/* Return what keeps a request from being decided, if nothing else is known of it; NULL: its turn.
 * The constant texts need no copy in the picture. */
static const char *kept_by(struct rspb_picture *picture, const struct rspb_job *job)
{
	struct rspb_contract contract;
	struct rspb_err why;
	char text[sizeof(why.text) + 32];

	if (!rspb_contract_says(job->contract, RSPB_REQUESTED))
		return NULL;
	if (!job->priority)
		return "its job is held; the request is decided when the job is released";
	if (job->dependent)
		return "its job depends on others (--dependency); the request is decided when "
		       "they are over, or all of them are booked";
	if (rspb_contract_parse(job->contract, &contract, NULL) ||
	    !rspb_intake_rests(job, &contract, &why))
		return NULL;
	snprintf(text, sizeof(text), "%s; the request is decided then", why.text);
	return keep(picture, text);
}

/* Add a job with a contract as a request, or the last message on its booking. The handle of the job
 * is valid only here, so all texts are copied. RET 1, which ends the walk: the list is full, or
 * there is no memory. */
static int add_asked(const struct rspb_job *job, void *arg)
{
	struct rspb_picture *picture = arg;
	const struct rspb_booking *b = rspb_ledger_find(picture->ledger, job->leader);
	struct rspb_named said = { .id = job->leader };

	/* The first component of a heterogeneous job stands for all. A job whose owner released the
	 * booking requests nothing; one that asked again has another state. */
	if (job->component ||
	    (b && rspb_state_final(b->state) && rspb_contract_says(job->contract, RSPB_CANCELLED)))
		return 0;
	if (b && !rspb_state_final(b->state)) {
		said.remark = keep(picture, remark_on(b, job->contract, job->remark));
		return said.remark ? add_said(picture, &said) : 0;
	}
	return add_request(picture, &(struct rspb_asked){
					    .id = job->leader,
					    .uid = job->uid,
					    .array = job->array,
					    .task = job->task,
					    .contract = keep(picture, job->contract),
					    .waits = kept_by(picture, job),
					    .job_name = keep(picture, job->name),
				    });
}

/* Add the name and users of a booking without a job, which only its reservation has. A booking
 * whose reservation is gone is left out. */
static int add_named(const struct rspb_booking *b, const struct rspb_resv *resv, void *arg)
{
	struct rspb_picture *picture = arg;

	if (!resv)
		return 0;
	if (picture->n_reserved++ == NAMED_MOST)
		return 1;
	return add_said(picture, &(struct rspb_named){
					 .id = b->request->id,
					 .name = keep(picture, resv->name),
					 .users = keep(picture, resv->users),
					 .accounts = keep(picture, resv->accounts),
					 .remark = keep(picture, remark_on(b, resv->tag, NULL)),
				 });
}

/* Add a request for a booking without a job. Such a request has no id in the ledger yet; it gets a
 * free one, since the list is sorted by id. */
static int add_group(const struct rspb_resv *resv, const struct rspb_contract *contract, void *arg)
{
	struct rspb_picture *picture = arg;

	return add_request(picture, &(struct rspb_asked){
					    .id = rspb_reserved_new_id(picture->ledger, resv->id),
					    .uid = contract->owner,
					    .contract = keep(picture, resv->tag),
					    .name = keep(picture, resv->name),
					    .users = keep(picture, resv->users),
					    .accounts = keep(picture, resv->accounts),
				    });
}

static int add_partition(const char *name, bool usual, const char *state,
			 const struct rspb_nodeset *nodes, void *arg)
{
	struct rspb_picture *picture = arg;
	struct rspb_partition new = { keep(picture, name), usual, state,
				      rspb_nodeset_clone(nodes) };

	/* The set is the picture's as soon as it is in the array, whatever has failed before. */
	if (new.nodes &&
	    rspb_array_insert(&picture->partitions, &picture->room_partitions,
			      &picture->n_partitions, picture->n_partitions, &new, sizeof(new)))
		return picture->failed;
	rspb_nodeset_destroy(new.nodes);
	picture->failed = true;
	return 1;
}

static void add_stock(const struct rspb_license *license, void *arg)
{
	struct rspb_picture *picture = arg;
	const struct rspb_stock new = { keep(picture, license->name), license->key, license->most };

	append(picture, &picture->stocks, &picture->room_stocks, &picture->n_stocks, &new,
	       sizeof(new));
}

/* Split the names of all nodes, "a,b,,d", which come as one text. The text is cut in place and
 * stays with the picture. RET 0, -1: out of memory. */
static int split_names(struct rspb_picture *picture)
{
	uint32_t n = rspb_ledger_nodes(picture->ledger);
	char *at = picture->name_text;

	picture->names = calloc(n + 1, sizeof(*picture->names));
	if (!at || !picture->names)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		picture->names[i] = at ? strsep(&at, ",") : "";
	return 0;
}

/* Sort the nodes into classes. The bits of a node are its partitions; those beyond 64 have no bit
 * and do not tell classes apart. */
static void add_classes(struct rspb_picture *picture)
{
	uint32_t width = rspb_ledger_nodes(picture->ledger);
	uint64_t *member = calloc(width + 1, sizeof(*member));

	for (size_t i = 0; member && i < picture->n_partitions && i < 64; i++)
		RSPB_NODESET_EACH (n, picture->partitions[i].nodes)
			if (n < width)
				member[n] |= UINT64_C(1) << i;
	picture->failed |= !member;
	if (member)
		read_classes(picture, member, width);
	free(member);
}

/* The mark tells without a view whether a job has a contract; most jobs do not. */
static int add_job(const struct rspb_job_mark *mark, void *arg)
{
	struct rspb_job job;

	if (!(rspb_job_asks(mark) & RSPB_JOB_HAS_ASKED) || !rspb_job_find(mark->id, &job))
		return 0;
	return add_asked(&job, arg);
}

/* Fill in what comes from Slurm. The read lock is given up on the way, as there may be tens of
 * thousands of jobs. If the nodes were renumbered meanwhile, the copied ledger does not fit any
 * more and the picture is given up. RET 0, -1: not possible. */
static int fill(struct rspb_picture *picture, struct rspb_section *section, bool *inside)
{
	rspb_walk_jobs(section, inside, add_job, picture);
	if (!*inside || rspb_node_fingerprint() != rspb_book_table())
		return -1;
	rspb_reserved_each(picture->ledger, picture->at, NULL, add_named, picture);
	rspb_group_each_asked(picture->at, add_group, picture);
	rspb_partition_each(add_partition, picture);
	rspb_licenses_each(add_stock, picture);
	picture->name_text = rspb_report_all_names();
	add_classes(picture);
	return picture->failed ? -1 : 0;
}

struct rspb_picture *rspb_picture_make(int64_t now)
{
	struct rspb_picture *picture = calloc(1, sizeof(*picture));
	struct rspb_section section;
	bool inside;
	int rc = -1;

	if (!picture || !rspb_book_ledger())
		goto out;
	picture->at = now;
	/* The agent's thread alone changes the ledger, so the copy needs no lock. */
	picture->ledger = rspb_ledger_clone(rspb_book_ledger());
	if (!picture->ledger || !rspb_section_enter(&section, RSPB_LOCK_READ, "picture"))
		goto out;
	rc = fill(picture, &section, &inside);
	if (inside)
		rspb_section_leave(&section);
	if (!rc)
		rc = split_names(picture);
	if (picture->n_asked)
		qsort(picture->asked, picture->n_asked, sizeof(*picture->asked), rspb_array_by_u64);
	if (picture->n_named)
		qsort(picture->named, picture->n_named, sizeof(*picture->named), rspb_array_by_u64);
	/* No decision was made since the ledger was copied: this is the thread that makes them. */
	picture->at_us = rspb_section_clock_us();
out:
	if (!rc)
		return picture;
	rspb_picture_destroy(picture);
	return NULL;
}

void rspb_picture_destroy(struct rspb_picture *picture)
{
	if (!picture)
		return;
	for (size_t i = 0; i < picture->n_texts; i++)
		free(picture->texts[i]);
	for (size_t i = 0; i < picture->n_partitions; i++)
		rspb_nodeset_destroy(picture->partitions[i].nodes);
	for (size_t i = 0; i < picture->classes.n_out; i++)
		rspb_nodeset_destroy(picture->classes.out[i].nodes);
	free(picture->classes.items);
	free(picture->classes.out);
	free(picture->classes.of);
	free(picture->texts);
	free(picture->stocks);
	free(picture->partitions);
	free(picture->asked);
	free(picture->named);
	free(picture->name_text);
	free(picture->names);
	rspb_ledger_destroy(picture->ledger);
	free(picture);
}

const struct rspb_asked *rspb_picture_asked(const struct rspb_picture *picture, uint64_t id)
{
	return rspb_array_find(&id, picture->asked, picture->n_asked, sizeof(*picture->asked),
			       rspb_array_by_u64);
}

const struct rspb_named *rspb_picture_named(const struct rspb_picture *picture, uint64_t id)
{
	return rspb_array_find(&id, picture->named, picture->n_named, sizeof(*picture->named),
			       rspb_array_by_u64);
}

const struct rspb_named *rspb_picture_by_name(const struct rspb_picture *picture, const char *name)
{
	for (size_t i = 0; i < picture->n_named; i++) {
		const struct rspb_named *named = &picture->named[i];
		const struct rspb_booking *b = rspb_ledger_find(picture->ledger, named->id);

		if (named->name && !strcmp(named->name, name) && b && !rspb_state_final(b->state))
			return named;
	}
	return NULL;
}

const struct rspb_asked *rspb_picture_asked_by_name(const struct rspb_picture *picture,
						    const char *name)
{
	for (size_t i = 0; i < picture->n_asked; i++)
		if (picture->asked[i].name && !strcmp(picture->asked[i].name, name))
			return &picture->asked[i];
	return NULL;
}

const struct rspb_partition *rspb_picture_partition(const struct rspb_picture *picture,
						    const char *name)
{
	for (size_t i = 0; i < picture->n_partitions; i++) {
		const struct rspb_partition *p = &picture->partitions[i];

		if (*name ? !strcmp(p->name, name) : p->usual)
			return p;
	}
	return NULL;
}

char *rspb_picture_nodes(const struct rspb_picture *picture, const struct rspb_nodeset *nodes)
{
	return rspb_node_names(picture->names, nodes);
}
