// SPDX-License-Identifier: GPL-2.0-or-later
// Mouse, touch, keyboard and the fields: what each does to the calendar.
"use strict";

const byId = (id) => document.getElementById(id);

const BUTTONS = {
	"zoom-in": (calendar) => calendar.scaleBy(2),
	"zoom-out": (calendar) => calendar.scaleBy(.5),
	"to-now": (calendar) => calendar.toNow(),
	"to-all": (calendar) => calendar.toAll(),
	"taller": (calendar) => calendar.heighten(1.5),
	"lower": (calendar) => calendar.heighten(1 / 1.5),
	"as-table": (calendar) => calendar.turnTable(),
};

const KEYS = {
	ArrowLeft: (calendar) => calendar.panBy(100),
	ArrowRight: (calendar) => calendar.panBy(-100),
	ArrowUp: (calendar) => calendar.chooseRow(-1),
	ArrowDown: (calendar) => calendar.chooseRow(1),
	PageUp: (calendar) => calendar.chooseRow(-20),
	PageDown: (calendar) => calendar.chooseRow(20),
	Enter: (calendar) => calendar.openRow(),
	Home: (calendar) => calendar.toNow(),
	"0": (calendar) => calendar.toAll(),
	"+": (calendar) => calendar.scaleBy(2),
	"=": (calendar) => calendar.scaleBy(2),
	"-": (calendar) => calendar.scaleBy(.5),
	"]": (calendar) => calendar.heighten(1.5),
	"[": (calendar) => calendar.heighten(1 / 1.5),
	n: (calendar) => calendar.pickNext(1),
	p: (calendar) => calendar.pickNext(-1),
	t: (calendar) => calendar.turnTable(),
	Escape: (calendar) => calendar.letGo(),
};

function onKey(calendar, event) {
	const call = KEYS[event.key];
	if (!call || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	call(calendar);
}

// Over the rows a wheel scrolls; over the axis, or with Ctrl, it zooms.
function onWheel(calendar, event) {
	if (event.ctrlKey || event.offsetY < AXIS)
		return;
	event.preventDefault();
	if (event.deltaX)
		calendar.panBy(-event.deltaX);
	calendar.scrollBy(event.deltaY);
}

function listen(calendar) {
	const on = (element, name, call) => element.addEventListener(name, call,
		{ passive: false });
	const canvas = calendar.canvas;
	on(canvas, "pointermove", (event) => calendar.point(event));
	on(canvas, "pointerleave", () => { byId("tip").hidden = true; });
	on(canvas, "click", (event) => calendar.press(event));
	on(canvas, "wheel", (event) => onWheel(calendar, event));
	on(canvas, "keydown", (event) => onKey(calendar, event));
	new ResizeObserver(() => calendar.resize()).observe(canvas);
	on(matchMedia("(prefers-color-scheme: dark)"), "change",
		() => calendar.resize());
	on(byId("filters"), "input", () => calendar.filter());
	on(byId("filters"), "submit", (event) => event.preventDefault());
	on(byId("search"), "submit", (event) => {
		event.preventDefault();
		calendar.search();
	});
	on(byId("utc"), "change", () => {
		calendar.resize();
		calendar.refresh();
	});
	for (const [id, call] of Object.entries(BUTTONS))
		on(byId(id), "click", () => call(calendar));
}
