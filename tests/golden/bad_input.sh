#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Bad input of rspb-sim run: exit status 2, one sentence that names file, line
# and field, and nothing on stdout that could be taken for a result.
sim=${RSPB_SIM:?the program to test}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# refused ALGORITHM WORDS < INPUT
refused() {
	"$sim" run "$1" > "$dir/out" 2> "$dir/err"
	status=$?
	if [ $status -ne 2 ] || [ -s "$dir/out" ] ||
	   [ "$(wc -l < "$dir/err")" -ne 1 ] || ! grep -q "$2" "$dir/err"; then
		echo "FAIL $1: status $status, wanted 2 and: $2"
		cat "$dir/out" "$dir/err"
		failed=1
	fi
}

# What nobody reads, wherever it stands, was meant to say something.
refused mmc 'field "mhu": is unknown, allowed are type id c lambda1 mu$' << END
{"id":1,"c":2,"lambda1":1,"mu":3,"mhu":1}
END
refused li 'stdin:1: field "nodes": is unknown, allowed are type n_pe' << END
{"type":"config","n_pe":4,"nodes":4}
END
refused corspb 'stdin:2: field "subs\[0\].cpus": is unknown' << END
{"type":"config","machines":[10000]}
{"id":1,"arrival":0,"ready":0,"duration":5,"subs":[{"cpu":5,"cpus":7}]}
END
refused corspb 'field "benefit.*": is unknown\|field "interpol": is unknown' << END
{"type":"config","machines":[10000]}
{"id":1,"arrival":0,"ready":0,"duration":5,"benefit":{"interpol":"step","points":[[1,1]]},"subs":[{"cpu":5}]}
END
refused benefit 'stdin:1: field "benefit": \[\[0.5,1\]\] is neither a shape nor' << END
{"benefit":[[0.5,1]],"cpu":100,"requested":5000}
END
refused qdd 'field "params\[\].wait": is unknown' << END
{"type":"config","params":[{"name":"mem","wait":2}],"resources":[]}
END
refused qdd 'stdin:2: field "qos": men is none of config.s params' << END
{"type":"config","params":[{"name":"mem"}],"resources":[{"mem":4}]}
{"id":1,"qos":{"men":2}}
END
refused li 'field "booked\[\].pes": some are booked already, by entry 0, from 0 to 10' << END
{"type":"config","n_pe":4,"booked":[{"start":0,"end":10,"pes":"0-1"},{"start":9,"end":12,"pes":"1-2"}]}
END
refused tarr 'stdin:2: field "after": 2 is not a task' << END
{"type":"config","capacities":[10]}
{"type":"task","id":1,"at":0,"cpu":1,"x":1,"after":[2]}
END
good='{"id":1,"capacity":10,"demands":[2,8,8]}'
refused maxmin 'stdin:2: field "demands\[1\]"' << END
$good
{"id":2,"capacity":10,"demands":[2,-8]}
END
refused maxmin 'stdin:2: field "id": 1 is already used by line 1' << END
$good
$good
END
refused maxmin 'stdin:1: an object has two members of the same name' << END
{"id":1,"capacity":10,"demands":[1],"id":2}
END
# A name is what it means, and colons in texts are none.
refused rspb 'stdin:2: an object has two members of the same name' << 'END'
{"type":"config","machines":{"a:\\":1,"b\":":[{}]}}
{"id":1,"subs":[{"cpu":1,"\u0063pu":2}]}
END
refused rspb 'stdin:1: field "machines": must be an array' << 'END'
{"type":"config","machines":{"a:\\":1,"b\":":[{}]}}
END
refused maxmin 'stdin:1: field "capacity": is missing' << END
{"id":1,"demands":[1]}
END
refused maxmin 'stdin:1: not a JSON object' << END
{"id":1,"demands":[1
END
refused maxmin 'stdin:1: not a JSON object' << END
[1]
END
refused maxmin 'stdin:1: \(field "capacity"\|.*number expected\)' << END
{"id":1,"capacity":99999999999999999999999,"demands":[1]}
END
refused maxmin 'stdin:2: config lines come before' << END
$good
{"type":"config"}
END
refused tarr 'stdin:3: field "at"' << END
{"type":"config","capacities":[100]}
{"at":5,"cpu":1,"id":1,"type":"task","x":1}
{"at":4,"cpu":1,"id":2,"type":"task","x":1}
END
refused tarr 'stdin:2: field "replicas": 3 is out of range' << END
{"type":"config","capacities":[100,100]}
{"id":1,"at":0,"cpu":10,"x":1,"replicas":3}
END
refused tarr 'stdin:3: field "resource": is missing' << END
{"type":"config","capacities":[100,100]}
{"id":1,"at":0,"cpu":10,"x":1,"replicas":2}
{"type":"started","id":1,"at":1}
END
refused tarr 'stdin:3: field "resource": 2 has no copy' << END
{"type":"config","capacities":[100,100,10]}
{"id":1,"at":0,"cpu":20,"x":1,"replicas":2}
{"type":"started","id":1,"at":1,"resource":2}
END
refused tarr 'stdin:2: field "resource"' << END
{"type":"config","capacities":[100]}
{"at":5,"resource":1,"type":"profile"}
END
refused vrc 'stdin:2: field "ready"' << END
{"type":"config","nodes":[{}]}
{"arrival":5,"duration":1,"id":1,"ready":4}
END
refused sfto 'stdin:2: field "deadline": must be above 0' << END
{"type":"config","caps":[1]}
{"deadline":0,"id":1,"workload":1}
END
refused li 'stdin:2: \(field\|.*number expected\)' << END
{"type":"config","n_pe":4,"policy":"FF"}
{"arrival":0,"deadline":9,"duration":9999999999999999999999,"id":1,"npe":1,"ready":0}
END
refused corspb 'stdin:2: field' << END
{"type":"config","machines":[7000]}
{"arrival":0,"duration":10,"floating":false,"id":1,"priority":1,"ready":100,"subs":[{"benefit":"hard","cpu":5000,"machine":7}]}
END
refused states 'stdin:1: field "events"' << END
{"id":1,"events":["accept","explode"]}
END
refused maxmi 'nearest name is "maxmin"' < /dev/null
exit $failed
