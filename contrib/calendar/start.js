// SPDX-License-Identifier: GPL-2.0-or-later
// The page that rspb has written shows the document in it.
"use strict";

try {
	window.calendar = new Calendar(JSON.parse(byId("data").textContent));
} catch (error) {
	byId("status").textContent = `This calendar cannot be shown: ${error.message}.`;
	throw error;
}
