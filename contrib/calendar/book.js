// SPDX-License-Identifier: GPL-2.0-or-later
// Books, changes and cancels from the calendar, and shows what others do.
"use strict";

const DECISION_S = 60, DRY_MS = 300, OFFERS_MS = 2000, TICK_MS = 20000;
const VIEW_KEY = "rspb-view";

class BookingCalendar extends Calendar {
	constructor(doc, api, me) {
		super(doc);
		this.api = api;
		this.me = me;
		this.live = true;
		this.doc = doc;
		this.form = new Form(byId("form"), (draft) => this.showDraft(draft),
			(draft) => this.book(draft));
		this.form.clock = this.clock();
		this.form.onHide = () => this.focusView();
		this.declined = new DeclinedJobs(this, byId("declined"));
		if (!me.readonly) {
			this.declined.renew();
			this.askLimits("");
		}
		this.whatIf = new WhatIf(api, (found) => this.tellWhatIf(found));
		this.waiting = new Map();
		this.ticked = Date.now();
		byId("book").hidden = !!me.readonly;
		byId("book").onclick = () => this.startDraft(this.savedDraft());
		this.warn("");
		if (!me.readonly && !this.isBrief())
			this.say(`${byId("status").textContent}. Drag over free time to book it.`);
		api.follow((name, data) => this.takeEvent(name, data),
			(live, error) => this.setLive(live, error));
		setInterval(() => this.tick(), TICK_MS);
	}

	// An event of the stream: something is another than before.
	takeEvent(name, data) {
		if (name === "calendar" && !data.serial)
			this.setLive(false);
		else if (name === "calendar")
			this.reload();
		if (name !== "booking")
			return;
		const found = this.waiting.get(data.job || data.reservation);
		if (found && data.state !== "requested")
			found(data);
		this.declined.renew();
	}

	// A page that stays open goes along with the time, also if nothing is booked.
	tick() {
		const passed = Date.now() - this.ticked;
		this.ticked = Date.now();
		if (passed <= 0)
			return;
		this.model.now += passed;
		this.from += passed;
		this.until += passed;
		this.draw();
	}

	savedView() {
		return localStorage.getItem(VIEW_KEY) || "";
	}

	saveView(name) {
		localStorage.setItem(VIEW_KEY, name);
	}

	/* --- the document ----------------------------------------------------------- */

	async reload() {
		try {
			const before = this.doc;
			const found = await this.api.call(`calendar?since=${before.serial}`);
			if (!this.live)
				this.setLive(true);
			// Another answer may have come first.
			if (found.same || this.doc !== before)
				return;
			this.doc = found.changes ? changeDocument(before, found) : found;
			this.ticked = Date.now();
			this.quiet = !this.me.readonly;
			this.renew(new Model(this.doc));
			this.quiet = false;
			if (!this.me.readonly)
				this.declined.renew();
		} catch (error) {
			this.setLive(false, error);
		}
	}

	// Without a text, what an operator should always see.
	warn(text) {
		byId("bar").textContent = text || (this.me.operator
			? "You are an operator: you can change the bookings of all users." : "");
		byId("bar").hidden = !byId("bar").textContent;
	}

	setLive(live, error) {
		const back = live && !this.live;
		if (back)
			this.warn("");
		else if (error && error.status === 401)
			this.warn(error.message);
		else if (!live && this.live)
			this.warn(`Not live since ${timeText(Date.now(), this.clock())}. ` +
				(this.me.readonly ? ""
					: "Nothing can be changed until the server answers."));
		this.live = live;
		byId("book").disabled = !live;
		this.form.busy(!live);
		if (back)
			this.reload();
	}

	// RET why it was declined. Offers at the end of the text, meant for a terminal, are left out.
	reasonOf(booking) {
		return this.local(clean(booking.reason || "").replace(/; on offer: .*/s, ""));
	}

	// A text of slurmctld's with its times by the clock that is shown.
	local(text) {
		return localText(text, this.clock(), this.model.zone);
	}

	/* --- a new booking ------------------------------------------------------------ */

	savedDraft() {
		try {
			return JSON.parse(sessionStorage.getItem(DRAFT_KEY)) || {};
		} catch {
			return {};
		}
	}

	// The next quarter of an hour, or the moment that was chosen.
	startDraft(draft) {
		if (!this.canBook())
			return;
		const next = Math.ceil((this.model.now + MINUTE) / (15 * MINUTE)) * 15 * MINUTE;
		this.panel.hide();
		this.askLimits(draft.partition || "");
		this.form.fill({ nodes: 1, length: HOUR, ...draft,
			from: Math.max(draft.from || 0, next) }, {
			gpuTypes: [...this.model.gpuTypes().keys()],
			hasGpus: this.model.gpusOf.some(Boolean),
			partitions: this.model.partitionNames(),
			accounts: this.me.accounts || [] });
	}

	changeClock() {
		this.form.turnClock(this.clock());
		super.changeClock();
	}

	async askLimits(partition) {
		this.limitsOf = partition;
		const answer = await this.api.ask("limits", partition ? { partition } : {})
			.catch(() => ({}));
		this.limits = answer.limits || [];
		// The partition that they are of.
		this.limits.partition = answer.partition;
		if (!partition)
			this.showOwnLimits();
		if (this.draft)
			this.tellLimits(this.draft);
	}

	// In the legend's line what is left of the reader's limits; in the calendar the share
	// that may be booked.
	showOwnLimits() {
		const find = (key) => this.limits.find((one) => one.limit === key);
		const most = find("MaxBookedPercent"), ahead = find("MaxAheadPerUser");
		const horizon = find("Horizon"), waiting = find("MaxWaitingPerUser");
		const nodes = this.model.nodesIn(this.limits.partition);
		this.most = most && nodes ? most.value / nodes : 1;
		byId("left").textContent = [
			ahead && `${Math.round(ahead.left / 3600)} node-hours left`,
			waiting && `${plural(waiting.left, "booking")} left`,
			horizon && `${spanText(horizon.value * 1000)} in advance`].filter(Boolean).join(" · ");
		byId("left").hidden = !byId("left").textContent;
		this.draw();
	}

	// Free time that was clicked.
	offer(at, y) {
		if (!this.canBook()) {
			super.offer(at, y);
			return;
		}
		const [node] = this.nodesAt(at.row, y, 0);
		const step = 15 * MINUTE;
		this.startDraft({ from: Math.floor(at.time / step) * step,
			...this.placeOf(node, node, at.row.section) });
	}

	// RET the part of a draft that names the nodes at which the reader points: these, or
	// any like those of a closed section.
	placeOf(first, last, section) {
		if (section)
			return { nodes: 1, partition: section.partitions[0] || "",
				...(section.gpu ? { gpus: 1, gpuType:
					this.model.gpuTypes().has(section.gpu) ? section.gpu : "" }
					: {}) };
		const names = this.model.names.slice(first, last + 1).join(",");
		const like = this.model.classOf[first];
		const gpu = like && gpuKinds(like.gres);
		return { nodes: last - first + 1, ...(names.length < 1000 ? { nodelist: names } : {}),
			...(like ? { like: { partition: like.partitions[0] || "", gpuType:
				this.model.gpuTypes().has(gpu) ? gpu : "" } } : {}) };
	}

	/* --- drags ------------------------------------------------------------------------ */

	startDrag(x, y) {
		if (!this.live || !this.canBook() || x < this.painter.labels || y < AXIS)
			return null;
		const grip = this.gripAt(x, y);
		if (grip)
			return grip.part ? new ChangeDrag(this, x, y, grip.item, grip.part) : null;
		const at = this.itemsAt(x, y);
		if (!at || at.time < this.model.now || at.items.some((item) =>
			this.painter.isAt(item, x, y)))
			return null;
		const [node] = this.nodesAt(at.row, y, 0);
		return new NewDrag(this, x, y, node, at.row.section);
	}

	showGrip(x, y) {
		const grip = x > this.painter.labels && y > AXIS && this.gripAt(x, y);
		this.canvas.style.cursor = !grip || !grip.part ? ""
			: grip.part === "move" ? "move" : "ew-resize";
	}

	// A drag over free time has ended.
	takeNew({ from, until, first, last, section }) {
		this.startDraft({ from, length: until - from,
			...this.placeOf(first, last, section) });
	}

	// Free time that was marked with keys: the form, if the reader may book.
	takeMarked(draft) {
		if (this.live && this.canBook())
			this.takeNew(draft);
		else
			super.takeMarked(draft);
	}

	takeSlot(slot, nodes, length) {
		if (this.live && this.canBook())
			this.startDraft({ from: slot.from, nodes, length });
		else
			super.takeSlot(slot, nodes, length);
	}

	canBook() {
		return this.form && !this.me.readonly;
	}

	// A drag of one's own booking has ended: it is asked for when it is confirmed.
	takeChange(item, draft) {
		this.pick(item, false);
		const { from, length } = this.form.inputs;
		from.value = fieldTime(draft.from, this.form.clock);
		length.value = lengthText(draft.until - draft.from).replace(/:00$/, "");
		this.drafts = [draft];
		this.form.say(draft.conflict
			? "These nodes are not free then. You can still press Change; the booking " +
				"stays as it is if it does not fit."
			: "Press Change to move it there.", false);
		this.form.element.querySelector("button.main").focus();
		this.draw();
	}

	/* --- what a draft would be ------------------------------------------------------- */

	// Mark where it would be, and show the command for it.
	showDraft(draft) {
		clearTimeout(this.dryTimer);
		this.draft = draft;
		this.slot = draft && !draft.nodelist ? { from: draft.from,
			until: draft.from + draft.length, free: freeNodes(this.model,
				draft.from, draft.from + draft.length) } : null;
		this.drafts = draft ? [this.draftBox(draft)] : [];
		this.revealDraft(draft);
		this.draw();
		if (!draft) {
			this.whatIf.stop();
			return;
		}
		if ((draft.partition || "") !== this.limitsOf)
			this.askLimits(draft.partition || "");
		this.tellLimits(draft);
		this.form.button.textContent = "Book";
		this.form.offers.hidden = true;
		this.whatIf.look(draft);
		this.dryTimer = setTimeout(() => this.showCommand(draft), DRY_MS);
	}

	// Where another start is out of sight, or below the form, the picture goes there.
	revealDraft(draft) {
		const last = this.revealed;
		this.revealed = draft && draft.from;
		if (!draft || draft.from === last || this.cells.hidden || innerWidth <= NARROW)
			return;
		const scale = this.scale(), box = this.form.element.getBoundingClientRect();
		const right = Math.min(scale.right, box.left -
			this.canvas.getBoundingClientRect().left);
		const x = scale.x(draft.from), room = right - scale.left;
		if (x >= scale.left && x <= right - Math.min(40, room / 4))
			return;
		const from = draft.from - room / 4 / scale.perMs;
		this.setView(from, from + this.until - this.from);
	}

	draftBox(draft) {
		const nodes = draft.nodelist.split(",").map((name) =>
			this.model.names.indexOf(name));
		const named = draft.nodelist && nodes.every((n) => n >= 0);
		return { from: draft.from, until: draft.from + draft.length,
			...(named ? { first: Math.min(...nodes), last: Math.max(...nodes) } : {}),
			gpus: draft.gpus, text: named ? "new" : "" };
	}

	// rows: { first, last } of the nodes that the draft names, if it does.
	offerBoxes(offers, { first, last } = {}) {
		return offers.map((one) => ({ from: one.start * 1000, until: one.end * 1000,
			first, last, text: "offer" }));
	}

	offerText(offer) {
		return `${timeText(offer.start * 1000, this.clock())}, ` +
			`${durationText((offer.end - offer.start) * 1000)}` +
			(offer.nodes ? `, ${plural(offer.nodes, "node")}` : "") +
			(offer.benefit < 1 ? `, benefit ${offer.benefit.toFixed(2)}` : "");
	}

	tellLimits(draft) {
		if (!this.form.limits)
			return;
		const { text, wrong } = limitText(this.limits, draft);
		this.form.limits.textContent = `${text} Times in the command are in the time ` +
			`zone of ${this.model.zone || "this browser"}.`;
		this.form.limits.className = wrong ? "error" : "hint";
	}

	async showCommand(draft) {
		if (draft.run === "reserve") {
			this.form.showCommand(reserveCommand(draft, this.model.zone));
			return;
		}
		const answer = await this.api.call("submit",
			{ ...this.question(draft), dry: true }).catch((error) =>
			({ command: error.message }));
		this.form.showCommand(answer.command);
	}

	// Show what slurmctld answers about the draft: slots at once, offers if it does not fit.
	tellWhatIf({ fits, next, text, offers }) {
		if (!this.draft || !this.form.offers)
			return;
		const [box] = this.drafts;
		if (box)
			box.conflict = !fits;
		this.form.say(fits ? "It fits, as of now." : text ? this.local(clean(text))
			: next ? "It does not fit then. The next start is " +
				`${timeText(next, this.clock())}.`
				: "It does not fit, and no later start was found.");
		if (offers && offers.length) {
			this.form.button.textContent = `See ${plural(offers.length, "offer")}`;
			this.foundOffers = offers;
			this.drafts = [box, ...this.offerBoxes(offers, box)];
		}
		this.draw();
	}

	// The offers for a draft: each fills the form with what it is.
	listOffers(draft) {
		const offers = this.foundOffers;
		this.form.offers.replaceChildren(...offers.map((one) => make("li", {},
			make("span", { textContent: this.offerText(one) }), " ",
			make("button", { type: "button", textContent: "Use this",
				onclick: () => this.startDraft({ ...draft, deadline: 0, least: 0,
					from: one.start * 1000,
					// A request for all of the named nodes has these.
					nodelist: one.nodes === draft.nodes ? draft.nodelist : "",
					length: (one.end - one.start) * 1000,
					nodes: one.nodes || draft.nodes }) }))));
		this.form.offers.hidden = false;
		this.form.offers.querySelector("button").focus();
		this.form.button.textContent = "Book anyway";
		this.foundOffers = null;
	}

	question(draft) {
		return { flags: draftFlags(draft, this.model.zone),
			...(draft.run === "hold" ? { hold_nodes: true }
				: draft.run === "path" ? { path: draft.path }
				: { script: draft.script }) };
	}

	async book(draft) {
		if (this.foundOffers && this.foundOffers.length) {
			this.listOffers(draft);
			return;
		}
		this.whatIf.stop();
		this.form.busy(true);
		this.form.say("Asking …");
		this.drafts = [{ ...this.draftBox(draft), text: "asking" }];
		this.draw();
		try {
			if (draft.run === "reserve") {
				await this.reserve(draft);
			} else {
				const { job } = await this.api.call("submit", this.question(draft));
				if (draft.run === "path")
					savePath(draft.path);
				await this.tellDecision(job, draft.run === "hold"
					? `; now start job steps with srun --jobid=${job}` : "");
			}
			sessionStorage.removeItem(DRAFT_KEY);
		} catch (error) {
			this.form.say(this.local(error.message), true);
		}
		this.form.busy(!this.live);
	}

	async reserve(draft) {
		const { reservation } = await this.api.ask("reserve", reserveTerms(draft));
		const booking = await this.decision({ reservation });
		await this.reload();
		if (booking.state === "declined")
			throw new Error(clean(booking.reason || "It was declined."));
		this.form.hide();
		this.say(`${reservation} is booked`);
	}

	// The decision comes as an event of the stream; what was decided before the page
	// knew the number is asked for once.
	async decision(which) {
		const key = which.job || which.reservation;
		const decided = new Promise((done, failed) => {
			this.waiting.set(key, done);
			setTimeout(() => failed(new Error(`Request ${key} is not decided yet; ` +
				"it stays in the queue.")), DECISION_S * 1000);
		});
		try {
			const { booking } = await this.api.ask("show", which);
			return booking.state === "requested" ? await decided : booking;
		} finally {
			this.waiting.delete(key);
			decided.catch(() => {});
		}
	}

	async tellDecision(job, more = "") {
		const booking = await this.decision({ job });
		await this.reload();
		if (booking.state === "declined") {
			await this.showOffers(job, booking);
			return;
		}
		const item = this.model.bookings.find((one) => one.job === job);
		this.form.hide();
		if (item)
			this.pick(item, true);
		this.say(`Job ${job} is booked: ${timeText(booking.start * 1000,
			this.clock())}, ${plural(booking.nodes, "node")}${more}`);
	}

	/* --- offers -------------------------------------------------------------------- */

	// The server passes this on once a second at most.
	async askOffers(job) {
		for (;;) {
			const wait = (this.offersAsked || 0) + OFFERS_MS - Date.now();
			if (wait > 0)
				await new Promise((done) => setTimeout(done, wait));
			this.offersAsked = Date.now();
			try {
				return await this.api.ask("offers", { job });
			} catch (error) {
				if (error.status !== 429)
					return { text: error.message };
			}
		}
	}

	async showOffers(job, booking) {
		const answer = await this.askOffers(job);
		const offers = worthwhile(answer.offers);
		const note = make("p", { role: "alert", className: "error",
			textContent: this.reasonOf(booking) || "It was declined." });
		this.form.note = note;
		if (answer.offers)
			this.declined.keep(job, offers);
		this.form.open(`Job ${job} was declined`, note,
			make("p", { textContent: offers.length
				? "These can be booked instead:"
				: answer.offers
					? "There is no other offer. The job stays in the queue, held."
					: `Offers cannot be shown: ${clean(answer.text)}` }),
			make("ul", {}, ...offers.map((offer) => this.offerLine(job, offer))),
			make("div", { className: "buttons" },
				this.action("Run as a regular job", () => this.runRegular(job)),
				this.action("Withdraw", () => this.cancel(job)),
				make("button", { textContent: "Close",
					onclick: () => this.form.hide() })));
		this.drafts = this.offerBoxes(offers);
		this.draw();
	}

	async runRegular(job) {
		await this.api.call("regular", { job });
		this.form.hide();
		this.declined.renew();
		this.say(`Job ${job} waits as a regular job`);
	}

	offerLine(job, offer) {
		const text = make("span", { textContent: this.offerText(offer) });
		return make("li", {}, text, " ", this.action("Take", async () => {
			await this.api.ask("modify", { job, begin: offer.start,
				duration: offer.end - offer.start, exact: true,
				...(offer.nodes ? { nodes: offer.nodes } : {}) });
			await this.tellDecision(job);
			this.declined.renew();
		}));
	}

	// A button that does something, once at a time, and says why it could not.
	// A disabled button would lose the focus.
	action(text, call) {
		const button = make("button", { type: "button", textContent: text });
		button.onclick = async () => {
			if (button.ariaDisabled === "true")
				return;
			button.ariaDisabled = "true";
			try {
				await call();
			} catch (error) {
				if (this.form.element.hidden)
					this.say(error.message);
				else
					this.form.say(error.message, true);
			}
			button.ariaDisabled = null;
		};
		return button;
	}

	/* --- change and cancel ------------------------------------------------------------ */

	canChange(item) {
		return this.form && !this.me.readonly && (item.mine || this.me.operator) &&
			/^(booked|active)/.test(item.state);
	}

	pick(item, go) {
		super.pick(item, go);
		if (item && this.canChange(item) && !this.walks) {
			this.panel.hide();
			this.showOwn(item);
		}
	}

	// The keys n and p go on to the next booking; Enter opens its form.
	pickNext(by) {
		this.walks = true;
		super.pickNext(by);
		this.walks = false;
	}

	openPicked() {
		if (this.canChange(this.picked)) {
			this.panel.hide();
			this.showOwn(this.picked);
		} else {
			super.openPicked();
		}
	}

	showOwn(item) {
		const form = this.form;
		this.draft = null;
		this.whatIf.stop();
		const which = item.reservation ? { reservation: item.reservation }
			: { job: item.job };
		form.note = make("p", { role: "status" });
		const running = /^active/.test(item.state);
		const fields = make("form", { noValidate: true },
			form.input("from", "Start", { type: "datetime-local",
				value: fieldTime(item.from, this.form.clock), disabled: running }),
			form.input("length", "Duration (hours:minutes)",
				{ value: lengthText(item.until - item.from)
					.replace(/:00$/, "") }),
			form.input("nodes", "Nodes", { type: "number", min: 1,
				value: item.count, disabled: running }),
			form.note);
		const change = this.action("Change", () => this.change(item, which));
		change.className = "main";
		const end = this.confirmed("Cancel the job", item, () => item.job
			? this.cancel(item.job) : this.release(which));
		const release = this.confirmed("Release the booking", item,
			() => this.release(which));
		fields.addEventListener("submit", (event) => {
			event.preventDefault();
			change.click();
		});
		form.open(item.job ? `Job ${item.title}` : item.title,
			make("p", { textContent: describe(this.model, item, this.clock(), true) }),
			fields, make("div", { className: "buttons" }, change, release,
				...(item.job ? [end] : []), make("button",
					{ textContent: "Close", onclick: () => form.hide() })));
	}

	async change(item, which) {
		const { from, length, nodes } = this.form.inputs;
		// If somebody else has changed it since this page read it, it stays as it is.
		const asked = { ...which, expect: { start: item.start, end: item.end,
			nodes: item.nodes } };
		const start = fieldMoment(from.value, this.form.clock), time = parseLength(length.value);
		if (isNaN(start) || !(time >= MINUTE) || !(Number(nodes.value) >= 1))
			throw new Error("Enter a start, a duration such as 1:30, and a number of nodes.");
		if (fieldTime(item.from, this.form.clock) !== from.value)
			Object.assign(asked, { begin: start / 1000, exact: true });
		if (time !== Math.round((item.until - item.from) / MINUTE) * MINUTE)
			asked.duration = time / 1000;
		if (Number(nodes.value) !== item.count)
			asked.nodes = Number(nodes.value);
		this.form.say("Asking …");
		const answer = await this.api.ask("modify", asked).catch((error) =>
			this.tellRefusal(item, asked, error));
		this.drafts = [];
		await this.reload();
		this.draw();
		if (!answer)
			return;
		const text = this.local(clean(answer.text || "It was changed."));
		const now = this.model.bookings.find((one) => one.id === item.id);
		if (now)
			this.showOwn(now);
		this.form.say(text);
		this.say(text);
	}

	// The booking stays where it is. Who changed it meanwhile has gone first; else there
	// may be another time for it.
	async tellRefusal(item, asked, error) {
		this.drafts = [];
		this.draw();
		if (error.code === "changed") {
			await this.reload();
			const now = this.model.bookings.find((one) => one.id === item.id);
			if (now)
				this.showOwn(now);
		}
		const text = this.local(error.message);
		this.form.say(text, true);
		this.say(text);
		if (error.code === "no" && item.job) {
			const { offers } = await this.askOffers(item.job);
			this.listChanges(item, worthwhile(offers));
		}
		return null;
	}

	// List the offers that the booking could take instead.
	listChanges(item, offers) {
		if (!offers.length || this.form.element.hidden)
			return;
		this.drafts = this.offerBoxes(offers);
		this.form.note.after(make("ul", { "aria-label": "Offers" },
			...offers.map((offer) => this.offerLine(item.job, offer))));
		this.draw();
	}

	// A button that asks once more before it does what cannot be undone.
	confirmed(text, item, call) {
		const left = item.until - Math.max(item.from, this.model.now);
		const cost = `${Math.round(item.count * (item.corePart ?? item.part) * left / HOUR * 10) / 10} ` +
			"node-hours";
		const button = this.action(text, async () => {
			if (button.textContent === text) {
				button.textContent = `${text}: click again`;
				this.form.say(`${text}? That gives up ${cost}. Click, or press ` +
					"Enter, once more.");
				return;
			}
			await call();
		});
		return button;
	}

	async cancel(job) {
		await this.api.call("cancel", { job });
		this.form.hide();
		await this.reload();
		this.declined.renew();
		this.say(`Job ${job} was cancelled`);
	}

	async release(which) {
		const answer = await this.api.ask("release", which);
		this.form.hide();
		await this.reload();
		this.say(clean(answer.text || "The booking was released."));
	}
}

async function startBooking() {
	const api = new Api();
	const tell = (text) => { byId("status").textContent = text; };
	const bar = make("p", { id: "bar", role: "alert", hidden: true });
	document.querySelector("header").after(bar, make("section", { id: "declined",
		"aria-label": "Declined jobs", hidden: true }));
	document.querySelector("header").append(make("button",
		{ id: "book", className: "main", title: "c", textContent: "Book" }));
	document.querySelector("main").append(make("aside", { id: "form", hidden: true }));
	document.querySelector("footer ul").after(make("span", { id: "left", hidden: true }));
	byId("keys").prepend(make("li", {}, make("kbd", { textContent: "c" }), " book"));
	KEYS.c = (calendar) => calendar.startDraft(calendar.savedDraft());
	for (let pause = 1; ; pause = Math.min(10, pause * 2)) {
		try {
			const me = await api.call("me");
			const doc = await api.call("calendar");
			tell("");
			window.calendar = new BookingCalendar(doc, api, me);
			return;
		} catch (error) {
			tell(error.message);
			if (!(error instanceof ApiError) || error.status !== 503)
				throw error;
			await new Promise((done) => setTimeout(done, pause * 1000));
		}
	}
}

startBooking();
