/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own headers, the one place from which slurmctld's come: where they lie
 * differs between releases, 23.02 moved those of plugin interfaces. Also what
 * configure's questions about a release are asked with.
 */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_HEADERS_H
#define RSPB_PLUGINS_COMPAT_RELEASE_HEADERS_H

#include "config.h"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>

#include "src/common/bitstring.h"
#include "src/common/hostlist.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/parse_time.h"
#include "src/common/read_config.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/uid.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/proc_req.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/state_save.h"

#if __has_include("src/interfaces/select.h")
#include "src/interfaces/accounting_storage.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"
#else
#include "src/common/gres.h"
#include "src/common/select.h"
#include "src/common/slurm_accounting_storage.h"
#endif
#if __has_include("src/common/job_state_reason.h")
#include "src/common/job_state_reason.h"
#endif
#if __has_include("src/common/job_features.h")
#include "src/common/job_features.h"
#endif
#if __has_include("src/stepmgr/srun_comm.h")
#include "src/stepmgr/srun_comm.h"
#else
#include "src/slurmctld/srun_comm.h"
#endif

/* Slurm 22.05 only has pointers to these types; other releases allow the repetition. */
typedef struct xlist list_t;
typedef struct listIterator list_itr_t;

#endif
