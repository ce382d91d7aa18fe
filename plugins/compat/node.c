/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the node table: how many nodes there are, which are fit, and in which state. Only waking a
 * node changes it. */
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

/* The last thread that computed a fingerprint writes it, and any thread reads it. */
static _Atomic uint32_t there;

uint32_t rspb_node_count(void)
{
	uint32_t n = there;

	/* Before the first fingerprint every place in the table is counted. */
	return n ? n : rspb_node_width();
}

enum { TRUSTED_MS = 500 };

static bool look_holds(const struct rspb_node_look *look)
{
	/* A reconfiguration may put another table into place, even one of the same size. */
	if (!look->taken || look->width != rspb_node_width() ||
	    look->table != node_record_table_ptr || look->conf != slurm_conf.last_update)
		return false;
	/* A change in the very second of the look may have come after it, so only an older change
	 * is known to have been seen. */
	return (last_node_update < look->taken && look->taken <= time(NULL)) ||
	       rspb_clock_us(CLOCK_MONOTONIC) / 1000 < look->until;
}

bool rspb_node_look_again(struct rspb_node_look *look)
{
	if (look_holds(look))
		return false;
	*look = (struct rspb_node_look){
		.taken = time(NULL),
		.until = rspb_clock_us(CLOCK_MONOTONIC) / 1000 + TRUSTED_MS,
		.conf = slurm_conf.last_update,
		.width = rspb_node_width(),
		.table = node_record_table_ptr,
	};
	return true;
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

/* Hash the names of all nodes and what they are. A place without a node counts as well, and so does
 * one whose node is still to come (State=FUTURE). */
static uint64_t fingerprint(void)
{
	const config_record_t *last = NULL;
	uint64_t hash = RSPB_HASH_START, known = 0;
	uint32_t found = 0;
	int n;

	for (n = 0; n < node_record_count; n++) {
		node_record_t *node = node_record_table_ptr[n];
		const config_record_t *config = node ? node->config_ptr : NULL;

		/* Neighbours in the table mostly share a line of slurm.conf, which is hashed once
		 * for all of them. */
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
	/* Each thread remembers its own look, which needs no lock beside that of Slurm. */
	static _Thread_local struct {
		uint64_t hash;
		struct rspb_node_look look;
	} last;

	if (rspb_node_look_again(&last.look))
		last.hash = fingerprint();
	return last.hash;
}

/* Whether a node may be counted on. INVALID_REG marks a node that has registered with less than
 * slurm.conf says. */
static bool usable(node_record_t *node)
{
	return rspb_record_there(node) && !IS_NODE_DOWN(node) && !IS_NODE_DRAIN(node) &&
	       !IS_NODE_FAIL(node) && !IS_NODE_INVALID_REG(node);
}

static bool is_idle(uint32_t n)
{
	/* Slurm creates these bitmaps when it has read its nodes. */
	return idle_node_bitmap && avail_node_bitmap && up_node_bitmap &&
	       bit_test(idle_node_bitmap, n) && bit_test(avail_node_bitmap, n) &&
	       bit_test(up_node_bitmap, n);
}

/* Slurm counts the jobs on each node itself, so that no job has to be looked at. This answers most
 * questions without a walk over all jobs. */
static bool is_empty(uint32_t n)
{
	const node_record_t *node = node_record_table_ptr[n];

	return node && !node->run_job_cnt && !node->comp_job_cnt && !node->sus_job_cnt &&
	       !bit_test(cg_node_bitmap, n);
}

static bool is_usable(uint32_t n)
{
	return usable(node_record_table_ptr[n]) && !rspb_record_silent(node_record_table_ptr[n]);
}

bool rspb_nodes_are(enum rspb_nodes_all what, const struct rspb_nodeset *set)
{
	bool (*const is)(uint32_t) = what == RSPB_NODES_IDLE	? is_idle
				     : what == RSPB_NODES_EMPTY ? is_empty
								: is_usable;

	RSPB_NODESET_EACH (n, set)
		if (n >= rspb_node_width() || !is(n))
			return false;
	return true;
}

int64_t rspb_node_resume_time(void)
{
	const char *program = slurm_conf.resume_program;
	uint32_t most = 0;

	/* Where silence is no fault, nodes need not answer to be used. */
	if (!slurm_conf.slurmd_timeout)
		return 0;
	for (uint32_t n = 0; program && *program && n < rspb_node_width(); n++) {
		const node_record_t *node = node_record_table_ptr[n];
		uint32_t own = node ? node->resume_timeout : 0;

		/* A node without a value of its own has that of the cluster. */
		if (own == NO_VAL16 || own == INFINITE16)
			own = slurm_conf.resume_timeout;
		most = own > most ? own : most;
	}
	return most;
}

static char *table_names(const struct rspb_nodeset *set)
{
	bitstr_t *bits = rspb_bits_make(set);
	char *slurms = bitmap2node_name(bits);
	/* The text of Slurm is freed with xfree(), and those of ours with free(). */
	char *ours = slurms ? strdup(slurms) : NULL;

	xfree(slurms);
	bit_free(bits);
	return ours;
}

/* Whether a node is powered down, is being powered down, or is about to be. */
static bool asleep(const node_record_t *node)
{
	return IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node) ||
	       IS_NODE_POWER_DOWN(node);
}

void rspb_node_add(enum rspb_node_state state, struct rspb_nodeset *out)
{
	/* Slurm keeps this bitmap for its own use; a node stays in it until its last epilog has
	 * ended. */
	if (state == RSPB_NODES_COMPLETING) {
		rspb_bits_add(cg_node_bitmap, out);
		return;
	}
	/* The set may be wider than the table; numbers beyond it are no nodes. */
	for (uint32_t n = 0; n < out->width; n++) {
		node_record_t *node = n < rspb_node_width() ? node_record_table_ptr[n] : NULL;
		bool is = state == RSPB_NODES_UNUSABLE && !usable(node);

		is |= state == RSPB_NODES_SILENT && usable(node) && rspb_record_silent(node);
		is |= state == RSPB_NODES_ASLEEP && node &&
		      (asleep(node) || IS_NODE_POWERING_UP(node));
		if (is)
			rspb_nodeset_add(out, n);
	}
}

/* Power nodes up as scontrol update State=POWER_UP does. The thread of Slurm for power saving runs
 * ResumeProgram later, so nothing waits here. */
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

		/* A node that is still powering down is left alone until it sleeps. */
		if (node && IS_NODE_POWERED_DOWN(node) && !IS_NODE_POWER_UP(node))
			rspb_nodeset_add(down, n);
		/* Slurm powers a node down when it was last busy SuspendTime ago. This keeps it
		 * awake without a change of its state. */
		else if (node && node->last_busy && !asleep(node))
			node->last_busy = now;
	}
	if (!rspb_nodeset_empty(down)) {
		names = table_names(down);
		rc = names ? power_up(names, err) : rspb_fail(err, "out of memory");
		free(names);
	}
	rspb_nodeset_destroy(down);
	return rc;
}

char *rspb_node_names(const char *const *names, const struct rspb_nodeset *set)
{
	struct hostlist *list;
	char *slurms, *ours;

	if (!names)
		return table_names(set);
	list = hostlist_create(NULL);
	RSPB_NODESET_EACH (n, set)
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

static const char *state_of(const part_record_t *part)
{
	switch (part->state_up) {
	case PARTITION_UP:
		return NULL;
	case PARTITION_DOWN:
		return "DOWN";
	case PARTITION_DRAIN:
		return "DRAIN";
	default:
		return "INACTIVE";
	}
}

static int visit_partition(void *x, void *arg)
{
	const struct partitions *to = arg;
	part_record_t *part = x;
	bitstr_t *bits = rspb_bits_there(part->node_bitmap);

	rspb_nodeset_clear(to->scratch);
	rspb_bits_add(bits, to->scratch);
	FREE_NULL_BITMAP(bits);
	/* list_for_each() stops at a negative value. Its lock is held here: fn must not walk over
	 * partitions. */
	return to->fn(part->name, part == default_part_loc, state_of(part), to->scratch, to->arg)
		       ? -1
		       : 0;
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

	/* Slurm also finds a node by the name of its host. */
	if (!node || !node->name || strcmp(node->name, name))
		return rspb_node_width();
	return (uint32_t) node->index;
}

/* Whether a host is that of a controller. Loopback is this host, hence the controller's. */
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
