/* Parse a call: command, options and arguments. */
#include "cli/call.h"

#include "cli/picture.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

#define MOST_NAMES 64

bool is_listed(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at && *at; at += strspn(at, " ")) {
        size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0)
            return true;
        at += here;
    }
    return false;
}

bool needs_scene(const Call *call) {
    return call->svg || call->frames || strcmp(call->command->name, "report") == 0 ||
           (call->out && strcmp(call->out, "-") != 0);
}

const Command *find_command(const Command *commands, const char *name) {
    for (; commands->name; commands++)
        if (strcmp(commands->name, name) == 0)
            return commands;
    return NULL;
}

bool is_option_of(const Option *option, const Command *command) {
    return is_listed(option->commands, command->name) || (command->assembles && is_listed(option->commands, ANALYSES));
}

static bool takes(const Option *option, const Command *command) {
    return is_option_of(option, command) || is_listed(option->idle, command->name);
}

/* Append a word to the list in text[size]; returns the new length. */
static size_t add_word(char *text, size_t size, size_t used, const char *word, int length) {
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? " " : "", length, word);
    return used;
}

/* Append the commands of an option to the list in text[size]; returns the new length. */
static size_t add_commands(const Call *call, const Option *option, char *text, size_t size, size_t used) {
    for (const char *at = option->commands; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        bool all = length == sizeof ANALYSES - 1 && strncmp(at, ANALYSES, length) == 0;
        for (const Command *c = call->commands; all && c->name; c++)
            if (c->assembles)
                used = add_word(text, size, used, c->name, (int)strlen(c->name));
        if (!all)
            used = add_word(text, size, used, at, (int)length);
        at += length;
    }
    return used;
}

/* Report an option of other commands, which are named. Returns false. */
static bool wrong_command(const Call *call, const char *name) {
    char list[200] = "";
    size_t used = 0;
    for (const Option *o = option_table; o->name; o++)
        if (strcmp(o->name, name) == 0)
            used = add_commands(call, o, list, sizeof list, used);
    return wrong("%s does not belong to %s, but to: %s", name, call->command->name, list);
}

/* Report an option that the command does not take: it belongs to other commands, or to none. Returns false. */
static bool wrong_option(const Call *call, const char *name) {
    const char *own[MOST_NAMES], *command = call->command->name;
    int32_t count = 0;
    for (const Option *o = option_table; o->name; o++) {
        if (strcmp(o->name, name) == 0 && !o->set)
            return wrong("%s is not in this version", name);
        if (strcmp(o->name, name) == 0 && strcmp(name, "--out") == 0)
            return wrong("%s: %s writes to standard output", name, command);
        if (strcmp(o->name, name) == 0)
            return wrong_command(call, name);
        if (takes(o, call->command) && count < MOST_NAMES)
            own[count++] = o->name;
    }
    const char *near = rbv_nearest_word(name, count, own);
    if (near)
        return wrong("unknown option %s; did you mean %s?", name, near);
    return wrong("unknown option %s; 'roberval help %s' lists those of %s", name, command, command);
}

static const Option *find_option(const char *name, const Command *command) {
    for (const Option *o = option_table; o->name; o++)
        if (strcmp(o->name, name) == 0 && takes(o, command))
            return o;
    return NULL;
}

/* Value of --analysis among the arguments; NULL: none. */
static const char *analysis_named(int argc, char **argv) {
    static const char name[] = "--analysis";
    const size_t length = sizeof name - 1;
    for (int k = 0; k < argc; k++) {
        if (strcmp(argv[k], name) == 0 && k + 1 < argc)
            return argv[k + 1];
        if (strncmp(argv[k], name, length) == 0 && argv[k][length] == '=')
            return argv[k] + length + 1;
    }
    return NULL;
}

/* Option of the analysis named by --analysis that report takes as well: all options of that command but outputs and
 * recorded motions. NULL: none. */
static const Option *find_borrowed(const char *name, const Call *call, int argc, char **argv) {
    static const char own[] = "--out --json --quiet --resume --hold --record --udwadia";
    const char *word = strcmp(call->command->name, "report") == 0 ? analysis_named(argc, argv) : NULL;
    const Command *analysis = word ? find_command(call->commands, word) : NULL;
    const Option *option = analysis && !is_listed(own, name) ? find_option(name, analysis) : NULL;
    return option && !(strcmp(name, "--motion") == 0 && option->value) ? option : NULL;
}

/* Read argv[*k]: "--name", "--name=value" or "--name value"; in the last case *k advances to the value. False: error
 * reported. */
static bool read_option(Call *call, int argc, char **argv, int *k) {
    const char *argument = argv[*k], *equal = strchr(argument, '='), *value = equal ? equal + 1 : NULL;
    size_t length = equal ? (size_t)(equal - argument) : strlen(argument);
    char name[40];
    if (length >= sizeof name)
        return wrong("unknown option %s", argument);
    memcpy(name, argument, length);
    name[length] = '\0';
    const Option *option = find_option(name, call->command);
    if (!option || strcmp(name, "--start") == 0) {
        const Option *borrowed = find_borrowed(name, call, argc, argv);
        option = borrowed ? borrowed : option;
    }
    if (!option)
        return wrong_option(call, name);
    if (!option->set)
        return wrong("%s is not in this version", name);
    if (!option->value && value)
        return wrong("%s takes no value", name);
    if (option->value && !value && *k + 1 < argc)
        value = argv[++*k];
    if (option->value && !value)
        return wrong("%s wants a value: %s %s", name, name, option->value);
    if (is_listed(option->idle, call->command->name))
        call->idle = option;
    if (!is_listed("--out --full --quiet", name))
        call->other = option;
    return option->set(call, value);
}

bool set_one_option(Call *call, const char *name, const char *value, bool closed) {
    const Option *option = find_option(name, call->command);
    if (!option)
        return wrong_option(call, name);
    if (closed || !option->set)
        return wrong("%s is not taken in a study", name);
    bool flag = strcmp(value, "true") == 0;
    if (!option->value && !flag)
        return strcmp(value, "false") == 0 || wrong("%s is true or false, not '%s'", name, value);
    return option->set(call, option->value ? value : NULL);
}

static bool read_argument(Call *call, const char *argument) {
    const char *what = call->command->argument;
    if (!*what)
        return wrong("%s takes nothing: '%s'", call->command->name, argument);
    if (call->argument && !call->second && strcmp(call->command->name, "report") == 0) {
        call->second = argument;
        return true;
    }
    if (call->argument)
        return wrong("one %s at a time: '%s' and '%s'", strcmp(what, "MODEL") == 0 ? "model" : "word", call->argument,
                     argument);
    call->argument = argument;
    return true;
}

bool parse_call(Call *call, int argc, char **argv) {
    const char *command = call->command->name, *what = call->command->argument;
    bool options = true;
    for (int k = 0; k < argc; k++) {
        const char *argument = argv[k];
        if (options && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0))
            return call->help = true;
        if (options && strcmp(argument, "--") == 0)
            options = false;
        else if (!(options && argument[0] == '-' && argument[1] ? read_option(call, argc, argv, &k)
                                                                : read_argument(call, argument)))
            return false;
    }
    if (!call->argument && *what && *what != '[')
        return wrong("%s wants a %s file%s: roberval %s %s", command, strcmp(what, "STUDY") == 0 ? "study" : "model",
                     *what == 'D' ? ", or the folder of a result" : "", command, what);
    if (!fits_picture(call))
        return false;
    if (strcmp(command, "report") == 0 &&
        !fits_ending(call->out, (const char *[]){".html", ".htm", NULL}, "the page of report is HTML"))
        return false;
    if (call->options.inverse.balance_count > 0 && call->options.inverse.method != RBV_METHOD_NEWTON)
        return wrong("--balance goes with --method newton: other methods solve for all of the mechanism at once");
    if (call->options.system.tree.cut_count > 0 && call->coordinates != RBV_COORDINATES_JOINT &&
        call->options.inverse.method != RBV_METHOD_RECURSIVE)
        return wrong(
            "--cut goes with --coordinates joint or --method recursive: elsewhere there is no tree that could be cut");
    if (call->options.system.tree.base_count > 0 && call->coordinates != RBV_COORDINATES_JOINT &&
        call->options.inverse.method != RBV_METHOD_RECURSIVE)
        return wrong("--base goes with --coordinates joint or --method recursive: elsewhere there is no tree that "
                     "could have one");
    if (call->mixed && call->coordinates != RBV_COORDINATES_NATURAL)
        return wrong("--mixed goes with --coordinates natural: distances and angles stand beside points and vectors");
    if (call->mixed)
        call->options.system.coordinates = call->coordinates = RBV_COORDINATES_MIXED;
    if (call->json && call->out && strcmp(call->out, "-") == 0)
        return wrong("--json and --out - both want standard output");
    if (call->out && strcmp(call->out, "-") == 0 && strcmp(command, "modes") == 0 && !call->follow)
        return wrong("modes without --follow has no series for standard output; --json prints its result");
    if (call->idle && !call->quiet)
        fprintf(stderr, "roberval: note: %s has no effect on %s\n", call->idle->name, command);
    return true;
}
