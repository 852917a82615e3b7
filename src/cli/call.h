/* A call of the program: requested command and options, and the tables of commands and options. */
#ifndef RBV_CLI_CALL_H
#define RBV_CLI_CALL_H

#include <roberval/roberval.h>

/* Exit statuses: docs/results.md. */
enum { EXIT_DONE = 0, EXIT_ANALYSIS = 1, EXIT_CALL = 2, EXIT_FAULT = 3, EXIT_INTERRUPT = 130 };

typedef struct Call Call;

typedef RbvStatus (*Analysis)(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);
typedef RbvStatus (*ChangingAnalysis)(RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                      RbvResult **result);
typedef RbvStatus (*FamilyAnalysis)(const RbvFamily *family, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                    RbvResult **result);

/* A row of the table of commands (main.c), from which main, help, errors about calls, the analyses of report, and by
 * tools/make-man the manual page and the completions come. */
typedef struct Command {
    const char *name;
    int (*run)(const Call *call); /* returns the exit status; NULL: reserved command that this version does not have */
    const char *argument;         /* "MODEL"; in brackets if optional; "": no argument */
    const char *summary;          /* line in the list of commands */
    const char *page;             /* description on the command's help page */
    const char *example;
    Analysis analysis;              /* analysis of one model; NULL: the command is none */
    ChangingAnalysis changing;      /* instead: an analysis that changes parameters of the system while it runs */
    FamilyAnalysis along;           /* analysis along the parameter of --follow; NULL: there is none */
    bool assembles;                 /* the analysis assembles the model: it takes the options of all such analyses, and
                                       report knows it */
    bool (*fits)(const Call *call); /* check of the options that go together; false: error reported. NULL: no check */
} Command;

struct Call {
    const Command *command, *commands; /* commands: table of all commands, ends with a row without a name */
    const char *argument;              /* a file, "-" for standard input, or a word */
    const char *second;                /* report: folder of a second result to overlay; NULL: none */
    const char *analysis;              /* report: name of the analysis; NULL: chosen by the model */
    const char *out, *follow, *hold, *motion;
    const char *motors, *gears; /* size: files of a catalogue, or a list of ratios; NULL: none */
    RbvSizingCase cases[64];    /* size: load cases of --loads */
    char cases_text[2048];      /* storage of their names */
    const char *record;         /* file of a recorded motion, "-" for standard input; NULL: none */
    char start[4096];           /* --start: folder of a result, "" if none */
    double start_time;          /* [s] time of the sample in that folder; NaN: the last sample */
    const char *overrides[64], *questions[64], *eliminated[64], *folders[64], *inputs[64], *outputs[64], *balance[64],
        *reactions[64], *cut[64], *base[64];
    int folder_count, override_count, question_count, eliminated_count;
    char eliminated_text[2048]; /* storage of the strings of `eliminated` */
    char inputs_text[2048], outputs_text[2048], balance_text[2048], reactions_text[2048], cut_text[2048],
        base_text[2048];
    int32_t part, parts;              /* study: --part i/n; parts 0: all */
    int64_t extend;                   /* study: samples more than the file says */
    int64_t monte_carlo, seed;        /* tolerance: samples; 0: not given */
    double coverage;                  /* tolerance: standard deviations of a tolerance; 0: not given */
    bool merge, yes, stop_on_failure; /* study */
    bool json, quiet, help, to_spatial, resume, mixed;
    const struct Option *other; /* report: an option besides --out, --full and --quiet; NULL: none */
    const struct Option *idle;  /* an option of the call that has no effect on the command; NULL: none */
    RbvCoordinatesChoice coordinates;
    RbvOptions options;
    RbvView view;
    const char *only[64];     /* name patterns of the view */
    const char *svg, *frames; /* picture files; NULL: none */
    RbvSketch sketch;
    RbvCurves curves;
    double times[32]; /* [s] times of the sketch */
};

typedef struct Option {
    const char *name, *value; /* "--out", "DIR"; value NULL: a flag */
    const char *commands;     /* blank-separated commands that take the option; "analyses": all that assemble a model */
    const char *idle; /* blank-separated commands on which the option has no effect (reported in a note); NULL: none */
    bool (*set)(Call *call, const char *value); /* reads the value; false: error reported. NULL: not in this version */
    const char *doc;
} Option;

/* Table of all options, ends with a row without a name. An option whose values differ between commands has several
 * rows. */
extern const Option option_table[];
/* Word in Option.commands for all analyses that assemble a model. */
#define ANALYSES "analyses"

/* Fill call from the arguments behind the command. False: error reported. With --help the call is not checked further.
 */
bool parse_call(Call *call, int argc, char **argv);

/* Set one option of the call's command ("--to") to a value ("true" for a flag), as on the command line; `closed`: it is
 * not taken here. False: error reported. */
bool set_one_option(Call *call, const char *name, const char *value, bool closed);

/* True if the result must contain the scene (geometry of the mechanism): for pictures, reports and the folder of --out.
 */
bool needs_scene(const Call *call);

/* True if `word` is in the blank-separated list; NULL: an empty list. */
bool is_listed(const char *list, const char *word);
/* True if the option is one of the command's, with an effect. */
bool is_option_of(const Option *option, const Command *command);
/* The command `name`, or NULL if there is none. */
const Command *find_command(const Command *commands, const char *name);

#endif
