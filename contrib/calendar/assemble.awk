# SPDX-License-Identifier: GPL-2.0-or-later
# Puts the files that page.html names in the place of their lines.
# awk -v dir=FOLDER -f assemble.awk page.html
$1 == "@include" {
	file = dir "/" $2
	while ((got = (getline line < file)) > 0)
		print line
	if (got < 0) {
		print "assemble: cannot read " file > "/dev/stderr"
		exit 1
	}
	close(file)
	next
}
{ print }
