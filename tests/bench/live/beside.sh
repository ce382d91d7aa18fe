# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookings beside thousands of ordinary jobs that run, for tests/bench/live/run.

running() { [ "$(squeue -h -t RUNNING,CONFIGURING -o %i | wc -l)" -ge "$1" ]; }

part_beside() {
	local depth=4000
	have=0
	live_up ours 10240
	sed -i "s/^SchedulerParameters=.*/&,default_queue_depth=$depth/" \
		"$SLURM_CONF"
	scontrol reconfigure
	wait_for 10 scontrol show reservation rspb_waiting >/dev/null
	client plain n=3000 processes=2 seed=777 width="$width" \
		from=$EPOCHSECONDS span=1 nodes=2 minutes=1200 user=5 >/dev/null
	wait_for 240 running 2500 || note "fewer than 2500 jobs run"
	fill 1000
	sleep 12
	mark
	note "10240 nodes, 1000 present, jobs run: $(cost_ours 400) ms a booking"
	lock_rows "beside 2500 jobs: write-locked part of a booking, mean" most 5
	live_down
}
