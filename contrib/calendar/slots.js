// SPDX-License-Identifier: GPL-2.0-or-later
// Where so many nodes are free together for so long: of each node the starts
// that its gaps allow, and of those the times at which enough nodes agree.
"use strict";

// The stretches in which each node is taken, by start; shares count as taken.
function busyTimes(model) {
	const busy = model.names.map(() => []);
	const items = model.items.slice().sort((a, b) => a.from - b.from);
	for (const item of items)
		for (const [first, last] of item.runs)
			for (let n = first; n <= last; n++)
				busy[n].push(item);
	return busy;
}

// Call with each [from, until] in which a window of that length may start.
function eachGap(times, from, horizon, length, call) {
	let free = from;
	for (const item of times) {
		if (item.from - free >= length)
			call(free, item.from - length);
		if (item.until > free)
			free = item.until;
	}
	if (horizon - free >= length)
		call(free, horizon - length);
}

// A list of { from, until }: each start between the two finds enough nodes, at
// most `most` of them. Between `from` and the horizon.
function findSlots(model, nodes, length, from, horizon, most) {
	const begins = [], ends = [];
	for (const times of busyTimes(model))
		eachGap(times, from, horizon, length, (first, last) => {
			begins.push(first);
			ends.push(last);
		});
	return sweep(Float64Array.from(begins).sort(),
		Float64Array.from(ends).sort(), nodes, most);
}

// Both ends of a gap are good: at the same time who comes counts before who goes.
function sweep(begins, ends, nodes, most) {
	const slots = [];
	let b = 0, e = 0, since = null;
	while (e < ends.length && slots.length < most) {
		const come = b < begins.length && begins[b] <= ends[e];
		const time = come ? begins[b++] : ends[e++];
		if (b - e >= nodes && since === null) {
			since = time;
		} else if (b - e < nodes && since !== null) {
			slots.push({ from: since, until: time });
			since = null;
		}
	}
	return slots;
}

// 1 for each node that is free throughout, else 0.
function freeNodes(model, from, until) {
	const free = new Uint8Array(model.names.length).fill(1);
	for (const item of model.items)
		if (item.from < until && item.until > from)
			for (const [first, last] of item.runs)
				free.fill(0, first, last + 1);
	return free;
}

// Whether something else is on one of these nodes within a time.
function isTaken(model, from, until, first, last, except) {
	return model.items.some((item) => item !== except && item.part >= 1 &&
		item.from < until && item.until > from && !isOver(item) &&
		item.runs.some((run) => run[0] <= last && first <= run[1]));
}

if (typeof module !== "undefined")
	module.exports = { findSlots, freeNodes, eachGap };
