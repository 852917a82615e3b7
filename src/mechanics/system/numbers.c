/* Mixed coordinates: measures that are numbers z of q (mechanics/coordinates/natural_numbers.c). Rows, springs and
 * expressions use the number, not the value computed from the bodies; both are equal where the number's own row is
 * satisfied.
 *
 *   value z, rate z';   a term f m of a row: f z in C, so that a drive's row is constant;   D keeps f D_m for forces on
 *                       bodies
 *   gamma of such terms: f z'' = f (D_m a + bias), bias being the measure's
 *   a spring's force -s acts on z itself, not on the bodies */
#include "mechanics/system/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- choice of the numbers ---- */

static bool moves(const RbvModel *model, const RbvMeasure *measure) {
    int32_t one = model->markers.items[measure->marker[0]].body, other = model->markers.items[measure->marker[1]].body;
    return one != other && !model->bodies.items[one].generalized && !model->bodies.items[other].generalized;
}

/* True if an unconditional joint between these markers keeps the axis of the turn aligned. */
static bool is_aligned(const RbvModel *model, const RbvMeasure *measure) {
    const uint8_t others = (uint8_t)(RBV_DIRECTIONS_TURNS & ~(RBV_DIRECTION_RX << measure->axis));
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        bool same = joint->marker[0] == measure->marker[0] && joint->marker[1] == measure->marker[1];
        bool conditional = joint->unilateral;
        for (int32_t n = 0; n < model->conditions.count; n++)
            conditional = conditional || (model->conditions.items[n].of == RBV_CONDITION_JOINT &&
                                          model->conditions.items[n].index == k);
        if (same && !conditional && (joint->locks & others) == others)
            return true;
    }
    return false;
}

static bool can_be_number(const RbvModel *model, int32_t index) {
    const RbvMeasure *measure = &model->measures.items[index];
    switch (measure->kind) {
    case RBV_MEASURE_DISTANCE:
    case RBV_MEASURE_OFFSET:
    case RBV_MEASURE_ANGLE:
    case RBV_MEASURE_TURN:
    case RBV_MEASURE_DIRECTION: return moves(model, measure);
    case RBV_MEASURE_TWIST: return moves(model, measure) && is_aligned(model, measure);
    default: return false;
    }
}

static void want(const RbvModel *model, bool *requested, int32_t measure) {
    if (measure >= 0)
        requested[measure] = requested[measure] || can_be_number(model, measure);
}

static void want_all(const RbvModel *model, bool *requested, const RbvExpr *expr) {
    for (int32_t v = 0; expr && v < rbv_expr_variable_count(expr); v++) {
        const RbvVariable *variable = &model->variables.items[rbv_expr_variable(expr, v)];
        if (variable->kind == RBV_VARIABLE_COORDINATE)
            want(model, requested, variable->index);
    }
}

static bool is_spring(const RbvLoad *load) {
    return rbv_load_row(load->kind)->law;
}

/* Chooses the measures of drives, springs, user equations and named coordinates. */
bool rbv_choose_numbers(RbvBuilder *builder, RbvFromRows *from_rows) {
    const RbvModel *model = builder->model;
    RbvSystem *system = builder->system;
    size_t measures = (size_t)model->measures.count;
    bool *requested = calloc(measures + 1, sizeof *requested);
    int32_t *numbers = rbv_arena_array(&system->arena, measures + 1, sizeof *numbers);
    system->number_of = rbv_arena_array(&system->arena, measures + 1, sizeof *system->number_of);
    bool good = requested && numbers && system->number_of;
    for (int32_t k = 0; good && k < model->drives.count; k++) {
        want(model, requested, model->drives.items[k].of.measure);
        want_all(model, requested, rbv_coordinate_value(model, &model->drives.items[k].of));
    }
    for (int32_t k = 0; good && k < model->loads.count; k++)
        if (is_spring(&model->loads.items[k]))
            want(model, requested, model->loads.items[k].measure[0]);
    for (int32_t k = 0; good && k < model->constraints.count; k++)
        want_all(model, requested, model->constraints.items[k].equation);
    for (int32_t k = 0; good && k < model->coordinates.count; k++)
        want(model, requested, model->coordinates.items[k].measure);
    for (int32_t m = 0; good && m < model->measures.count; m++) {
        system->number_of[m] = requested[m] ? from_rows->number_count : -1;
        if (requested[m])
            numbers[from_rows->number_count++] = m;
    }
    from_rows->numbers = numbers;
    free(requested);
    return good;
}

/* Column of a measure in q and v, or -1. */
static int32_t column_of(const RbvSystem *system, int32_t measure) {
    int32_t k = system->number_of ? system->number_of[measure] : -1;
    return k < 0 ? -1 : system->coordinates.first_number + k;
}

/* Columns of the numbers in each row, each once. */
bool rbv_pattern_numbers(RbvSystem *system, RbvRowPattern *pattern) {
    pattern->count = system->all_count;
    pattern->start = rbv_arena_array(&system->arena, (size_t)system->all_count + 1, sizeof *pattern->start);
    pattern->column = rbv_arena_array(&system->arena, (size_t)system->term_count + 1, sizeof *pattern->column);
    int32_t at = 0;
    for (int32_t k = 0; pattern->start && pattern->column && k < system->all_count; k++) {
        pattern->start[k] = at;
        for (int32_t n = system->rows[k].first; n < system->rows[k].first + system->rows[k].count; n++) {
            int32_t column = column_of(system, system->terms[n].measure);
            bool known = column < 0;
            for (int32_t e = pattern->start[k]; e < at; e++)
                known = known || pattern->column[e] == column;
            if (!known)
                pattern->column[at++] = column;
        }
    }
    if (!pattern->start || !pattern->column)
        return false;
    pattern->start[system->all_count] = at;
    return true;
}

/* ---- at a state ---- */

static bool is_angle(RbvMeasureKind kind) {
    return kind != RBV_MEASURE_DISTANCE && kind != RBV_MEASURE_OFFSET;
}

bool rbv_state_adopt(RbvState *state, int32_t m) {
    int32_t column = column_of(state->system, m);
    RbvMeasureState *measure = &state->measures[m];
    RbvMeasureKind kind = state->system->model->measures.items[m].kind;
    if (column < 0)
        return true;
    double z = state->q[column], bodies = measure->value + measure->cut;
    if (is_angle(kind))
        z += RBV_TWO_PI * nearbyint((bodies - z) / RBV_TWO_PI);
    measure->value = z;
    measure->cut = 0;
    return kind == RBV_MEASURE_DISTANCE ? z > 0 : !is_angle(kind) || fabs(z - bodies) < 0.25 * RBV_TWO_PI;
}

void rbv_state_adopt_rate(RbvState *state, int32_t m) {
    int32_t column = column_of(state->system, m);
    if (column >= 0)
        state->measures[m].rate = state->v[column];
}

/* D_rest, and C from it: each row of C has the columns of D_rest P, then those of numbers. */
void rbv_state_number_rows(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvRowPattern *C = &system->C, *D = &system->D;
    memcpy(state->D_rest, state->D, (size_t)D->start[system->all_count] * sizeof *state->D_rest);
    for (int32_t n = 0; n < system->term_count; n++) {
        const RbvTerm *term = &system->terms[n];
        const RbvMeasure *measure = &system->model->measures.items[term->measure];
        for (int side = 0; side < 2 && column_of(system, term->measure) >= 0; side++)
            if (term->slot[side] >= 0)
                rbv_bodies_add(&system->bodies, state->markers[measure->marker[side]].body, -state->coefficient[n],
                               &state->measures[term->measure].gradient[side], state->D_rest + term->slot[side]);
    }
    rbv_coordinates_rows(&system->coordinates, rbv_state_at(state), D, state->D_rest, C, state->C, state->row_work);
    for (int32_t k = 0; k < system->all_count; k++)
        for (int32_t n = system->rows[k].first; n < system->rows[k].first + system->rows[k].count; n++) {
            int32_t column = column_of(system, system->terms[n].measure);
            for (int32_t e = C->start[k]; column >= 0 && e < C->start[k + 1]; e++)
                state->C[e] += C->column[e] == column ? state->coefficient[n] : 0;
        }
}

double rbv_state_number_bias(const RbvState *state, int32_t row) {
    const RbvSystem *system = state->system;
    double sum = 0;
    for (int32_t n = system->rows[row].first; n < system->rows[row].first + system->rows[row].count; n++)
        if (column_of(system, system->terms[n].measure) >= 0)
            sum += state->coefficient[n] * state->measures[system->terms[n].measure].bias;
    return sum;
}

/* A spring whose points coincide has no measure to act along: its force stays on the bodies. */
int32_t rbv_state_on_number(const RbvState *state, int32_t k) {
    const RbvLoad *load = &state->system->model->loads.items[k];
    const RbvConfiguration at = rbv_state_configuration(state);
    int32_t column = is_spring(load) ? column_of(state->system, load->measure[0]) : -1;
    return column < 0 || rbv_spring_has_no_length(&at, load) ? -1 : column;
}

void rbv_state_number_loads(const RbvState *state, RbvWrench *wrenches, double *Q) {
    const RbvSystem *system = state->system;
    const RbvConfiguration at = rbv_state_configuration(state);
    for (int32_t k = 0; system->number_of && k < system->model->loads.count; k++) {
        const RbvLoad *load = &system->model->loads.items[k];
        int32_t column = rbv_state_on_number(state, k);
        if (column < 0 || !rbv_state_acts(state, k))
            continue;
        rbv_push_measure(&at, wrenches, load->measure[0], state->load_value[k][0]);
        Q[column] -= state->load_value[k][0];
    }
}
