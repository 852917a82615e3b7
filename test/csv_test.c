/* Tables of separated text: what is read, and every mistake with its line and column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/diagnostics.h"
#include "model/read/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Parsed {
    RbvCsv *csv;
    RbvDiagnostics *diagnostics;
} Parsed;

static Parsed parse_bytes(const char *text, size_t length) {
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    Parsed parsed = {.diagnostics = rbv_diagnostics_create()};
    parsed.csv = rbv_csv_parse("lift.csv", copy, length, parsed.diagnostics, &(RbvStatus){0});
    free(copy);
    return parsed;
}

static Parsed parse(const char *text) {
    return parse_bytes(text, strlen(text));
}

static void drop(Parsed *parsed) {
    rbv_csv_destroy(parsed->csv);
    rbv_diagnostics_destroy(parsed->diagnostics);
}

static void assert_column(const RbvCsv *csv, int32_t k, const char *name, const char *unit, int32_t column) {
    assert_string_equal(csv->columns[k].name, name);
    assert_string_equal(csv->columns[k].unit, unit);
    assert_int_equal(csv->columns[k].at.column, column);
}

static void assert_error_at(const Parsed *parsed, int32_t index, int32_t line, int32_t column, const char *part) {
    assert_true(index < rbv_diagnostics_count(parsed->diagnostics));
    RbvDiagnostic error = rbv_diagnostics_at(parsed->diagnostics, index);
    if (error.at.line != line || error.at.column != column || strstr(error.message, part) == NULL) {
        fail_msg("expected %d:%d ...%s..., got %d:%d %s", (int)line, (int)column, part, (int)error.at.line,
                 (int)error.at.column, error.message);
    }
    assert_string_equal(error.file, "lift.csv");
    assert_int_equal(error.severity, RBV_ERROR);
}

static void assert_refused_bytes(const char *text, size_t length, int32_t line, int32_t column, const char *part) {
    Parsed parsed = parse_bytes(text, length);
    assert_null(parsed.csv);
    assert_error_at(&parsed, 0, line, column, part);
    assert_int_equal(rbv_diagnostics_count(parsed.diagnostics), 1);
    drop(&parsed);
}

static void assert_refused(const char *text, int32_t line, int32_t column, const char *part) {
    assert_refused_bytes(text, strlen(text), line, column, part);
}

static void columns_have_names_units_and_numbers(void **state) {
    (void)state;
    Parsed parsed = parse("# a cam\n\nangle [deg], height[mm],load\n0,1,2\n 10 , -2.5e-3 ,+.5\n\n# more\n20,3,4");
    assert_non_null(parsed.csv);
    const RbvCsv *csv = parsed.csv;
    assert_int_equal(csv->column_count, 3);
    assert_int_equal(csv->row_count, 3);
    assert_column(csv, 0, "angle", "deg", 1);
    assert_column(csv, 1, "height", "mm", 14);
    assert_column(csv, 2, "load", "", 25);
    assert_int_equal(csv->columns[0].at.line, 3);
    assert_true(csv->columns[1].values[1] == -2.5e-3);
    assert_true(csv->columns[2].values[1] == 0.5);
    assert_true(csv->columns[2].values[2] == 4);
    assert_int_equal(csv->lines[0], 4);
    assert_int_equal(csv->lines[1], 5);
    assert_int_equal(csv->lines[2], 8);
    drop(&parsed);
}

static void the_separator_is_the_first_of_tab_semicolon_comma(void **state) {
    (void)state;
    Parsed parsed = parse("a; b, c [m]\n1;2\n");
    assert_non_null(parsed.csv);
    assert_int_equal(parsed.csv->column_count, 2);
    assert_column(parsed.csv, 1, "b, c", "m", 4);
    drop(&parsed);
    parsed = parse("a;x\tb\n1\t2\n");
    assert_non_null(parsed.csv);
    assert_column(parsed.csv, 0, "a;x", "", 1);
    drop(&parsed);
    parsed = parse("\"a;x\",b\n1,2\n");
    assert_non_null(parsed.csv);
    assert_column(parsed.csv, 0, "a;x", "", 1);
    drop(&parsed);
    parsed = parse("a [m]\n1\n 2 \n");
    assert_non_null(parsed.csv);
    assert_int_equal(parsed.csv->column_count, 1);
    assert_int_equal(parsed.csv->row_count, 2);
    drop(&parsed);
}

static void cells_may_be_quoted(void **state) {
    (void)state;
    Parsed parsed = parse("\"say \"\"a\"\" [m]\" , \"b\"\n\"1\",\"2.5\" \n");
    assert_non_null(parsed.csv);
    assert_column(parsed.csv, 0, "say \"a\"", "m", 1);
    assert_column(parsed.csv, 1, "b", "", 19);
    assert_true(parsed.csv->columns[1].values[0] == 2.5);
    drop(&parsed);
}

static void crlf_cr_and_a_byte_order_mark_are_accepted(void **state) {
    (void)state;
    Parsed parsed = parse("\xEF\xBB\xBF\xC3\xA9,b\r\n1,2\r\n\r\n3,4\r\n");
    assert_non_null(parsed.csv);
    assert_column(parsed.csv, 0, "\xC3\xA9", "", 1);
    assert_column(parsed.csv, 1, "b", "", 3);
    assert_int_equal(parsed.csv->lines[1], 4);
    drop(&parsed);
    parsed = parse("a,b\r1,2\r3,4");
    assert_non_null(parsed.csv);
    assert_int_equal(parsed.csv->lines[1], 3);
    drop(&parsed);
}

static void every_mistake_is_reported_where_it_stands(void **state) {
    (void)state;
    Parsed parsed = parse("a,b\n1,x\n1\n,2\n1,2,3\n\"1,2\n\"1\"0,2\n1e999,nan\n1,2\n1,0x10\n1, 2 3\n");
    assert_null(parsed.csv);
    assert_error_at(&parsed, 0, 2, 3, "\"x\" is not a number");
    assert_error_at(&parsed, 1, 3, 1, "this row has 1 cell, the header has 2");
    assert_error_at(&parsed, 2, 4, 1, "an empty cell");
    assert_error_at(&parsed, 3, 5, 1, "this row has 3 cells, the header has 2");
    assert_error_at(&parsed, 4, 6, 1, "this quote is not closed");
    assert_error_at(&parsed, 5, 7, 4, "text after a closing quote");
    assert_error_at(&parsed, 6, 8, 1, "too large");
    assert_error_at(&parsed, 7, 8, 7, "\"nan\" is not a number");
    assert_error_at(&parsed, 8, 10, 3, "\"0x10\" is not a number");
    assert_error_at(&parsed, 9, 11, 4, "\"2 3\" is not a number");
    assert_int_equal(rbv_diagnostics_count(parsed.diagnostics), 10);
    drop(&parsed);
}

static void a_decimal_comma_is_explained(void **state) {
    (void)state;
    assert_refused("a;b\n1;2,5\n", 2, 3, "a point, not a comma");
    assert_refused("a\n2,5\n", 2, 1, "a point, not a comma");
}

static void at_most_twenty_mistakes_are_reported(void **state) {
    (void)state;
    char text[1000] = "a,b\n";
    for (int k = 0; k < 50; k++) {
        strcat(text, "x,y\n");
    }
    Parsed parsed = parse(text);
    assert_null(parsed.csv);
    assert_int_equal(rbv_diagnostics_errors(parsed.diagnostics), 20);
    drop(&parsed);
    parsed = parse("[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[,[\n1\n");
    assert_null(parsed.csv);
    assert_int_equal(rbv_diagnostics_errors(parsed.diagnostics), 20);
    drop(&parsed);
}

static void a_header_that_names_no_columns_is_refused(void **state) {
    (void)state;
    assert_refused("0,1\n1,2\n", 1, 1, "must name the columns");
    assert_refused("a,,b\n1,2,3\n", 1, 3, "a column has no name");
    assert_refused("a, [m]\n1,2\n", 1, 4, "a column has no name");
    assert_refused("a [m,b\n1,2\n", 1, 1, "bracket is not closed");
    assert_refused("a [m] x,b\n1,2\n", 1, 1, "text after the unit's bracket");
    assert_refused("a,b,a [m]\n1,2,3\n", 1, 5, "column \"a\" stands twice");
    assert_refused("\"a,b\n1,2\n", 1, 1, "this quote is not closed");
}

static void a_table_without_rows_is_refused(void **state) {
    (void)state;
    assert_refused("", 1, 1, "the file is empty");
    assert_refused("# c\n\n", 1, 1, "the file is empty");
    assert_refused("a,b\n# c\n", 2, 1, "no row of numbers");
}

static void bytes_that_are_no_text_are_refused(void **state) {
    (void)state;
    assert_refused("a,b\n1,\xFF\n", 2, 3, "not UTF-8");
    assert_refused_bytes("a,b\n1,\0\n", 8, 2, 3, "NUL");
}

static void many_columns_and_blank_lines_take_little_memory(void **state) {
    (void)state;
    size_t size = 200000;
    char *text = malloc(size);
    assert_non_null(text);
    for (size_t k = 0; k < size / 2; k++) {
        text[k] = k % 2 == 0 ? 'a' : ',';
    }
    memset(text + size / 2, '\n', size / 2);
    Parsed parsed = parse_bytes(text, size); /* 5e4 columns times 1e5 lines would be 40 GB */
    assert_null(parsed.csv);
    drop(&parsed);
    free(text);
}

static void no_diagnostics_are_survived(void **state) {
    (void)state;
    assert_null(rbv_csv_parse(NULL, "a\nx\n", 4, NULL, &(RbvStatus){0}));
    rbv_csv_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_have_names_units_and_numbers),
        cmocka_unit_test(the_separator_is_the_first_of_tab_semicolon_comma),
        cmocka_unit_test(cells_may_be_quoted),
        cmocka_unit_test(crlf_cr_and_a_byte_order_mark_are_accepted),
        cmocka_unit_test(every_mistake_is_reported_where_it_stands),
        cmocka_unit_test(a_decimal_comma_is_explained),
        cmocka_unit_test(at_most_twenty_mistakes_are_reported),
        cmocka_unit_test(a_header_that_names_no_columns_is_refused),
        cmocka_unit_test(a_table_without_rows_is_refused),
        cmocka_unit_test(bytes_that_are_no_text_are_refused),
        cmocka_unit_test(many_columns_and_blank_lines_take_little_memory),
        cmocka_unit_test(no_diagnostics_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
