/* Separated text: one line at a time with its cells, a header, a row of numbers; and whole texts as columns. */
#include "model/read/csv.h"

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/names.h"
#include "model/model/keys.h"
#include "model/read/series.h"
#include "model/read/text_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell without surrounding blanks and quotes. */
typedef struct Cell {
    char *place; /* first character in the line, the quote if there is one */
    char *text;
    size_t length;
} Cell;

RbvPosition rbv_csv_position(const RbvCsvLine *line, const char *place) {
    RbvPosition at = {line->number, 1};
    for (const char *c = line->text; c < place; c++) {
        at.column += ((unsigned char)*c & 0xC0) != 0x80;
    }
    return at;
}

void rbv_csv_error(RbvCsvLine *line, RbvPosition at, const char *format, ...) {
    if (line->errors >= RBV_CSV_MOST_ERRORS) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(line->diagnostics, RBV_ERROR, line->file, at, format, arguments);
    va_end(arguments);
    line->stopped = ++line->errors >= RBV_CSV_MOST_ERRORS;
}

void rbv_csv_no_memory(RbvCsvLine *line) {
    rbv_csv_error(line, (RbvPosition){0, 0}, "no memory");
    line->stopped = line->no_memory = true;
}

/* --- cells --- */

static bool is_csv_blank(char c) {
    return c == ' ' || c == '\t';
}

bool rbv_csv_is_empty(const RbvCsvLine *line) {
    const char *c = line->text;
    while (c < line->end && is_csv_blank(*c)) {
        c++;
    }
    return c == line->end || *line->text == '#';
}

/* The separator in the header: the first of tab ; , that occurs outside quotes. */
static char find_separator(const RbvCsvLine *line) {
    bool tab = false, semicolon = false, comma = false, quoted = false;
    for (const char *c = line->text; c < line->end; c++) {
        quoted ^= *c == '"';
        tab |= !quoted && *c == '\t';
        semicolon |= !quoted && *c == ';';
        comma |= !quoted && *c == ',';
    }
    if (tab || semicolon)
        return tab ? '\t' : ';';
    return comma ? ',' : '\0';
}

static bool ends_cell(const RbvCsvLine *line, const char *c) {
    return c == line->end || *c == line->separator;
}

/* Read a quoted cell: the text between the quotes, "" reduced to one quote in place. */
static bool read_quoted(RbvCsvLine *line, char **at, Cell *cell) {
    char *in = *at + 1, *out = in;
    cell->text = in;
    for (;; in++, out++) {
        if (in >= line->end) {
            rbv_csv_error(line, rbv_csv_position(line, cell->place),
                          "this quote is not closed on its line; a closing \" is missing");
            return false;
        }
        if (*in == '"') {
            if (in + 1 == line->end || in[1] != '"') {
                break;
            }
            in++;
        }
        *out = *in;
    }
    cell->length = (size_t)(out - cell->text);
    for (in++; !ends_cell(line, in) && is_csv_blank(*in);) {
        in++;
    }
    if (!ends_cell(line, in)) {
        rbv_csv_error(line, rbv_csv_position(line, in),
                      "text after a closing quote; write a quote inside quotes as \"\"");
        return false;
    }
    *at = in;
    return true;
}

/* Read the cell at *at and stop at its separator or the end of the line. */
static bool read_cell(RbvCsvLine *line, char **at, Cell *cell) {
    while (!ends_cell(line, *at) && is_csv_blank(**at)) {
        ++*at;
    }
    *cell = (Cell){.place = *at, .text = *at};
    if (*at < line->end && **at == '"') {
        return read_quoted(line, at, cell);
    }
    while (!ends_cell(line, *at)) {
        ++*at;
    }
    cell->length = (size_t)(*at - cell->text);
    while (cell->length > 0 && is_csv_blank(cell->text[cell->length - 1])) {
        cell->length--;
    }
    return true;
}

/* --- header --- */

static void trim(char **text, size_t *length) {
    while (*length > 0 && is_csv_blank(**text)) {
        ++*text;
        --*length;
    }
    while (*length > 0 && is_csv_blank((*text)[*length - 1])) {
        --*length;
    }
}

/* Split "angle [deg]" into name and unit; a column of a series.csv may have a verdict behind them, "top.Fz [N] (not
 * unique)". */
static void split_heading(RbvCsvLine *line, RbvArena *arena, const Cell *cell, RbvCsvColumn *column) {
    char *name = cell->text, *end = cell->text + cell->length;
    char *bracket = memchr(name, '[', cell->length);
    size_t name_length = bracket == NULL ? cell->length : (size_t)(bracket - name);
    char *unit = end;
    size_t unit_length = 0;
    if (bracket != NULL) {
        unit = bracket + 1;
        char *close = memchr(unit, ']', (size_t)(end - unit));
        if (close == NULL) {
            rbv_csv_error(line, column->at, "the unit's bracket is not closed; write the heading as name [unit]");
            close = end;
        } else if (close + 1 != end && !rbv_series_head(cell->text, cell->length).has_verdict) {
            rbv_csv_error(line, column->at, "text after the unit's bracket; write the heading as name [unit]");
        }
        unit_length = (size_t)(close - unit);
    }
    trim(&name, &name_length);
    trim(&unit, &unit_length);
    if (name_length == 0) {
        rbv_csv_error(line, column->at, "a column has no name; write the heading as name [unit]");
    }
    column->name = rbv_arena_copy(arena, name, name_length);
    column->unit = rbv_arena_copy(arena, unit, unit_length);
    if (column->name == NULL || column->unit == NULL) {
        rbv_csv_no_memory(line);
    }
}

static void check_names(RbvCsvLine *line, const RbvCsvColumn *columns, int32_t count) {
    RbvNameTable seen = {0};
    for (int32_t k = 0; k < count && !line->stopped; k++) {
        const char *name = columns[k].name;
        if (rbv_name_table_find(&seen, name) >= 0) {
            size_t length = strlen(name);
            rbv_csv_error(line, columns[k].at,
                          "column \"%.*s\" stands twice in the header; every column needs its own name",
                          rbv_text_shown(name, length), name);
        } else if (name[0] != '\0' && !rbv_name_table_add(&seen, name, k)) {
            rbv_csv_no_memory(line);
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

RbvCsvColumn *rbv_csv_read_header(RbvCsvLine *line, RbvArena *arena, int32_t *count) {
    line->separator = find_separator(line);
    int32_t most = 1;
    *count = 0;
    for (const char *c = line->text; c < line->end; c++) {
        most += line->separator != '\0' && *c == line->separator;
    }
    RbvCsvColumn *columns = rbv_arena_array(arena, (size_t)most, sizeof *columns);
    if (columns == NULL) {
        rbv_csv_no_memory(line);
        return NULL;
    }
    for (char *at = line->text; !line->stopped; at++) {
        Cell cell;
        RbvCsvColumn *column = &columns[*count];
        if (!read_cell(line, &at, &cell)) {
            line->stopped = true; /* the number of columns is unknown: rows cannot be read */
            return NULL;
        }
        column->at = rbv_csv_position(line, cell.place);
        if (is_number(&cell)) {
            rbv_csv_error(line, column->at,
                          "a number in the header; the first line must name the columns, as in angle [deg]");
            line->stopped = true;
            return NULL;
        }
        split_heading(line, arena, &cell, column);
        ++*count;
        if (at == line->end) {
            break;
        }
    }
    check_names(line, columns, *count);
    return columns;
}

bool rbv_csv_unit(RbvCsvLine *line, const RbvCsvColumn *column, RbvDimension requested, RbvUnit *unit) {
    size_t length = strlen(column->unit);
    if (!rbv_unit_parse(column->unit, length, unit, NULL)) {
        const char *near = rbv_unit_nearest(column->unit, length);
        rbv_csv_error(line, column->at, near ? "'%s' is no unit; did you mean '%s'?" : "'%s' is no unit", column->unit,
                      near);
        return false;
    }
    if (requested == RBV_DIM_ANY || rbv_unit_measures(unit, requested)) {
        return true;
    }
    char expected[128], is[128];
    rbv_dimension_words(requested, expected, sizeof expected);
    rbv_exponents_words(unit->exponents, is, sizeof is);
    rbv_csv_error(line, column->at, "column '%s' must be %s, but '%s' measures %s", column->name, expected,
                  column->unit, is);
    return false;
}

/* --- rows --- */

static void refuse_cell(RbvCsvLine *line, const Cell *cell, double value) {
    RbvPosition at = rbv_csv_position(line, cell->place);
    int shown = rbv_text_shown(cell->text, cell->length);
    if (cell->length == 0) {
        rbv_csv_error(line, at, "an empty cell; every cell must hold a number");
    } else if (!isfinite(value)) {
        rbv_csv_error(line, at, "\"%.*s\" is too large for a number", shown, cell->text);
    } else if (memchr(cell->text, ',', cell->length) != NULL) {
        rbv_csv_error(line, at, "\"%.*s\" is not a number; write a point, not a comma, before decimals", shown,
                      cell->text);
    } else {
        rbv_csv_error(line, at,
                      "\"%.*s\" is not a number; every cell must hold a finite one, its unit stands in the header",
                      shown, cell->text);
    }
}

static void take_cell(RbvCsvLine *line, const Cell *cell, double *to) {
    double value = 0;
    size_t used = cell->length == 0 ? 0 : rbv_number_parse(cell->text, &value);
    if (used != cell->length || used == 0) {
        refuse_cell(line, cell, 0);
    } else if (!isfinite(value)) {
        refuse_cell(line, cell, value);
    } else {
        *to = value;
    }
}

bool rbv_csv_read_row(RbvCsvLine *line, int32_t count, const bool *requested, double *values) {
    int32_t cells = 0, errors_before = line->errors;
    for (char *at = line->text; !line->stopped; at++) {
        Cell cell;
        if (!read_cell(line, &at, &cell)) {
            return false;
        }
        if (cells < count && (requested == NULL || requested[cells])) {
            take_cell(line, &cell, &values[cells]);
        }
        cells++;
        if (at == line->end) {
            break;
        }
    }
    if (!line->stopped && cells != count) {
        rbv_csv_error(line, rbv_csv_position(line, line->text), "this row has %d cell%s, the header has %d", (int)cells,
                      cells == 1 ? "" : "s", (int)count);
    }
    return line->errors == errors_before && !line->stopped;
}

/* --- whole text, in one pass ---
 *
 * The header names the columns, each later line is a row of numbers. Numbers are parsed in place in a copy of the text.
 * A cell takes at least two bytes of a row, which bounds the memory before the rows are counted. */

#define MAX_BYTES (1u << 30)

/* Allocation that rbv_csv_destroy frees; csv is the first member. */
typedef struct Table {
    RbvCsv csv;
    RbvArena arena;
} Table;

typedef struct CsvReader {
    Table *table;
    RbvCsvLine line;
    char *text; /* NUL-terminated */
    size_t length, at;
    double *row; /* [columns] */
    int32_t rows_max;
    const char *texts; /* names of columns of texts, blank-separated; NULL: none */
    bool *numbers;     /* [columns] which hold numbers; NULL: all */
} CsvReader;

/* Advance to the next line that is neither empty nor a comment; false at the end. */
static bool next_csv_line(CsvReader *reader) {
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

/* Keep the texts of the line, which has a cell for each column; `text` is a copy of it, since quotes of cells are
 * reduced in place. */
static void keep_texts(CsvReader *reader, char *text) {
    RbvCsv *csv = &reader->table->csv;
    char *at = text;
    reader->line.end = text + (reader->line.end - reader->line.text);
    reader->line.text = text;
    for (int32_t k = 0; k < csv->column_count; k++, at++) {
        Cell cell;
        if (!read_cell(&reader->line, &at, &cell)) {
            return;
        }
        if (csv->columns[k].texts != NULL) {
            csv->columns[k].texts[csv->row_count] = rbv_arena_copy(&reader->table->arena, cell.text, cell.length);
            reader->line.no_memory |= csv->columns[k].texts[csv->row_count] == NULL;
        }
    }
}

static void read_csv_row(CsvReader *reader) {
    RbvCsv *csv = &reader->table->csv;
    size_t length = (size_t)(reader->line.end - reader->line.text);
    char *copy = reader->numbers ? rbv_arena_copy(&reader->table->arena, reader->line.text, length) : NULL;
    if (reader->numbers != NULL && copy == NULL) {
        rbv_csv_no_memory(&reader->line);
        return;
    }
    if (!rbv_csv_read_row(&reader->line, csv->column_count, reader->numbers, reader->row) ||
        csv->row_count >= reader->rows_max) {
        return;
    }
    if (reader->numbers != NULL) {
        keep_texts(reader, copy);
    }
    for (int32_t k = 0; k < csv->column_count; k++) {
        csv->columns[k].values[csv->row_count] = reader->row[k];
    }
    csv->lines[csv->row_count++] = reader->line.number;
}

static int32_t count_line_ends(const CsvReader *reader) {
    int32_t count = 1;
    for (size_t k = reader->at; k < reader->length; k++) {
        count += reader->text[k] == '\n' || reader->text[k] == '\r';
    }
    return count;
}

/* Which columns hold texts, and room for these. */
static bool make_texts(CsvReader *reader, size_t rows) {
    RbvCsv *csv = &reader->table->csv;
    RbvArena *arena = &reader->table->arena;
    reader->numbers = rbv_arena_array(arena, (size_t)csv->column_count, sizeof *reader->numbers);
    bool good = reader->numbers != NULL;
    for (int32_t k = 0; good && k < csv->column_count; k++) {
        RbvCsvColumn *column = &csv->columns[k];
        reader->numbers[k] = !rbv_key_belongs(reader->texts, column->name);
        if (!reader->numbers[k]) {
            column->texts = rbv_arena_array(arena, rows, sizeof *column->texts);
        }
        good = reader->numbers[k] || column->texts != NULL;
    }
    if (!good) {
        rbv_csv_no_memory(&reader->line);
    }
    return good;
}

static bool make_room(CsvReader *reader) {
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
    return reader->texts == NULL || make_texts(reader, rows);
}

/* --- whole text --- */

static void read_csv(CsvReader *reader) {
    RbvCsvLine *line = &reader->line;
    RbvCsv *csv = &reader->table->csv;
    if (!next_csv_line(reader)) {
        rbv_csv_error(line, (RbvPosition){1, 1}, "the file is empty; a header and rows of numbers are expected");
        return;
    }
    csv->columns = rbv_csv_read_header(line, &reader->table->arena, &csv->column_count);
    if (csv->columns == NULL || line->stopped || !make_room(reader)) {
        return;
    }
    bool rows = false;
    while (!line->stopped && next_csv_line(reader)) {
        rows = true;
        read_csv_row(reader);
    }
    if (!rows) {
        rbv_csv_error(line, (RbvPosition){line->number, 1}, "no row of numbers stands below the header");
    }
}

RbvCsv *rbv_csv_parse(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics,
                      RbvStatus *status) {
    return rbv_csv_parse_texts(file, text, length, NULL, diagnostics, status);
}

RbvCsv *rbv_csv_parse_texts(const char *file, const char *text, size_t length, const char *texts,
                            RbvDiagnostics *diagnostics, RbvStatus *status) {
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
    CsvReader reader = {
        .table = table, .line = {.file = file, .diagnostics = diagnostics}, .length = length - mark, .texts = texts};
    if (table != NULL) {
        reader.text = table->csv.text = rbv_arena_copy(&table->arena, length == 0 ? "" : text + mark, length - mark);
    }
    if (reader.text == NULL) {
        rbv_csv_no_memory(&reader.line);
    } else {
        read_csv(&reader);
    }
    *status = reader.line.errors > 0 ? RBV_BAD_INPUT : RBV_OK;
    if (reader.line.no_memory)
        *status = RBV_NO_MEMORY;
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
