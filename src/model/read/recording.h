/* Streaming reader of a recorded motion from separated text: columns (recording_columns.c) and rows (recording.c). */
#ifndef RBV_MODEL_READ_RECORDING_H
#define RBV_MODEL_READ_RECORDING_H

#include <roberval/recording.h>

#include "model/model/model.h"
#include "model/read/csv_line.h"

/* Column and unit of a number of a row. */
typedef struct RbvRecordedColumn {
    int32_t column; /* -1: not in the file */
    double factor;  /* SI value of its unit */
} RbvRecordedColumn;

typedef struct RbvRecordingColumns {
    int32_t count;
    RbvCsvColumn *items; /* [count] columns of the file */
    bool *requested;     /* [count] */
    RbvRecordedColumn time;
    RbvRecordedColumn (*drive)[3]; /* [drives] value, rate, second rate */
    bool (*given)[2];              /* [drives] rate, second rate are in the file */
    bool *wraps; /* [drives] the heading says that the angle wraps at each turn: it is continued to the nearest turn */
    const char **notes; /* [note_count] */
    int32_t note_count;
} RbvRecordingColumns;

/* Assign the columns of the header; all errors are reported. Columns are in the arena. OK, BAD_INPUT or NO_MEMORY. */
RbvStatus rbv_recording_find_columns(RbvModel *model, RbvCsvLine *header, RbvArena *arena,
                                     RbvRecordingColumns *columns);

#endif
