// SPDX-License-Identifier: GPL-2.0-or-later
// Time as pixels, and the round times between which people look for theirs.
"use strict";

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE,
	30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];

// Formats are kept: a browser needs longer to make one than to draw a row of the calendar.
const formats = new Map();

// The format of a time by a clock.
function formatOf(options, clock = "") {
	const zoned = clock ? { ...options, timeZone: clock } : options;
	const key = JSON.stringify(zoned);
	if (!formats.has(key))
		formats.set(key, new Intl.DateTimeFormat("en-GB", zoned));
	return formats.get(key);
}

function two(number) {
	return String(number).padStart(2, "0");
}

// A clock is the browser's, "", or that of a named zone, as "UTC" and "Asia/Kolkata".
// Offsets change at quarters of an hour, and are kept: a browser takes long to find one.
const offsets = new Map();

// RET how far a clock is ahead of UTC, in milliseconds.
function offsetOf(time, clock) {
	if (clock === "UTC")
		return 0;
	if (!clock)
		return -new Date(time).getTimezoneOffset() * MINUTE;
	const quarter = Math.floor(time / (15 * MINUTE));
	const key = `${clock} ${quarter}`;
	if (offsets.size > 20000)
		offsets.clear();
	if (!offsets.has(key))
		offsets.set(key, readOffset(quarter * 15 * MINUTE, clock));
	return offsets.get(key);
}

// A zone that the browser does not know is its own.
function readOffset(time, clock) {
	try {
		const part = Object.fromEntries(formatOf({ year: "numeric", month: "numeric",
			day: "numeric", hour: "numeric", minute: "numeric",
			second: "numeric", hourCycle: "h23" }, clock)
			.formatToParts(time).map((one) => [one.type, Number(one.value)]));
		return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute,
			part.second) - time;
	} catch {
		return offsetOf(time, "");
	}
}

// The parts of a moment by the clock that is shown.
function partsOf(time, clock) {
	const date = new Date(time + offsetOf(time, clock));
	return { year: date.getUTCFullYear(), month: date.getUTCMonth(),
		day: date.getUTCDate(), hour: date.getUTCHours(),
		minute: date.getUTCMinutes(), second: date.getUTCSeconds() };
}

// The moment at which a clock shows a time, given as if it were UTC: the first of two, and
// of none the one that is as much later as the clock was advanced.
function momentAt(shown, clock) {
	const early = offsetOf(shown - DAY, clock), late = offsetOf(shown + DAY, clock);
	const time = shown - early;
	return offsetOf(time, clock) === early || offsetOf(shown - late, clock) !== late
		? time : shown - late;
}

// The reverse of partsOf; days, hours and milliseconds may be more than there are of them.
function momentOf(year, month, day, hour, ms, clock) {
	return momentAt(Date.UTC(year, month, day, hour, 0, 0, ms), clock);
}

// The step to which times snap: about 8 pixels, 15 minutes at least, a day at most.
function snapStep(perMs) {
	return [15 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY].find(
		(step) => step * perMs >= 8) || DAY;
}

// The next multiple of a step, by the clock that is shown.
function snap(time, step, clock) {
	const offset = offsetOf(time, clock);
	const local = Math.round((time + offset) / step) * step;
	return local - offsetOf(local - offset, clock);
}

// All multiples of a step of less than a day in [from, until], counted from
// midnight. Hours are those of the clock, also on a day that has 23 or 25.
function ticksOfDay(from, until, step, clock) {
	const first = partsOf(from, clock), ticks = [];
	for (let d = 0; ; d++)
		for (let at = 0; at < DAY; at += step) {
			const hour = Math.floor(at / HOUR);
			const time = momentOf(first.year, first.month,
				first.day + d, hour, at - hour * HOUR, clock);
			if (time > until)
				return ticks;
			if (time >= from && time !== ticks[ticks.length - 1])
				ticks.push(time);
		}
}

// Midnights: every day, every Monday, the first of every month, or of a year.
function midnights(from, until, room, clock) {
	const first = partsOf(from, clock), ticks = [];
	const byDay = room(DAY), byWeek = room(7 * DAY), byMonth = room(28 * DAY);
	const months = byMonth ? 1 : room(90 * DAY) ? 3 : 12;
	for (let i = 0; ; i++) {
		const time = byWeek
			? momentOf(first.year, first.month, first.day + i, 0, 0, clock)
			: momentOf(first.year, i * months, 1, 0, 0, clock);
		if (time > until)
			return ticks;
		const monday = new Date(time + offsetOf(time, clock)).getUTCDay() === 1;
		if (time >= from && (byDay || !byWeek || monday))
			ticks.push(time);
	}
}

// Days narrower than so many pixels have no label each.
const DAY_LEAST = 24;
const DAY_FORMS = [
	{ weekday: "short", day: "numeric", month: "short" },
	{ weekday: "short", day: "numeric" },
	{ day: "numeric" },
];

// The spans that the reader can choose, and the pixels that the median booking has
// in the one that is shown first.
const SPANS = { day: DAY, three: 3 * DAY, week: 7 * DAY, month: 31 * DAY };
const MEDIAN_LEAST = 40;

// The widest span in which the median booking of the next 14 days can be read; a
// day if nothing is booked.
function firstSpan(bookings, now, width) {
	const lengths = bookings.filter((item) => item.until > now &&
		item.from < now + 14 * DAY).map((item) => item.until - item.from)
		.sort((a, b) => a - b);
	const median = lengths[lengths.length >> 1] || 0;
	const names = Object.keys(SPANS).reverse();
	return names.find((name) => median * width / SPANS[name] >= MEDIAN_LEAST) ||
		"day";
}

// Where a view of that span begins: an hour before now, of a week and more at
// midnight.
function spanStart(name, now, clock) {
	const { year, month, day, hour } = partsOf(now, clock);
	return name === "day" || name === "three" ? momentOf(year, month, day, hour - 1, 0, clock)
		: momentOf(year, month, day, 0, 0, clock);
}

// "14:00"
function minuteText(time, clock) {
	const { hour, minute } = partsOf(time, clock);
	return `${two(hour)}:${two(minute)}`;
}

// "Saturday 28 November"
function longDay(time, clock) {
	return formatOf({ weekday: "long", day: "numeric", month: "long" }, clock).format(time)
		.replace(",", "");
}

class TimeScale {
	constructor(from, until, left, right, clock) {
		Object.assign(this, { from, until, left, right, clock });
		this.perMs = (right - left) / (until - from);
	}

	x(time) {
		return this.left + (time - this.from) * this.perMs;
	}

	time(x) {
		return this.from + (x - this.left) / this.perMs;
	}

	// The times within a day that have room for their names; none where days
	// are too narrow for any.
	hours() {
		const step = STEPS.find((one) => one * this.perMs >= 52);
		return step ? ticksOfDay(this.from, this.until, step, this.clock)
			.filter((time) => !this.isMidnight(time)) : [];
	}

	days() {
		return midnights(this.from, this.until,
			(length) => length * this.perMs >= DAY_LEAST, this.clock);
	}

	// A label for the day at the left edge and for each midnight, in the longest
	// form that fits before the next one: { x, text, tick }.
	dayLabels(measure) {
		const days = this.days().filter((day) => this.x(day) >= this.left);
		const starts = [this.from, ...days];
		const room = (i) => (i + 1 < starts.length ? this.x(starts[i + 1])
			: this.right) - this.x(starts[i]) - 8;
		const fits = (form, i) => measure(this.dayText(starts[i], form)) <= room(i);
		const inner = starts.map((_, i) => i).slice(1, -1);
		const common = DAY_FORMS.find((form) => inner.every((i) => fits(form, i)));
		return starts.flatMap((time, i) => {
			const form = common && fits(common, i) ? common
				: DAY_FORMS.find((one) => fits(one, i));
			return form ? [{ x: this.x(time) + 4, text: this.dayText(time, form),
				tick: i > 0 }] : [];
		});
	}

	// The month at the left edge and each that begins, where there is room: { x, text }.
	monthLabels(measure) {
		const { year, month } = partsOf(this.from, this.clock);
		const labels = [];
		for (let i = 0; ; i++) {
			const time = i ? momentOf(year, month + i, 1, 0, 0, this.clock) : this.from;
			if (time > this.until)
				break;
			labels.push({ x: this.x(time) + 4, text: formatOf({ month: "long",
				year: "numeric" }, this.clock).format(time) });
		}
		return labels.filter(({ x, text }, i) => x + measure(text) + 8 <=
			(labels[i + 1] ? labels[i + 1].x : this.right));
	}

	// Whether a midnight stands out: each of few, Mondays or the first days of many.
	isMain(time) {
		const wide = DAY * this.perMs;
		return wide >= 52 || (wide >= DAY_LEAST
			? new Date(time + offsetOf(time, this.clock)).getUTCDay() === 1
			: partsOf(time, this.clock).day === 1 || 7 * wide < DAY_LEAST);
	}

	isMidnight(time) {
		const { hour, minute, second } = partsOf(time, this.clock);
		return !hour && !minute && !second;
	}

	hourText(time) {
		const { second } = partsOf(time, this.clock);
		return minuteText(time, this.clock) + (second ? `:${two(second)}` : "");
	}

	dayText(time, form = DAY_FORMS[0]) {
		const options = { ...form };
		if (options.month && partsOf(time, this.clock).month === 0 &&
		    partsOf(time, this.clock).day < 8)
			options.year = "numeric";
		return formatOf(options, this.clock).format(time);
	}
}

if (typeof module !== "undefined")
	module.exports = { TimeScale, ticksOfDay, midnights, firstSpan, spanStart,
		snapStep, snap, partsOf, momentOf };
