/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges whether a site's settings allow a booking, as far as the request, the booking and the
 * ledger tell. Times are seconds since 1970. */
#include "common/conf/config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/texts.h"

/* --- how much of the machine is booked at one time --- */

/* Put the nodes that a booking has for itself, or shares of, into `own`. RET what its parts of
 * nodes add to these, as fractions of nodes. */
static double parts_of(const struct rspb_booking *booking, struct rspb_nodeset *own)
{
	double parts = 0;

	for (uint32_t i = 0; i < booking->n_grants; i++) {
		const struct rspb_part *part = &booking->request->parts[i];
		const struct rspb_grant *grant = &booking->grants[i];

		if (part->whole && grant->share)
			parts += rspb_grant_nodes(part, grant);
		else
			rspb_nodeset_or(own, grant->nodes);
	}
	return parts;
}

/* Return the nodes of a booking. A part of cores counts as its fraction of a node, a share of CPU
 * time as a whole node. */
static double nodes_of(const struct rspb_booking *booking)
{
	double nodes = 0;

	for (uint32_t i = 0; i < booking->n_grants; i++)
		nodes += booking->request->parts[i].whole
				 ? rspb_grant_nodes(&booking->request->parts[i],
						    &booking->grants[i])
				 : rspb_nodeset_count(booking->grants[i].nodes);
	return nodes;
}

/* Raise part[n] to how full each node is by its scarcest memory or device. CPUs and cores are left
 * out, because the caller has counted them as shares. used: scratch. RET -1 with err. */
static int besides(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		   int64_t *used, double *part, struct rspb_err *err)
{
	size_t n_rooms;
	const struct rspb_room *rooms = rspb_ledger_rooms(ledger, &n_rooms);

	for (size_t i = 0; i < n_rooms; i++) {
		if (rooms[i].key == RSPB_ROOM_CPUS || rooms[i].key == RSPB_ROOM_CORES)
			continue;
		if (rspb_ledger_taken(ledger, rooms[i].key, booking->start, booking->end, used,
				      err))
			return -1;
		for (uint32_t n = 0; n < rspb_ledger_nodes(ledger); n++)
			/* A node without this kind is skipped, because it cannot be filled by
			 * it. */
			if (rooms[i].of[n] && part[n] * rooms[i].of[n] < (double) used[n])
				part[n] = (double) used[n] / rooms[i].of[n];
	}
	return 0;
}

/* Add the parts of others as fractions of their nodes, but for those in `own`. Each node counts at
 * its fullest within the window of the booking. RET 0, or -1 with err: out of memory. */
static int add_parts(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		     const struct rspb_nodeset *own, double *most, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(ledger);
	uint32_t nodes = rspb_ledger_nodes(ledger);
	/* A machine without nodes must not look like a lack of memory. */
	int64_t *used = malloc((nodes + 1) * sizeof(*used));
	double *part = malloc((nodes + 1) * sizeof(*part));
	int rc;

	if (!used || !part || rspb_shares_peaks(shares, booking->start, booking->end, used, err)) {
		free(used);
		free(part);
		return rspb_fail(err, "out of memory");
	}
	for (uint32_t n = 0; n < nodes; n++)
		/* The capacity is not 0 if something is reserved: it never falls below that
		 * (rspb_shares_resize). */
		part[n] = used[n] ? (double) used[n] / (double) rspb_shares_capacity(shares, n) : 0;
	rc = besides(ledger, booking, used, part, err);
	for (uint32_t n = 0; n < nodes; n++)
		*most += own && rspb_nodeset_has(own, n) ? 0 : part[n];
	free(used);
	free(part);
	return rc;
}

/* Calculate how many nodes are booked at one time within the window of a booking (*most): by others
 * alone, or with its own, each of which counts once. For a booking of parts, the parts of others
 * count as fractions of nodes. RET 0, or -1 with err: out of memory. */
static int peak_nodes(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      bool with_own, double *most, struct rspb_err *err)
{
	bool parts = rspb_request_has_cores(booking->request);
	/* For a request of whole nodes, a node with any part booked counts as a whole one, since it
	 * could not be had. */
	const struct rspb_profile *booked = parts ? rspb_ledger_whole(ledger)
						  : rspb_ledger_profile(ledger);
	struct rspb_profile *all = with_own ? rspb_profile_clone(booked) : NULL;
	struct rspb_nodeset *own = with_own ? rspb_nodeset_create(rspb_ledger_nodes(ledger)) : NULL;
	uint32_t peak = 0, fewest = 0;
	int rc = with_own && (!all || !own) ? rspb_fail(err, "out of memory") : 0;

	*most = !rc && with_own ? parts_of(booking, own) : 0;
	if (!rc && with_own)
		rc = rspb_profile_cover(all, booking->start, booking->end, own, err);
	if (!rc)
		rc = rspb_profile_peak(with_own ? all : booked, booking->start, booking->end, &peak,
				       &fewest, err);
	*most += peak;
	if (!rc && parts && rspb_ledger_shares(ledger))
		rc = add_parts(ledger, booking, own, most, err);
	rspb_profile_destroy(all);
	rspb_nodeset_destroy(own);
	return rc;
}

/* A percentage allows one node at least, or as many as the setting names after it. On a small
 * machine a quarter would otherwise be no node. */
uint32_t rspb_limits_nodes(const struct rspb_config *config, uint32_t nodes)
{
	uint32_t part = (uint32_t) ((uint64_t) nodes * config->max_nodes_percent / 100);

	uint32_t least = config->max_nodes ? config->max_nodes : 1;

	if (!config->max_nodes_percent)
		return config->max_nodes;
	return part > least ? part : least;
}

/* Check the node-hours of the whole request; a share counts as its part of a node. Memory or
 * devices count instead of cores where a part has a weight. */
static int node_hours(const struct rspb_request *request, const struct rspb_config *config,
		      struct rspb_err *err)
{
	int64_t cpu = 0;
	double hours;

	for (uint32_t i = 0; i < request->n_parts; i++) {
		const struct rspb_part *part = &request->parts[i];
		int64_t units = rspb_part_units(part);

		cpu = rspb_part_add_cpu(part, part->whole ? rspb_part_weighs(part, units) : units,
					cpu);
	}
	hours = (double) cpu / RSPB_SHARE_WHOLE * (double) request->duration / 3600;
	if (config->max_node_hours && hours > config->max_node_hours)
		return rspb_fail(err,
				 "%.1f node-hours are more than the %" PRIu32
				 " that one booking may have (MaxNodeHours)",
				 hours, config->max_node_hours);
	return 0;
}

/* Check the size and length of a request. Parts of nodes count as their fraction of a node, so that
 * MaxNodes does not refuse many small parts. A share of CPU time counts as a whole node. */
static int size(const struct rspb_request *request, const struct rspb_config *config,
		uint32_t machine, struct rspb_err *err)
{
	uint32_t most = rspb_limits_nodes(config, machine), i;
	char asked[32], longest[32];
	int64_t nodes = 0; /* 1/10000 */

	for (i = 0; i < request->n_parts; i++) {
		const struct rspb_part *part = &request->parts[i];
		int64_t units = rspb_part_units(part);

		/* The sum is in 1/10000 of a node, an integer, so that whole nodes compare exactly
		 * with the limit. */
		nodes += part->nodes *
			 (part->whole
				  ? RSPB_SHARE_WHOLE * rspb_part_weighs(part, units) / part->whole
				  : RSPB_SHARE_WHOLE);
	}
	if (most && nodes > (int64_t) most * RSPB_SHARE_WHOLE)
		return rspb_fail(err,
				 "%.6g nodes are more than the %" PRIu32
				 " that one booking may have (MaxNodes)",
				 (double) nodes / RSPB_SHARE_WHOLE, most);
	/* A job without a time limit has no end that could be booked. */
	if (!request->duration)
		return rspb_fail(err, "a booking needs a time limit (--time)");
	rspb_duration_print_ms(request->duration * 1000, asked, sizeof(asked));
	rspb_duration_print_ms(config->max_duration * 1000, longest, sizeof(longest));
	if (config->max_duration && request->duration > config->max_duration)
		return rspb_fail(err,
				 "%s is longer than a booking may be "
				 "(MaxDuration, %s)",
				 asked, longest);
	return node_hours(request, config, err);
}

int64_t rspb_limits_horizon(const struct rspb_config *config, const struct rspb_request *request)
{
	return rspb_request_in_series(request) && config->series_horizon > config->horizon
		       ? config->series_horizon
		       : config->horizon;
}

/* Check MinNotice, the horizon and the deadline. RET 0, or -1 with a sentence for the user. */
static int times(const struct rspb_request *request, const struct rspb_config *config, int64_t now,
		 struct rspb_err *err)
{
	int64_t ahead = rspb_limits_horizon(config, request);
	char notice[32], horizon[32];

	rspb_duration_print_ms(config->min_notice * 1000, notice, sizeof(notice));
	rspb_duration_print_ms(ahead * 1000, horizon, sizeof(horizon));
	/* The notice counts from the request, not from the decision, which may be made again much
	 * later. A booking without a job that is read after a restart counts as requested then. */
	if (config->min_notice && request->ready < request->arrival + config->min_notice)
		return rspb_fail(err,
				 "a booking must be requested at least %s before its start "
				 "(MinNotice)",
				 notice);
	if (request->ready + request->duration > now + ahead)
		return rspb_fail(err,
				 "the booking would end more than %s from now "
				 "(%s)",
				 horizon, ahead > config->horizon ? "SeriesHorizon" : "Horizon");
	if (request->deadline < request->ready + request->duration)
		return rspb_fail(err, "begin and time limit end %" PRId64 " s after the deadline",
				 request->ready + request->duration - request->deadline);
	return 0;
}

int rspb_limits_request(const struct rspb_request *request, const struct rspb_config *config,
			uint32_t nodes, int64_t now, struct rspb_err *err)
{
	if (config->mode == RSPB_MODE_OBSERVE)
		return rspb_fail(err, "nothing is booked on this cluster yet "
				      "(Mode=observe)");
	if (!config->allow)
		return rspb_fail(err, "this cannot be booked here (Allow=no)");
	return size(request, config, nodes, err) || times(request, config, now, err) ? -1 : 0;
}

int rspb_limits_forms(struct rspb_request *request, const struct rspb_config *config,
		      uint32_t nodes, int64_t now)
{
	struct rspb_form may[RSPB_FORMS_MOST], first;
	uint32_t n = 0;
	int rc = 0;

	if (!request->n_forms)
		return 0;
	/* The forms are tried one after the other on the request itself, because the limits judge a
	 * whole request. */
	first = request->forms[0];
	for (uint32_t i = 0; i < request->n_forms; i++) {
		rspb_request_take_form(request, &request->forms[i], NULL);
		if (!rspb_limits_request(request, config, nodes, now, NULL))
			may[n++] = request->forms[i];
	}
	if (n && n < request->n_forms)
		rc = rspb_request_set_forms(request, may, n);
	/* If no form is allowed, the request keeps its first one. The check that follows then
	 * declines it with a reason. */
	rspb_request_take_form(request, n && !rc ? &may[0] : &first, NULL);
	return rc;
}

int64_t rspb_limits_ahead(const struct rspb_booking *booking, int64_t from)
{
	int64_t start = booking->start > from ? booking->start : from, sum = 0;

	for (uint32_t i = 0; start < booking->end && i < booking->n_grants; i++) {
		const struct rspb_part *part = &booking->request->parts[i];
		const struct rspb_grant *grant = &booking->grants[i];
		/* Growth is lent: a booking gives it up for every request, and its owner
		 * did not ask for it. */
		int64_t units = rspb_grant_promised(grant);
		int64_t nodes = grant->share ? rspb_nodeset_count(grant->nodes) : units;
		int64_t whole = rspb_part_whole(part);

		sum += (booking->end - start) * nodes *
		       (grant->share ? rspb_part_weighs(part, units) : whole) / whole;
	}
	return sum;
}

/* Requests without an account belong to no common account. */
static bool same_account(const struct rspb_request *a, const struct rspb_request *b)
{
	size_t len, other;
	const char *of_a = rspb_request_account_of(a, &len),
		   *of_b = rspb_request_account_of(b, &other);

	return len && len == other && !memcmp(of_a, of_b, len);
}

static bool same_user(const struct rspb_request *a, const struct rspb_request *b)
{
	return a->user == b->user;
}

/* A limit on the bookings of a user or of an account, and the sums so far. */
struct sum {
	/* Whether two requests belong to the same owner, and how a refusal names that owner and
	 * both limits. */
	bool (*same)(const struct rspb_request *a, const struct rspb_request *b);
	const char *whose, *keys[2];
	uint32_t most;
	int64_t most_ahead; /* seconds of all nodes, */
	int64_t from;	    /* seconds from the decision on that do not count */
	bool apart;	    /* of series alone, or of what is in none */
	struct rspb_holding held;
};

/* Up to 366 bookings of a series count as one, a year of days. Beyond SERIES_SEEN series of an
 * owner, each booking counts by itself. */
enum { OF_SERIES = 366, SERIES_SEEN = 64 };

/* A booking of each series met so far, and how many bookings that series has. */
struct seen {
	uint32_t n, times[SERIES_SEEN];
	const struct rspb_request *series[SERIES_SEEN];
};

/* A series is identified by its owner and its name. Series of the same name that belong to
 * different users are different. */
static bool same_series(const struct rspb_request *a, const struct rspb_request *b)
{
	size_t len, other;
	const char *of_a = rspb_request_series_of(a, &len);
	const char *of_b = rspb_request_series_of(b, &other);

	return a->user == b->user && len == other && !memcmp(of_a, of_b, len);
}

/* Return whether a booking counts as one more, and remember its series. The 367th of a series
 * counts again. */
static bool is_one_more(struct seen *seen, const struct rspb_request *request)
{
	uint32_t i = 0;

	if (!rspb_request_in_series(request))
		return true;
	while (i < seen->n && !same_series(seen->series[i], request))
		i++;
	if (i == SERIES_SEEN)
		return true;
	if (i == seen->n) {
		seen->times[seen->n] = 0;
		seen->series[seen->n++] = request;
	}
	return seen->times[i]++ % OF_SERIES == 0;
}

/* Add the bookings of the owner that have not ended to the sums. A decision does so under Slurm's
 * write lock, so the others are passed over without a look at each. */
static void add_held(const struct rspb_ledger *ledger, const struct rspb_request *request,
		     int64_t from, struct sum *sum, struct seen *seen)
{
	bool in_series = rspb_request_in_series(request), account = sum->same == same_account;

	for (size_t i = 0;
	     (i = rspb_ledger_next_of(ledger, request, account, i)) < rspb_ledger_count(ledger);
	     i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (!sum->same(b->request, request) || rspb_state_final(b->state))
			continue;
		sum->held.bookings += is_one_more(seen, b->request);
		/* Series have a limit of their own in node-seconds, but count with all others as
		 * bookings. */
		if (!sum->apart || rspb_request_in_series(b->request) == in_series)
			sum->held.ahead += rspb_limits_ahead(b, from);
	}
}

/* Check one owner. `sum` is a copy, so that the sums of several checks do not mix. */
static int check_sum(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		     struct sum sum, struct rspb_err *err)
{
	/* Bookings that were not used are in the sum before anything is added. The refusal then
	 * names NoShow, because the user does not see them as bookings. */
	const char *unused = sum.held.bookings ? ", NoShow" : "";
	int64_t most = sum.most_ahead * rspb_ledger_machine(ledger);
	struct seen seen = { .n = 0 };
	int64_t own;

	/* Bookings of operators without a user belong to nobody and have no such limits. */
	if (booking->request->user == RSPB_USER_NONE || (!sum.most && !sum.most_ahead))
		return 0;
	add_held(ledger, booking->request, booking->decided_at + sum.from, &sum, &seen);
	/* A further booking of a series that already counts needs no place of its own. */
	if (sum.most && sum.held.bookings >= sum.most && is_one_more(&seen, booking->request))
		return rspb_fail(err, "%s %u booking%s not ended, which is the most allowed (%s%s)",
				 sum.whose, sum.held.bookings,
				 sum.held.bookings == 1 ? " that has" : "s that have", sum.keys[0],
				 unused);
	own = rspb_limits_ahead(booking, booking->decided_at + sum.from);
	sum.held.ahead += own;
	/* A booking within AheadFrom adds nothing, and is allowed even if earlier ones exceed a
	 * limit that was lowered. */
	if (sum.most_ahead && own && sum.held.ahead > most)
		return rspb_fail(err,
				 "%s %.1f node-hours booked with this request, and %.1f are "
				 "allowed (%s%s)",
				 sum.whose, (double) sum.held.ahead / 3600, (double) most / 3600,
				 sum.keys[1], unused);
	return 0;
}

uint32_t rspb_limits_booked(const struct rspb_config *config, uint32_t nodes)
{
	uint64_t allowed = (uint64_t) nodes * config->max_share_percent / 100;

	/* Half of one node would be none. */
	return allowed || !nodes ? (uint32_t) allowed : 1;
}

/* Check MaxBookedPercent. RET 0, or -1 with err. */
static int machine_part(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
			const struct rspb_config *config, struct rspb_err *err)
{
	double others, all;
	uint32_t allowed;

	if (!config->max_share_percent || config->max_share_percent >= 100)
		return 0;
	allowed = rspb_limits_booked(config, rspb_ledger_machine(ledger));
	if (peak_nodes(ledger, booking, false, &others, err))
		return -1;
	/* Sums of fractions are inexact. The tolerance is far below the smallest share. */
	all = others + nodes_of(booking);
	if (all <= allowed + 1e-6)
		return 0;
	/* Shares may be beside others on a node, which counts once. Whole nodes never are, and
	 * callers may have chosen any in their place to ask what is allowed. */
	if (rspb_request_has_shares(booking->request) &&
	    peak_nodes(ledger, booking, true, &all, err))
		return -1;
	if (all > allowed + 1e-6)
		return rspb_fail(err,
				 "%.6g of the %u nodes that can be booked at the same time are "
				 "already booked (MaxBookedPercent=%u%%)",
				 others, allowed, config->max_share_percent);
	return 0;
}

int rspb_limits_grant(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      struct rspb_holding besides, const struct rspb_config *config,
		      struct rspb_err *err)
{
	/* Whether a series is booked decides which limit applies, and the refusal has to name that
	 * one. */
	bool in_series = rspb_request_in_series(booking->request);
	const struct sum user = {
		same_user,
		"you have",
		{ "MaxWaitingPerUser", in_series ? "MaxSeriesAheadPerUser" : "MaxAheadPerUser" },
		config->max_waiting_user,
		in_series ? config->max_series_ahead : config->max_ahead_user,
		config->ahead_from,
		true,
		besides,
	};
	const struct sum account = {
		same_account,
		"your account has",
		{ "MaxWaitingPerAccount", "MaxAheadPerAccount" },
		config->max_waiting_account,
		config->max_ahead_account,
		config->ahead_from,
		false,
		{ 0, 0 },
	};

	if (check_sum(ledger, booking, user, err) || check_sum(ledger, booking, account, err))
		return -1;
	return machine_part(ledger, booking, config, err);
}

/* RET the nodes of some bookings at a time. scratch: of their nodes. */
static double nodes_at(const struct rspb_booking *const *list, size_t n, int64_t time,
		       struct rspb_nodeset *scratch)
{
	double parts = 0;

	rspb_nodeset_clear(scratch);
	for (size_t i = 0; i < n; i++)
		if (list[i]->start <= time && time < list[i]->end)
			parts += parts_of(list[i], scratch);
	return parts + rspb_nodeset_count(scratch);
}

bool rspb_limits_beside(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
			const struct rspb_config *config, rspb_limits_counts_fn counts,
			const void *arg)
{
	const struct rspb_booking **list;
	struct rspb_nodeset *scratch;
	double most = 0;
	size_t n = 0;

	if (!config->max_share_percent || config->max_share_percent >= 100)
		return true;
	list = malloc((rspb_ledger_count(ledger) + 1) * sizeof(*list));
	scratch = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	/* Without memory nothing moves, which leaves every booking as it is. */
	if (!list || !scratch) {
		free(list);
		rspb_nodeset_destroy(scratch);
		return false;
	}
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *other = rspb_ledger_at(ledger, i);

		/* The booking itself may be in the ledger at its old place and must not count
		 * twice. */
		if (other->start < booking->end && booking->start < other->end &&
		    !rspb_state_final(other->state) && other->request->id != booking->request->id &&
		    (!counts || counts(other, arg)))
			list[n++] = other;
	}
	list[n++] = booking;
	/* The number of booked nodes rises only when a booking begins, so it is enough to look at
	 * these times. */
	for (size_t i = 0; i < n; i++) {
		double nodes = list[i]->start >= booking->start
				       ? nodes_at(list, n, list[i]->start, scratch)
				       : 0;

		most = nodes > most ? nodes : most;
	}
	free(list);
	rspb_nodeset_destroy(scratch);
	return most <= rspb_limits_booked(config, rspb_ledger_machine(ledger)) + 1e-6;
}

/* The time that is enough to carry out a move in Slurm. */
enum { MOVES_LEAST_S = 60 };

void rspb_limits_moves(struct rspb_request *request, const struct rspb_config *config, int64_t firm)
{
	request->moves = config->firm_notice > MOVES_LEAST_S ? config->firm_notice : MOVES_LEAST_S;
	if (request->moves < firm)
		request->moves = firm;
	/* A request that wants to begin soon is not put off, nor one that is worth less later; and
	 * the cores of a share on a node cannot be another's for a moment. */
	if (request->asap || request->held || request->benefit_time ||
	    rspb_request_has_shares(request) || request->moves >= RSPB_FIRM_AT_ONCE ||
	    request->deadline <= request->ready + rspb_request_longest(request))
		request->moves = 0;
}

bool rspb_limits_move(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      const void *config)
{
	struct rspb_config space;

	/* The policy stores the settings of the site; the rules for this request apply to its
	 * move. */
	config = rspb_rules_for(config, booking->request, rspb_ledger_machine(ledger), &space);
	/* A plan also contains regular jobs, which are no bookings. If both together exceed the
	 * limit, the bookings alone are counted. */
	return !machine_part(ledger, booking, config, NULL) ||
	       rspb_limits_beside(ledger, booking, config, NULL, NULL);
}

struct rspb_ledger *rspb_limits_rest(const struct rspb_ledger *ledger,
				     const struct rspb_booking *booking, int64_t now,
				     struct rspb_err *err)
{
	struct rspb_ledger *rest = rspb_ledger_clone(ledger);

	if (rest && !rspb_ledger_cancel(rest, booking->request->id, now, err))
		return rest;
	if (!rest)
		rspb_fail(err, "out of memory");
	rspb_ledger_destroy(rest);
	return NULL;
}

int rspb_limits_growth(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		       const struct rspb_config *config, struct rspb_err *err)
{
	/* If the ledger has the booking as it was, its nodes are in the count already. They must
	 * not count twice. */
	const struct rspb_booking *old = rspb_ledger_find(ledger, booking->request->id);
	struct rspb_ledger *rest;
	int rc;

	if (!old || rspb_state_final(old->state))
		return machine_part(ledger, booking, config, err);
	if (nodes_of(booking) <= nodes_of(old) + 1e-6)
		return 0;
	rest = rspb_limits_rest(ledger, old, rspb_ledger_now(ledger), err);
	rc = rest ? machine_part(rest, booking, config, err) : -1;
	rspb_ledger_destroy(rest);
	return rc;
}

int rspb_limits_use(const struct rspb_ledger *ledger, const struct rspb_request *request,
		    struct rspb_holding besides, int64_t from, struct rspb_limits_use *out)
{
	/* The sums of series are found with a copy of the request that is in a series. The name
	 * does not matter, because add_held() only compares whether there is one. */
	struct rspb_request *one = rspb_request_clone(request);
	struct sum user = { .same = same_user, .apart = true, .held = besides };
	struct sum series = { .same = same_user, .apart = true };
	struct sum account = { .same = same_account };
	struct seen seen = { .n = 0 };

	/* Each sum counts series from the beginning, so `seen` is emptied in between. */
	if (one) {
		rspb_request_series(one, "x");
		add_held(ledger, request, from, &user, &seen);
		seen.n = 0;
		add_held(ledger, one, from, &series, &seen);
		seen.n = 0;
		add_held(ledger, request, from, &account, &seen);
		*out = (struct rspb_limits_use){ user.held, series.held, account.held };
	}
	rspb_request_destroy(one);
	return one ? 0 : -1;
}
