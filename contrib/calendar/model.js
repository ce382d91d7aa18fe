// SPDX-License-Identifier: GPL-2.0-or-later
// The calendar's document as objects: nodes, groups of them, and what occupies
// them when. Times are milliseconds, as the browser has them.
"use strict";

// How a stretch of time on a node is taken. Rows that sum up many nodes stack
// these from the bottom.
const KINDS = ["down", "maintenance", "reservation", "job", "other", "mine"];

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
		return KINDS.indexOf(item.mine ? "mine" : "other");
	if (item.kind === "booking")
		return KINDS.indexOf("other");
	return Math.max(0, KINDS.indexOf(item.kind));
}

function readItem(item, index) {
	const runs = parseRuns(item.on);
	return {
		...item,
		index,
		runs,
		count: countRuns(runs),
		from: item.start * 1000,
		until: item.end * 1000,
		part: item.share ? item.share / 100 : 1,
		type: kindOf(item),
		booking: !item.kind,
		ours: !item.kind || item.kind === "booking",
		lane: 0,
		shown: true,
	};
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

// Up to this many nodes each has a row of its own from the beginning.
const FLAT_MOST = 64;

// Neighbours whose names begin alike, in so many pieces that all can be seen.
function groupNodes(names) {
	const size = names.length <= FLAT_MOST ? 1
		: Math.max(16, 2 ** Math.ceil(Math.log2(names.length / 160)));
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

class Model {
	constructor(doc) {
		if (doc.version !== 1)
			throw new Error(`a calendar of version ${doc.version}; ` +
				"this page reads version 1");
		this.cluster = doc.cluster || "";
		this.now = doc.time * 1000;
		this.names = doc.nodes || [];
		this.items = [...(doc.others || []), ...(doc.bookings || [])]
			.map(readItem);
		this.bookings = this.items.filter((item) => item.booking)
			.sort((a, b) => a.from - b.from || a.index - b.index);
		stackShares(this.bookings);
		this.groups = groupNodes(this.names);
		// What is down is so for nobody knows how long.
		const far = this.items.reduce((most, item) =>
			item.kind === "down" ? most :
			Math.max(most, item.until), this.now + 900e3);
		const early = this.items.reduce((least, item) =>
			Math.min(least, item.from), this.now);
		this.extent = [early, far];
		this.index();
	}

	// Which shown items each group has, by time.
	index() {
		for (const group of this.groups) {
			group.items = [];
			group.steps = null;
		}
		for (const item of this.items.filter((one) => one.shown))
			for (const [first, last] of item.runs)
				this.spread(item, first, last);
		for (const group of this.groups)
			group.items.sort((a, b) => a[0].from - b[0].from);
	}

	spread(item, first, last) {
		for (let g = this.groupOf(first);
		     g < this.groups.length && this.groups[g].first <= last; g++) {
			const group = this.groups[g];
			group.items.push([item, Math.max(first, group.first),
				Math.min(last, group.last)]);
		}
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
		this.index();
	}

	// How many of a group's nodes each kind has from each time on.
	steps(group) {
		if (group.steps)
			return group.steps;
		const changes = [];
		for (const [item, first, last] of group.items) {
			const nodes = (last - first + 1) * item.part;
			changes.push([item.from, item.type, nodes],
				[item.until, item.type, -nodes]);
		}
		changes.sort((a, b) => a[0] - b[0]);
		group.steps = sumUp(changes);
		return group.steps;
	}

	// The names of nodes in runs, short.
	label(runs) {
		return runs.map(([first, last]) => first === last
			? this.names[first]
			: `${this.names[first]}–${this.names[last]}`).join(", ");
	}
}

function sumUp(changes) {
	const at = [], sums = [], now = KINDS.map(() => 0);
	for (let i = 0; i < changes.length; i++) {
		const [time, type, nodes] = changes[i];
		now[type] += nodes;
		if (i + 1 < changes.length && changes[i + 1][0] === time)
			continue;
		at.push(time);
		sums.push(now.slice());
	}
	return { at, sums };
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
	module.exports = { Model, parseRuns, groupNodes, above, KINDS };
