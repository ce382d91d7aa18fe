// SPDX-License-Identifier: GPL-2.0-or-later
// What the reader can do: pan, zoom, point, filter, search.
"use strict";

// No row is higher than this unless the reader makes it so, or the page is a large one.
const ROW_MOST = 36, ROW_LARGE = 56, ROOM_USUAL = 900;
// A page of this width is a telephone's, and opens with the list.
const NARROW = 700;

class Calendar {
	constructor(doc) {
		this.canvas = byId("canvas");
		this.cells = byId("cells");
		this.painter = new Painter(this.canvas);
		this.table = new BookingTable(byId("table"),
			(item) => {
				this.pick(item, false);
				this.openPicked();
			});
		this.panel = new CommandPanel(byId("panel"), doc.zone);
		this.scroll = 0;
		this.picked = null;
		this.slot = null;
		this.rowIndex = -1;
		this.rowHeight = 0;
		this.cursor = null;
		// The share of nodes that may be booked, if there is a limit.
		this.most = 1;
		this.panel.onHide = () => this.focusView();
		this.take(new Model(doc));
		this.fillFilters();
		listen(this);
		this.toUsual();
	}

	/* --- the document ----------------------------------------------------- */

	take(model) {
		this.model = model;
		this.fillClocks();
		this.model.colourBy(byId("colour").value);
		this.painter.fitLabels(model);
		this.layRows();
		this.filter();
	}

	renew(model) {
		for (const [before, now] of [[this.model.groups, model.groups],
			[this.model.sections, model.sections]]) {
			const open = new Map(before.map((one) => [one.name, one.open]));
			for (const one of now)
				one.open = open.has(one.name) ? open.get(one.name) : one.open;
		}
		// The picture goes along with the time.
		const passed = model.now - this.model.now;
		this.from += passed;
		this.until += passed;
		if (this.picked)
			this.picked = model.bookings.find(
				(one) => one.id === this.picked.id) || null;
		this.take(model);
	}

	// The clock that is shown: "", the browser's, or the name of a zone.
	clock() {
		return byId("clock").value;
	}

	// The step to which a time under the pointer snaps.
	step() {
		return snapStep(this.scale().perMs);
	}

	/* --- time and rows ---------------------------------------------------- */

	scale() {
		return new TimeScale(this.from, this.until, this.painter.labels,
			this.painter.width, this.clock());
	}

	setView(from, until) {
		const [first, last] = this.model.extent;
		const span = Math.max(2 * MINUTE, Math.min(until - from,
			4 * (last - first) + 30 * DAY));
		const middle = (from + until) / 2;
		this.from = middle - span / 2;
		this.until = middle + span / 2;
		this.draw();
	}

	// The time below a place stays there.
	zoomAt(x, factor) {
		const scale = this.scale(), time = scale.time(x);
		const part = (x - scale.left) / (scale.right - scale.left);
		const span = Math.max(2 * MINUTE, (this.until - this.from) / factor);
		this.setView(time - part * span, time + (1 - part) * span);
		this.showSpan(null);
	}

	scaleBy(factor) {
		this.zoomAt((this.painter.width + this.painter.labels) / 2, factor);
	}

	panBy(pixels) {
		const time = pixels / this.scale().perMs;
		this.setView(this.from - time, this.until - time);
	}

	// So that [from, until] fills most of the width.
	show(from, until) {
		const room = (until - from) * .12;
		this.setView(from - room, until + room);
	}

	toAll() {
		const [from, until] = this.model.extent;
		const room = (until - from) * .02;
		this.setView(from - room, until + room);
		this.showSpan("all");
	}

	toNow() {
		this.toSpan(SPANS[this.span] ? this.span : "day");
	}

	// The first view: as much time as lets the bookings be read, or the saved one.
	toUsual() {
		const saved = this.savedView();
		if (saved === "all")
			this.toAll();
		else
			this.toSpan(SPANS[saved] ? saved : firstSpan(
				this.model.bookings, this.model.now,
				this.painter.width - this.painter.labels));
		this.showTable(saved ? saved === "list" : innerWidth <= NARROW);
	}

	// A page that stays has a view of its own; a page from a file has none.
	savedView() {
		return "";
	}

	saveView() {
	}

	// A view that the reader chose: a span, "all" or "list".
	chooseView(name) {
		if (name === "list") {
			this.turnTable();
		} else {
			if (name === "all")
				this.toAll();
			else
				this.toSpan(name);
			this.showTable(false);
			this.sayView();
		}
		this.saveView(byId("table").hidden ? this.span || "" : "list");
	}

	// Say which time is in sight.
	sayView() {
		this.say(rangeText(this.from, this.until, this.clock()));
	}

	// A day, three, a week or a month from now on.
	toSpan(name) {
		const from = spanStart(name, this.model.now, this.clock());
		this.setView(from, from + SPANS[name]);
		this.showSpan(name);
	}

	showSpan(name) {
		this.span = name;
		this.markView();
	}

	// Mark the button of what is in view.
	markView() {
		const list = !byId("table").hidden;
		for (const one of [...Object.keys(SPANS), "all"])
			byId(`to-${one}`).setAttribute("aria-pressed",
				String(!list && one === this.span));
		byId("as-table").setAttribute("aria-pressed", String(list));
	}

	// The same span from a day on, "2026-11-28".
	toDate(text) {
		const [year, month, day] = text.split("-").map(Number);
		if (!day)
			return;
		const from = momentOf(year, month - 1, day, 0, 0, this.clock());
		const span = this.until - this.from;
		this.setView(from, from + Math.round(span / HOUR) * HOUR);
		this.sayView();
	}

	// Offer the clocks in which times can be shown: the browser's, the cluster's, UTC.
	fillClocks() {
		const own = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
		const { zone } = this.model, chip = byId("clock");
		const city = (name) => name.split("/").pop().replaceAll("_", " ");
		const entries = [["", `${city(own) || "yours"}`],
			...(zone && zone !== own ? [[zone, `${city(zone)} (cluster)`]] : []),
			...(own !== "UTC" && zone !== "UTC" ? [["UTC", "UTC"]] : [])];
		const text = JSON.stringify(entries);
		if (chip.dataset.text === text)
			return;
		const { value } = chip;
		chip.dataset.text = text;
		chip.replaceChildren(...entries.map(([key, name]) => new Option(name, key)));
		chip.value = entries.some(([key]) => key === value) ? value : "";
	}

	changeClock() {
		this.refresh();
		this.sayView();
	}

	// The time before or after what is in view.
	turn(by) {
		const span = this.until - this.from;
		this.setView(this.from + by * span, this.until + by * span);
		this.sayView();
	}

	// As high as all rows fit, but not so low that a name does not.
	layRows() {
		const room = this.painter.height - AXIS;
		const shown = this.model.groups.filter((one) =>
			this.model.hides.subarray(one.first, one.last + 1).includes(0)).length;
		const most = Math.max(ROW_MOST, Math.min(ROW_LARGE,
			ROW_MOST + (room - ROOM_USUAL) / 20));
		const height = this.rowHeight || Math.max(15, Math.min(most,
			Math.floor((room - SECTION * this.model.sections.length) /
				Math.max(1, shown))));
		this.usedHeight = height;
		this.rows = layOut(this.model, height, room);
		this.rowIndex = Math.min(this.rowIndex, this.rows.length - 1);
		this.scrollBy(0);
	}

	scrollBy(pixels) {
		const most = Math.max(0, this.rows.total -
			(this.painter.height - AXIS));
		this.scroll = Math.max(0, Math.min(most, this.scroll + pixels));
		this.draw();
	}

	heighten(factor) {
		this.rowHeight = Math.max(4, Math.min(240,
			this.usedHeight * factor));
		this.layRows();
	}

	/* --- drawing ---------------------------------------------------------- */

	draw() {
		if (this.asked)
			return;
		this.asked = requestAnimationFrame(() => {
			this.asked = 0;
			this.painter.paint(this.view());
			this.fillLegend();
			this.showPeriod();
			this.showBrief();
			// The time at which the calendar was first seen, for measurements.
			this.opened = this.opened || performance.now();
		});
	}

	// The day in the picker, and whether nothing is booked in this period.
	showPeriod() {
		const date = byId("date");
		const [text] = flagTime(this.from + (this.span ? HOUR : 0), this.clock()).split("T");
		if (document.activeElement !== date && date.value !== text)
			date.value = text;
		const none = byId("table").hidden &&
			![...this.painter.inSight].some((one) => typeof one === "number");
		const next = none && (this.shownBookings || []).reduce((least, item) =>
			item.from >= this.until && (!least || item.from < least.from) ? item : least,
		null);
		byId("empty").hidden = !none;
		byId("next").hidden = !next;
		if (next) {
			byId("next").textContent = `Next: ${timeText(next.from, this.clock())}`;
			byId("next").onclick = () => this.show(next.from, next.until);
		}
	}

	view() {
		return { model: this.model, rows: this.rows, scale: this.scale(),
			scroll: this.scroll, picked: this.picked,
			row: this.rows[this.rowIndex], slot: this.slot,
			drafts: this.drafts, most: this.most,
			cursor: this.cursor && { from: this.cursor.time,
				until: this.cursor.time + this.step() },
			zone: zoneText(this.model.now, this.clock()) };
	}

	resize() {
		this.painter.fit();
		this.painter.fitLabels(this.model);
		this.layRows();
		if (this.shownBookings && this.isBrief() !== this.wasBrief)
			this.fillTable();
	}

	say(text) {
		byId("status").textContent = text;
	}

	// After a filter, another clock, another document.
	refresh() {
		const shown = this.model.bookings.filter((item) => item.shown);
		this.shownBookings = shown;
		this.fillTable();
		// The last message stays when others book or change something.
		if (!this.quiet)
			this.say(this.countText(shown.length, this.model.bookings.length,
				"booking") + ` on ${this.nodesText()}`);
		byId("title").textContent = "Bookings" +
			(this.model.cluster ? ` of ${this.model.cluster}` : "");
		document.title = byId("title").textContent;
		this.cells.setAttribute("aria-label", byId("title").textContent);
		this.draw();
	}

	// "7 bookings", "3 of 7 bookings", "No bookings"
	countText(some, all, word) {
		return all ? (some < all ? `${some} of ` : "") + plural(all, word) : `No ${word}s`;
	}

	nodesText() {
		const all = this.model.names.length;
		const hidden = this.model.hides.reduce((sum, one) => sum + one, 0);
		return this.countText(all - hidden, all, "node");
	}

	recolour() {
		this.model.colourBy(byId("colour").value);
		this.draw();
	}

	// RET a drag that begins there instead of moving the picture; null: none.
	startDrag() {
		return null;
	}

	// The pointer's shape there.
	showGrip() {
	}

	/* --- what is under the pointer ---------------------------------------- */

	rowAt(y) {
		return y < AXIS ? -1
			: above(this.rows.ends, y - AXIS + this.scroll);
	}

	// The first and the last node that are drawn about there.
	nodesAt(row, y, around) {
		if (row.node !== null)
			return [row.node, row.node];
		const { first, last } = row;
		const node = (at) => Math.max(first, Math.min(last, first +
			Math.floor((at - AXIS + this.scroll - row.y) / row.h *
				(last - first + 1))));
		return [node(y - around), node(y + around)];
	}

	// What is drawn at that place, on top first; of what is tiny, what is near.
	itemsAt(x, y) {
		const row = this.rows[this.rowAt(y)];
		if (!row || x < this.painter.labels ||
		    (row.node === null && (row.section || row.group).open))
			return null;
		const scale = this.scale();
		let items = row.section ? this.painter.itemsAt(x, y) : [];
		for (const around of row.section ? [] : [0, 2]) {
			const [first, last] = this.nodesAt(row, y, around);
			for (const dx of around ? [-around, around] : [0])
				if (!items.length)
					items = this.model.at(scale.time(x + dx),
						first, last);
		}
		// The item that is drawn at this place comes first, as on one GPU of several.
		items.reverse().sort((a, b) => this.painter.isAt(b, x, y) -
			this.painter.isAt(a, x, y));
		return { row, time: scale.time(x), items };
	}

	point(event) {
		const at = this.itemsAt(event.offsetX, event.offsetY);
		const tip = byId("tip");
		const text = at ? at.items.slice(0, 4).map((item) =>
			describe(this.model, item, this.clock())).join("\n\n")
			: this.occupiedAt(event.offsetX, event.offsetY);
		tip.hidden = !text;
		if (tip.hidden)
			return;
		tip.textContent = text;
		const box = tip.getBoundingClientRect();
		tip.style.left = Math.min(event.clientX + 14,
			innerWidth - box.width - 4) + "px";
		tip.style.top = Math.min(event.clientY + 14,
			innerHeight - box.height - 4) + "px";
	}

	// RET the share that the occupancy row shows at a place; "": the place is outside it.
	occupiedAt(x, y) {
		if (y < HOURS || y >= AXIS || x < this.painter.labels)
			return "";
		const time = this.scale().time(x), list = this.model.occupancy();
		const percent = (shares) => `${Math.round(100 * shareAt(list, shares, time))} %`;
		return `${timeText(time, this.clock())}\n${percent(list.taken)} of nodes occupied, ` +
			`${percent(list.booked)} booked` +
			(list.hasGpus ? `\n${percent(list.gpus)} of GPUs in use` : "");
	}

	press(x, y) {
		this.cursor = null;
		const place = this.rowAt(y), under = this.rows[place];
		if (x < this.painter.labels || (under && under.section && under.section.open)) {
			this.rowIndex = place;
			this.openRow();
			return;
		}
		const at = this.itemsAt(x, y);
		const item = at && at.items.find((one) => one.booking);
		if (item || !at || at.items.length || at.time < this.model.now)
			this.pick(item || null, false);
		else
			this.offer(at, y);
	}

	// What is free there: until what comes next, two hours at most.
	offer(at, y) {
		const { perMs } = this.scale();
		const step = STEPS.find((one) => one >= MINUTE &&
			(one * perMs >= 8 || one === HOUR));
		const from = Math.max(Math.floor(at.time / step) * step,
			Math.ceil(this.model.now / MINUTE + 1) * MINUTE);
		const [node] = this.nodesAt(at.row, y, 0);
		const next = this.model.items.reduce((least, item) =>
			item.from >= from && item.runs.some((run) =>
				run[0] <= node && node <= run[1])
				? Math.min(least, item.from) : least,
		from + 2 * HOUR);
		const length = Math.max(MINUTE,
			Math.floor((next - from) / MINUTE) * MINUTE);
		this.showFree(from, length, [this.model.names[node]],
			next < from + 2 * HOUR ? ", until the next use of this node." : ".");
	}

	// The commands that book some nodes for a time.
	showFree(from, length, names, end = ".") {
		this.picked = null;
		this.panel.show("Free", `${names.length > 4 ? plural(names.length, "node")
			: names.join(", ")}, from ${timeText(from, this.clock())} for ` +
			durationText(length) + end, askCommands(names.length, length, from,
			this.model.zone, names.join(",")));
		this.draw();
	}

	openRow() {
		const row = this.rows[this.rowIndex];
		const one = row && (row.section || row.group);
		if (!one || (!row.section && one.first === one.last))
			return;
		one.open = !one.open;
		this.layRows();
		this.rowIndex = this.rows.findIndex((other) =>
			one === (other.section || (other.node === null && other.group)));
		this.say(`${one.name} is ${one.open ? "open" : "closed"}`);
	}

	chooseRow(by) {
		this.rowIndex = Math.max(0, Math.min(this.rows.length - 1,
			this.rowIndex + by));
		const row = this.rows[this.rowIndex];
		const room = this.painter.height - AXIS;
		if (row && row.y < this.scroll)
			this.scrollBy(row.y - this.scroll);
		else if (row && row.y + row.h > this.scroll + room)
			this.scrollBy(row.y + row.h - room - this.scroll);
	}

	openPicked() {
		byId("panel").querySelector("h2").focus();
	}

	pick(item, go) {
		this.picked = item;
		if (!item) {
			this.panel.hide();
		} else {
			const text = describe(this.model, item, this.clock());
			this.say(text.replaceAll("\n", "; "));
			this.panel.show(item.job ? `Job ${item.title}` : item.title,
				describe(this.model, item, this.clock(), true), bookingCommands(item, this.model.zone));
			if (go)
				this.reveal(item);
		}
		this.draw();
	}

	reveal(item) {
		const node = item.runs.length ? item.runs[0][0] : 0;
		this.rowIndex = this.rowOf(node);
		const room = item.until - item.from;
		if (item.from < this.from || item.until > this.until)
			this.show(item.from - 2 * room, item.until + 2 * room);
		this.scroll = this.rows[Math.max(0, this.rowIndex)].y - 60;
		this.scrollBy(0);
	}

	// RET the index of the row that shows a node; -1: a filter hides it.
	rowOf(node) {
		return this.rows.findLastIndex((row) => row.first <= node && node <= row.last &&
			(row.node === node || !(row.section || row.group).open));
	}

	letGo() {
		this.slot = null;
		this.cursor = null;
		this.pick(null, false);
	}

	// The next booking in time from the picked one, or from what is in sight.
	pickNext(by) {
		const list = this.shownBookings;
		if (!list.length)
			return;
		let i = list.indexOf(this.picked);
		if (i < 0)
			i = list.findIndex((item) => item.from >= this.from) -
				(by > 0);
		this.pick(list[Math.max(0, Math.min(list.length - 1, i + by))],
			true);
	}

	showTable(shown) {
		byId("table").hidden = !shown;
		this.cells.hidden = shown;
		this.markView();
		if (this.shownBookings)
			this.fillTable();
		this.draw();
	}

	turnTable() {
		this.showTable(byId("table").hidden);
		this.focusView();
		if (!byId("table").hidden)
			this.say(`List of ${plural(this.shownBookings.length, "booking")}`);
		else
			this.sayView();
	}

	// Where the keys work: the calendar, or the booking in the list that was left.
	focusView() {
		if (byId("table").hidden)
			this.cells.focus();
		else
			this.table.focus(this.picked);
	}
}
