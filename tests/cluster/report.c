/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report TEXT: asks about a job as slurmd does, with the text as admin comment. */
#include <errno.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	will_run_response_msg_t *answer = NULL;
	job_desc_msg_t desc;

	slurm_init(NULL);
	slurm_init_job_desc_msg(&desc);
	desc.admin_comment = argv[1];
	desc.alloc_node = "localhost";
	desc.user_id = geteuid();
	desc.group_id = getegid();
	if (!slurm_job_will_run2(&desc, &answer))
		puts("it would run");
	else
		puts(slurm_strerror(errno));
	return argc < 2;
}
