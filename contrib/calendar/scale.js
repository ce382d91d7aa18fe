// SPDX-License-Identifier: GPL-2.0-or-later
// Time as pixels, and the round times between which people look for theirs.
"use strict";

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE,
	30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];

// Formats are kept: a browser needs longer to make one than to draw a row of the calendar.
const formats = new Map();

function formatOf(options) {
	const key = JSON.stringify(options);
	if (!formats.has(key))
		formats.set(key, new Intl.DateTimeFormat("en-GB", options));
	return formats.get(key);
}

// The parts of a moment by the clock that is shown.
function partsOf(time, utc) {
	const date = new Date(time);
	return utc
		? { year: date.getUTCFullYear(), month: date.getUTCMonth(),
		    day: date.getUTCDate(), hour: date.getUTCHours(),
		    minute: date.getUTCMinutes(), second: date.getUTCSeconds() }
		: { year: date.getFullYear(), month: date.getMonth(),
		    day: date.getDate(), hour: date.getHours(),
		    minute: date.getMinutes(), second: date.getSeconds() };
}

// The reverse; days, hours and milliseconds may be more than there are of them.
function momentOf(year, month, day, hour, ms, utc) {
	return Number(utc ? Date.UTC(year, month, day, hour, 0, 0, ms)
		: new Date(year, month, day, hour, 0, 0, ms));
}

// All multiples of a step of less than a day in [from, until], counted from
// midnight. Hours are those of the clock, also on a day that has 23 or 25.
function ticksOfDay(from, until, step, utc) {
	const first = partsOf(from, utc), ticks = [];
	for (let d = 0; ; d++)
		for (let at = 0; at < DAY; at += step) {
			const hour = Math.floor(at / HOUR);
			const time = momentOf(first.year, first.month,
				first.day + d, hour, at - hour * HOUR, utc);
			if (time > until)
				return ticks;
			if (time >= from && time !== ticks[ticks.length - 1])
				ticks.push(time);
		}
}

// Midnights: every day, every Monday, the first of every month, or of a year.
function midnights(from, until, room, utc) {
	const first = partsOf(from, utc), ticks = [];
	const byDay = room(DAY), byWeek = room(7 * DAY), byMonth = room(28 * DAY);
	const months = byMonth ? 1 : room(90 * DAY) ? 3 : 12;
	for (let i = 0; ; i++) {
		const time = byWeek
			? momentOf(first.year, first.month, first.day + i, 0, 0, utc)
			: momentOf(first.year, i * months, 1, 0, 0, utc);
		if (time > until)
			return ticks;
		const monday = new Date(time + (utc ? 0
			: -new Date(time).getTimezoneOffset() * MINUTE))
			.getUTCDay() === 1;
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
function spanStart(name, now, utc) {
	const { year, month, day, hour } = partsOf(now, utc);
	return name === "day" || name === "three" ? momentOf(year, month, day, hour - 1, 0, utc)
		: momentOf(year, month, day, 0, 0, utc);
}

class TimeScale {
	constructor(from, until, left, right, utc) {
		Object.assign(this, { from, until, left, right, utc });
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
		return step ? ticksOfDay(this.from, this.until, step, this.utc)
			.filter((time) => !this.isMidnight(time)) : [];
	}

	days() {
		return midnights(this.from, this.until,
			(length) => length * this.perMs >= DAY_LEAST, this.utc);
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

	isMidnight(time) {
		const { hour, minute, second } = partsOf(time, this.utc);
		return !hour && !minute && !second;
	}

	hourText(time) {
		const two = (number) => String(number).padStart(2, "0");
		const { hour, minute, second } = partsOf(time, this.utc);
		return `${two(hour)}:${two(minute)}` +
			(second ? `:${two(second)}` : "");
	}

	dayText(time, form = DAY_FORMS[0]) {
		const options = { ...form };
		if (this.utc)
			options.timeZone = "UTC";
		if (options.month && partsOf(time, this.utc).month === 0 &&
		    partsOf(time, this.utc).day < 8)
			options.year = "numeric";
		return formatOf(options).format(time);
	}
}

if (typeof module !== "undefined")
	module.exports = { TimeScale, ticksOfDay, midnights, firstSpan, spanStart };
