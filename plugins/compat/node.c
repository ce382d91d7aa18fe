/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the node table: how many nodes, which are fit, in which state. It changes
 * none. */
#include "plugins/compat/node.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/hash.h"
#include "common/base/text.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/clock.h"

uint32_t rspb_node_width(void)
{
	return node_record_count > 0 ? (uint32_t) node_record_count : 0;
}

static _Atomic uint32_t there;

uint32_t rspb_node_count(void)
{
	uint32_t n = there;

	return n ? n : rspb_node_width();
}

enum {
	TRUSTED_MS = 500,
	BACK_S = 30 /* Slurm looks now and then whether one is back */
};

bool rspb_node_look_holds(const struct rspb_node_look *look)
{
	if (!look->taken || look->width != rspb_node_width() ||
	    look->table != node_record_table_ptr || look->conf != slurm_conf.last_update)
		return false;
	return (last_node_update < look->taken && look->taken <= time(NULL)) ||
	       rspb_clock_us(CLOCK_MONOTONIC) / 1000 < look->until;
}

struct rspb_node_look rspb_node_look_take(void)
{
	return (struct rspb_node_look){
		.taken = time(NULL),
		.until = rspb_clock_us(CLOCK_MONOTONIC) / 1000 + TRUSTED_MS,
		.conf = slurm_conf.last_update,
		.width = rspb_node_width(),
		.table = node_record_table_ptr,
	};
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return rspb_hash(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Hash what node_rank.c ranks a node by, except for features: the owner of a booking that has lost
 * one for a moment is still told of it, which another table would forget. */
static uint64_t hash_config(const config_record_t *config)
{
	uint64_t hash = rspb_hash(RSPB_HASH_START, &config->weight, sizeof(config->weight));

	hash = rspb_hash(hash, &config->real_memory, sizeof(config->real_memory));
	hash = rspb_hash(hash, &config->cpus, sizeof(config->cpus));
	return hash_text(hash, config->gres);
}

/* All names and what nodes are; a slot without a node counts, too, and as that one that
 * is to come. */
static uint64_t fingerprint(void)
{
	const config_record_t *last = NULL;
	uint64_t hash = RSPB_HASH_START, known = 0;
	uint32_t found = 0;
	int n;

	for (n = 0; n < node_record_count; n++) {
		node_record_t *node = node_record_table_ptr[n];
		const config_record_t *config = node ? node->config_ptr : NULL;

		if (config != last)
			known = config ? hash_config(config) : 0;
		last = config;
		found += rspb_record_there(node);
		hash = hash_text(hash, rspb_record_there(node) ? node->name : NULL);
		hash = rspb_hash(hash, &known, sizeof(known));
	}
	there = found;
	return hash;
}

uint64_t rspb_node_fingerprint(void)
{
	static _Thread_local struct {
		uint64_t hash;
		struct rspb_node_look look;
	} last;

	if (!rspb_node_look_holds(&last.look)) {
		last.hash = fingerprint();
		last.look = rspb_node_look_take();
	}
	return last.hash;
}

static bool usable(node_record_t *node)
{
	return rspb_record_there(node) && !IS_NODE_DOWN(node) && !IS_NODE_DRAIN(node) &&
	       !IS_NODE_FAIL(node) && !IS_NODE_INVALID_REG(node);
}

void rspb_node_unusable(struct rspb_nodeset *out)
{
	uint32_t n;

	for (n = 0; n < out->width; n++)
		if (n >= rspb_node_width() || !usable(node_record_table_ptr[n]))
			rspb_nodeset_add(out, n);
}

void rspb_node_silent(struct rspb_nodeset *out)
{
	uint32_t n;

	for (n = 0; n < out->width && n < rspb_node_width(); n++) {
		node_record_t *node = node_record_table_ptr[n];

		if (usable(node) && rspb_record_silent(node))
			rspb_nodeset_add(out, n);
	}
}

void rspb_node_completing(struct rspb_nodeset *out)
{
	rspb_bits_add(cg_node_bitmap, out);
}

bool rspb_node_idle(const struct rspb_nodeset *set)
{
	uint32_t width = rspb_node_width();

	if (!idle_node_bitmap || !avail_node_bitmap || !up_node_bitmap)
		return false;
	RSPB_NODESET_EACH (n, set)
		if (n >= width || !bit_test(idle_node_bitmap, n) ||
		    !bit_test(avail_node_bitmap, n) || !bit_test(up_node_bitmap, n))
			return false;
	return true;
}

bool rspb_node_usable(const struct rspb_nodeset *set)
{
	uint32_t width = rspb_node_width();

	RSPB_NODESET_EACH (n, set)
		if (n >= width || !usable(node_record_table_ptr[n]) ||
		    rspb_record_silent(node_record_table_ptr[n]))
			return false;
	return true;
}

int64_t rspb_node_back(uint32_t n, int64_t now)
{
	const node_record_t *node = rspb_record_at(n);
	int64_t given;

	if (!node || IS_NODE_FAIL(node) || IS_NODE_INVALID_REG(node) ||
	    !(IS_NODE_REBOOT_ISSUED(node) ||
	      (IS_NODE_REBOOT_REQUESTED(node) && !IS_NODE_DOWN(node))))
		return 0;
	/* A node that was drained before stays drained afterwards. */
	if (node->next_state == NO_VAL ? IS_NODE_DRAIN(node)
				       : (node->next_state & NODE_STATE_BASE) == NODE_STATE_DOWN)
		return 0;
	given = slurm_conf.resume_timeout;
	return (IS_NODE_REBOOT_ISSUED(node) ? node->boot_req_time : now) + given + BACK_S;
}

int64_t rspb_node_resume_time(void)
{
	const char *program = slurm_conf.resume_program;
	uint32_t most = 0;

	/* Where silence is no fault nodes need not answer to be used. */
	if (!slurm_conf.slurmd_timeout)
		return 0;
	for (uint32_t n = 0; program && *program && n < rspb_node_width(); n++) {
		const node_record_t *node = node_record_table_ptr[n];
		uint32_t own = node ? node->resume_timeout : 0;

		if (own == NO_VAL16 || own == INFINITE16)
			own = slurm_conf.resume_timeout;
		most = own > most ? own : most;
	}
	return most;
}

static bool asleep(const node_record_t *node)
{
	return IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node) ||
	       IS_NODE_POWER_DOWN(node);
}

void rspb_node_asleep(struct rspb_nodeset *out)
{
	for (uint32_t n = 0; n < out->width && n < rspb_node_width(); n++) {
		const node_record_t *node = node_record_table_ptr[n];

		if (node && (asleep(node) || IS_NODE_POWERING_UP(node)))
			rspb_nodeset_add(out, n);
	}
}

static int power_up(char *names, struct rspb_err *err)
{
	update_node_msg_t message;

	slurm_init_update_node_msg(&message);
	message.node_names = names;
	message.node_state = NODE_STATE_POWER_UP;
	if (update_node(&message, slurm_conf.slurm_user_id) == SLURM_SUCCESS)
		return 0;
	return rspb_fail(err, "%.200s cannot be powered up", names);
}

int rspb_node_wake(const struct rspb_nodeset *nodes, int64_t now, struct rspb_err *err)
{
	struct rspb_nodeset *down = rspb_nodeset_create(nodes->width);
	char *names;
	int rc = 0;

	if (!down)
		return rspb_fail(err, "out of memory");
	for (uint32_t n = rspb_nodeset_next(nodes, 0); n < nodes->width && n < rspb_node_width();
	     n = rspb_nodeset_next(nodes, n + 1)) {
		node_record_t *node = node_record_table_ptr[n];

		if (node && IS_NODE_POWERED_DOWN(node) && !IS_NODE_POWER_UP(node))
			rspb_nodeset_add(down, n);
		else if (node && node->last_busy && !asleep(node))
			node->last_busy = now;
	}
	if (!rspb_nodeset_empty(down)) {
		names = rspb_node_names(down);
		rc = names ? power_up(names, err) : rspb_fail(err, "out of memory");
		free(names);
	}
	rspb_nodeset_destroy(down);
	return rc;
}

char *rspb_node_all_names(void)
{
	size_t length = 1;
	char *names, *end;
	uint32_t n;

	for (n = 0; n < rspb_node_width(); n++)
		length += 1 + (rspb_record_at(n) ? strlen(rspb_record_at(n)->name) : 0);
	names = end = malloc(length);
	for (n = 0; names && n < rspb_node_width(); n++) {
		if (n)
			*end++ = ',';
		if (rspb_record_at(n))
			end = stpcpy(end, rspb_record_at(n)->name);
	}
	if (names)
		*end = '\0';
	return names;
}

char *rspb_node_names(const struct rspb_nodeset *set)
{
	bitstr_t *bits = rspb_bits_make(set);
	char *slurms = bitmap2node_name(bits);
	char *ours = slurms ? strdup(slurms) : NULL;

	xfree(slurms);
	bit_free(bits);
	return ours;
}

char *rspb_node_range(const char *const *names, const struct rspb_nodeset *set)
{
	struct hostlist *list = hostlist_create(NULL);
	char *slurms, *ours;

	for (uint32_t n = rspb_nodeset_next(set, 0); n < set->width;
	     n = rspb_nodeset_next(set, n + 1))
		hostlist_push_host(list, names[n]);
	slurms = hostlist_ranged_string_xmalloc(list);
	ours = slurms ? strdup(slurms) : NULL;
	xfree(slurms);
	hostlist_destroy(list);
	return ours;
}

struct partitions {
	struct rspb_nodeset *scratch;
	rspb_partition_fn fn;
	void *arg;
};

static int visit_partition(void *x, void *arg)
{
	const struct partitions *to = arg;
	part_record_t *part = x;
	bitstr_t *bits = rspb_bits_there(part->node_bitmap);

	rspb_nodeset_clear(to->scratch);
	rspb_bits_add(bits, to->scratch);
	FREE_NULL_BITMAP(bits);
	/* Slurm stops at what is negative. */
	return to->fn(part->name, part == default_part_loc, to->scratch, to->arg) ? -1 : 0;
}

void rspb_partition_each(rspb_partition_fn fn, void *arg)
{
	struct partitions to = { rspb_nodeset_create(rspb_node_width()), fn, arg };

	if (to.scratch && part_list)
		list_for_each(part_list, visit_partition, &to);
	rspb_nodeset_destroy(to.scratch);
}

uint32_t rspb_node_find(const char *name)
{
	const node_record_t *node = find_node_record((char *) name);

	/* Slurm also finds one by the name of its host. */
	if (!node || !node->name || strcmp(node->name, name))
		return rspb_node_width();
	return (uint32_t) node->index;
}

/* Loopback is this host, which is the controller's. */
static bool is_controller(const char *host)
{
	if (rspb_text_same_host(host, "localhost") || !strncmp(host, "127.", 4))
		return true;
	for (uint32_t i = 0; i < slurm_conf.control_cnt; i++)
		if (rspb_text_same_host(host, slurm_conf.control_machine[i]) ||
		    rspb_text_same_host(host, slurm_conf.control_addr[i]))
			return true;
	return false;
}

bool rspb_node_runs_on(uint32_t index, const char *host)
{
	const node_record_t *node = node_record_table_ptr[index];

	return is_controller(host) || (node && (rspb_text_same_host(host, node->name) ||
						rspb_text_same_host(host, node->node_hostname) ||
						rspb_text_same_host(host, node->comm_name)));
}

int rspb_node_parse(const char *names, struct rspb_nodeset *set, struct rspb_err *err)
{
	bitstr_t *bits;

	if (rspb_bits_named("nodes", names, &bits, err))
		return -1;
	rspb_nodeset_clear(set);
	rspb_bits_add(bits, set);
	FREE_NULL_BITMAP(bits);
	return 0;
}

uint64_t rspb_node_features_mark(void)
{
	uint64_t hash = RSPB_HASH_START;

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		const char *active = node ? node->features_act : NULL;

		hash = rspb_hash(hash, &i, sizeof(i));
		if (active)
			hash = rspb_hash(hash, active, strlen(active));
	}
	return hash;
}
