/* Items with redundant constraints, if no forces are known (check): joints and drives whose reactions are not unique
 * get a ring, and the self-stresses are listed below the picture. */
#include "output/draw/drawing.h"

#include "model/result/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [px] */
#define RING 9
/* Largest number of self-stresses listed, and of components of each. */
#define MOST_MODES 4
#define MOST_SHARES 6

static const RbvEntry *entry_of(const RbvList *list, const char *name, int32_t near) {
    for (int32_t k = 0; k < list->count; k++) { /* usually in the order of the items */
        int32_t n = (near + k) % list->count;
        if (strcmp(list->items[n].name, name) == 0)
            return &list->items[n];
    }
    return NULL;
}

bool rbv_drawing_find_twice(RbvDrawing *drawing) {
    const RbvResult *result = drawing->result;
    const RbvScene *scene = drawing->scene;
    int32_t seen[2] = {0, 0};
    drawing->twice = calloc((size_t)scene->item_count + 1, sizeof *drawing->twice);
    for (int32_t k = 0; drawing->twice && k < scene->item_count; k++) {
        const RbvSceneItem *item = &scene->items[k];
        if (item->kind != RBV_SCENE_JOINT && item->kind != RBV_SCENE_DRIVE)
            continue;
        bool drive = item->kind == RBV_SCENE_DRIVE;
        const RbvList *list = drive ? &result->drives : &result->joints;
        const RbvEntry *entry = entry_of(list, item->name, seen[drive]);
        seen[drive] = entry ? (int32_t)(entry - list->items) + 1 : seen[drive];
        drawing->twice[k] = entry && rbv_result_entry_verdict(result, entry) == RBV_NOT_UNIQUE;
    }
    return drawing->twice;
}

bool rbv_drawing_is_twice(const RbvDrawing *drawing, int32_t item) {
    return drawing->twice && drawing->twice[item];
}

double rbv_drawing_ring(const RbvDrawing *drawing) {
    return fmax(RING, 0.6 * drawing->scene->symbol * drawing->paper.scale);
}

static void report_mode(RbvDrawing *drawing, const RbvMode *mode) {
    char text[RBV_SAID_SIZE];
    size_t used = (size_t)snprintf(text, sizeof text, "held twice: ");
    for (int32_t n = 0; n < mode->count && n < MOST_SHARES && used < sizeof text; n++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", n ? ", " : "", mode->shares[n].name);
    if (mode->count > MOST_SHARES && used < sizeof text)
        snprintf(text + used, sizeof text - used, ", ...");
    rbv_drawing_report(drawing, text);
}

void rbv_drawing_twice(RbvDrawing *drawing) {
    const RbvResult *result = drawing->result;
    const RbvInk ink = {.stroke = RBV_TWICE, .width = 1.9, .dash = RBV_DASH_LONG};
    int32_t rings = 0;
    rbv_drawing_layer(drawing, RBV_LAYER_ARROW, 0);
    for (int32_t k = 0; k < drawing->scene->item_count; k++) {
        RbvVec3 at;
        if (!rbv_drawing_is_twice(drawing, k) || !rbv_drawing_place_of(drawing, k, &at))
            continue;
        RbvSpot p = rbv_paper_at(&drawing->paper, at);
        drawing->strokes.name = drawing->scene->items[k].name;
        rbv_strokes_circle(&drawing->strokes, p.x, p.y, rbv_drawing_ring(drawing), &ink);
        rings++;
    }
    drawing->strokes.name = NULL;
    for (int32_t k = 0; k < result->mode_count && k < MOST_MODES; k++)
        report_mode(drawing, &result->modes[k]);
    if (result->mode_count > MOST_MODES) {
        char text[RBV_SAID_SIZE];
        snprintf(text, sizeof text, "... and %d self-stresses more", (int)result->mode_count - MOST_MODES);
        rbv_drawing_report(drawing, text);
    }
    if (rings > 0 && result->mode_count == 0)
        rbv_drawing_report(drawing, "held twice: what stands in a ring");
}
