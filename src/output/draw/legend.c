/* Legend below a sketch: line styles of the verdicts that occur, and sentences about the whole. */
#include "output/draw/drawing.h"

#include "model/result/result.h"

/* [px] */
#define ITEM 110
#define LETTERS 11
#define LINE 16
#define ROOM 14

static const RbvVerdict verdicts[] = {RBV_UNIQUE, RBV_NOT_UNIQUE, RBV_COMPLIANCE, RBV_UNSURE};

static int shown_count(const RbvDrawing *drawing) {
    int count = 0;
    for (int k = 0; k < 4; k++)
        count += drawing->shown[verdicts[k]];
    return count + drawing->loads;
}

double rbv_drawing_legend_height(const RbvDrawing *drawing) {
    int lines = (shown_count(drawing) > 0) + drawing->said_count;
    return lines > 0 ? ROOM + LINE * lines : 0;
}

void rbv_drawing_legend(const RbvDrawing *drawing, RbvPen *pen, double width, double y) {
    const RbvLettering letters = {.size = LETTERS, .colour = "#333333"},
                       sentence = {.size = LETTERS, .colour = "#333333", .anchor = RBV_ANCHOR_MIDDLE};
    int count = shown_count(drawing);
    double x = (width - ITEM * count) / 2;
    y += LINE + 2;
    for (int k = 0; k < 5; k++) {
        if (k < 4 ? !drawing->shown[verdicts[k]] : !drawing->loads)
            continue;
        rbv_pen_lines(pen, 2, (const double[][2]){{x, y - 4}, {x + 26, y - 4}}, false,
                      k < 4 ? rbv_verdict_ink(verdicts[k]) : rbv_load_ink());
        rbv_pen_text(pen, x + 31, y, k < 4 ? rbv_verdict_name(verdicts[k]) : "load", &letters);
        x += ITEM;
    }
    y += count > 0 ? LINE : 0;
    for (int k = 0; k < drawing->said_count; k++)
        rbv_pen_text(pen, width / 2, y + k * LINE, drawing->said[k], &sentence);
}
