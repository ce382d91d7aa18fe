// SPDX-License-Identifier: GPL-2.0-or-later
// The form for a request or a change: its fields, and what they mean as options.
"use strict";

// An element with properties, attributes and children.
function make(tag, more = {}, ...children) {
	const element = document.createElement(tag);
	for (const [key, value] of Object.entries(more))
		if (key in element)
			element[key] = value;
		else
			element.setAttribute(key, value);
	element.append(...children);
	return element;
}

function field(text, input) {
	return make("label", {}, text, input);
}

// A time as a field of type datetime-local has it, in the browser's zone.
function fieldTime(time) {
	const two = (number) => String(number).padStart(2, "0");
	const { year, month, day, hour, minute } = partsOf(time, false);
	return `${year}-${two(month + 1)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

// "1:30" or "90" minutes, "1-12:00": milliseconds; NaN if it is none of them.
function parseLength(text) {
	const found = /^(?:(\d+)-)?(\d+)(?::([0-5]\d))?(?::[0-5]\d)?$/.exec(text.trim());
	if (!found)
		return NaN;
	const [, days, first, minutes] = found;
	if (days === undefined && minutes === undefined)
		return Number(first) * MINUTE;
	return Number(days || 0) * DAY + Number(first) * HOUR +
		Number(minutes || 0) * MINUTE;
}

// The options of sbatch that ask for a draft, its times by the cluster's clock.
function draftFlags(draft, zone) {
	const at = (time) => flagTime(time, zone);
	const flags = ["--book", `--nodes=${draft.nodes}`,
		`--time=${lengthText(draft.length)}`];
	const add = (name, value) => {
		if (value)
			flags.push(`--${name}=${value}`);
	};
	if (draft.from)
		flags.push(`--begin=${at(draft.from)}`);
	if (draft.deadline)
		flags.push(`--deadline=${at(draft.deadline)}`);
	add("gpus-per-node", draft.gpus);
	add("nodelist", draft.nodelist);
	add("partition", draft.partition);
	add("account", draft.account);
	add("job-name", draft.name);
	if (draft.mail)
		flags.push("--mail-type=ALL");
	return flags;
}

class Form {
	// onChange: called with each new draft; onSubmit: with that to be booked.
	constructor(element, onChange, onSubmit) {
		this.element = element;
		this.onChange = onChange;
		this.onSubmit = onSubmit;
		this.inputs = {};
		this.onHide = () => {};
		element.addEventListener("keydown", (event) => {
			if (event.key === "Escape")
				this.hide();
			event.stopPropagation();
		});
	}

	input(name, text, more) {
		this.inputs[name] = make("input", { name, autocomplete: "off", ...more });
		return field(text, this.inputs[name]);
	}

	open(title, ...children) {
		const head = make("h2", { textContent: title, tabIndex: -1 });
		this.element.setAttribute("aria-label", title);
		this.element.replaceChildren(head, ...children);
		this.element.hidden = false;
		head.focus();
	}

	hide() {
		this.element.hidden = true;
		this.element.replaceChildren();
		this.onChange(null);
		this.onHide();
	}

	// The fields of a new request.
	fill(draft) {
		const kinds = [["script", "Script"], ["path", "Script on the cluster"],
			["hold", "Hold the nodes"]];
		this.script = make("textarea", { name: "script", spellcheck: false,
			value: draft.script || "#!/bin/sh\n" });
		this.run = make("select", { name: "run" }, ...kinds.map(
			([value, text]) => new Option(text, value)));
		this.run.value = draft.run || "script";
		this.scriptField = field("Commands", this.script);
		this.pathField = this.input("path", "Path", { value: draft.path || "",
			placeholder: "/home/…/job.sh" });
		this.command = make("pre");
		this.note = make("p", { role: "status" });
		this.button = make("button", { className: "main", textContent: "Book" });
		const form = make("form", { noValidate: true },
			this.input("nodes", "Nodes", { type: "number", min: 1,
				value: draft.nodes || 1 }),
			this.input("gpus", "GPUs on each node", { type: "number", min: 0,
				value: draft.gpus || "" }),
			this.input("nodelist", "These nodes (empty: any)",
				{ value: draft.nodelist || "" }),
			this.input("partition", "Partition (empty: the usual one)",
				{ value: draft.partition || "" }),
			this.input("account", "Account (empty: the usual one)",
				{ value: draft.account || "" }),
			this.input("from", "Start", { type: "datetime-local",
				value: fieldTime(draft.from) }),
			this.input("length", "Duration (hours:minutes)",
				{ value: lengthText(draft.length).replace(/:00$/, "") }),
			this.input("deadline", "Finished by (empty: exactly at the start)",
				{ type: "datetime-local", value: draft.deadline
					? fieldTime(draft.deadline) : "" }),
			field("Run", this.run), this.scriptField, this.pathField,
			this.input("name", "Name", { value: draft.name || "" }),
			this.command, this.note,
			make("div", { className: "buttons" }, this.button, make("button",
				{ type: "button", textContent: "Close",
					onclick: () => this.hide() })));
		form.addEventListener("input", () => this.changed());
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			const now = this.read();
			if (now && this.button.ariaDisabled !== "true")
				this.onSubmit(now);
		});
		this.open("New booking", form);
		this.inputs.nodes.focus();
		this.changed();
	}

	changed() {
		this.scriptField.hidden = this.run.value !== "script";
		this.pathField.hidden = this.run.value !== "path";
		const draft = this.read();
		if (draft)
			this.onChange(draft);
	}

	// RET what is in the fields; null: something is wrong, which is said.
	read() {
		const value = (name) => this.inputs[name].value.trim();
		const draft = {
			nodes: Number(value("nodes")), gpus: Number(value("gpus")),
			nodelist: value("nodelist"), partition: value("partition"),
			account: value("account"), name: value("name"),
			from: Date.parse(value("from")), length: parseLength(value("length")),
			deadline: value("deadline") ? Date.parse(value("deadline")) : 0,
			run: this.run.value, script: this.script.value, path: value("path"),
		};
		const wrong = !(draft.nodes >= 1) || draft.nodes % 1
			? "Nodes: a whole number, 1 or more."
			: !(draft.length >= MINUTE) ? "Duration: hours:minutes, as 1:30."
			: isNaN(draft.from) ? "Start: a date and a time."
			: draft.deadline && draft.deadline < draft.from + draft.length
				? "Finished by: later than start and duration."
			: draft.run === "path" && !draft.path.startsWith("/")
				? "Path: the whole path, from /." : "";
		this.say(wrong, true);
		return wrong ? null : draft;
	}

	say(text, isError) {
		this.note.textContent = text;
		this.note.className = isError ? "error" : "";
	}

	busy(is) {
		if (this.button)
			this.button.ariaDisabled = is ? "true" : null;
	}
}

if (typeof module !== "undefined")
	module.exports = { draftFlags, parseLength };
