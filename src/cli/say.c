/* What the program says; see say.h. */
#include "cli/say.h"

#include "cli/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void print_diagnostics(const RbvDiagnostics *diagnostics, bool quiet) {
    static const char *const words[] = {"note", "warning", "error"};
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(diagnostics, k);
        if (quiet && d.severity != RBV_ERROR)
            continue;
        if (d.at.line > 0)
            fprintf(stderr, "%s:%d:%d: %s: %s\n", d.file, (int)d.at.line, (int)d.at.column, words[d.severity], d.message);
        else
            fprintf(stderr, "%s: %s: %s\n", *d.file ? d.file : "roberval", words[d.severity], d.message);
    }
}

bool wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("roberval: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
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

int say_printed(RbvStatus status) {
    if (status == RBV_NOT_WRITABLE)
        wrong("cannot write to standard output");
    return say_status(status);
}

int print_out(const char *text) {
    return say_printed(fputs(text, stdout) >= 0 && fflush(stdout) == 0 && !ferror(stdout) ? RBV_OK : RBV_NOT_WRITABLE);
}

int print_taken(char *text) {
    int status = text ? print_out(text) : say_status(RBV_NO_MEMORY);
    free(text);
    return status;
}
