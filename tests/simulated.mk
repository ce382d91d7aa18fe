# SPDX-License-Identifier: GPL-2.0-or-later
# A simulated Slurm (doc/testing.md): the controller's own objects, as they are in the
# plugins, against stand-ins for plugins/compat and the socket.
simulated_sources = \
	tests/simulated/actions.c \
	tests/simulated/check_state.c \
	tests/simulated/checks.c \
	tests/simulated/disk.c \
	tests/simulated/door.c \
	tests/simulated/features.c \
	tests/simulated/kill.c \
	tests/simulated/log.c \
	tests/simulated/main.c \
	tests/simulated/notices.c \
	tests/simulated/room.c \
	tests/simulated/scenario.c \
	tests/simulated/scenario.h \
	tests/simulated/schedule.c \
	tests/simulated/select.c \
	tests/simulated/settings.c \
	tests/simulated/slurm_absent.c \
	tests/simulated/slurm_ctld.c \
	tests/simulated/slurm_edits.c \
	tests/simulated/slurm_jobs.c \
	tests/simulated/slurm_nodes.c \
	tests/simulated/slurm_parts.c \
	tests/simulated/slurm_resvs.c \
	tests/simulated/slurm_select.c \
	tests/simulated/states.c \
	tests/simulated/users.c \
	tests/simulated/wants.c \
	tests/simulated/workload.c \
	tests/simulated/world.c \
	tests/simulated/world.h

# What the simulation does instead of libc.
simulated_wraps = -Wl,--wrap=pthread_create -Wl,--wrap=pthread_join \
	-Wl,--wrap=pthread_detach -Wl,--wrap=pthread_mutex_lock \
	-Wl,--wrap=pthread_mutex_trylock -Wl,--wrap=pthread_mutex_unlock \
	-Wl,--wrap=pthread_cond_init -Wl,--wrap=pthread_cond_broadcast \
	-Wl,--wrap=pthread_cond_wait -Wl,--wrap=pthread_cond_timedwait \
	-Wl,--wrap=clock_gettime -Wl,--wrap=time -Wl,--wrap=nanosleep \
	-Wl,--wrap=usleep -Wl,--wrap=fsync -Wl,--wrap=fdatasync \
	-Wl,--wrap=write -Wl,--wrap=rename \
	-Wl,--wrap=getpwuid_r -Wl,--wrap=getgrouplist \
	-Wl,--wrap=getrusage

EXTRA_DIST += $(simulated_sources)
dist_check_SCRIPTS += tests/simulated/run tests/simulated/check tests/simulated/faults \
	tests/simulated/shrink tests/simulated/compare
dist_check_SCRIPTS += tests/simulated/watch tests/simulated/rehearsed tests/simulated/outages
EXTRA_DIST += tests/simulated/outages.py tests/simulated/faults.txt tests/simulated/known.txt tests/simulated/actions.txt \
	tests/simulated/scenarios/accept.scenario \
	tests/simulated/scenarios/asks-again.scenario \
	tests/simulated/scenarios/asks-in-vain.scenario \
	tests/simulated/scenarios/booked-percent.scenario \
	tests/simulated/scenarios/cancelled.scenario \
	tests/simulated/scenarios/capped.scenario \
	tests/simulated/scenarios/changed.scenario \
	tests/simulated/scenarios/charge-lost.scenario \
	tests/simulated/scenarios/closed-books.scenario \
	tests/simulated/scenarios/closed-unlisted.scenario \
	tests/simulated/scenarios/closed.scenario \
	tests/simulated/scenarios/component-over.scenario \
	tests/simulated/scenarios/components-cut.scenario \
	tests/simulated/scenarios/components-ended.scenario \
	tests/simulated/scenarios/components-longer.scenario \
	tests/simulated/scenarios/components-older.scenario \
	tests/simulated/scenarios/declined-again.scenario \
	tests/simulated/scenarios/deleted.scenario \
	tests/simulated/scenarios/dependent.scenario \
	tests/simulated/scenarios/drained.scenario \
	tests/simulated/scenarios/ended-cut.scenario \
	tests/simulated/scenarios/ended-unseen.scenario \
	tests/simulated/scenarios/ended.scenario \
	tests/simulated/scenarios/exclusive.scenario \
	tests/simulated/scenarios/fewer.scenario \
	tests/simulated/scenarios/firm.scenario \
	tests/simulated/scenarios/fixed.scenario \
	tests/simulated/scenarios/full.scenario \
	tests/simulated/scenarios/gives-back.scenario \
	tests/simulated/scenarios/group-cancelled.scenario \
	tests/simulated/scenarios/grown-uncounted.scenario \
	tests/simulated/scenarios/grows.scenario \
	tests/simulated/scenarios/held-licenses.scenario \
	tests/simulated/scenarios/held-most.scenario \
	tests/simulated/scenarios/held-offer.scenario \
	tests/simulated/scenarios/horizon.scenario \
	tests/simulated/scenarios/kept-counts.scenario \
	tests/simulated/scenarios/kept-until-end.scenario \
	tests/simulated/scenarios/killed-asked.scenario \
	tests/simulated/scenarios/killed-closed.scenario \
	tests/simulated/scenarios/killed-cores.scenario \
	tests/simulated/scenarios/killed-group.scenario \
	tests/simulated/scenarios/killed-late.scenario \
	tests/simulated/scenarios/killed-later.scenario \
	tests/simulated/scenarios/killed-moved.scenario \
	tests/simulated/scenarios/killed-shorter.scenario \
	tests/simulated/scenarios/killed-smaller.scenario \
	tests/simulated/scenarios/killed-twice.scenario \
	tests/simulated/scenarios/killed-unsynced.scenario \
	tests/simulated/scenarios/killed.scenario \
	tests/simulated/scenarios/larger.scenario \
	tests/simulated/scenarios/later.scenario \
	tests/simulated/scenarios/lent.scenario \
	tests/simulated/scenarios/licenses-booked.scenario \
	tests/simulated/scenarios/licenses.scenario \
	tests/simulated/scenarios/long.scenario \
	tests/simulated/scenarios/maintenance-far.scenario \
	tests/simulated/scenarios/moved-cut.scenario \
	tests/simulated/scenarios/newcomer-devices.scenario \
	tests/simulated/scenarios/offer-changed.scenario \
	tests/simulated/scenarios/operator.scenario \
	tests/simulated/scenarios/outage-asks-again.scenario \
	tests/simulated/scenarios/outage-at-start.scenario \
	tests/simulated/scenarios/outage-restored.scenario \
	tests/simulated/scenarios/outage-twice.scenario \
	tests/simulated/scenarios/overrun.scenario \
	tests/simulated/scenarios/part-later.scenario \
	tests/simulated/scenarios/planned-beside.scenario \
	tests/simulated/scenarios/power-unsynced.scenario \
	tests/simulated/scenarios/raised.scenario \
	tests/simulated/scenarios/release-damaged.scenario \
	tests/simulated/scenarios/released-cut.scenario \
	tests/simulated/scenarios/released-late.scenario \
	tests/simulated/scenarios/released.scenario \
	tests/simulated/scenarios/reminded.scenario \
	tests/simulated/scenarios/renumbered.scenario \
	tests/simulated/scenarios/requeued-licenses.scenario \
	tests/simulated/scenarios/requeued.scenario \
	tests/simulated/scenarios/rest.scenario \
	tests/simulated/scenarios/resumed.scenario \
	tests/simulated/scenarios/series-one.scenario \
	tests/simulated/scenarios/shared-always.scenario \
	tests/simulated/scenarios/shared.scenario \
	tests/simulated/scenarios/shorter.scenario \
	tests/simulated/scenarios/slow-disk.scenario \
	tests/simulated/scenarios/smaller.scenario \
	tests/simulated/scenarios/soon.scenario \
	tests/simulated/scenarios/start-within.scenario \
	tests/simulated/scenarios/starts.scenario \
	tests/simulated/scenarios/still-late.scenario \
	tests/simulated/scenarios/tier.scenario \
	tests/simulated/scenarios/two-reasons.scenario \
	tests/simulated/scenarios/users.scenario \
	tests/simulated/scenarios/waiting-again.scenario \
	tests/simulated/scenarios/waits.scenario \
	tests/simulated/scenarios/window-full.scenario \
	tests/simulated/scenarios/window.scenario
if BUILD_PLUGINS
# Of the plugins' objects those of the controller, without the socket's transport.
simulated_objects = $(filter-out plugins/ctld/serve/%server.lo \
	plugins/ctld/serve/%callers.lo plugins/ctld/serve/%lines.lo \
	plugins/ctld/serve/%listen.lo plugins/ctld/post/%program.lo,$(filter plugins/ctld/% plugins/wire/%, \
	$(plugins_librspb_la_OBJECTS))) \
	$(filter plugins/select/%place.lo plugins/select/%bookable.lo, \
	$(plugins_select_cons_tres_la_OBJECTS))
check_PROGRAMS += tests/simulated/simulated
TESTS += tests/simulated/check tests/simulated/outages
tests_simulated_simulated_SOURCES = $(simulated_sources)
tests_simulated_simulated_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_simulated_simulated_CFLAGS = $(AM_CFLAGS) -pthread
tests_simulated_simulated_LDFLAGS = $(simulated_wraps)
tests_simulated_simulated_LDADD = $(simulated_objects) common/librspbcommon.la \
	$(JSON_C_LIBS) $(MUNGE_LIBS)
tests_simulated_simulated_DEPENDENCIES = plugins/librspb.la plugins/select_cons_tres.la common/librspbcommon.la

# A month of a site's jobs, rehearsed by rspb-sim and lived through in the simulation.
DAYS = 30
check-rehearsed: tests/simulated/simulated contrib/sim/rspb-sim$(EXEEXT)
	$(srcdir)/tests/simulated/rehearsed --days $(DAYS)

# Run for so many hours, on all CPUs, by the seeds of the day, each of so many simulated hours.
# make check-simulated SEEDS=1-100: these alone.
HOURS = 0.1
SIMULATED_HOURS = 24
SEEDS =
check-simulated: tests/simulated/simulated
	$(srcdir)/tests/simulated/run --hours $(SIMULATED_HOURS) \
		$(if $(SEEDS),--seeds $(SEEDS),--for $(HOURS))

# Broken builds, each found within the seeds that its row states; FAULTS="NAME ..." alone.
FAULTS =
fault_compile = $(CC) $(DEFS) $(DEFAULT_INCLUDES) $(INCLUDES) $(PLUGIN_CPPFLAGS) \
	$(JSON_C_CFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)
fault_link = $(CC) $(CFLAGS) $(LDFLAGS) -pthread $(simulated_wraps)
fault_objects = $(tests_simulated_simulated_OBJECTS) $(simulated_objects)
fault_libs = common/.libs/librspbcommon.a $(JSON_C_LIBS) $(MUNGE_LIBS) -lm
check-simulated-faults: tests/simulated/simulated
	@FAULT_COMPILE='$(fault_compile)' FAULT_LINK='$(fault_link)' \
		FAULT_OBJECTS='$(fault_objects)' FAULT_LIBS='$(fault_libs)' \
		srcdir='$(srcdir)' $(srcdir)/tests/simulated/faults $(FAULTS)
endif
.PHONY: check-rehearsed check-simulated check-simulated-faults
