// SPDX-License-Identifier: GPL-2.0-or-later
// Drags with the mouse: over free time a new booking, on one's own booking its move, on
// an edge of it its length. Nothing is asked of the server before the reader confirms.
"use strict";

const EDGE = 6;

class Drag {
	constructor(calendar, x, y) {
		this.calendar = calendar;
		this.scale = calendar.scale();
		this.step = snapStep(this.scale.perMs);
		this.x = x;
		this.y = y;
		this.onKey = (event) => {
			if (event.key === "Escape")
				this.cancel();
		};
		addEventListener("keydown", this.onKey, true);
	}

	snap(time) {
		return snap(time, this.step, this.calendar.clock());
	}

	// The next full minute that is at least one away.
	earliest() {
		return Math.ceil((this.calendar.model.now + MINUTE) / MINUTE) * MINUTE;
	}

	show(draft) {
		const { calendar } = this;
		this.draft = draft;
		const clock = calendar.clock();
		calendar.drafts = [{ ...draft, text: `${minuteText(draft.from, clock)}–` +
			`${minuteText(draft.until, clock)} ${draft.text}` }];
		calendar.say(`${draft.text}: ` +
			rangeText(draft.from, draft.until, clock) +
			(draft.conflict ? ", something is in the way" : ""));
		calendar.draw();
	}

	end() {
		removeEventListener("keydown", this.onKey, true);
	}

	cancel() {
		this.end();
		this.over = true;
		this.calendar.drafts = [];
		this.calendar.say("");
		this.calendar.draw();
	}
}

// A drag over free time: nodes downwards, time sideways.
class NewDrag extends Drag {
	// section: a closed one, of which any nodes will do.
	constructor(calendar, x, y, node, section) {
		super(calendar, x, y);
		this.node = node;
		this.section = section;
	}

	move(x, y) {
		if (this.over)
			return;
		const { calendar } = this, { model } = calendar;
		const row = calendar.rows[Math.max(0, Math.min(calendar.rows.length - 1,
			calendar.rowAt(Math.max(AXIS, y))))];
		const [node] = calendar.nodesAt(row, y, 0);
		const times = [this.scale.time(this.x), this.scale.time(x)]
			.sort((a, b) => a - b);
		const from = Math.max(this.earliest(), this.snap(times[0]));
		const until = Math.max(from + this.step, this.snap(times[1]));
		const { section } = this;
		const first = section ? section.first : Math.min(node, this.node);
		const last = section ? section.last : Math.max(node, this.node);
		this.show({ from, until, first, last, section,
			conflict: !section && isTaken(model, from, until, first, last),
			text: section ? section.name : plural(last - first + 1, "node") });
	}

	drop() {
		this.end();
		if (!this.over && this.draft)
			this.calendar.takeNew(this.draft);
	}
}

// A drag of the reader's own booking, or of an edge of it: "move", "start" or "end".
class ChangeDrag extends Drag {
	constructor(calendar, x, y, item, part) {
		super(calendar, x, y);
		this.item = item;
		this.part = part;
	}

	move(x) {
		if (this.over)
			return;
		const { calendar, item } = this, { model } = calendar;
		const by = (x - this.x) / this.scale.perMs;
		let { from, until } = item;
		if (this.part !== "end")
			from = Math.max(this.earliest(), this.snap(item.from + by));
		if (this.part === "move")
			until = from + item.until - item.from;
		else if (this.part === "end")
			until = Math.max(from + this.step, this.snap(item.until + by));
		else
			from = Math.min(from, until - Math.min(this.step, until - item.from));
		const [first, last] = [item.runs[0][0], item.runs[item.runs.length - 1][1]];
		this.show({ from, until, first, last, item, gpus: item.gpus, text: item.title,
			conflict: item.part >= 1 && item.runs.some((run) =>
				isTaken(model, from, until, run[0], run[1], item)) });
	}

	drop() {
		this.end();
		const { draft, item } = this;
		if (!this.over && draft && (draft.from !== item.from ||
		    draft.until !== item.until))
			this.calendar.takeChange(item, draft);
		else
			this.cancel();
	}
}

Object.assign(Calendar.prototype, {
	// RET which part of the reader's own booking is at a place; null: none.
	gripAt(x, y) {
		const at = this.itemsAt(x, y);
		const item = at && at.items.find((one) => one.booking);
		if (!item || !this.canChange || !this.canChange(item) || !item.runs.length)
			return null;
		const scale = this.scale();
		const edge = scale.x(item.until) - scale.x(item.from) > 4 * EDGE ? EDGE : 0;
		const running = /^active/.test(item.state);
		const part = scale.x(item.until) - x <= edge ? "end"
			: x - scale.x(item.from) <= edge ? "start" : "move";
		return { item, part: running ? part === "end" ? part : null : part };
	},
});
