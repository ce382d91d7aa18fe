/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/submission.h"

#include <stddef.h>

/* How a setting that an update leaves alone looks like. */
enum kind {
	TEXT,	  /* NULL */
	MOMENT,	  /* 0 */
	NUMBER16, /* NO_VAL16 */
	NUMBER32, /* NO_VAL */
	NUMBER64  /* NO_VAL64 */
};

struct setting {
	const char *name; /* as scontrol update has it */
	enum kind kind;
	bool placing;
	size_t offset;
};

#define SETTING(name, kind, placing, member)                                   \
	{                                                                      \
		name, kind, placing, offsetof(job_desc_msg_t, member)          \
	}

static const struct setting settings[] = {
	SETTING("ReservationName", TEXT, true, reservation),
	SETTING("Partition", TEXT, true, partition),
	SETTING("AdminComment", TEXT, true, admin_comment),
	SETTING("StartTime", MOMENT, true, begin_time),
	SETTING("EndTime", MOMENT, true, end_time),
	SETTING("Deadline", MOMENT, true, deadline),
	SETTING("NumNodes", NUMBER32, true, min_nodes),
	SETTING("NumNodes", NUMBER32, true, max_nodes),
	SETTING("ReqNodeList", TEXT, true, req_nodes),
	SETTING("ExcNodeList", TEXT, true, exc_nodes),
	SETTING("ArrayTaskThrottle", TEXT, true, array_inx),
	SETTING("TimeLimit", NUMBER32, false, time_limit),
	SETTING("TimeMin", NUMBER32, false, time_min),
	SETTING("Priority (or hold, release)", NUMBER32, false, priority),
	SETTING("Account", TEXT, false, account),
	SETTING("QOS", TEXT, false, qos),
	SETTING("Dependency", TEXT, false, dependency),
	SETTING("Features", TEXT, false, features),
	SETTING("Licenses", TEXT, false, licenses),
	SETTING("NumTasks", NUMBER32, false, num_tasks),
	SETTING("NumCPUs", NUMBER32, false, min_cpus),
	SETTING("NumCPUs", NUMBER32, false, max_cpus),
	SETTING("MinCPUsNode", NUMBER16, false, pn_min_cpus),
	SETTING("MinMemoryNode", NUMBER64, false, pn_min_memory),
	SETTING("MinTmpDiskNode", NUMBER32, false, pn_min_tmp_disk),
	SETTING("CPUsPerTask", NUMBER16, false, cpus_per_task),
	SETTING("NtasksPerNode", NUMBER16, false, ntasks_per_node),
	SETTING("ReqSockets", NUMBER16, false, sockets_per_node),
	SETTING("ReqCores", NUMBER16, false, cores_per_socket),
	SETTING("ReqThreads", NUMBER16, false, threads_per_core),
	SETTING("OverSubscribe", NUMBER16, false, shared),
	SETTING("Contiguous", NUMBER16, false, contiguous),
	SETTING("CoreSpec", NUMBER16, false, core_spec),
	SETTING("ReqSwitch", NUMBER32, false, req_switch),
	SETTING("TresPerJob", TEXT, false, tres_per_job),
	SETTING("TresPerNode", TEXT, false, tres_per_node),
	SETTING("TresPerSocket", TEXT, false, tres_per_socket),
	SETTING("TresPerTask", TEXT, false, tres_per_task),
	SETTING("CpusPerTres", TEXT, false, cpus_per_tres),
	SETTING("MemPerTres", TEXT, false, mem_per_tres),
};

static bool changed(const job_desc_msg_t *desc, const struct setting *setting)
{
	const void *at = (const char *) desc + setting->offset;

	switch (setting->kind) {
	case TEXT:
		return *(char *const *) at != NULL;
	case MOMENT:
		return *(const time_t *) at != 0;
	case NUMBER16:
		return *(const uint16_t *) at != NO_VAL16;
	case NUMBER32:
		return *(const uint32_t *) at != NO_VAL;
	case NUMBER64:
		return *(const uint64_t *) at != NO_VAL64;
	}
	return true;
}

const char *rspb_submission_changes(const job_desc_msg_t *desc, bool placing)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if ((settings[i].placing || !placing) &&
		    changed(desc, &settings[i]))
			return settings[i].name;
	return NULL;
}
