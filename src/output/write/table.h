/* A table of words and numbers that fits a page: columns are as wide as their contents; numbers lose digits before
 * lines are broken. */
#ifndef RBV_OUTPUT_WRITE_TABLE_H
#define RBV_OUTPUT_WRITE_TABLE_H

#include "core/base/text.h"

#define RBV_TABLE_COLUMNS 16

typedef enum RbvTableKind {
    RBV_TABLE_WORD,   /* aligned left */
    RBV_TABLE_NUMBER, /* aligned right */
    RBV_TABLE_SPARE,  /* a number; its column is omitted if the page is too narrow, the last such column first */
    RBV_TABLE_DETAIL  /* a number; its column is omitted only after all spare ones */
} RbvTableKind;

typedef struct RbvCell {
    double number;
    size_t word;                  /* offset of its text in words */
    bool is_word, opened, closed; /* opened: "[" before the number; closed: "]" after the number */
} RbvCell;

typedef struct RbvPageTable {
    const char *heads[RBV_TABLE_COLUMNS]; /* heads of the columns; must live until the table is printed */
    RbvTableKind kinds[RBV_TABLE_COLUMNS];
    int32_t columns;
    int digits;     /* significant digits of numbers; 0: 6 */
    RbvCell *cells; /* [count] row by row */
    int32_t count, capacity;
    RbvText words;
    bool no_memory;
} RbvPageTable;

/* Adds a column, from the left; the table starts as {0}. The first column is of kind word: the name of the line. */
void rbv_table_column(RbvPageTable *table, const char *head, RbvTableKind kind);
/* Adds the next cell of the line; a line ends after the last column. A number that is not finite is shown as "-". */
void rbv_table_word(RbvPageTable *table, const char *word);
void rbv_table_number(RbvPageTable *table, double number);
/* Puts a bracket before or after the last cell, which is a number. */
void rbv_table_bracket(RbvPageTable *table, bool opened, bool closed);
/* Prints the table after an empty line, within `width` characters if possible, and clears it. A table without lines
 * prints nothing. */
void rbv_table_print(RbvPageTable *table, RbvText *text, int32_t width);

/* Number of characters (not bytes) of text[length] in UTF-8. */
int32_t rbv_text_width(const char *text, size_t length);
/* Breaks lines that are longer than `width`; continuations are indented further than the line. Lines that begin at the
 * margin are sentences and are broken only if `sentences`; the others are items of lists. */
void rbv_text_wrap(RbvText *to, const char *text, int32_t width, bool sentences);

#endif
