// SPDX-License-Identifier: GPL-2.0-or-later
// Mouse, touch, keyboard and the fields: what each does to the calendar.
"use strict";

const byId = (id) => document.getElementById(id);

const BUTTONS = {
	"to-day": (calendar) => calendar.chooseView("day"),
	"to-three": (calendar) => calendar.chooseView("three"),
	"to-week": (calendar) => calendar.chooseView("week"),
	"to-month": (calendar) => calendar.chooseView("month"),
	"before": (calendar) => calendar.turn(-1),
	"after": (calendar) => calendar.turn(1),
	"to-now": (calendar) => calendar.toNow(),
	"to-all": (calendar) => calendar.chooseView("all"),
	"as-table": (calendar) => calendar.chooseView("list"),
};

const KEYS = {
	ArrowLeft: (calendar, extend) => calendar.moveCursor(-1, 0, extend),
	ArrowRight: (calendar, extend) => calendar.moveCursor(1, 0, extend),
	ArrowUp: (calendar, extend) => calendar.moveCursor(0, -1, extend),
	ArrowDown: (calendar, extend) => calendar.moveCursor(0, 1, extend),
	PageUp: (calendar, extend) => calendar.moveCursor(0, -20, extend),
	PageDown: (calendar, extend) => calendar.moveCursor(0, 20, extend),
	Enter: (calendar) => calendar.enter(),
	Home: (calendar) => calendar.toNow(),
	"0": (calendar) => calendar.toAll(),
	"+": (calendar) => calendar.scaleBy(2),
	"=": (calendar) => calendar.scaleBy(2),
	"-": (calendar) => calendar.scaleBy(.5),
	"]": (calendar) => calendar.heighten(1.5),
	"[": (calendar) => calendar.heighten(1 / 1.5),
	n: (calendar) => calendar.pickNext(1),
	p: (calendar) => calendar.pickNext(-1),
	j: (calendar) => calendar.turn(1),
	k: (calendar) => calendar.turn(-1),
	"/": () => byId("find").focus(),
	d: (calendar) => calendar.chooseView("day"),
	"3": (calendar) => calendar.chooseView("three"),
	w: (calendar) => calendar.chooseView("week"),
	m: (calendar) => calendar.chooseView("month"),
	a: (calendar) => calendar.chooseView("all"),
	t: (calendar) => calendar.toNow(),
	l: (calendar) => calendar.chooseView("list"),
	Escape: (calendar) => calendar.letGo(),
};

// In the list only the keys that no element there has.
function onKey(calendar, event) {
	const call = (calendar.table.section.hidden ? /^/ : /^([a-z03/]|Escape)$/)
		.test(event.key) && KEYS[event.key];
	const field = event.target.matches("input, select");
	if (field || !call || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	call(calendar, event.shiftKey);
}

// A wheel zooms, about where the pointer is; with Shift, or over the names of
// rows, it scrolls them. Sideways it moves in time.
function onWheel(calendar, event) {
	event.preventDefault();
	const lines = event.deltaMode === 1 ? 30 : 1;
	const down = event.deltaY * lines, side = event.deltaX * lines;
	const rows = event.offsetX < calendar.painter.labels;
	if (event.shiftKey || rows)
		calendar.scrollBy(down || side);
	else if (Math.abs(side) > Math.abs(down))
		calendar.panBy(-side);
	else
		calendar.zoomAt(event.offsetX, 2 ** (-down / 200));
}

// One finger, or the mouse, moves the calendar; two zoom it. What has hardly
// moved is a click.
class Hand {
	constructor(calendar) {
		this.calendar = calendar;
		this.fingers = new Map();
		this.moved = 0;
	}

	down(event) {
		if (!this.fingers.size)
			this.moved = 0;
		this.drag = event.pointerType === "mouse" && event.button === 0
			? this.calendar.startDrag(event.offsetX, event.offsetY) : null;
		this.fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
		event.target.setPointerCapture(event.pointerId);
	}

	move(event) {
		const { calendar, fingers } = this;
		const last = fingers.get(event.pointerId);
		if (!last) {
			calendar.point(event);
			calendar.showGrip(event.offsetX, event.offsetY);
			return;
		}
		byId("tip").hidden = true;
		const before = [...fingers.values()];
		fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
		const dx = event.offsetX - last[0], dy = event.offsetY - last[1];
		this.moved += Math.abs(dx) + Math.abs(dy);
		if (this.moved <= 4)
			return;
		if (this.drag)
			this.drag.move(event.offsetX, event.offsetY);
		else if (fingers.size === 2)
			this.pinch(before, [...fingers.values()]);
		else if (dx || dy) {
			calendar.panBy(dx);
			calendar.scrollBy(-dy);
		}
	}

	pinch(before, after) {
		const wide = ([a, b]) => Math.max(20, Math.abs(a[0] - b[0]));
		const middle = ([a, b]) => (a[0] + b[0]) / 2;
		this.calendar.panBy(middle(after) - middle(before));
		this.calendar.zoomAt(middle(after), wide(after) / wide(before));
	}

	up(event) {
		const { drag } = this;
		this.drag = null;
		if (drag && this.moved > 4) {
			this.fingers.delete(event.pointerId);
			if (event.type === "pointerup")
				drag.drop();
			else
				drag.cancel();
			return;
		}
		if (this.fingers.delete(event.pointerId) &&
		    event.type === "pointerup" && this.moved <= 4 &&
		    !this.fingers.size)
			this.calendar.press(event.offsetX, event.offsetY);
	}
}

function listen(calendar) {
	const on = (element, name, call) => element.addEventListener(name, call,
		{ passive: false });
	const canvas = calendar.canvas, hand = new Hand(calendar);
	on(canvas, "pointerdown", (event) => hand.down(event));
	on(canvas, "pointermove", (event) => hand.move(event));
	on(canvas, "pointerup", (event) => hand.up(event));
	on(canvas, "pointercancel", (event) => hand.up(event));
	// Without this a tap that opens the form is also a click on what is now there.
	on(canvas, "touchend", (event) => event.preventDefault());
	on(canvas, "pointerleave", () => { byId("tip").hidden = true; });
	on(canvas, "wheel", (event) => onWheel(calendar, event));
	for (const element of [calendar.cells, calendar.table.section])
		on(element, "keydown", (event) => onKey(calendar, event));
	on(byId("find"), "input", () => calendar.filter());
	on(byId("find"), "keydown", (event) => {
		if (event.key === "Enter" || event.key === "Escape") {
			if (event.key === "Escape") {
				byId("find").value = "";
				calendar.filter();
			}
			calendar.focusView();
		}
	});
	on(byId("date"), "change", () => calendar.toDate(byId("date").value));
	new ResizeObserver(() => calendar.resize()).observe(canvas);
	on(matchMedia("(prefers-color-scheme: dark)"), "change",
		() => calendar.resize());
	on(byId("filters"), "input", () => calendar.filter());
	on(byId("filters"), "submit", (event) => event.preventDefault());
	on(byId("search"), "submit", (event) => {
		event.preventDefault();
		calendar.search();
	});
	on(byId("colour"), "change", () => calendar.recolour());
	on(byId("clock"), "change", () => calendar.changeClock());
	for (const [id, call] of Object.entries(BUTTONS))
		on(byId(id), "click", () => call(calendar));
}
