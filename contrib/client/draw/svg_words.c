/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/svg_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/texts.h"
#include "contrib/client/client.h"
#include "contrib/client/output.h"
#include "contrib/client/who.h"

/* Pixels: how wide a character is, how high a line. */
enum { CHARACTER = 7, LINE = 12 };

/* The colours of the page (contrib/calendar/style.css), in light and dark. */
const char rspb_svg_style[] =
	"<style>\n"
	"svg{color-scheme:light dark;font:12px system-ui,sans-serif;--back:#fff;"
	"--text:#1b1f24;--faint:#57606a;--line:#d0d7de;--day:#818b98;--now:#cf222e;"
	"--mine:#0a53be;--mine-text:#fff;--others:#dce3ea;--others-edge:#6e7781;"
	"--down:#d8dde3;--down-edge:#57606a;--job:#f0f2f5;--job-edge:#818b98;"
	"--reserved:#fbf0c9;--reserved-edge:#9a6700;--maintenance:#fde3d0;"
	"--maintenance-edge:#bc4c00}\n"
	"@media(prefers-color-scheme:dark){svg{--back:#0d1117;--text:#e6edf3;"
	"--faint:#9198a1;--line:#30363d;--day:#6e7681;--now:#ff7b72;"
	"--mine:#79b8ff;--mine-text:#0d1117;--others:#2b323b;--others-edge:#848d97;"
	"--down:#2b323b;--down-edge:#8b949e;--job:#1b2027;--job-edge:#6e7681;"
	"--reserved:#3a2d0c;--reserved-edge:#d29922;--maintenance:#432310;"
	"--maintenance-edge:#f0883e}}\n"
	".back{fill:var(--back)}text{fill:var(--text)}.faint{fill:var(--faint)}"
	".line{stroke:var(--line)}.day{stroke:var(--day)}.now{stroke:var(--now);"
	"stroke-width:2}\n"
	".down{fill:var(--down);stroke:var(--down-edge)}"
	".job{fill:var(--job);stroke:var(--job-edge)}"
	".reserved{fill:var(--reserved);stroke:var(--reserved-edge)}"
	".maintenance{fill:var(--maintenance);stroke:var(--maintenance-edge)}"
	".booked{fill:var(--others);stroke:var(--others-edge)}"
	".mine{fill:var(--mine);stroke:var(--mine)}"
	".mine text{fill:var(--mine-text)}"
	".lane{stroke-dasharray:2 4}\n"
	".less{stroke-dasharray:5 3}.mine.less{stroke:var(--mine-text)}"
	"text{stroke:none}\n";

void rspb_svg_put(FILE *out, const char *text)
{
	while (*text) {
		const char *entity = rspb_text_entity(*text);
		size_t len = rspb_text_character(text);

		if (entity)
			fputs(entity, out);
		else if (!len || !rspb_text_printable(text, 1))
			/* Not even escaped may these stand in XML. */
			fputc('?', out);
		else
			fwrite(text, 1, len, out);
		text += len ? len : 1;
	}
}

const char *rspb_svg_node(json_object *nodes, uint32_t n)
{
	const char *name = json_object_get_string(json_object_array_get_idx(nodes, n));

	return name ? name : "";
}

void rspb_svg_tell(FILE *out, json_object *nodes, struct rspb_nodeset *scratch, json_object *item)
{
	char start[RSPB_OUTPUT_CELL], end[RSPB_OUTPUT_CELL], state[RSPB_OUTPUT_CELL], taken[256];
	struct rspb_text words = rspb_text_over(taken, sizeof(taken));
	const char *user = rspb_json_text(item, "user");
	const char *remark = rspb_json_text(item, "remark");
	char *said = rspb_output_local(*remark ? remark : rspb_json_text(item, "reason"));

	if (json_object_object_get_ex(item, "kind", NULL)) {
		rspb_svg_put(out, rspb_who_names[rspb_who_of(item)]);
	} else {
		rspb_svg_put(out, rspb_json_text(item, "id"));
		fputs(*user ? " of " : "", out);
		rspb_svg_put(out, user);
		fputs(", ", out);
		rspb_svg_put(out, rspb_output_state(item, state));
	}
	fprintf(out, ", %s to %s", rspb_output_moment(rspb_json_int(item, "start"), start),
		rspb_output_moment(rspb_json_int(item, "end"), end));
	if (!rspb_nodeset_parse(scratch, rspb_json_text(item, "on"), NULL)) {
		uint32_t n = rspb_nodeset_count(scratch);

		fprintf(out, ", on ");
		rspb_svg_put(out,
			     n ? rspb_svg_node(nodes, rspb_nodeset_next(scratch, 0)) : "no node");
		if (n > 1)
			fprintf(out, " and %" PRIu32 " more", n - 1);
	}
	if (rspb_json_real(item, "share") > 0)
		fprintf(out, ", %g %% of the CPUs", rspb_json_real(item, "share"));
	rspb_cores_add_words(rspb_json_int(item, "cores"), rspb_json_text(item, "gres"),
			     rspb_json_int(item, "mem"), &words);
	if (words.len) {
		fputs(", ", out);
		rspb_svg_put(out, taken);
		fputs(" of each", out);
	}
	if (*rspb_json_text(item, "licenses")) {
		fputs(", licenses ", out);
		rspb_svg_put(out, rspb_json_text(item, "licenses"));
	}
	if (said && *said) {
		fputs(": ", out);
		rspb_svg_put(out, said);
	}
	free(said);
}

static void put_line(FILE *out, const char *text, double x, double y)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, y);
	rspb_svg_put(out, text);
	fputs("</text>", out);
}

void rspb_svg_title(FILE *out, json_object *item, double left, double top, double wide, double tall)
{
	size_t room = wide > 8 ? (size_t) ((wide - 8) / CHARACTER) : 0;
	const char *name = rspb_json_text(item, "name");
	double x = left + wide / 2, y = top + tall / 2 + 4;
	char title[RSPB_WHO_TITLE];

	rspb_who_title(item, title);
	if (strlen(title) > room)
		title[strcspn(title, " ")] = '\0';
	if (tall < LINE || strlen(title) > room)
		return;
	if (*name && strlen(name) <= room && tall >= 2.5 * LINE) {
		put_line(out, title, x, y - 0.6 * LINE);
		put_line(out, name, x, y + 0.6 * LINE);
	} else {
		put_line(out, title, x, y);
	}
}
