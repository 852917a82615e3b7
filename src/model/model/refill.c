/* Saves, replaces and restores array items while a model is read again with other values of parameters (refill.h), and
 * records what a program adds as text, so that it can be read again. */
#include "model/model/refill.h"

#include <string.h>

bool rbv_refill_begin(RbvModel *model, RbvRefill *refill) {
    *refill = (RbvRefill){.marker = -1,
                          .load = -1,
                          .mesh = -1,
                          .cam = -1,
                          .broken = model->broken,
                          .no_memory = model->no_memory,
                          .bare_notes = model->bare_notes,
                          .gravity = model->gravity,
                          .from = model->from,
                          .to = model->to,
                          .step = model->step,
                          .track_rate = model->track_rate};
    size_t parameters = (size_t)model->parameters.count * sizeof *refill->parameters;
    refill->parameters = rbv_arena_alloc(&refill->arena, parameters);
    refill->moved = rbv_arena_alloc(&refill->arena, (size_t)model->bodies.count * sizeof *refill->moved);
    refill->again = rbv_arena_alloc(&refill->arena, (size_t)model->joints.count * sizeof *refill->again);
    if (!refill->parameters || !refill->moved || !refill->again) {
        rbv_arena_clear(&refill->arena);
        return false;
    }
    if (parameters > 0)
        memcpy(refill->parameters, model->parameters.items, parameters);
    refill->own = model->arena;
    model->arena = refill->arena;
    model->refill = refill;
    return true;
}

static void *item_of(const RbvKept *kept) {
    RBV_ARRAY(char) *list = kept->list;
    return list->items + (size_t)kept->index * kept->size;
}

bool rbv_refill_take(RbvModel *model, void *array, size_t size, int32_t index) {
    RbvKept *kept = rbv_arena_alloc(&model->arena, sizeof *kept);
    void *copy = kept ? rbv_arena_alloc(&model->arena, size) : NULL;
    if (!copy) {
        model->no_memory = true;
        return false;
    }
    *kept = (RbvKept){model->refill->kept, array, size, index, copy};
    memcpy(copy, item_of(kept), size);
    memset(item_of(kept), 0, size);
    model->refill->kept = kept;
    return true;
}

int32_t rbv_refill_next(RbvModel *model, void *array, size_t size) {
    RbvRefill *refill = model->refill;
    RBV_ARRAY(char) *list = array;
    int32_t *next = array == &model->markers  ? &refill->marker
                    : array == &model->loads  ? &refill->load
                    : array == &model->meshes ? &refill->mesh
                    : array == &model->cams   ? &refill->cam
                                              : NULL;
    if (!next || *next < 0 || *next >= list->count) {
        refill->differs = true;
        return -1;
    }
    int32_t index = (*next)++;
    if (array == &model->cams) /* no cam data depend on parameters, and the curve file is not read again */
        return index;
    if (!rbv_refill_take(model, array, size, index))
        return -1;
    if (array == &model->markers)
        model->markers.items[index].name = ((const RbvMarker *)refill->kept->copy)->name;
    return index;
}

const char *rbv_refill_named(RbvModel *model, const char *name, RbvNamedKind kind, void *array, size_t size,
                             int32_t *index) {
    int32_t found = name ? rbv_name_table_find(&model->names, name) : -1;
    if (found < 0 || found % RBV_NAMED_KINDS != (int32_t)kind) {
        model->refill->differs = true;
        return NULL;
    }
    *index = found / RBV_NAMED_KINDS;
    return rbv_refill_take(model, array, size, *index) ? *(const char *const *)model->refill->kept->copy
                                                       : NULL; /* the name is the first member of items that have one */
}

void rbv_refill_found(RbvModel *model, int32_t marker) {
    if (model->refill && model->refill->marker == marker)
        model->refill->marker++;
}

void rbv_refill_joint(RbvModel *model, int32_t index) {
    RbvRefill *refill = model->refill;
    const RbvJoint *joint = &model->joints.items[index];
    refill->marker = model->joint_places.items[index].markers;
    refill->load = model->joint_places.items[index].loads;
    refill->mesh = joint->mesh;
    refill->cam = joint->cam;
    refill->again[index] = true;
}

static bool same_vector(RbvVec3 a, RbvVec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_place(const RbvBody *a, const RbvBody *b) {
    return same_vector(a->at, b->at) && same_vector(a->centroid, b->centroid) && a->angle == b->angle &&
           a->rotation.w == b->rotation.w && same_vector(a->rotation.e, b->rotation.e);
}

static bool same_marker(const RbvMarker *a, const RbvMarker *b) {
    const RbvAxes *p = rbv_marker_axes(a), *q = rbv_marker_axes(b);
    return a->body == b->body && a->angle == b->angle && same_vector(a->at, b->at) && p->p.w == q->p.w &&
           same_vector(p->p.e, q->p.e);
}

/* Is the item as read now equal to the saved one? */
static bool same_item(const RbvModel *model, const RbvKept *kept) {
    if (kept->list == &model->shapes) /* for pictures only */
        return true;
    if (kept->list == &model->bodies)
        return same_place(item_of(kept), kept->copy);
    return kept->list == &model->markers ? same_marker(item_of(kept), kept->copy)
                                         : memcmp(item_of(kept), kept->copy, kept->size) == 0;
}

void rbv_refill_note_moved(RbvModel *model, int32_t body, const RbvKept *before) {
    bool moved = false;
    for (const RbvKept *kept = model->refill->kept; kept != before; kept = kept->next)
        moved = moved || !same_item(model, kept);
    model->refill->moved[body] = moved;
    model->refill->any_moved = model->refill->any_moved || moved;
}

/* Keep the old unit of a column or multiplier, to which results refer; a different new unit makes the refill differ. */
static const char *settle_unit(RbvRefill *refill, const char *now, const char *before) {
    const char *new_unit = now ? now : "";
    const char *old_unit = before ? before : "";
    refill->differs = refill->differs || strcmp(new_unit, old_unit) != 0;
    return before;
}

/* The variables of an expression determine the layout of rows and verdicts: a change makes the refill differ. */
static void settle_variables(RbvRefill *refill, const RbvExpr *now, const RbvExpr *before) {
    bool same = rbv_expr_variable_count(now) == rbv_expr_variable_count(before);
    for (int32_t v = 0; same && v < rbv_expr_variable_count(now); v++)
        same = rbv_expr_variable(now, v) == rbv_expr_variable(before, v);
    refill->differs = refill->differs || !same;
}

/* Are kind and number of points of a shape unchanged? Shapes of a body are identified by their order. */
static bool shape_fits(const RbvBodyShape *now, const RbvBodyShape *before) {
    return now->kind == before->kind && now->count == before->count;
}

/* Copy the new points into the old memory. */
static void keep_points(RbvBodyShape *now, const RbvBodyShape *before) {
    if (now->count > 0)
        memcpy(before->points, now->points, (size_t)now->count * sizeof *now->points);
    now->points = before->points;
}

bool rbv_refill_settle(RbvModel *model) {
    RbvRefill *refill = model->refill;
    for (RbvKept *kept = refill->kept; kept; kept = kept->next) {
        if (kept->list == &model->constraints) {
            RbvConstraint *now = item_of(kept), *before = kept->copy;
            now->text = before->text;
            settle_variables(refill, now->equation, before->equation);
            now->unit = settle_unit(refill, now->unit, before->unit);
            now->error_unit = before->required ? settle_unit(refill, now->error_unit, before->error_unit) : NULL;
        } else if (kept->list == &model->shapes) {
            refill->differs = refill->differs || !shape_fits(item_of(kept), kept->copy);
        } else if (kept->list == &model->outputs) {
            RbvOutput *now = item_of(kept), *before = kept->copy;
            settle_variables(refill, now->value, before->value);
            now->unit = settle_unit(refill, now->unit, before->unit);
        } else if (kept->list == &model->nonideals) {
            ((RbvNonideal *)item_of(kept))->coordinate = ((RbvNonideal *)kept->copy)->coordinate;
        } else if (kept->list == &model->coordinates) {
            const RbvNamedCoordinate *now = item_of(kept), *before = kept->copy;
            refill->differs = refill->differs || now->measure != before->measure;
            settle_variables(refill, now->value, before->value);
        } else if (kept->list == &model->drives) {
            if (((RbvDrive *)item_of(kept))->most && ((RbvDrive *)kept->copy)->most)
                settle_variables(refill, ((RbvDrive *)item_of(kept))->most, ((RbvDrive *)kept->copy)->most);
            settle_unit(refill, ((RbvDrive *)item_of(kept))->unit, ((RbvDrive *)kept->copy)->unit);
            ((RbvDrive *)item_of(kept))->unit = ((RbvDrive *)kept->copy)->unit;
            ((RbvDrive *)item_of(kept))->coordinate = ((RbvDrive *)kept->copy)->coordinate;
        } else if (kept->list == &model->actuators) {
            ((RbvActuator *)item_of(kept))->coordinate = ((RbvActuator *)kept->copy)->coordinate;
            ((RbvActuator *)item_of(kept))->unit =
                settle_unit(refill, ((RbvActuator *)item_of(kept))->unit, ((RbvActuator *)kept->copy)->unit);
        } else if (kept->list == &model->stops) {
            RbvStop *now = item_of(kept);
            const RbvStop *before = kept->copy;
            now->coordinate = before->coordinate;
            now->unit = settle_unit(refill, now->unit, before->unit);
            now->force_unit = settle_unit(refill, now->force_unit, before->force_unit);
        } else if (kept->list == &model->conditions) {
            ((RbvCondition *)item_of(kept))->name = ((RbvCondition *)kept->copy)->name;
        } else if (kept->list == &model->initial) {
            ((RbvInitial *)item_of(kept))->coordinate = ((RbvInitial *)kept->copy)->coordinate;
        }
    }
    return !refill->differs;
}

/* Destroy the expressions of an item, current or saved. */
static void destroy_expressions(const RbvModel *model, const void *list, void *item) {
    if (list == &model->constraints)
        rbv_expr_destroy(((RbvConstraint *)item)->equation);
    else if (list == &model->nonideals)
        rbv_expr_destroy(((RbvNonideal *)item)->force);
    else if (list == &model->coordinates)
        rbv_expr_destroy(((RbvNamedCoordinate *)item)->value);
    else if (list == &model->drives)
        rbv_expr_destroy(((RbvDrive *)item)->motion), rbv_expr_destroy(((RbvDrive *)item)->most);
    else if (list == &model->outputs)
        rbv_expr_destroy(((RbvOutput *)item)->value);
    else if (list == &model->states)
        rbv_expr_destroy(((RbvOwnState *)item)->rate);
    else if (list == &model->events)
        rbv_expr_destroy(((RbvEventDefinition *)item)->when);
    else if (list == &model->settings)
        rbv_expr_destroy(((RbvSetting *)item)->value);
    else if (list == &model->conditions)
        rbv_expr_destroy(((RbvCondition *)item)->active);
    for (int part = 0; list == &model->loads && part < 3; part++)
        rbv_expr_destroy(((RbvLoad *)item)->value[part]);
}

static void end(RbvModel *model) {
    RbvRefill *refill = model->refill;
    refill->arena = model->arena;
    model->arena = refill->own;
    model->broken = refill->broken;
    model->no_memory = refill->no_memory;
    model->bare_notes = refill->bare_notes;
    model->refill = NULL;
    rbv_arena_clear(&refill->arena);
}

/* Copy the new axes of a marker into the old memory; the memory of this reading is released. */
static void keep_axes(RbvMarker *now, const RbvMarker *before) {
    if (!now->turned || !before->turned)
        return;
    *before->turned = *now->turned;
    now->turned = before->turned;
}

static void keep_joint_sizes(RbvJoint *now, const RbvJoint *before) {
    *before->sizes = *now->sizes;
    now->sizes = before->sizes;
    if (!now->loose || !before->loose)
        return;
    *before->loose = *now->loose;
    now->loose = before->loose;
}

/* Names and curves of what is sized do not depend on parameters: the old memory is kept. */
static void keep_sized(RbvSized *now, const RbvSized *before) {
    for (int k = 0; k < 2; k++)
        now->bearing[k].name = before->bearing[k].name;
    now->rating.curve_speed = before->rating.curve_speed;
    now->rating.curve_peak = before->rating.curve_peak;
    now->rating.curve_continuous = before->rating.curve_continuous;
}

void rbv_refill_commit(RbvModel *model) {
    for (RbvKept *kept = model->refill->kept; kept; kept = kept->next) {
        destroy_expressions(model, kept->list, kept->copy);
        if (kept->list == &model->markers)
            keep_axes(item_of(kept), kept->copy);
        if (kept->list == &model->shapes)
            keep_points(item_of(kept), kept->copy);
        if (kept->list == &model->joints)
            keep_joint_sizes(item_of(kept), kept->copy);
        if (kept->list == &model->sized)
            keep_sized(item_of(kept), kept->copy);
    }
    end(model);
}

void rbv_refill_undo(RbvModel *model) {
    RbvRefill *refill = model->refill;
    for (RbvKept *kept = refill->kept; kept; kept = kept->next) {
        destroy_expressions(model, kept->list, item_of(kept));
        memcpy(item_of(kept), kept->copy, kept->size);
    }
    if (model->parameters.count > 0)
        memcpy(model->parameters.items, refill->parameters,
               (size_t)model->parameters.count * sizeof *refill->parameters);
    model->gravity = refill->gravity;
    model->from = refill->from;
    model->to = refill->to;
    model->step = refill->step;
    model->track_rate = refill->track_rate;
    end(model);
}

/* Record of the items that a program adds to a model as text (expressions). The record allows parameters to get new
 * values later: every recorded text is then read again in place (additions_again.c). */

static const char *copy_text(RbvModel *model, const char *text) {
    const char *copy = text ? rbv_arena_copy(&model->arena, text, strlen(text)) : NULL;
    model->no_memory = model->no_memory || (text && !copy);
    return copy;
}

static const RbvLoadDef *copy_load(RbvModel *model, const RbvLoadDef *def) {
    RbvLoadDef *copy = def ? rbv_arena_alloc(&model->arena, sizeof *copy) : NULL;
    model->no_memory = model->no_memory || (def && !copy);
    if (!copy)
        return NULL;
    *copy = *def;
    const char **const texts[] = {&copy->name,     &copy->type,     &copy->to,         &copy->value[0],
                                  &copy->value[1], &copy->value[2], &copy->between[0], &copy->between[1],
                                  &copy->joint,    &copy->law,      &copy->speed};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        *texts[k] = copy_text(model, *texts[k]);
    return copy;
}

RbvStatus rbv_model_keep_addition(RbvModel *model, RbvStatus status, const RbvAddition *addition) {
    bool parameter = addition->kind == RBV_ADDED_PARAMETER, ours = !model->source.change;
    if (status != RBV_OK || !ours || model->refill || (!parameter && !model->additions))
        return status;
    RbvAddition *kept = rbv_arena_alloc(&model->arena, sizeof *kept);
    if (!kept) {
        model->no_memory = true;
        return RBV_NO_MEMORY;
    }
    *kept = *addition;
    for (int k = 0; k < 3; k++)
        kept->text[k] = copy_text(model, addition->text[k]);
    kept->load = copy_load(model, addition->load);
    if (model->last_addition)
        model->last_addition->next = kept;
    else
        model->additions = kept;
    model->last_addition = kept;
    return model->no_memory ? RBV_NO_MEMORY : RBV_OK;
}
