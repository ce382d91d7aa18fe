// SPDX-License-Identifier: GPL-2.0-or-later
// Draws what is visible of the calendar on a canvas: a box for each booking over
// all neighbours among its nodes, whether a row has one node or hundreds.
"use strict";

// Days and hours, and below them what is occupied: both stay where they are.
const HOURS = 44, OCCUPIED = 32, AXIS = HOURS + OCCUPIED;
// A section's row, and the picture of one that is closed.
const SECTION = 24, AREA_LEAST = 64, AREA_MOST = 320;
const LABEL_FONT = "12px system-ui, sans-serif";

const BOXES_FEW = 200;

const LANE_LEAST = 10, LANE = 16, LANES_MOST = 8;

// Nodes with GPUs have higher rows, where rows are high enough to be read.
function rowHeight(model, node, height) {
	const gpus = model.gpusOf[node];
	return gpus && gpus <= LANES_MOST && height >= 24
		? Math.max(height, LANE * (gpus + 1)) : height;
}

// The rows of the calendar from top to bottom: a section, a group, or its name and the
// nodes of one that is open. tops and ends tell of each node where it begins and
// ends. Nodes that a filter hides have no height.
function layOut(model, height, room = 0) {
	const rows = [];
	const count = model.names.length;
	const tops = new Float64Array(count), ends = new Float64Array(count);
	const area = new Uint8Array(count);
	let y = 0;
	const shown = (first, last) => {
		let sum = 0;
		for (let n = first; n <= last; n++)
			sum += !model.hides[n];
		return sum;
	};
	const place = (first, last, h) => {
		const each = h / (shown(first, last) || 1);
		for (let n = first, at = y; n <= last; n++) {
			tops[n] = at;
			ends[n] = at += model.hides[n] ? 0 : each;
		}
	};
	const add = (row, first, last, h) => {
		rows.push({ section: null, group: null, node: null, ...row, first, last, y, h });
		place(first, last, h);
		y += h;
	};
	const closed = model.sections.filter((one) => !one.open).length;
	const tall = Math.max(AREA_LEAST, Math.min(AREA_MOST,
		Math.floor((room - SECTION * model.sections.length) / Math.max(1, closed))));
	const addGroup = (group) => {
		const single = group.first === group.last;
		place(group.first, group.last, 0);
		if (!shown(group.first, group.last))
			return;
		add({ group, node: single ? group.first : null }, group.first, group.last,
			single ? rowHeight(model, group.first, height) : height);
		for (let n = group.first; !single && group.open && n <= group.last; n++)
			if (!model.hides[n])
				add({ group, node: n }, n, n, rowHeight(model, n,
					Math.max(16, height)));
	};
	let g = 0;
	const addGroups = (last) => {
		for (; g < model.groups.length && model.groups[g].first <= last; g++)
			addGroup(model.groups[g]);
	};
	for (const section of model.sections) {
		const { first, last, open } = section;
		const some = shown(first, last);
		if (some)
			add({ section }, first, last, open ? SECTION : tall);
		if (some && !open)
			area.fill(1, first, last + 1);
		if (some && open)
			addGroups(last);
		else
			while (g < model.groups.length && model.groups[g].first <= last)
				g++;
	}
	addGroups(count);
	rows.area = area;
	// Each GPU has a lane in rows that are high enough, and the cores have one below.
	rows.lanes = new Uint16Array(model.names.length);
	for (const { node, h } of rows)
		if (node !== null && model.gpusOf[node] &&
		    h >= LANE_LEAST * (model.gpusOf[node] + 1))
			rows.lanes[node] = model.gpusOf[node];
	rows.usual = height;
	rows.ends = rows.map((row) => row.y + row.h);
	return Object.assign(rows, { total: y, tops, nodeEnds: ends });
}

// "5 of 6 free"
function freeText(model, { first, last }) {
	const { free, count } = model.countFree(first, last);
	return `${free} of ${count} free`;
}

function readColours(element) {
	const style = getComputedStyle(element);
	const read = (name) => style.getPropertyValue(name).trim();
	const paint = (name) => ({ fill: read(`--${name}-fill`),
		edge: read(`--${name}`), text: read(`--${name}-text`) });
	return {
		text: read("--text"), faint: read("--faint"),
		line: read("--line"), day: read("--day"), back: read("--back"),
		now: read("--now"), pick: read("--pick"), slot: read("--slot"),
		fills: KINDS.map((kind) => read(`--${kind}-fill`)),
		edges: KINDS.map((kind) => read(`--${kind}`)),
		focus: read("--focus"), gpu: read("--name-2"), band: read("--band"),
		job: read("--job-area"), mine: paint("mine"), others: paint("others"),
		names: [1, 2, 3, 4].map((n) => paint(`name-${n}`)),
	};
}

// Lines from corner to corner, which tell what is closed from what is booked.
function hatch(context, fill, edge) {
	const tile = document.createElement("canvas");
	tile.width = tile.height = 8;
	const c = tile.getContext("2d");
	c.fillStyle = fill;
	c.fillRect(0, 0, 8, 8);
	c.strokeStyle = edge;
	c.beginPath();
	for (const x of [-4, 4, 12]) {
		c.moveTo(x - 5, 9);
		c.lineTo(x + 5, -1);
	}
	c.stroke();
	return context.createPattern(tile, "repeat");
}

// Lines of 12 by 12 pixels.
const ICONS = typeof Path2D === "undefined" ? {} : {
	note: new Path2D("M11 6A5 5 0 1 1 1 6A5 5 0 1 1 11 6M6 5.5V9M6 3V4.2"),
	open: new Path2D("M2 4L6 8L10 4"),
	closed: new Path2D("M4 2L8 6L4 10"),
};

function isOver(item) {
	return /^(completed|terminated|no-show)/.test(item.state || "");
}

class Painter {
	constructor(canvas) {
		this.canvas = canvas;
		this.context = canvas.getContext("2d");
		this.labels = 150;
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
		this.patterns = KINDS.map((kind, k) =>
			["down", "maintenance", "reservation"].includes(kind)
				? hatch(this.context, this.colours.fills[k],
					this.colours.edges[k]) : null);
	}

	// So wide that the longest name of a row fits, within a third.
	fitLabels(model) {
		this.context.font = LABEL_FONT;
		const wide = (text) => this.context.measureText(text).width;
		// Names of sections are bold.
		const bold = (text) => {
			this.context.font = `600 ${LABEL_FONT}`;
			const all = wide(text);
			this.context.font = LABEL_FONT;
			return all;
		};
		const sections = model.sections.reduce((most, one) => Math.max(most,
			bold(one.name) + wide(freeText(model, one)) + 14), 60);
		const widest = model.groups.reduce((most, group) => Math.max(most,
			wide(group.name)), sections);
		const lanes = model.classes.reduce((most, one) => Math.max(most, one.gpus
			? wide(gpuText(one.gres)) : 0), 0);
		const mark = model.sections.length ||
			model.groups.length < model.names.length ? 30 : 16;
		this.labels = Math.round(Math.min(Math.max(widest, Math.min(lanes, 110)) + mark,
			this.width / 3));
	}

	// view: { model, rows, scale, scroll, picked, row, slot }
	paint(view) {
		const c = this.context;
		c.fillStyle = this.colours.back;
		c.fillRect(0, 0, this.width, this.height);
		this.ticks = { hours: view.scale.hours(), days: view.scale.days() };
		this.inSight = new Set();
		c.save();
		c.beginPath();
		c.rect(this.labels, AXIS, this.width - this.labels,
			this.height - AXIS);
		c.clip();
		this.paintGrid(view);
		this.paintAreas(view);
		this.paintItems(view);
		this.paintSlot(view);
		this.paintDraft(view);
		this.paintCursor(view);
		c.restore();
		this.paintLabels(view);
		this.paintAxis(view);
		this.paintOccupied(view);
		this.paintNow(view);
		this.paintBar(view);
	}

	// The line of now over all rows, and its time in the axis if that has hours.
	paintNow(view) {
		const c = this.context, x = view.scale.x(view.model.now);
		if (x < this.labels || x > this.width)
			return;
		const text = view.scale.hourText(Math.floor(view.model.now / MINUTE) * MINUTE);
		c.fillStyle = this.colours.now;
		c.fillRect(x - 1, HOURS - 4, 2, this.rowsEnd(view) - HOURS + 4);
		if (!this.ticks.hours.length) {
			c.beginPath();
			c.arc(x, HOURS - 4, 4, 0, 2 * Math.PI);
			c.fill();
			return;
		}
		c.font = `600 ${LABEL_FONT}`;
		const wide = c.measureText(text).width + 8;
		const left = Math.max(this.labels, Math.min(this.width - wide, x - wide / 2));
		c.beginPath();
		c.roundRect(left, 23, wide, 17, 4);
		c.fill();
		c.fillStyle = this.colours.back;
		c.textBaseline = "middle";
		c.fillText(text, left + 4, 32);
	}

	/* --- what is occupied --------------------------------------------------- */

	// Shares as an area from below: all that is taken, what is booked, and a line of GPUs.
	paintShares(view, list, top, tall) {
		const c = this.context, bottom = top + tall;
		const height = (share) => Math.round(share * (tall - 2));
		const paint = (shares, colour, call) => {
			c.fillStyle = colour;
			eachLevel(sharePixels(view.scale, list, shares), height, call);
		};
		const area = (x, wide, high) => c.fillRect(this.labels + x, bottom - high, wide, high);
		paint(list.taken, this.colours.job, area);
		paint(list.booked, this.colours.day, area);
		let last = null;
		if (list.hasGpus)
			paint(list.gpus, this.colours.gpu, (x, wide, high) => {
				c.fillRect(this.labels + x, bottom - high - 2, wide, 2);
				if (last !== null)
					c.fillRect(this.labels + x - 1, bottom - 2 - Math.max(high, last),
						2, Math.abs(high - last) + 2);
				last = high;
			});
	}

	// The row that stays: the occupied share of all nodes, and the most that may be booked.
	paintOccupied(view) {
		const c = this.context, tall = OCCUPIED - 4, top = HOURS + 2;
		c.fillStyle = this.colours.back;
		c.fillRect(0, HOURS, this.width, OCCUPIED);
		c.save();
		c.beginPath();
		c.rect(this.labels, HOURS, this.width - this.labels, OCCUPIED);
		c.clip();
		const list = view.model.occupancy();
		this.paintShares(view, list, top, tall);
		if (view.most < 1) {
			const y = Math.round(top + tall - view.most * (tall - 2)) + .5;
			c.strokeStyle = this.colours.now;
			c.setLineDash([4, 3]);
			c.beginPath();
			c.moveTo(this.labels, y);
			c.lineTo(this.width, y);
			c.stroke();
			c.setLineDash([]);
		}
		c.restore();
		c.font = LABEL_FONT;
		c.textBaseline = "middle";
		c.fillStyle = this.colours.text;
		const now = Math.round(100 * shareAt(list, list.taken, view.model.now));
		const text = `Occupied ${now} %`;
		c.fillText(this.fitWords([text], this.labels - 8) || `${now} %`, 6, top + 9);
		c.fillStyle = this.colours.faint;
		const gpus = list.hasGpus && `GPUs ${Math.round(100 *
			shareAt(list, list.gpus, view.model.now))} %`;
		if (gpus)
			c.fillText(this.fitWords([gpus], this.labels - 8), 6, top + 22);
		c.fillStyle = this.colours.day;
		c.fillRect(0, AXIS - 1, this.width, 1);
	}

	// A section that is closed: its occupied share as an area.
	paintAreas(view) {
		const c = this.context;
		for (const { section, y, h } of this.visible(view)) {
			if (!section)
				continue;
			if (section.open) {
				c.fillStyle = this.colours.band;
				c.fillRect(this.labels, AXIS + y - view.scroll, this.width, h - 1);
			} else {
				c.fillStyle = this.colours.line;
				const at = (part) => Math.round(AXIS + y - view.scroll + 6 +
					part * (h - 10));
				for (const part of [0, .5])
					c.fillRect(this.labels, at(part), this.width, 1);
				this.paintShares(view, view.model.occupancy(section),
					AXIS + y - view.scroll + 4, h - 8);
				c.font = LABEL_FONT;
				c.textBaseline = "middle";
				c.fillStyle = this.colours.faint;
				c.fillText("50 %", this.width - 34, at(.5) - 8);
			}
		}
	}

	// The place that the keys have come to.
	paintCursor(view) {
		const { row, cursor } = view, c = this.context;
		if (!row || !cursor)
			return;
		const left = view.scale.x(cursor.from);
		c.strokeStyle = this.colours.focus;
		c.lineWidth = 2;
		c.strokeRect(left + 1, AXIS + row.y - view.scroll + 1,
			Math.max(4, view.scale.x(cursor.until) - left - 2), row.h - 3);
		c.lineWidth = 1;
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

	paintGrid(view) {
		const c = this.context;
		const tall = this.rowsEnd(view) - AXIS;
		c.fillStyle = this.colours.line;
		for (const tick of this.ticks.hours)
			c.fillRect(Math.round(view.scale.x(tick)), AXIS, 1, tall);
		for (const row of this.visible(view)) {
			c.fillRect(this.labels, Math.round(AXIS + row.y + row.h -
				view.scroll) - 1, this.width, 1);
			this.paintLanes(view, row);
		}
		for (const tick of this.ticks.days) {
			c.fillStyle = view.scale.isMain(tick) ? this.colours.day
				: this.colours.line;
			c.fillRect(Math.round(view.scale.x(tick)), AXIS, 1, tall);
		}
	}

	// Where the last row ends, or the picture.
	rowsEnd(view) {
		return Math.min(this.height, AXIS + view.rows.total - view.scroll);
	}

	// A dotted line between the GPUs of a node, one more above its cores.
	paintLanes(view, row) {
		const lanes = row.node === null ? 0 : view.rows.lanes[row.node];
		const c = this.context, tall = row.h / (lanes + 1);
		if (!lanes)
			return;
		c.strokeStyle = this.colours.line;
		c.setLineDash([2, 4]);
		c.beginPath();
		for (let i = 1; i <= lanes; i++) {
			const y = Math.round(AXIS + row.y - view.scroll + i * tall) - .5;
			c.moveTo(this.labels, y);
			c.lineTo(this.width, y);
		}
		c.stroke();
		c.setLineDash([]);
	}

	/* --- boxes ------------------------------------------------------------ */

	paintItems(view) {
		const boxes = [];
		// Small ones that fall on each other are painted once.
		const pixels = Math.ceil(this.width + 2) * Math.ceil(this.height + 2);
		if (this.taken && this.taken.length === pixels)
			this.taken.fill(0);
		else
			this.taken = new Uint8Array(pixels);
		this.small = new Map();
		for (const item of view.model.items)
			if (item.shown && item.until > view.scale.from &&
			    item.from < view.scale.until)
				this.placeItem(view, item, boxes);
		for (const [colour, rects] of this.small) {
			this.context.fillStyle = colour;
			for (let i = 0; i < rects.length; i += 4)
				this.context.fillRect(rects[i], rects[i + 1],
					rects[i + 2], rects[i + 3]);
		}
		// A name below another box is covered, too. Of many boxes the names are painted
		// together, which takes half the time.
		const paintName = (box) => box.silent || this.paintName(view, box);
		for (const box of boxes) {
			this.paintBox(view, box);
			if (boxes.length <= BOXES_FEW)
				paintName(box);
		}
		if (boxes.length > BOXES_FEW)
			boxes.forEach(paintName);
		this.boxes = boxes;
	}

	// Whether one of an item's boxes is at a place, as it was painted last.
	isAt(item, x, y) {
		return this.boxes.some((box) => box.item === item && x >= box.left &&
			x <= box.left + box.wide && y >= box.top && y <= box.top + box.tall);
	}

	// RET what is painted at a place.
	itemsAt(x, y) {
		return this.boxes.filter(({ left, top, wide, tall }) => x >= left &&
			x <= left + wide && y >= top && y <= top + tall).map((box) => box.item);
	}

	// Where an item's boxes are; those too small for an edge are put aside.
	placeItem(view, item, boxes) {
		this.inSight.add(item.booking ? item.hue : KINDS[item.type]);
		const left = Math.max(this.labels - 4, view.scale.x(item.from));
		const wide = Math.min(this.width + 4, view.scale.x(item.until)) -
			left;
		const { tops, nodeEnds, area } = view.rows;
		for (const [first, last] of item.runs) {
			const top = tops[first] + AXIS - view.scroll;
			if (nodeEnds[last] === tops[first])
				continue;
			// A closed section shows the reader's own bookings as bars of one height.
			if (area[first]) {
				if (item.mine)
					this.placeBox(item, left, tops[view.model.sectionOf(first)
						.first] + AXIS - view.scroll + 4, wide, 16,
					false, boxes);
				continue;
			}
			if (item.corePart !== undefined && last - first < 64 &&
			    nodeEnds[first] - tops[first] >= 8)
				for (let n = first; n <= last; n++)
					this.placePart(view, item, n, left, wide, boxes);
			else
				this.placeBox(item, left, top, wide,
					nodeEnds[last] - tops[first], false, boxes);
		}
	}

	placeBox(item, left, top, wide, tall, silent, boxes) {
		if (top > this.height || top + tall < AXIS)
			return;
		if (wide > 4 && tall > 3)
			boxes.push({ item, left, top, wide, tall, silent });
		else
			this.placeSmall(item, left, top, Math.max(1, wide),
				Math.max(1, tall));
	}

	// A part of a node: of its cores and, in their lanes, its GPUs.
	placePart(view, item, n, left, wide, boxes) {
		const top = view.rows.tops[n] + AXIS - view.scroll;
		const tall = view.rows.nodeEnds[n] - view.rows.tops[n];
		const lanes = view.rows.lanes[n];
		if (!lanes) {
			const part = view.model.partOn(item, n);
			this.placeBox(item, left, top + tall * (1 - item.lane - part),
				wide, tall * part, false, boxes);
			return;
		}
		const lane = tall / (lanes + 1), gpus = view.model.gpusOn(item, n);
		const cores = Math.max(3, lane * view.model.coresOn(item, n));
		if (gpus)
			this.placeBox(item, left, top + lane * item.gpuLane, wide,
				lane * Math.min(gpus, lanes), false, boxes);
		this.placeBox(item, left, top + tall - lane * item.coreLane - cores, wide,
			cores, gpus > 0, boxes);
	}

	placeSmall(item, left, top, wide, tall) {
		const colour = item.booking ? this.hueOf(item).edge
			: this.colours.edges[item.type];
		if (wide <= 2 && tall <= 2) {
			const at = Math.max(0, Math.floor(top)) *
				Math.ceil(this.width + 2) + Math.floor(left);
			if (this.taken[at])
				return;
			this.taken[at] = 1;
		}
		if (!this.small.has(colour))
			this.small.set(colour, []);
		this.small.get(colour).push(left, top,
			wide > 3 ? wide - .5 : wide, tall > 2 ? tall - .5 : tall);
	}

	hueOf(item) {
		return item.hue === MINE ? this.colours.mine
			: this.colours.names[item.hue] || this.colours.others;
	}

	paintBox(view, { item, left, top, wide, tall }) {
		const c = this.context;
		const { fill, edge } = item.booking ? this.hueOf(item)
			: { fill: this.patterns[item.type] || this.colours.fills[item.type],
				edge: this.colours.edges[item.type] };
		const picked = view.picked && item.id === view.picked.id &&
			item.booking;
		const x = Math.round(left), y = Math.round(top);
		const w = Math.max(1, Math.round(left + wide) - x - 1);
		const h = Math.max(1, Math.round(top + tall) - y - 1);
		const dashed = item.booking && (item.benefit < 1 || item.held);
		if (isOver(item))
			c.globalAlpha = .45;
		// Only what is large enough has round corners.
		const isRound = w > 12 && h > 12;
		c.fillStyle = fill;
		if (isRound)
			this.roundPath(x, y, w, h).fill();
		else
			c.fillRect(x, y, w, h);
		if (picked || (w > 5 && h > 4)) {
			c.strokeStyle = picked ? this.colours.pick : edge;
			c.lineWidth = picked ? 3 : 1;
			if (dashed)
				c.setLineDash([5, 3]);
			if (isRound)
				this.roundPath(x + .5, y + .5, w - 1, h - 1).stroke();
			else
				c.strokeRect(x + .5, y + .5, w - 1, h - 1);
			if (dashed)
				c.setLineDash([]);
			c.lineWidth = 1;
		}
		c.globalAlpha = 1;
	}

	// RET the context, with the path of a box that has round corners.
	roundPath(x, y, w, h) {
		this.context.beginPath();
		this.context.roundRect(x, y, w, h, 3);
		return this.context;
	}

	// Its number and owner, on as many lines as there is room for.
	paintName(view, { item, left, top, wide, tall }) {
		const { clock } = view.scale;
		let from = Math.max(left, this.labels), until = Math.min(left + wide, this.width);
		const now = view.scale.x(view.model.now);
		// The line of now does not cross words: they are on its longer side.
		if (now > from && now < until && until - now > now - from)
			from = now + 1;
		else if (now > from && now < until)
			until = now - 1;
		const begin = Math.max(top, AXIS);
		const room = until - from - (item.mine ? 12 : 8);
		const high = Math.min(top + tall, this.height) - begin;
		if (room < 8 || high < 13)
			return;
		const c = this.context;
		const lines = item.booking ? [item.title, item.name, item.mine ? "" : item.user,
			gresText(item.gres), noteText(item, clock)]
			: [item.title, item.kind === "job" ? gresText(item.gres) : ""];
		const shown = lines.filter(Boolean);
		const ink = item.booking ? this.hueOf(item).text : this.colours.text;
		c.fillStyle = ink;
		c.font = LABEL_FONT;
		c.textBaseline = "middle";
		const several = high >= 44;
		const icon = item.note ? 16 : 0;
		const texts = several ? shown.filter((text) => c.measureText(text.split(" ")[0])
			.width <= room).slice(0, Math.floor((high - 4) / 16))
			: [this.fitWords(shown, room - icon)];
		const x = from + (item.mine ? 8 : 4);
		if (icon && room >= icon)
			this.paintIcon(ICONS.note, x, begin + (several ? 12 : high / 2) - 6);
		texts.forEach((text, i) => {
			const y = several ? begin + 12 + 16 * i : begin + high / 2;
			const shift = i ? 0 : icon;
			const cut = !several ? text
				: this.fitWords(text.split(" "), room - shift);
			if (!cut)
				return;
			if (this.patterns[item.type]) {
				c.fillStyle = this.colours.fills[item.type];
				c.fillRect(x + shift - 2, y - 7,
					c.measureText(cut).width + 4, 14);
				c.fillStyle = ink;
			}
			c.fillText(cut, x + shift, y);
		});
	}

	// A picture of 12 pixels, in the colour of the text beside it.
	paintIcon(path, x, y) {
		const c = this.context;
		c.save();
		c.translate(x, y);
		c.strokeStyle = c.fillStyle;
		c.lineWidth = 1.5;
		c.stroke(path);
		c.restore();
	}

	// As many of the words as fit in their full length, "" if the first does not.
	fitWords(words, room) {
		for (let n = words.length; n; n--) {
			const text = words.slice(0, n).join(" ");
			if (this.context.measureText(text).width <= room)
				return text;
		}
		return "";
	}

	// As much of a text as there is room for, "" for what would be too little.
	cut(text, room) {
		const wide = this.context.measureText(text).width;
		if (wide <= room)
			return text;
		const most = Math.floor(text.length * room / wide) - 1;
		return most < 3 ? "" : text.slice(0, most) + "…";
	}

	paintSlot(view) {
		if (!view.slot)
			return;
		const c = this.context;
		const left = view.scale.x(view.slot.from);
		const wide = view.scale.x(view.slot.until) - left;
		c.strokeStyle = this.colours.slot;
		c.fillStyle = this.colours.slot;
		c.globalAlpha = .35;
		view.slot.free.forEach((free, n) => {
			if (free && !view.rows.area[n])
				c.fillRect(left, AXIS + view.rows.tops[n] - view.scroll,
					wide, view.rows.nodeEnds[n] -
					view.rows.tops[n]);
		});
		c.globalAlpha = 1;
		c.strokeRect(left, AXIS, wide, Math.min(this.height - AXIS,
			view.rows.total - view.scroll));
	}

	// Drafts, of a new booking or of a changed one, are dashed, and red where something is
	// in the way. { from, until, first, last, conflict, text }
	paintDraft(view) {
		for (const draft of view.drafts || []) {
			const c = this.context, { tops, nodeEnds } = view.rows;
			const left = view.scale.x(draft.from);
			const wide = Math.max(3, view.scale.x(draft.until) - left);
			const first = draft.first === undefined ? 0 : draft.first;
			const last = draft.last === undefined ? tops.length - 1 : draft.last;
			const { part, lane } = this.draftPart(view, draft, first);
			const top = AXIS + tops[first] - view.scroll +
				lane * (nodeEnds[first] - tops[first]);
			const tall = (nodeEnds[last] - tops[first]) * part;
			const colour = draft.conflict ? this.colours.now : this.colours.slot;
			c.globalAlpha = .16;
			c.fillStyle = colour;
			c.fillRect(left, top, wide, tall);
			c.globalAlpha = 1;
			c.strokeStyle = colour;
			c.lineWidth = 2;
			c.setLineDash([6, 4]);
			c.strokeRect(left + 1, top + 1, Math.max(1, wide - 2),
				Math.max(1, tall - 2));
			c.setLineDash([]);
			c.lineWidth = 1;
			if (draft.text && tall >= 13) {
				c.font = LABEL_FONT;
				c.textBaseline = "middle";
				const text = this.fitWords(draft.text.split(" "), wide - 12);
				const y = top + Math.min(tall / 2, 14);
				// The words stay readable over a booking that is in the way.
				c.fillStyle = this.colours.back;
				if (text)
					c.fillRect(left + 4, y - 8, c.measureText(text).width + 4, 16);
				c.fillStyle = this.colours.text;
				c.fillText(text, left + 6, y);
			}
		}
	}

	// RET which part of a node's row a draft of some of its GPUs has, from the first lane
	// on that is free.
	draftPart(view, draft, node) {
		const lanes = draft.gpus && draft.first === draft.last ? view.rows.lanes[node] : 0;
		if (!lanes || draft.gpus >= lanes)
			return { part: 1, lane: 0 };
		const gpusOn = (item) => view.model.gpusOn(item, node);
		const taken = view.model.items.filter((item) => item !== draft.item &&
			item.from < draft.until && item.until > draft.from && gpusOn(item) &&
			item.runs.some(([first, last]) => first <= node && node <= last));
		let lane = 0;
		while (lane < lanes - draft.gpus && taken.some((item) =>
			item.gpuLane < lane + draft.gpus && lane < item.gpuLane + gpusOn(item)))
			lane++;
		return { part: draft.gpus / (lanes + 1), lane: lane / (lanes + 1) };
	}

	/* --- what stands around ----------------------------------------------- */

	// A name for every row, but for those that the reader made too low.
	paintLabels(view) {
		const c = this.context;
		let free = -Infinity;
		c.save();
		c.beginPath();
		c.rect(0, AXIS, this.width, this.height - AXIS);
		c.clip();
		c.fillStyle = this.colours.back;
		c.fillRect(0, AXIS, this.labels, this.height);
		c.font = LABEL_FONT;
		c.textBaseline = "middle";
		for (const row of this.visible(view)) {
			const y = AXIS + row.y - view.scroll + row.h / 2;
			if (row === view.row)
				this.paintRow(view, row);
			if ((y < free && row !== view.row) || y < AXIS + 5)
				continue;
			if (row.section) {
				this.paintSectionName(view, row);
				free = AXIS + row.y - view.scroll + 21;
				continue;
			}
			const grouped = row.group.first !== row.group.last;
			const left = grouped || view.model.sections.length ? 22 : 6;
			c.fillStyle = this.colours.text;
			if (grouped && row.node === null)
				this.paintIcon(row.group.open ? ICONS.open : ICONS.closed,
					6, y - 6);
			const lanes = row.node === null ? 0 : view.rows.lanes[row.node];
			c.fillText(this.cut(row.node === null
				? row.group.name : view.model.names[row.node],
				this.labels - left - 2), left, lanes ? y - 8 : y);
			if (lanes)
				this.paintLaneNames(view, row, lanes, left, y + 8);
			else
				this.paintGpuState(view, row, left, y);
			free = y + 13;
		}
		c.restore();
	}

	// How many GPUs are free now, beside the name of a row without lanes.
	paintGpuState(view, row, left, y) {
		const c = this.context, text = view.model.gpuState(row.first, row.last);
		const name = row.node === null ? row.group.name : view.model.names[row.node];
		const wide = c.measureText(text).width;
		if (!text || left + c.measureText(name).width + wide + 12 > this.labels)
			return;
		c.fillStyle = this.colours.faint;
		c.fillText(text, this.labels - 6 - wide, y);
	}

	// The name of a section and how many of its nodes are free now.
	paintSectionName(view, row) {
		const c = this.context, { section } = row, y = AXIS + row.y - view.scroll + 12;
		if (section.open) {
			c.fillStyle = this.colours.band;
			c.fillRect(0, y - 12, this.labels, row.h - 1);
		}
		c.fillStyle = this.colours.text;
		this.paintIcon(section.open ? ICONS.open : ICONS.closed, 6, y - 6);
		const free = freeText(view.model, section);
		const wide = c.measureText(free).width;
		c.font = `600 ${LABEL_FONT}`;
		const room = this.labels - 28;
		const beside = c.measureText(section.name).width + wide + 8 <= room;
		c.fillText(this.cut(section.name, room), 22, y);
		c.font = LABEL_FONT;
		c.fillStyle = this.colours.faint;
		if (beside)
			c.fillText(free, this.labels - 6 - wide, y);
		if (section.open)
			return;
		const list = view.model.occupancy(section);
		const percent = (shares) => `${Math.round(100 * shareAt(list, shares,
			view.model.now))} %`;
		[...(beside ? [] : [free]), `occupied ${percent(list.taken)}`,
			...(list.hasGpus ? [`GPUs ${percent(list.gpus)}`] : [])].forEach((text, i) =>
			c.fillText(this.cut(text, room), 22, y + 16 * (i + 1)));
	}

	// Write which GPUs a node has below its name.
	paintLaneNames(view, row, lanes, left, y) {
		const c = this.context;
		const text = gpuText(view.model.classOf[row.node].gres);
		c.fillStyle = this.colours.faint;
		c.fillText(this.fitWords([text], this.labels - left - 2) ||
			this.fitWords([plural(lanes, "GPU")], this.labels - left - 2),
		left, y);
		const lane = row.h / (lanes + 1);
		if (lane >= 12)
			c.fillText("cores", this.labels - 6 - c.measureText("cores").width,
				AXIS + row.y - view.scroll + row.h - lane / 2);
	}

	paintRow(view, row) {
		this.context.strokeStyle = this.colours.pick;
		this.context.strokeRect(1.5, AXIS + row.y - view.scroll + .5,
			this.width - 3, row.h - 1);
	}

	// Days above, hours below; the first day is named wherever it begins.
	paintAxis(view) {
		const c = this.context;
		const { scale } = view;
		c.fillStyle = this.colours.back;
		c.fillRect(0, 0, this.width, HOURS);
		c.font = LABEL_FONT;
		c.textBaseline = "middle";
		c.fillStyle = this.colours.faint;
		c.fillText(this.cut(view.zone, this.labels - 8), 6, 32);
		c.fillStyle = this.colours.text;
		for (const tick of this.ticks.hours) {
			const text = scale.hourText(tick);
			const half = c.measureText(text).width / 2;
			const x = scale.x(tick);
			const nearNow = Math.abs(x - scale.x(view.model.now)) < half + 24;
			if (x - half >= this.labels && x + half <= this.width && !nearNow)
				c.fillText(text, x - half, 32);
			c.fillRect(Math.round(x), 40, 1, 4);
		}
		const measure = (text) => c.measureText(text).width;
		if (!this.ticks.hours.length) {
			c.fillStyle = this.colours.faint;
			for (const label of scale.monthLabels(measure))
				c.fillText(label.text, label.x, 32);
			c.fillStyle = this.colours.text;
		}
		c.font = `600 ${LABEL_FONT}`;
		for (const label of scale.dayLabels(measure)) {
			c.fillText(label.text, label.x, 12);
			if (label.tick)
				c.fillRect(Math.round(label.x - 4), 4, 1,
					this.ticks.hours.length ? HOURS - 4 : 18);
		}
		c.fillStyle = this.colours.day;
		c.fillRect(0, HOURS - 1, this.width, 1);
	}

	// Which part of the rows is in sight.
	paintBar(view) {
		const room = this.height - AXIS;
		if (view.rows.total <= room + 1)
			return;
		this.context.fillStyle = this.colours.faint;
		this.context.fillRect(this.width - 5,
			AXIS + room * view.scroll / view.rows.total, 4,
			room * room / view.rows.total);
	}
}
