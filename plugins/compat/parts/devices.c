/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts generic resources by kind and type: what nodes have, what jobs take. It gives
 * none to anybody. */
#include "plugins/compat/parts/devices.h"

#include <stdlib.h>
#include <string.h>

/* The kind that shards and MPS are parts of. */
static const char sharing[] = "gpu";

void rspb_devices_add(struct rspb_quotas *quotas, const char *name, int64_t amount)
{
	uint64_t key = rspb_room_key(name);
	/* "All memory of the node" is a larger number than any node has. */
	int64_t most = key == rspb_room_key(RSPB_ROOM_MEMORY) ? INT64_MAX : RSPB_ROOM_MOST;
	struct rspb_quota use = { .per_node = amount };

	for (size_t i = 0; i < quotas->n; i++)
		if (quotas->items[i].key == key) {
			use.per_node += quotas->items[i].per_node;
			quotas->items[i].per_node = use.per_node < most ? use.per_node : most;
			return;
		}
	use.per_node = amount < most ? amount : most;
	rspb_room_add(quotas, name, &use);
}

/* --- as text ---------------------------------------------------------------- */

/* Read "KIND:N" or "KIND:TYPE:N", where N follows the last colon. Devices of a type also count
 * as devices of their kind. */
static void read_one(const char *text, struct rspb_quotas *quotas)
{
	size_t kind = strcspn(text, ":,"), name = 0, end = kind;
	char called[RSPB_DEVICE_NAME];
	int64_t amount;

	while (text[end] == ':') {
		name = end;
		end += 1 + strcspn(text + end + 1, ":,");
	}
	amount = name ? strtoll(text + name + 1, NULL, 10) : 0;
	if (amount <= 0)
		return;
	snprintf(called, sizeof(called), "%.*s", (int) kind, text);
	rspb_devices_add(quotas, called, amount);
	if (name == kind)
		return;
	snprintf(called, sizeof(called), "%.*s", (int) name, text);
	rspb_devices_add(quotas, called, amount);
}

static void read_devices(const char *text, struct rspb_quotas *quotas)
{
	while (*text) {
		read_one(text, quotas);
		text += strcspn(text, ",");
		text += strspn(text, ",");
	}
}

void rspb_devices_kept(int64_t memory, const char *text, struct rspb_quotas *quotas)
{
	if (memory)
		rspb_devices_add(quotas, RSPB_ROOM_MEMORY, memory);
	read_devices(text, quotas);
}

/* --- what is where ------------------------------------------------------------- */

static int is_kind(void *kind, void *id)
{
	return ((gres_state_t *) kind)->plugin_id == *(uint32_t *) id;
}

gres_node_state_t *rspb_devices_at(uint32_t n, uint32_t kind)
{
	const node_record_t *node = n < (uint32_t) node_record_count ? node_record_table_ptr[n]
								     : NULL;
	const gres_state_t *found = node && node->gres_list
					    ? list_find_first(node->gres_list, is_kind, &kind)
					    : NULL;

	return found ? found->gres_data : NULL;
}

uint32_t rspb_devices_sets(const gres_state_t *asked, uint32_t n, uint64_t *fewest)
{
	const gres_job_state_t *job = asked->gres_data;
	const gres_node_state_t *at = rspb_devices_at(n, asked->plugin_id);
	uint32_t sets = 0;

	*fewest = UINT64_MAX;
	for (int i = 0; at && at->topo_core_bitmap && i < at->topo_cnt; i++) {
		bool known = false;

		if (!at->topo_core_bitmap[i] ||
		    (job->type_name && xstrcmp(job->type_name, at->topo_type_name[i])))
			continue;
		for (int k = 0; k < i && !known; k++)
			known = at->topo_core_bitmap[k] &&
				bit_equal(at->topo_core_bitmap[i], at->topo_core_bitmap[k]);
		sets += !known;
		if (*fewest > at->topo_gres_cnt_avail[i])
			*fewest = at->topo_gres_cnt_avail[i];
	}
	return sets;
}

/* RET the socket that a line of gres.conf is beside; -1: all of them. */
static int socket_of(const bitstr_t *cores, const node_record_t *node)
{
	int first = -1, has = 0;

	for (int s = 0; cores && s < node->tot_sockets; s++)
		for (int c = s * node->cores; c < (s + 1) * node->cores; c++)
			if (c < bit_size((bitstr_t *) cores) && bit_test((bitstr_t *) cores, c)) {
				first = first < 0 ? s : first;
				has++;
				break;
			}
	return has == node->tot_sockets ? -1 : first;
}

/* RET the socket of a node with the most devices, -1: none has any. */
static int fullest(const uint64_t *devices, uint32_t n)
{
	int best = -1;

	for (int s = 0; s < node_record_table_ptr[n]->tot_sockets; s++)
		if (devices[s] && (best < 0 || devices[s] > devices[best]))
			best = s;
	return best;
}

/* RET the devices beside each socket of a node that a job may take, owned, and in *any those that
 * are beside all; NULL: all are, as none has a line of its own. now: those that are free now. */
static uint64_t *by_socket(const gres_state_t *asked, uint32_t n, bool now, uint64_t *any)
{
	const gres_job_state_t *job = asked->gres_data;
	const gres_node_state_t *at = rspb_devices_at(n, asked->plugin_id);
	const node_record_t *node = at ? node_record_table_ptr[n] : NULL;
	uint64_t *devices;

	if (!node || !node->tot_sockets || !at->topo_cnt || !at->topo_core_bitmap)
		return NULL;
	devices = xcalloc(node->tot_sockets, sizeof(*devices));
	*any = 0;
	for (int i = 0; i < at->topo_cnt; i++) {
		uint64_t has = at->topo_gres_cnt_avail[i];
		uint64_t taken = now ? at->topo_gres_cnt_alloc[i] : 0;
		int s;

		if (has <= taken ||
		    (job->type_name && xstrcmp(job->type_name, at->topo_type_name[i])))
			continue;
		s = socket_of(at->topo_core_bitmap[i], node);
		*(s < 0 ? any : &devices[s]) += has - taken;
	}
	return devices;
}

uint32_t rspb_devices_sockets(const gres_state_t *asked, uint32_t n, uint32_t sockets,
			      uint64_t *most)
{
	uint64_t *devices = by_socket(asked, n, false, most);
	uint32_t beside = 0;

	if (!devices) {
		*most = UINT64_MAX;
		return 0;
	}
	for (int s; beside < sockets && (s = fullest(devices, n)) >= 0; beside++) {
		*most += devices[s];
		devices[s] = 0;
	}
	xfree(devices);
	return beside;
}

int rspb_devices_free_socket(const job_record_t *job, uint32_t n)
{
	const gres_state_t *asked = job->gres_list_req ? list_peek(job->gres_list_req) : NULL;
	uint64_t any, *devices = asked ? by_socket(asked, n, true, &any) : NULL;
	int best;

	if (!devices)
		return 0;
	best = fullest(devices, n);
	xfree(devices);
	return best < 0 ? 0 : best;
}

static void add_type(struct rspb_quotas *quotas, const char *kind, const char *type, int64_t amount)
{
	char name[RSPB_DEVICE_NAME];

	if (!type || !amount)
		return;
	rspb_device_name(kind, type, name);
	rspb_devices_add(quotas, name, amount);
}

/* Add a device of any of the types that these bits name; without bits it may be of each type. */
static void add_types(struct rspb_quotas *quotas, const char *kind, const gres_node_state_t *at,
		      bitstr_t *bits, int64_t amount)
{
	if (!bits) {
		for (int i = 0; i < at->type_cnt; i++)
			add_type(quotas, kind, at->type_name[i], amount);
		return;
	}
	for (int i = 0; i < at->topo_cnt; i++)
		if (at->topo_gres_bitmap && at->topo_gres_bitmap[i] &&
		    bit_size(at->topo_gres_bitmap[i]) == bit_size(bits))
			add_type(quotas, kind, at->topo_type_name[i],
				 bit_overlap(at->topo_gres_bitmap[i], bits));
}

/* Whether it is a kind whose devices are parts of GPUs. */
static bool is_shared(const gres_state_t *asked)
{
	return asked->config_flags & GRES_CONF_SHARED;
}

/* Add so much of one kind, with these bits (NULL: none), that a job has on a node. Types are
 * counted only on nodes that have several of the kind. */
static void add_had(const gres_state_t *kind, bitstr_t *bits, int64_t amount, uint32_t node,
		    struct rspb_quotas *quotas)
{
	const gres_job_state_t *has = kind->gres_data;
	const gres_node_state_t *at = rspb_devices_at(node, kind->plugin_id);

	rspb_devices_add(quotas, kind->gres_name, amount);
	if (is_shared(kind))
		/* The bits are the GPUs that the parts are on. Without them each part counts as
		 * a GPU, which is never too few. */
		rspb_devices_add(quotas, sharing, bits ? bit_set_count(bits) : amount);
	else if (at && at->type_cnt > 1 && has->type_name)
		add_type(quotas, kind->gres_name, has->type_name, amount);
	else if (at && at->type_cnt > 1)
		add_types(quotas, kind->gres_name, at, bits, amount);
}

/* Add all kinds of a list. Lists of jobs are numbered by the nodes of the job, lists of
 * reservations by all nodes. */
static void add_all(list_t *kinds, int place, uint32_t node, struct rspb_quotas *quotas)
{
	list_itr_t *iter;
	gres_state_t *kind;

	if (!kinds)
		return;
	iter = list_iterator_create(kinds);
	while ((kind = list_next(iter))) {
		const gres_job_state_t *has = kind->gres_data;

		if (has->gres_cnt_node_alloc && place < (int) has->node_cnt)
			add_had(kind, has->gres_bit_alloc ? has->gres_bit_alloc[place] : NULL,
				(int64_t) has->gres_cnt_node_alloc[place], node, quotas);
	}
	list_iterator_destroy(iter);
}

void rspb_devices_had(const job_record_t *job, int place, uint32_t node, struct rspb_quotas *quotas)
{
	add_all(job->gres_list_alloc, place, node, quotas);
}

void rspb_devices_given(const job_record_t *job, uint32_t node, struct rspb_quotas *quotas)
{
	list_itr_t *iter;
	gres_state_t *kind;

	if (!job->gres_list_req)
		return;
	iter = list_iterator_create(job->gres_list_req);
	while ((kind = list_next(iter))) {
		const gres_job_state_t *has = kind->gres_data;
		const gres_node_state_t *at = rspb_devices_at(node, kind->plugin_id);
		int64_t amount;

		if (!has->gres_cnt_node_select || node >= has->total_node_cnt)
			continue;
		amount = (int64_t) has->gres_cnt_node_select[node];
		add_had(kind, has->gres_bit_select ? has->gres_bit_select[node] : NULL, amount,
			node, quotas);
		/* The part names the type that its job names, also on nodes that have only one. */
		if (at && at->type_cnt < 2)
			add_type(quotas, kind->gres_name, has->type_name, amount);
	}
	list_iterator_destroy(iter);
}

void rspb_devices_reserved(const slurmctld_resv_t *resv, uint32_t node, struct rspb_quotas *quotas)
{
	add_all(rspb_release_resv_gres(resv), (int) node, node, quotas);
}

/* --- parts of devices ------------------------------------------------------------ */

bool rspb_devices_one(const gres_state_t *asked)
{
	const gres_job_state_t *job = asked->gres_data;

	return is_shared(asked) && job->gres_per_node && !job->gres_per_job &&
	       !(slurm_conf.select_type_param & RSPB_RELEASE_SPREAD_SHARING);
}

/* Slurm takes those of --gres from one device; of others, and of MPS, which but one GPU
 * of a node has at a time, it is not said. */
int64_t rspb_devices_sharing(const gres_state_t *asked)
{
	const gres_job_state_t *job = asked->gres_data;

	return !strcmp(asked->gres_name, "shard") && !job->gres_per_task && rspb_devices_one(asked);
}

bool rspb_devices_too_many(const gres_state_t *asked, uint32_t n)
{
	const gres_job_state_t *job = asked->gres_data;
	const gres_node_state_t *at = rspb_devices_at(n, asked->plugin_id);

	if (!is_shared(asked))
		return false;
	if (!at || !at->topo_cnt || !at->topo_gres_cnt_avail)
		return true;
	/* Slurm chooses the GPU, so that each of them must be large enough. */
	for (int i = 0; i < at->topo_cnt; i++)
		if (at->topo_gres_cnt_avail[i] < job->gres_per_node)
			return true;
	return false;
}

static int is_sharing(void *kind, void *unused)
{
	(void) unused;
	return !strcmp(((gres_state_t *) kind)->gres_name, sharing);
}

/* RET how many types of GPUs a node has whose parts are asked for. */
static int sharing_types(const gres_state_t *asked, uint32_t n)
{
	const gres_state_t *gpus;

	if (!rspb_devices_at(n, asked->plugin_id))
		return 0;
	gpus = list_find_first(node_record_table_ptr[n]->gres_list, is_sharing, NULL);
	return gpus ? ((gres_node_state_t *) gpus->gres_data)->type_cnt : 0;
}

static int is_part(void *asked, void *unused)
{
	(void) unused;
	return is_shared(asked);
}

bool rspb_devices_shares(const job_record_t *job)
{
	return job->gres_list_req && list_find_first(job->gres_list_req, is_part, NULL);
}

/* RET how many types a node has of what is asked for, where any will do. */
static int types_of(const gres_state_t *asked, uint32_t node)
{
	const gres_job_state_t *job = asked->gres_data;
	const gres_node_state_t *at;

	if (is_shared(asked))
		return sharing_types(asked, node);
	at = job->type_name ? NULL : rspb_devices_at(node, asked->plugin_id);
	return at ? at->type_cnt : 0;
}

const char *rspb_devices_vague(const job_record_t *job, uint32_t node)
{
	const char *kind = NULL;
	list_itr_t *iter;
	gres_state_t *asked;

	if (!job->gres_list_req)
		return NULL;
	iter = list_iterator_create(job->gres_list_req);
	while (!kind && (asked = list_next(iter))) {
		/* MPS, and shards that may be on several GPUs, take an unknown number of GPUs. */
		if (is_shared(asked) && !rspb_devices_sharing(asked))
			kind = sharing;
		else if (types_of(asked, node) > 1)
			kind = is_shared(asked) ? sharing : asked->gres_name;
	}
	list_iterator_destroy(iter);
	return kind;
}

const char *rspb_devices_why(const job_record_t *job)
{
	for (uint32_t n = 0; n < (uint32_t) node_record_count; n++) {
		const char *kind = rspb_devices_vague(job, n);

		if (!kind)
			continue;
		return kind == sharing ? "parts of GPUs can be booked only with whole nodes"
				       : "a node with several types of a resource can be booked "
					 "in part only if the type is named, as in --gpus=TYPE:N";
	}
	return NULL;
}

uint32_t rspb_devices_types(const gres_state_t *asked, uint32_t node,
			    char (*types)[RSPB_QUOTA_NAME], uint32_t most)
{
	const gres_node_state_t *at = rspb_devices_at(node, asked->plugin_id);
	char name[RSPB_DEVICE_NAME];
	uint32_t n = 0;

	if (types_of(asked, node) < 2)
		return 0;
	for (int i = 0; at && i < at->type_cnt && n < most; i++) {
		rspb_device_name(asked->gres_name, at->type_name[i], name);
		snprintf(types[n++], RSPB_QUOTA_NAME, "%s", name);
	}
	return n;
}
