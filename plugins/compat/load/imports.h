/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that slurmctld has the functions our files need. The linker looks functions up when they
 * are first called, because clients load some of the files and lack these functions. A function
 * that slurmctld lacks would end it hours after its start. */
#ifndef RSPB_PLUGINS_COMPAT_LOAD_IMPORTS_H
#define RSPB_PLUGINS_COMPAT_LOAD_IMPORTS_H

#include "common/base/err.h"

/*
 * Look up whatever the shared object at this address (of any function or datum
 * in it) leaves to others. Only within slurmctld. RET 0, or -1 with err naming
 * the first that is not there.
 */
int rspb_imports_check(const void *within, struct rspb_err *err);

#endif
