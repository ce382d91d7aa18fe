// SPDX-License-Identifier: GPL-2.0-or-later
// How much of some nodes is taken over time: the row above all others, and the picture of a
// section that is closed.
"use strict";

// Times with what changes at each, to be added up.
class Steps {
	constructor() {
		this.times = [];
		this.booked = [];
		this.other = [];
		this.gpus = [];
	}

	add(time, booked, other, gpus) {
		this.times.push(time);
		this.booked.push(booked);
		this.other.push(other);
		this.gpus.push(gpus);
	}

	// RET { times, booked, taken, gpus, hasGpus }: shares from each time on.
	sum(nodes, allGpus) {
		const { times } = this, count = times.length;
		const order = Uint32Array.from(times, (_, i) => i).sort((a, b) => times[a] - times[b]);
		const list = { times: new Float64Array(count), booked: new Float32Array(count),
			taken: new Float32Array(count), gpus: new Float32Array(count),
			hasGpus: allGpus > 0 };
		let booked = 0, other = 0, gpus = 0, n = 0;
		order.forEach((at, i) => {
			booked += this.booked[at];
			other += this.other[at];
			gpus += this.gpus[at];
			if (i + 1 < count && times[order[i + 1]] === times[at])
				return;
			list.times[n] = times[at];
			list.booked[n] = share(booked, nodes);
			list.taken[n] = share(booked + other, nodes);
			list.gpus[n++] = share(gpus, allGpus);
		});
		for (const key of ["times", "booked", "taken", "gpus"])
			list[key] = list[key].subarray(0, n);
		return list;
	}
}

function share(part, all) {
	return all ? Math.max(0, Math.min(1, part / all)) : 0;
}

// Compute how much of all nodes and of each section is taken: a list by the first node of each, and
// "all". Of two items that meet on a node, the first one counts until it ends.
function occupancyOf(model) {
	const busy = new Float64Array(model.names.length);
	const all = new Steps(), parts = new Map(model.sections.map((one) =>
		[one.first, new Steps()]));
	for (const item of model.byStart())
		for (const [first, last] of item.runs)
			addRun(model, item, first, last, busy,
				[all, parts.get((model.sectionOf(first) || {}).first)]);
	const gpus = ({ first, last }) => model.gpusOf.subarray(first, last + 1)
		.reduce((sum, one) => sum + one, 0);
	const lists = new Map(model.sections.map((one) => [one.first,
		parts.get(one.first).sum(one.last - one.first + 1, gpus(one))]));
	const whole = { first: 0, last: model.names.length - 1 };
	return lists.set("all", all.sum(model.names.length, gpus(whole)));
}

// Neighbours that are taken from the same time on are one step.
function addRun(model, item, begin, end, busy, lists) {
	const { whole } = item, booked = item.booking || item.kind === "booking";
	for (let n = begin; n <= end;) {
		const from = Math.max(item.from, busy[n]);
		let part = 0, gpus = 0;
		for (; n <= end && Math.max(item.from, busy[n]) === from; n++) {
			part += whole ? 1 : model.partOn(item, n);
			gpus += model.gpusOn(item, n);
			if (whole && busy[n] < item.until)
				busy[n] = item.until;
		}
		for (const list of item.until > from ? lists : []) {
			if (!list)
				continue;
			list.add(from, booked ? part : 0, booked ? 0 : part, gpus);
			list.add(item.until, booked ? -part : 0, booked ? 0 : -part, -gpus);
		}
	}
}

// The most of a list of shares within each pixel of a scale.
function sharePixels(scale, { times }, list) {
	const pixels = new Float32Array(Math.max(0, Math.ceil(scale.right - scale.left)));
	let i = above(times, scale.time(scale.left));
	for (let x = 0; x < pixels.length; x++) {
		let most = i ? list[i - 1] : 0;
		const until = scale.time(scale.left + x + 1);
		for (; i < times.length && times[i] < until; i++)
			most = Math.max(most, list[i]);
		pixels[x] = most;
	}
	return pixels;
}

// Call with [x, width, height] for each stretch of pixels of one height.
function eachLevel(pixels, height, call) {
	for (let x = 0; x < pixels.length;) {
		const first = x, high = height(pixels[x]);
		while (x < pixels.length && height(pixels[x]) === high)
			x++;
		call(first, x - first, high);
	}
}

// RET the share at a time.
function shareAt({ times }, list, time) {
	const i = above(times, time);
	return i ? list[i - 1] : 0;
}

Object.assign(Model.prototype, {
	byStart() {
		this.sorted ||= this.items.filter((item) => item.runs.length)
			.sort((a, b) => a.from - b.from);
		return this.sorted;
	},

	// The occupancy of all nodes, or of a section.
	occupancy(section) {
		this.occupancies ||= occupancyOf(this);
		return this.occupancies.get(section ? section.first : "all");
	},

	// "Occupied 38 %" of all nodes now, and of the GPUs.
	occupancyText(time) {
		const list = this.occupancy();
		const percent = (shares) => Math.round(100 * shareAt(list, shares, time));
		return `${percent(list.taken)} % of nodes` +
			(list.hasGpus ? `, ${percent(list.gpus)} % of GPUs` : "");
	},
});

if (typeof module !== "undefined")
	module.exports = { occupancyOf, sharePixels, shareAt };
