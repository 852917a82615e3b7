/* Any bytes as a table: no crash, no leak; finite numbers in named columns, or at least one error. */
#include "core/base/diagnostics.h"
#include "model/read/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvCsv *csv = rbv_csv_parse("f", (const char *)data, size, diagnostics, &(RbvStatus){0});
    require((csv == NULL) == (rbv_diagnostics_errors(diagnostics) > 0));
    require(rbv_diagnostics_errors(diagnostics) <= 20);
    if (csv != NULL) {
        require(csv->column_count > 0 && csv->row_count > 0);
        for (int32_t c = 0; c < csv->column_count; c++) {
            const RbvCsvColumn *column = &csv->columns[c];
            require(strlen(column->name) > 0 && column->unit != NULL && column->at.line > 0);
            for (int32_t r = 0; r < csv->row_count; r++) {
                require(isfinite(column->values[r]) && csv->lines[r] > column->at.line);
            }
        }
    }
    rbv_csv_destroy(csv);
    rbv_diagnostics_destroy(diagnostics);
    return 0;
}
