// SPDX-License-Identifier: GPL-2.0-or-later
// What a reader may paste into a shell: to ask, to change, to give back. Times
// are by the clock of the host where rspb has written the page, as sbatch and
// rspb read them there.
"use strict";

// "2026-11-24T09:00:00" by that clock, or by the browser's where it has no name.
function flagTime(time, zone) {
	const part = partsOf(time, zone);
	return `${part.year}-${two(part.month + 1)}-${two(part.day)}T` +
		`${two(part.hour)}:${two(part.minute)}:${two(part.second)}`;
}

function lengthText(ms) {
	const minutes = Math.round(ms / MINUTE);
	const days = Math.floor(minutes / 1440);
	const rest = `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
	return days ? `${days}-${rest}:00` : `${rest}:00`;
}

// A name as one word of a shell.
function word(text) {
	return /^[A-Za-z0-9_.-]+$/.test(text) ? text
		: `'${text.replaceAll("'", "'\\''")}'`;
}

// [what it does, the command] each; node: the one that is meant, if any.
function askCommands(nodes, length, from, zone, node) {
	const at = flagTime(from, zone);
	return [
		["book these nodes for a job", `sbatch --book --nodes=${nodes} ` +
			(node ? `--nodelist=${word(node)} ` : "") +
			`--time=${lengthText(length)} --begin=${at} job.sh`],
		["find other free times", `rspb slots -N ${nodes} ` +
			`-t ${lengthText(length)} --begin=${at}`],
	];
}

function bookingCommands(item, zone) {
	const id = word(item.title);
	const length = lengthText(item.until - item.from);
	const show = ["show the booking", `rspb show ${id}`];
	if (!item.mine || !/^(booked|active)/.test(item.state))
		return [show];
	const later = ["change the start", `rspb modify ${id} ` +
		`--begin=${flagTime(item.from, zone)}`];
	const list = [show,
		...(item.state === "booked" ? [later] : []),
		["change the duration", `rspb modify ${id} -t ${length}`]];
	if (!item.share && !item.cores)
		list.push(["change the number of nodes",
			`rspb modify ${id} -N ${item.count}`]);
	list.push(["release the booking, keep the job", `rspb giveback ${id}`]);
	if (item.job)
		list.push(["cancel the job and its booking", `rspb cancel ${id}`]);
	return list;
}

// The panel beside the calendar: a text, and commands to copy.
class CommandPanel {
	constructor(element, zone) {
		this.element = element;
		this.zone = zone;
		this.onHide = () => {};
		element.querySelector("button").onclick = () => this.hide();
		element.addEventListener("keydown", (event) => {
			if (event.key === "Escape")
				this.hide();
		});
	}

	show(title, text, commands) {
		this.element.querySelector("h2").textContent = title;
		this.element.querySelector("p").textContent = text;
		this.element.querySelector("dl").replaceChildren(
			...commands.flatMap(([what, command]) =>
				this.lines(what, command)));
		this.element.querySelector("small").textContent =
			commands.some(([, command]) => /--begin/.test(command))
				? "Times in commands are in the time zone of " +
				(this.zone || "this browser") + "." : "";
		this.element.hidden = false;
	}

	lines(what, command) {
		const name = document.createElement("dt");
		const value = document.createElement("dd");
		const code = document.createElement("code");
		const button = document.createElement("button");
		name.textContent = what;
		code.textContent = command;
		button.textContent = "copy";
		button.setAttribute("aria-label", `copy: ${command}`);
		button.onclick = () => this.copy(code, button);
		value.append(code, button);
		return [name, value];
	}

	// Without a clipboard, as in a page from a file, it is marked to be copied.
	copy(code, button) {
		getSelection().selectAllChildren(code);
		const done = navigator.clipboard
			? navigator.clipboard.writeText(code.textContent)
			: Promise.resolve(document.execCommand("copy"));
		done.then(() => { button.textContent = "copied"; }, () => {});
	}

	hide() {
		const had = this.element.contains(document.activeElement);
		this.element.hidden = true;
		if (had)
			this.onHide();
	}
}

if (typeof module !== "undefined")
	module.exports = { flagTime, lengthText, word, askCommands,
		bookingCommands };
