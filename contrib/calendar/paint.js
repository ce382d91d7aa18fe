// SPDX-License-Identifier: GPL-2.0-or-later
// Draws what is visible of the calendar on a canvas: rows of groups as stacked
// parts of their nodes, rows of nodes as bars.
"use strict";

const AXIS = 34;
const LABELS = 150;

// The rows of the calendar from top to bottom: a group, or the nodes of one that
// is open.
function layOut(model, height) {
	const rows = [];
	let y = 0;
	const nodeHeight = Math.max(14, height);
	const add = (group, node, h) => {
		rows.push({ group, node, y, h });
		y += h;
	};
	for (const group of model.groups) {
		if (group.first === group.last) {
			add(group, group.first, height);
			continue;
		}
		add(group, null, height);
		if (group.open)
			for (let n = group.first; n <= group.last; n++)
				add(group, n, nodeHeight);
	}
	rows.ends = rows.map((row) => row.y + row.h);
	rows.total = y;
	return rows;
}

// Hours as a clock has them, days with their weekday.
function tickText(utc) {
	const [make, day, month] = utc
		? [d3.utcFormat, d3.utcDay, d3.utcMonth]
		: [d3.timeFormat, d3.timeDay, d3.timeMonth];
	const [seconds, hours, days, months] =
		["%H:%M:%S", "%H:%M", "%a %d", "%b %Y"].map((text) => make(text));
	return (tick) => (month(tick) >= tick ? months
		: day(tick) >= tick ? days
		: tick % 60000 ? seconds : hours)(tick);
}

function readColours(element) {
	const style = getComputedStyle(element);
	const read = (name) => style.getPropertyValue(name).trim();
	return {
		text: read("--text"),
		line: read("--line"),
		back: read("--back"),
		now: read("--now"),
		pick: read("--pick"),
		slot: read("--slot"),
		kinds: ["--down", "--maintenance", "--reservation", "--job",
			"--booked", "--mine"].map(read),
		active: read("--active"),
		degraded: read("--degraded"),
		past: read("--past"),
	};
}

function colourOf(item, colours) {
	if (!item.ours || item.mine)
		return colours.kinds[item.type];
	if (/^(completed|terminated)/.test(item.state))
		return colours.past;
	if (/^active/.test(item.state))
		return colours.active;
	return item.benefit < 1 ? colours.degraded : colours.kinds[item.type];
}

// Add a bar, or make the one before it longer.
function extend(bars, left, top, right, tall) {
	const i = bars.length - 4;
	if (i >= 0 && bars[i] + bars[i + 2] === left && bars[i + 1] === top &&
	    bars[i + 3] === tall)
		bars[i + 2] = right - bars[i];
	else
		bars.push(left, top, right - left, tall);
}

// Add the bars of each kind above each other.
function stack(sums, nodes, left, right, y, h, bars) {
	let top = y + h;
	for (let k = 0; k < KINDS.length; k++) {
		if (sums[k] < 1e-9)
			continue;
		const tall = Math.min(top - y,
			Math.max(1, Math.round(h * sums[k] / nodes)));
		top -= tall;
		extend(bars[k], left, top, right, tall);
	}
}

class Painter {
	constructor(canvas) {
		this.canvas = canvas;
		this.context = canvas.getContext("2d");
		this.fit();
	}

	fit() {
		const ratio = window.devicePixelRatio || 1;
		this.width = this.canvas.clientWidth;
		this.height = this.canvas.clientHeight;
		this.canvas.width = Math.round(this.width * ratio);
		this.canvas.height = Math.round(this.height * ratio);
		this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.colours = readColours(this.canvas);
	}

	// view: { model, rows, x (time to pixels), utc, scroll, picked, row, slot }
	paint(view) {
		const c = this.context;
		c.fillStyle = this.colours.back;
		c.fillRect(0, 0, this.width, this.height);
		c.save();
		c.beginPath();
		c.rect(LABELS, AXIS, this.width - LABELS, this.height - AXIS);
		c.clip();
		const ticks = view.x.ticks(
			Math.max(2, (this.width - LABELS) / 90));
		this.paintGrid(view, ticks);
		const rows = this.visible(view);
		const bars = KINDS.map(() => []);
		for (const row of rows)
			this.paintRow(view, row, bars);
		this.flush(bars);
		this.paintSlot(view, rows);
		this.paintNow(view);
		c.restore();
		this.paintLabels(view, rows);
		this.paintAxis(view, ticks);
	}

	visible(view) {
		const from = above(view.rows.ends, view.scroll);
		const rows = [];
		for (let i = from; i < view.rows.length; i++) {
			if (view.rows[i].y - view.scroll > this.height - AXIS)
				break;
			rows.push(view.rows[i]);
		}
		return rows;
	}

	paintRow(view, row, bars) {
		const y = AXIS + row.y - view.scroll;
		const c = this.context;
		if (row.node === null)
			this.paintSums(view, row.group, y, row.h, bars);
		else
			this.paintNode(view, row, y);
		c.fillStyle = this.colours.line;
		if (row.h >= 10)
			c.fillRect(LABELS, y + row.h - 1, this.width, 1);
		if (row === view.row) {
			c.strokeStyle = this.colours.pick;
			c.strokeRect(LABELS + .5, y + .5,
				this.width - LABELS - 1, row.h - 1);
		}
	}

	// Bars of a colour together: changing it costs more than a bar.
	flush(bars) {
		const c = this.context;
		for (let k = 0; k < KINDS.length; k++) {
			c.fillStyle = this.colours.kinds[k];
			for (let i = 0; i < bars[k].length; i += 4)
				c.fillRect(bars[k][i], bars[k][i + 1],
					bars[k][i + 2], bars[k][i + 3]);
		}
	}

	// One pixel column shows the sums at its beginning.
	paintSums(view, group, y, h, bars) {
		const { at, sums } = view.model.steps(group);
		const nodes = group.last - group.first + 1;
		const [from, until] = view.x.domain().map(Number);
		const scale = (this.width - LABELS) / (until - from);
		const inner = Math.max(2, Math.round(h) - (h >= 10 ? 2 : 1));
		let i = Math.max(0, above(at, from) - 1);
		while (i < at.length && at[i] < until) {
			const left = Math.max(LABELS,
				Math.floor(LABELS + (at[i] - from) * scale));
			let next = i + 1;
			let right = next < at.length
				? LABELS + (at[next] - from) * scale : this.width;
			// What is narrower than a pixel is not drawn by itself.
			if (right < left + 1 && next < at.length) {
				next = Math.max(next, above(at,
					from + (left + 1 - LABELS) / scale) - 1);
				right = left + 1;
			}
			stack(sums[i], nodes, left, Math.ceil(right), y, inner,
				bars);
			i = next;
		}
	}

	paintNode(view, row, y) {
		const [from, until] = view.x.domain().map(Number);
		const items = row.group.items;
		for (const [item, first, last] of items) {
			if (item.from >= until)
				break;
			if (item.until > from && first <= row.node &&
			    row.node <= last)
				this.paintBar(view, item, y, row.h);
		}
	}

	paintBar(view, item, y, h) {
		const c = this.context;
		const left = Math.max(LABELS - 2, view.x(item.from));
		const right = Math.min(this.width + 2,
			view.x(item.until));
		const inner = h - 2;
		const tall = Math.max(2, inner * item.part);
		const top = y + 1 + (inner - tall) - inner * item.lane;
		c.fillStyle = colourOf(item, this.colours);
		c.fillRect(left, top, Math.max(1, right - left), tall);
		if (item === view.picked) {
			c.lineWidth = 2;
			c.strokeStyle = this.colours.pick;
			c.strokeRect(left + 1, top + 1,
				Math.max(1, right - left - 2), tall - 2);
			c.lineWidth = 1;
		}
		this.paintName(item, left, right, y, h);
	}

	paintName(item, left, right, y, h) {
		const name = item.booking ? `${item.id} ${item.user || ""}`
			: item.label || item.kind;
		const c = this.context;
		if (h < 14 || right - left < 7 * name.length)
			return;
		c.fillStyle = this.colours.back;
		c.font = "11px sans-serif";
		c.textBaseline = "middle";
		c.fillText(name, Math.max(left, LABELS) + 4, y + h / 2);
	}

	paintSlot(view, rows) {
		if (!view.slot)
			return;
		const c = this.context;
		const left = view.x(view.slot.from);
		const wide = view.x(view.slot.until) - left;
		c.strokeStyle = this.colours.slot;
		c.fillStyle = this.colours.slot;
		c.globalAlpha = .35;
		for (const row of rows)
			if (view.slot.touches(row))
				c.fillRect(left, AXIS + row.y - view.scroll, wide,
					Math.max(1, row.h - 1));
		c.globalAlpha = 1;
		c.strokeRect(left, AXIS, wide, this.height - AXIS);
	}

	paintNow(view) {
		this.context.fillStyle = this.colours.now;
		this.context.fillRect(view.x(view.model.now), AXIS, 2,
			this.height);
	}

	paintLabels(view, rows) {
		const c = this.context;
		let free = -Infinity;
		c.fillStyle = this.colours.back;
		c.fillRect(0, AXIS, LABELS, this.height);
		c.font = "12px sans-serif";
		c.textBaseline = "middle";
		for (const row of rows) {
			const y = AXIS + row.y - view.scroll + row.h / 2;
			if (y < free && row !== view.row)
				continue;
			const mark = row.node !== null ? "   "
				: row.group.open ? "▾ " : "▸ ";
			c.fillStyle = row === view.row ? this.colours.pick
				: this.colours.text;
			c.fillText(mark + (row.node === null ? row.group.name
				: view.model.names[row.node]), 4, y, LABELS - 8);
			free = y + 13;
		}
	}

	// The axis with its labels, or the lines below it.
	paintGrid(view, ticks) {
		this.context.fillStyle = this.colours.line;
		for (const tick of ticks)
			this.context.fillRect(view.x(tick), AXIS, 1, this.height);
	}

	paintAxis(view, ticks) {
		const c = this.context;
		const format = tickText(view.utc);
		c.fillStyle = this.colours.back;
		c.fillRect(0, 0, this.width, AXIS);
		c.font = "12px sans-serif";
		c.textBaseline = "middle";
		c.fillStyle = this.colours.text;
		for (const tick of ticks)
			if (view.x(tick) >= LABELS)
				c.fillText(format(tick), view.x(tick) + 3, AXIS / 2);
		c.fillStyle = this.colours.line;
		c.fillRect(0, AXIS - 1, this.width, 1);
	}
}
