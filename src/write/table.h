/* A table of words and numbers that fits a page: columns are as wide as what stands in them, numbers lose digits before
 * lines break. */
#ifndef RBV_WRITE_TABLE_H
#define RBV_WRITE_TABLE_H

#include "base/text.h"

#define RBV_TABLE_COLUMNS 16

typedef enum RbvTableKind {
    RBV_TABLE_WORD,   /* at the left */
    RBV_TABLE_NUMBER, /* at the right */
    RBV_TABLE_SPARE,  /* a number that is left out where the page is too narrow, the last one first */
    RBV_TABLE_DETAIL  /* a number that is left out at last */
} RbvTableKind;

typedef struct RbvCell {
    double number;
    size_t word;                  /* offset into words */
    bool is_word, opened, closed; /* in front of it stands "[", behind it "]" */
} RbvCell;

typedef struct RbvTable {
    const char *heads[RBV_TABLE_COLUMNS]; /* must live until the table is printed */
    RbvTableKind kinds[RBV_TABLE_COLUMNS];
    int32_t columns;
    int digits;     /* of numbers; 0: 6 */
    RbvCell *cells; /* row by row */
    int32_t count, capacity;
    RbvText words;
    bool no_memory;
} RbvTable;

/* A table starts as {0}. Its columns from the left; the first is a word: the name of the line. */
void rbv_table_column(RbvTable *table, const char *head, RbvTableKind kind);
/* The next cell of the line; a line ends where the columns do. A number that is not finite is shown as "-". */
void rbv_table_word(RbvTable *table, const char *word);
void rbv_table_number(RbvTable *table, double number);
/* A bracket before or behind the last cell, a number. */
void rbv_table_bracket(RbvTable *table, bool opened, bool closed);
/* Behind an empty line, within `width` characters where that can be, and cleared. A table without lines prints nothing.
 */
void rbv_table_print(RbvTable *table, RbvText *text, int32_t width);

/* Characters, not bytes, of text[length] in UTF-8. */
int32_t rbv_text_width(const char *text, size_t length);
/* Break the lines that are longer than `width`; what follows stands further in than the line began. Lines that begin at
 * the margin are sentences, the others items of lists. */
void rbv_text_wrap(RbvText *to, const char *text, int32_t width, bool sentences);

#endif
