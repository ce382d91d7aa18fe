/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/terms.h"

static const int64_t most_time = INT64_C(1) << 53;

int sim_terms_window(const struct sim_record *record, const struct sim_workload *workload,
		     struct sim_job *job, struct rspb_err *err)
{
	if (sim_int(record, "arrival", 0, most_time, &job->arrival, err) ||
	    sim_int(record, "duration", 1, most_time, &job->duration, err))
		return -1;
	job->ready = job->arrival;
	if (sim_int_or(record, "ready", 0, most_time, &job->ready, err))
		return -1;
	job->deadline = job->ready + job->duration;
	if (sim_int_or(record, "deadline", 0, 2 * most_time, &job->deadline, err))
		return -1;
	if (job->deadline < job->ready + job->duration)
		return sim_bad(record, "deadline", err, "%lld comes before ready + duration",
			       (long long) job->deadline);
	if (workload->n && job->arrival < workload->jobs[workload->n - 1].arrival)
		return sim_bad(record, "arrival", err,
			       "%lld comes before that of the request above",
			       (long long) job->arrival);
	return 0;
}

int sim_terms_worth(const struct sim_record *record, size_t id, const struct sim_job *job,
		    struct rspb_request **request, struct rspb_err *err)
{
	static const char *const keys[] = { "benefit", "benefit_time" };
	struct rspb_benefit **at[2];
	struct rspb_err why;
	int64_t priority = 1, price = 0;

	*request = NULL;
	if (sim_int_or(record, "priority", 0, most_time, &priority, err) ||
	    sim_int_or(record, "price", 1, SIM_PRICE_MOST, &price, err))
		return -1;
	*request = sim_job_request(job, id);
	if (!*request)
		return rspb_fail(err, "out of memory");
	(*request)->priority = priority;
	(*request)->price = price * RSPB_PRICE_USUAL / 100;
	at[0] = &(*request)->benefit;
	at[1] = &(*request)->benefit_time;
	for (size_t i = 0; i < 2; i++) {
		struct json_object *value = sim_get(record, keys[i]);

		if (value && !json_object_is_type(value, json_type_string))
			return sim_bad(record, keys[i], err, "%.60s is not a text",
				       sim_text(value));
		if (value && rspb_benefit_read(at[i], json_object_get_string(value), &why))
			return sim_bad(record, keys[i], err, "%s", why.text);
	}
	return 0;
}
