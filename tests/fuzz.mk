# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzz targets. A new one: tests/fuzz/fuzz_NAME.c with LLVMFuzzerTestOneInput,
# its inputs in tests/fuzz/corpus/NAME, a line in each list below.
if FUZZING
fuzz_main =
fuzz_flags = -fsanitize=fuzzer
else
fuzz_main = tests/fuzz/driver.c
fuzz_flags =
endif
fuzz_ldadd = common/librspbcommon.la

fuzz_targets = \
	tests/fuzz/fuzz_benefit \
	tests/fuzz/fuzz_flags \
	tests/fuzz/fuzz_contract \
	tests/fuzz/fuzz_config \
	tests/fuzz/fuzz_inquiry \
	tests/fuzz/fuzz_journal \
	tests/fuzz/fuzz_json \
	tests/fuzz/fuzz_message \
	tests/fuzz/fuzz_profile \
	tests/fuzz/fuzz_sim \
	tests/fuzz/fuzz_swf \
	tests/fuzz/fuzz_tag \
	tests/fuzz/fuzz_use
check_PROGRAMS += $(fuzz_targets)
# libFuzzer runs until it is stopped; its programs are for hands.
if !FUZZING
TESTS += $(fuzz_targets)
endif
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/driver.c

tests_fuzz_fuzz_benefit_SOURCES = tests/fuzz/fuzz_benefit.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_benefit_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_benefit_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_flags_SOURCES = tests/fuzz/fuzz_flags.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_flags_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_flags_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_contract_SOURCES = tests/fuzz/fuzz_contract.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_contract_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_contract_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_config_SOURCES = tests/fuzz/fuzz_config.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_config_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_config_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_inquiry_SOURCES = tests/fuzz/fuzz_inquiry.c tests/fuzz/fuzz.h \
	plugins/ctld/serve/inquiry.c plugins/wire/strict.c $(fuzz_main)
tests_fuzz_fuzz_inquiry_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_fuzz_inquiry_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_inquiry_LDADD = $(fuzz_ldadd) $(JSON_C_LIBS)
tests_fuzz_fuzz_journal_SOURCES = tests/fuzz/fuzz_journal.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_journal_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_fuzz_journal_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_journal_LDADD = contrib/sim/librspbsim.la
tests_fuzz_fuzz_json_SOURCES = tests/fuzz/fuzz_json.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_json_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_fuzz_json_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_json_LDADD = contrib/sim/librspbsim.la
tests_fuzz_fuzz_message_SOURCES = tests/fuzz/fuzz_message.c tests/fuzz/fuzz.h \
	plugins/spank/message.c $(fuzz_main)
tests_fuzz_fuzz_message_CFLAGS = $(AM_CFLAGS)
tests_fuzz_fuzz_message_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_message_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_profile_SOURCES = tests/fuzz/fuzz_profile.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_profile_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_profile_LDADD = tests/naive/libnaive.la $(tested) -lm
tests_fuzz_fuzz_sim_SOURCES = tests/fuzz/fuzz_sim.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_sim_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_fuzz_sim_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_sim_LDADD = contrib/sim/librspbpapers.la
tests_fuzz_fuzz_swf_SOURCES = tests/fuzz/fuzz_swf.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_swf_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_fuzz_swf_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_swf_LDADD = contrib/sim/librspbsim.la
tests_fuzz_fuzz_tag_SOURCES = tests/fuzz/fuzz_tag.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_tag_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_tag_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_use_SOURCES = tests/fuzz/fuzz_use.c tests/fuzz/fuzz.h \
	plugins/ctld/kinds/use_table.c $(fuzz_main)
tests_fuzz_fuzz_use_CFLAGS = $(AM_CFLAGS)
tests_fuzz_fuzz_use_LDFLAGS = $(fuzz_flags)
tests_fuzz_fuzz_use_LDADD = $(fuzz_ldadd)
CLEANFILES += fuzz-failure
