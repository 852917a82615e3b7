/* Collecting messages inside the library; the public side is <roberval/base.h>. */
#ifndef RBV_BASE_DIAGNOSTICS_H
#define RBV_BASE_DIAGNOSTICS_H

#include <roberval/base.h>
#include <stdarg.h>
#include <stdbool.h>

/* Errors beyond this many, and notes and warnings beyond this many, are counted, not kept: a broken file cannot fill
 * the memory. */
#define RBV_DIAGNOSTICS_KEPT 100

/* Append a message. `file` may be NULL (no file). A NULL list swallows the message. When memory runs out the message is
 * dropped but counted as an error, so that nothing wrong passes for right. */
void rbv_diagnose(RbvDiagnostics *diagnostics, RbvSeverity severity, const char *file, RbvPosition at,
                  const char *format, ...) RBV_PRINTF(5, 6);
void rbv_diagnose_list(RbvDiagnostics *diagnostics, RbvSeverity severity, const char *file, RbvPosition at,
                       const char *format, va_list arguments);

/* All messages of another list behind those of this one; NULL: none. */
void rbv_diagnostics_append(RbvDiagnostics *diagnostics, const RbvDiagnostics *more);

/* Errors so far, including those not kept. */
int32_t rbv_diagnostics_errors(const RbvDiagnostics *diagnostics);

/* Was there no memory for one of them? A result that quotes the notes would be incomplete. */
bool rbv_diagnostics_lost(const RbvDiagnostics *diagnostics);

/* Order the messages by file position, keeping the order of equals, and drop exact repetitions. */
void rbv_diagnostics_sort(RbvDiagnostics *diagnostics);

#endif
