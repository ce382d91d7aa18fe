/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of the page, of rspb web, made by the makefile. */
#ifndef RSPB_CALENDAR_WEB_TEXT_H
#define RSPB_CALENDAR_WEB_TEXT_H

extern const char rspb_web_html[], rspb_web_css[], rspb_web_js[];

#endif
