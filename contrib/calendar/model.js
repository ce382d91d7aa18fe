// SPDX-License-Identifier: GPL-2.0-or-later
// The calendar's document as objects: nodes, groups of them, and what occupies
// them when. Times are milliseconds, as the browser has them.
"use strict";

// How a stretch of time on a node is taken, as it is painted: what comes later
// lies above.
const KINDS = ["down", "maintenance", "reservation", "job", "hidden", "booking"];

// Names are what people typed: signs that steer a terminal, or the direction of
// the text around them, are none of a name.
const STEERS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function clean(text) {
	const plain = String(text);
	// To look is much faster than to replace.
	return plain.search(STEERS) < 0 ? plain : plain.replace(STEERS, "\ufffd");
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

// "gpu:a100:2,shard:1": how many of a kind, and a text for people.
function countOf(gres, kind) {
	return (gres || "").split(",").filter((one) => one.split(":")[0] === kind)
		.reduce((sum, one) => sum + Number(one.split(":").pop()), 0);
}

function gresText(gres) {
	return (gres || "").split(",").filter(Boolean).map((one) => {
		const [kind, ...rest] = one.split(":");
		const count = Number(rest.pop()), type = rest.join(":");
		const word = kind === "gpu" ? plural(count, "GPU") : `${count} ${kind}`;
		return type ? `${word} (${type})` : word;
	}).join(", ");
}

function gpuText(gres) {
	return gresText((gres || "").split(",").filter((one) => one.startsWith("gpu:")).join(","));
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
	const note = /^(booked|active)/.test(item.state || "")
		? item.remark || item.reason || "" : "";
	// An owner needs no note of a change that the owner made.
	return item.mine && note === "changed by its owner" ? "" : note;
}

// The item of the document itself, with more members.
function readItem(item, index, runs) {
	for (const key in item)
		if (typeof item[key] === "string")
			item[key] = clean(item[key]);
	item.index = index;
	item.runs = runs;
	item.count = countRuns(runs);
	item.from = item.start * 1000;
	item.until = item.end * 1000;
	item.part = (item.share || item.node_part || 100) / 100;
	item.whole = !item.share && !item.node_part;
	item.type = kindOf(item);
	item.booking = !item.kind;
	item.title = titleOf(item);
	item.note = noteOf(item);
	// An item that an earlier document had, too, has been read before.
	item.allGpus ??= item.gpus || 0;
	item.gpus = item.gres ? countOf(item.gres, "gpu") : 0;
	item.lane = item.gpuLane = item.coreLane = item.hue = 0;
	item.shown = true;
	return item;
}

// Parts lie above each other where they meet on a node: of so much of each node, up to `most`. An
// item has the same place on all of its nodes.
function stack(items, lane, sizeOf, mostOf) {
	const top = new Map();
	for (const item of items) {
		const nodes = nodesOf(item).slice(0, STACK_MOST)
			.filter((node) => sizeOf(item, node));
		const there = nodes.flatMap((node) => (top.get(node) || [])
			.filter((other) => other.until > item.from)
			.map((other) => [other[lane], other[lane] + sizeOf(other, node),
				sizeOf(item, node)]));
		let at = 0;
		for (const [from, until, size] of there.sort((a, b) => a[0] - b[0]))
			if (from < at + size - .001 && at < until - .001)
				at = until;
		item[lane] = nodes.every((node) => at + sizeOf(item, node) <= mostOf(node) + .001)
			? at : 0;
		for (const node of nodes)
			top.set(node, [...(top.get(node) || []).filter(
				(other) => other.until > item.from), item]);
	}
}

// RET the nodes of an item, one by one.
function nodesOf({ runs }) {
	const nodes = [];
	for (const [first, last] of runs)
		for (let n = first; n <= last; n++)
			nodes.push(n);
	return nodes;
}

// RET the names of a list of nodes as Slurm writes it: "g1,c[08-10,12]".
function namesIn(text) {
	const names = [];
	for (const [, head, list] of text.matchAll(/([^,[]+)(?:\[([^\]]*)\])?,?/g))
		for (const one of list === undefined ? [""] : list.split(",")) {
			const [first, last = first] = one.split("-");
			for (let n = Number(first); n <= Number(last); n++)
				names.push(head + (one && String(n).padStart(first.length, "0")));
		}
	return names;
}

// The most nodes of a part whose places are kept apart, as rows draw parts of no more.
const STACK_MOST = 64;

// Up to so many nodes each has a row; more are so many rows, of several nodes. Of still more,
// each section is one area until it is opened, and then has rows of 64 nodes.
const FLAT_MOST = 64, ROWS_MOST = 44, LARGE = 4096, OPEN_NODES = 64;

// Neighbours whose names begin alike, in so few pieces that all can be named.
function groupNodes(names, sections = []) {
	const large = sections.length && names.length > LARGE;
	const size = names.length <= FLAT_MOST ? 1 : large ? OPEN_NODES
		: 2 ** Math.ceil(Math.log2(names.length / ROWS_MOST));
	const begin = new Set(sections.map((one) => one.first));
	const groups = [];
	let prefix = null;
	names.forEach((name, n) => {
		const begins = name.replace(/[0-9]+$/, "");
		const last = groups[groups.length - 1];
		if (size === 1 || begins !== prefix || begin.has(n) ||
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

// The types of GPUs in a text of generic resources: "a100", "a100, h100", "GPU" without one.
function gpuKinds(gres) {
	const kinds = (gres || "").split(",").filter((one) => /^gpu\b/.test(one))
		.map((one) => one.split(":").slice(1, -1).join(":"));
	return [...new Set(kinds)].join(", ") || (kinds.length ? "GPU" : "");
}

// Sections of nodes with the same partitions and types of GPUs, those of a partition beside
// each other. RET { sections, order }: order[n] is the place of the document's node n.
function sortNodes(doc) {
	const count = (doc.nodes || []).length;
	const keys = new Map(), of = new Int32Array(count).fill(-1);
	for (const one of doc.classes || []) {
		const partitions = one.partitions.map(clean), gpu = clean(gpuKinds(one.gres));
		const key = `${partitions.join(",")} ${gpu}`;
		if (!keys.has(key))
			keys.set(key, { partitions, gpu, nodes: [],
				name: partitions.join(", ") || "no partition" });
		const place = [...keys.keys()].indexOf(key);
		for (const [first, last] of parseRuns(one.on))
			of.fill(place, first, last + 1);
	}
	const found = [...keys.values()];
	if (of.includes(-1) && found.length)
		found.push({ partitions: [], gpu: "", nodes: [], name: "other nodes" });
	for (let n = 0; n < count && found.length; n++)
		found[of[n] < 0 ? found.length - 1 : of[n]].nodes.push(n);
	const used = found.filter((one) => one.nodes.length)
		.sort((a, b) => a.nodes[0] - b.nodes[0]);
	const rank = new Map();
	for (const one of used) {
		const name = one.partitions.join(",");
		rank.set(name, rank.has(name) ? rank.get(name) : rank.size);
	}
	used.sort((a, b) => rank.get(a.partitions.join(",")) - rank.get(b.partitions.join(",")) ||
		!!a.gpu - !!b.gpu);
	const order = Int32Array.from({ length: count }, (_, n) => n);
	let at = 0;
	// Partitions are named beside a type of GPU only where they differ.
	const same = rank.size === 1;
	for (const one of used)
		if (one.gpu)
			one.name = (same ? "" : `${one.partitions.join(", ")} · `) + `GPU ${one.gpu}`
				.replace("GPU GPU", "GPU");
	const sections = used.map(({ nodes, ...one }) => {
		for (const n of nodes)
			order[n] = at++;
		return { ...one, first: at - nodes.length, last: at - 1,
			open: count <= LARGE };
	});
	return { sections, order };
}

// A reader of runs by that order: each is cut where its nodes are no longer neighbours, or
// belong to another section.
function runReader({ sections, order }) {
	const begin = new Set(sections.map((one) => one.first));
	// The last of the neighbours from a node of the document on.
	const end = new Int32Array(order.length);
	for (let n = order.length - 1; n >= 0; n--)
		end[n] = n + 1 < order.length && order[n + 1] === order[n] + 1 &&
			!begin.has(order[n + 1]) ? end[n + 1] : n;
	return (text) => {
		const runs = [];
		for (const [first, last] of parseRuns(text))
			for (let n = first; n <= last; n = Math.min(end[n], last) + 1)
				runs.push([order[n], order[Math.min(end[n], last)]]);
		runs.sort((a, b) => a[0] - b[0]);
		return runs.reduce((joined, run) => {
			const before = joined[joined.length - 1];
			if (before && before[1] + 1 === run[0] && !begin.has(run[0]))
				before[1] = run[1];
			else
				joined.push(run);
			return joined;
		}, []);
	};
}

// RET a document with its changes: in a list [first, count] stands for elements of the
// earlier one.
function changeDocument(doc, { changes, ...more }) {
	const merged = { ...doc, ...more };
	for (const [key, list] of Object.entries(more))
		if (Array.isArray(list))
			merged[key] = list.flatMap((one) => Array.isArray(one)
				? doc[key].slice(one[0], one[0] + one[1]) : [one]);
	return merged;
}

const MINE = -1, OTHERS = -2;

class Model {
	constructor(doc) {
		if (doc.version !== 1)
			throw new Error(`the calendar has version ${doc.version}; ` +
				"this page needs version 1");
		this.cluster = clean(doc.cluster || "");
		this.zone = doc.zone || "";
		this.now = doc.time * 1000;
		const sorted = sortNodes(doc);
		const readRuns = runReader(sorted);
		this.sections = sorted.sections;
		this.names = [];
		(doc.nodes || []).forEach((name, n) => {
			this.names[sorted.order[n]] = clean(name);
		});
		this.items = [...(doc.others || []), ...(doc.bookings || [])]
			.map((item, index) => readItem(item, index, readRuns(item.on)));
		this.bookings = this.items.filter((item) => item.booking)
			.sort((a, b) => a.from - b.from || a.index - b.index);
		// Of two that meet, one's own is not to be hidden.
		this.items.sort((a, b) => a.type - b.type ||
			!!a.mine - !!b.mine);
		for (const item of this.bookings)
			item.zone = this.zone;
		this.readClasses(doc, readRuns);
		this.layLanes();
		this.groups = groupNodes(this.names, this.sections);
		// The nodes that a filter hides.
		this.hides = new Uint8Array(this.names.length);
		this.setExtent();
		this.colourBy("mine");
	}

	// Read the class of each node, its number of GPUs, and why it is out of service.
	readClasses(doc, readRuns) {
		this.classes = (doc.classes || []).map((one) => ({ ...one,
			runs: readRuns(one.on), partitions: one.partitions.map(clean),
			gres: clean(one.gres || ""), features: clean(one.features || "") }));
		this.classOf = new Array(this.names.length).fill(null);
		this.gpusOf = new Uint16Array(this.names.length);
		this.reasons = new Map();
		for (const one of this.classes)
			for (const [first, last] of one.runs) {
				this.classOf.fill(one, first, last + 1);
				this.gpusOf.fill(one.gpus || 0, first, last + 1);
			}
		for (const one of doc.out_of_service || [])
			for (const [first, last] of readRuns(one.on))
				for (let n = first; n <= last; n++)
					this.reasons.set(n, clean(one.reason));
	}

	// A bar is as high as what it takes of the scarcest resource of its node.
	layLanes() {
		const items = this.items.filter((item) => !item.whole)
			.sort((a, b) => a.from - b.from || a.index - b.index);
		for (const item of items) {
			item.corePart = item.part;
			this.readEach(item);
			if (item.runs.length)
				item.part = this.partOn(item, item.runs[0][0]);
		}
		stack(items, "lane", (item, node) => this.partOn(item, node), () => 1);
		stack(items, "gpuLane", (item, node) => this.gpusOn(item, node),
			(node) => this.gpusOf[node]);
		stack(items, "coreLane", (item, node) => this.coresOn(item, node), () => 1);
	}

	// Read what an item takes of nodes of which it takes other amounts.
	readEach(item) {
		this.numberOf ||= new Map(this.names.map((name, n) => [name, n]));
		item.each = new Map((item.by_node || []).flatMap((one) =>
			namesIn(clean(one.names)).map((name) => [this.numberOf.get(name), one])));
	}

	// RET how many GPUs of a node an item takes.
	gpusOn(item, node) {
		if (item.whole)
			return this.gpusOf[node];
		const own = item.each.get(node);
		return own ? countOf(own.gres || "", "gpu") : item.gpus;
	}

	// RET which part of the cores of a node an item takes.
	coresOn(item, node) {
		const own = item.each.get(node), cores = this.classOf[node]?.cores;
		return own?.cores && cores ? Math.min(1, own.cores / cores) : item.corePart;
	}

	// RET which part of a node is taken for others: of cores, GPUs and memory the largest.
	partOn(item, node) {
		const mem = item.each.get(node)?.mem ?? item.mem, all = this.classOf[node]?.mem;
		return Math.max(this.coresOn(item, node), all ? Math.min(1, (mem || 0) / all) : 0,
			this.gpusOf[node] ? Math.min(1, this.gpusOn(item, node) / this.gpusOf[node])
				: 0);
	}

	// The types of GPUs that there are, with the most that a node has of each.
	gpuTypes() {
		const types = new Map();
		for (const { gres } of this.classes)
			for (const one of gres.split(",")) {
				const [kind, type, count] = one.split(":");
				if (kind === "gpu" && count)
					types.set(type, Math.max(types.get(type) || 0,
						Number(count)));
			}
		return types;
	}

	partitionNames() {
		return [...new Set(this.classes.flatMap((one) => one.partitions))];
	}

	// RET how many nodes a partition has.
	nodesIn(partition) {
		return this.classes.filter((one) => one.partitions.includes(partition))
			.reduce((sum, one) => sum + countRuns(one.runs), 0);
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
		return lastFrom(this.groups, node);
	}

	// RET the section of a node; undefined: there are none.
	sectionOf(node) {
		return this.sections[lastFrom(this.sections, node)];
	}

	// Show what the test lets through; what closes nodes always.
	filter(test) {
		for (const item of this.items)
			item.shown = !item.booking || test(item);
	}

	// 1 for each node that is free now.
	freeNow() {
		if (this.freeAt !== this.now) {
			this.free = freeNodes(this, this.now, this.now + 1);
			this.freeAt = this.now;
		}
		return this.free;
	}

	// RET how many GPUs of each node are free now.
	freeGpus() {
		if (this.gpusAt !== this.now) {
			this.gpusFree = this.gpusOf.slice();
			this.gpusAt = this.now;
			for (const item of this.items)
				if (item.from <= this.now && this.now < item.until)
					this.takeGpus(item);
		}
		return this.gpusFree;
	}

	takeGpus(item) {
		for (const [first, last] of item.runs)
			for (let n = first; n <= last; n++)
				this.gpusFree[n] -= Math.min(this.gpusFree[n],
					this.gpusOn(item, n));
	}

	// "3 of 4 GPUs" of the nodes from first to last; "": they have none.
	gpuState(first, last) {
		const free = this.freeGpus();
		let sum = 0, all = 0;
		for (let n = first; n <= last; n++) {
			sum += free[n];
			all += this.gpusOf[n];
		}
		return all ? `${sum} of ${plural(all, "GPU")}` : "";
	}

	// RET { free, count } of the nodes in sight from first to last, now.
	countFree(first, last) {
		const free = this.freeNow();
		let count = 0, sum = 0;
		for (let n = first; n <= last; n++)
			if (!this.hides[n]) {
				count++;
				sum += free[n];
			}
		return { free: sum, count };
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

// The last of a list whose first node is not above that one.
function lastFrom(list, node) {
	let low = 0, high = list.length - 1;
	while (low < high) {
		const half = (low + high + 1) >> 1;
		if (list[half].first <= node)
			low = half;
		else
			high = half - 1;
	}
	return low;
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
	module.exports = { Model, parseRuns, groupNodes, sortNodes, above, clean, plural, KINDS,
		countOf, gresText, gpuText };
