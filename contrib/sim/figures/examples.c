/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the figures that show a case: the case as JSON lines, and the result that the paper gives.
 * Where the paper has letters, the numbers are ours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/alg/alg.h"
#include "contrib/sim/figures/theirs.h"

#define FIGURE_11                                                                                  \
	"{\"id\":\"T1\",\"workload\":2,\"deadline\":10}\n"                                         \
	"{\"id\":\"T2\",\"workload\":4,\"deadline\":11}\n"                                         \
	"{\"id\":\"T3\",\"workload\":2,\"deadline\":12,\"delays\":[4,4]}\n"                        \
	"{\"id\":\"T4\",\"workload\":3,\"deadline\":13,\"delays\":[4,4]}\n"                        \
	"{\"id\":\"T5\",\"workload\":2,\"deadline\":14}\n"                                         \
	"{\"id\":\"T6\",\"workload\":2,\"deadline\":15}\n"

/* clang-format off */
const struct sim_example sim_examples[] = {
	{ "000", "figure 1.1", "Shapes of benefit. A hard request (a) is worth nothing if it "
	  "gets less than it requests; soft ones (b, c, d) are worth less: linear, in steps, "
	  "concave.", "benefit",
	  "{\"benefit\":\"hard\",\"requested\":100,\"cpu\":50}\n"
	  "{\"benefit\":\"linear\",\"requested\":100,\"cpu\":50}\n"
	  "{\"benefit\":\"stair\",\"requested\":100,\"cpu\":50}\n"
	  "{\"benefit\":\"concave\",\"requested\":100,\"cpu\":50}\n",
	  { "{\"benefit\":0,\"cpu_max\":100,\"cpu_min\":100", "{\"benefit\":0.5,",
	    "{\"benefit\":0.8," } },
	{ "000", "figures 3.2 and 3.3", "The time slot table: reservations that overlap add "
	  "up, and cancelled ones are free again.", "rspb",
	  "{\"type\":\"config\",\"machines\":[7000],\"delta\":100}\n"
	  "{\"id\":1,\"arrival\":0,\"ready\":1000,\"duration\":100,\"priority\":1,\"subs\":[{\"cpu\":5000}]}\n"
	  "{\"id\":2,\"arrival\":10,\"ready\":1050,\"duration\":100,\"priority\":1,\"subs\":[{\"cpu\":2000}]}\n"
	  "{\"id\":3,\"arrival\":150,\"ready\":1020,\"duration\":50,\"priority\":1,\"subs\":[{\"cpu\":5000}]}\n"
	  "{\"cancel\":1,\"at\":300}\n"
	  "{\"id\":4,\"arrival\":350,\"ready\":1020,\"duration\":50,\"priority\":1,\"subs\":[{\"cpu\":5000}]}\n",
	  { "{\"accepted\":false,\"batch\":1,\"benefit\":0,\"decided_at\":200,\"id\":3}",
	    "{\"accepted\":true,\"batch\":2,\"benefit\":1,\"decided_at\":400,\"id\":4" } },
	{ "000", "figures 4.1 and 4.2", "RSPB: a batch by falling priority; each request gets "
	  "all that it requests, or what its benefit function allows of the rest.", "rspb",
	  "{\"type\":\"config\",\"machines\":[7000]}\n"
	  "{\"id\":1,\"arrival\":1,\"ready\":105,\"duration\":15,\"priority\":5,\"subs\":[{\"benefit\":\"linear\",\"cpu\":6000}]}\n"
	  "{\"id\":2,\"arrival\":2,\"ready\":100,\"duration\":10,\"priority\":9,\"subs\":[{\"cpu\":5000}]}\n",
	  { "\"id\":1,\"subs\":[{\"benefit\":0.333333333,\"cpu\":2000",
	    "\"id\":2,\"subs\":[{\"benefit\":1,\"cpu\":5000" } },
	{ "000", "figures 5.1 to 5.3", "Co-RSPB: all parts or none, by falling minimum, on the "
	  "machine with just enough room.", "corspb",
	  "{\"type\":\"config\",\"machines\":[9000,6000,3000]}\n"
	  "{\"id\":1,\"arrival\":0,\"ready\":100,\"duration\":10,\"priority\":9,\"subs\":[{\"cpu\":2000},{\"cpu\":5000}]}\n"
	  "{\"id\":2,\"arrival\":0,\"ready\":100,\"duration\":10,\"priority\":5,\"subs\":[{\"cpu\":8000},{\"cpu\":8000}]}\n",
	  { "\"id\":1,\"subs\":[{\"benefit\":1,\"cpu\":2000,\"machine\":2},{\"benefit\":1,\"cpu\":5000,\"machine\":1}]",
	    "\"id\":2}" } },
	{ "000", "figures 5.4 to 5.6", "Co-RSBF: only the least amount is granted.",
	  "corsbf",
	  "{\"type\":\"config\",\"machines\":[9000]}\n"
	  "{\"id\":1,\"arrival\":0,\"ready\":100,\"duration\":10,\"priority\":9,\"subs\":[{\"benefit\":\"linear\",\"cpu\":8000}]}\n",
	  { "\"cpu\":2000,\"machine\":0" } },
	{ "000", "figures 5.7 and 5.8", "Co-RSBFR: then grown within the batch.",
	  "corsbfr",
	  "{\"type\":\"config\",\"machines\":[9000]}\n"
	  "{\"id\":1,\"arrival\":0,\"ready\":100,\"duration\":10,\"priority\":9,\"subs\":[{\"benefit\":\"linear\",\"cpu\":8000}]}\n",
	  { "\"cpu\":8000,\"machine\":0" } },
	{ "001", "figure 1", "Task 3 follows tasks 1 and 2.", "edf",
	  "{\"type\":\"config\",\"caps\":[1,1]}\n"
	  "{\"id\":\"T1\",\"workload\":4,\"deadline\":8}\n"
	  "{\"id\":\"T2\",\"workload\":6,\"deadline\":9}\n"
	  "{\"id\":\"T3\",\"workload\":2,\"deadline\":8.5,\"after\":[\"T1\",\"T2\"]}\n",
	  { "\"id\":\"T3\",\"key\":8.5,\"proc\":0,\"rank\":1,\"start\":6}" } },
	{ "001", "figure 4", "The reservation begins when all data are there, ends "
	  "by the deadline, or the task is rejected.", "tarr",
	  "{\"type\":\"config\",\"capacities\":[100]}\n"
	  "{\"type\":\"task\",\"id\":1,\"at\":0,\"cpu\":60,\"x\":10,\"delay\":[5],\"deadline\":20}\n"
	  "{\"type\":\"task\",\"id\":2,\"at\":0,\"cpu\":60,\"x\":10,\"delay\":[5],\"deadline\":20}\n",
	  { "\"id\":1,\"oet\":15,\"resource\":0,\"st\":5",
	    "{\"accepted\":false,\"id\":2}" } },
	{ "001", "figure 5", "45 units for t become 30 units for 3t/2.", "tarr",
	  "{\"type\":\"config\",\"capacities\":[100]}\n"
	  "{\"type\":\"task\",\"id\":1,\"at\":0,\"cpu\":70,\"x\":100,\"delay\":[0]}\n"
	  "{\"type\":\"task\",\"id\":2,\"at\":0,\"cpu\":45,\"min_cpu\":20,\"x\":10,\"delay\":[0],\"deadline\":15}\n",
	  { "\"cpu\":30,\"guaranteed\":true,\"id\":2,\"oet\":15" } },
	{ "001", "figure 6", "UST = ST - 3 sigma, OWL = WL + 3 sigma.", "tarr",
	  "{\"type\":\"config\",\"capacities\":[100],\"k\":3}\n"
	  "{\"type\":\"task\",\"id\":1,\"at\":0,\"cpu\":50,\"x\":10,\"delay\":[20],\"sigma_delay\":2,\"sigma_wl\":50,\"deadline\":40}\n",
	  { "\"oet\":33,\"resource\":0,\"st\":20,\"ust\":14" } },
	{ "001", "figure 7", "An unknown delay: reserved from now on; its end follows from the "
	  "message about its start.", "tarr",
	  "{\"type\":\"config\",\"capacities\":[100]}\n"
	  "{\"type\":\"task\",\"id\":2,\"at\":5,\"cpu\":50,\"x\":10,\"deadline\":100}\n"
	  "{\"type\":\"started\",\"id\":2,\"at\":12}\n",
	  { "\"st\":5,\"ust\":5", "{\"id\":2,\"oet\":22}" } },
	{ "001", "figure 8", "An unknown workload: no end before its release, and "
	  "no guarantee.", "tarr",
	  "{\"type\":\"config\",\"capacities\":[100]}\n"
	  "{\"type\":\"task\",\"id\":3,\"at\":20,\"cpu\":40,\"x\":7,\"delay\":[0],\"workload_known\":false}\n"
	  "{\"type\":\"release\",\"id\":3,\"at\":30}\n",
	  { "\"guaranteed\":false,\"id\":3,\"oet\":\"inf\"",
	    "{\"id\":3,\"released\":30}" } },
	{ "001", "figure 9", "The profile as pairs of rate and length: a new task "
	  "adds two; as time passes only the first one changes.", "tarr",
	  "{\"type\":\"config\",\"capacities\":[100]}\n"
	  "{\"type\":\"task\",\"id\":1,\"at\":0,\"cpu\":30,\"x\":10,\"delay\":[0]}\n"
	  "{\"type\":\"task\",\"id\":2,\"at\":0,\"cpu\":40,\"x\":6,\"delay\":[2]}\n"
	  "{\"type\":\"profile\",\"at\":0,\"resource\":0}\n"
	  "{\"type\":\"task\",\"id\":3,\"at\":0,\"cpu\":20,\"x\":3,\"delay\":[4]}\n"
	  "{\"type\":\"profile\",\"at\":0,\"resource\":0}\n"
	  "{\"type\":\"profile\",\"at\":1,\"resource\":0}\n",
	  { "{\"pairs\":[[30,0],[70,2],[30,6],[0,2]]",
	    "{\"pairs\":[[30,0],[70,2],[90,2],[70,3],[30,1],[0,2]]",
	    "{\"pairs\":[[30,0],[70,1],[90,2],[70,3],[30,1],[0,2]]" } },
	{ "001", "figure 10", "By deadline: tasks 1 and 2 on resource 1, task 3 on resource 2, "
	  "although its data take longer there, task 4 on both.",
	  "tarr",
	  "{\"type\":\"config\",\"capacities\":[100,100],\"k\":0}\n"
	  "{\"type\":\"task\",\"id\":1,\"at\":0,\"cpu\":60,\"x\":10,\"delay\":[0,5],\"deadline\":10}\n"
	  "{\"type\":\"task\",\"id\":2,\"at\":0,\"cpu\":40,\"x\":11,\"delay\":[0,5],\"deadline\":11}\n"
	  "{\"type\":\"task\",\"id\":3,\"at\":0,\"cpu\":70,\"x\":8,\"delay\":[1,4],\"deadline\":13}\n"
	  "{\"type\":\"task\",\"id\":4,\"at\":0,\"cpu\":60,\"x\":5,\"delay\":[0,0],\"deadline\":20,\"replicas\":2}\n",
	  { "\"id\":2,\"oet\":11,\"resource\":0", "\"id\":3,\"oet\":12,\"resource\":1",
	    "{\"accepted\":true,\"copies\":[" } },
	{ "001", "figure 11", "Earliest deadline first on two equal processors, after all "
	  "earlier tasks: a gap stays before T3.", "edf",
	  "{\"type\":\"config\",\"caps\":[1,1],\"gaps\":false}\n" FIGURE_11,
	  { "\"id\":\"T3\",\"key\":12,\"proc\":0,\"rank\":2,\"start\":4",
	    "\"end\":8,\"fair_rate\":null,\"id\":\"T5\"",
	    "\"end\":9,\"fair_rate\":null,\"id\":\"T6\"" } },
	{ "001", "figure 12", "The same with gaps used: T5 and T6 end earlier.", "edf", "{\"type\":\"config\",\"caps\":[1,1]}\n" FIGURE_11,
	  { "\"end\":4,\"fair_rate\":null,\"id\":\"T5\"",
	    "\"end\":8,\"fair_rate\":null,\"id\":\"T6\"" } },
	{ "002", "figure 1", "Two running jobs and one reserved, t1 to t8 in tens: "
	  "a job for 20 on two PEs may start at t2, t3, t6 and t7. First fit "
	  "takes t2.", "li",
	  "{\"type\":\"config\",\"n_pe\":5,\"policy\":\"FF\",\"dump\":true,\"booked\":[{\"start\":0,\"end\":10,\"pes\":\"1-2\"},{\"start\":0,\"end\":30,\"pes\":\"0\"},{\"start\":80,\"end\":100,\"pes\":\"1-3\"}]}\n"
	  "{\"id\":1,\"arrival\":0,\"ready\":20,\"duration\":20,\"deadline\":90,\"npe\":2}\n",
	  { "{\"accepted\":true,\"end\":40,\"id\":1,\"pes\":\"1-2\",\"start\":20}" } },
	{ "002", "figure 1, PE worst", "The rectangles of t3 and t6 have most PEs, "
	  "the same one; the earlier start counts.", "li",
	  "{\"type\":\"config\",\"n_pe\":5,\"policy\":\"PE_W\",\"booked\":[{\"start\":0,\"end\":10,\"pes\":\"1-2\"},{\"start\":0,\"end\":30,\"pes\":\"0\"},{\"start\":80,\"end\":100,\"pes\":\"1-3\"}]}\n"
	  "{\"id\":1,\"arrival\":0,\"ready\":20,\"duration\":20,\"deadline\":90,\"npe\":2}\n",
	  { "\"id\":1,\"pes\":\"0-1\",\"start\":30}" } },
	{ "003", "figure 1", "A container binds at the start: a request that local work would "
	  "have ended on the first node runs on another one.", "vrc",
	  "{\"type\":\"config\",\"nodes\":[{},{}],\"local\":[[[10,20]],[[30,40]]]}\n"
	  "{\"id\":1,\"arrival\":0,\"ready\":12,\"duration\":5}\n"
	  "{\"id\":2,\"arrival\":0,\"ready\":28,\"duration\":5}\n",
	  { "\"id\":1,\"log\":[[0,\"booked\"],[12,\"active\"],[17,\"completed\"]],\"node\":1",
	    "\"id\":2,\"log\":[[0,\"booked\"],[28,\"active\"],[33,\"completed\"]],\"node\":0" } },
	{ "003", "table 1", "The states of a reservation: it begins requested and "
	  "ends declined, cancelled, terminated or completed.", "states",
	  "{\"id\":1,\"events\":[\"accept\",\"change\",\"decline\",\"start\",\"change\",\"accept\",\"end\"]}\n"
	  "{\"id\":2,\"events\":[\"accept\",\"start\",\"cancel\",\"terminate\"]}\n"
	  "{\"id\":3,\"events\":[\"decline\",\"start\"]}\n"
	  "{\"id\":4,\"events\":[\"accept\",\"cancel\"]}\n",
	  { "\"booked_change\",\"booked\",\"active\",\"active_change\",\"active\",\"completed\"]}",
	    "\"terminated\"]}", "\"declined\",\"declined\"]}", "\"cancelled\"]}" } },
	{ "003", "formulas 4 to 8", "The QoS deviation distance: infinite if a service "
	  "parameter is too small, else that of the provisional ones; the nearest comes first.",
	  "qdd",
	  "{\"type\":\"config\",\"params\":[{\"name\":\"mem\",\"positive\":true,\"service\":true},{\"name\":\"mhz\",\"positive\":true,\"service\":false},{\"name\":\"bw\",\"positive\":true,\"service\":false}],\"resources\":[{\"mem\":4,\"mhz\":0,\"bw\":0},{\"mem\":8,\"mhz\":3,\"bw\":4},{\"mem\":2,\"mhz\":3,\"bw\":4}]}\n"
	  "{\"id\":1,\"qos\":{\"mem\":4,\"mhz\":3,\"bw\":4}}\n",
	  { "{\"epsilon\":[5,0,\"inf\"],\"h\":[1,1,0],\"id\":1,\"order\":[1,0]}" } },
	{ .paper = NULL }
};
/* clang-format on */

bool sim_example_run(const struct sim_example *example, char **text)
{
	struct rspb_err err = { "" };
	const struct sim_algorithm *algorithm = sim_algorithm_find(example->algorithm, &err);
	size_t length = 0;
	FILE *out;
	bool good;

	*text = NULL;
	out = open_memstream(text, &length);
	if (!out)
		return false;
	good = algorithm && !sim_run_text(algorithm, example->input, strlen(example->input),
					  example->label, out, &err);
	if (!good)
		fputs(err.text, out);
	if (fclose(out) || !*text)
		return false;
	for (int i = 0; i < SIM_ANSWERS && example->answers[i]; i++)
		good = good && strstr(*text, example->answers[i]);
	return good;
}
