/* A recorded motion from separated text, read as it is wanted: which columns it has (recording_columns.c), its rows
 * (recording.c). */
#ifndef RBV_READ_RECORDING_H
#define RBV_READ_RECORDING_H

#include <roberval/recording.h>

#include "model/model.h"
#include "read/csv_line.h"

/* Where a number of a row comes from. */
typedef struct RbvRecordedColumn {
    int32_t column; /* -1: it is not in the file */
    double factor;  /* SI value of its unit */
} RbvRecordedColumn;

typedef struct RbvRecordingColumns {
    int32_t count;
    RbvCsvColumn *items; /* [count] of the file */
    bool *requested;     /* [count] */
    RbvRecordedColumn time;
    RbvRecordedColumn (*drive)[3]; /* [drives] value, rate, second rate */
    bool (*given)[2];              /* [drives] of rates */
    bool *wraps; /* [drives] the angle begins anew at each turn, as the heading says: it goes on to the nearest turn */
    const char **notes; /* [note_count] */
    int32_t note_count;
} RbvRecordingColumns;

/* Which columns of the header are what; all mistakes are said. Columns in the arena. BAD_INPUT, NO_MEMORY. */
RbvStatus rbv_recording_find_columns(RbvModel *model, RbvCsvLine *header, RbvArena *arena,
                                     RbvRecordingColumns *columns);

#endif
