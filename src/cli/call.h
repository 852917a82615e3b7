/* A call of the program: what was asked for, and the tables of commands and options it is read with. */
#ifndef RBV_CLI_CALL_H
#define RBV_CLI_CALL_H

#include <roberval/roberval.h>

/* Exit statuses: docs/results.md. */
enum { EXIT_DONE = 0, EXIT_ANALYSIS = 1, EXIT_CALL = 2, EXIT_FAULT = 3, EXIT_INTERRUPT = 130 };

typedef struct Call Call;

typedef struct Command {
    const char *name;
    int (*run)(const Call *call); /* the exit status; NULL: a command of the language that is not in this version */
    const char *argument;         /* "MODEL"; in brackets where it may be left out; "": none */
    const char *summary;          /* its line in the list of commands */
    const char *page;             /* what it does, for its own page */
    const char *example;
} Command;

struct Call {
    const Command *command, *commands; /* commands: all of them, up to one without a name */
    const char *argument;              /* a file, "-" for standard input, or a word */
    const char *second;                /* of report: a folder that is laid over the first; NULL: none */
    const char *analysis;              /* of report; NULL: chosen */
    const char *out, *follow, *hold, *motion;
    const char *record; /* a file of a recorded motion, "-" for standard input; NULL: none */
    char start[4096];   /* of --start: the folder, "" without one; */
    double start_time;  /* and [s] which sample; NaN: the last */
    const char *overrides[64], *questions[64], *eliminated[64], *folders[64], *inputs[64], *outputs[64], *balance[64],
        *reactions[64], *cut[64], *base[64];
    int folder_count, override_count, question_count, eliminated_count;
    char eliminated_text[2048]; /* what `eliminated` points into */
    char inputs_text[2048], outputs_text[2048], balance_text[2048], reactions_text[2048], cut_text[2048],
        base_text[2048];
    bool json, quiet, help, to_spatial, resume, mixed;
    const struct Option *idle; /* one that was given and has no effect */
    RbvCoordinatesChoice coordinates;
    RbvOptions options;
    RbvView view;
    const char *only[64];     /* of the view: patterns */
    const char *svg, *frames; /* files of pictures; NULL: none */
    RbvSketch sketch;
    RbvCurves curves;
    double times[32]; /* of the sketch */
};

typedef struct Option {
    const char *name, *value;                   /* "--out", "DIR"; value NULL: a flag */
    const char *commands;                       /* that take it, blank separated */
    const char *idle;                           /* that take it without effect (said in a note); NULL: none */
    bool (*set)(Call *call, const char *value); /* false: a mistake was said. NULL: not in this version */
    const char *doc;
} Option;

/* All options, up to one without a name. An option whose values differ from command to command stands there more than
 * once. */
extern const Option option_table[];

/* Fill call from the arguments after the command. False: a mistake was said. With --help nothing else is asked of the
 * call. */
bool parse_call(Call *call, int argc, char **argv);

/* Is what the machine looks like wanted: among the files of --out? */
bool wants_scene(const Call *call);

/* Is the word in the blank separated list? NULL: an empty list. */
bool is_listed(const char *list, const char *word);
/* The command called `name`, or NULL. */
const Command *find_command(const Command *commands, const char *name);

#endif
