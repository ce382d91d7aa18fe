// SPDX-License-Identifier: GPL-2.0-or-later
// What the reader can do: pan, zoom, point, filter, search.
"use strict";

// No row is higher than this unless the reader makes it so.
const ROW_MOST = 36;
// A page of this width is a telephone's, and opens with the list.
const NARROW = 700;

class Calendar {
	constructor(doc) {
		this.canvas = byId("canvas");
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
		byId("more").open = innerWidth > NARROW;
		this.panel.onHide = () => this.focusView();
		this.take(new Model(doc));
		this.fillFilters();
		listen(this);
		this.toUsual();
		if (doc.live)
			this.follow(doc.live);
	}

	/* --- the document ----------------------------------------------------- */

	take(model) {
		this.model = model;
		this.model.colourBy(byId("colour").value);
		this.painter.fitLabels(model);
		this.layRows();
		this.filter();
	}

	// Read it again every so many seconds; what the reader looks at stays.
	follow(seconds) {
		setInterval(async () => {
			if (document.hidden)
				return;
			try {
				const answer = await fetch("calendar.json",
					{ cache: "no-store" });
				if (!answer.ok)
					throw new Error(await answer.text());
				this.renew(new Model(await answer.json()));
			} catch (error) {
				this.say(`Not refreshed since ${timeText(
					this.model.now, this.utc())}: ` +
					clean(error.message));
			}
		}, seconds * 1000);
	}

	renew(model) {
		const open = new Set(this.model.groups.filter((one) => one.open)
			.map((one) => one.name));
		for (const group of model.groups)
			group.open = open.has(group.name);
		// The picture goes along with the time.
		const passed = model.now - this.model.now;
		this.from += passed;
		this.until += passed;
		if (this.picked)
			this.picked = model.bookings.find(
				(one) => one.id === this.picked.id) || null;
		this.take(model);
	}

	utc() {
		return byId("utc").checked;
	}

	/* --- time and rows ---------------------------------------------------- */

	scale() {
		return new TimeScale(this.from, this.until, this.painter.labels,
			this.painter.width, this.utc());
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
		this.say(`${timeText(this.from, this.utc())} to ` +
			timeText(this.until, this.utc()));
	}

	// A day, three, a week or a month from now on.
	toSpan(name) {
		const from = spanStart(name, this.model.now, this.utc());
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

	// The time before or after what is in view.
	turn(by) {
		const span = this.until - this.from;
		this.setView(this.from + by * span, this.until + by * span);
		this.sayView();
	}

	// As high as all rows fit, but not so low that a name does not.
	layRows() {
		const room = this.painter.height - AXIS;
		const height = this.rowHeight || Math.max(15, Math.min(ROW_MOST,
			Math.floor(room / Math.max(1, this.model.groups.length))));
		this.usedHeight = height;
		this.rows = layOut(this.model, height);
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
			// The time at which the calendar was first seen, for measurements.
			this.opened = this.opened || performance.now();
		});
	}

	view() {
		return { model: this.model, rows: this.rows, scale: this.scale(),
			scroll: this.scroll, picked: this.picked,
			row: this.rows[this.rowIndex], slot: this.slot,
			drafts: this.drafts,
			zone: zoneText(this.model.now, this.utc()) };
	}

	resize() {
		this.painter.fit();
		this.painter.fitLabels(this.model);
		this.layRows();
	}

	say(text) {
		byId("status").textContent = text;
	}

	// After a filter, another clock, another document.
	refresh() {
		const shown = this.model.bookings.filter((item) => item.shown);
		this.shownBookings = shown;
		this.table.show(shown, this.utc());
		// The last message stays when others book or change something.
		if (!this.quiet)
			this.say(`${shown.length} of ${plural(this.model.bookings.length,
				"booking")} on ${plural(this.model.names.length, "node")}`);
		byId("title").textContent = "Bookings" +
			(this.model.cluster ? ` of ${this.model.cluster}` : "");
		document.title = byId("title").textContent;
		this.canvas.setAttribute("aria-label", byId("title").textContent);
		this.draw();
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
		const { first, last } = row.group;
		const node = (at) => Math.max(first, Math.min(last, first +
			Math.floor((at - AXIS + this.scroll - row.y) / row.h *
				(last - first + 1))));
		return [node(y - around), node(y + around)];
	}

	// What is drawn at that place, on top first; of what is tiny, what is near.
	itemsAt(x, y) {
		const row = this.rows[this.rowAt(y)];
		if (!row || x < this.painter.labels ||
		    (row.node === null && row.group.open))
			return null;
		const scale = this.scale();
		let items = [];
		for (const around of [0, 2]) {
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
		tip.hidden = !at || !at.items.length;
		if (tip.hidden)
			return;
		tip.textContent = at.items.slice(0, 4).map((item) =>
			describe(this.model, item, this.utc())).join("\n\n");
		const box = tip.getBoundingClientRect();
		tip.style.left = Math.min(event.clientX + 14,
			innerWidth - box.width - 4) + "px";
		tip.style.top = Math.min(event.clientY + 14,
			innerHeight - box.height - 4) + "px";
	}

	press(x, y) {
		if (x < this.painter.labels) {
			this.rowIndex = this.rowAt(y);
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
		this.picked = null;
		this.panel.show("Free", `${this.model.names[node]}, from ` +
			`${timeText(from, this.utc())} for ${lengthText(length)}` +
			(next < from + 2 * HOUR ? ", until what comes next." : "."),
		askCommands(1, length, from, this.model.zone, this.model.names[node]));
		this.draw();
	}

	openRow() {
		const row = this.rows[this.rowIndex];
		if (!row || row.group.first === row.group.last)
			return;
		row.group.open = !row.group.open;
		this.layRows();
		this.rowIndex = this.rows.findIndex(
			(one) => one.group === row.group);
		this.say(`${row.group.name} is ${row.group.open ? "open" : "closed"}`);
	}

	chooseRow(by) {
		if (this.picked)
			this.letGo();
		this.rowIndex = Math.max(0, Math.min(this.rows.length - 1,
			this.rowIndex + by));
		const row = this.rows[this.rowIndex];
		const room = this.painter.height - AXIS;
		if (row.y < this.scroll)
			this.scrollBy(row.y - this.scroll);
		else if (row.y + row.h > this.scroll + room)
			this.scrollBy(row.y + row.h - room - this.scroll);
		this.say(row.node === null ? row.group.name
			: `${this.model.names[row.node]}, ${this.nodeText(row.node)}`);
		this.draw();
	}

	// The text of a node: its booking now and the next one.
	nodeText(node) {
		const { now } = this.model;
		const [item] = this.model.at(now, node, node).reverse();
		const next = this.model.items.filter((one) => one.shown &&
			one.from > now && one.runs.some((run) =>
			run[0] <= node && node <= run[1]))
			.reduce((least, one) => Math.min(least, one.from), Infinity);
		if (item)
			return `${describe(this.model, item, this.utc()).split("\n")[0]}, ` +
				`until ${timeText(item.until, this.utc())}`;
		return next === Infinity ? "free" : `free until ${timeText(next, this.utc())}`;
	}

	// Enter: what is picked, else the row.
	enter() {
		if (this.picked)
			this.openPicked();
		else
			this.openRow();
	}

	openPicked() {
		byId("panel").querySelector("h2").focus();
	}

	pick(item, go) {
		this.picked = item;
		if (!item) {
			this.panel.hide();
		} else {
			const text = describe(this.model, item, this.utc());
			this.say(text.replaceAll("\n", "; "));
			this.panel.show(item.job ? `Job ${item.title}` : item.title,
				text, bookingCommands(item, this.model.zone));
			if (go)
				this.reveal(item);
		}
		this.draw();
	}

	reveal(item) {
		const node = item.runs.length ? item.runs[0][0] : 0;
		const group = this.model.groups[this.model.groupOf(node)];
		this.rowIndex = this.rows.findIndex((row) => row.group === group &&
			(!group.open || row.node === node));
		const room = item.until - item.from;
		if (item.from < this.from || item.until > this.until)
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
		if (i < 0)
			i = list.findIndex((item) => item.from >= this.from) -
				(by > 0);
		this.pick(list[Math.max(0, Math.min(list.length - 1, i + by))],
			true);
	}

	showTable(shown) {
		byId("table").hidden = !shown;
		this.canvas.hidden = shown;
		this.markView();
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
			this.canvas.focus();
		else
			this.table.focus(this.picked);
	}
}
