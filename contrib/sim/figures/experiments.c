/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row per experiment of the papers. */
#include "contrib/sim/figures/experiments.h"

/* Min, section 4.5: one part, 70 % of ten machines, four shapes. */
#define SINGLE                                                                                     \
	"requests=0", "parts=1", "sys_low=70", "sys_high=70", "cpu_low=20", "cpu_high=70",         \
		"duration_high=300", "floating=100"
#define CO_PRESETS                                                                                 \
	{                                                                                          \
		"co-rspb", "co-rsbf", "co-rsbfr"                                                   \
	}
#define CO_DRAWN(n)                                                                                \
	{                                                                                          \
		{ SIM_BENEFIT, n "a" },                                                            \
		{                                                                                  \
			SIM_REJECTIONS, n "b"                                                      \
		}                                                                                  \
	}
#define LI_PRESETS                                                                                 \
	{                                                                                          \
		"li-ff", "li-pe-best", "li-pe-worst", "li-du-best", "li-du-worst", "li-pedu-best", \
			"li-pedu-worst"                                                            \
	}
#define FAIR_PRESETS                                                                               \
	{                                                                                          \
		"fcfs", "edf", "sfto", "afto"                                                      \
	}
#define FAIR_DRAWN(n)                                                                              \
	{                                                                                          \
		{ SIM_E1, n "a" }, { SIM_E2, n "b" },                                              \
		{                                                                                  \
			SIM_E3, n "c"                                                              \
		}                                                                                  \
	}

/* clang-format off */
const struct sim_figure sim_figures[] = {
	{ "000", "4.3", "Rejections over requests", "min", { SINGLE },
	  { { "time", 9.5157, 0 } }, "requests (mean number)",
	  { 1063, 2500, 4000, 5500, 7000, 8500, 10505, 12604 }, 8,
	  { "rb", "rspb" }, { { SIM_REJECTIONS, "4.3" } },
	  .relative = false },
	{ "000", "4.4", "Rejections over machines", "min", { SINGLE },
	  { { "machines", 1, 0 } }, "machines",
	  { 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 }, 10, { "rb", "rspb" },
	  { { SIM_REJECTIONS, "4.4" } },
	  .relative = false },
	{ "000", "4.5", "Rejections over duration", "min", { SINGLE },
	  { { "duration_high", 2, -20 } }, "mean requested duration",
	  { 30, 70, 110, 150, 190, 230, 270, 310, 350 }, 9, { "rb", "rspb" },
	  { { SIM_REJECTIONS, "4.5" } },
	  .relative = false },
	{ "000", "4.6", "Reserved over requested CPU", "min", { SINGLE },
	  { { "cpu_low", 1, -2 }, { "cpu_high", 1, 2 } },
	  "mean requested CPU (%)",
	  { 20, 22.5, 25, 30, 35, 40, 45, 50, 55, 60, 63, 65.5, 68 }, 13,
	  { "rb", "rspb" }, { { SIM_RESERVED_CPU, "4.6" } },
	  .relative = false },
	{ "000", "4.7", "Rejected priorities over rejections", "min",
	  { SINGLE }, { { "time", 1, 0 }, { "ahead", 0, 300 } },
	  "rejections (mean number)",
	  { 10000, 25000, 40000, 55000, 70000, 85000, 100000 }, 7,
	  { "rb", "rspb" }, { { SIM_REJECTED_PRIORITY, "4.7" },
	  { SIM_MEAN_REJECTED_PRIORITY, "4.7-mean" } },
	  .x_is_rejections = true },
	{ "000", "5.9", "Co-reservations over requests", "min", { NULL },
	  { { "requests", 1, 0 } }, "requests",
	  { 100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 1900 }, 10,
	  CO_PRESETS, CO_DRAWN("5.9"),
	  .relative = false },
	{ "000", "5.10", "Co-reservations over machines", "min", { NULL },
	  { { "machines", 1, 0 } }, "machines",
	  { 4, 8, 12, 16, 20, 24, 28, 32, 36, 40 }, 10, CO_PRESETS,
	  CO_DRAWN("5.10"),
	  .relative = false },
	{ "000", "5.11", "Co-reservations over duration", "min", { NULL },
	  { { "duration_high", 2, -20 } }, "mean requested duration",
	  { 24, 40, 60, 80, 100, 120, 140, 159 }, 8, CO_PRESETS,
	  CO_DRAWN("5.11"),
	  .relative = false },
	{ "000", "5.12", "Co-reservations over floating requests", "min",
	  { NULL }, { { "floating", 1, 0 } }, "floating requests (%)",
	  { 0, 20, 40, 60, 80, 100 }, 6, CO_PRESETS, CO_DRAWN("5.12"),
	  .relative = false },
	{ "000", "5.13", "Co-reservations over the range of priorities",
	  "min", { NULL }, { { "priority", 1, 0 } }, "highest priority",
	  { 10, 25, 40, 55, 70, 85, 100 }, 7, CO_PRESETS, CO_DRAWN("5.13"),
	  .relative = false },
	{ "000", "5.x-rate", "Co-reservations over the arrival rate", "min",
	  { "requests=1000" }, { { "rate", 0.10509, 0 } },
	  "arrival rate (times the published one)",
	  { 0.5, 1, 2, 4, 6, 8, 9, 10 }, 8, CO_PRESETS, CO_DRAWN("5.x-rate-"),
	  .relative = false },
	{ "000", "5.x-least", "Co-reservations over the least fraction",
	  "min", { NULL }, { { "least", 1, 0 } },
	  "least fraction of soft requests",
	  { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9 }, 9, CO_PRESETS,
	  CO_DRAWN("5.x-least-"),
	  .relative = false },
	{ "001", "eq1", "Efficiency over the round trip", "tarr", { NULL },
	  { { "trip", 1000, 0 } }, "2 tp / x",
	  { 0, 0.25, 0.5, 0.75, 1, 1.5, 2 }, 7, { "tarr", "standard" },
	  { { SIM_EFFICIENCY, "eq1" } },
	  .relative = false },
	{ "001", "late", "Reservations outlasted over k", "tarr",
	  { "sigma_delay=0.1", "sigma_x=0.05", "tasks=10000",
	  "pause=2000" },
	  { { "k", 1, 0 } }, "k (standard deviations)",
	  { 0, 1, 2, 3, 3.5, 4 }, 6, { "tarr" },
	  { { SIM_OVERRUNS, "late" } },
	  .relative = false },
	{ "001", "late-data", "Reservations outlasted when ends allow for "
	  "late data", "tarr", { "sigma_delay=0.1", "sigma_x=0.05",
	  "tasks=10000", "pause=2000", "late_data=1" }, { { "k", 1, 0 } },
	  "k (standard deviations)", { 0, 1, 2, 3, 3.5, 4 }, 6, { "tarr" },
	  { { SIM_OVERRUNS, "late-data" } },
	  .relative = false },
	{ "001", "13", "Fairness over load", "fair", { NULL },
	  { { "load", 1, 0 } }, "normalized load",
	  { 0.5, 0.625, 0.75, 0.875, 1, 1.125, 1.25, 1.375, 1.5 }, 9,
	  FAIR_PRESETS, FAIR_DRAWN("13"),
	  .relative = false },
	{ "001", "13-loose", "Fairness over load, loose deadlines", "fair",
	  { "spread=5" }, { { "load", 1, 0 } }, "normalized load",
	  { 0.5, 0.625, 0.75, 0.875, 1, 1.125, 1.25, 1.375, 1.5 }, 9,
	  FAIR_PRESETS, FAIR_DRAWN("13-loose-"),
	  .relative = false },
	{ "001", "14", "Fairness over the variance of workloads", "fair",
	  { "load=1.25" }, { { "deviation", 1, 0 } },
	  "standard deviation of the workload (mean 10)",
	  { 0, 1, 2, 3, 4, 5, 6 }, 7, FAIR_PRESETS, FAIR_DRAWN("14"),
	  .relative = false },
	{ "001", "15", "Fairness over the number of tasks", "fair",
	  { "load=1" }, { { "tasks", 1, 0 } }, "tasks",
	  { 10, 15, 20, 25, 30, 40, 50 }, 7, FAIR_PRESETS, FAIR_DRAWN("15"),
	  .relative = false },
	{ "001", "16a", "Lateness over load, capacities 0.7 to 1.3", "fair",
	  { "uneven=0.3" }, { { "load", 1, 0 } }, "normalized load",
	  { 0.5, 0.75, 1, 1.25, 1.5 }, 5, FAIR_PRESETS,
	  { { SIM_E3, "16a" } },
	  .relative = false },
	{ "001", "16b", "Lateness over load, capacities 0.2 to 1.8", "fair",
	  { "uneven=0.8" }, { { "load", 1, 0 } }, "normalized load",
	  { 0.5, 0.75, 1, 1.25, 1.5 }, 5, FAIR_PRESETS,
	  { { SIM_E3, "16b" } },
	  .relative = false },
	{ "001", "16-uneven", "Lateness over how much capacities differ",
	  "fair", { "load=1.25" }, { { "uneven", 1, 0 } },
	  "capacities differ by this part of their mean", { 0, 0.2, 0.4, 0.6, 0.8 },
	  5, FAIR_PRESETS, { { SIM_E3, "16-uneven" } },
	  .relative = false },
	{ "001", "table1", "Computing time over the number of tasks", "fair",
	  { "load=1.25" }, { { "tasks", 1, 0 } }, "tasks",
	  { 10, 15, 20, 25, 30 }, 5, { "edf", "sfto", "afto" },
	  { { SIM_SECONDS, "table1" } }, .relative = true },
	{ "002", "2", "Size of jobs", "lublin", { NULL },
	  { { "umed", 1, 0 } }, "UMed (log2 of the size between the stages)",
	  { 5, 6, 7, 8, 9 }, 5, LI_PRESETS, { { SIM_ACCEPTANCE, "2" },
	  { SIM_SLOWDOWN, "3" }, { SIM_WORK, "2-work" } },
	  .relative = false },
	{ "002", "4", "Load", "lublin", { NULL }, { { "arrival", 1, 0 } },
	  "arrival factor", { 0.5, 0.75, 1, 1.25, 1.5 }, 5, LI_PRESETS,
	  { { SIM_ACCEPTANCE, "4" }, { SIM_SLOWDOWN, "5" },
	  { SIM_WORK, "4-work" } },
	  .relative = false },
	{ "002", "6", "Flexibility", "lublin", { NULL },
	  { { "artime", 1, 0 }, { "deadline", 1, 0 } },
	  "artime factor = deadline factor", { 1, 2, 3, 4, 5 }, 5,
	  LI_PRESETS, { { SIM_ACCEPTANCE, "6" }, { SIM_SLOWDOWN, "7" },
	  { SIM_WORK, "6-work" } },
	  .relative = false },
	{ "003", "fig2", "Success of late and early binding", "vrc",
	  { NULL }, { { "local", 1, 0 } }, "part of its time a node has "
	  "local work (it spares what runs)",
	  { 0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4 }, 9,
	  { "vrc", "static" }, { { SIM_SUCCESS, "fig2" },
	  { SIM_SUCCESS_RANGE, "fig2-range" } },
	  .relative = false },
	{ "003", "fig2-kill", "Success when local work ends what runs",
	  "vrc", { "kill_active=1" }, { { "local", 1, 0 } },
	  "part of its time a node has local work",
	  { 0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4 }, 9,
	  { "vrc", "static" }, { { SIM_SUCCESS, "fig2-kill" } },
	  .relative = false },
	{ "003", "formula1", "Wait in a pool of servers", "mmc",
	  { "load=0.8" }, { { "servers", 1, 0 } }, "servers in the pool",
	  { 1, 2, 3, 4, 6, 8, 12, 16 }, 8, { "mmc" },
	  { { SIM_WAIT, "formula1" }, { SIM_RATE, "formula1-rate" } },
	  .relative = false },
	{ "ours", "size", "Size of jobs, policies of this project", "lublin",
	  { NULL }, { { "umed", 1, 0 } },
	  "UMed (log2 of the size between the stages)", { 5, 6, 7, 8, 9 }, 5,
	  { "li-ff", "li-pe-worst", "live", "flex", "flex-tide",
	    "clairvoyant" },
	  { { SIM_ACCEPTANCE, "size-acceptance" },
	    { SIM_SLOWDOWN, "size-slowdown" }, { SIM_WORK, "size-work" } },
	  .relative = false },
	{ "ours", "shares", "Co-reservations of shares, policies of this "
	  "project", "min", { NULL }, { { "requests", 1, 0 } }, "requests",
	  { 300, 600, 900, 1200, 1500 }, 5,
	  { "co-rspb", "co-rsbfr", "co-rspb-headroom", "lazy-worst",
	    "lazy-price" },
	  { { SIM_BENEFIT, "shares-benefit" },
	    { SIM_REJECTIONS, "shares-rejections" },
	    { SIM_MEAN_REJECTED_PRIORITY, "shares-priority" } },
	  .relative = false },
	{ "ours", "parts", "Parts of fat nodes over the number of requests",
	  "parts", { "deadline=3" }, { { "requests", 1, 0 } },
	  "requests for a day", { 1000, 1500, 2000, 2500, 3000, 4000 }, 6,
	  { "li-ff", "li-pe-worst", "live" },
	  { { SIM_ACCEPTANCE, "parts-acceptance" },
	    { SIM_PACKING, "parts-packing" },
	    { SIM_OF_BOUND, "parts-of-bound" },
	    { SIM_SLOWDOWN, "parts-slowdown" } },
	  .relative = false },
	{ .paper = NULL }
};
/* clang-format on */
