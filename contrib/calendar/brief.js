// SPDX-License-Identifier: GPL-2.0-or-later
// A telephone's list: a day's occupied share, the reader's own bookings, what is free, and
// the bookings of others.
"use strict";

Object.assign(Calendar.prototype, {
	// Whether the list is that of a telephone.
	isBrief() {
		return innerWidth <= NARROW && !byId("table").hidden;
	},

	// The day in sight, from midnight to midnight: [from, until].
	day() {
		const clock = this.clock();
		const { year, month, day } = partsOf(this.from + HOUR, clock);
		return [momentOf(year, month, day, 0, 0, clock),
			momentOf(year, month, day + 1, 0, 0, clock)];
	},

	// The bookings of the list below: all of them, or on a telephone those of others.
	listed() {
		const [from, until] = this.day();
		return this.isBrief() ? this.shownBookings.filter((item) => !item.mine &&
			item.until > from && item.from < until) : this.shownBookings;
	},

	fillTable() {
		const listed = this.listed(), brief = this.isBrief();
		this.table.show(listed, this.clock());
		const rest = byId("rest");
		rest.classList.toggle("brief", brief);
		if (brief !== this.wasBrief)
			rest.open = !brief;
		this.wasBrief = brief;
		byId("others").textContent = `Others (${listed.length})`;
		byId("brief").hidden = !brief;
		this.briefText = "";
	},

	// The upper part, if it is another than before.
	showBrief() {
		if (!this.isBrief())
			return;
		const [from, until] = this.day(), { model } = this;
		const text = JSON.stringify([from, model.now, this.wanted, this.clock(),
			innerWidth, this.shownBookings.length]);
		if (text === this.briefText)
			return;
		const moved = this.briefDay !== from;
		this.briefDay = from;
		if (moved)
			this.fillTable();
		this.briefText = text;
		const focus = [...byId("brief").querySelectorAll("button")]
			.indexOf(document.activeElement);
		byId("brief").replaceChildren(
			make("h2", { textContent: longDay(from, this.clock()) }),
			this.sparkline(), make("p", { className: "hint", textContent:
				`Occupied now: ${model.occupancyText(model.now)}` }),
			make("h3", { textContent: "Yours" }), this.ownList(),
			...this.freeList(Math.max(from, model.now), until));
		this.paintSpark(from, until);
		if (focus >= 0)
			byId("brief").querySelectorAll("button")[focus]?.focus();
	},

	hourRange(from, until) {
		const [, end] = this.day();
		const hour = (time) => time === end ? "24:00" : minuteText(time, this.clock());
		return `${from - this.model.now < MINUTE && from >= this.model.now ? "now"
			: hour(from)}–${hour(until)}`;
	},

	sparkline() {
		return make("canvas", { id: "spark", ariaHidden: "true" });
	},

	paintSpark(from, until) {
		const canvas = byId("spark"), ratio = devicePixelRatio || 1;
		const wide = canvas.clientWidth, tall = canvas.clientHeight;
		canvas.width = wide * ratio;
		canvas.height = tall * ratio;
		const c = canvas.getContext("2d"), { colours } = this.painter;
		const scale = new TimeScale(from, until, 0, wide, this.clock());
		const list = this.model.occupancy();
		const base = tall - 14;
		c.scale(ratio, ratio);
		for (const [shares, colour] of [[list.taken, colours.job],
			[list.booked, colours.day]]) {
			c.fillStyle = colour;
			sharePixels(scale, list, shares).forEach((one, x) =>
				c.fillRect(x, base - one * base, 1, one * base));
		}
		c.fillStyle = colours.line;
		c.fillRect(0, base, wide, 1);
		c.fillStyle = colours.faint;
		c.font = "11px system-ui, sans-serif";
		for (const tick of scale.hours())
			if (partsOf(tick, this.clock()).hour % 6 === 0)
				c.fillText(scale.hourText(tick), scale.x(tick) - 14, tall - 2);
		c.fillStyle = colours.now;
		c.fillRect(scale.x(this.model.now) - 1, 0, 2, base);
	},

	// The reader's own bookings that are not over, with the day where it is another.
	ownList() {
		const [from, until] = this.day(), { now } = this.model;
		const own = this.shownBookings.filter((item) => item.mine && item.until > now &&
			!isOver(item));
		const line = (item) => {
			const other = item.from >= until || item.until <= from;
			const button = make("button", { onclick: () => {
				this.pick(item, false);
				this.openPicked();
			} }, make("b", { textContent: other
				? timeText(item.from, this.clock()) : this.hourRange(item.from,
					item.until) }),
			make("span", { textContent: `${item.title} ${item.name || ""}` }),
			make("small", { textContent: `${plural(item.count, "node")}` +
				(item.gpus ? `, ${gresText(item.gres)}` : "") + `, ${item.state}` }));
			return make("li", {}, button);
		};
		return own.length ? make("ul", { className: "own" }, ...own.map(line))
			: make("p", { className: "hint", textContent: "You have no booking." });
	},

	// Free time of that day for as many nodes and hours as were chosen.
	freeList(from, until) {
		const { nodes, length } = this.wanted ||= { nodes: 1, length: HOUR };
		const start = Math.ceil(from / MINUTE) * MINUTE;
		// Fields have full minutes.
		const find = (end) => findSlots(this.model, nodes, length, start, end, 8)
			.map((one) => ({ ...one, from: Math.ceil(one.from / MINUTE) * MINUTE }))
			.filter((one) => one.from <= one.until && one.from + length <= end);
		const slots = find(until);
		const later = slots.length ? [] : find(start + 7 * DAY).slice(0, 1);
		const chip = (text, slot) => make("li", {}, make("button", {
			textContent: text, onclick: () => this.takeSlot(slot, nodes, length) }));
		const title = `Free for ${plural(nodes, "node")}, ${spanText(length)}`;
		const change = make("button", { textContent: "Change", onclick: () => {
			fields.hidden = !fields.hidden;
			if (!fields.hidden)
				fields.querySelector("input").focus();
		}, "aria-label": "Change nodes and duration" });
		const fields = this.wantedFields(nodes, length);
		return [make("div", { className: "head" }, make("h3", { textContent: title }),
			change), fields,
		slots.length || later.length ? make("ul", { className: "free" },
			...slots.map((one) => chip(this.hourRange(one.from,
				Math.min(until, one.until + length)),
				one)),
			...later.map((one) => chip(`Next: ${timeText(one.from, this.clock())}`,
				one)))
			: make("p", { className: "hint", textContent: "Nothing is free within " +
				"a week." })];
	},

	wantedFields(nodes, length) {
		const count = make("input", { type: "number", min: 1, value: nodes });
		const hours = make("input", { value: lengthText(length).slice(0, -3),
			autocomplete: "off" });
		const fields = make("form", { hidden: true },
			make("label", {}, "Nodes ", count),
			make("label", {}, "Duration (h:min) ", hours),
			make("button", { textContent: "Show" }));
		fields.addEventListener("submit", (event) => {
			event.preventDefault();
			const found = /^(\d+):?([0-5]\d)?$/.exec(hours.value.trim());
			if (!found || !(count.value >= 1)) {
				this.say("Enter a number of nodes, and hours:minutes.");
				return;
			}
			this.wanted = { nodes: Math.floor(count.value), length: Math.max(MINUTE,
				(found[1] * 60 + Number(found[2] || 0)) * MINUTE) };
			this.draw();
		});
		return fields;
	},

	// Free time that was chosen in the list.
	takeSlot(slot, nodes, length) {
		this.showSlot(slot.from, nodes, length);
	},
});
