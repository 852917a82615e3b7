/* Collects messages inside the library; the public functions are in <roberval/base.h>. */
#ifndef RBV_CORE_BASE_DIAGNOSTICS_H
#define RBV_CORE_BASE_DIAGNOSTICS_H

#include <roberval/base.h>
#include <stdarg.h>
#include <stdbool.h>

/* Most errors kept, and most notes and warnings kept; further ones are only counted: a broken file cannot fill the
 * memory. */
#define RBV_DIAGNOSTICS_KEPT 100

/* Append a message. `file` NULL: no file. Does nothing for a NULL list. If memory runs out the message is dropped but
 * counted as an error, so that no error is lost. */
void rbv_diagnose(RbvDiagnostics *diagnostics, RbvSeverity severity, const char *file, RbvPosition at,
                  const char *format, ...) RBV_PRINTF(5, 6);
void rbv_diagnose_list(RbvDiagnostics *diagnostics, RbvSeverity severity, const char *file, RbvPosition at,
                       const char *format, va_list arguments);

/* Append all messages of another list; NULL: none. */
void rbv_diagnostics_append(RbvDiagnostics *diagnostics, const RbvDiagnostics *more);

/* Number of errors, including those not kept. */
int32_t rbv_diagnostics_errors(const RbvDiagnostics *diagnostics);

/* True if memory ran out for a message: a result that quotes the notes would be incomplete. */
bool rbv_diagnostics_lost(const RbvDiagnostics *diagnostics);

/* Sort the messages by file position (stable), and remove exact repetitions. */
void rbv_diagnostics_sort(RbvDiagnostics *diagnostics);

#endif
