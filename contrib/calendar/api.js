// SPDX-License-Identifier: GPL-2.0-or-later
// Talks to rspb web. The token comes in the address's fragment, which no server and no
// log sees, and goes out in a header, which no other site can set.
"use strict";

const TOKEN_KEY = "rspb-token";
const RETRY_S = [1, 2, 5, 10];

// Take the token out of the address, so that a copied address does not have it.
function takeToken() {
	const found = /(?:^#|&)t=([0-9a-f]{32})(?:&|$)/.exec(location.hash);
	if (found) {
		sessionStorage.setItem(TOKEN_KEY, found[1]);
		history.replaceState(null, "", location.pathname + location.search);
	}
	return sessionStorage.getItem(TOKEN_KEY) || "";
}

class ApiError extends Error {
	constructor(status, answer) {
		super(status === 401
			? "This page has ended. Run rspb web again and open its address."
			: clean(answer.text || `the server answered with ${status}`));
		this.status = status;
		this.code = answer.error || "";
	}
}

class Api {
	constructor() {
		this.token = takeToken();
	}

	send(path, body) {
		const headers = { "X-Rspb-Token": this.token };
		if (body)
			headers["Content-Type"] = "application/json";
		return fetch(`api/v1/${path}`, { headers,
			cache: "no-store", method: body ? "POST" : "GET",
			body: body ? JSON.stringify(body) : undefined });
	}

	// Ask the portal that passes the page on for a token. RET whether there is a new one.
	async renewToken() {
		const answer = await fetch("session", { cache: "no-store",
			headers: { "X-Rspb-Session": "1" } });
		const { token } = answer.ok ? await answer.json() : {};
		if (!token || token === this.token)
			return false;
		this.token = token;
		return true;
	}

	async fetch(path, body) {
		let answer = await this.send(path, body);
		if (answer.status === 401 && await this.renewToken())
			answer = await this.send(path, body);
		if (!answer.ok)
			throw new ApiError(answer.status,
				await answer.json().catch(() => ({})));
		return answer;
	}

	// RET the answer as an object; a refusal is thrown as an ApiError.
	async call(path, body) {
		return (await this.fetch(path, body)).json();
	}

	ask(op, more) {
		return this.call("ask", { op, ...more });
	}

	// Call back with each event of the stream, and with false while there is none.
	async follow(onEvent, onState) {
		for (let failures = 0; ;) {
			try {
				const answer = await this.fetch("events");
				onState(true);
				failures = 0;
				await this.read(answer.body, onEvent);
			} catch (error) {
				onState(false, error);
				if (error.status === 401)
					return;
			}
			onState(false);
			const pause = RETRY_S[Math.min(failures++, RETRY_S.length - 1)];
			await new Promise((done) => setTimeout(done, pause * 1000));
		}
	}

	async read(body, onEvent) {
		const reader = body.pipeThrough(new TextDecoderStream()).getReader();
		for (let text = ""; ;) {
			const { done, value } = await reader.read();
			if (done)
				return;
			const parts = (text + value).split("\n\n");
			text = parts.pop();
			for (const part of parts) {
				const name = /^event: (.*)$/m.exec(part);
				const data = /^data: (.*)$/m.exec(part);
				if (name && data)
					onEvent(name[1], JSON.parse(data[1]));
			}
		}
	}
}
