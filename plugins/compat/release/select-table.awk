# SPDX-License-Identifier: GPL-2.0-or-later
# Slurm's table of a select plugin's operations, out of its own source: select.h,
# from 24.05 on select.c, which shows it to nobody. Prints a header: a macro for
# every operation there is, and the struct where no header of Slurm's has it.
#   awk -f select-table.awk SELECT.H SELECT.C
BEGIN {
	print "/* Made of Slurm's select.h and select.c; not to be changed. */"
}

/^typedef struct/ { text = "" }
{ text = text $0 "\n" }

/^} *slurm_select_ops_t;/ {
	found = 1
	n = split(text, piece, /\(\*/)
	for (i = 2; i <= n; i++) {
		name = piece[i]
		sub(/[^a-z0-9_].*/, "", name)
		print "#define RSPB_SLURM_SELECT_" name " 1"
	}
	if (FILENAME ~ /\.c$/)
		printf "%s", text
}

END {
	if (!found) {
		print "no slurm_select_ops_t in Slurm's source" > "/dev/stderr"
		exit 1
	}
}
