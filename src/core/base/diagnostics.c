/* Statuses, the version, the spelling of options in texts, and the list of messages: up to RBV_DIAGNOSTICS_KEPT errors
 * and as many notes and warnings are kept, so that neither displaces the other; further ones are counted. Each kept
 * message owns one block of memory with its file name and text. */
#include "core/base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- texts of the statuses, and the version --- */

#ifndef RBV_VERSION_STRING
#define RBV_VERSION_STRING "0.1.0"
#endif

const char *rbv_status_text(RbvStatus status) {
    switch (status) {
    case RBV_OK: return "ok";
    case RBV_BAD_ARGUMENT: return "bad argument: the library was called wrongly";
    case RBV_BAD_INPUT: return "the input is wrong";
    case RBV_NO_MEMORY: return "no memory";
    case RBV_NOT_ASSEMBLED: return "the parts cannot be assembled";
    case RBV_INCONSISTENT: return "constraints or drives contradict each other";
    case RBV_LOCKED: return "the mechanism locks";
    case RBV_NO_EQUILIBRIUM: return "no equilibrium was found";
    case RBV_NOT_FINITE: return "an expression or a table gave no finite number";
    case RBV_AUDIT_FAILED: return "the result does not satisfy the laws of mechanics";
    case RBV_INTERRUPTED: return "interrupted";
    case RBV_NOT_WRITABLE: return "a file could not be written";
    }
    return "unknown status";
}

const char *rbv_version(void) {
    return RBV_VERSION_STRING;
}

/* --- options in texts --- */

#define MOST_OPTION 63 /* letters of the longest name of an option */

/* Length of the option's name if the text begins with "\032name\032", else 0. */
static size_t option_length(const char *text) {
    if (*text != RBV_OPTION_MARK[0])
        return 0;
    size_t length = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_.");
    return length <= MOST_OPTION && text[length + 1] == RBV_OPTION_MARK[0] ? length : 0;
}

size_t rbv_spell(RbvSpeller speller, const char *text, char *to, size_t size) {
    size_t used = 0;
    while (*text != '\0') {
        char name[MOST_OPTION + 1];
        size_t marked = option_length(text), length = marked;
        const char *piece = text;
        if (marked > 0) {
            memcpy(name, text + 1, marked);
            name[marked] = '\0';
            piece = speller ? speller(name) : NULL;
            piece = piece ? piece : name;
            length = strlen(piece);
        } else {
            length = 1 + strcspn(text + 1, RBV_OPTION_MARK);
        }
        if (used < size) {
            size_t room = size - 1 - used;
            memcpy(to + used, piece, length < room ? length : room);
        }
        used += length;
        text += marked > 0 ? marked + 2 : length;
    }
    if (size > 0)
        to[used < size ? used : size - 1] = '\0';
    return used;
}

/* --- the list of messages --- */

struct RbvDiagnostics {
    RbvSpeller speller;
    int32_t count;
    int32_t errors;
    int32_t kept_errors;
    bool lost; /* memory ran out for a message */
    RbvDiagnostic kept[2 * RBV_DIAGNOSTICS_KEPT];
    RbvOnce once[2 * RBV_DIAGNOSTICS_KEPT]; /* of messages that are said once in a run; of others what is NULL */
    char *block[2 * RBV_DIAGNOSTICS_KEPT];  /* "message\0file\0" of each message, options marked; then "spelt message\0"
                                               if it names an option */
};

RbvDiagnostics *rbv_diagnostics_create(void) {
    return calloc(1, sizeof(RbvDiagnostics));
}

void rbv_diagnostics_clear(RbvDiagnostics *diagnostics) {
    if (diagnostics == NULL)
        return;
    for (int32_t k = 0; k < diagnostics->count; k++)
        free(diagnostics->block[k]);
    diagnostics->count = diagnostics->errors = diagnostics->kept_errors = 0;
    diagnostics->lost = false;
}

void rbv_diagnostics_destroy(RbvDiagnostics *diagnostics) {
    rbv_diagnostics_clear(diagnostics);
    free(diagnostics);
}

void rbv_diagnostics_spell(RbvDiagnostics *diagnostics, RbvSpeller speller) {
    if (diagnostics != NULL)
        diagnostics->speller = speller;
}

RbvSpeller rbv_diagnostics_speller(const RbvDiagnostics *diagnostics) {
    return diagnostics == NULL ? NULL : diagnostics->speller;
}

int32_t rbv_diagnostics_count(const RbvDiagnostics *diagnostics) {
    return diagnostics == NULL ? 0 : diagnostics->count;
}

RbvDiagnostic rbv_diagnostics_at(const RbvDiagnostics *diagnostics, int32_t index) {
    if (diagnostics == NULL || index < 0 || index >= diagnostics->count) {
        return (RbvDiagnostic){.severity = RBV_NOTE, .file = "", .at = {0, 0}, .message = ""};
    }
    return diagnostics->kept[index];
}

RbvDiagnostic rbv_diagnostics_marked(const RbvDiagnostics *diagnostics, int32_t index) {
    RbvDiagnostic diagnostic = rbv_diagnostics_at(diagnostics, index);
    if (diagnostics != NULL && index >= 0 && index < diagnostics->count)
        diagnostic.message = diagnostics->block[index];
    return diagnostic;
}

int32_t rbv_diagnostics_errors(const RbvDiagnostics *diagnostics) {
    return diagnostics == NULL ? 0 : diagnostics->errors;
}

bool rbv_diagnostics_lost(const RbvDiagnostics *diagnostics) {
    return diagnostics != NULL && diagnostics->lost;
}

/* Make a message one line: control characters, for example from a quoted name, become blanks; marked options stay.
 * True if there are any. */
static bool make_one_line(char *text) {
    bool marked = false;
    for (; *text != '\0'; text++) {
        size_t option = option_length(text);
        if (option > 0) {
            marked = true;
            text += option + 1;
            continue;
        }
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            *text = ' ';
    }
    return marked;
}

/* Message with its options spelt, at the end of its block of `size` bytes; NULL: no memory. */
static const char *spell_message(const RbvDiagnostics *diagnostics, char **block, size_t size) {
    size_t spelt = rbv_spell(diagnostics->speller, *block, NULL, 0) + 1;
    char *larger = realloc(*block, size + spelt);
    if (larger == NULL)
        return NULL;
    *block = larger;
    rbv_spell(diagnostics->speller, larger, larger + size, spelt);
    return larger + size;
}

void rbv_diagnose_list(RbvDiagnostics *diagnostics, RbvSeverity severity, const char *file, RbvPosition at,
                       const char *format, va_list arguments) {
    if (diagnostics == NULL)
        return;
    if (severity == RBV_ERROR && diagnostics->errors < INT32_MAX)
        diagnostics->errors++;
    int32_t of_its_kind =
        severity == RBV_ERROR ? diagnostics->kept_errors : diagnostics->count - diagnostics->kept_errors;
    if (of_its_kind >= RBV_DIAGNOSTICS_KEPT)
        return;

    if (file == NULL)
        file = "";
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return;
    size_t message_size = (size_t)length + 1, file_size = strlen(file) + 1;
    char *block = malloc(message_size + file_size);
    if (block == NULL) {
        diagnostics->lost = true;
        return;
    }
    vsnprintf(block, message_size, format, arguments);
    memcpy(block + message_size, file, file_size);
    const char *message = make_one_line(block) ? spell_message(diagnostics, &block, message_size + file_size) : block;
    if (message == NULL) {
        free(block);
        diagnostics->lost = true;
        return;
    }

    diagnostics->block[diagnostics->count] = block;
    diagnostics->once[diagnostics->count] = (RbvOnce){NULL, 0};
    diagnostics->kept[diagnostics->count] =
        (RbvDiagnostic){.severity = severity, .file = block + message_size, .at = at, .message = message};
    diagnostics->count++;
    diagnostics->kept_errors += severity == RBV_ERROR;
}

void rbv_diagnose(RbvDiagnostics *diagnostics, RbvSeverity severity, const char *file, RbvPosition at,
                  const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(diagnostics, severity, file, at, format, arguments);
    va_end(arguments);
}

void rbv_diagnose_once(RbvDiagnostics *diagnostics, RbvOnce once, RbvSeverity severity, const char *file,
                       RbvPosition at, const char *format, ...) {
    int32_t before = rbv_diagnostics_count(diagnostics);
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(diagnostics, severity, file, at, format, arguments);
    va_end(arguments);
    if (rbv_diagnostics_count(diagnostics) > before)
        diagnostics->once[before] = once;
}

static bool is_said(const RbvDiagnostics *diagnostics, RbvOnce once) {
    for (int32_t k = 0; k < diagnostics->count; k++)
        if (diagnostics->once[k].what && diagnostics->once[k].item == once.item &&
            strcmp(diagnostics->once[k].what, once.what) == 0)
            return true;
    return false;
}

void rbv_diagnostics_join(RbvDiagnostics *diagnostics, const RbvDiagnostics *later) {
    if (diagnostics == NULL || later == NULL)
        return;
    for (int32_t k = 0; k < later->count; k++) {
        const RbvDiagnostic *d = &later->kept[k];
        if (later->once[k].what && is_said(diagnostics, later->once[k]))
            continue;
        int32_t before = diagnostics->count;
        rbv_diagnose(diagnostics, d->severity, d->file, d->at, "%s", later->block[k]);
        if (diagnostics->count > before)
            diagnostics->once[before] = later->once[k];
    }
    diagnostics->errors += later->errors - later->kept_errors;
    diagnostics->lost = diagnostics->lost || later->lost;
}

void rbv_diagnostics_append(RbvDiagnostics *diagnostics, const RbvDiagnostics *more) {
    if (diagnostics == NULL || more == NULL)
        return;
    for (int32_t k = 0; k < more->count; k++) {
        RbvDiagnostic d = more->kept[k];
        rbv_diagnose(diagnostics, d.severity, d.file, d.at, "%s", more->block[k]);
    }
    diagnostics->errors += more->errors - more->kept_errors;
    diagnostics->lost = diagnostics->lost || more->lost;
}

/* Rank of a file: files are sorted by their first message. */
static int32_t file_rank(const RbvDiagnostics *diagnostics, int32_t k) {
    for (int32_t j = 0; j < k; j++) {
        if (strcmp(diagnostics->kept[j].file, diagnostics->kept[k].file) == 0)
            return j;
    }
    return k;
}

static bool comes_after(const RbvDiagnostic *a, int32_t rank_a, const RbvDiagnostic *b, int32_t rank_b) {
    if (rank_a != rank_b)
        return rank_a > rank_b;
    if (a->at.line != b->at.line)
        return a->at.line > b->at.line;
    return a->at.column > b->at.column;
}

static bool is_repetition(const RbvDiagnostic *a, const RbvDiagnostic *b) {
    return a->severity == b->severity && a->at.line == b->at.line && a->at.column == b->at.column &&
           strcmp(a->message, b->message) == 0 && strcmp(a->file, b->file) == 0;
}

/* Does message k repeat an earlier one at the same position of the sorted list? */
static bool repeats_an_earlier(const RbvDiagnostics *diagnostics, int32_t kept, const RbvDiagnostic *d) {
    for (int32_t j = kept - 1; j >= 0; j--) {
        const RbvDiagnostic *e = &diagnostics->kept[j];
        if (e->at.line != d->at.line || e->at.column != d->at.column)
            return false;
        if (is_repetition(e, d))
            return true;
    }
    return false;
}

void rbv_diagnostics_sort(RbvDiagnostics *diagnostics) {
    if (diagnostics == NULL)
        return;
    int32_t rank[2 * RBV_DIAGNOSTICS_KEPT];
    for (int32_t k = 0; k < diagnostics->count; k++)
        rank[k] = file_rank(diagnostics, k);

    for (int32_t k = 1; k < diagnostics->count; k++) { /* insertion sort: stable */
        RbvDiagnostic d = diagnostics->kept[k];
        char *block = diagnostics->block[k];
        int32_t r = rank[k], j = k;
        for (; j > 0 && comes_after(&diagnostics->kept[j - 1], rank[j - 1], &d, r); j--) {
            diagnostics->kept[j] = diagnostics->kept[j - 1];
            diagnostics->block[j] = diagnostics->block[j - 1];
            rank[j] = rank[j - 1];
        }
        diagnostics->kept[j] = d;
        diagnostics->block[j] = block;
        rank[j] = r;
    }

    int32_t kept = 0;
    for (int32_t k = 0; k < diagnostics->count; k++) {
        RbvDiagnostic d = diagnostics->kept[k];
        char *block = diagnostics->block[k];
        if (repeats_an_earlier(diagnostics, kept, &d)) {
            if (d.severity == RBV_ERROR) {
                diagnostics->errors--;
                diagnostics->kept_errors--;
            }
            free(block);
            continue;
        }
        diagnostics->kept[kept] = d;
        diagnostics->block[kept] = block;
        kept++;
    }
    diagnostics->count = kept;
}
