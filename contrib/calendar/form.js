// SPDX-License-Identifier: GPL-2.0-or-later
// The form for a request or a change: its fields, and what they mean as options.
"use strict";

function field(text, input) {
	return make("label", {}, text, input);
}

// A time as a field of type datetime-local has it, by the clock that is shown.
function fieldTime(time, clock) {
	return flagTime(time, clock).slice(0, -3);
}

// The reverse; NaN: it is no time.
function fieldMoment(text, clock) {
	return momentAt(Date.parse(`${text}Z`), clock);
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

// GPUs on each node as options and the socket take them: "2", "a100:2".
function gpuTerm(draft) {
	return (draft.gpuType ? `${draft.gpuType}:` : "") + draft.gpus;
}

// The options of sbatch that ask for a draft, its times by the cluster's clock.
function draftFlags(draft, zone) {
	const at = (time) => flagTime(time, zone);
	const flags = ["--book", "--nodes=" + (draft.least && draft.least < draft.nodes
		? `${draft.least}-${draft.nodes}` : draft.nodes),
	`--time=${lengthText(draft.length)}`];
	const add = (name, value) => {
		if (value)
			flags.push(`--${name}=${value}`);
	};
	if (draft.from)
		flags.push(`--begin=${at(draft.from)}`);
	if (draft.deadline)
		flags.push(`--deadline=${at(draft.deadline)}`);
	add("ntasks-per-node", draft.cores);
	add("gpus-per-node", draft.gpus && gpuTerm(draft));
	add("nodelist", draft.nodelist);
	add("partition", draft.partition);
	add("account", draft.account);
	add("benefit", draft.benefit);
	add("remind", draft.remind);
	add("job-name", draft.name);
	if (draft.mail)
		flags.push("--mail-type=ALL");
	return flags;
}

// A booking without a job, as the socket takes it; and as one could type it.
function reserveTerms(draft) {
	const terms = draftTerms({ ...draft, nodelist: "" });
	if (draft.least)
		terms.nodes_least = draft.least;
	if (draft.deadline)
		terms.until = Math.round(draft.deadline / 1000);
	for (const key of ["users", "accounts", "benefit"])
		if (draft[key])
			terms[key] = draft[key];
	if (draft.mail)
		terms.mail = "ALL";
	return terms;
}

function reserveCommand(draft, zone) {
	const flags = draftFlags({ ...draft, nodelist: "", account: "", name: "" }, zone)
		.filter((one) => one !== "--book");
	return ["rspb request", ...(draft.users ? [`--for-users=${word(draft.users)}`] : []),
		...(draft.accounts ? [`--for-accounts=${word(draft.accounts)}`] : []),
		...flags].join(" ");
}

const DRAFT_KEY = "rspb-draft", PATHS_KEY = "rspb-paths", PATHS_MOST = 10;

function savedPaths() {
	try {
		return JSON.parse(localStorage.getItem(PATHS_KEY)) || [];
	} catch {
		return [];
	}
}

function savePath(path) {
	localStorage.setItem(PATHS_KEY, JSON.stringify([path,
		...savedPaths().filter((one) => one !== path)].slice(0, PATHS_MOST)));
}

class Form {
	// onChange: called with each new draft; onSubmit: with that to be booked.
	constructor(element, onChange, onSubmit) {
		this.element = element;
		this.onChange = onChange;
		this.onSubmit = onSubmit;
		this.inputs = {};
		this.onHide = () => {};
		// The clock of its fields.
		this.clock = "";
		element.addEventListener("keydown", (event) => {
			if (event.key === "Escape")
				this.hide();
			event.stopPropagation();
		});
	}

	// Show the same times by another clock.
	turnClock(clock) {
		for (const name of ["from", "deadline"]) {
			const input = this.element.hidden ? null : this.inputs[name];
			const time = input ? fieldMoment(input.value, this.clock) : NaN;
			if (!isNaN(time))
				input.value = fieldTime(time, clock);
		}
		this.clock = clock;
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

	select(name, text, options, value) {
		this.inputs[name] = make("select", { name }, ...options.map(
			([key, label]) => new Option(label, key)));
		this.inputs[name].value = value || options[0][0];
		return field(text, this.inputs[name]);
	}

	group(title, ...children) {
		return make("fieldset", {}, make("legend", { textContent: title }), ...children);
	}

	// The fields of a new request. site: { gpuTypes, partitions, accounts }
	fill(draft, site) {
		const kinds = [["script", "a script"], ["path", "a script on the cluster"],
			["hold", "nothing yet; hold the nodes"],
			["reserve", "jobs of others, in a reservation"]];
		this.script = make("textarea", { name: "script", spellcheck: false,
			value: draft.script || "#!/bin/sh\n" });
		this.scriptField = make("div", { className: "stack" },
			field("Commands", this.script),
			field("or read it from a file", this.fileInput()));
		this.paths = make("datalist", { id: "paths" },
			...savedPaths().map((one) => new Option(one)));
		this.command = make("pre", { tabIndex: 0, role: "group",
			ariaLabel: "Command" });
		this.note = make("p", { role: "status" });
		this.limits = make("p", { className: "hint" });
		this.button = make("button", { className: "main", textContent: "Book" });
		this.offers = make("ul", { hidden: true, "aria-label": "Offers" });
		const copy = make("button", { type: "button", textContent: "Copy",
			onclick: () => this.copy(copy) });
		const form = make("form", { noValidate: true },
			this.whatFields(draft, site), this.whenFields(draft),
			this.group("Job", this.select("run", "Run", kinds, draft.run),
				this.scriptField, this.pathField = make("div", {},
					this.input("path", "Path", { value: draft.path || "",
						placeholder: "/home/…/job.sh" }), this.paths),
				this.holdField = make("p", { className: "hint", textContent:
					"Later, start job steps with srun --jobid=JOB. The page " +
					"shows JOB when it is booked." }),
				this.othersField = make("div", { className: "stack" },
					this.input("users", "For users (names with commas)",
						{ value: draft.users || "" }),
					this.input("accounts", "or accounts",
						{ value: draft.accounts || "" }))),
			this.moreFields(draft, site),
			make("div", { className: "foot stack" },
				make("div", { className: "command" }, this.command, copy),
				this.limits, this.note, this.offers,
				make("div", { className: "buttons" }, this.button, make("button",
					{ type: "button", textContent: "Close",
						onclick: () => this.hide() }))));
		this.inputs.path.setAttribute("list", "paths");
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

	whatFields(draft, site) {
		const types = [["", "any type"], ...site.gpuTypes.map((one) => [one, one])];
		const where = [["", "any nodes"], ...(draft.nodelist
			? [["these", `these: ${draft.nodelist}`]] : []),
		...(draft.like ? [["like", "any like these"]] : [])];
		this.nodelist = draft.nodelist || "";
		this.like = draft.like || null;
		const gpus = [this.input("gpus", "GPUs on each", { type: "number", min: 0,
			value: draft.gpus || "", placeholder: "0" }),
		this.select("gpuType", "Type", types, draft.gpuType)];
		if (!site.gpuTypes.length && !site.hasGpus)
			for (const one of gpus)
				one.hidden = true;
		const fields = this.group("What", make("div", { className: "row" },
			this.input("nodes", "Nodes", { type: "number", min: 1,
				value: draft.nodes || 1 }),
			this.input("cores", "Cores on each", { type: "number", min: 0,
				value: draft.cores || "", placeholder: "all" }), ...gpus),
		this.select("where", "Where", where, draft.nodelist ? "these" : ""),
		this.select("partition", "Partition", [["", "default"],
			...site.partitions.map((one) => [one, one])], draft.partition));
		this.inputs.where.parentElement.hidden = where.length < 2;
		return fields;
	}

	whenFields(draft) {
		const flexible = [["exact", "this start only"], ["until", "any start before a deadline"],
			["least", "this start, also with fewer nodes"]];
		const fields = this.group("When", make("div", { className: "row" },
			this.input("from", "Start", { type: "datetime-local",
				value: fieldTime(draft.from, this.clock) }),
			this.input("length", "Duration",
				{ value: lengthText(draft.length).replace(/:00$/, ""),
					title: "hours:minutes, or days-hours:minutes" })),
		this.select("flexible", "How flexible", flexible, draft.deadline ? "until"
			: draft.least ? "least" : "exact"),
		this.deadlineField = this.input("deadline", "Finished by",
			{ type: "datetime-local", value: draft.deadline
				? fieldTime(draft.deadline, this.clock) : "" }),
		this.leastField = this.input("least", "Least number of nodes",
			{ type: "number", min: 1, value: draft.least || 1 }));
		return fields;
	}

	moreFields(draft, site) {
		const more = make("details", {}, make("summary", { textContent: "More" }),
			make("div", { className: "stack" },
				this.input("name", "Name", { value: draft.name || "" }),
				this.select("account", "Account", [["", "default"],
					...site.accounts.map((one) => [one, one])], draft.account),
				this.select("benefit", "Benefit of fewer nodes", [
					["", "all or nothing"], ["linear:25%", "in proportion, from 25%"],
					["linear:50%", "in proportion, from 50%"],
					["concave:25%", "high for a few nodes, from 25%"],
					["convex:50%", "low unless nearly all, from 50%"]],
				draft.benefit),
				this.select("remind", "Reminder", [["", "site default"],
					["15m", "15 minutes before"], ["1h", "an hour before"],
					["1d", "a day before"]], draft.remind),
				this.flat("mail", "Send me mail about this booking", draft.mail)));
		more.open = !!(draft.name || draft.benefit || draft.remind || draft.mail);
		return more;
	}

	flat(name, text, checked) {
		this.inputs[name] = make("input", { name, type: "checkbox", checked: !!checked });
		return make("label", { className: "flat" }, this.inputs[name], text);
	}

	fileInput() {
		const input = make("input", { type: "file", name: "file" });
		input.addEventListener("change", async () => {
			const [file] = input.files;
			if (file && file.size <= 1 << 20) {
				this.script.value = await file.text();
				this.changed();
			} else if (file) {
				this.say("The script is longer than 1 MiB.", true);
			}
		});
		return input;
	}

	// A line breaks between the words of a command, not within one.
	showCommand(text) {
		this.command.replaceChildren(...text.split(" ").flatMap((one, i) =>
			[...(i ? [" "] : []), make("span", { textContent: one })]));
	}

	async copy(button) {
		getSelection().selectAllChildren(this.command);
		await (navigator.clipboard ? navigator.clipboard.writeText(
			this.command.textContent) : Promise.resolve(document.execCommand("copy")))
			.catch(() => {});
		button.textContent = "Copied";
	}

	changed() {
		const { run, flexible } = this.inputs;
		this.scriptField.hidden = run.value !== "script";
		this.pathField.hidden = run.value !== "path";
		this.othersField.hidden = run.value !== "reserve";
		this.holdField.hidden = run.value !== "hold";
		this.deadlineField.hidden = flexible.value !== "until";
		this.leastField.hidden = flexible.value !== "least";
		const draft = this.read();
		if (!draft)
			return;
		sessionStorage.setItem(DRAFT_KEY, JSON.stringify(draft));
		this.onChange(draft);
	}

	// RET what is in the fields; null: something is wrong, which is said.
	read() {
		const value = (name) => this.inputs[name].value.trim();
		const flexible = value("flexible");
		const draft = {
			nodes: Number(value("nodes")), cores: Number(value("cores")),
			gpus: Number(value("gpus")), gpuType: value("gpuType"),
			nodelist: value("where") === "these" ? this.nodelist : "",
			partition: value("partition"), account: value("account"),
			name: value("name"), benefit: value("benefit"),
			remind: value("remind"), mail: this.inputs.mail.checked,
			from: fieldMoment(value("from"), this.clock), length: parseLength(value("length")),
			deadline: flexible === "until"
				? fieldMoment(value("deadline"), this.clock) || 1 : 0,
			least: flexible === "least" ? Number(value("least")) : 0,
			run: value("run"), script: this.script.value, path: value("path"),
			users: value("users"), accounts: value("accounts"),
		};
		// Any nodes like those that were marked: of their partition and type of GPU.
		if (this.like && value("where") === "like") {
			draft.partition ||= this.like.partition;
			if (draft.gpus)
				draft.gpuType ||= this.like.gpuType;
		}
		const wrong = !(draft.nodes >= 1) || draft.nodes % 1
			? "Nodes: enter a whole number, 1 or more."
			: !(draft.cores >= 0) || draft.cores % 1
				? "Cores: enter a whole number, or nothing."
			: !(draft.gpus >= 0) || draft.gpus % 1
				? "GPUs: enter a whole number, or nothing."
			: !(draft.length >= MINUTE) ? "Duration: enter hours:minutes, such as 1:30."
			: isNaN(draft.from) ? "Start: enter a date and a time."
			: draft.deadline && draft.deadline < draft.from + draft.length
				? "Finished by: enter a time after the end of the booking."
			: draft.least && !(draft.least >= 1 && draft.least <= draft.nodes)
				? "Least number of nodes: enter 1 to the number of nodes."
			: draft.run === "path" && !draft.path.startsWith("/")
				? "Path: enter a path that begins with /."
			: draft.run === "reserve" && !draft.users === !draft.accounts
				? "For whom: enter names of users or of accounts." : "";
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
	module.exports = { draftFlags, parseLength, reserveTerms, reserveCommand };
