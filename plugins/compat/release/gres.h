/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hides the differences between releases of Slurm in generic resources. */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_GRES_H
#define RSPB_PLUGINS_COMPAT_RELEASE_GRES_H

#include "plugins/compat/release/headers.h"

/* The prefix of a kind in a submission. */
#ifdef RSPB_HAVE_RESV_EXC
#define RSPB_RELEASE_GRES "gres/"
#else
#define RSPB_RELEASE_GRES "gres:"
#endif

/* Make the list of what a submission asks for (out, in Slurm's memory). Slurm
 * corrects the numbers that it is given: copies will do. RET Slurm's code. */
static inline int rspb_release_gres(const job_desc_msg_t *desc, list_t **out)
{
	uint32_t tasks = desc->num_tasks, min = desc->min_nodes, max = desc->max_nodes;
	uint16_t per_node = desc->ntasks_per_node, per_socket = desc->ntasks_per_socket,
		 sockets = desc->sockets_per_node, cpus = desc->cpus_per_task,
		 per_tres = desc->ntasks_per_tres;
#ifdef RSPB_HAVE_GRES_VALIDATE_T
	uint32_t least = desc->min_cpus;
	gres_job_state_validate_t asked = {
		.cpus_per_tres = desc->cpus_per_tres,
		.mem_per_tres = desc->mem_per_tres,
		.tres_freq = desc->tres_freq,
		.tres_per_job = desc->tres_per_job,
		.tres_per_node = desc->tres_per_node,
		.tres_per_socket = desc->tres_per_socket,
		.tres_per_task = desc->tres_per_task,
		.cpus_per_task = &cpus,
		.max_nodes = &max,
		.min_cpus = &least,
		.min_nodes = &min,
		.ntasks_per_node = &per_node,
		.ntasks_per_socket = &per_socket,
		.ntasks_per_tres = &per_tres,
		.num_tasks = &tasks,
		.sockets_per_node = &sockets,
		.gres_list = out,
	};

	return gres_job_state_validate(&asked);
#else
	return gres_job_state_validate(desc->cpus_per_tres, desc->tres_freq, desc->tres_per_job,
				       desc->tres_per_node, desc->tres_per_socket,
				       desc->tres_per_task, desc->mem_per_tres, &tasks, &min, &max,
				       &per_node, &per_socket, &sockets, &cpus, &per_tres, out);
#endif
}

#endif
