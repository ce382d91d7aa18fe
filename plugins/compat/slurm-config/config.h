/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for the config.h of a configured Slurm tree, so that the internal
 * headers of an unconfigured one give the same struct layouts.
 */
#ifndef RSPB_SLURM_CONFIG_H
#define RSPB_SLURM_CONFIG_H

/* Distributions build Slurm with NDEBUG, which changes some lock structs. */
#ifndef NDEBUG
#define NDEBUG 1
#endif
#define SIZEOF_UNSIGNED_LONG_INT 8
#define HAVE_STDINT_H		 1
#define HAVE_INTTYPES_H		 1
#define WITH_PTHREADS		 1

#endif
