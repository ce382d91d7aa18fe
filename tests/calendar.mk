# SPDX-License-Identifier: GPL-2.0-or-later
# The calendar page, in a browser and over HTTP.
EXTRA_DIST += tests/calendar/access.py tests/calendar/check_booking.py \
	tests/calendar/check_booking_parts.py tests/calendar/check_course.py \
	tests/calendar/check_calendar.py tests/calendar/check_ondemand.py \
	tests/calendar/check_passenger.py tests/calendar/check_scripts.js \
	tests/calendar/places.py \
	tests/calendar/check_serve.py tests/calendar/check_operator.py tests/calendar/document.py \
	tests/calendar/firefox.py \
	tests/calendar/judge.py tests/calendar/looks.py tests/calendar/serve.py \
	tests/calendar/webdriver.py
dist_check_SCRIPTS += tests/calendar/check-calendar tests/calendar/check-serve \
	tests/calendar/check-picture tests/calendar/check-ondemand \
	tests/calendar/check-scripts tests/calendar/check-passenger
TESTS += tests/calendar/check-calendar tests/calendar/check-serve \
	tests/calendar/check-picture tests/calendar/check-ondemand \
	tests/calendar/check-scripts tests/calendar/check-passenger
