/* The tree of a YAML or JSON text: positions, the core schema, every refusal with its line. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/diagnostics.h"
#include "model/read/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a text and what comes of it --- */

typedef struct Parsed {
    RbvNodeTree *tree;
    const RbvNode *root;
    RbvDiagnostics *diagnostics;
} Parsed;

/* The bytes go through a block of exactly their size, so that a sanitizer sees every step beyond it. */
static Parsed parse_bytes(const char *text, size_t length) {
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    Parsed parsed = {.diagnostics = rbv_diagnostics_create()};
    parsed.tree = rbv_node_tree_parse("model.yaml", copy, length, parsed.diagnostics);
    parsed.root = rbv_node_tree_root(parsed.tree);
    free(copy);
    return parsed;
}

static Parsed parse(const char *text) {
    return parse_bytes(text, strlen(text));
}

static void drop(Parsed *parsed) {
    rbv_node_tree_destroy(parsed->tree);
    rbv_diagnostics_destroy(parsed->diagnostics);
}

static const RbvNode *get(const RbvNode *map, const char *key) {
    assert_int_equal(map->kind, RBV_NODE_MAP);
    for (int32_t k = 0; k < map->count; k++) {
        if (strcmp(map->keys[k], key) == 0) {
            return map->items[k];
        }
    }
    fail_msg("no key %s", key);
    return NULL;
}

static void assert_at(RbvPosition at, int32_t line, int32_t column) {
    assert_int_equal(at.line, line);
    assert_int_equal(at.column, column);
}

static void assert_scalar(const RbvNode *node, const char *text, int32_t line, int32_t column, int32_t text_column) {
    assert_int_equal(node->kind, RBV_NODE_SCALAR);
    assert_string_equal(node->text, text);
    assert_at(node->at, line, column);
    assert_int_equal(node->text_column, text_column);
}

static void assert_error_at(const Parsed *parsed, int32_t index, int32_t line, int32_t column, const char *part) {
    assert_true(index < rbv_diagnostics_count(parsed->diagnostics));
    RbvDiagnostic error = rbv_diagnostics_at(parsed->diagnostics, index);
    if (error.at.line != line || error.at.column != column || strstr(error.message, part) == NULL) {
        fail_msg("expected %d:%d ...%s..., got %d:%d %s", (int)line, (int)column, part, (int)error.at.line,
                 (int)error.at.column, error.message);
    }
    assert_int_equal(error.severity, RBV_ERROR);
    assert_string_equal(error.file, "model.yaml");
    assert_null(strchr(error.message, '\n'));
}

/* The text is refused with one error, there, with these words. */
static void assert_refused_bytes(const char *text, size_t length, int32_t line, int32_t column, const char *part) {
    Parsed parsed = parse_bytes(text, length);
    assert_null(parsed.tree);
    assert_error_at(&parsed, 0, line, column, part);
    assert_int_equal(rbv_diagnostics_count(parsed.diagnostics), 1);
    drop(&parsed);
}

static void assert_refused(const char *text, int32_t line, int32_t column, const char *part) {
    assert_refused_bytes(text, strlen(text), line, column, part);
}

/* --- positions --- */

static void positions_in_block_and_flow_maps_are_exact(void **state) {
    (void)state;
    Parsed parsed = parse("mass: 2 kg\n"
                          "crank: {O: [0, -1.5], A: 50 mm}\n"
                          "list:\n"
                          "  - x\n"
                          "  - - y\n"
                          "  - k: 1\n"
                          "    l: 2\n");
    assert_non_null(parsed.root);
    assert_at(parsed.root->at, 1, 1);
    assert_scalar(get(parsed.root, "mass"), "2 kg", 1, 7, 7);
    const RbvNode *crank = get(parsed.root, "crank");
    assert_at(crank->at, 2, 8);
    assert_at(crank->key_at[0], 2, 9);
    assert_at(get(crank, "O")->at, 2, 12);
    assert_scalar(get(crank, "O")->items[1], "-1.5", 2, 16, 16);
    assert_scalar(get(crank, "A"), "50 mm", 2, 26, 26);
    const RbvNode *list = get(parsed.root, "list");
    assert_at(list->at, 4, 3);
    assert_scalar(list->items[0], "x", 4, 5, 5);
    assert_at(list->items[1]->at, 5, 5);
    assert_at(list->items[2]->at, 6, 5);
    assert_at(list->items[2]->key_at[1], 7, 5);
    drop(&parsed);
}

static void positions_of_quoted_text_are_those_of_the_quote(void **state) {
    (void)state;
    Parsed parsed = parse("a: \"y(rod.P)\"\nb: 'x+1'\nc: 'it''s'\nd: \"tab\\t\"\n\"e\": ''\nf: \"two\n  lines\"\n");
    assert_non_null(parsed.root);
    assert_scalar(get(parsed.root, "a"), "y(rod.P)", 1, 4, 5);
    assert_scalar(get(parsed.root, "b"), "x+1", 2, 4, 5);
    assert_scalar(get(parsed.root, "c"), "it's", 3, 4, 0);
    assert_scalar(get(parsed.root, "d"), "tab\t", 4, 4, 0);
    assert_at(parsed.root->key_at[4], 5, 1);
    assert_scalar(get(parsed.root, "e"), "", 5, 6, 7);
    assert_scalar(get(parsed.root, "f"), "two lines", 6, 4, 0);
    drop(&parsed);
}

static void positions_of_block_text_are_those_of_its_first_character(void **state) {
    (void)state;
    Parsed parsed = parse("a: |\n  sin(t)\nb: >-\n    cos(t)\nc: |\n  two\n  lines\nd: two\n  lines\ne: |2-\n    x\n");
    assert_non_null(parsed.root);
    assert_scalar(get(parsed.root, "a"), "sin(t)\n", 2, 3, 3);
    assert_scalar(get(parsed.root, "b"), "cos(t)", 4, 5, 5);
    assert_scalar(get(parsed.root, "c"), "two\nlines\n", 6, 3, 0);
    assert_scalar(get(parsed.root, "d"), "two lines", 8, 4, 0);
    assert_scalar(get(parsed.root, "e"), "  x", 11, 5, 3);
    drop(&parsed);
}

static void columns_count_characters_and_a_tab_is_one(void **state) {
    (void)state;
    Parsed parsed = parse("\xC3\xA9\xC3\xA9: [\xE2\x82\xAC, x]\nb:\ty\n");
    assert_non_null(parsed.root);
    assert_scalar(parsed.root->items[0]->items[1], "x", 1, 9, 9);
    assert_scalar(get(parsed.root, "b"), "y", 2, 4, 4);
    drop(&parsed);
}

static void a_missing_value_stands_at_its_key_or_dash(void **state) {
    (void)state;
    Parsed parsed = parse("a:\nb:\n  - # nothing\n  -\n  - x\n  -\nc: {d, e: }\n");
    assert_non_null(parsed.root);
    assert_at(get(parsed.root, "a")->at, 1, 1);
    const RbvNode *list = get(parsed.root, "b");
    assert_int_equal(list->count, 4);
    assert_at(list->items[0]->at, 3, 3);
    assert_at(list->items[1]->at, 4, 3);
    assert_at(list->items[3]->at, 6, 3);
    assert_int_equal(list->items[3]->type, RBV_SCALAR_NULL);
    assert_string_equal(list->items[3]->text, "");
    assert_at(get(get(parsed.root, "c"), "e")->at, 7, 8);
    drop(&parsed);
}

static void line_ends_may_be_lf_crlf_or_cr(void **state) {
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (int k = 0; k < 3; k++) {
        char text[100];
        snprintf(text, sizeof text, "a: 1%s%sb: |%s  x%s  y%sc: 3%s", ends[k], ends[k], ends[k], ends[k], ends[k],
                 ends[k]);
        Parsed parsed = parse(text);
        assert_non_null(parsed.root);
        assert_scalar(get(parsed.root, "b"), "x\ny\n", 4, 3, 0);
        assert_scalar(get(parsed.root, "c"), "3", 6, 4, 4);
        drop(&parsed);
    }
}

static void a_byte_order_mark_takes_no_column(void **state) {
    (void)state;
    Parsed parsed = parse("\xEF\xBB\xBF"
                          "a: 1\n");
    assert_non_null(parsed.root);
    assert_scalar(get(parsed.root, "a"), "1", 1, 4, 4);
    drop(&parsed);
}

/* --- the core schema --- */

static void plain_text_has_the_types_of_the_core_schema(void **state) {
    (void)state;
    const RbvScalarType string = RBV_SCALAR_STRING, number = RBV_SCALAR_NUMBER, boolean = RBV_SCALAR_BOOL,
                        null = RBV_SCALAR_NULL;
    const struct {
        const char *text;
        RbvScalarType type;
        double value;
    } cases[] = {
        {"0", number, 0},
        {"-7", number, -7},
        {"+12", number, 12},
        {"012", number, 12},
        {"1.5", number, 1.5},
        {"1.", number, 1},
        {".5", number, 0.5},
        {"-.5e-3", number, -0.0005},
        {"1e-8", number, 1e-8},
        {"1E+5", number, 1e5},
        {"6.02e23", number, 6.02e23},
        {"0o17", number, 15},
        {"0xF", number, 15},
        {"0xaB", number, 171},
        {"true", boolean, 1},
        {"True", boolean, 1},
        {"TRUE", boolean, 1},
        {"false", boolean, 0},
        {"False", boolean, 0},
        {"FALSE", boolean, 0},
        {"null", null, 0},
        {"Null", null, 0},
        {"NULL", null, 0},
        {"~", null, 0},
        {"tRUE", string, 0},
        {"nULL", string, 0},
        {"y", string, 0},
        {"n", string, 0},
        {"on", string, 0},
        {"off", string, 0},
        {"yes", string, 0},
        {"no", string, 0},
        {".inf", string, 0},
        {"-.inf", string, 0},
        {".nan", string, 0},
        {"inf", string, 0},
        {"nan", string, 0},
        {"1e999", string, 0},
        {"0o8", string, 0},
        {"0x", string, 0},
        {"0o", string, 0},
        {"0xG", string, 0},
        {"-0xF", string, 0},
        {"1_000", string, 0},
        {"1,5", string, 0},
        {"1 2", string, 0},
        {"2 kg", string, 0},
        {"12:30:45", string, 0},
        {"1e", string, 0},
        {".", string, 0},
        {"+", string, 0},
        {"--1", string, 0},
        {"2001-01-01", string, 0},
        {"0x1p3", string, 0},
        {"1.2.3", string, 0},
        {"=", string, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[64];
        snprintf(text, sizeof text, "a: %s\n", cases[k].text);
        Parsed parsed = parse(text);
        assert_non_null(parsed.root);
        const RbvNode *node = get(parsed.root, "a");
        assert_string_equal(node->text, cases[k].text);
        if (node->type != cases[k].type) {
            fail_msg("%s has type %d", cases[k].text, (int)node->type);
        }
        if (node->type == RBV_SCALAR_NUMBER) {
            assert_memory_equal(&node->number, &cases[k].value, sizeof(double));
        }
        if (node->type == RBV_SCALAR_BOOL) {
            assert_int_equal(node->truth, cases[k].value != 0);
        }
        drop(&parsed);
    }
}

static void quoted_and_block_text_is_a_string(void **state) {
    (void)state;
    Parsed parsed = parse("- '1'\n- \"true\"\n- |\n  3\n- ''\n- >-\n  ~\n");
    assert_non_null(parsed.root);
    for (int32_t k = 0; k < 5; k++) {
        assert_int_equal(parsed.root->items[k]->type, RBV_SCALAR_STRING);
    }
    drop(&parsed);
}

static void tags_of_the_core_schema_decide_the_type(void **state) {
    (void)state;
    Parsed parsed =
        parse("a: !!str 1\nb: !!int \"2\"\nc: !!float 3\nd: !!bool 'true'\ne: !!null\nf: !!map {}\ng: !!seq []\n"
              "!!str h: !<tag:yaml.org,2002:str> 8\n");
    assert_non_null(parsed.root);
    assert_int_equal(get(parsed.root, "a")->type, RBV_SCALAR_STRING);
    assert_int_equal(get(parsed.root, "b")->type, RBV_SCALAR_NUMBER);
    assert_int_equal(get(parsed.root, "c")->type, RBV_SCALAR_NUMBER);
    assert_int_equal(get(parsed.root, "d")->type, RBV_SCALAR_BOOL);
    assert_int_equal(get(parsed.root, "e")->type, RBV_SCALAR_NULL);
    assert_int_equal(get(parsed.root, "h")->type, RBV_SCALAR_STRING);
    drop(&parsed);
}

/* --- what is accepted --- */

static void a_json_text_is_a_tree_even_with_tabs_and_on_one_line(void **state) {
    (void)state;
    Parsed parsed = parse("{\n\t\"a\": {\"x\":[1,-2.5e3,true,null,\"q\\n\\u00e9\\ud83d\\ude00\\/\"], \"y\": {}}}");
    assert_non_null(parsed.root);
    assert_at(parsed.root->at, 1, 1);
    assert_at(parsed.root->key_at[0], 2, 2);
    const RbvNode *x = get(get(parsed.root, "a"), "x");
    assert_scalar(x->items[1], "-2.5e3", 2, 15, 15);
    assert_true(x->items[1]->number == -2500);
    assert_int_equal(x->items[2]->type, RBV_SCALAR_BOOL);
    assert_int_equal(x->items[3]->type, RBV_SCALAR_NULL);
    assert_scalar(x->items[4], "q\n\xC3\xA9\xF0\x9F\x98\x80/", 2, 32, 0);
    drop(&parsed);
}

static void brackets_may_close_at_any_column(void **state) {
    (void)state;
    Parsed parsed = parse("a: {\n  x: 1,\n}\nb: [\n1,\n2,\n]\nc: 3\n");
    assert_non_null(parsed.root);
    assert_int_equal(parsed.root->count, 3);
    assert_int_equal(get(parsed.root, "b")->count, 2);
    drop(&parsed);
}

static void a_version_directive_and_document_marks_are_accepted(void **state) {
    (void)state;
    Parsed parsed = parse("# c\n%YAML 1.2 # c\n---\na: 1\n...\n# end\n");
    assert_non_null(parsed.root);
    assert_scalar(get(parsed.root, "a"), "1", 4, 4, 4);
    drop(&parsed);
}

static void the_last_line_needs_no_end(void **state) {
    (void)state;
    Parsed parsed = parse("a: |\n  x\nb: 1");
    assert_non_null(parsed.root);
    assert_scalar(get(parsed.root, "b"), "1", 3, 4, 4);
    drop(&parsed);
    parsed = parse("a: |\n  x");
    assert_non_null(parsed.root);
    assert_scalar(get(parsed.root, "a"), "x\n", 2, 3, 3);
    drop(&parsed);
}

static void an_alias_shares_its_anchors_node(void **state) {
    (void)state;
    Parsed parsed = parse("a: &p {x: 1}\nb: *p\nc: &p 2\nd: [*p]\n<<: *p\n&k key: *p\ne: *k\n");
    assert_non_null(parsed.root);
    assert_ptr_equal(get(parsed.root, "a"), get(parsed.root, "b"));
    assert_ptr_equal(get(parsed.root, "c"), get(parsed.root, "d")->items[0]);
    assert_scalar(get(parsed.root, "<<"), "2", 3, 7, 7);
    assert_string_equal(get(parsed.root, "e")->text, "key");
    drop(&parsed);
}

static void keys_are_strings_whatever_they_look_like(void **state) {
    (void)state;
    Parsed parsed = parse("1: a\ntrue: b\n~: c\n'': d\nhinge.angle': e\n");
    assert_non_null(parsed.root);
    assert_string_equal(parsed.root->keys[0], "1");
    assert_string_equal(parsed.root->keys[1], "true");
    assert_string_equal(parsed.root->keys[2], "~");
    assert_string_equal(parsed.root->keys[3], "");
    assert_string_equal(parsed.root->keys[4], "hinge.angle'");
    drop(&parsed);
}

static char *nested(int levels, const char *open, const char *inside, const char *close) {
    size_t size = (size_t)levels * (strlen(open) + strlen(close)) + strlen(inside) + 1;
    char *text = calloc(size, 1), *end = text;
    assert_non_null(text);
    for (int k = 0; k < levels; k++) {
        end = stpcpy(end, open);
    }
    end = stpcpy(end, inside);
    for (int k = 0; k < levels; k++) {
        end = stpcpy(end, close);
    }
    return text;
}

static void sixty_four_levels_are_accepted(void **state) {
    (void)state;
    static const char *const opens[] = {"[", "[\n", "- ", "{\"a\":", "{a: "}, *const closes[] = {"]", "]", "", "}",
                                                                                                 "}"};
    for (int k = 0; k < 5; k++) {
        char *text = nested(RBV_TREE_MAX_DEPTH, opens[k], "x", closes[k]);
        Parsed parsed = parse(text);
        assert_non_null(parsed.root);
        drop(&parsed);
        free(text);
    }
}

/* --- what is refused --- */

static void more_than_sixty_four_levels_are_refused(void **state) {
    (void)state;
    static const char *const opens[] = {"[", "[\n", "- ", "{\"a\":", "{a: ", "[[x],", "? "}, *const closes[] = {
                                                                                                 "]", "]", "", "}",
                                                                                                 "}", "]", ""};
    static const int levels[] = {65, 1000, 100000};
    for (int k = 0; k < 7; k++) {
        for (int j = 0; j < 3; j++) {
            char *text = nested(levels[j], opens[k], "x", closes[k]);
            Parsed parsed = parse(text);
            assert_null(parsed.tree);
            RbvDiagnostic last = rbv_diagnostics_at(parsed.diagnostics, rbv_diagnostics_count(parsed.diagnostics) - 1);
            assert_non_null(strstr(last.message, "64"));
            drop(&parsed);
            free(text);
        }
    }
}

static void levels_count_through_aliases(void **state) {
    (void)state;
    for (int levels = 62; levels <= 63; levels++) { /* in a map, and around a list */
        char *inside = nested(levels, "[", "*a", "]");
        char text[200];
        snprintf(text, sizeof text, "a: &a [x]\nb: %s\n", inside);
        Parsed parsed = parse(text);
        if (levels == 62) {
            assert_non_null(parsed.root);
        } else {
            assert_null(parsed.tree);
            assert_error_at(&parsed, 0, 2, 67, "nested more than 64 levels");
        }
        drop(&parsed);
        free(inside);
    }
}

static void an_alias_bomb_is_refused_quickly(void **state) {
    (void)state;
    char text[4096], *end = text;
    end += sprintf(end, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int k = 1; k < 10; k++) {
        end += sprintf(end, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", k, k, k - 1,
                       k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1);
    }
    assert_refused(text, 8, 25, "more than 50000000 values");
}

static void aliases_without_anchor_or_inside_it_are_refused(void **state) {
    (void)state;
    assert_refused("a: 1\nb: *y\n", 2, 4, "alias *y has no anchor &y");
    assert_refused("a: *y\nb: &y 1\n", 1, 4, "alias *y has no anchor &y");
    assert_refused("a: &x [1, *x]\n", 1, 11, "alias *x stands inside its own anchor");
    assert_refused("&x a: &x {b: {c: *x}}\n", 1, 18, "inside its own anchor");
    assert_refused("k: &k 1\n*k : 2\n", 2, 1, "an alias cannot be a key");
}

static void every_duplicate_key_is_reported_with_the_first(void **state) {
    (void)state;
    Parsed parsed = parse("a: {mass: 1,\n  mass: 2, \"mass\": 3}\nb:\n  x: 1\n  y: 2\n  'x': 3\na: 4\n");
    assert_null(parsed.tree);
    assert_int_equal(rbv_diagnostics_count(parsed.diagnostics), 4);
    assert_error_at(&parsed, 0, 2, 3, "key \"mass\" stands twice in this map; the first is on line 1");
    assert_error_at(&parsed, 1, 2, 12, "key \"mass\" stands twice in this map; the first is on line 1");
    assert_error_at(&parsed, 2, 6, 3, "key \"x\" stands twice in this map; the first is on line 4");
    assert_error_at(&parsed, 3, 7, 1, "key \"a\" stands twice in this map; the first is on line 1");
    drop(&parsed);
    assert_refused("{\"a\": 1,\n \"\\u0061\": 2}", 2, 2, "key \"a\" stands twice");
    assert_refused("{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1, l: 1, m: 1,\n n: 1, o: 1, d: 2}",
                   2, 14, "key \"d\" stands twice in this map; the first is on line 1");
}

static void keys_that_are_no_strings_are_refused(void **state) {
    (void)state;
    assert_refused("? [[a]]\n: 1\n", 1, 3, "a key must be a word, not a list");
    assert_refused("a: 1\n{b: 1}: 2\n", 2, 1, "a key must be a word, not a map");
    assert_refused("a: 1\nb: {{c}}\n", 2, 5, "a key must be a word, not a map");
    assert_refused("a: 1\n: 2\n", 2, 1, "a key is missing");
    assert_refused("? |\n  a\n: 1\n", 2, 3, "a key must be a word on one line");
    assert_refused("!!int 1: a\n", 1, 7, "tag !!int");
}

static void tags_beyond_the_core_schema_are_refused(void **state) {
    (void)state;
    assert_refused("a: 1\nb: !foo 2\n", 2, 9, "tag !foo is not known");
    assert_refused("a: !!python/object:os.system x\n", 1, 30, "is not known");
    assert_refused("a: !!int 1.5\n", 1, 10, "tag !!int does not fit");
    assert_refused("a: !!float .inf\n", 1, 12, "tag !!float does not fit");
    assert_refused("a: !!map [1]\n", 1, 10, "tag !!map does not fit");
    assert_refused("a: ! x\n", 1, 6, "is not known");
}

static void an_empty_file_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",  "\n\n", "# only\n  # comments\n", "---\n", "---\n...\n", "\xEF\xBB\xBF",
                                        " ", "\t\n"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        assert_refused(texts[k], 1, 1, "the file is empty");
    }
}

static void a_second_document_is_refused(void **state) {
    (void)state;
    assert_refused("a: 1\n---\nb: 2\n", 2, 1, "a second document");
    assert_refused("a: 1\n...\n---\n", 3, 1, "a second document");
    assert_refused("---\n---\na: 1\n", 2, 1, "a second document");
}

static void other_directives_are_refused(void **state) {
    (void)state;
    assert_refused("%YAML 1.1\n---\na: 1\n", 1, 1, "read as YAML 1.2");
    assert_refused("# c\n%YAML 2.0\n---\na: 1\n", 2, 1, "read as YAML 1.2");
    assert_refused("%TAG !e! tag:e,2000:\n---\na: 1\n", 1, 1, "this directive is not known");
}

static void bytes_that_are_no_utf_8_are_refused_at_once(void **state) {
    (void)state;
    static const char six[] = "a: \xFF\xFE\xFD\xFC\xFB\xFA\n";
    assert_refused_bytes(six, sizeof six - 1, 1, 4, "byte 0xFF is not UTF-8");
    static const char *const broken[] = {"\xC3",
                                         "\xC3(",
                                         "\xE2\x82",
                                         "\xC0\x80",
                                         "\xE0\x80\x80",
                                         "\xED\xA0\x80",
                                         "\xF0\x80\x80\x80",
                                         "\xF4\x90\x80\x80",
                                         "\xF8\x88\x80\x80\x80",
                                         "\x80"};
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        char text[40];
        snprintf(text, sizeof text, "a: \xC3\xA9\nb: \xC3\xA9%s", broken[k]);
        assert_refused(text, 2, 5, "is not UTF-8");
    }
    assert_refused_bytes("\xFF\xFE\x61\x00", 4, 1, 1, "UTF-16");
}

static void control_characters_are_refused(void **state) {
    (void)state;
    assert_refused_bytes("a: 1\nb: \0\n", 10, 2, 4, "NUL");
    assert_refused("a: \x1B[31m\n", 1, 4, "U+001B");
    assert_refused("a: x\x7F\n", 1, 5, "U+007F");
    assert_refused("a: x\xC2\x85\n", 1, 5, "U+0085");
    assert_refused("a: \xEF\xBB\xBFx\n", 1, 4, "U+FEFF");
    assert_refused("a: \"\\0\"\n", 1, 4, "an escape in this text");
    assert_refused("a: 1\nb: \"\\e[31m\"\n", 2, 4, "an escape in this text");
    assert_refused("{\"a\": \"\\u0000\"}", 1, 7, "an escape in this text");
    assert_refused("{\"a\": \"\\ud800\"}", 1, 8, "escape");
}

static void a_syntax_error_is_reported_alone_with_its_line(void **state) {
    (void)state;
    const struct {
        const char *text;
        int32_t line, column;
        const char *part;
    } cases[] = {
        {"a: 1\na: 2\nmarkers: {{{O: [-0.75, 0]}\n", 4, 1, "the \"{\" of line 3, column 11 is still open"},
        {"a: [1, 2\nb: 3\n", 3, 1, "a \"]\" is missing; the \"[\" of line 1, column 4 is still open"},
        {"a: {x: 1\nb: 3\n", 2, 2,
         "a \",\" or \"}\" is missing before this, or quotes around a text with [ ] { } or , in it; the \"{\" of line "
         "1"},
        {"a: {x: 1}}\n", 1, 10, "this bracket closes nothing"},
        {"a: [1, 2}\n", 1, 9, "of the other kind"},
        {"a: 1\nb: \"foo\nc: 1\n", 2, 4, "this quote is not closed"},
        {"a: 'foo\nb: 1\n", 1, 4, "this quote is not closed"},
        {"a: \"foo\nb: \"bar\"\n", 2, 5, "text after a closing quote"},
        {"a:\n  b: 1\n c: 2\n", 3, 2, "indented wrongly"},
        {"a: 1\n  b: 2\n", 2, 3, "indented deeper than the key above"},
        {"a:\n  - 1\n - 2\n", 3, 2, "indented wrongly"},
        {"a:\n\tb: 1\n", 2, 1, "a tab cannot indent"},
        {"a: 1\n\tb: 1\n", 2, 1, "a tab cannot indent"},
        {"a: 1\nb\nc: 2\n", 2, 1, "a \":\" is missing after this"},
        {"a: b: c\n", 1, 5, "a second \": \" on one line"},
        {"a: - b\n", 1, 4, "items of a list stand on lines of their own"},
        {"a: @x\n", 1, 4, "must be quoted"},
        {"a: \"\\q\"\n", 1, 5, "a backslash in double quotes"},
        {"a: 1\n... x\n", 2, 5, "text behind the document's end"},
        {"{\"a\": 1,\n \"b\": 2\n", 3, 1, "a \",\" or \"}\" is missing before this"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_refused(cases[k].text, cases[k].line, cases[k].column, cases[k].part);
    }
}

static void a_line_too_long_for_yaml_is_refused_but_not_in_json(void **state) {
    (void)state;
    size_t size = 3u << 20;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text, "x: 1\na: 2", 9);
    assert_refused_bytes(text, size, 2, 1, "longer than 1 MiB");
    memcpy(text, "{\"a\": 1,  ", 10);
    memcpy(text + size - 7, "\"b\": 2}", 7);
    Parsed parsed = parse_bytes(text, size);
    assert_non_null(parsed.root);
    drop(&parsed);
    text[size - 1] = ' ';
    assert_refused_bytes(text, size, 1, (int32_t)size + 1, "not JSON here");
    free(text);
}

static void no_text_and_no_diagnostics_are_survived(void **state) {
    (void)state;
    assert_null(rbv_node_tree_parse("f", "a: [", 4, NULL));
    assert_null(rbv_node_tree_parse(NULL, "", 0, NULL));
    rbv_node_tree_destroy(NULL);
    assert_null(rbv_node_tree_root(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_in_block_and_flow_maps_are_exact),
        cmocka_unit_test(positions_of_quoted_text_are_those_of_the_quote),
        cmocka_unit_test(positions_of_block_text_are_those_of_its_first_character),
        cmocka_unit_test(columns_count_characters_and_a_tab_is_one),
        cmocka_unit_test(a_missing_value_stands_at_its_key_or_dash),
        cmocka_unit_test(line_ends_may_be_lf_crlf_or_cr),
        cmocka_unit_test(a_byte_order_mark_takes_no_column),
        cmocka_unit_test(plain_text_has_the_types_of_the_core_schema),
        cmocka_unit_test(quoted_and_block_text_is_a_string),
        cmocka_unit_test(tags_of_the_core_schema_decide_the_type),
        cmocka_unit_test(a_json_text_is_a_tree_even_with_tabs_and_on_one_line),
        cmocka_unit_test(brackets_may_close_at_any_column),
        cmocka_unit_test(a_version_directive_and_document_marks_are_accepted),
        cmocka_unit_test(the_last_line_needs_no_end),
        cmocka_unit_test(an_alias_shares_its_anchors_node),
        cmocka_unit_test(keys_are_strings_whatever_they_look_like),
        cmocka_unit_test(sixty_four_levels_are_accepted),
        cmocka_unit_test(more_than_sixty_four_levels_are_refused),
        cmocka_unit_test(levels_count_through_aliases),
        cmocka_unit_test(an_alias_bomb_is_refused_quickly),
        cmocka_unit_test(aliases_without_anchor_or_inside_it_are_refused),
        cmocka_unit_test(every_duplicate_key_is_reported_with_the_first),
        cmocka_unit_test(keys_that_are_no_strings_are_refused),
        cmocka_unit_test(tags_beyond_the_core_schema_are_refused),
        cmocka_unit_test(an_empty_file_is_refused),
        cmocka_unit_test(a_second_document_is_refused),
        cmocka_unit_test(other_directives_are_refused),
        cmocka_unit_test(bytes_that_are_no_utf_8_are_refused_at_once),
        cmocka_unit_test(control_characters_are_refused),
        cmocka_unit_test(a_syntax_error_is_reported_alone_with_its_line),
        cmocka_unit_test(a_line_too_long_for_yaml_is_refused_but_not_in_json),
        cmocka_unit_test(no_text_and_no_diagnostics_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
