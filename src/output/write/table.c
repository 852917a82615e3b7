/* Tables and wrapped lines that fit a page. */
#include "output/write/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 6
#define LEAST_DIGITS 4
#define GAP 2 /* blanks between columns */
#define LONG_NAME                                                                                                      \
    24 /* longer names may get a line of their own; where the page is too narrow, names longer than LEAST_NAME too */
#define LEAST_NAME 12
#define HANGING 4 /* additional indent of the continuation of a broken line */

int32_t rbv_text_width(const char *text, size_t length) {
    int32_t width = 0;
    for (size_t k = 0; k < length; k++)
        width += ((unsigned char)text[k] & 0xC0) != 0x80;
    return width;
}

void rbv_table_column(RbvPageTable *table, const char *head, RbvTableKind kind) {
    table->heads[table->columns] = head;
    table->kinds[table->columns++] = kind;
}

static void add(RbvPageTable *table, RbvCell cell) {
    if (table->count == table->capacity) {
        int32_t capacity = table->capacity ? 2 * table->capacity : 64;
        RbvCell *cells = realloc(table->cells, (size_t)capacity * sizeof *cells);
        if (!cells) {
            table->no_memory = true;
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    table->cells[table->count++] = cell;
}

void rbv_table_word(RbvPageTable *table, const char *word) {
    add(table, (RbvCell){.is_word = true, .word = table->words.length});
    rbv_text_append(&table->words, word, strlen(word) + 1);
}

void rbv_table_number(RbvPageTable *table, double number) {
    add(table, (RbvCell){.number = number});
}

void rbv_table_bracket(RbvPageTable *table, bool opened, bool closed) {
    if (table->count == 0)
        return;
    table->cells[table->count - 1].opened = opened;
    table->cells[table->count - 1].closed = closed;
}

/* Text of a cell, numbers with `digits` significant digits. */
static const char *shown(const RbvPageTable *table, int32_t cell, int digits, char *buffer, size_t size) {
    const RbvCell *c = &table->cells[cell];
    if (c->is_word)
        return table->words.data + c->word;
    if (!isfinite(c->number))
        return "-";
    const double number = fabs(c->number) < 1e-300 ? 0 : c->number;
    snprintf(buffer, size, "%.*s%.*g%.*s", c->opened, "[", digits, number, c->closed, "]");
    return buffer;
}

typedef struct Layout {
    int digits;
    int32_t width[RBV_TABLE_COLUMNS]; /* [characters] 0: column omitted */
} Layout;

static int32_t measure(const RbvPageTable *table, Layout *layout) {
    int32_t total = 0;
    char buffer[40];
    for (int32_t c = 0; c < table->columns; c++) {
        int32_t most = rbv_text_width(table->heads[c], strlen(table->heads[c]));
        for (int32_t cell = c; cell < table->count; cell += table->columns) {
            const char *text = shown(table, cell, layout->digits, buffer, sizeof buffer);
            int32_t width = rbv_text_width(text, strlen(text));
            most = width > most ? width : most;
        }
        layout->width[c] = most;
        total += most + (c ? GAP : 0);
    }
    return total;
}

/* Omits columns of a kind, the last first, until the total width is at most `most`; returns the new total [characters].
 */
static int32_t leave_out(const RbvPageTable *table, RbvTableKind kind, Layout *layout, int32_t total, int32_t most) {
    for (int32_t c = table->columns - 1; c > 0 && total > most; c--)
        if (table->kinds[c] == kind) {
            total -= layout->width[c] + GAP;
            layout->width[c] = 0;
        }
    return total;
}

/* Narrows the name column down to at most `most` characters if that helps to fit `width` (longer names get a line of
 * their own); returns the new total [characters]. */
static int32_t cut_names(Layout *layout, int32_t total, int32_t width, int32_t most) {
    int32_t name = layout->width[0], cut = name - (total - width);
    if (total <= width || name <= most)
        return total;
    layout->width[0] = cut > most ? cut : most;
    return total - name + layout->width[0];
}

/* Fits the table to `width`, in this order: very long names get their own line; fewer digits; spare columns omitted;
 * long names get their own line; detail columns omitted. */
static Layout fit(const RbvPageTable *table, int32_t width) {
    Layout layout = {.digits = table->digits ? table->digits : MOST_DIGITS};
    int32_t total = cut_names(&layout, measure(table, &layout), width, LONG_NAME);
    while (total > width && layout.digits > LEAST_DIGITS) {
        layout.digits--;
        total = cut_names(&layout, measure(table, &layout), width, LONG_NAME);
    }
    total = leave_out(table, RBV_TABLE_SPARE, &layout, total, width);
    total = cut_names(&layout, total, width, LEAST_NAME);
    leave_out(table, RBV_TABLE_DETAIL, &layout, total, width);
    return layout;
}

static void blanks(RbvText *text, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        rbv_text_append(text, " ", 1);
}

/* Prints one line of the table; row -1: its head. A name that is too long stands on a line of its own. */
static void print_line(const RbvPageTable *table, const Layout *layout, int32_t row, RbvText *text) {
    char buffer[40];
    int32_t owed = 0; /* blanks that are written only before further text */
    for (int32_t c = 0; c < table->columns; c++) {
        if (layout->width[c] == 0)
            continue;
        const char *cell =
            row < 0 ? table->heads[c] : shown(table, row * table->columns + c, layout->digits, buffer, sizeof buffer);
        int32_t width = rbv_text_width(cell, strlen(cell)), space = layout->width[c] - width;
        bool left = table->kinds[c] == RBV_TABLE_WORD;
        owed += c ? GAP : 0;
        if (width == 0) {
            owed += space;
            continue;
        }
        owed += left ? 0 : space;
        blanks(text, owed);
        rbv_text_add(text, cell);
        owed = left && space > 0 ? space : 0;
        if (c == 0 && space < 0) {
            rbv_text_add(text, "\n");
            owed = layout->width[0];
        }
    }
    rbv_text_add(text, "\n");
}

void rbv_table_print(RbvPageTable *table, RbvText *text, int32_t width) {
    bool whole = !table->no_memory && !table->words.no_memory;
    if (whole && table->count > 0) {
        Layout layout = fit(table, width);
        rbv_text_add(text, "\n");
        for (int32_t row = -1; row < table->count / table->columns; row++)
            print_line(table, &layout, row, text);
    }
    text->no_memory = text->no_memory || !whole;
    free(table->cells);
    rbv_text_clear(&table->words);
    *table = (RbvPageTable){0};
}

/* Length of the part of text[length] that goes on this line: up to the last comma, colon, semicolon or bracket that
 * ends in its second half, else up to the last blank; at least one word. */
static size_t part_of(const char *text, size_t length, int32_t space) {
    size_t words = 0, clause = 0, k = strspn(text, " ");
    while (k < length) {
        size_t word = strcspn(text + k, " \n");
        int32_t width = rbv_text_width(text, k + word);
        if (width > space && words > 0)
            break;
        words = k += word;
        if (strchr(",;:)", text[k - 1]) && 2 * width > space)
            clause = k;
        k += strspn(text + k, " ");
    }
    if (k >= length)
        return length;
    return clause ? clause : words;
}

/* Breaks one line that is too long. */
static void wrap_line(RbvText *to, const char *line, size_t length, int32_t width) {
    int32_t hanging = (int32_t)strspn(line, " ") + HANGING, margin = 0;
    while (length > 0) {
        size_t part = part_of(line, length, width - margin);
        rbv_text_append(to, line, part);
        line += part;
        length -= part;
        size_t gap = strspn(line, " ");
        gap = gap < length ? gap : length;
        line += gap;
        length -= gap;
        if (length > 0) {
            rbv_text_add(to, "\n");
            blanks(to, hanging);
            margin = hanging;
        }
    }
}

void rbv_text_wrap(RbvText *to, const char *text, int32_t width, bool sentences) {
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        if (rbv_text_width(line, length) > width && (sentences || *line == ' '))
            wrap_line(to, line, length, width);
        else
            rbv_text_append(to, line, length);
        line += length;
        if (*line)
            line++;
        rbv_text_add(to, "\n");
    }
}
