#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The linear programs of rspb-sim: refusals, the text, and, where GLPK is
# installed, that it reads them and no policy is above the bound.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
bound=${BOUND:?contrib/sim/bound}

# refused WORDS ARGUMENT...
refused() {
	words=$1
	shift
	"$sim" "$@" > "$dir/out" 2> "$dir/err"
	status=$?
	if [ $status -ne 2 ] || [ -s "$dir/out" ] || [ -e "$dir/lp" ] ||
	   [ "$(wc -l < "$dir/err")" -ne 1 ] || ! grep -q "$words" "$dir/err"; then
		fail "$*: status $status, wanted 2 and: $words"
		cat "$dir/out" "$dir/err"
	fi
}

refused 'min: --export-lp and --export-swf are for jobs on whole nodes' \
	model min --export-lp "$dir/lp"
refused 'rspb-sim: --export-lp is not an option of this command' \
	figures --out "$dir" --export-lp "$dir/lp"
refused 'rspb-sim: --export-lp is not an option of this command' journal x --export-lp "$dir/lp"
refused '"jobs" is not allowed, allowed are acceptance, work' \
	model lublin --maximize jobs --export-lp "$dir/lp"
refused '"0" is not allowed, it is a whole number from 1 to' \
	model lublin --bucket 0 --export-lp "$dir/lp"
refused 'writes one workload and runs no policy' \
	model lublin --runs 2 --export-lp "$dir/lp"
refused 'writes one workload and runs no policy' \
	model lublin --preset flex --export-lp "$dir/lp"
refused "$dir/no/lp: cannot be written" \
	model lublin jobs=10 --export-lp "$dir/no/lp"

"$sim" model lublin jobs=200 --export-lp "$dir/lp" || fail "no text"
for line in '^\\ requests 200$' '^Maximize$' '^ accepted:' '^Subject To$' \
	    '^ j200:' '^ t[0-9]*:' '<= 3686400$' '^End$'; do
	grep -q "$line" "$dir/lp" || fail "the text lacks $line"
done
awk 'length > 255 { exit 1 }' "$dir/lp" || fail "a line is too long"
cp "$dir/lp" "$dir/again"
"$sim" model lublin jobs=200 --export-lp "$dir/lp"
cmp "$dir/lp" "$dir/again" || fail "the same seed gives another text"

# Without glpsol the policies are shown, and it is said that there is no bound.
mkdir "$dir/bin"
for tool in mktemp rm; do
	ln -s "$(command -v $tool)" "$dir/bin/$tool"
done
PATH=$dir/bin RSPB_SIM=$sim /bin/sh "$bound" --runs 1 jobs=100 \
	> "$dir/out" 2> "$dir/err"
[ $? -eq 3 ] && grep -q 'glpsol is not installed' "$dir/err" &&
	grep -q li-ff "$dir/out" || fail "bound without glpsol"

[ $failed -eq 0 ] || exit 1
if ! command -v glpsol > /dev/null; then
	echo "SKIP: no glpsol (glpk-utils) to solve the programs with"
	exit 77
fi
RSPB_SIM=$sim /bin/sh "$bound" --runs 2 jobs=150 nodes=256 arrival=3 \
	--compare li-ff,flex > "$dir/out" 2>&1
awk '$1 == "acceptance" && !n++ {
		for (i = 2; i <= NF; i += 2) if ($i > best) best = $i
		next
	}
	$1 == "acceptance" { bound = $2 }
	END { exit !(n == 2 && best > 0 && bound >= best && bound <= 1) }' \
	"$dir/out" || {
	fail "the bound"
	cat "$dir/out"
}
exit $failed
