/* Messages about an assembly: remaining gaps, undefined directions, bodies that were turned over. */
#include "core/base/diagnostics.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/residuals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The unit of a row's residual; for an equation its own unit, as far as known. */
static void unit_of_gap(const RbvSystem *system, const RbvResidual *gap, char unit[64]) {
    const RbvRow *row = &system->rows[gap->row];
    RbvExprDimension dimension = row->owner == RBV_OWNER_CONSTRAINT
                                     ? rbv_expr_dimension(system->model->constraints.items[row->index].equation)
                                     : (RbvExprDimension){.bond = RBV_EXPR_BARE};
    if (row->owner != RBV_OWNER_CONSTRAINT)
        snprintf(unit, 64, gap->angle > 0 ? " rad" : " m");
    else if (dimension.bond == RBV_EXPR_BARE)
        unit[0] = '\0';
    else {
        unit[0] = ' ';
        rbv_exponents_si(dimension.exponents, unit + 1, 63);
    }
}

/* Relative to the largest gap, or to the item's other gap (length or angle): smaller gaps are rounding. */
#define NO_PART 1e-6

bool rbv_describe_gaps(const RbvState *state, char *text, size_t size) {
    const RbvSystem *system = state->system;
    text[0] = '\0';
    RbvResidual *gaps = calloc((size_t)system->all_count + 1, sizeof *gaps);
    bool gaps_found = gaps != NULL;
    int32_t count = gaps ? rbv_residuals(state, false, gaps) : 0;
    size_t used = 0;
    for (int32_t k = 0;
         k < count && k < 8 &&
         gaps[k].size > fmax(RBV_ASSEMBLY_TOLERANCE * rbv_state_row_arm(state, gaps[k].row), NO_PART * gaps[0].size);
         k++) {
        char name[160], *bracket;
        rbv_system_row_name(system, gaps[k].row, name, sizeof name);
        if (system->rows[gaps[k].row].direction >= 0 && (bracket = strstr(name, " (")) != NULL)
            *bracket = '\0';
        int n = 0;
        const char *comma = k > 0 ? ", " : "";
        double arm = rbv_state_row_arm(state, gaps[k].row);
        if (gaps[k].angle * arm < NO_PART * gaps[k].length)
            gaps[k].angle = 0;
        if (gaps[k].length < NO_PART * gaps[k].angle * arm)
            gaps[k].length = 0;
        if (gaps[k].length > 0 && gaps[k].angle > 0)
            n = snprintf(text + used, size - used, "%s%s %.4g m and %.4g rad", comma, name, gaps[k].length,
                         gaps[k].angle);
        else {
            char unit[64];
            unit_of_gap(system, &gaps[k], unit);
            n = snprintf(text + used, size - used, "%s%s %.4g%s", comma, name,
                         gaps[k].angle > 0 ? gaps[k].angle : gaps[k].length, unit);
        }
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
    free(gaps);
    return gaps_found;
}

bool rbv_describe_singular(const RbvState *state, char *text, size_t size) {
    const RbvSystem *system = state->system;
    int32_t m = state->singular_measure;
    for (int32_t k = 0; m >= 0 && k < system->row_count; k++)
        for (int32_t n = system->rows[k].first; n < system->rows[k].first + system->rows[k].count; n++)
            if (system->terms[n].measure == m) {
                char row[160];
                RbvMeasureKind kind = system->model->measures.items[m].kind;
                bool contact = kind == RBV_MEASURE_GAP || kind == RBV_MEASURE_GLIDE || kind == RBV_MEASURE_TRACK ||
                               kind == RBV_MEASURE_REVOLVED;
                rbv_system_row_name(system, k, row, sizeof row);
                snprintf(text, size,
                         contact ? "%s finds no contact: the follower has left its outline"
                         : kind == RBV_MEASURE_CONTACT || kind == RBV_MEASURE_ROLL
                             ? "the disk of %s lies flat on its plane: it has no lowest point to roll on"
                         : kind == RBV_MEASURE_SLIP ? "the edge of %s stands upright: its x is along the first's z and "
                                                      "has no direction in the plane"
                         : kind == RBV_MEASURE_BEND
                             ? "the shafts of %s are folded back on each other: no plane halves them"
                         : kind == RBV_MEASURE_TWIST || kind == RBV_MEASURE_MESH
                             ? "the axes of %s are opposite, so that no turn about them is defined"
                             : "the two points of %s coincide, so that their direction is lost",
                         row);
                return true;
            }
    return false;
}

/* True without loops and constraints: each pose follows from the joints' coordinates, so there are no branches. */
static bool is_tree(const RbvModel *model) {
    bool plain = model->constraints.count == 0 && model->joints.count <= model->bodies.count - 1;
    for (int32_t k = 0; plain && k < model->joints.count; k++)
        plain = model->joints.items[k].form == RBV_FORM_LOCKS &&
                (model->joints.items[k].locks & (model->joints.items[k].locks - 1));
    return plain;
}

/* Cosine between axes that joints keep parallel, below which (within 8 degrees) the starting poses have them opposite:
 * the second body was turned over. */
#define OPPOSITE_START -0.99
static void note_turned_over(const RbvModel *model, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; model->space == RBV_SPATIAL && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        int held = joint->form == RBV_FORM_LOCKS ? joint->locks & RBV_DIRECTIONS_TURNS : 0;
        RbvMat3 first, second;
        for (int axis = 0; axis < 3; axis++) {
            if (held != (RBV_DIRECTIONS_TURNS & ~(RBV_DIRECTION_RX << axis)) && held != RBV_DIRECTIONS_TURNS)
                continue;
            rbv_marker_start(model, joint->marker[0], &first);
            rbv_marker_start(model, joint->marker[1], &second);
            if (rbv_dot(first.column[axis], second.column[axis]) >= OPPOSITE_START)
                continue;
            rbv_diagnose(
                diagnostics, RBV_NOTE, model->file, joint->where,
                "'%s' was turned over: in the starting poses its axis at joint '%s' is opposite to the other's",
                model->bodies.items[model->markers.items[joint->marker[1]].body].name, joint->name);
            break;
        }
    }
}

/* Cosine between axes that joints keep square, above which the starting poses have them parallel: the direction in
 * which they should turn apart is open, and the first steps of assembly have no gradient for it. */
#define PARALLEL_START 0.999
void rbv_note_parallel_axes(const RbvModel *model, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; model->space == RBV_SPATIAL && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        RbvMat3 first, second;
        if (joint->extra != RBV_EXTRA_SQUARE)
            continue;
        rbv_marker_start(model, joint->marker[0], &first);
        rbv_marker_start(model, joint->marker[1], &second);
        if (fabs(rbv_dot(first.column[2], second.column[2])) < PARALLEL_START)
            continue;
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, joint->where,
                     "the z axes of '%s' are parallel in the starting poses; they must be square: give its markers "
                     "square axes, one along each pin of the cross",
                     joint->name);
    }
}

void rbv_note_branch(const RbvState *state, const double *start, double *step, const RbvAssembly *assembly,
                     RbvDiagnostics *diagnostics) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    const RbvModel *model = state->system->model;
    note_turned_over(model, diagnostics);
    rbv_note_parallel_axes(model, diagnostics);
    if (assembly->restarts == 1) {
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
                     "the starting poses led to no assembly; bodies were placed from ground outwards, joint by joint%s",
                     is_tree(model) ? ""
                                    : ", and may be in "
                                      "another branch than meant");
        return;
    }
    rbv_coordinates_difference(&state->system->coordinates, start, state->q, step);
    for (int32_t b = 1; b < bodies->count; b++) {
        RbvVec3 w = rbv_bodies_twist(bodies, b, step).w;
        double turn = bodies->spatial ? rbv_norm(w) : w.z;
        double reduced = remainder(turn, RBV_TWO_PI);
        if (fabs(reduced) > 3.0 && !bodies->spatial)
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->bodies.items[b].where,
                         "'%s' was turned by %.0f deg from its starting pose: that pose is the 180 deg twin of what "
                         "its joints allow",
                         model->bodies.items[b].name, turn * 360 / RBV_TWO_PI);
        else if (fabs(reduced) > RBV_TWO_PI / 4 && !is_tree(model))
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->bodies.items[b].where,
                         "'%s' was turned by %.0f deg from its starting pose: this may be the other assembly branch; a "
                         "pose nearer to "
                         "the one you mean selects it",
                         model->bodies.items[b].name, turn * 360 / RBV_TWO_PI);
    }
    if (assembly->restarts > 1)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
                     "the starting poses led to no assembly; this one was found from other poses (try %d) and may be "
                     "another branch than "
                     "meant",
                     (int)assembly->restarts);
}
