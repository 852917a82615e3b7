/* Separated text in one pass: the header names the columns, every later line is a row of numbers. The copy of the text is
 * where header strings live; numbers are read in place. A row takes at least two bytes a cell, which bounds the memory
 * before the rows are counted. */
#include "read/csv.h"

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/names.h"
#include "base/units.h"
#include "read/text_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERRORS = 20 };
#define MAX_BYTES (1u << 30)

/* What rbv_csv_destroy frees. */
typedef struct Table {
    RbvCsv csv;
    RbvArena arena;
} Table;

typedef struct Reader {
    Table *table;
    const char *file;
    RbvDiagnostics *diagnostics;
    char *text; /* NUL-terminated */
    size_t length, at;
    char *line, *line_end; /* the line at hand */
    int32_t line_number;
    char separator; /* '\0' for one column */
    int32_t rows_max;
    int32_t errors;
    bool stopped, no_memory;
} Reader;

/* A cell without the blanks around it and without its quotes. */
typedef struct Cell {
    char *place; /* its first character, the quote if it has one */
    char *text;
    size_t length;
} Cell;

static RbvPosition position(const Reader *reader, const char *place) {
    RbvPosition at = {reader->line_number, 1};
    for (const char *c = reader->line; c < place; c++) {
        at.column += ((unsigned char)*c & 0xC0) != 0x80;
    }
    return at;
}

static void error_at(Reader *reader, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);

static void error_at(Reader *reader, RbvPosition at, const char *format, ...) {
    if (reader->errors >= MAX_ERRORS) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(reader->diagnostics, RBV_ERROR, reader->file, at, format, arguments);
    va_end(arguments);
    reader->stopped = ++reader->errors >= MAX_ERRORS;
}

static void no_memory(Reader *reader) {
    error_at(reader, (RbvPosition){0, 0}, "no memory");
    reader->stopped = reader->no_memory = true;
}

/* --- lines and cells --- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* The next line that is neither empty nor a comment. */
static bool next_line(Reader *reader) {
    while (reader->at < reader->length) {
        char *start = reader->text + reader->at, *end = start + strcspn(start, "\r\n");
        reader->at = (size_t)(end - reader->text);
        if (reader->at < reader->length) {
            reader->at += end[0] == '\r' && end[1] == '\n' ? 2 : 1;
        }
        reader->line_number++;
        char *c = start;
        while (c < end && is_blank(*c)) {
            c++;
        }
        if (c < end && *start != '#') {
            reader->line = start;
            reader->line_end = end;
            return true;
        }
    }
    return false;
}

/* The separator in the header: the first of tab ; , that stands outside quotes. */
static char find_separator(const Reader *reader) {
    bool tab = false, semicolon = false, comma = false, quoted = false;
    for (const char *c = reader->line; c < reader->line_end; c++) {
        quoted ^= *c == '"';
        tab |= !quoted && *c == '\t';
        semicolon |= !quoted && *c == ';';
        comma |= !quoted && *c == ',';
    }
    return tab ? '\t' : semicolon ? ';' : comma ? ',' : '\0';
}

static bool ends_cell(const Reader *reader, const char *c) {
    return c == reader->line_end || *c == reader->separator;
}

/* Read a quoted cell: text between the quotes, "" made one quote in place. */
static bool read_quoted(Reader *reader, char **at, Cell *cell) {
    char *in = *at + 1, *out = in;
    cell->text = in;
    for (;; in++, out++) {
        if (in >= reader->line_end) {
            error_at(reader, position(reader, cell->place),
                     "this quote is not closed on its line; a closing \" is missing");
            return false;
        }
        if (*in == '"') {
            if (in + 1 == reader->line_end || in[1] != '"') {
                break;
            }
            in++;
        }
        *out = *in;
    }
    cell->length = (size_t)(out - cell->text);
    for (in++; !ends_cell(reader, in) && is_blank(*in);) {
        in++;
    }
    if (!ends_cell(reader, in)) {
        error_at(reader, position(reader, in), "text after a closing quote; write a quote inside quotes as \"\"");
        return false;
    }
    *at = in;
    return true;
}

/* Read the cell at *at and stop at its separator or the end of the line. */
static bool read_cell(Reader *reader, char **at, Cell *cell) {
    while (!ends_cell(reader, *at) && is_blank(**at)) {
        ++*at;
    }
    *cell = (Cell){.place = *at, .text = *at};
    if (*at < reader->line_end && **at == '"') {
        return read_quoted(reader, at, cell);
    }
    while (!ends_cell(reader, *at)) {
        ++*at;
    }
    cell->length = (size_t)(*at - cell->text);
    while (cell->length > 0 && is_blank(cell->text[cell->length - 1])) {
        cell->length--;
    }
    return true;
}

/* --- header --- */

static void trim(char **text, size_t *length) {
    while (*length > 0 && is_blank(**text)) {
        ++*text;
        --*length;
    }
    while (*length > 0 && is_blank((*text)[*length - 1])) {
        --*length;
    }
}

/* Split "angle [deg]" into name and unit. */
static void split_heading(Reader *reader, const Cell *cell, RbvCsvColumn *column) {
    RbvArena *arena = &reader->table->arena;
    char *name = cell->text, *end = cell->text + cell->length;
    char *bracket = memchr(name, '[', cell->length);
    size_t name_length = bracket == NULL ? cell->length : (size_t)(bracket - name);
    char *unit = end;
    size_t unit_length = 0;
    if (bracket != NULL) {
        unit = bracket + 1;
        char *close = memchr(unit, ']', (size_t)(end - unit));
        if (close == NULL) {
            error_at(reader, column->at, "the unit's bracket is not closed; write the heading as name [unit]");
            close = end;
        } else if (close + 1 != end) {
            error_at(reader, column->at, "text after the unit's bracket; write the heading as name [unit]");
        }
        unit_length = (size_t)(close - unit);
    }
    trim(&name, &name_length);
    trim(&unit, &unit_length);
    if (name_length == 0) {
        error_at(reader, column->at, "a column has no name; write the heading as name [unit]");
    }
    column->name = rbv_arena_copy(arena, name, name_length);
    column->unit = rbv_arena_copy(arena, unit, unit_length);
    if (column->name == NULL || column->unit == NULL) {
        no_memory(reader);
    }
}

static void check_names(Reader *reader) {
    const RbvCsv *csv = &reader->table->csv;
    RbvNameTable seen = {0};
    for (int32_t k = 0; k < csv->column_count && !reader->stopped; k++) {
        const char *name = csv->columns[k].name;
        if (rbv_name_table_find(&seen, name) >= 0) {
            size_t length = strlen(name);
            error_at(reader, csv->columns[k].at,
                     "column \"%.*s\" stands twice in the header; every column needs its own name",
                     rbv_text_shown(name, length), name);
        } else if (name[0] != '\0' && !rbv_name_table_add(&seen, name, k)) {
            no_memory(reader);
        }
    }
    rbv_name_table_clear(&seen);
}

static bool is_number(const Cell *cell) {
    double value;
    char after = cell->text[cell->length];
    cell->text[cell->length] = '\0';
    bool whole = cell->length > 0 && rbv_number_parse(cell->text, &value) == cell->length;
    cell->text[cell->length] = after;
    return whole;
}

static void read_header(Reader *reader) {
    RbvCsv *csv = &reader->table->csv;
    reader->separator = find_separator(reader);
    int32_t most = 1;
    for (const char *c = reader->line; c < reader->line_end; c++) {
        most += reader->separator != '\0' && *c == reader->separator;
    }
    csv->columns = rbv_arena_array(&reader->table->arena, (size_t)most, sizeof *csv->columns);
    if (csv->columns == NULL) {
        no_memory(reader);
        return;
    }
    for (char *at = reader->line; !reader->stopped; at++) {
        Cell cell;
        RbvCsvColumn *column = &csv->columns[csv->column_count];
        if (!read_cell(reader, &at, &cell)) {
            reader->stopped = true; /* nobody knows how many columns there are */
            return;
        }
        column->at = position(reader, cell.place);
        if (is_number(&cell)) {
            error_at(reader, column->at,
                     "a number in the header; the first line must name the columns, as in angle [deg]");
            reader->stopped = true;
            return;
        }
        split_heading(reader, &cell, column);
        csv->column_count++;
        if (at == reader->line_end) {
            break;
        }
    }
    check_names(reader);
}

/* --- rows --- */

static void refuse_cell(Reader *reader, const Cell *cell, double value) {
    RbvPosition at = position(reader, cell->place);
    int shown = rbv_text_shown(cell->text, cell->length);
    if (cell->length == 0) {
        error_at(reader, at, "an empty cell; every cell must hold a number");
    } else if (!isfinite(value)) {
        error_at(reader, at, "\"%.*s\" is too large for a number", shown, cell->text);
    } else if (memchr(cell->text, ',', cell->length) != NULL) {
        error_at(reader, at, "\"%.*s\" is not a number; write a point, not a comma, before decimals", shown,
                 cell->text);
    } else {
        error_at(reader, at,
                 "\"%.*s\" is not a number; every cell must hold a finite one, its unit stands in the header", shown,
                 cell->text);
    }
}

static void take_cell(Reader *reader, const Cell *cell, int32_t column) {
    RbvCsv *csv = &reader->table->csv;
    double value = 0;
    size_t used = cell->length == 0 ? 0 : rbv_number_parse(cell->text, &value);
    if (used != cell->length || used == 0) {
        refuse_cell(reader, cell, 0);
    } else if (!isfinite(value)) {
        refuse_cell(reader, cell, value);
    } else if (column < csv->column_count && csv->row_count < reader->rows_max) {
        csv->columns[column].values[csv->row_count] = value;
    }
}

static void read_row(Reader *reader) {
    RbvCsv *csv = &reader->table->csv;
    int32_t count = 0;
    int32_t errors_before = reader->errors;
    for (char *at = reader->line; !reader->stopped; at++) {
        Cell cell;
        if (!read_cell(reader, &at, &cell)) {
            return;
        }
        if (count < csv->column_count) {
            take_cell(reader, &cell, count);
        }
        count++;
        if (at == reader->line_end) {
            break;
        }
    }
    if (reader->stopped) {
        return;
    }
    if (count != csv->column_count) {
        error_at(reader, position(reader, reader->line), "this row has %d cell%s, the header has %d", (int)count,
                 count == 1 ? "" : "s", (int)csv->column_count);
    }
    if (reader->errors == errors_before && csv->row_count < reader->rows_max) {
        csv->lines[csv->row_count++] = reader->line_number;
    }
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
    if (values == NULL || csv->lines == NULL) {
        no_memory(reader);
        return false;
    }
    for (size_t k = 0; k < columns; k++) {
        csv->columns[k].values = values + k * rows;
    }
    reader->rows_max = (int32_t)rows;
    return true;
}

/* --- the whole --- */

static void read_all(Reader *reader) {
    if (!next_line(reader)) {
        error_at(reader, (RbvPosition){1, 1}, "the file is empty; a header and rows of numbers are expected");
        return;
    }
    read_header(reader);
    if (reader->stopped || !make_room(reader)) {
        return;
    }
    bool rows = false;
    while (!reader->stopped && next_line(reader)) {
        rows = true;
        read_row(reader);
    }
    if (!rows) {
        error_at(reader, (RbvPosition){reader->line_number, 1}, "no row of numbers stands below the header");
    }
}

RbvCsv *rbv_csv_parse(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics, RbvStatus *status) {
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
    Reader reader = {.table = table, .file = file, .diagnostics = diagnostics, .length = length - mark};
    if (table != NULL) {
        reader.text = table->csv.text = rbv_arena_copy(&table->arena, length == 0 ? "" : text + mark, length - mark);
    }
    if (reader.text == NULL) {
        no_memory(&reader);
    } else {
        read_all(&reader);
    }
    *status = reader.no_memory ? RBV_NO_MEMORY : reader.errors > 0 ? RBV_BAD_INPUT : RBV_OK;
    if (*status != RBV_OK) {
        rbv_csv_destroy(table == NULL ? NULL : &table->csv);
        return NULL;
    }
    return &table->csv;
}

void rbv_csv_destroy(RbvCsv *csv) {
    if (csv != NULL) {
        Table *table = (Table *)csv; /* its first member */
        rbv_arena_clear(&table->arena);
        free(table);
    }
}
