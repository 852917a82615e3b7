/* Separated text in one pass: the header names the columns, each later line is a row of numbers. Numbers are parsed in
 * place in a copy of the text. A cell takes at least two bytes of a row, which bounds the memory before the rows are
 * counted. */
#include "model/read/csv.h"

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "model/read/csv_line.h"
#include "model/read/text_check.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1u << 30)

/* Allocation that rbv_csv_destroy frees; csv is the first member. */
typedef struct Table {
    RbvCsv csv;
    RbvArena arena;
} Table;

typedef struct Reader {
    Table *table;
    RbvCsvLine line;
    char *text; /* NUL-terminated */
    size_t length, at;
    double *row; /* [columns] */
    int32_t rows_max;
} Reader;

/* Advance to the next line that is neither empty nor a comment; false at the end. */
static bool next_line(Reader *reader) {
    RbvCsvLine *line = &reader->line;
    while (reader->at < reader->length) {
        char *start = reader->text + reader->at, *end = start + strcspn(start, "\r\n");
        reader->at = (size_t)(end - reader->text);
        if (reader->at < reader->length) {
            reader->at += end[0] == '\r' && end[1] == '\n' ? 2 : 1;
        }
        line->number++;
        line->text = start;
        line->end = end;
        if (!rbv_csv_is_empty(line)) {
            return true;
        }
    }
    return false;
}

static void read_row(Reader *reader) {
    RbvCsv *csv = &reader->table->csv;
    if (!rbv_csv_read_row(&reader->line, csv->column_count, NULL, reader->row) || csv->row_count >= reader->rows_max) {
        return;
    }
    for (int32_t k = 0; k < csv->column_count; k++) {
        csv->columns[k].values[csv->row_count] = reader->row[k];
    }
    csv->lines[csv->row_count++] = reader->line.number;
}

static int32_t count_line_ends(const Reader *reader) {
    int32_t count = 1;
    for (size_t k = reader->at; k < reader->length; k++) {
        count += reader->text[k] == '\n' || reader->text[k] == '\r';
    }
    return count;
}

static bool make_room(Reader *reader) {
    RbvCsv *csv = &reader->table->csv;
    RbvArena *arena = &reader->table->arena;
    size_t columns = (size_t)csv->column_count;
    size_t rows = (reader->length - reader->at) / (2 * columns) + 1;
    size_t lines = (size_t)count_line_ends(reader);
    rows = rows < lines ? rows : lines;
    double *values = rbv_arena_array(arena, rows * columns, sizeof *values);
    csv->lines = rbv_arena_array(arena, rows, sizeof *csv->lines);
    reader->row = rbv_arena_array(arena, columns, sizeof *reader->row);
    if (values == NULL || csv->lines == NULL || reader->row == NULL) {
        rbv_csv_no_memory(&reader->line);
        return false;
    }
    for (size_t k = 0; k < columns; k++) {
        csv->columns[k].values = values + k * rows;
    }
    reader->rows_max = (int32_t)rows;
    return true;
}

/* --- whole text --- */

static void read_all(Reader *reader) {
    RbvCsvLine *line = &reader->line;
    RbvCsv *csv = &reader->table->csv;
    if (!next_line(reader)) {
        rbv_csv_error(line, (RbvPosition){1, 1}, "the file is empty; a header and rows of numbers are expected");
        return;
    }
    csv->columns = rbv_csv_read_header(line, &reader->table->arena, &csv->column_count);
    if (csv->columns == NULL || line->stopped || !make_room(reader)) {
        return;
    }
    bool rows = false;
    while (!line->stopped && next_line(reader)) {
        rows = true;
        read_row(reader);
    }
    if (!rows) {
        rbv_csv_error(line, (RbvPosition){line->number, 1}, "no row of numbers stands below the header");
    }
}

RbvCsv *rbv_csv_parse(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics,
                      RbvStatus *status) {
    *status = RBV_BAD_INPUT;
    if (length > MAX_BYTES) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, (RbvPosition){0, 0},
                     "the file is larger than 1 GiB; a table is not");
        return NULL;
    }
    if (!rbv_text_check(file, text, length, diagnostics)) {
        return NULL;
    }
    size_t mark = rbv_text_mark_length(text, length);
    Table *table = calloc(1, sizeof *table);
    Reader reader = {.table = table, .line = {.file = file, .diagnostics = diagnostics}, .length = length - mark};
    if (table != NULL) {
        reader.text = table->csv.text = rbv_arena_copy(&table->arena, length == 0 ? "" : text + mark, length - mark);
    }
    if (reader.text == NULL) {
        rbv_csv_no_memory(&reader.line);
    } else {
        read_all(&reader);
    }
    *status = reader.line.no_memory ? RBV_NO_MEMORY : reader.line.errors > 0 ? RBV_BAD_INPUT : RBV_OK;
    if (*status != RBV_OK) {
        rbv_csv_destroy(table == NULL ? NULL : &table->csv);
        return NULL;
    }
    return &table->csv;
}

void rbv_csv_destroy(RbvCsv *csv) {
    if (csv != NULL) {
        Table *table = (Table *)csv; /* csv is the first member of Table */
        rbv_arena_clear(&table->arena);
        free(table);
    }
}
