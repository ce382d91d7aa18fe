/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words that users and operators read: contracts, reasons, lines of the log. It
 * decides nothing and writes into no record. */
#include "plugins/ctld/base/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/request/request.h"
#include "common/wire/texts.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"

void rspb_report_window(int64_t start, int64_t end, const char *zone, char *buf, size_t size)
{
	char from[32], to[32], name[RSPB_ZONE_NAME];
	struct tm a, b;
	bool seconds = start % 60 || end % 60;
	bool same_day;

	/* The start is converted last, so that the name of the zone is the one in force at the
	 * start. A time that no calendar has is written as a number. */
	if (!rspb_zone_tm(zone ? zone : "", end, &b, name) ||
	    !rspb_zone_tm(zone ? zone : "", start, &a, name)) {
		snprintf(buf, size, "%" PRId64 "-%" PRId64, start, end);
		return;
	}
	same_day = a.tm_year == b.tm_year && a.tm_yday == b.tm_yday;
	strftime(from, sizeof(from), seconds ? "%b %e %T" : "%b %e %R", &a);
	strftime(to, sizeof(to),
		 same_day ? (seconds ? "%T" : "%R") : (seconds ? "%b %e %T" : "%b %e %R"), &b);
	snprintf(buf, size, "%s-%s%s%s", from, to, zone ? " " : "", zone ? name : "");
}

void rspb_report_times(int64_t start, int64_t end, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	rspb_text_add_time(&out, start);
	rspb_text_add(&out, " to ");
	rspb_text_add_time(&out, end);
}

void rspb_report_gres(const struct rspb_part *part, const struct rspb_grant *grant, const char *has,
		      char *text, size_t size)
{
	char takes[RSPB_CONTRACT_GRES];

	text[0] = '\0';
	/* Cores of a node are granted with the devices that were requested; whole nodes come
	 * with all devices that they have. A share of CPU time has none. */
	if (part->whole) {
		rspb_devices_print(part->quotas, part->n_quotas, takes, sizeof(takes));
		rspb_gres_name_types(takes, has, text, size);
	} else if (!grant->share) {
		snprintf(text, size, "%s", has);
	}
}

/* Print the devices of nodes that all have the same; else "". */
static void common_devices(const struct rspb_nodeset *nodes, char *text, size_t size)
{
	uint32_t first = rspb_nodeset_next(nodes, 0);
	const char *gres = rspb_node_is(first).gres;

	text[0] = '\0';
	/* Nodes without devices have nothing to compare. */
	if (first >= nodes->width || !*gres)
		return;
	/* The texts of slurm.conf are compared: nodes with the same text have the same devices. */
	RSPB_NODESET_EACH (n, nodes)
		if (strcmp(rspb_node_is(n).gres, gres) != 0)
			return;
	rspb_node_devices(first, text, size);
}

void rspb_report_devices(const struct rspb_booking *booking, uint32_t part, char *text, size_t size)
{
	const struct rspb_grant *grant = &booking->grants[part];
	char has[RSPB_CONTRACT_GRES];

	common_devices(grant->nodes, has, sizeof(has));
	rspb_report_gres(&booking->request->parts[part], grant, has, text, size);
}

/* Add what nodes give together that give different amounts: "3 cores, 3 GPUs (h100) in total of 2
 * nodes". Types are not named where some of the nodes have several. */
static void add_total(const struct rspb_booking *booking, const char *gres, struct rspb_text *out)
{
	const struct rspb_part *part = &booking->request->parts[0];
	const struct rspb_nodeset *nodes = booking->grants[0].nodes;
	int64_t gpus = rspb_part_devices(part, nodes);
	uint32_t cores = 0;
	char total[64];
	int len = 0;
	const char *type = rspb_gres_gpu_type(gres, &len);

	RSPB_NODESET_EACH (n, nodes)
		cores += rspb_part_cores_on(part, rspb_part_cores(part, booking->grants[0].share),
					    n);
	rspb_text_add(out, "%" PRIu32 " core%s", cores, cores == 1 ? "" : "s");
	if (gpus && rspb_gres_gpus(gres, NULL)) {
		snprintf(total, sizeof(total), "gpu%s%.*s:%" PRId64, type ? ":" : "", len,
			 type ? type : "", gpus);
		rspb_text_add(out, ", ");
		rspb_gres_add_words(total, out);
	}
	rspb_text_add(out, " in total of ");
}

void rspb_report_taken(const struct rspb_part *part, const struct rspb_grant *grant, uint32_t node,
		       const char *has, struct rspb_taken *out)
{
	struct rspb_quota *own = calloc(part->n_quotas + 1, sizeof(*own));
	struct rspb_part of = *part;

	/* Without memory the amounts are the usual ones. */
	for (uint32_t q = 0; own && q < part->n_quotas; q++) {
		of.quotas = own;
		own[q] = part->quotas[q];
		own[q].per_node = rspb_part_takes(part, own[q].key, own[q].per_node, node);
	}
	out->cores = rspb_part_cores(part, rspb_part_on(part, grant->share, node));
	out->memory = rspb_part_memory(&of);
	rspb_report_gres(&of, grant, has, out->gres, sizeof(out->gres));
	free(own);
}

/* Add the licenses of all parts: ", with licenses matlab:2". A quota has the name of its license
 * only if the site has a number of it, as in "license matlab:10". */
static void add_licenses(const struct rspb_booking *booking, struct rspb_text *out)
{
	static const char head[] = "license ";
	const char *lead = ", with licenses ";

	for (uint32_t i = 0; i < booking->n_grants; i++) {
		const struct rspb_part *part = &booking->request->parts[i];

		for (uint32_t q = 0; q < part->n_quotas; q++) {
			const char *name = part->quotas[q].name, *end = strrchr(name, ':');

			if (!rspb_quota_of_license(&part->quotas[q]) || !end ||
			    strncmp(name, head, sizeof(head) - 1) != 0)
				continue;
			name += sizeof(head) - 1;
			rspb_text_add(out, "%s%.*s:%" PRId64, lead, (int) (end - name), name,
				      part->quotas[q].use);
			lead = ",";
		}
	}
}

void rspb_report_granted(const struct rspb_booking *booking, struct rspb_text *out)
{
	const struct rspb_part *part = &booking->request->parts[0];
	const struct rspb_nodeset *nodes = booking->grants[0].nodes;
	uint32_t n = rspb_booking_nodes(booking);
	char gres[RSPB_CONTRACT_GRES], has[RSPB_CONTRACT_GRES];
	struct rspb_taken taken;

	rspb_report_devices(booking, 0, gres, sizeof(gres));
	if (part->whole && part->n_odd && n > 1) {
		add_total(booking, gres, out);
	} else if (part->whole) {
		common_devices(nodes, has, sizeof(has));
		rspb_report_taken(part, &booking->grants[0], rspb_nodeset_next(nodes, 0), has,
				  &taken);
		rspb_cores_add_words(taken.cores, taken.gres, taken.memory, out);
		rspb_text_add(out, n == 1 ? " of " : " of each of ");
	} else if (booking->grants[0].share) {
		rspb_text_add_percent(out, booking->grants[0].share);
		rspb_text_add(out, " of the CPUs of %s", n == 1 ? "" : "each of ");
	}
	rspb_text_add(out, "%" PRIu32 " node%s", n, n == 1 ? "" : "s");
	/* Devices of cores are named already. Parts of a heterogeneous job may differ in their
	 * devices. */
	if (!part->whole && *gres && booking->n_grants == 1) {
		rspb_text_add(out, n == 1 ? " with " : ", each with ");
		rspb_gres_add_words(gres, out);
	}
	add_licenses(booking, out);
}

void rspb_report_advice(const struct rspb_booking *booking, const char *zone, char *buf,
			size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);
	char window[RSPB_WINDOW_TEXT], lead[32];

	if (booking->n_grants) {
		rspb_report_window(booking->start, booking->end, zone, window, sizeof(window));
		rspb_text_add(&out, "booking likely: %s on ", window);
		rspb_report_granted(booking, &out);
		if (booking->benefit.num < booking->benefit.den)
			rspb_text_add(&out, ", benefit %.2f", rspb_ratio_double(booking->benefit));
		/* Until the start is fixed, later requests may move it, and the user should
		 * expect that. */
		if (rspb_booking_firm_from(booking)) {
			rspb_report_window(booking->request->ready, booking->request->deadline,
					   zone, window, sizeof(window));
			rspb_duration_print_ms(booking->request->moves * 1000, lead, sizeof(lead));
			rspb_text_add(&out,
				      "; the start may still move within %s, until %s before it",
				      window, lead);
		}
	} else {
		rspb_text_add(&out, "booking unlikely: %s", rspb_booking_why(booking));
	}
}

void rspb_report_contract(const struct rspb_booking *booking, uint32_t part,
			  struct rspb_contract *contract)
{
	const struct rspb_request *request = booking->request;

	contract->state = booking->state;
	rspb_terms_size(request, part, &contract->terms);
	contract->speed = request->speed;
	/* With several forms no single duration on a standard node exists. */
	contract->standard = request->n_forms == 1 ? request->forms[0].duration : 0;
	contract->start = booking->start;
	contract->end = booking->end;
	contract->firm_from = rspb_booking_firm_from(booking);
	/* A booking that was declined or lost has no grants; its contract states only the
	 * request. */
	if (part < booking->n_grants) {
		const struct rspb_grant *grant = &booking->grants[part];

		contract->nodes_granted = rspb_nodeset_count(grant->nodes);
		contract->distance = rspb_part_distance(&request->parts[part], grant->nodes);
		contract->terms.cores = rspb_part_cores(&request->parts[part], grant->share);
		contract->share_granted = contract->terms.cores ? 0 : grant->share;
		/* 0 means that all of it is guaranteed, which is the usual case and takes no
		 * room in the text. */
		contract->promise = rspb_grant_promised(grant) < rspb_grant_units(grant)
					    ? rspb_grant_promised(grant)
					    : 0;
		contract->had = grant->had;
		contract->outage = grant->outage;
		contract->benefit = grant->benefit;
	}
	snprintf(contract->reason, sizeof(contract->reason), "%s", rspb_booking_why(booking));
}

char *rspb_report_nodes(const struct rspb_booking *booking, uint32_t part,
			struct rspb_contract *contract)
{
	char *names = rspb_node_names(NULL, booking->grants[part].nodes);

	contract->on[0] = '\0';
	/* The contract is one text of limited length. The journal has a field of its own for
	 * long lists of nodes. */
	if (names && strlen(names) >= sizeof(contract->on))
		return names;
	if (names)
		strcpy(contract->on, names);
	free(names);
	return NULL;
}

void rspb_report_booked(const struct rspb_booking *booking, const char *user, const char *nodes)
{
	char window[RSPB_WINDOW_TEXT];

	rspb_report_window(booking->start, booking->end, NULL, window, sizeof(window));
	rspb_log_info("job %" PRIu64 " of %s: booked %s on %s, benefit %.2f", booking->request->id,
		      user, window, nodes, rspb_ratio_double(booking->benefit));
}

char *rspb_report_all_names(void)
{
	uint32_t width = rspb_node_width();
	size_t length = 1;
	char *names, *end;

	for (uint32_t n = 0; n < width; n++)
		length += 1 + strlen(rspb_node_is(n).name);
	names = end = malloc(length);
	for (uint32_t n = 0; names && n < width; n++) {
		if (n)
			*end++ = ',';
		end = stpcpy(end, rspb_node_is(n).name);
	}
	if (names)
		*end = '\0';
	return names;
}
