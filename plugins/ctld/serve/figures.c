/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers how much is booked and used, and how long work takes. The counts are made elsewhere
 * (base/tally.h). */
#include "plugins/ctld/serve/reads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/wire/json.h"
#include "common/wire/texts.h"
#include "plugins/compat/abi.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/serve/server.h"

enum { USUAL_DAYS = 7, MICRO = 1000000, LEAD_S = 3600 };

static json_object *object_in(json_object *to, const char *key)
{
	json_object *object = json_object_new_object();

	rspb_json_put(to, key, object);
	return object;
}

/* The sum of all decisions is written too, so that clients need not know every reason for a
 * refusal. */
static void write_decided(json_object *to, uint64_t booked, const uint64_t refused[RSPB_N_REFUSALS])
{
	json_object *by_reason;
	uint64_t decided = booked;

	rspb_json_put_int(to, "booked", booked);
	by_reason = object_in(to, "refused");
	for (int i = 0; i < RSPB_N_REFUSALS; i++) {
		rspb_json_put_int(by_reason, rspb_refusal_names[i], refused[i]);
		decided += refused[i];
	}
	rspb_json_put_int(to, "decided", decided);
}

static void write_tally(json_object *to, const struct rspb_tally *t)
{
	write_decided(to, t->booked, t->refused);
	write_decided(object_in(to, "observed"), t->would_book, t->would_refuse);
	rspb_json_put_real(to, "benefit", t->benefit, 10);
	rspb_json_put_int(to, "completed", t->completed);
	rspb_json_put_int(to, "terminated", t->terminated);
	rspb_json_put_int(to, "cancelled", t->cancelled);
	rspb_json_put_int(to, "no_shows", t->no_shows);
	rspb_json_put_int(to, "node_seconds_booked", t->booked_s);
	rspb_json_put_int(to, "node_seconds_used", t->used_s);
	rspb_json_put_int(to, "node_seconds_charged", t->charged_s);
}

/* Write the counts of each user whom the caller may see. */
static void write_users(json_object *stats, const struct rspb_caller_view *who)
{
	struct rspb_tally_user *users = calloc(RSPB_TALLY_USERS, sizeof(*users));
	size_t n = users ? rspb_tally_users(users) : 0;
	json_object *list = json_object_new_array(), *user;

	rspb_json_put(stats, "users", list);
	for (size_t i = 0; i < n; i++) {
		if (!who->sees_all && users[i].uid != who->uid)
			continue;
		user = json_object_new_object();
		rspb_json_put_int(user, "uid", users[i].uid);
		write_tally(user, &users[i].tally);
		json_object_array_add(list, user);
	}
	free(users);
}

/* --- times ------------------------------------------------------------------- */

static void write_times(json_object *times, const char *key, const struct rspb_lengths_sum *sum)
{
	json_object *to = object_in(times, key), *steps, *step;

	rspb_json_put_int(to, "count", sum->n);
	rspb_json_put_real(to, "sum", (double) sum->sum_us / MICRO, 10);
	/* The step that 99 % do not exceed; the counts are by steps, not by single times. */
	rspb_json_put_real(to, "p99", (double) sum->most_us / MICRO, 10);
	rspb_json_put_real(to, "longest", (double) sum->longest_us / MICRO, 10);
	steps = json_object_new_array();
	rspb_json_put(to, "below", steps);
	for (unsigned int i = 0; i < RSPB_LENGTHS_STEPS; i++) {
		step = json_object_new_object();
		rspb_json_put_real(step, "seconds", (double) rspb_lengths_step(i) / MICRO, 10);
		rspb_json_put_int(step, "count", sum->below[i]);
		json_object_array_add(steps, step);
	}
}

static void write_all_times(json_object *stats)
{
	json_object *times = object_in(stats, "times");
	struct rspb_lengths_sum sum;

	rspb_tally_times(RSPB_TALLY_DECISIONS, &sum);
	write_times(times, "decision", &sum);
	rspb_tally_times(RSPB_TALLY_BATCHES, &sum);
	write_times(times, "batch", &sum);
	rspb_section_count(RSPB_LOCK_READ, &sum);
	write_times(times, "lock_read", &sum);
	rspb_section_count(RSPB_LOCK_WRITE, &sum);
	write_times(times, "lock_write", &sum);
	rspb_tally_times(RSPB_TALLY_SYNCS, &sum);
	write_times(times, "journal_sync", &sum);
}

/* --- the calendar ------------------------------------------------------------ */

/* Return the first second of the i-th day from now on, in slurmctld's time zone. Day 0 begins now.
 * mktime() normalizes the day of the month, and days of 23 or 25 hours come out right. */
static int64_t day_at(int64_t now, int i)
{
	time_t at = now;
	struct tm tm;

	if (!i || !localtime_r(&at, &tm))
		return now + i * INT64_C(86400);
	tm.tm_mday += i;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	return mktime(&tm);
}

static int64_t overlap(const struct rspb_booking *b, int64_t from, int64_t until)
{
	int64_t start = b->start > from ? b->start : from;
	int64_t end = b->end < until ? b->end : until;

	return end > start ? end - start : 0;
}

/* RET the GPUs of a booking: all those of whole nodes, and what parts take of theirs. */
static double gpus_of(const struct rspb_picture *picture, const struct rspb_booking *b)
{
	const uint64_t key = rspb_room_key("gpu");
	double gpus = 0;

	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_part *part = &b->request->parts[i];
		const struct rspb_nodeset *nodes = b->grants[i].nodes;
		const struct rspb_quota *taken = part->whole ? rspb_part_quota(part, key) : NULL;

		if (!part->whole && !b->grants[i].share)
			gpus += (double) rspb_node_classes_gpus(&picture->classes, nodes);
		else if (taken)
			RSPB_NODESET_EACH (n, nodes)
				gpus += (double) rspb_part_takes(part, key, taken->per_node, n);
	}
	return gpus;
}

/* Add up the booked node-seconds and GPU-seconds (NULL: nobody asks) of a time. The ledger has
 * bookings by start, so later ones need no look. */
static double booked_within(const struct rspb_picture *picture, int64_t from, int64_t until,
			    double *gpu_seconds)
{
	const struct rspb_ledger *ledger = picture->ledger;
	double node_seconds = 0;

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		double seconds;

		if (b->start >= until)
			break;
		if (rspb_state_final(b->state) || b->end <= from)
			continue;
		seconds = (double) overlap(b, from, until);
		node_seconds += rspb_tally_nodes(b) * seconds;
		if (gpu_seconds)
			*gpu_seconds += gpus_of(picture, b) * seconds;
	}
	return node_seconds;
}

/* RET how many GPUs the cluster has. */
static double all_gpus(const struct rspb_picture *picture)
{
	double gpus = 0;

	for (uint32_t n = 0; n < picture->classes.width; n++) {
		const struct rspb_node_class *class = rspb_node_class_of(&picture->classes, n);

		gpus += class ? class->gpus : 0;
	}
	return gpus;
}

static void write_load(json_object *stats, const struct rspb_picture *picture, int days)
{
	json_object *list = json_object_new_array(), *day;
	uint32_t nodes = rspb_ledger_machine(picture->ledger);
	double gpus = all_gpus(picture);

	rspb_json_put(stats, "load", list);
	for (int i = 0; i < days; i++) {
		int64_t from = day_at(picture->at, i), until = day_at(picture->at, i + 1);
		double all = nodes * (double) (until - from), gpu_seconds = 0;

		/* Skip a day whose end mktime() could not work out. */
		if (all <= 0)
			continue;
		day = json_object_new_object();
		rspb_json_put_int(day, "from", from);
		rspb_json_put_int(day, "until", until);
		rspb_json_put_real(day, "booked",
				   booked_within(picture, from, until, gpus ? &gpu_seconds : NULL) /
					   all,
				   10);
		if (gpus)
			rspb_json_put_real(day, "gpus",
					   gpu_seconds / (gpus * (double) (until - from)), 10);
		json_object_array_add(list, day);
	}
}

/* --- what bookings have now -------------------------------------------------- */

/* All that the bookings whose time slot has begun have together, and what there is. */
struct taken {
	struct rspb_gpus gpus;	    /* others: all that there are */
	int64_t memory, all_memory; /* MiB */
};

/* Add the GPUs and the memory of a booking, as lists have them. */
static void add_taken(struct taken *sum, const struct rspb_picture *picture,
		      const struct rspb_booking *b)
{
	json_object *taken = json_object_new_object(), *by_node;
	int64_t nodes = rspb_booking_nodes(b);

	rspb_listing_taken(taken, picture, b);
	by_node = rspb_json_list(taken, "by_node");
	if (!by_node) {
		rspb_gpus_add(&sum->gpus, rspb_json_text(taken, "gres"), nodes, false);
		sum->memory += rspb_json_int(taken, "mem") * nodes;
	}
	for (size_t i = 0; by_node && i < json_object_array_length(by_node); i++) {
		json_object *one = json_object_array_get_idx(by_node, i);
		int64_t alike = rspb_json_int(one, "nodes");

		rspb_gpus_add(&sum->gpus, rspb_json_text(one, "gres"), alike, false);
		sum->memory += rspb_json_int(one, "mem") * alike;
	}
	json_object_put(taken);
	for (uint32_t i = 0; i < b->n_grants; i++) {
		if (b->request->parts[i].whole || b->grants[i].share)
			continue;
		/* A whole node comes with all of its memory. */
		RSPB_NODESET_EACH (n, b->grants[i].nodes) {
			const struct rspb_node_class *class = rspb_node_class_of(&picture->classes,
										 n);

			sum->memory += class ? (int64_t) class->memory : 0;
		}
	}
}

static bool has_begun(const struct rspb_booking *b)
{
	return b->state == RSPB_ACTIVE || b->state == RSPB_ACTIVE_CHANGE;
}

/* RET how many licenses of a key the bookings whose time slot has begun have. */
static int64_t licenses_taken(const struct rspb_ledger *ledger, uint64_t key)
{
	int64_t sum = 0;

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		for (uint32_t p = 0; has_begun(b) && p < b->n_grants; p++)
			for (uint32_t q = 0; q < b->request->parts[p].n_quotas; q++)
				if (b->request->parts[p].quotas[q].key == key)
					sum += b->request->parts[p].quotas[q].use;
	}
	return sum;
}

static void add_amounts(json_object *list, const char *name, int64_t booked, int64_t all)
{
	json_object *to = json_object_new_object();

	rspb_json_put_text(to, "name", name);
	rspb_json_put_int(to, "booked", booked);
	if (all >= 0)
		rspb_json_put_int(to, "all", all);
	json_object_array_add(list, to);
}

/* Write the GPUs by type, the memory and the licenses that are booked now, and how much of each
 * there is. */
static void write_taken(json_object *stats, const struct rspb_picture *picture)
{
	json_object *to = object_in(stats, "taken"), *gpus = json_object_new_array(),
		    *licenses = json_object_new_array();
	struct taken sum = { .memory = 0 };

	for (uint32_t n = 0; n < picture->classes.width; n++) {
		const struct rspb_node_class *class = rspb_node_class_of(&picture->classes, n);

		if (class)
			rspb_gpus_add(&sum.gpus, class->gres, 1, true);
		sum.all_memory += class ? (int64_t) class->memory : 0;
	}
	for (size_t i = 0; i < rspb_ledger_count(picture->ledger); i++)
		if (has_begun(rspb_ledger_at(picture->ledger, i)))
			add_taken(&sum, picture, rspb_ledger_at(picture->ledger, i));
	for (size_t i = 0; i < sum.gpus.n; i++)
		add_amounts(gpus, sum.gpus.of[i].type, sum.gpus.of[i].count, sum.gpus.of[i].others);
	for (size_t i = 0; i < picture->n_stocks; i++)
		add_amounts(licenses, picture->stocks[i].name,
			    licenses_taken(picture->ledger, picture->stocks[i].key),
			    picture->stocks[i].most);
	rspb_json_put_int(to, "mem", sum.memory);
	rspb_json_put_int(to, "all_mem", sum.all_memory);
	rspb_json_put(to, "gpus", gpus);
	rspb_json_put(to, "licenses", licenses);
}

/* Write how far ahead one hour must be booked, as the last plan has it. Without a plan, as just
 * after the start, the member is missing. */
static void write_leads(json_object *stats, const struct rspb_picture *picture)
{
	int64_t at;
	struct rspb_ledger *basis = rspb_published_get(&at, NULL);

	if (basis)
		rspb_slots_leads(rspb_ledger_profile(basis), rspb_ledger_machine(basis), NULL,
				 picture->at, LEAD_S, rspb_settings_get()->horizon, stats);
	rspb_ledger_destroy(basis);
}

static void write_bookings(json_object *stats, const struct rspb_picture *picture)
{
	json_object *to = object_in(stats, "bookings");
	uint64_t n[RSPB_N_STATES] = { 0 };

	for (size_t i = 0; i < rspb_ledger_count(picture->ledger); i++)
		n[rspb_ledger_at(picture->ledger, i)->state]++;
	rspb_json_put_int(to, "waiting", picture->n_asked);
	rspb_json_put_int(to, "booked", n[RSPB_BOOKED] + n[RSPB_BOOKED_CHANGE]);
	rspb_json_put_int(to, "active", n[RSPB_ACTIVE] + n[RSPB_ACTIVE_CHANGE]);
}

static void write_socket(json_object *stats)
{
	json_object *to = object_in(stats, "socket");
	struct rspb_server_counts counts;

	rspb_server_count(&counts);
	rspb_json_put_int(to, "open", counts.open);
	rspb_json_put_int(to, "opened", counts.opened);
	rspb_json_put_int(to, "questions", counts.questions);
	rspb_json_put_int(to, "refused", counts.refused);
	rspb_json_put_int(to, "slow", counts.slow);
}

int rspb_figures_answer(const struct rspb_inquiry *inquiry, const struct rspb_caller_view *who,
			const struct rspb_picture *picture, json_object *answer,
			struct rspb_err *err)
{
	json_object *stats = object_in(answer, "stats");
	struct rspb_tally all;

	(void) err;
	rspb_json_put_int(stats, "since", rspb_tally_read(&all));
	if (who->sees_nodes)
		rspb_json_put_int(stats, "nodes", rspb_ledger_machine(picture->ledger));
	write_tally(object_in(stats, "totals"), &all);
	write_users(stats, who);
	write_bookings(stats, picture);
	write_load(stats, picture, inquiry->days ? (int) inquiry->days : USUAL_DAYS);
	/* Leads reveal how many nodes the machine has. */
	if (who->sees_nodes) {
		write_leads(stats, picture);
		write_taken(stats, picture);
	}
	write_all_times(stats);
	write_socket(stats);
	return 0;
}

/* Answers which plugins and settings are in force. It changes none. */

/* Write where a setting comes from: "default", "SchedulerParameters" or "rspb.conf:12". A value
 * that a preset chose has the preset's key. */
static void put_origin(json_object *to, const struct rspb_option *option, int32_t from)
{
	char text[32];

	snprintf(text, sizeof(text), "rspb.conf:%" PRId32, from);
	rspb_json_put_text(to, "from",
			   from > 0			  ? text
			   : from == RSPB_FROM_PARAMETERS ? "SchedulerParameters"
			   : option->fallback		  ? "default"
							  : rspb_options[0].key);
}

/* Write all settings with their values and where they come from. Paths are for operators only,
 * because they reveal how the host is set up. */
static void write_rows(json_object *list, const struct rspb_config *config, bool paths)
{
	const size_t mode = offsetof(struct rspb_config, mode);

	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		bool limit = o->by_rule || o->offset == mode;
		json_object *row;
		char value[RSPB_CONFIG_LIST];

		if (o->kind == RSPB_OPTION_PATH && !paths)
			continue;
		row = json_object_new_object();
		rspb_option_get(o, config, value, sizeof(value));
		rspb_json_put_text(row, "key", o->key);
		rspb_json_put_text(row, "value", value);
		put_origin(row, o, config->from[o - rspb_options]);
		rspb_json_put_bool(row, "limit", limit);
		json_object_array_add(list, row);
	}
}

static void write_rules(json_object *list, const char *rules)
{
	while (*rules) {
		size_t len = strcspn(rules, "\n");

		if (len)
			json_object_array_add(list, json_object_new_string_len(rules, (int) len));
		rules += len + (rules[len] == '\n');
	}
}

void rspb_in_force_answer(const struct rspb_caller_view *who, const struct rspb_picture *picture,
			  json_object *answer)
{
	json_object *settings = json_object_new_object(), *loaded = json_object_new_array(),
		    *rows = json_object_new_array(), *rules = json_object_new_array();
	const struct rspb_config *config = rspb_settings_get();

	for (int i = 0; i < RSPB_ABI_PLUGINS; i++)
		if (rspb_abi_loaded(i))
			json_object_array_add(loaded, json_object_new_string(rspb_abi_plugins[i]));
	write_rows(rows, config, who->privileged);
	if (who->privileged)
		write_rules(rules, config->rules);
	if (who->sees_nodes)
		rspb_json_put_int(settings, "nodes", rspb_ledger_machine(picture->ledger));
	rspb_json_put(settings, "loaded", loaded);
	rspb_json_put(settings, "keys", rows);
	rspb_json_put(settings, "rules", rules);
	rspb_json_put(answer, "settings", settings);
}
