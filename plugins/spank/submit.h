/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flags of sbatch, salloc and srun: registered from the one table of
 * common/wire/flags.h, parsed at once, handed to slurmctld per job component.
 *
 * What arrives in job_desc->spank_job_env, one entry per flag that was given
 * to that component, with the value as the user wrote it ("" for none):
 *
 *	_SLURM_SPANK_OPTION_rspb_book=
 *	_SLURM_SPANK_OPTION_rspb_book=asap
 *	_SLURM_SPANK_OPTION_rspb_benefit=linear:25%
 *	_SLURM_SPANK_OPTION_rspb_cpu_share=35%:10%
 *
 * Every character of a flag's name that is neither a letter nor a digit is a
 * '_' there. When slurmctld accepts the job it puts "SPANK_" in front of each
 * name (job_ptr->spank_job_env, and the environment of prolog and epilog).
 * A client can send anything, so slurmctld parses and checks it all again.
 *
 * The calling process owns the one set of flags behind these functions; it is
 * single-threaded when Slurm calls them.
 */
#ifndef RSPB_PLUGINS_SPANK_SUBMIT_H
#define RSPB_PLUGINS_SPANK_SUBMIT_H

#include <slurm/spank.h>

/* Drop what the environment of an outer job says about our flags: sbatch in
 * a booked job asks for what its own command line says, and nothing else. */
void rspb_submit_forget_inherited(void);

/* Register every flag (from slurm_spank_init; also in slurmstepd, which warns
 * about flags of srun that it does not know). */
void rspb_submit_register(spank_t sp);

/*
 * All flags of one component have been read: check them together, make its
 * spank_job_env hold them and only them, and begin the next component. The
 * one flag that later components take from the first is --book, because a
 * heterogeneous job is booked as a whole.
 * Ends the process with one sentence, as Slurm does for its own options, when
 * they do not go together.
 */
void rspb_submit_component_done(spank_t sp);

/* In slurmstepd: keep our flags out of the task's environment. */
void rspb_submit_hide(spank_t sp);

#endif
