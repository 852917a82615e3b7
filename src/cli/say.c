/* Output of the program; see say.h. */
#include "cli/say.h"

#include "cli/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool error_said;

/* Replace newlines by blanks: text from names must not start a new line. */
static char *one_line(char *text) {
    for (char *c = text; c && *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return text;
}

static const char *shown(const char *text) {
    return text ? text : rbv_status_text(RBV_NO_MEMORY);
}

void print_diagnostics(const RbvDiagnostics *diagnostics, bool quiet) {
    static const char *const words[] = {"note", "warning", "error"};
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(diagnostics, k);
        if (quiet && d.severity != RBV_ERROR)
            continue;
        char *file = one_line(rbv_text_visible(*d.file ? d.file : "roberval")), *message = rbv_text_visible(d.message);
        if (d.at.line > 0)
            fprintf(stderr, "%s:%d:%d: %s: %s\n", shown(file), (int)d.at.line, (int)d.at.column, words[d.severity],
                    shown(message));
        else
            fprintf(stderr, "%s: %s: %s\n", shown(file), words[d.severity], shown(message));
        error_said = error_said || d.severity == RBV_ERROR;
        free(file);
        free(message);
    }
}

static void say(const char *kind, const char *format, va_list arguments) {
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    char *words = one_line(rbv_text_visible(text));
    fprintf(stderr, "roberval: %s: %s\n", kind, shown(words));
    free(words);
}

void say_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("note", format, arguments);
    va_end(arguments);
}

bool wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("error", format, arguments);
    va_end(arguments);
    error_said = true;
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

int say_status(RbvStatus status) {
    if (status == RBV_NO_MEMORY || status == RBV_BAD_ARGUMENT)
        wrong("%s", rbv_status_text(status));
    return exit_of(status);
}

int say_end(RbvStatus status) {
    bool fails = status != RBV_OK && status != RBV_INTERRUPTED,
         said = status == RBV_NO_MEMORY || status == RBV_BAD_ARGUMENT || error_said;
    if (fails && !said)
        wrong("%s", rbv_status_text(status));
    return say_status(status);
}

int say_printed(RbvStatus status) {
    if (status == RBV_NOT_WRITABLE)
        wrong("cannot write to standard output");
    return say_status(status);
}

int print_out(const char *text) {
    return say_printed(fputs(text, stdout) >= 0 && fflush(stdout) == 0 && !ferror(stdout) ? RBV_OK : RBV_NOT_WRITABLE);
}

int print_tables(char *text) {
    char *page = text ? rbv_text_visible(text) : NULL;
    free(text);
    return print_taken(page);
}

int print_taken(char *text) {
    int status = text ? print_out(text) : say_status(RBV_NO_MEMORY);
    free(text);
    return status;
}
