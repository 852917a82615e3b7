/* Reports why a file of the folder could not be written; see folder.h. */
#include "core/base/diagnostics.h"
#include "output/write/folder.h"

#include <errno.h>
#include <string.h>

RbvStatus rbv_folder_fail(const RbvFolder *folder, const char *file, RbvDiagnostics *diagnostics) {
    if (errno == ENOMEM)
        return RBV_NO_MEMORY;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "cannot write %s%s%s: %s", folder->path,
                 file ? "/" : "", file ? file : "", strerror(errno));
    return RBV_NOT_WRITABLE;
}
