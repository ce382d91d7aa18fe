// SPDX-License-Identifier: GPL-2.0-or-later
// What the reader can do: pan, zoom, point, filter, search.
"use strict";

class Calendar {
	constructor(model) {
		this.model = model;
		this.canvas = byId("canvas");
		this.painter = new Painter(this.canvas);
		this.table = new BookingTable(byId("table"));
		this.scroll = 0;
		this.picked = null;
		this.slot = null;
		this.rowIndex = -1;
		this.rowHeight = Math.max(5, Math.min(26,
			(this.painter.height - AXIS) / model.groups.length));
		this.makeZoom();
		this.layRows();
		listen(this);
		this.fillFilters();
		this.refresh();
		this.toAll();
	}

	/* --- time and rows ---------------------------------------------------- */

	makeZoom() {
		const [from, until] = this.model.extent;
		const room = (until - from) * .02;
		this.setBase([from - room, until + room]);
		this.zoom = d3.zoom().scaleExtent([.2, 20000])
			.filter((event) => event.type !== "wheel" ||
				event.ctrlKey || event.offsetY < AXIS)
			.on("zoom", (event) => this.moved(event));
		d3.select(this.canvas).call(this.zoom).on("dblclick.zoom", null);
	}

	setBase(domain) {
		const make = byId("utc").checked ? d3.scaleUtc : d3.scaleTime;
		this.base = make().domain(domain)
			.range([LABELS, this.painter.width]);
		this.x = this.base;
	}

	moved(event) {
		this.x = event.transform.rescaleX(this.base);
		if (event.sourceEvent && event.sourceEvent.movementY &&
		    event.sourceEvent.buttons)
			this.scrollBy(-event.sourceEvent.movementY);
		this.draw();
	}

	layRows() {
		this.rows = layOut(this.model, this.rowHeight);
		this.rowIndex = Math.min(this.rowIndex, this.rows.length - 1);
		this.scrollBy(0);
	}

	scrollBy(pixels) {
		const most = Math.max(0, this.rows.total -
			(this.painter.height - AXIS));
		this.scroll = Math.max(0, Math.min(most, this.scroll + pixels));
		this.draw();
	}

	scaleBy(factor) {
		d3.select(this.canvas).call(this.zoom.scaleBy, factor,
			[(this.painter.width + LABELS) / 2, 0]);
	}

	panBy(pixels) {
		const k = d3.zoomTransform(this.canvas).k;
		d3.select(this.canvas).call(this.zoom.translateBy, pixels / k, 0);
	}

	// So that [from, until] fills most of the width.
	show(from, until) {
		const wide = this.painter.width - LABELS;
		const [left, right] = [this.base(from), this.base(until)];
		const k = Math.min(20000, wide * .8 / Math.max(1e-6, right - left));
		d3.select(this.canvas).call(this.zoom.transform,
			d3.zoomIdentity.translate(
				LABELS + wide / 2 - k * (left + right) / 2,
				0).scale(k));
	}

	toAll() {
		d3.select(this.canvas).call(this.zoom.transform, d3.zoomIdentity);
	}

	toNow() {
		this.show(this.model.now - 1800e3, this.model.now + 6 * 3600e3);
	}

	heighten(factor) {
		this.rowHeight = Math.max(4, Math.min(60, this.rowHeight * factor));
		this.layRows();
	}

	/* --- drawing ---------------------------------------------------------- */

	draw() {
		if (this.asked)
			return;
		this.asked = requestAnimationFrame(() => {
			this.asked = 0;
			this.painter.paint({
				model: this.model, rows: this.rows, x: this.x,
				scroll: this.scroll, picked: this.picked,
				row: this.rows[this.rowIndex], slot: this.slot,
				utc: byId("utc").checked,
			});
		});
	}

	resize() {
		const domain = this.base.domain();
		this.painter.fit();
		this.setBase(domain);
		this.x = d3.zoomTransform(this.canvas).rescaleX(this.base);
		this.scrollBy(0);
	}

	say(text) {
		byId("status").textContent = text;
	}

	// After a filter, or another clock.
	refresh() {
		const shown = this.model.bookings.filter((item) => item.shown);
		this.shownBookings = shown;
		this.table.show(shown, byId("utc").checked);
		this.say(`${shown.length} of ${this.model.bookings.length} bookings ` +
			`on ${this.model.names.length} nodes, as of ` +
			timeText(this.model.now, byId("utc").checked));
		byId("title").textContent = "Bookings" +
			(this.model.cluster ? ` of ${this.model.cluster}` : "");
		document.title = byId("title").textContent;
		this.canvas.setAttribute("aria-label", byId("title").textContent);
		this.draw();
	}

	/* --- what is under the pointer ---------------------------------------- */

	rowAt(y) {
		return y < AXIS ? -1
			: above(this.rows.ends, y - AXIS + this.scroll);
	}

	itemAt(x, y) {
		const row = this.rows[this.rowAt(y)];
		if (!row || x < LABELS)
			return null;
		const time = Number(this.x.invert(x));
		const there = row.group.items.filter(([item, first, last]) =>
			item.from <= time && time < item.until &&
			(row.node === null || (first <= row.node && row.node <= last)));
		return { row, time, items: there.map(([item]) => item) };
	}

	point(event) {
		const at = this.itemAt(event.offsetX, event.offsetY);
		const tip = byId("tip");
		tip.hidden = !at || !at.items.length || event.buttons;
		if (tip.hidden)
			return;
		const utc = byId("utc").checked;
		tip.textContent = at.row.node !== null || at.items.length === 1
			? at.items.map((item) => describe(this.model, item, utc))
				.join("\n\n")
			: this.sumText(at, utc);
		const box = tip.getBoundingClientRect();
		tip.style.left = Math.min(event.clientX + 14,
			innerWidth - box.width - 4) + "px";
		tip.style.top = Math.min(event.clientY + 14,
			innerHeight - box.height - 4) + "px";
	}

	sumText(at, utc) {
		const { group } = at.row;
		const names = at.items.slice(0, 6).map((item) => item.booking
			? `${item.id} of ${item.user || "?"}` : item.label || item.kind);
		if (at.items.length > 6)
			names.push(`and ${at.items.length - 6} more`);
		return `${group.name}, ${timeText(at.time, utc)}\n${names.join("\n")}`;
	}

	press(event) {
		const index = this.rowAt(event.offsetY);
		if (event.offsetX < LABELS) {
			this.rowIndex = index;
			this.openRow();
			return;
		}
		const at = this.itemAt(event.offsetX, event.offsetY);
		const item = at && at.items.find((one) => one.booking);
		this.pick(item || null, false);
	}

	openRow() {
		const row = this.rows[this.rowIndex];
		if (!row || row.group.first === row.group.last)
			return;
		row.group.open = !row.group.open;
		this.rowIndex = this.rows.findIndex(
			(one) => one.group === row.group);
		this.layRows();
		this.say(`${row.group.name} is ${row.group.open ? "open" : "closed"}`);
	}

	chooseRow(by) {
		this.rowIndex = Math.max(0, Math.min(this.rows.length - 1,
			this.rowIndex + by));
		const row = this.rows[this.rowIndex];
		const room = this.painter.height - AXIS;
		if (row.y < this.scroll)
			this.scrollBy(row.y - this.scroll);
		else if (row.y + row.h > this.scroll + room)
			this.scrollBy(row.y + row.h - room - this.scroll);
		this.say(row.node === null ? row.group.name
			: this.model.names[row.node]);
		this.draw();
	}

	pick(item, go) {
		this.picked = item;
		if (item) {
			this.say(describe(this.model, item, byId("utc").checked)
				.replaceAll("\n", "; "));
			if (go)
				this.reveal(item);
		}
		this.draw();
	}

	reveal(item) {
		const group = this.model.groups[
			this.model.groupOf(item.runs.length ? item.runs[0][0] : 0)];
		if (group.first !== group.last && !group.open) {
			group.open = true;
			this.layRows();
		}
		this.rowIndex = this.rows.findIndex((row) => row.group === group &&
			(!item.runs.length || row.node === item.runs[0][0]));
		const room = item.until - item.from;
		this.show(item.from - 2 * room, item.until + 2 * room);
		this.scroll = this.rows[Math.max(0, this.rowIndex)].y - 60;
		this.scrollBy(0);
	}

	letGo() {
		this.slot = null;
		this.pick(null, false);
	}

	// The next booking in time from the picked one, or from what is in sight.
	pickNext(by) {
		const list = this.shownBookings;
		if (!list.length)
			return;
		let i = list.indexOf(this.picked);
		if (i < 0) {
			const left = Number(this.x.domain()[0]);
			i = list.findIndex((item) => item.from >= left) - (by > 0);
		}
		this.pick(list[Math.max(0, Math.min(list.length - 1, i + by))],
			true);
	}

	/* --- filters and search ----------------------------------------------- */

	fillFilters() {
		const options = (list, key) => {
			const values = new Set(this.model.bookings.map(
				(item) => item[key]).filter(Boolean));
			for (const value of [...values].sort())
				list.append(new Option(value, value));
		};
		options(byId("users"), "user");
		options(byId("accounts"), "account");
		options(byId("state"), "state");
		byId("account").parentElement.hidden =
			!byId("accounts").children.length;
	}

	filter() {
		const user = byId("user").value.trim();
		const account = byId("account").value.trim();
		const state = byId("state").value;
		const mine = byId("mine").checked;
		this.model.filter((item) => (!user || item.user === user) &&
			(!account || item.account === account) &&
			(!state || item.state === state) && (!mine || item.mine));
		this.refresh();
	}

	search() {
		const nodes = Number(byId("nodes").value);
		const [hours, minutes] = byId("hours").value.split(":").map(Number);
		const length = (hours * 60 + (minutes || 0)) * 60e3;
		const from = Math.ceil((this.model.now + 1) / 60e3) * 60e3;
		const slots = length ? findSlots(this.model, nodes, length, from,
			this.model.extent[1] + 7 * 86400e3 + length, 12) : [];
		this.say(slots.length ? `${nodes} nodes for ${lengthText(length)} ` +
			`are free from ${timeText(slots[0].from, byId("utc").checked)}`
			: `${nodes} nodes for ${lengthText(length)} are not free ` +
			`together; there are ${this.model.names.length}`);
		byId("slots").replaceChildren(...slots.map(
			(slot) => this.slotLine(slot, nodes, length)));
		if (slots.length)
			this.showSlot(slots[0].from, length);
		else
			this.slot = null;
		this.draw();
	}

	slotLine(slot, nodes, length) {
		const utc = byId("utc").checked;
		const line = document.createElement("li");
		const button = document.createElement("button");
		const flags = document.createElement("code");
		button.textContent = `start ${timeText(slot.from, utc)} to ` +
			timeText(slot.until, utc);
		button.onclick = () => this.showSlot(slot.from, length);
		flags.textContent = `--book --begin=${flagTime(slot.from)} ` +
			`--nodes=${nodes} --time=${lengthText(length)}`;
		line.append(button, flags);
		return line;
	}

	showSlot(from, length) {
		const free = freeNodes(this.model, from, from + length);
		this.slot = {
			from, until: from + length,
			touches: (row) => row.node !== null ? free[row.node]
				: free.subarray(row.group.first,
					row.group.last + 1).includes(1),
		};
		this.show(from - 2 * length, from + 3 * length);
		this.draw();
	}

	turnTable() {
		const table = byId("table");
		table.hidden = !table.hidden;
		this.canvas.style.display = table.hidden ? "" : "none";
		byId("as-table").setAttribute("aria-pressed",
			String(!table.hidden));
		if (table.hidden)
			this.canvas.focus();
		else
			table.querySelector("th button").focus();
	}
}

try {
	window.calendar = new Calendar(
		new Model(JSON.parse(byId("data").textContent)));
} catch (error) {
	byId("status").textContent = `This calendar cannot be shown: ${error.message}.`;
	throw error;
}
