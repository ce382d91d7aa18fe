/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often Slurm got a record of ours. */
#ifndef RSPB_TESTS_UNIT_HANDED_H
#define RSPB_TESTS_UNIT_HANDED_H

extern int handed;
/* How many lists of Slurm's were destroyed. */
extern int lists_destroyed;

#endif
