/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/naive/linked.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct pe {
	uint32_t id;
	struct pe *next;
};

struct record {
	int64_t time;
	struct pe *pes; /* rising */
	struct record *before, *next;
};

struct linked {
	uint32_t nodes;
	struct record head; /* before all times, nothing booked */
	bool *busy;
};

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

struct linked *linked_create(uint32_t nodes)
{
	struct linked *list = must(calloc(1, sizeof(*list)));

	list->nodes = nodes;
	list->head.time = RSPB_TIME_MIN;
	list->busy = must(calloc(nodes + (size_t) 1, sizeof(*list->busy)));
	return list;
}

static void unlink_record(struct record *record)
{
	for (struct pe *pe = record->pes, *next; pe; pe = next) {
		next = pe->next;
		free(pe);
	}
	record->before->next = record->next;
	if (record->next)
		record->next->before = record->before;
	free(record);
}

void linked_destroy(struct linked *list)
{
	if (!list)
		return;
	while (list->head.next)
		unlink_record(list->head.next);
	free(list->busy);
	free(list);
}

/* The last record at or before time. */
static struct record *record_at(struct linked *list, int64_t time)
{
	struct record *record = &list->head;

	while (record->next && record->next->time <= time)
		record = record->next;
	return record;
}

static struct record *split(struct linked *list, int64_t time)
{
	struct record *before = record_at(list, time), *record;
	struct pe **tail;

	if (before->time == time)
		return before;
	record = must(calloc(1, sizeof(*record)));
	record->time = time;
	tail = &record->pes;
	for (struct pe *pe = before->pes; pe; pe = pe->next) {
		*tail = must(calloc(1, sizeof(**tail)));
		(*tail)->id = pe->id;
		tail = &(*tail)->next;
	}
	record->before = before;
	record->next = before->next;
	if (record->next)
		record->next->before = record;
	before->next = record;
	return record;
}

static void join(struct linked *list, int64_t time)
{
	struct record *record = record_at(list, time);
	struct pe *a = record->pes, *b;

	if (record->time != time || !record->before)
		return;
	for (b = record->before->pes; a && b && a->id == b->id; a = a->next)
		b = b->next;
	if (!a && !b)
		unlink_record(record);
}

static void book(struct record *record, const struct rspb_nodeset *nodes)
{
	struct pe **at = &record->pes;

	for (uint32_t n = rspb_nodeset_next(nodes, 0); n < nodes->width;
	     n = rspb_nodeset_next(nodes, n + 1)) {
		struct pe *pe = must(calloc(1, sizeof(*pe)));

		while (*at && (*at)->id < n)
			at = &(*at)->next;
		*pe = (struct pe){ n, *at };
		*at = pe;
	}
}

static void release(struct record *record, const struct rspb_nodeset *nodes)
{
	for (struct pe **at = &record->pes; *at;) {
		struct pe *pe = *at;

		if (!rspb_nodeset_has(nodes, pe->id)) {
			at = &pe->next;
			continue;
		}
		*at = pe->next;
		free(pe);
	}
}

void linked_add(struct linked *list, int64_t start, int64_t end,
		const struct rspb_nodeset *nodes)
{
	struct record *record = split(list, start);

	split(list, end);
	for (; record->time < end; record = record->next)
		book(record, nodes);
	join(list, end);
	join(list, start);
}

void linked_remove(struct linked *list, int64_t start, int64_t end,
		   const struct rspb_nodeset *nodes)
{
	struct record *record = split(list, start);

	split(list, end);
	for (; record->time < end; record = record->next)
		release(record, nodes);
	join(list, end);
	join(list, start);
}

static bool meets(const struct linked *list, const struct record *record)
{
	for (const struct pe *pe = record->pes; pe; pe = pe->next)
		if (!list->busy[pe->id])
			return true;
	return false;
}

/* The rectangle of one start; list->busy are the nodes it can't use. */
static void measure(struct linked *list, const struct rspb_query *query,
		    int64_t start, struct rspb_rect *rect)
{
	struct record *first = record_at(list, start), *behind = first;
	int64_t end = start + query->duration, last = 0;
	uint32_t booked = 0;

	memset(list->busy, 0, list->nodes * sizeof(*list->busy));
	for (; behind && behind->time < end; behind = behind->next)
		for (struct pe *pe = behind->pes; pe; pe = pe->next) {
			booked += !list->busy[pe->id];
			list->busy[pe->id] = true;
		}
	*rect = (struct rspb_rect){ start, 0, 0, list->nodes - booked };
	while (first->before && !meets(list, first->before))
		first = first->before;
	rect->left = first->time > 0 ? first->time : 0;
	for (; behind && !meets(list, behind); behind = behind->next)
		last = behind->time;
	rect->right = behind		       ? behind->time
		      : last > query->deadline ? last
					       : query->deadline;
}

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

static size_t gather(const struct linked *list, const struct rspb_query *query,
		     int64_t **times)
{
	int64_t first = query->ready > 0 ? query->ready : 0;
	int64_t last = query->deadline - query->duration;
	size_t records = 0, n = 0;
	int64_t *at;

	for (const struct record *r = list->head.next; r; r = r->next)
		records++;
	*times = at = must(malloc((2 * records + 2) * sizeof(*at)));
	if (first > last)
		return 0;
	at[n++] = first;
	at[n++] = last;
	for (const struct record *r = list->head.next; r; r = r->next) {
		if (r->time > first && r->time < last)
			at[n++] = r->time;
		if (r->time - query->duration > first &&
		    r->time - query->duration < last)
			at[n++] = r->time - query->duration;
	}
	qsort(at, n, sizeof(*at), by_time);
	return n;
}

int linked_search_pe_worst(struct linked *list, const struct rspb_query *query,
			   struct rspb_rect *rect, struct rspb_nodeset *set)
{
	struct rspb_rect best = { 0 }, here;
	int64_t *times;
	size_t count = gather(list, query, &times);

	for (size_t i = 0; i < count; i++) {
		measure(list, query, times[i], &here);
		if (here.free >= query->nodes && here.free > best.free)
			best = here;
	}
	free(times);
	if (!best.free)
		return 0;
	measure(list, query, best.start, rect);
	rspb_nodeset_clear(set);
	for (uint32_t n = 0; n < list->nodes; n++)
		if (!list->busy[n])
			rspb_nodeset_add(set, n);
	return 1;
}
