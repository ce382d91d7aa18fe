// SPDX-License-Identifier: GPL-2.0-or-later
// Which bookings are shown, and where there is room for more.
"use strict";

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
		this.model.filter((item) => (!user || item.user === user) &&
			(!account || item.account === account) &&
			(!state || item.state === state) && (!mine || item.mine));
		this.refresh();
	},

	search() {
		const nodes = Number(byId("nodes").value);
		const [hours, minutes] = byId("hours").value.split(":").map(Number);
		const length = (hours * 60 + (minutes || 0)) * MINUTE;
		const from = Math.ceil((this.model.now + 1) / MINUTE) * MINUTE;
		const slots = length ? findSlots(this.model, nodes, length, from,
			this.model.extent[1] + 7 * DAY + length, 12) : [];
		this.say(slots.length ? `${nodes} nodes for ${lengthText(length)} ` +
			`are free from ${timeText(slots[0].from, this.utc())}`
			: `${nodes} nodes for ${lengthText(length)} are not free ` +
			`together; there are ${this.model.names.length}`);
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
		button.textContent = `start ${timeText(slot.from, this.utc())} to ` +
			timeText(slot.until, this.utc());
		button.onclick = () => this.showSlot(slot.from, nodes, length);
		line.append(button);
		return line;
	},

	showSlot(from, nodes, length) {
		const until = from + length;
		this.slot = { from, until,
			free: freeNodes(this.model, from, until) };
		this.panel.show("Free", `${nodes} nodes from ` +
			`${timeText(from, this.utc())} for ${lengthText(length)}.`,
		askCommands(nodes, length, from, this.model.zone));
		this.show(from - length, until + length);
	},
});

try {
	window.calendar = new Calendar(JSON.parse(byId("data").textContent));
} catch (error) {
	byId("status").textContent = `This calendar cannot be shown: ${error.message}.`;
	throw error;
}
