/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_rspb.so: the flags of sbatch, salloc and srun, and the CPU shares of
 * a job on its nodes. This file only says which context calls what.
 *
 * plugstack.conf names it as `optional`. Every callback returns 0 whatever
 * happened: a SPANK plugin that fails can drain the node, and a wish for
 * a share is no reason to take a node away from everybody.
 */
#include <slurm/spank.h>

#include "plugins/spank/shares.h"
#include "plugins/spank/submit.h"

SPANK_PLUGIN(rspb, 1)

int slurm_spank_init(spank_t sp, int ac, char *argv[])
{
	switch (spank_context()) {
	case S_CTX_ALLOCATOR:
	case S_CTX_LOCAL:
		rspb_submit_forget_inherited();
		rspb_submit_register(sp);
		break;
	case S_CTX_REMOTE:
		rspb_submit_register(sp);
		break;
	case S_CTX_SLURMD:
		rspb_shares_slurmd_begin(ac, argv);
		break;
	default:
		break;
	}
	return 0;
}

int slurm_spank_init_post_opt(spank_t sp, int ac, char *argv[])
{
	switch (spank_context()) {
	case S_CTX_ALLOCATOR:
	case S_CTX_LOCAL:
		rspb_submit_component_done(sp);
		break;
	case S_CTX_REMOTE:
		rspb_submit_hide(sp);
		rspb_shares_step(sp, ac, argv);
		break;
	default:
		break;
	}
	return 0;
}

int slurm_spank_task_init_privileged(spank_t sp, int ac, char *argv[])
{
	rspb_shares_task(sp, ac, argv);
	return 0;
}

int slurm_spank_exit(spank_t sp, int ac, char *argv[])
{
	if (spank_context() == S_CTX_REMOTE)
		rspb_shares_step_end(sp, ac, argv);
	return 0;
}

int slurm_spank_job_epilog(spank_t sp, int ac, char *argv[])
{
	rspb_shares_epilog(sp, ac, argv);
	return 0;
}

int slurm_spank_slurmd_exit(spank_t sp, int ac, char *argv[])
{
	(void) sp;
	(void) ac;
	(void) argv;
	rspb_shares_slurmd_end();
	return 0;
}
