/* The keys of `output`, for the table of io/config/keys.c, by its macros. */
#ifndef HP_IO_CONFIG_KEYS_OUTPUT_H
#define HP_IO_CONFIG_KEYS_OUTPUT_H

#define HP_CONFIG_CHOICE_OF(name, text) "|" text
#define CHOICES_OF_RFT_DATA HP_RFT_DATA_LIST(HP_CONFIG_CHOICE_OF)
#define CHOICES_OF_RFT_WHEN HP_RFT_WHEN_LIST(HP_CONFIG_CHOICE_OF)
#define CHOICES_OF_HEAD HP_AVERAGE_HEAD_LIST(HP_CONFIG_CHOICE_OF)
#define CHOICES_OF_CONNECTIONS HP_AVERAGE_OF_LIST(HP_CONFIG_CHOICE_OF)
#define CHOICES_OF_SHEETS HP_SHEETS_LIST(HP_CONFIG_CHOICE_OF)

/* clang-format off */
#define HP_CONFIG_OUTPUT_KEYS \
    OTHER("output", GROUP, NONE, "", "", "result files"), \
    STRING("output.name", "the deck's name", "path and base name of result files"), \
    BOOL("output.fields", "true", "writes pressure and saturation at report times", AT(OUTPUT, fields)), \
    BOOL("output.double", "false", "fields in double precision", AT(OUTPUT, f64)), \
    INT("output.compression", "0..9", "1", "gzip level of the fields", AT(OUTPUT, compression)), \
    BOOL("output.summary", "true", "writes rates and totals of every time step", AT(OUTPUT, summary)), \
    BOOL("output.eclipse", "false", "also writes Eclipse's binary files", AT(OUTPUT, eclipse)), \
    CHOICE("output.units", "metric|field|lab|si", "units", "units of messages and summary"), \
    OTHER("output.vectors", NAMES, NONE, "", "", "additional vectors of the summary"), \
    OTHER("output.arrays", NAMES, NONE, "", "", "arrays of NAME.UNRST beside PRESSURE and SWAT"), \
    OTHER("output.averages", LIST, NONE, "", "", \
          "how WBP, WBP4, WBP5, WBP9 are taken; later entries change what they give"), \
    OTHER("output.averages[].well", NAMES, NONE, "", "*", "names or patterns with * and ?"), \
    TIME("output.averages[].time", ">= 0", "0", "from when on the entry holds", AT(AVERAGE, time)), \
    FLOAT("output.averages[].inner", NONE, "<= 1", "0.5", \
          "weight of a connection's cell beside its neighbours; below 0: pore volumes", AT(AVERAGE, inner)), \
    FLOAT("output.averages[].by_factor", NONE, "0..1", "1", \
          "weight of the mean by connection factors; the rest is that by pore volumes", AT(AVERAGE, by_factor)), \
    FLOAT("output.averages[].depth", LENGTH, "", "that of the bhp", "depth of the pressures", AT(AVERAGE, depth)), \
    CHOICE("output.averages[].head", CHOICES_OF_HEAD, "well", "density by which they get there: in the well, around it", \
           AT(AVERAGE, head)), \
    CHOICE("output.averages[].of", CHOICES_OF_CONNECTIONS, "open", "connections", AT(AVERAGE, of)), \
    CHOICE("output.sheets", CHOICES_OF_SHEETS, "none", "fluids in place in a log NAME.PRT, at report times", AT(OUTPUT, sheets)), \
    TIME("output.sheets_from", ">= 0", "0", "from when on", AT(OUTPUT, sheets_from)), \
    CHOICE("output.sheets_at_start", CHOICES_OF_SHEETS, "none", "of the initial state", AT(OUTPUT, sheets_at_start)), \
    OTHER("output.rft", LIST, NONE, "", "", "logs of wells in NAME.RFT, with output.eclipse; the latest entry counts"), \
    OTHER("output.rft[].well", NAMES, NONE, "", "required", "names or patterns with * and ?"), \
    TIME("output.rft[].time", ">= 0", "0", "from when on the entry holds", AT(RFT, time)), \
    CHOICE("output.rft[].data", CHOICES_OF_RFT_DATA, "rft", \
           "cells' pressure and saturation; pressure and rates in the well", AT(RFT, data)), \
    CHOICE("output.rft[].when", CHOICES_OF_RFT_WHEN, "reports", \
           "at time, and then: at reports; not again; if the well opens later, then; after each step", AT(RFT, when)), \
    INT("output.restart", "-1..1000000000", "2", "latest report steps with restart data; -1: all, 0: none", \
        AT(OUTPUT, restart)), \
    FLOAT("output.interval", TIME, "> 0", "", "fields only at its multiples, instead of every report", \
          AT(OUTPUT, interval)), \
    FLOAT("output.refresh", NONE, ">= 0", "0.1", \
          "least seconds between updates of NAME.h5 and NAME.xdmf2; 0: each report at once, and the run waits", \
          AT(OUTPUT, refresh))
/* clang-format on */

#endif
