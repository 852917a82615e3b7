/* Statuses and diagnostics: how every Roberval function reports an error.
 *
 * Three kinds of error are never mixed. A caller's bug is RBV_BAD_ARGUMENT. Bad input is RBV_BAD_INPUT, with every
 * mistake collected in an RbvDiagnostics. A numerical outcome (no assembly, lock-up, ...) has a status of its own and
 * one diagnostic that explains it in the names of the model. The library never prints, exits or keeps global state.
 *
 *     RbvDiagnostics *diagnostics = rbv_diagnostics_create();
 *     for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
 *         puts(rbv_diagnostics_at(diagnostics, k).message);
 *     rbv_diagnostics_destroy(diagnostics); */
#ifndef ROBERVAL_BASE_H
#define ROBERVAL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RBV_API __attribute__((visibility("default")))
#define RBV_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define RBV_API
#define RBV_PRINTF(format_at, first_at)
#endif

typedef enum RbvStatus {
    RBV_OK = 0,
    RBV_BAD_ARGUMENT,   /* a caller's bug: NULL, an index out of range, an object not ready */
    RBV_BAD_INPUT,      /* the model or the call is wrong; see the diagnostics */
    RBV_NO_MEMORY,      /* an allocation failed; nothing was changed */
    RBV_NOT_ASSEMBLED,  /* no configuration found that satisfies the constraints */
    RBV_INCONSISTENT,   /* constraints or drives contradict each other */
    RBV_LOCKED,         /* lock-up: the motion cannot go on past the time named */
    RBV_NO_EQUILIBRIUM, /* statics found no equilibrium */
    RBV_NOT_FINITE,     /* an expression or a table gave no finite number */
    RBV_AUDIT_FAILED,   /* the result does not satisfy the laws of mechanics; it is not a result */
    RBV_INTERRUPTED,    /* the caller's progress function asked to stop; what was done is kept */
    RBV_NOT_WRITABLE    /* a file could not be written */
} RbvStatus;

typedef enum RbvSeverity { RBV_NOTE, RBV_WARNING, RBV_ERROR } RbvSeverity;

/* A position in a text file, counted from 1; line 0: no position (a model built in C). */
typedef struct RbvPosition {
    int32_t line, column;
} RbvPosition;

/* One message. Strings live as long as the RbvDiagnostics. */
typedef struct RbvDiagnostic {
    RbvSeverity severity;
    const char *file; /* "" when the message belongs to no file */
    RbvPosition at;
    const char *message; /* one line, in the model's own words */
} RbvDiagnostic;

/* A growing list of messages, in the order of the file. Not shared between threads. */
typedef struct RbvDiagnostics RbvDiagnostics;

/* A short English text for a status, never NULL. */
RBV_API const char *rbv_status_text(RbvStatus status);

/* Copy of a text that a terminal may print safely: control characters except line ends and tabs, invisible characters,
 * characters that reverse the writing direction, and bytes that are not UTF-8 are written as \x1b or \u202e. To be
 * freed with free(). NULL: text is NULL, or out of memory. Any thread may call it. */
RBV_API char *rbv_text_visible(const char *text);

/* The version of the library as "major.minor.patch". */
RBV_API const char *rbv_version(void);

/* The nearest of words[count] to a misspelt word, by letters left out, added, changed or exchanged; NULL: none is near.
 */
RBV_API const char *rbv_nearest_word(const char *word, int32_t count, const char *const *words);

/* An empty list; NULL: out of memory. Destroy with rbv_diagnostics_destroy. */
RBV_API RbvDiagnostics *rbv_diagnostics_create(void);
RBV_API void rbv_diagnostics_destroy(RbvDiagnostics *diagnostics);

/* Delete all messages, for a list that many calls in a row share. Strings of deleted messages become invalid. */
RBV_API void rbv_diagnostics_clear(RbvDiagnostics *diagnostics);

/* How messages name options of the library. Without a speller they name them as they stand in RbvOptions, RbvInput and
 * RbvView, or as arguments of functions: "statics.method". A program whose users write these otherwise gives a speller
 * before the list is used: it returns what they write ("--method"), a string that stays, or NULL: the name as it is.
 * Notes and tables of a result are spelt as the list that the analysis got. */
typedef const char *(*RbvSpeller)(const char *option);
RBV_API void rbv_diagnostics_spell(RbvDiagnostics *diagnostics, RbvSpeller speller);

/* Number of messages, and the message at `index` (0-based; index < count). */
RBV_API int32_t rbv_diagnostics_count(const RbvDiagnostics *diagnostics);
RBV_API RbvDiagnostic rbv_diagnostics_at(const RbvDiagnostics *diagnostics, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
