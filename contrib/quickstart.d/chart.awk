# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes against time, one column for `step` seconds.
# in: KIND LETTER START END NODE, seconds; KIND window (what is booked, shown
# as dots) or run (what ran there, shown by its letter).
# -v from=SECOND -v to=SECOND -v zero=SECOND (what the axis counts from)

function put(node, from_s, to_s, letter, over,	c, first, last) {
	first = int((from_s - from) / step)
	last = int((to_s - from) / step + 0.999)
	if (last <= first)
		last = first + 1
	for (c = first; c < last && c < columns; c++)
		if (c >= 0 && (over || !((node, c) in cell)))
			cell[node, c] = letter
}

BEGIN {
	columns = 72
	step = int((to - from + columns - 1) / columns)
	if (step < 1)
		step = 1
	columns = int((to - from) / step) + 1
}

!($5 in seen) { seen[$5] = 1; nodes[++n] = $5 }
$1 == "window" { put($5, $3, $4, ".", 0) }
$1 == "run" { put($5, $3, $4, $2, 1) }

END {
	for (i = 1; i <= n; i++) {
		line = ""
		for (c = 0; c < columns; c++)
			line = line ((nodes[i], c) in cell ? cell[nodes[i], c] : " ")
		printf "  %5s |%s|\n", nodes[i], line
	}
	axis = label = ""
	for (c = 0; c < columns; c++) {
		at = from + c * step - zero
		mark = int(at / (10 * step)) * 10 * step == at
		axis = axis (mark ? "+" : "-")
		if (mark && length(label) <= c)
			label = sprintf("%-*s%+d", c, label, at)
	}
	printf "  %5s +%s+\n  %5s  %s s\n", "", axis, "", label
}
