/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_TESTS_UNIT_LISTS_H
#define RSPB_TESTS_UNIT_LISTS_H

/* Of a list of Slurm's: the item at a place, and taking it out. */
void *list_at(void *list, int i);
void list_take(void *list, int i);

#endif
