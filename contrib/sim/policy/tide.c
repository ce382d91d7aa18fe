/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/policy/tide.h"

enum {
	ONE = 1024,
	DAY = 86400,
	BUCKET = DAY / RSPB_TIDE_BUCKETS,
	MOST_ASKED = 1 << 18, /* so many days are remembered as are this many */
	/* At the work of first fit jobs of all nodes may be where this many
	 * arrive, times the root of what first fit accepts ... */
	WIDE = 690,
	/* ... and long ones may fill the machine where this many do, times the
	 * square of refused over accepted: where most are refused anyway,
	 * nodes that are left free help few. */
	FULL = 8 * ONE,
	/* Twice that for so many seconds of the whole machine that have been
	 * accepted less. */
	WORK_STEP = 30000,
	WIDE_STEP = 30000,
	/* Half the patience for so many durations waited more than this
	 * part in 1000 of what first fit lets wait. */
	DELAY_STEP = 40,
	BEARABLE = 890,
	LEAST_POWER = -4 * ONE,
	MOST_POWER = 6 * ONE,
	/* Percent of patience for one of no work, and for each mean of work up
	 * to so many of them. */
	PATIENCE_LEAST = 100,
	PATIENCE_WORK = 50,
	MOST_MEANS = 8,
	MOST_PATIENCE = 1 << 30,
	/* The margin is so many bookings more than PE worst, and one more for so many requests. It
	 * counts twice where many bookings exceed it by so many. */
	MARGIN = 160,
	MARGIN_PART = 64,
	MARGIN_STEP = 200,
	MOST_AHEAD = 12 * ONE,
	PATIENCE_AHEAD = 75, /* as in the preset flex */
};

/* RET 2 to the power of x, both in 1/1024; between whole powers a straight line,
 * which steers as well as the curve. */
static int64_t power(int64_t x)
{
	int64_t whole = x >= 0 ? x / ONE : -((ONE - 1 - x) / ONE);
	int64_t value = ONE + (x - whole * ONE);

	return whole >= 0 ? value << whole : value >> -whole;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
	return x < low ? low : x > high ? high : x;
}

static int64_t root(int64_t x)
{
	int64_t low = 0, high = (int64_t) 1 << 31;

	while (high - low > 1) {
		int64_t middle = (low + high) / 2;

		if (middle * middle <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int rspb_tide_init(struct rspb_tide *tide, const struct rspb_classes *classes, int64_t now)
{
	if (rspb_ladder_begin(&tide->pe_worst, now, classes->width))
		return -1;
	return rspb_heads_begin(&tide->first_fit, classes, now);
}

void rspb_tide_fini(struct rspb_tide *tide)
{
	rspb_heads_fini(&tide->first_fit);
	rspb_ladder_fini(&tide->pe_worst);
}

static int64_t second_of_day(int64_t time)
{
	int64_t second = time % DAY;

	return second < 0 ? second + DAY : second;
}

static void note_arrival(struct rspb_tide *tide, int64_t now)
{
	int64_t *before = tide->before;
	int64_t bucket = second_of_day(now) / BUCKET;

	for (int64_t b = bucket + 1; b <= RSPB_TIDE_BUCKETS; b++)
		before[b]++;
	for (int b = 0; before[RSPB_TIDE_BUCKETS] > MOST_ASKED && b <= RSPB_TIDE_BUCKETS; b++)
		before[b] /= 2;
}

static void note(struct rspb_fared *fared, int64_t count, int64_t duration)
{
	fared->accepted++;
	fared->work += count * duration;
}

static void note_start(struct rspb_fared *fared, int64_t delay, int64_t duration)
{
	fared->begun++;
	fared->delays += delay * ONE / duration;
}

/* RET how much less work was accepted than by first fit, as a power of two. */
static int64_t behind(const struct rspb_tide *tide, int64_t step)
{
	int64_t less = tide->shadow.work - tide->own.work;

	return clamp(less / tide->first_fit.classes->width * ONE / step, LEAST_POWER, MOST_POWER);
}

static int64_t full(const struct rspb_tide *tide)
{
	int64_t odds = clamp((tide->asked - tide->shadow.accepted) * ONE /
				     (tide->shadow.accepted + 1),
			     0, 16 * ONE);

	return odds * odds / ONE * FULL / ONE * power(behind(tide, WORK_STEP)) / ONE;
}

/* RET how many bookings more than PE worst and the margin were accepted, 0: none.
 */
static int64_t ahead(const struct rspb_tide *tide)
{
	int64_t more = tide->own.accepted - tide->spread - MARGIN - tide->asked / MARGIN_PART;

	return more > 0 ? more : 0;
}

/* PE worst takes it if it can. RET 0, -1: out of memory. */
static int spread(struct rspb_tide *tide, const struct rspb_heads_ask *ask, int64_t now)
{
	int64_t start;

	rspb_ladder_advance(&tide->pe_worst, now);
	if (!rspb_ladder_roomiest(&tide->pe_worst, ask->count, ask->ready, ask->last, ask->duration,
				  &start))
		return 0;
	tide->spread++;
	return rspb_ladder_take(&tide->pe_worst, start, start + ask->duration, ask->count);
}

int rspb_tide_arrives(struct rspb_tide *tide, const struct rspb_heads_ask *ask, int64_t now)
{
	struct rspb_heads_ask first = *ask;
	struct rspb_take take = { .of = { 0 } };
	int64_t start;
	int rc = 0;

	note_arrival(tide, now);
	tide->asked++;
	rspb_heads_advance(&tide->first_fit, now);
	first.keep = 0;
	if (rspb_heads_find(&tide->first_fit, &first, &start)) {
		note(&tide->shadow, ask->count, ask->duration);
		note_start(&tide->shadow, start - ask->ready, ask->duration);
		rc = rspb_heads_take(&tide->first_fit, ask->mask, ask->count, start,
				     start + ask->duration, &take);
	}
	if (rc >= 0)
		rc = spread(tide, ask, now);
	tide->full = full(tide);
	return rc < 0 ? -1 : 0;
}

void rspb_tide_accepted(struct rspb_tide *tide, int64_t count, int64_t duration)
{
	note(&tide->own, count, duration);
	tide->full = full(tide);
}

void rspb_tide_starts(struct rspb_tide *tide, int64_t delay, int64_t duration)
{
	note_start(&tide->own, delay, duration);
}

/* RET arrivals by the day's pattern from the epoch to time, in 1/BUCKET. */
static int64_t arrivals(const struct rspb_tide *tide, int64_t time)
{
	const int64_t *before = tide->before;
	int64_t second = second_of_day(time), bucket = second / BUCKET;

	return (time - second) / DAY * before[RSPB_TIDE_BUCKETS] * BUCKET +
	       before[bucket] * BUCKET + (before[bucket + 1] - before[bucket]) * (second % BUCKET);
}

int64_t rspb_tide_flow(const struct rspb_tide *tide, int64_t start, int64_t end)
{
	int64_t mean = tide->before[RSPB_TIDE_BUCKETS];

	if (!mean)
		return 0;
	return (int64_t) ((__int128) (arrivals(tide, end) - arrivals(tide, start)) *
			  RSPB_TIDE_BUCKETS * ONE / mean / (end - start));
}

int64_t rspb_tide_wide(const struct rspb_tide *tide)
{
	int64_t accepted = (tide->shadow.accepted + 1) * ONE / (tide->asked + 1);
	int64_t less = behind(tide, WIDE_STEP) * accepted / ONE + ahead(tide) * ONE / MARGIN_STEP;

	return WIDE * root(accepted * ONE) / ONE * power(clamp(less, LEAST_POWER, MOST_AHEAD)) /
	       ONE;
}

bool rspb_tide_calm(const struct rspb_tide *tide, int64_t start, int64_t end)
{
	int64_t mean = tide->before[RSPB_TIDE_BUCKETS];
	int64_t come = arrivals(tide, end) - arrivals(tide, start);

	/* The same as rspb_tide_flow() <= full: one of many starts is asked
	 * about, and multiplied instead of divided. */
	return (__int128) come * RSPB_TIDE_BUCKETS * ONE <
	       (__int128) (tide->full + 1) * mean * (end - start);
}

/* RET patience times the square of requests over those that first fit accepts: where most are
 * refused, a wait of those who were accepted buys the most. */
static int64_t crowded(const struct rspb_tide *tide, int64_t patience)
{
	/* The product of a long trace must not overflow. */
	for (int i = 0; i < 2; i++)
		patience = clamp(patience * (tide->asked + 1) / (tide->shadow.accepted + 1), 0,
				 MOST_PATIENCE);
	return patience;
}

/* RET patience for one of so much work, beside the mean of what was accepted. */
static int64_t weighed(const struct rspb_tide *tide, int64_t patience, int64_t work)
{
	int64_t mean = tide->own.work / (tide->own.accepted + 1) + 1;
	int64_t means = work / mean < MOST_MEANS ? work * 100 / mean : MOST_MEANS * 100;

	return patience * (PATIENCE_LEAST + PATIENCE_WORK * means / 100) / 100;
}

int64_t rspb_tide_patience(const struct rspb_tide *tide, int64_t usual, int64_t work)
{
	int64_t bearable = tide->shadow.delays / (tide->shadow.begun + 1) * tide->own.begun *
			   BEARABLE / 1000;
	int64_t more = (tide->own.delays - bearable) / DELAY_STEP;
	int64_t patience = usual * power(clamp(-more, -MOST_POWER, -LEAST_POWER)) / ONE;

	patience = weighed(tide, crowded(tide, patience), work);
	return ahead(tide) && patience > PATIENCE_AHEAD ? PATIENCE_AHEAD : patience;
}
