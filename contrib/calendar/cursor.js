// SPDX-License-Identifier: GPL-2.0-or-later
// The calendar by keys: a place in it, which is announced, and a stretch from one to another.
"use strict";

// "Saturday 28 November 14:00"
function placeText(time, clock) {
	return `${longDay(time, clock)} ${minuteText(time, clock)}`;
}

// "3 hours", "90 minutes", "2 days"
function spanText(ms) {
	const units = [[DAY, "day"], [HOUR, "hour"], [MINUTE, "minute"]];
	const [unit, word] = units.find(([one]) => ms >= one && !(ms % one)) || [MINUTE, "minute"];
	return plural(Math.max(1, Math.floor(ms / unit)), word);
}

Object.assign(Calendar.prototype, {
	// Move the place by so many steps in time and rows; extend: from where it was on.
	moveCursor(steps, rows, extend) {
		const step = this.step();
		const fresh = !this.cursor;
		if (this.picked)
			this.pick(null, false);
		if (fresh)
			this.cursor = { time: snap(Math.max(this.from, this.model.now) + step / 2 - 1,
				step, this.clock()), anchor: null };
		const { cursor } = this;
		if (extend && !cursor.anchor)
			cursor.anchor = { time: cursor.time, row: Math.max(0, this.rowIndex) };
		if (!extend)
			cursor.anchor = null;
		if (!fresh)
			cursor.time = snap(cursor.time + steps * step, step, this.clock());
		this.chooseRow(fresh && this.rowIndex >= 0 && !rows ? 0 : rows || +(this.rowIndex < 0));
		this.showCursor(step);
		this.drafts = cursor.anchor ? [this.selection()] : [];
		this.say(cursor.anchor ? this.selectionText() : this.placeText());
		this.draw();
	},

	// The picture goes along with it.
	showCursor(step) {
		const { time } = this.cursor, span = this.until - this.from;
		const by = time < this.from ? time - this.from - span / 4
			: time + step > this.until ? time + step - this.until + span / 4 : 0;
		if (by)
			this.setView(this.from + by, this.until + by);
	},

	// RET what is between the anchor and the cursor, as a draft.
	selection() {
		const { time, anchor } = this.cursor, { model } = this;
		const one = this.rows[anchor.row] || this.rows[this.rowIndex];
		const rows = [one, this.rows[this.rowIndex]];
		const from = Math.max(Math.min(time, anchor.time),
			Math.ceil((model.now + MINUTE) / MINUTE) * MINUTE);
		const until = Math.max(from + MINUTE, Math.max(time, anchor.time) + this.step());
		const first = Math.min(...rows.map((row) => row.first));
		const last = Math.max(...rows.map((row) => row.last));
		const section = rows.every((row) => row.section === one.section) && one.section;
		return section ? { from, until, first, last, section, text: section.name }
			: { from, until, first, last, text: plural(last - first + 1, "node"),
				conflict: isTaken(model, from, until, first, last) };
	},

	selectionText() {
		const { from, until, first, last, section, conflict, text } = this.selection();
		return text + (section ? "" : `, ${this.model.names[first]}` +
			(last > first ? ` to ${this.model.names[last]}` : "")) +
			`, ${placeText(from, this.clock())} to ${placeText(until, this.clock())}, ` +
			(conflict ? "something is in the way" : section ? "any nodes" : "free");
	},

	// "n3, Saturday 28 November 14:00, free for 3 hours"
	placeText() {
		const row = this.rows[this.rowIndex], { time } = this.cursor;
		if (!row)
			return "No row is visible";
		const name = row.node === null ? (row.section || row.group).name
			: this.model.names[row.node];
		return `${name}, ${placeText(time, this.clock())}, ` + this.stateText(row, time);
	},

	stateText(row, time) {
		const { model } = this;
		if (row.node === null) {
			const free = freeNodes(model, time, time + 1);
			let sum = 0, count = 0;
			for (let n = row.first; n <= row.last; n++)
				if (!model.hides[n]) {
					count++;
					sum += free[n];
				}
			return `${sum} of ${count} free, ${(row.section || row.group).open
				? "open" : "closed"}`;
		}
		const items = model.at(time, row.node, row.node);
		if (items.length)
			return items.slice(-3).map((item) => `${describe(model, item, this.clock())
				.split("\n")[0]}, until ${timeText(item.until, this.clock())}`).join("; ");
		const next = model.items.reduce((least, item) => item.shown && item.from > time &&
			item.from < least && item.runs.some(([first, last]) =>
				first <= row.node && row.node <= last) ? item.from : least, Infinity);
		return next === Infinity ? "free" : `free for ${spanText(next - time)}`;
	},

	// Enter: what was picked or marked, the booking at this place, free time, or the row.
	enter() {
		const row = this.rows[this.rowIndex];
		if (this.picked)
			this.openPicked();
		else if (this.cursor && this.cursor.anchor)
			this.takeMarked(this.selection());
		else if (!row || row.node === null || !this.cursor)
			this.openRow();
		else
			this.enterPlace(row, this.cursor.time);
	},

	enterPlace({ node }, time) {
		const item = this.model.at(time, node, node).findLast((one) => one.booking);
		const step = this.step();
		if (item) {
			this.pick(item, false);
			this.openPicked();
		} else if (time + step <= this.model.now) {
			this.say("This time is over");
		} else {
			this.takeMarked({ from: Math.max(time, this.model.now), first: node, last: node,
				until: Math.max(time, this.model.now) + Math.max(step, HOUR) });
		}
	},

	// Free time that was marked with keys: the commands that book it.
	takeMarked({ from, until, first, last }) {
		this.showFree(from, until - from, this.model.names.slice(first, last + 1));
		this.openPicked();
	},
});
