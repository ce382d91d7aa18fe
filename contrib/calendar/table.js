// SPDX-License-Identifier: GPL-2.0-or-later
// The bookings as words: lines for tips and for who listens, and a table.
"use strict";

const PAGE = 100;

// An element with properties, attributes and children.
function make(tag, more = {}, ...children) {
	const element = document.createElement(tag);
	for (const [key, value] of Object.entries(more))
		if (key in element)
			element[key] = value;
		else
			element.setAttribute(key, value);
	element.append(...children);
	return element;
}

const TIME_FORM = { weekday: "short", month: "short", day: "numeric", hour: "2-digit",
	minute: "2-digit", hourCycle: "h23" };

// "Mon 21 Sept, 17:13 CEST"
function timeText(time, clock) {
	return formatOf({ ...TIME_FORM, timeZoneName: "short" }, clock).format(time);
}

// "Mon 21 Sept, 17:13 to 19:13 CEST": the day again only if it is another one, the zone
// again only if clocks change between.
function rangeText(from, until, clock) {
	const day = longDay(from, clock) === longDay(until, clock) && until - from < DAY;
	const begin = zoneText(from, clock) === zoneText(until, clock)
		? formatOf(TIME_FORM, clock).format(from) : timeText(from, clock);
	return `${begin} to ${day ? `${minuteText(until, clock)} ${zoneText(until, clock)}`
		: timeText(until, clock)}`;
}

// "45 min", "2 h", "1 h 30 min", "2 d 4 h"
function durationText(ms) {
	const minutes = Math.max(1, Math.round(ms / MINUTE));
	return [[Math.floor(minutes / 1440), "d"], [Math.floor(minutes / 60) % 24, "h"],
		[minutes % 60, "min"]].filter(([count]) => count)
		.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

// The clock that is shown, short: "UTC", "CET", "GMT+5:30".
function zoneText(time, clock) {
	const short = formatOf({ timeZoneName: "short" }, clock)
		.formatToParts(time).find((one) => one.type === "timeZoneName");
	return short.value;
}

// A time by the cluster's clock; NaN if that is not known.
function clusterTime(text, zone) {
	return zone ? momentAt(Date.parse(`${text}Z`), zone) : NaN;
}

// RET a text of slurmctld by the clock that is shown. Its times are UTC or, in a job's
// contract, by the clock of the host that the job was submitted from.
function localText(text, clock, zone) {
	return text.replace(
		/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z| UTC| [A-Z]{2,5}(?![A-Za-z])| [+-]\d{2,4})/g,
		(all, time, named) => {
			const at = /^(Z| UTC)$/.test(named) ? Date.parse(`${time}Z`)
				: clusterTime(time, zone);
			return isNaN(at) ? all : timeText(at, clock);
		});
}

function noteText(item, clock) {
	return localText(item.note, clock, item.zone);
}

function memoryText(mib) {
	return mib % 1024 ? `${mib} MiB` : `${mib / 1024} GiB`;
}

const KIND_TEXTS = {
	down: "down: these nodes cannot be used",
	maintenance: "maintenance",
	reservation: "an operator's reservation",
	job: "a regular job, until its time limit",
	booking: "a booking whose owner is private",
};

// "2 cores, 1 GPU (a100), 4 GiB": what is taken of a node.
function takenText(of) {
	return [of.cores && plural(of.cores, "core"), gresText(clean(of.gres || "")),
		of.mem && memoryText(of.mem)].filter(Boolean).join(", ");
}

// titled: below a heading that has the number.
function describe(model, item, clock, titled = false) {
	const what = item.booking
		? [titled ? "" : `${item.job ? "job " : ""}${item.title}`, item.name,
			item.user && `of ${item.user}`, item.state].filter(Boolean).join(", ")
		: KIND_TEXTS[item.kind] || item.title;
	const taken = takenText(item);
	const lines = [what,
		`${rangeText(item.from, item.until, clock)} ` +
		`(${durationText(item.until - item.from)})`,
		`${item.count} node${item.count === 1 ? "" : "s"}` +
		(item.share ? `, ${item.share}% of the CPUs` : "") +
		(item.by_node ? item.by_node.slice(0, 8).map((one) =>
			`, ${takenText(one) || "all"} of ${clean(one.names)}`).join("")
			: taken && `, ${taken}${item.count > 1 ? " of each" : ""}`) +
		(item.licenses ? `, licenses ${item.licenses}` : "") +
		`: ${model.label(item.runs)}`.slice(0, 160)];
	if (item.account)
		lines.push(`account ${item.account}`);
	if (item.benefit !== undefined && item.benefit < 1)
		lines.push(`less than requested: benefit ${item.benefit.toFixed(2)}`);
	if (item.firm_from * 1000 > Date.now())
		lines.push(`its start is tentative until ` +
			`${timeText(item.firm_from * 1000, clock)}`);
	if (item.held)
		lines.push(`held until ${timeText(item.held * 1000, clock)}`);
	if (item.kind === "down")
		lines.push(...new Set(item.runs.flatMap(([first, last]) => {
			const reasons = [];
			for (let n = first; n <= last && reasons.length < 3; n++)
				if (model.reasons.get(n))
					reasons.push(`${model.names[n]}: ${model.reasons.get(n)}`);
			return reasons;
		})));
	if (item.note)
		lines.push(`Note: ${noteText(item, clock)}`);
	return lines.join("\n");
}

// The texts of a column, what it is sorted by if not by them, and whether it is left out if
// nothing is in it.
const COLUMNS = [
	["job", (item) => item.title],
	["name", (item) => item.name || ""],
	["user", (item) => item.user || ""],
	["account", (item) => item.account || "", null, true],
	["state", (item) => item.state],
	["start", (item, clock) => formatOf(TIME_FORM, clock).format(item.from),
		(item) => item.from],
	["end", (item, clock) => formatOf(TIME_FORM, clock).format(item.until),
		(item) => item.until],
	["nodes", (item) => item.count, (item) => item.count],
	["gpus", (item) => !item.booking ? "" : item.by_node && item.allGpus
		? plural(item.allGpus, "GPU")
		: item.gpus ? gresText(item.gres) + (item.count > 1 ? " each" : "") : "",
	(item) => item.allGpus, true],
	["share", (item) => item.share ? item.share + "%"
		: item.cores ? item.cores + "c" : "",
		(item) => item.part * 100, true],
	["benefit", (item) => item.benefit === undefined ? ""
		: item.benefit.toFixed(2), (item) => item.benefit, true],
	["note", noteText, null, true],
];

class BookingTable {
	// pick: called with the booking whose row is clicked.
	constructor(section, pick) {
		this.section = section;
		this.pick = pick;
		this.first = 0;
		this.column = 5;
		this.falls = false;
		this.items = [];
		this.empty = [];
		const head = section.querySelector("thead tr");
		COLUMNS.forEach(([name], c) => {
			const button = document.createElement("button");
			button.textContent = name === "gpus" ? "GPUs" : name;
			button.onclick = () => this.sort(c);
			const cell = document.createElement("th");
			cell.scope = "col";
			cell.append(button);
			head.append(cell);
		});
		section.querySelector("#earlier").onclick = () => this.turn(-PAGE);
		section.querySelector("#later").onclick = () => this.turn(PAGE);
	}

	show(items, clock) {
		this.items = items.slice();
		this.clock = clock;
		this.empty = COLUMNS.map(([, text, , optional]) => !!optional &&
			!items.some((item) => text(item, clock)));
		this.first = 0;
		this.order();
		this.fill();
	}

	sort(column) {
		this.falls = column === this.column && !this.falls;
		this.column = column;
		this.first = 0;
		this.order();
		this.fill();
	}

	order() {
		const [, text, key] = COLUMNS[this.column];
		const value = key || ((item) => text(item, this.clock));
		const sign = this.falls ? -1 : 1;
		this.items.sort((a, b) => {
			const left = value(a), right = value(b);
			return sign * (typeof left === "number" ? left - right
				: String(left).localeCompare(String(right),
					"en", { numeric: true }));
		});
	}

	turn(by) {
		if (this.first + by < 0 || this.first + by >= this.items.length)
			return;
		this.first += by;
		this.fill();
	}

	// The button of a row, which is what keys reach.
	opener(item) {
		const button = document.createElement("button");
		button.textContent = item.title;
		button.dataset.id = item.id;
		return button;
	}

	// The row of a booking, or the first heading if it is not in sight.
	focus(item) {
		const rows = [...this.section.querySelectorAll("tbody button")];
		(rows.find((one) => item && one.dataset.id === item.id) ||
			this.section.querySelector("th button")).focus();
	}

	fill() {
		const body = this.section.querySelector("tbody");
		const left = body.contains(document.activeElement)
			? document.activeElement.dataset.id : undefined;
		const until = Math.min(this.first + PAGE, this.items.length);
		body.replaceChildren(...this.items.slice(this.first, until).map(
			(item) => {
				const row = document.createElement("tr");
				row.className = item.mine ? "mine" : "";
				COLUMNS.forEach(([name, text], c) => {
					const cell = row.insertCell();
					cell.dataset.name = name;
					cell.hidden = this.empty[c];
					cell.append(c ? text(item, this.clock)
						: this.opener(item));
				});
				row.onclick = () => this.pick(item);
				return row;
			}));
		if (left !== undefined)
			this.focus(this.items.find((item) => item.id === left));
		this.section.querySelector("#page").parentElement.hidden =
			this.items.length <= PAGE;
		this.section.querySelectorAll("th").forEach((cell, c) => {
			cell.hidden = this.empty[c];
			cell.ariaSort = c !== this.column ? "none"
				: this.falls ? "descending" : "ascending";
		});
		this.section.querySelector("#page").textContent =
			this.items.length ? `${this.first + 1} to ${until} of ` +
			this.items.length : "none";
	}
}
