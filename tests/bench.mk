# SPDX-License-Identifier: GPL-2.0-or-later
# make bench: the engine beside the published structures, with its gates.
EXTRA_PROGRAMS += tests/bench/bench
tests_bench_bench_SOURCES = \
	tests/bench/batch.c tests/bench/bench.c tests/bench/bench.h \
	tests/bench/gates.c tests/bench/load.c tests/bench/offers.c \
	tests/bench/parts.c tests/bench/search.c \
	tests/bench/shares.c tests/bench/trace.c tests/bench/update.c tests/bench/waiting.c
tests_bench_bench_LDADD = \
	contrib/sim/librspbsim.la tests/naive/libnaive.la $(tested) -lm

BENCH_FLAGS =
# Gate 8 wants a trace of jobs: without RSPB_TRACE or --trace one that a model makes.
bench: tests/bench/bench$(EXEEXT) tests/bench/jobs.swf
	RSPB_TRACE="$${RSPB_TRACE:-tests/bench/jobs.swf}" tests/bench/bench $(BENCH_FLAGS)
tests/bench/jobs.swf: contrib/sim/rspb-sim$(EXEEXT)
	contrib/sim/rspb-sim model lublin nodes=1152 jobs=20000 arrival=4 umed=3 --seed 1 --quiet \
		--export-swf $@
.PHONY: bench
CLEANFILES += tests/bench/bench tests/bench/jobs.swf

# Built by make check, so that it keeps compiling.
check-local: tests/bench/bench$(EXEEXT)

# The same of a slurmctld that runs, with thousands of bookings: as root.
LIVE_FLAGS =
bench-live: all
	$(top_srcdir)/tests/bench/live/run --build $(abs_builddir) $(LIVE_FLAGS)
.PHONY: bench-live
# The same stream of requests on clusters side by side, in real time: 32 minutes.
bench-stream:
	$(MAKE) bench-live LIVE_FLAGS='$(LIVE_FLAGS) stream'
.PHONY: bench-stream
# A week's stream with and without Bookable, an hour taking 15 seconds: 60 minutes.
bench-week:
	$(MAKE) bench-live LIVE_FLAGS='$(LIVE_FLAGS) week'
.PHONY: bench-week
EXTRA_DIST += tests/bench/live
