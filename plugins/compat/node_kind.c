/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads size, features and generic resources of nodes as they are configured. Nothing in use is
 * counted. */
#include "plugins/compat/node.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plugins/compat/parts/placed.h"
#include "plugins/compat/slurm.h"

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* Whether an operator or Slurm has taken a node out of service. */
static bool is_out(node_record_t *node)
{
	return IS_NODE_DOWN(node) || IS_NODE_DRAIN(node) || IS_NODE_FAIL(node);
}

/* Slurm looks now and then whether a node is back. */
enum { BACK_S = 30 };

/* RET whether a node serves again after a reboot. */
static bool comes_back(node_record_t *node)
{
	if (IS_NODE_FAIL(node) || IS_NODE_INVALID_REG(node) ||
	    !(IS_NODE_REBOOT_ISSUED(node) ||
	      (IS_NODE_REBOOT_REQUESTED(node) && !IS_NODE_DOWN(node))))
		return false;
	/* next_state is the state that scontrol reboot was told to give the node afterwards
	 * (nextstate=). A node that was drained before stays drained. */
	return node->next_state == NO_VAL ? !IS_NODE_DRAIN(node)
					  : (node->next_state & NODE_STATE_BASE) != NODE_STATE_DOWN;
}

/* Slurm gives up a node that is not back ResumeTimeout seconds after the command was issued. */
static void note_reboot(node_record_t *node, struct rspb_node_kind *out)
{
	int64_t given = slurm_conf.resume_timeout + BACK_S;

	if (!rspb_record_there(node) || !comes_back(node))
		return;
	if (IS_NODE_REBOOT_ISSUED(node))
		out->back = node->boot_req_time + given;
	else
		out->away = given;
}

bool rspb_node_kind_of(uint32_t n, struct rspb_node_kind *out)
{
	const node_record_t *node = rspb_placed_node(n);

	*out = (struct rspb_node_kind){ .name = "", .threads = 1, .features = "", .gres = "" };
	if (!node)
		return false;
	*out = (struct rspb_node_kind){
		.name = rspb_record_there(node) ? node->name : "",
		.cpus = rspb_node_cpus(n),
		.cores = rspb_placed_usable(node),
		.threads = rspb_placed_threads(node),
		.all_cores = node->tot_cores,
		.memory = node->real_memory > node->mem_spec_limit
				  ? node->real_memory - node->mem_spec_limit
				  : 0,
		.all = node->real_memory,
		.features = or_empty(node->features_act ? node->features_act : node->features),
		.gres = or_empty(node->gres),
		.why = is_out(node_record_table_ptr[n]) ? or_empty(node->reason) : NULL,
	};
	note_reboot(node_record_table_ptr[n], out);
	return true;
}

/* Add "kind:type:amount". A device that does not fit is left out as a whole, since a part of a name
 * could be that of another. RET false: the text is full. */
static bool add_device(char *text, size_t size, const char *kind, const char *type, uint64_t amount)
{
	size_t used = strlen(text);
	int len;

	if (!amount)
		return true;
	len = snprintf(text + used, size - used, "%s%s%s%s:%" PRIu64, used ? "," : "", kind,
		       type ? ":" : "", or_empty(type), amount);
	if (len > 0 && (size_t) len < size - used)
		return true;
	text[used] = '\0';
	return false;
}

/* Add all types of a kind, then what has no type: the total includes both. RET false: the text is
 * full. */
static bool add_kind(char *text, size_t size, const gres_state_t *kind)
{
	const gres_node_state_t *at = kind->gres_data;
	uint64_t typed = 0;

	for (int i = 0; i < at->type_cnt; i++) {
		if (!add_device(text, size, kind->gres_name, at->type_name[i],
				at->type_cnt_avail[i]))
			return false;
		typed += at->type_cnt_avail[i];
	}
	return typed >= at->gres_cnt_avail ||
	       add_device(text, size, kind->gres_name, NULL, at->gres_cnt_avail - typed);
}

/* Kinds after the first that does not fit are left out as well. */
void rspb_node_devices(uint32_t n, char *text, size_t size)
{
	const node_record_t *node = rspb_placed_node(n);
	gres_state_t *kind;
	list_itr_t *iter;

	text[0] = '\0';
	if (!node || !node->gres_list)
		return;
	iter = list_iterator_create(node->gres_list);
	while ((kind = list_next(iter)) && add_kind(text, size, kind))
		;
	list_iterator_destroy(iter);
}
