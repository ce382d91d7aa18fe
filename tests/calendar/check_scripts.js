// SPDX-License-Identifier: GPL-2.0-or-later
// The page's rules that need no browser, under plain Node: check_scripts.js FOLDER.
"use strict";

const fs = require("fs"), path = require("path"), vm = require("vm");

const FILES = ["scale.js", "model.js", "slots.js", "paint.js", "occupancy.js", "commands.js",
	"table.js", "form.js", "whatif.js"];
const WANTED = ["firstSpan", "TimeScale", "momentOf", "partsOf", "plural", "Model", "sortNodes",
	"layOut", "shareAt", "sharePixels", "isTaken", "reserveTerms", "offerQuestion",
	"slotQuestion", "snap", "HOUR", "DAY", "MINUTE", "SPANS", "Painter", "fieldTime",
	"fieldMoment", "rangeText", "durationText", "changeDocument"];
const code = FILES.map((file) => fs.readFileSync(path.join(process.argv[2], file), "utf8"));
const page = vm.runInNewContext(`${code.join("\n").replaceAll('"use strict";', "")};
	({ ${WANTED.join(", ")} })`, { Intl, Date, console });

let failed = 0;

function check(what, good, seen = "") {
	console.log(`${good ? "ok" : "not ok"} ${what}${good ? "" : `: ${JSON.stringify(seen)}`}`);
	failed += !good;
}

const { HOUR, DAY, MINUTE } = page, NOW = 1790000000;

function makeDocument(more) {
	return { version: 1, time: NOW, nodes: ["c1", "g1", "c2", "g2", "c3"],
		classes: [{ on: "0,2,4", partitions: ["main"], gpus: 0 },
			{ on: "1,3", partitions: ["main"], gpus: 4, gres: "gpu:a100:4" }],
		bookings: [], others: [], ...more };
}

function make(more) {
	return new page.Model(makeDocument(more));
}

const at = (hours) => NOW + hours * 3600;

// First view: the widest in which the median booking has 40 pixels.
for (const [hours, wanted] of [[.5, "day"], [1, "day"], [5, "three"], [14, "week"], [60, "month"]]) {
	const one = { from: 1000, until: 1000 + hours * HOUR };
	const name = page.firstSpan([one, one, one], 0, 1290);
	check(`bookings of ${hours} h are shown by the ${wanted}`, name === wanted, name);
	check("and have 40 pixels if any view gives them that", hours < 1 ||
		hours * HOUR * 1290 / page.SPANS[name] >= 40);
}
check("none by the day", page.firstSpan([], 0, 1290) === "day");

// Labels of days fit before the next one, in each span and zone.
for (const clock of ["UTC", "America/New_York", "Asia/Kolkata"])
	for (const span of Object.values(page.SPANS)) {
		const from = Date.UTC(2026, 10, 1, 3);
		const scale = new page.TimeScale(from, from + span, 150, 1440, clock);
		const labels = scale.dayLabels((text) => text.length * 7);
		const meet = labels.filter((one, i) => labels[i + 1] &&
			one.x + one.text.length * 7 > labels[i + 1].x);
		check(`labels of ${span / DAY} days in ${clock} do not meet`, !meet.length &&
			labels.length > 0, meet);
	}

// Words of a box fit or are left out as a whole.
const painter = Object.create(page.Painter.prototype);
painter.context = { measureText: (text) => ({ width: text.length * 7 }) };
for (const [room, wanted] of [[100, "17 fetch ann"], [60, "17 fetch"], [20, "17"], [10, ""]]) {
	const text = painter.fitWords(["17", "fetch", "ann"], room);
	check(`${room} pixels hold "${wanted}"`, text === wanted, text);
}
check("one node is one node", page.plural(1, "node") === "1 node" &&
	page.plural(2, "node") === "2 nodes");

// Named zones agree with what they are, also when an hour is missing or comes twice.
const shown = (month, day, hour, clock) =>
	new Date(page.momentOf(2026, month, day, hour, 0, clock)).toISOString();
for (const [zone, month, day, hour, wanted] of [
	["America/New_York", 10, 1, 1, "2026-11-01T05:00:00.000Z"],
	["America/New_York", 2, 8, 2, "2026-03-08T07:00:00.000Z"],
	["Europe/Berlin", 9, 25, 2, "2026-10-25T00:00:00.000Z"],
	["Asia/Kolkata", 0, 1, 0, "2025-12-31T18:30:00.000Z"]])
	check(`${hour}:00 in ${zone} on ${day}.${month + 1}.`,
		shown(month, day, hour, zone) === wanted, shown(month, day, hour, zone));
check("an unknown zone is the browser's", page.partsOf(0, "No/Where").hour ===
	page.partsOf(0, "").hour);
for (const clock of ["", "UTC", "America/New_York"]) {
	const time = Date.UTC(2026, 6, 3, 14, 30);
	check(`a field in "${clock}" is read as it was written`,
		page.fieldMoment(page.fieldTime(time, clock), clock) === time);
}
check("an empty field is no time", Number.isNaN(page.fieldMoment("", "")));

// A range names what differs, and a duration has units.
const moment = (hour, clock) => page.momentOf(2026, 9, 24, hour, 0, clock);
for (const [from, until, wanted] of [
	[9, 11, /^Sat,? 24 Oct, 09:00 to 11:00 (CEST|GMT\+2)$/],
	[23, 25, /^Sat,? 24 Oct, 23:00 to Sun,? 25 Oct, 01:00 (CEST|GMT\+2)$/],
	[23, 28, /^Sat,? 24 Oct, 23:00 (CEST|GMT\+2) to Sun,? 25 Oct, 04:00 (CET|GMT\+1)$/]]) {
	const text = page.rangeText(moment(from, "Europe/Berlin"), moment(until, "Europe/Berlin"),
		"Europe/Berlin");
	check(`${until - from} hours from ${from}:00 are written as a range`, wanted.test(text), text);
}
for (const [minutes, wanted] of [[45, "45 min"], [120, "2 h"], [90, "1 h 30 min"],
	[3120, "2 d 4 h"], [0, "1 min"]])
	check(`${minutes} minutes are ${wanted}`, page.durationText(minutes * MINUTE) === wanted,
		page.durationText(minutes * MINUTE));

// A month has the names of its months below its days, and Mondays stand out.
const month = new page.TimeScale(Date.UTC(2026, 8, 21), Date.UTC(2026, 9, 22), 150, 1440, "UTC");
const months = month.monthLabels((text) => text.length * 7);
check("months are named at the left edge and where they begin", months.map((one) => one.text)
	.join() === "September 2026,October 2026" && months[0].x === 154, months);
check("of many days Mondays stand out", month.isMain(Date.UTC(2026, 8, 28)) &&
	!month.isMain(Date.UTC(2026, 8, 29)));

// Parts of nodes: bars show the scarcest resource, and GPUs have lanes of their own on each node.
const partsDocument = makeDocument({ classes: [
	{ on: "0,2,4", partitions: ["main"], cores: 16, mem: 6400 },
	{ on: "1,3", partitions: ["main"], cores: 16, mem: 6400, gpus: 4, gres: "gpu:a100:4" }],
bookings: [
	{ job: 1, state: "booked", start: at(1), end: at(3), on: "1,3", node_part: 12.5, cores: 2,
		gres: "gpu:a100:2", gpus: 4 },
	{ job: 2, state: "booked", start: at(2), end: at(4), on: "3", node_part: 12.5, cores: 2,
		gres: "gpu:a100:1", gpus: 1, mem: 100 },
	{ job: 3, state: "booked", start: at(5), end: at(6), on: "0", node_part: 6.25, cores: 1,
		mem: 3200 },
	{ job: 4, state: "booked", start: at(5), end: at(6), on: "1,3", node_part: 6.25, cores: 1,
		gres: "gpu:1", gpus: 4, by_node: [
			{ names: "g1", nodes: 1, cores: 4, gres: "gpu:a100:1" },
			{ names: "g[2]", nodes: 1, cores: 8, gres: "gpu:a100:3" }] },
	{ job: 5, state: "booked", start: at(8), end: at(9), on: "1", node_part: 100, cores: 16,
		gres: "gpu:a100:1", gpus: 1 }] });
const parts = new page.Model(partsDocument);
const [two, beside, large, odd, full] = parts.bookings;
const node = (name) => parts.names.indexOf(name);
check("GPUs of a later node lie beside those of an earlier booking", two.gpuLane === 0 &&
	beside.gpuLane === 2, [two.gpuLane, beside.gpuLane]);
check("a bar is as high as its GPUs", two.part === .5 && beside.part === .25, two.part);
check("or as its memory", large.part === .5, large.part);
check("nodes that give different amounts have bars of their own",
	parts.partOn(odd, node("g1")) === .25 && parts.partOn(odd, node("g2")) === .75 &&
	parts.gpusOn(odd, node("g2")) === 3, [parts.partOn(odd, node("g1")),
		parts.partOn(odd, node("g2"))]);
check("a booking that a later document has, too, keeps its GPUs",
	new page.Model(partsDocument).bookings[3].allGpus === 4);
check("all cores with one GPU leave the other GPUs", parts.gpusOn(full, node("g1")) === 1 &&
	page.shareAt(parts.occupancy(), parts.occupancy().gpus, at(8.5) * 1000) === 1 / 8,
	page.shareAt(parts.occupancy(), parts.occupancy().gpus, at(8.5) * 1000));

// Changes name elements of the earlier lists.
check("changes make the later document of the earlier one", JSON.stringify(page.changeDocument(
	{ version: 1, serial: 4, time: 5, nodes: ["a"], bookings: [{ id: 1 }, { id: 2 }, { id: 3 }] },
	{ serial: 5, time: 7, changes: true, bookings: [[2, 1], { id: 4 }, [0, 1]] })) ===
	JSON.stringify({ version: 1, serial: 5, time: 7, nodes: ["a"],
		bookings: [{ id: 3 }, { id: 4 }, { id: 1 }] }));

// Sections, and which nodes are where.
const model = make({ bookings: [{ id: "a", job: 1, state: "booked", on: "0-3",
	start: at(1), end: at(3) }] });
check("nodes of a type are neighbours", model.names.join() === "c1,c2,c3,g1,g2", model.names);
check("a booking keeps its nodes", model.label(model.items[0].runs) === "c1–c2, g1–g2",
	model.label(model.items[0].runs));
check("a partition has the nodes of its classes", model.nodesIn("main") === 5 &&
	model.nodesIn("other") === 0);
check("sections have names", model.sections.map((one) => one.name).join() ===
	"main,GPU a100", model.sections);
const rows = page.layOut(model, 20, 500);
check("each begins with a row of its own", rows.map((row) => row.section ? "+" : "-").join("") ===
	"+---+--", rows);
model.hides[1] = 1;
const fewer = page.layOut(model, 20, 500);
check("a hidden node has no height", fewer.length === rows.length - 1 &&
	fewer.tops[1] === fewer.nodeEnds[1]);
model.hides[1] = 0;

// Occupancy is a plain count of nodes at each time.
const random = (() => { let seed = Number(process.argv[3] || 7); return (n) =>
	(seed = (seed * 1103515245 + 12345) % 2 ** 31) % n; })();
const many = make({ bookings: Array.from({ length: 60 }, (_, i) => {
	const first = random(5), start = at(random(40) / 2), last = first + random(5 - first);
	return { id: `b${i}`, job: i, state: "booked", on: `${first}-${last}`, start,
		end: start + 1800 * (1 + random(8)) };
}) });
const wrong = [];
for (let time = NOW * 1000; time < at(24) * 1000; time += 15 * MINUTE) {
	for (const [section, names] of [[undefined, many.names],
		...many.sections.map((one) => [one, many.names.slice(one.first, one.last + 1)])]) {
		const first = section ? section.first : 0;
		const count = names.filter((_, n) => many.items.some((item) =>
			item.from <= time && time < item.until &&
			item.runs.some(([a, b]) => a <= first + n && first + n <= b))).length;
		const list = many.occupancy(section);
		if (Math.abs(page.shareAt(list, list.taken, time) - count / names.length) > 1e-6)
			wrong.push([time, section && section.name, count]);
	}
}
check("occupancy is what a plain count of nodes gives", !wrong.length, wrong.slice(0, 3));
const scale = new page.TimeScale(NOW * 1000, at(24) * 1000, 0, 96, "UTC");
const list = many.occupancy();
check("each pixel has the most of its time", page.sharePixels(scale, list, list.taken)
	.every((share, x) => share >= page.shareAt(list, list.taken, scale.time(x)) - 1e-6));

// A question has whole seconds, and the same ones in each form of it.
const draft = { nodes: 2, length: 90 * MINUTE + .4, from: at(1) * 1000 + .4, deadline: at(9) * 1000,
	users: "ann", least: 1, nodelist: "", partition: "main" };
const asked = page.reserveTerms(draft), offered = page.offerQuestion(draft);
check("a reservation and its offers are asked for alike", asked.duration === offered.duration &&
	asked.begin === offered.begin && asked.until === offered.until &&
	Number.isInteger(asked.duration) && Number.isInteger(asked.begin), [asked, offered]);

process.exit(failed ? 1 : 0);
