// SPDX-License-Identifier: GPL-2.0-or-later
// The calendar's document as objects: nodes, groups of them, and what occupies
// them when. Times are milliseconds, as the browser has them.
"use strict";

// How a stretch of time on a node is taken, as it is painted: what comes later
// lies above.
const KINDS = ["down", "maintenance", "reservation", "job", "hidden", "booking"];

// Names are what people typed: signs that steer a terminal, or the direction of
// the text around them, are none of a name.
function clean(text) {
	return String(text).replace(
		/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
		"\ufffd");
}

// "0-3,7": [[0, 3], [7, 7]]
function parseRuns(text) {
	if (!text)
		return [];
	return text.split(",").map((run) => {
		const [first, last] = run.split("-").map(Number);
		return [first, last === undefined ? first : last];
	});
}

function countRuns(runs) {
	return runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

function kindOf(item) {
	if (!item.kind)
		return KINDS.indexOf("booking");
	return item.kind === "booking" ? KINDS.indexOf("hidden")
		: Math.max(0, KINDS.indexOf(item.kind));
}

// What a reader calls it: a job by its number, another booking by its name.
function titleOf(item) {
	if (item.kind)
		return item.label || (item.kind === "booking" ? "booked"
			: item.kind);
	return item.reservation ? item.reservation
		: item.job ? String(item.job) : item.id;
}

// What its owner should know of a booking that is there: a node that is gone, an
// operator's change.
function noteOf(item) {
	return /^(booked|active)/.test(item.state || "")
		? item.remark || item.reason || "" : "";
}

function readItem(item, index) {
	const runs = parseRuns(item.on);
	const read = { ...item };
	for (const key of Object.keys(read))
		if (typeof read[key] === "string")
			read[key] = clean(read[key]);
	return Object.assign(read, {
		index,
		runs,
		count: countRuns(runs),
		from: item.start * 1000,
		until: item.end * 1000,
		part: (item.share || item.node_part || 100) / 100,
		type: kindOf(item),
		booking: !item.kind,
		title: titleOf(read),
		note: noteOf(read),
		lane: 0,
		hue: 0,
		shown: true,
	});
}

// Shares lie above each other where they meet on a node.
function stackShares(items) {
	const top = new Map();
	for (const item of items) {
		if (item.part >= 1 || !item.runs.length)
			continue;
		const node = item.runs[0][0];
		const there = (top.get(node) || []).filter(
			(other) => other.until > item.from);
		let lane = 0;
		for (const other of there.sort((a, b) => a.lane - b.lane))
			if (other.lane < lane + item.part &&
			    lane < other.lane + other.part)
				lane = other.lane + other.part;
		item.lane = lane + item.part <= 1.001 ? lane : 0;
		top.set(node, [...there, item]);
	}
}

// Up to so many nodes each has a row; more are so many rows, of several nodes.
const FLAT_MOST = 64, ROWS_MOST = 44;

// Neighbours whose names begin alike, in so few pieces that all can be named.
function groupNodes(names) {
	const size = names.length <= FLAT_MOST ? 1
		: 2 ** Math.ceil(Math.log2(names.length / ROWS_MOST));
	const groups = [];
	let prefix = null;
	names.forEach((name, n) => {
		const begins = name.replace(/[0-9]+$/, "");
		const last = groups[groups.length - 1];
		if (size === 1 || begins !== prefix ||
		    last.last - last.first + 1 >= size)
			groups.push({ first: n, last: n, open: false });
		else
			last.last = n;
		prefix = begins;
	});
	for (const group of groups)
		group.name = group.first === group.last ? names[group.first]
			: `${names[group.first]} … ${names[group.last]}`;
	return groups;
}

const MINE = -1, OTHERS = -2;

class Model {
	constructor(doc) {
		if (doc.version !== 1)
			throw new Error(`a calendar of version ${doc.version}; ` +
				"this page reads version 1");
		this.cluster = clean(doc.cluster || "");
		this.zone = doc.zone || "";
		this.now = doc.time * 1000;
		this.names = (doc.nodes || []).map(clean);
		this.items = [...(doc.others || []), ...(doc.bookings || [])]
			.map(readItem);
		this.bookings = this.items.filter((item) => item.booking)
			.sort((a, b) => a.from - b.from || a.index - b.index);
		// Of two that meet, one's own is not to be hidden.
		this.items.sort((a, b) => a.type - b.type ||
			!!a.mine - !!b.mine);
		stackShares(this.bookings);
		this.groups = groupNodes(this.names);
		this.setExtent();
		this.colourBy("mine");
	}

	setExtent() {
		// What is down is so for nobody knows how long.
		const far = this.items.reduce((most, item) =>
			item.kind === "down" ? most :
			Math.max(most, item.until), this.now + HOUR);
		const early = this.items.reduce((least, item) => item.booking
			? Math.min(least, item.from) : least, this.now - HOUR / 4);
		this.extent = [early, far];
	}

	// A number for each user, account or job, by what they have booked; of "mine"
	// one's own are MINE and the rest OTHERS.
	colourBy(key) {
		if (key === "mine") {
			for (const item of this.bookings)
				item.hue = item.mine ? MINE : OTHERS;
			this.hues = new Map();
			return;
		}
		const sums = new Map();
		const name = (item) => key === "job" ? item.title : item[key] || "";
		for (const item of this.bookings)
			sums.set(name(item), (sums.get(name(item)) || 0) +
				item.count * (item.until - item.from));
		const order = key === "job" ? [...sums.keys()]
			: [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
		this.hues = new Map(order.map((one, i) => [one, i]));
		for (const item of this.bookings)
			item.hue = this.hues.get(name(item));
	}

	groupOf(node) {
		let low = 0, high = this.groups.length - 1;
		while (low < high) {
			const half = (low + high + 1) >> 1;
			if (this.groups[half].first <= node)
				low = half;
			else
				high = half - 1;
		}
		return low;
	}

	// Show what the test lets through; what closes nodes always.
	filter(test) {
		for (const item of this.items)
			item.shown = !item.booking || test(item);
	}

	// What is there at a time on one of the nodes from first to last.
	at(time, first, last) {
		return this.items.filter((item) => item.shown &&
			item.from <= time && time < item.until &&
			item.runs.some((run) => run[0] <= last && first <= run[1]));
	}

	// The names of nodes in runs, short.
	label(runs) {
		return runs.map(([first, last]) => first === last
			? this.names[first]
			: `${this.names[first]}–${this.names[last]}`).join(", ");
	}
}

// "1 node", "3 nodes".
function plural(count, word) {
	return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// The first index whose value is above the bound.
function above(values, bound) {
	let low = 0, high = values.length;
	while (low < high) {
		const half = (low + high) >> 1;
		if (values[half] > bound)
			high = half;
		else
			low = half + 1;
	}
	return low;
}

if (typeof module !== "undefined")
	module.exports = { Model, parseRuns, groupNodes, above, clean, plural, KINDS };
