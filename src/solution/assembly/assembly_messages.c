/* Messages about an assembly: the residuals that are left, the loop of joints that does not close, undefined
 * directions, bodies that were turned over. */

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/assembly/assemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Residuals of the rows at a state, item by item. */

/* Items within rounding are all equal. */
static int by_size(const void *a, const void *b) {
    const RbvResidual *x = a, *y = b;
    double one = x->rounding ? 0 : x->size;
    double other = y->rounding ? 0 : y->size;
    return (one < other) - (one > other);
}

static int by_name(const void *a, const void *b) {
    const RbvResidual *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

/* Sorts the largest first; among equal ones by name (decision 0042). */
static void sort_residuals(RbvResidual *list, int32_t count) {
    qsort(list, (size_t)count, sizeof *list, by_size);
    for (int32_t k = 0, next; k < count; k = next) {
        /* Relative difference of sizes below which they are equal: two legs of one machine open by the same gap but for
         * rounding. */
        for (next = k + 1; next < count && (list[k].rounding ? list[next].rounding
                                                             : !list[next].rounding &&
                                                                   list[next].size >= (1 - RBV_FITS) * list[k].size);)
            next++;
        qsort(&list[k], (size_t)(next - k), sizeof *list, by_name);
    }
}

static void add_to_norm(double *sum, double part) {
    *sum = hypot(*sum, part);
}

/* Sets size and rounding of an item: within the tolerance of assembly it is satisfied, and its size has no meaning. */
static void weigh_residual(const RbvState *state, RbvResidual *of) {
    double arm = rbv_state_row_arm(state, of->row), place = hypot(of->length, of->angle * arm),
           rate = hypot(of->length_rate, of->angle_rate * arm);
    of->size = rbv_max(place, rate);
    /* [rad/s] Least rate with which residuals of rates are compared, for a machine at rest or slower. */
    of->rounding = place <= RBV_ASSEMBLY_TOLERANCE * arm &&
                   rate <= RBV_ASSEMBLY_TOLERANCE * rbv_max(of->speed, RBV_LEAST_SCALE * arm);
}

int32_t rbv_residuals(const RbvState *state, bool rates, RbvResidual *list) {
    const RbvSystem *system = state->system;
    int32_t count = 0, rows = rates ? system->all_count : system->position_count;
    for (int32_t k = 0; k < rows; k++) {
        const RbvRow *row = &system->rows[k], *before = count > 0 ? &system->rows[list[count - 1].row] : NULL;
        if (row->owner == RBV_OWNER_SPIN || !rbv_state_holds(state, k))
            continue;
        if (!before || before->owner != row->owner || before->index != row->index)
            list[count++] = (RbvResidual){.row = k, .name = rbv_system_row_owner(system, k)};
        RbvResidual *residual = &list[count - 1];
        if (k < system->position_count && !row->on_rates)
            add_to_norm(row->angular ? &residual->angle : &residual->length, state->phi[k]);
        if (!rates || (k >= system->row_count && k < system->position_count))
            continue;
        double parts, rate = rbv_state_row_times(state, k, state->v, &parts) - state->nu[k];
        add_to_norm(row->angular ? &residual->angle_rate : &residual->length_rate, rate);
        residual->speed =
            rbv_max(residual->speed, (parts + fabs(state->nu[k])) * (row->angular ? rbv_state_row_arm(state, k) : 1));
    }
    for (int32_t k = 0; k < count; k++)
        weigh_residual(state, &list[k]);
    sort_residuals(list, count);
    return count;
}

/* The loop that does not close: where assembly has failed, the joint with the largest gap and the shortest path from
 * one of its bodies to the other along other joints. At the positions of least gaps a loop that is too short lies
 * straight, its joints apart by equal gaps: their sum is the missing length. */

typedef struct Round {
    RbvArena arena;
    const RbvModel *model;
    int32_t *from;  /* [bodies] joint by which the body was reached; -1: not reached */
    int32_t *queue; /* [bodies] */
    double *gap;    /* [joints] [m] */
    RbvResidual *list;
} Round;

static bool create_round(Round *r, const RbvState *state) {
    const RbvModel *model = state->system->model;
    *r = (Round){.model = model};
    r->from = rbv_arena_alloc(&r->arena, (size_t)model->bodies.count * sizeof *r->from);
    r->queue = rbv_arena_alloc(&r->arena, (size_t)model->bodies.count * sizeof *r->queue);
    r->gap = rbv_arena_array(&r->arena, (size_t)model->joints.count + 1, sizeof *r->gap);
    r->list = rbv_arena_array(&r->arena, (size_t)state->system->all_count + 1, sizeof *r->list);
    return r->from && r->queue && r->gap && r->list;
}

static void destroy_round(Round *r) {
    rbv_arena_clear(&r->arena);
}

static int32_t body_of_joint(const Round *r, int32_t joint, int side) {
    return r->model->markers.items[r->model->joints.items[joint].marker[side]].body;
}

/* The other body of a joint; -1: the joint does not touch this body. */
static int32_t across(const Round *r, int32_t joint, int32_t body) {
    return body_of_joint(r, joint, 0) == body   ? body_of_joint(r, joint, 1)
           : body_of_joint(r, joint, 1) == body ? body_of_joint(r, joint, 0)
                                                : -1;
}

/* True if the joint keeps points of two bodies together, or apart. Teeth, belts and edges do not. */
static bool holds_points(const RbvJoint *joint) {
    return rbv_forms[joint->form].holds_points || joint->locks & (RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_Z);
}

/* Breadth first from the first body of the joint `closing` to its second, not through that joint. False: no path. */
static bool find_path(Round *r, int32_t closing) {
    int32_t first = body_of_joint(r, closing, 0), last = body_of_joint(r, closing, 1), head = 0, tail = 0;
    for (int32_t b = 0; b < r->model->bodies.count; b++)
        r->from[b] = -1;
    r->queue[tail++] = first;
    while (head < tail && r->from[last] < 0) {
        int32_t body = r->queue[head++];
        for (int32_t k = 0; k < r->model->joints.count; k++) {
            int32_t other = k == closing ? -1 : across(r, k, body);
            if (other < 0 || other == first || r->from[other] >= 0 || !holds_points(&r->model->joints.items[k]))
                continue;
            r->from[other] = k;
            r->queue[tail++] = other;
        }
    }
    return r->from[last] >= 0;
}

/* The joints of the path, `closing` first, and the sum of their gaps [m]; returns how many. */
static int32_t list_joints(const Round *r, int32_t closing, int32_t *loop, double *sum) {
    int32_t count = 0;
    loop[count++] = closing;
    *sum = r->gap[closing];
    for (int32_t body = body_of_joint(r, closing, 1); body != body_of_joint(r, closing, 0);) {
        int32_t k = r->from[body];
        *sum += r->gap[k];
        loop[count++] = k;
        body = across(r, k, body);
    }
    return count;
}

/* Largest product of joints and bodies for which the path is searched. */
#define MOST_LOOKED_AT 1e8

int32_t rbv_find_loop(const RbvState *state, int32_t *loop, double *missing) {
    const RbvSystem *system = state->system;
    Round r;
    int32_t closing = -1, found = 0;
    double length = 0, sum = 0;
    bool small = (double)system->model->joints.count * system->model->bodies.count <= MOST_LOOKED_AT;
    bool good = create_round(&r, state);
    if (good && small) {
        int32_t count = rbv_residuals(state, false, r.list);
        for (int32_t k = 0; k < count; k++) {
            const RbvRow *row = &system->rows[r.list[k].row];
            if (row->owner != RBV_OWNER_JOINT)
                continue;
            r.gap[row->index] = r.list[k].length;
            if (closing < 0 || r.gap[row->index] > r.gap[closing]) {
                closing = row->index;
                length = rbv_state_row_size(state, r.list[k].row);
            }
        }
        if (closing >= 0 && find_path(&r, closing))
            found = list_joints(&r, closing, loop, &sum);
    }
    destroy_round(&r);
    if (missing)
        *missing = sum;
    if (!good)
        return -1;
    /* Relative to the size: a loop with a smaller sum of gaps is not too short. */
    return sum > RBV_FITS * length ? found : 0;
}

bool rbv_describe_loop(const RbvState *state, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    int32_t *loop = calloc((size_t)model->joints.count + 1, sizeof *loop);
    double missing = 0;
    int32_t count = loop ? rbv_find_loop(state, loop, &missing) : -1;
    char names[600] = "";
    size_t used = 0;
    for (int32_t k = 0; k < count && used < sizeof names; k++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "",
                                 model->joints.items[loop[k]].name);
    text[0] = '\0';
    if (count > 0)
        snprintf(text, size,
                 "the loop of the joints %s does not close: its members reach %.4g m less far than they must", names,
                 missing);
    free(loop);
    return count >= 0;
}

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

bool rbv_describe_gaps(const RbvState *state, char *text, size_t size) {
    const RbvSystem *system = state->system;
    text[0] = '\0';
    RbvResidual *gaps = calloc((size_t)system->all_count + 1, sizeof *gaps);
    bool gaps_found = gaps != NULL;
    int32_t count = gaps ? rbv_residuals(state, false, gaps) : 0;
    size_t used = 0;
    /* Relative to the largest gap, or to the item's other gap (length or angle): smaller gaps are rounding. */
    for (int32_t k = 0; k < count && k < 8 &&
                        gaps[k].size > rbv_max(RBV_ASSEMBLY_TOLERANCE * rbv_state_row_arm(state, gaps[k].row),
                                               RBV_FITS * gaps[0].size);
         k++) {
        char name[160], *bracket;
        rbv_system_row_name(system, gaps[k].row, name, sizeof name);
        if (system->rows[gaps[k].row].direction >= 0 && (bracket = strstr(name, " (")) != NULL)
            *bracket = '\0';
        int n = 0;
        const char *comma = k > 0 ? ", " : "";
        double arm = rbv_state_row_arm(state, gaps[k].row);
        if (gaps[k].angle * arm < RBV_FITS * gaps[k].length)
            gaps[k].angle = 0;
        if (gaps[k].length < RBV_FITS * gaps[k].angle * arm)
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
        plain = rbv_forms[model->joints.items[k].form].directions &&
                (model->joints.items[k].locks & (model->joints.items[k].locks - 1));
    return plain;
}

/* Cosine between axes that joints keep parallel, below which (within 8 degrees) the starting poses have them opposite:
 * the second body was turned over. */
#define OPPOSITE_START -0.99
static void note_turned_over(const RbvModel *model, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; model->space == RBV_SPATIAL && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        int locked = joint->locks & RBV_DIRECTIONS_TURNS;
        RbvMat3 first, second;
        for (int axis = 0; axis < 3; axis++) {
            if (locked != (RBV_DIRECTIONS_TURNS & ~(RBV_DIRECTION_RX << axis)) && locked != RBV_DIRECTIONS_TURNS)
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
