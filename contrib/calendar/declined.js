// SPDX-License-Identifier: GPL-2.0-or-later
// The user's declined jobs, which stay in the queue: each with its reason and its offers
// until it is booked or withdrawn.
"use strict";

class DeclinedJobs {
	constructor(calendar, element) {
		this.calendar = calendar;
		this.element = element;
		// Offers that were asked for, by job. To ask again stops slurmctld for a moment.
		this.offers = new Map();
	}

	keep(job, offers) {
		this.offers.set(job, offers);
		this.renew();
	}

	async renew() {
		const answer = await this.calendar.api.ask("list").catch(() => null);
		if (!answer)
			return;
		const jobs = answer.bookings.filter((one) => one.job &&
			one.state === "declined");
		const text = JSON.stringify([jobs, [...this.offers]]);
		if (text === this.text)
			return;
		this.text = text;
		this.element.replaceChildren(make("ul", {},
			...jobs.map((one) => this.line(one))));
		this.element.hidden = !jobs.length;
	}

	line(booking) {
		const { job } = booking, { calendar } = this;
		const offers = this.offers.get(job);
		const reason = calendar.reasonOf(booking);
		const text = offers && offers.length
			? plural(offers.length, "offer") : "Offers";
		const show = calendar.action(text, () => calendar.showOffers(job, booking));
		const withdraw = calendar.action("Withdraw", () => calendar.cancel(job));
		show.setAttribute("aria-label", `${text} for job ${job}`);
		withdraw.setAttribute("aria-label", `Withdraw job ${job}`);
		return make("li", {}, make("span", { textContent:
			`Job ${job} ${clean(booking.name || "")} was declined: ${reason}` }),
		show, withdraw);
	}
}
