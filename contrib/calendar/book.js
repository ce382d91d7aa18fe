// SPDX-License-Identifier: GPL-2.0-or-later
// Books, changes and cancels from the calendar, and shows what others do.
"use strict";

const DECISION_MS = 250, DECISION_TRIES = 240, DRY_MS = 300, OFFERS_MS = 2000;
const VIEW_KEY = "rspb-view";

class BookingCalendar extends Calendar {
	constructor(doc, api, me) {
		super(doc);
		this.api = api;
		this.me = me;
		this.live = true;
		this.serial = doc.serial;
		this.form = new Form(byId("form"), (draft) => this.showDraft(draft),
			(draft) => this.book(draft));
		this.form.onHide = () => this.focusView();
		this.declined = new DeclinedJobs(this, byId("declined"));
		this.declined.renew();
		byId("book").onclick = () => this.startDraft(1, null);
		if (me.operator)
			this.warn("You are an operator: you can change the bookings of all users.");
		api.follow((name) => {
			if (name === "calendar")
				this.reload();
		}, (live, error) => this.setLive(live, error));
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
			const doc = await this.api.call(`calendar?since=${this.serial}`);
			if (doc.same)
				return;
			this.serial = doc.serial;
			this.renew(new Model(doc));
			this.declined.renew();
		} catch (error) {
			this.setLive(false, error);
		}
	}

	warn(text) {
		byId("bar").textContent = text;
		byId("bar").hidden = !text;
	}

	setLive(live, error) {
		if (live && !this.live) {
			this.warn("");
			this.reload();
		} else if (error && error.status === 401)
			this.warn(error.message);
		else if (!live && this.live)
			this.warn(`Not live since ${timeText(Date.now(), this.utc())}. ` +
				"Nothing can be changed until the server answers.");
		this.live = live;
		byId("book").disabled = !live;
		this.form.busy(!live);
	}

	/* --- a new booking ------------------------------------------------------------ */

	startDraft(nodes, from, node) {
		const start = Math.max(from || 0,
			Math.ceil((this.model.now + MINUTE) / (15 * MINUTE)) * 15 * MINUTE);
		this.panel.hide();
		this.form.fill({ nodes, from: start, length: HOUR,
			nodelist: node || "" });
	}

	// Free time that was clicked.
	offer(at, y) {
		const [node] = this.nodesAt(at.row, y, 0);
		const step = 15 * MINUTE;
		this.startDraft(1, Math.floor(at.time / step) * step,
			this.model.names[node]);
	}

	// Mark where it would be, and show the command for it.
	showDraft(draft) {
		clearTimeout(this.dryTimer);
		this.slot = draft && { from: draft.from, until: draft.from + draft.length,
			free: freeNodes(this.model, draft.from, draft.from + draft.length) };
		this.draw();
		if (!draft)
			return;
		const free = this.slot.free.filter(Boolean).length;
		this.form.say(`${plural(free, "node")} of ${this.model.names.length} ` +
			`free then. Times in the command are by the clock of ` +
			`${this.model.zone || "this browser"}.`);
		this.dryTimer = setTimeout(async () => {
			const answer = await this.api.call("submit",
				{ ...this.question(draft), dry: true }).catch((error) =>
				({ command: error.message }));
			this.form.command.textContent = answer.command;
		}, DRY_MS);
	}

	question(draft) {
		return { flags: draftFlags(draft, this.model.zone),
			...(draft.run === "hold" ? { hold_nodes: true }
				: draft.run === "path" ? { path: draft.path }
				: { script: draft.script }) };
	}

	async book(draft) {
		this.form.busy(true);
		this.form.say("Asking …");
		try {
			const { job } = await this.api.call("submit", this.question(draft));
			await this.tellDecision(job);
		} catch (error) {
			this.form.say(error.message, true);
		}
		this.form.busy(!this.live);
	}

	async decision(job) {
		for (let i = 0; i < DECISION_TRIES; i++) {
			const { booking } = await this.api.ask("show", { job });
			if (booking.state !== "requested")
				return booking;
			await new Promise((done) => setTimeout(done, DECISION_MS));
		}
		throw new Error(`Job ${job} is not decided yet; it stays in the queue.`);
	}

	async tellDecision(job) {
		const booking = await this.decision(job);
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
			this.utc())}, ${plural(booking.nodes, "node")}`);
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
		// An offer that is worth nothing is none.
		const offers = (answer.offers || []).filter((one) => one.benefit > 0);
		const note = make("p", { role: "alert", className: "error",
			textContent: clean(booking.reason || "It was declined.") });
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
				this.action("Withdraw", () => this.cancel(job)),
				make("button", { textContent: "Close",
					onclick: () => this.form.hide() })));
	}

	offerLine(job, offer) {
		const text = `${timeText(offer.start * 1000, this.utc())}, ` +
			`${lengthText((offer.end - offer.start) * 1000)}` +
			(offer.nodes ? `, ${plural(offer.nodes, "node")}` : "") +
			`, benefit ${offer.benefit.toFixed(2)} `;
		return make("li", {}, text, this.action("Take", async () => {
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
		return this.form && (item.mine || this.me.operator) &&
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
		const which = item.reservation ? { reservation: item.reservation }
			: { job: item.job };
		form.note = make("p", { role: "status" });
		const running = /^active/.test(item.state);
		const fields = make("form", { noValidate: true },
			form.input("from", "Start", { type: "datetime-local",
				value: fieldTime(item.from), disabled: running }),
			form.input("length", "Duration (hours:minutes)",
				{ value: lengthText(item.until - item.from)
					.replace(/:00$/, "") }),
			form.input("nodes", "Nodes", { type: "number", min: 1,
				value: item.count, disabled: running }),
			form.note);
		const change = this.action("Change", () => this.change(item, which));
		change.className = "main";
		const end = this.confirmed("Cancel the job", () => item.job
			? this.cancel(item.job) : this.release(which));
		const release = this.confirmed("Release the booking",
			() => this.release(which));
		fields.addEventListener("submit", (event) => {
			event.preventDefault();
			change.click();
		});
		form.open(item.job ? `Job ${item.title}` : item.title,
			make("p", { textContent: describe(this.model, item, this.utc()) }),
			fields, make("div", { className: "buttons" }, change, release,
				...(item.job ? [end] : []), make("button",
					{ textContent: "Close", onclick: () => form.hide() })));
	}

	async change(item, which) {
		const { from, length, nodes } = this.form.inputs;
		const asked = { ...which };
		const start = Date.parse(from.value), time = parseLength(length.value);
		if (isNaN(start) || !(time >= MINUTE) || !(Number(nodes.value) >= 1))
			throw new Error("Write a start, a duration as 1:30, and a number of nodes.");
		if (fieldTime(item.from) !== from.value)
			Object.assign(asked, { begin: start / 1000, exact: true });
		if (time !== Math.round((item.until - item.from) / MINUTE) * MINUTE)
			asked.duration = time / 1000;
		if (Number(nodes.value) !== item.count)
			asked.nodes = Number(nodes.value);
		this.form.say("Asking …");
		const answer = await this.api.ask("modify", asked);
		await this.reload();
		this.form.say(clean(answer.text || "It was changed."));
		this.say(clean(answer.text || "It was changed."));
	}

	// A button that asks once more before it does what cannot be undone.
	confirmed(text, call) {
		const button = this.action(text, async () => {
			if (button.textContent === text) {
				button.textContent = `${text}: click again`;
				this.form.say(`${text}? Click, or press Enter, once more.`);
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
	byId("keys").append(" c: book.");
	KEYS.c = (calendar) => calendar.startDraft(1, null);
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
