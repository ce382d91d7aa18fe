# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Over how many leaf switches nodes lie, for tests/bench/live/run: 700 mixed requests as
# bookings and as NodeCnt= of stock reservations, in the same order, on 256 nodes in
# leaves of 16.

# The stream: seconds ahead, minutes, nodes; most are small, as jobs are.
leaves_stream() {
	awk -v seed="${LIVE_SEED:-1}" 'BEGIN {
		srand(seed)
		for (i = 0; i < 700; i++) {
			r = rand()
			n = r < 0.5 ? 1 + int(rand() * 8) :
				r < 0.9 ? 2 + int(rand() * 15) : 17 + int(rand() * 16)
			print 7200 + 300 * int(rand() * 576), 30 + 30 * int(rand() * 8), n
		}
	}'
}

# stdin: a list of nodes a line, f[1-3,17]. What is said: how many lines, leaves, least
# possible, and of those of 2 to 16 nodes the part on one leaf.
leaves_count() {
	awk '
	{
		split("", on); n = leaves = 0
		gsub(/[f\[\]]/, "")
		parts = split($0, part, ",")
		for (i = 1; i <= parts; i++) {
			two = split(part[i], ends, "-")
			for (k = ends[1]; k <= ends[two]; k++) {
				n++
				leaf = int((k - 1) / 16)
				leaves += !(leaf in on)
				on[leaf]
			}
		}
		lines++; sum += leaves; least += int((n + 15) / 16)
		if (n >= 2 && n <= 16) { small++; one += leaves == 1 }
	}
	END { printf "%d %d %d %.0f\n", lines, sum, least, small ? 100 * one / small : 0 }'
}

leaves_ours() {
	local ahead minutes n
	echo "required $dir/rspb/lib/slurm-rspb/spank_rspb.so" >"$dir/etc/plugstack.conf"
	echo "PlugStackConfig=$dir/etc/plugstack.conf" >>"$SLURM_CONF"
	while read -r ahead minutes n; do
		sbatch --book -N "$n" --begin="$(date -d "@$((now + ahead))" +%FT%T)" \
			--time="$minutes" -o /dev/null --wrap true >/dev/null 2>&1
	done
	wait_for 120 leaves_decided || note "some are not decided"
	scontrol show job |
		sed -n 's/^ *AdminComment=rspb: booked .* on=\([^ ]*\).*/\1/p'
}
leaves_decided() { ! scontrol show job | grep -q 'AdminComment=rspb: requested'; }

leaves_stock() {
	local ahead minutes n
	while read -r ahead minutes n; do
		scontrol create reservation users=root nodecnt="$n" \
			starttime="$(date -d "@$((now + ahead))" +%FT%T)" \
			duration="$minutes" >/dev/null 2>&1
	done
	scontrol show reservation -o | sed -n 's/.* Nodes=\([^ ]*\).*/\1/p'
}

part_leaves() {
	local kind live_leaf=16 lines sum least one stock=0 granted=0
	leaves_stream >"$work/stream"
	for kind in stock ours; do
		live_up $kind 256
		read -r lines sum least one < <(
			leaves_$kind <"$work/stream" | leaves_count)
		note "$kind: $lines of 700, over $sum leaves (least possible $least)," \
			"$one % of those of 2 to 16 nodes on one"
		if [ $kind = stock ]; then
			stock=$sum granted=$lines
		else
			row "leaves of bookings beside NodeCnt=" \
				"$(calc "$sum / $stock" 2)" x most 1.1
			row "  granted beside it" \
				"$(calc "$lines / $granted" 2)" x least 0.95
		fi
		live_down
	done
}
