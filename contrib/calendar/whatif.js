// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a draft would fit: by the page's own data at once, by slots, which need no lock
// of slurmctld, four times a second at most, and by offers only if it does not fit.
"use strict";

const SLOTS_MS = 250, OFFERS_AFTER_MS = 500, AGAIN_MS = 1100;

// A question about a draft as slots or offers take it.
function draftTerms(draft) {
	const seconds = (ms) => Math.round(ms / 1000);
	const terms = { nodes: draft.nodes, duration: seconds(draft.length),
		begin: seconds(draft.from) };
	for (const key of ["partition", "nodelist"])
		if (draft[key])
			terms[key] = draft[key];
	return terms;
}

function slotQuestion(draft) {
	const terms = draftTerms(draft);
	if (draft.least)
		terms.nodes = draft.least;
	if (draft.cores)
		terms.cpus = draft.cores;
	if (draft.gpus)
		terms.gpus = gpuTerm(draft);
	return { ...terms, most: 1,
		...(draft.deadline ? { until: Math.round(draft.deadline / 1000) } : {}) };
}

function offerQuestion(draft) {
	const terms = draftTerms(draft);
	if (draft.least)
		terms.nodes_least = draft.least;
	if (draft.cores)
		terms.tasks = draft.cores * draft.nodes;
	if (draft.gpus)
		terms.gpus_node = gpuTerm(draft);
	if (draft.deadline)
		terms.until = Math.round(draft.deadline / 1000);
	for (const key of ["account", "benefit"])
		if (draft[key])
			terms[key] = draft[key];
	return terms;
}

// An offer that is worth nothing is none.
function worthwhile(offers) {
	return (offers || []).filter((one) => one.benefit > 0);
}

class WhatIf {
	// tell: called with { fits, next, text } and, later, with { offers } too.
	constructor(api, tell) {
		this.api = api;
		this.tell = tell;
		this.asked = 0;
	}

	stop() {
		clearTimeout(this.slotTimer);
		clearTimeout(this.offerTimer);
		this.asked++;
	}

	// A draft has changed.
	look(draft) {
		this.stop();
		const pause = Math.max(0, (this.last || 0) + SLOTS_MS - Date.now());
		this.slotTimer = setTimeout(() => this.askSlots(draft, this.asked), pause);
	}

	async askSlots(draft, number) {
		this.last = Date.now();
		const answer = await this.api.ask("slots", slotQuestion(draft)).catch(
			(error) => ({ text: error.message, refused: error.status < 500 }));
		if (number !== this.asked)
			return;
		const [slot] = answer.slots || [];
		const start = slot && slot.from * 1000;
		const fits = !!slot && (draft.deadline ? true : start <= draft.from);
		this.tell({ fits, next: fits ? 0 : start, text: answer.text || "" });
		if (fits || !answer.slots)
			return;
		const askOffers = async () => {
			const found = await this.api.ask("offers", offerQuestion(draft)).catch(
				(error) => ({ later: error.status === 429 }));
			if (number !== this.asked)
				return;
			// Another question was asked within the same second.
			if (found.later) {
				this.offerTimer = setTimeout(askOffers, AGAIN_MS);
				return;
			}
			const offers = worthwhile(found.offers);
			// Slots are as of the last plan, and something may have gone since.
			const same = offers.some((one) => one.start * 1000 === draft.from &&
				one.end - one.start === draft.length / 1000 &&
				one.nodes >= draft.nodes && !draft.nodelist);
			this.tell({ fits: same, next: start, text: "",
				offers: same ? [] : offers });
		};
		this.offerTimer = setTimeout(askOffers, OFFERS_AFTER_MS);
	}
}

// RET what a draft leaves of the limits, or which limit it exceeds: { text, wrong }.
function limitText(limits, draft) {
	const find = (key) => (limits || []).find((one) => one.limit === key);
	const over = [["MaxNodes", draft.nodes, (value) => plural(value, "node")],
		["MaxDuration", draft.length / 1000, (value) => lengthText(value * 1000)]]
		.find(([key, value]) => find(key) && value > find(key).value);
	if (over)
		return { wrong: true, text: `At most ${over[2](find(over[0]).value)} in one ` +
			`booking (${over[0]}).` };
	const ahead = find("MaxAheadPerUser");
	// Parts of nodes count as less.
	const takes = draft.cores || draft.gpus ? 0 : draft.nodes * draft.length / 1000;
	const hours = (seconds) => Math.round(seconds / 360) / 10;
	const texts = [];
	if (ahead && takes > ahead.left)
		return { wrong: true, text: `${hours(takes)} node-hours are more than the ` +
			`${hours(ahead.left)} that you have left (MaxAheadPerUser).` };
	if (ahead)
		texts.push(`Leaves you ${hours(ahead.left - takes)} of ` +
			`${hours(ahead.value)} node-hours.`);
	const waiting = find("MaxWaitingPerUser");
	if (waiting && !waiting.left)
		return { wrong: true, text: `You have ${plural(waiting.used, "booking")}, as many ` +
			"as you may (MaxWaitingPerUser)." };
	if (waiting)
		texts.push(`${waiting.left} of ${plural(waiting.value, "booking")} left.`);
	return { wrong: false, text: texts.join(" ") };
}

if (typeof module !== "undefined")
	module.exports = { limitText, slotQuestion, offerQuestion };
