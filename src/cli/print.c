/* What the program prints. */
#define _DEFAULT_SOURCE /* struct winsize */
#include "cli/print.h"

#include "cli/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool error_reported;

/* Replace newlines by blanks: text from names must not start a new line. */
static char *one_line(char *text) {
    for (char *c = text; c && *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return text;
}

static const char *visible_or_no_memory(const char *text) {
    return text ? text : rbv_status_text(RBV_NO_MEMORY);
}

/* Options of the library as the command line has them; the library's names are in core/base/diagnostics.h. */
static const struct {
    const char *name, *spelling;
} spellings[] = {
    {"start", "--start"},
    {"recording", "--record"},
    {"start_at_equilibrium", "--start statics"},
    {"penalty", "--penalty"},
    {"coordinates", "--coordinates"},
    {"reactions.eliminated", "--redundant eliminate"},
    {"reactions.multipliers", "--multipliers"},
    {"reactions.redundant", "--redundant"},
    {"check.along_motion", "check --motion"},
    {"assembly.udwadia", "--udwadia"},
    {"inverse.balance", "--balance"},
    {"inverse.by", "--by"},
    {"inverse.method", "--method"},
    {"inverse.prescribed", "--motion"},
    {"inverse.reactions", "--reaction"},
    {"statics.all", "--all"},
    {"statics.locked", "--locked"},
    {"statics.method", "--method"},
    {"modes.count", "--modes"},
    {"motion.method", "--method"},
    {"any_size", "--yes"},
    {"extend", "--extend"},
    {"overrides", "--set"},
    {"inputs", "inputs"},
    {"folders", "--path"},
    {"along", "--follow"},
    {"hold", "--hold"},
    {"follow", "--follow"},
    {"view.only", "--only"},
    {"folder", "--out"},
    {"resume", "--resume"},
    {"simulate.resume", "roberval simulate --resume"},
};

static const char *spell_option(const char *name) {
    for (size_t k = 0; k < sizeof spellings / sizeof spellings[0]; k++)
        if (strcmp(spellings[k].name, name) == 0)
            return spellings[k].spelling;
    return NULL;
}

RbvDiagnostics *create_messages(void) {
    RbvDiagnostics *messages = rbv_diagnostics_create();
    rbv_diagnostics_spell(messages, spell_option);
    return messages;
}

void print_diagnostics(const RbvDiagnostics *diagnostics, bool quiet) {
    static const char *const words[] = {"note", "warning", "error"};
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(diagnostics, k);
        if (quiet && d.severity != RBV_ERROR)
            continue;
        char *file = one_line(rbv_text_visible(*d.file ? d.file : "roberval")), *message = rbv_text_visible(d.message);
        if (d.at.line > 0)
            fprintf(stderr, "%s:%d:%d: %s: %s\n", visible_or_no_memory(file), (int)d.at.line, (int)d.at.column,
                    words[d.severity], visible_or_no_memory(message));
        else
            fprintf(stderr, "%s: %s: %s\n", visible_or_no_memory(file), words[d.severity],
                    visible_or_no_memory(message));
        error_reported = error_reported || d.severity == RBV_ERROR;
        free(file);
        free(message);
    }
}

static void print_message(const char *kind, const char *format, va_list arguments) {
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    char *words = one_line(rbv_text_visible(text));
    fprintf(stderr, "roberval: %s: %s\n", kind, visible_or_no_memory(words));
    free(words);
}

void report_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("note", format, arguments);
    va_end(arguments);
}

/* Where the words of wrong() go instead of standard error; NULL: there. */
static char *captured;
static size_t captured_size;

void capture_wrong(char *text, size_t size) {
    captured = text;
    captured_size = size;
}

bool wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (captured)
        vsnprintf(captured, captured_size, format, arguments);
    else
        print_message("error", format, arguments);
    va_end(arguments);
    error_reported = error_reported || !captured;
    return false;
}

int exit_of(RbvStatus status) {
    switch (status) {
    case RBV_OK: return EXIT_DONE;
    case RBV_BAD_INPUT: return EXIT_CALL;
    case RBV_INTERRUPTED: return EXIT_INTERRUPT;
    case RBV_BAD_ARGUMENT:
    case RBV_NO_MEMORY: return EXIT_FAULT;
    default: return EXIT_ANALYSIS;
    }
}

int report_status(RbvStatus status) {
    if (status == RBV_NO_MEMORY || status == RBV_BAD_ARGUMENT)
        wrong("%s", rbv_status_text(status));
    return exit_of(status);
}

int report_end(RbvStatus status) {
    bool fails = status != RBV_OK && status != RBV_INTERRUPTED,
         reported = status == RBV_NO_MEMORY || status == RBV_BAD_ARGUMENT || error_reported;
    if (fails && !reported)
        wrong("%s", rbv_status_text(status));
    return report_status(status);
}

int report_printed(RbvStatus status) {
    if (status == RBV_NOT_WRITABLE)
        wrong("cannot write to standard output");
    return report_status(status);
}

int print_out(const char *text) {
    return report_printed(fputs(text, stdout) >= 0 && fflush(stdout) == 0 && !ferror(stdout) ? RBV_OK
                                                                                             : RBV_NOT_WRITABLE);
}

int print_tables(char *text) {
    char *page = text ? rbv_text_visible(text) : NULL;
    free(text);
    return print_taken(page);
}

int print_taken(char *text) {
    int status = text ? print_out(text) : report_status(RBV_NO_MEMORY);
    free(text);
    return status;
}

#define NOT_A_TERMINAL 100
#define LEAST_COLUMNS 40
#define MOST_COLUMNS 1000

static int within_page(long columns) {
    if (columns < LEAST_COLUMNS)
        return LEAST_COLUMNS;
    return columns > MOST_COLUMNS ? MOST_COLUMNS : (int)columns;
}

int page_width(bool *known) {
    const char *given = getenv("COLUMNS");
    char *end;
    long columns = given ? strtol(given, &end, 10) : 0;
    struct winsize size;
    if (known)
        *known = true;
    if (given && end != given && !*end && columns > 0)
        return within_page(columns);
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return within_page(size.ws_col);
    if (known)
        *known = false;
    return NOT_A_TERMINAL;
}
