/* Collects messages inside the library; the public functions are in <roberval/base.h>. */
#ifndef RBV_CORE_BASE_DIAGNOSTICS_H
#define RBV_CORE_BASE_DIAGNOSTICS_H

#include <roberval/base.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Most errors kept, and most notes and warnings kept; further ones are only counted: a broken file cannot fill the
 * memory. */
#define RBV_DIAGNOSTICS_KEPT 100

/* Options in messages: a message names an option by its place in RbvOptions, RbvInput or RbvView, or by the argument of
 * a function, between two marks. The marks stay while messages pass through the library, and go where a text leaves it:
 * rbv_spell writes the caller's spelling ("--method") or the bare name ("inverse.method"). */
#define RBV_OPTION_MARK "\032"
#define RBV_OPTION(name) RBV_OPTION_MARK name RBV_OPTION_MARK
#define RBV_OPTION_START RBV_OPTION("start")
#define RBV_OPTION_RECORDING RBV_OPTION("recording")
#define RBV_OPTION_START_AT_EQUILIBRIUM RBV_OPTION("start_at_equilibrium")
#define RBV_OPTION_PENALTY RBV_OPTION("penalty")
#define RBV_OPTION_COORDINATES RBV_OPTION("coordinates")
#define RBV_OPTION_REACTIONS_ELIMINATED RBV_OPTION("reactions.eliminated")
#define RBV_OPTION_REACTIONS_MULTIPLIERS RBV_OPTION("reactions.multipliers")
#define RBV_OPTION_REACTIONS_REDUNDANT RBV_OPTION("reactions.redundant")
#define RBV_OPTION_CHECK_ALONG_MOTION RBV_OPTION("check.along_motion")
#define RBV_OPTION_ASSEMBLY_UDWADIA RBV_OPTION("assembly.udwadia")
#define RBV_OPTION_INVERSE_BALANCE RBV_OPTION("inverse.balance")
#define RBV_OPTION_INVERSE_BY RBV_OPTION("inverse.by")
#define RBV_OPTION_INVERSE_METHOD RBV_OPTION("inverse.method")
#define RBV_OPTION_INVERSE_PRESCRIBED RBV_OPTION("inverse.prescribed")
#define RBV_OPTION_INVERSE_REACTIONS RBV_OPTION("inverse.reactions")
#define RBV_OPTION_STATICS_ALL RBV_OPTION("statics.all")
#define RBV_OPTION_STATICS_LOCKED RBV_OPTION("statics.locked")
#define RBV_OPTION_STATICS_METHOD RBV_OPTION("statics.method")
#define RBV_OPTION_MOTION_METHOD RBV_OPTION("motion.method")
#define RBV_OPTION_MODES_COUNT RBV_OPTION("modes.count")
#define RBV_OPTION_OVERRIDES RBV_OPTION("overrides")
#define RBV_OPTION_INPUTS RBV_OPTION("inputs")
#define RBV_OPTION_FOLDERS RBV_OPTION("folders")
#define RBV_OPTION_ALONG RBV_OPTION("along")
#define RBV_OPTION_HOLD RBV_OPTION("hold")
#define RBV_OPTION_FOLLOW RBV_OPTION("follow")
#define RBV_OPTION_VIEW_ONLY RBV_OPTION("view.only")
#define RBV_OPTION_FOLDER RBV_OPTION("folder")
#define RBV_OPTION_RESUME RBV_OPTION("resume")
#define RBV_OPTION_ANY_SIZE RBV_OPTION("any_size")
#define RBV_OPTION_EXTEND RBV_OPTION("extend")
#define RBV_OPTION_SIMULATE_RESUME RBV_OPTION("simulate.resume")

/* The text with each marked option as `speller` writes it (NULL: its name), like snprintf: at most size - 1 characters;
 * returns the length that the whole needs. */
size_t rbv_spell(RbvSpeller speller, const char *text, char *to, size_t size);

/* Speller of a list; NULL: none. */
RbvSpeller rbv_diagnostics_speller(const RbvDiagnostics *diagnostics);

/* As rbv_diagnostics_at, with the marks of options, for messages that stay in the library. */
RbvDiagnostic rbv_diagnostics_marked(const RbvDiagnostics *diagnostics, int32_t index);

/* Append a message. `file` NULL: no file. Does nothing for a NULL list. If memory runs out the message is dropped but
 * counted as an error, so that no error is lost. */
void rbv_diagnose(RbvDiagnostics *diagnostics, RbvSeverity severity, const char *file, RbvPosition at,
                  const char *format, ...) RBV_PRINTF(5, 6);
void rbv_diagnose_list(RbvDiagnostics *diagnostics, RbvSeverity severity, const char *file, RbvPosition at,
                       const char *format, va_list arguments);

/* What a message that is said once in a run is about: a word for the kind of message, and the number of the item. */
typedef struct RbvOnce {
    const char *what; /* a literal */
    int32_t item;
} RbvOnce;
/* A message that is said once in a run: see rbv_diagnostics_join. The caller sees to it within one list. */
void rbv_diagnose_once(RbvDiagnostics *diagnostics, RbvOnce once, RbvSeverity severity, const char *file,
                       RbvPosition at, const char *format, ...) RBV_PRINTF(6, 7);
/* Append the messages of a later part of the same run, without those that are said once and have been. */
void rbv_diagnostics_join(RbvDiagnostics *diagnostics, const RbvDiagnostics *later);

/* Append all messages of another list; NULL: none. */
void rbv_diagnostics_append(RbvDiagnostics *diagnostics, const RbvDiagnostics *more);

/* Number of errors, including those not kept. */
int32_t rbv_diagnostics_errors(const RbvDiagnostics *diagnostics);

/* True if memory ran out for a message: a result that quotes the notes would be incomplete. */
bool rbv_diagnostics_lost(const RbvDiagnostics *diagnostics);

/* Sort the messages by file position (stable), and remove exact repetitions. */
void rbv_diagnostics_sort(RbvDiagnostics *diagnostics);

#endif
