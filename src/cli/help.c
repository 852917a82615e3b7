/* roberval help [COMMAND], COMMAND --help: the pages, from the tables of commands and options. */
#include "cli/commands.h"

#include "cli/print.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_COMMANDS 64

/* Column of the descriptions of commands and options. */
static int indent(void) {
    return page_width(NULL) < 70 ? 8 : 30;
}

/* Print the words of the text, starting in column `from`, wrapped at the page width with lines starting at `margin`;
 * ends with a newline. */
static void print_wrapped(const char *text, int from, int margin) {
    int width = page_width(NULL), column = from;
    for (const char *word = text + strspn(text, " "); *word; word += strspn(word, " ")) {
        int length = (int)strcspn(word, " ");
        bool first = column <= margin;
        if (!first && column + 1 + length > width) {
            printf("\n");
            column = 0;
            first = true;
        }
        column += printf("%*s%.*s", first ? margin - column : 1, "", length, word);
        word += length;
    }
    printf("\n");
}

/* Print a name with its description beside it, or below where the name is long. */
static void print_entry(const char *name, const char *what) {
    int column = printf("  %s", name);
    if (column > indent() - 2) {
        printf("\n");
        column = 0;
    }
    print_wrapped(what, column, indent());
}

static void print_option(const Option *option) {
    char name[120];
    snprintf(name, sizeof name, option->value ? "%s %s" : "%s", option->name, option->value);
    print_entry(name, option->doc);
}

/* True if check, kinematics and statics all take the option: it is listed in the overview. */
static bool is_common(const Option *option, const Command *commands) {
    return is_option_of(option, find_command(commands, "check")) &&
           is_option_of(option, find_command(commands, "kinematics")) &&
           is_option_of(option, find_command(commands, "statics"));
}

int print_overview(const Command *commands) {
    print_wrapped("roberval: kinematics, statics, inverse dynamics and joint reactions of rigid multibody systems, in "
                  "the plane and in space",
                  0, 0);
    printf("\n");
    for (const Command *c = commands; c->name; c++) {
        char name[80];
        snprintf(name, sizeof name, "roberval %s %s", c->name, c->argument);
        if (c->run)
            print_entry(name, c->summary);
    }
    printf("\n");
    print_wrapped("MODEL is a model file, or - for standard input. 'roberval help COMMAND' tells what a command does, "
                  "its options and an example. All analyses take these:",
                  0, 0);
    printf("\n");
    for (const Option *o = option_table; o->name; o++)
        if (o->set && is_common(o, commands))
            print_option(o);
    printf("\n");
    print_wrapped("Exit status: 0 done; 1 the analysis failed; 2 the model or the call is wrong; 3 an internal fault "
                  "or no memory; 130 interrupted.",
                  0, 0);
    return print_out("");
}

int print_page(const Command *command) {
    bool any = false;
    char title[200];
    snprintf(title, sizeof title, "roberval %s%s%s: %s", command->name, *command->argument ? " " : "",
             command->argument, command->summary);
    print_wrapped(title, 0, 0);
    if (*command->page) {
        printf("\n");
        print_wrapped(command->page, 0, 0);
    }
    for (const Option *o = option_table; o->name; o++) {
        if (!o->set || !is_option_of(o, command))
            continue;
        printf("%s", any ? "" : "\nOptions\n");
        print_option(o);
        any = true;
    }
    printf("\nExample\n  %s\n", command->example);
    return print_out("");
}

static const char *nearest_command(const Command *commands, const char *name) {
    const char *names[MOST_COMMANDS];
    int32_t count = 0;
    for (; commands->name && count < MOST_COMMANDS; commands++)
        if (commands->run)
            names[count++] = commands->name;
    return rbv_nearest_word(name, count, names);
}

static bool is_model_file(const char *name) {
    return access(name, R_OK) == 0 || strcmp(name, "-") == 0 || strstr(name, ".yaml") || strstr(name, ".yml") ||
           strstr(name, ".json");
}

int report_no_command(const Command *commands, const char *name) {
    const Command *known = find_command(commands, name);
    const char *near = nearest_command(commands, name);
    if (known)
        wrong("the command %s is not in this version; 'roberval help' lists those there are", name);
    else if (name[0] == '-' && name[1])
        wrong("a command comes first, then options such as %s: roberval check MODEL %s", name, name);
    else if (is_model_file(name))
        wrong(
            "what is to be done with %s? A command comes first: roberval check %s; 'roberval help' lists the commands",
            name, name);
    else if (near)
        wrong("there is no command '%s'; did you mean '%s'?", name, near);
    else
        wrong("there is no command '%s'; 'roberval help' lists those there are", name);
    return EXIT_CALL;
}

int command_help(const Call *call) {
    if (!call->argument)
        return print_overview(call->commands);
    const Command *command = find_command(call->commands, call->argument);
    return command && command->run ? print_page(command) : report_no_command(call->commands, call->argument);
}
