// SPDX-License-Identifier: GPL-2.0-or-later
// Which bookings are shown, and where there is room for more.
"use strict";

const KIND_NAMES = { down: "down", maintenance: "maintenance",
	reservation: "reserved", job: "regular jobs", hidden: "private bookings" };

// A pattern as shells have it, "n01*", in any case of letters.
function globTest(pattern) {
	const text = pattern.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\*/g, ".*")
		.replace(/\?/g, ".");
	try {
		return new RegExp(`^${text}$`, "i");
	} catch {
		return /^$/;
	}
}

// RET what each word of a filter lets through: { nodes, items } of functions. "free",
// "gpu", "gpu:TYPE", or a node's, partition's or feature's name are about nodes; all other
// words, and "mine", about bookings. Several names of nodes add up.
function readFilter(text, model) {
	const tests = { nodes: [], names: [], items: [] };
	for (const one of text.trim().split(/\s+/).filter(Boolean)) {
		const glob = globTest(one), lower = one.toLowerCase();
		const named = model.names.some((name) => glob.test(name));
		if (lower === "free")
			tests.nodes.push((n) => model.freeNow()[n]);
		else if (lower === "mine")
			tests.items.push((item) => item.mine);
		else if (lower === "gpu")
			tests.nodes.push((n) => model.gpusOf[n]);
		else if (lower.startsWith("gpu:"))
			tests.nodes.push((n) => gpuKinds(classText(model, n, "gres")).split(", ")
				.some((kind) => globTest(one.slice(4)).test(kind)));
		else if (named)
			tests.names.push(glob);
		else if (model.classes.some((kind) => isClass(kind, glob)))
			tests.nodes.push((n) => model.classOf[n] &&
				isClass(model.classOf[n], glob));
		else
			tests.items.push((item) => [item.title, item.name, item.user, item.account,
				item.state].some((value) => value &&
				(glob.test(value) || value.toLowerCase().includes(lower))));
	}
	if (tests.names.length)
		tests.nodes.push((n) => tests.names.some((one) => one.test(model.names[n])));
	return tests;
}

function classText(model, node, key) {
	return model.classOf[node] ? model.classOf[node][key] : "";
}

function isClass(one, glob) {
	return [...one.partitions, ...one.features.split(/[,&]/)].some((name) =>
		name && glob.test(name));
}

Object.assign(Calendar.prototype, {
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
		const none = !byId("accounts").children.length;
		byId("account").parentElement.hidden = none;
		byId("by-account").hidden = none;
		byId("mine").parentElement.hidden =
			!this.model.bookings.some((item) => item.mine);
	},

	filter() {
		const user = byId("user").value.trim();
		const account = byId("account").value.trim();
		const state = byId("state").value;
		const mine = byId("mine").checked;
		const { nodes, items } = readFilter(byId("find").value, this.model);
		this.model.filter((item) => (!user || item.user === user) &&
			(!account || item.account === account) &&
			(!state || item.state === state) && (!mine || item.mine) &&
			items.every((test) => test(item)));
		const { hides } = this.model, before = hides.slice();
		for (let n = 0; n < hides.length; n++)
			hides[n] = +!nodes.every((test) => test(n));
		if (hides.some((one, n) => one !== before[n]))
			this.layRows();
		this.refresh();
	},

	// Name the colours in sight, and no others.
	fillLegend() {
		const seen = this.painter.inSight;
		const names = [...this.model.hues].filter(([, n]) => seen.has(n));
		const entries = [[seen.has(MINE), "mine", "mine"],
			...names.filter(([, n]) => n < 4).map(([name, n]) =>
				[true, `name-${n + 1}`, name || "no name"]),
			[seen.has(OTHERS) || names.some(([, n]) => n >= 4), "others",
				seen.has(OTHERS) ? "others" : "the rest"],
			...KINDS.slice(0, -1).map((kind) => [seen.has(kind), kind,
				KIND_NAMES[kind]]),
			[this.model.occupancy().hasGpus, "gpu-line", "GPUs in use"],
			[this.most < 1, "most-line", "most that can be booked"]]
			.filter(([shown]) => shown);
		const text = entries.map(([, key, name]) => `${key} ${name}`).join("\n");
		if (text === this.legendText)
			return;
		this.legendText = text;
		byId("legend").replaceChildren(...entries.map(([, key, name]) => {
			const entry = document.createElement("li");
			const mark = document.createElement("span");
			mark.className = `key ${key}`;
			entry.append(mark, ` ${name}`);
			return entry;
		}));
	},

	search() {
		const nodes = Number(byId("nodes").value);
		const [hours, minutes] = byId("hours").value.split(":").map(Number);
		const length = (hours * 60 + (minutes || 0)) * MINUTE;
		const from = Math.ceil((this.model.now + 1) / MINUTE) * MINUTE;
		const slots = length ? findSlots(this.model, nodes, length, from,
			this.model.extent[1] + 7 * DAY + length, 12) : [];
		const what = `${plural(nodes, "node")} for ${durationText(length)}`;
		const verb = nodes === 1 ? "is" : "are";
		this.say(slots.length ? `${what} ${verb} free from ` +
			timeText(slots[0].from, this.clock())
			: `${what} ${verb} not free at the same time; ` +
			`the cluster has ${plural(this.model.names.length, "node")}`);
		byId("slots").replaceChildren(...slots.map(
			(slot) => this.slotLine(slot, nodes, length)));
		if (slots.length)
			this.showSlot(slots[0].from, nodes, length);
		else
			this.slot = null;
		this.draw();
	},

	slotLine(slot, nodes, length) {
		const line = document.createElement("li");
		const button = document.createElement("button");
		button.textContent = `start ${timeText(slot.from, this.clock())} to ` +
			timeText(slot.until, this.clock());
		button.onclick = () => this.showSlot(slot.from, nodes, length);
		line.append(button);
		return line;
	},

	showSlot(from, nodes, length) {
		const until = from + length;
		this.slot = { from, until,
			free: freeNodes(this.model, from, until) };
		this.panel.show("Free", `${plural(nodes, "node")} from ` +
			`${timeText(from, this.clock())} for ${durationText(length)}.`,
		askCommands(nodes, length, from, this.model.zone));
		this.show(from - length, until + length);
	},
});
