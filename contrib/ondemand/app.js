// SPDX-License-Identifier: GPL-2.0-or-later
// The calendar in Open OnDemand: a Passenger app that runs as the portal's user. It starts
// rspb web on a private socket and passes on what the page asks. It never adds the token
// itself: the portal's login cookie would then be enough for a request of another site.
"use strict";

const fs = require("fs"), http = require("http"), os = require("os"), path = require("path");
const { spawn } = require("child_process");

const BASE = (process.env.PASSENGER_BASE_URI || "").replace(/\/+$/, "");
const PASSED = ["accept", "content-type", "content-length", "x-rspb-token"];
const HOP = ["connection", "keep-alive", "transfer-encoding"];

let running = null; // a promise of { socket, token } while rspb web runs
let stop = () => {};

function start() {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rspb-ood-"));
	const socket = path.join(folder, "web.sock");
	const child = spawn(process.env.RSPB || "rspb",
		["web", `--socket=${socket}`, "--idle=30m"], { stdio: ["ignore", "pipe", "pipe"] });
	const clear = () => fs.rmSync(folder, { recursive: true, force: true });
	let printed = "", complaint = "";
	stop = () => { child.kill(); clear(); };
	return new Promise((done, fail) => {
		const end = (error) => {
			running = null;
			stop = () => {};
			clear();
			fail(error);
		};
		child.stdout.on("data", (text) => {
			printed = (printed + text).slice(-1000);
			const found = /#t=([0-9a-f]{32})/.exec(printed);
			if (found)
				done({ socket, token: found[1] });
		});
		child.stderr.on("data", (text) => { complaint = (complaint + text).slice(-1000); });
		child.on("error", end);
		child.on("close", () => end(new Error(complaint.trim() || "rspb web has ended")));
	});
}

function refuse(to, status, error, text) {
	to.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
	to.end(JSON.stringify({ version: 1, ok: false, error, text }));
}

// Whether a page of the portal asks. A proxy before this one has the browser's Host.
function isOwn(headers) {
	const host = (headers["x-forwarded-host"] || headers.host || "").split(",")[0].trim();
	const { origin } = headers, site = headers["sec-fetch-site"] || "same-origin";
	return site === "same-origin" &&
		(!origin || origin === `https://${host}` || origin === `http://${host}`);
}

async function pass(from, to, url) {
	const { socket } = await (running ||= start());
	const headers = { host: "localhost" };
	for (const name of PASSED)
		if (from.headers[name] !== undefined)
			headers[name] = from.headers[name];
	const ahead = http.request({ socketPath: socket, path: url, method: from.method, headers });
	ahead.on("response", (answer) => {
		const kept = Object.entries(answer.headers).filter(([name]) => !HOP.includes(name));
		to.writeHead(answer.statusCode, Object.fromEntries(kept));
		to.flushHeaders();
		answer.pipe(to);
	});
	ahead.on("error", (error) => to.headersSent ? to.destroy()
		: refuse(to, 503, "controller", `rspb web does not answer: ${error.message}`));
	to.on("close", () => ahead.destroy());
	from.pipe(ahead);
}

async function answer(from, to) {
	const url = from.url.startsWith(`${BASE}/`) ? from.url.slice(BASE.length) : "";
	if (!url) {
		// The page's addresses are relative to its folder.
		to.writeHead(302, { Location: `${BASE}/` });
		to.end();
	} else if (/^\/(?:api\/|session$)/.test(url) && !isOwn(from.headers)) {
		// The page itself has no data: a login elsewhere may lead to it.
		refuse(to, 403, "denied", "the request comes from another web site");
	} else if (url !== "/session") {
		await pass(from, to, url);
	} else if (from.method !== "GET" || !from.headers["x-rspb-session"]) {
		// No other site can send this header without permission.
		refuse(to, 403, "denied", "X-Rspb-Session is missing");
	} else {
		const { token } = await (running ||= start());
		to.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
		to.end(JSON.stringify({ token }));
	}
}

// Passenger listens in place of this socket. Without it, nobody else may ask for the token.
process.umask(0o077);
http.createServer((from, to) => answer(from, to).catch(
	(error) => refuse(to, 503, "controller", error.message)))
	.listen(process.env.RSPB_LISTEN || "passenger");
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
	process.on(signal, () => process.exit(0));
process.on("exit", () => stop());
