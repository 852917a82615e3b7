/* Which rows and loads may be inactive: conditions (active:) of the model, and the gaps, rates and forces of unilateral
 * constraints. */
#include "mechanics/system/contacts.h"

#include "core/base/extremes.h"

#include <math.h>
#include <stdlib.h>

/* Conditions (active:) at a state: which rows are active, which loads act, and at which position rows engage. */

void rbv_condition_apply(const RbvSystem *system, const RbvCondition *condition, bool holds, bool *active,
                         bool *acting) {
    if (condition->of == RBV_CONDITION_LOAD)
        acting[condition->index] = holds;
    else if (condition->of == RBV_CONDITION_DRIVE)
        active[system->drive_row[condition->index]] = holds;
    else if (condition->of == RBV_CONDITION_CONSTRAINT)
        active[system->constraint_row[condition->index]] = holds;
    for (int32_t k = system->joint_row[condition->index];
         condition->of == RBV_CONDITION_JOINT && k < system->joint_row[condition->index + 1]; k++)
        active[k] = holds;
}

const char *rbv_conditions_decide(const RbvState *state, bool *active, bool *acting, bool *truth, double *work) {
    const RbvModel *model = state->system->model;
    const char *bad = NULL;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        double value = rbv_state_expression(state, model->conditions.items[k].active, NULL, work);
        bad = bad || isfinite(value) ? bad : model->conditions.items[k].name;
        truth[k] = value != 0;
        if (active)
            rbv_condition_apply(state->system, &model->conditions.items[k], truth[k], active, acting);
    }
    return bad;
}

bool rbv_condition_owns(const RbvCondition *condition, const RbvRow *row) {
    static const RbvOwner owners[] = {[RBV_CONDITION_JOINT] = RBV_OWNER_JOINT,
                                      [RBV_CONDITION_CONSTRAINT] = RBV_OWNER_CONSTRAINT,
                                      [RBV_CONDITION_DRIVE] = RBV_OWNER_DRIVE};
    return condition->of <= RBV_CONDITION_DRIVE && row->owner == owners[condition->of] &&
           row->index == condition->index;
}

void rbv_condition_hold_here(RbvState *state, const RbvCondition *condition) {
    rbv_state_place(state);
    for (int32_t k = 0; condition->here && k < state->system->row_count; k++)
        if (rbv_condition_owns(condition, &state->system->rows[k]) && !state->system->rows[k].on_rates)
            state->row_turn[k] += state->phi[k];
    rbv_state_place(state);
}

bool rbv_contacts_create(RbvContacts *contacts, const RbvSystem *system) {
    const RbvModel *model = system->model;
    *contacts = (RbvContacts){
        calloc(2 * (size_t)model->stops.count + (size_t)model->joints.count + 1, sizeof *contacts->items), 0};
    if (!contacts->items)
        return false;
    for (int32_t k = 0; k < 2 * model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k / 2];
        if (system->stop_row[k] >= 0)
            contacts->items[contacts->count++] =
                (RbvContact){stop->name, system->stop_row[k], k % 2 == 0 ? 1 : -1, stop->restitution, k / 2, -1};
    }
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        if (joint->unilateral)
            contacts->items[contacts->count++] = (RbvContact){
                joint->name, system->joint_row[k], rbv_forms[joint->form].one_sided, joint->sizes->restitution, -1, k};
    }
    return true;
}

void rbv_contacts_destroy(RbvContacts *contacts) {
    free(contacts->items);
    *contacts = (RbvContacts){0};
}

/* Value f and slopes f_m of a row's expression, whether the row is active or not. The jet lies in the state's
 * workspace. */
typedef struct Slopes {
    const RbvState *state;
    const RbvRow *row;
    RbvJet f;
} Slopes;

static Slopes slopes_of(const RbvContact *contact, const RbvState *state) {
    const RbvRow *row = &state->system->rows[contact->row];
    return (Slopes){state, row, row->equation ? rbv_state_equation_jet(state, row) : (RbvJet){0}};
}

/* Slope by the measure of term n. An expression of a stop has one term per variable, in their order; it reads no rates
 * and no time. */
static double slope(const Slopes *s, int32_t n) {
    return s->row->equation ? s->f.gradient[n] : s->state->system->terms[s->row->first + n].coefficient;
}

static int32_t measure_of(const Slopes *s, int32_t n) {
    return s->state->system->terms[s->row->first + n].measure;
}

double rbv_contacts_gap(const RbvContact *contact, const RbvState *state) {
    const Slopes s = slopes_of(contact, state);
    double phi = s.f.value - s.row->constant - state->row_turn[contact->row];
    for (int32_t n = 0; !s.row->equation && n < s.row->count; n++)
        phi += slope(&s, n) * state->measures[measure_of(&s, n)].value;
    return contact->sign * phi;
}

double rbv_contacts_rate(const RbvContact *contact, const RbvState *state) {
    const Slopes s = slopes_of(contact, state);
    double sum = 0;
    for (int32_t n = 0; n < s.row->count; n++)
        sum += slope(&s, n) * state->measures[measure_of(&s, n)].rate;
    return contact->sign * sum;
}

double rbv_contacts_bias(const RbvContact *contact, const RbvState *state) {
    const Slopes s = slopes_of(contact, state);
    double sum = 0;
    for (int32_t n = 0; n < s.row->count; n++)
        sum += slope(&s, n) * state->measures[measure_of(&s, n)].bias;
    if (s.row->equation) /* last, as it overwrites the jet in the workspace */
        sum += rbv_state_curvature(state, s.row);
    return contact->sign * sum;
}

double rbv_contacts_along(const RbvContact *contact, const RbvState *state, const RbvTwist *twists) {
    const Slopes s = slopes_of(contact, state);
    double sum = 0;
    for (int32_t n = 0; n < s.row->count; n++) {
        const RbvMeasure *measure = &state->system->model->measures.items[measure_of(&s, n)];
        for (int side = 0; side < 2; side++)
            sum += slope(&s, n) * rbv_power(state->measures[measure_of(&s, n)].gradient[side],
                                            twists[state->markers[measure->marker[side]].body]);
    }
    return contact->sign * sum;
}

void rbv_contacts_push(const RbvContact *contact, const RbvState *state, RbvWrench *wrenches) {
    const Slopes s = slopes_of(contact, state);
    for (int32_t n = 0; n < s.row->count; n++) {
        const RbvMeasure *measure = &state->system->model->measures.items[measure_of(&s, n)];
        for (int side = 0; side < 2; side++) {
            RbvWrench *at = &wrenches[state->markers[measure->marker[side]].body];
            *at = rbv_wrench_add_scaled(*at, contact->sign * slope(&s, n),
                                        state->measures[measure_of(&s, n)].gradient[side]);
        }
    }
}

double rbv_state_row_scale(const RbvState *state, int32_t row) {
    const RbvRow *of = &state->system->rows[row];
    return of->equation && of->owner == RBV_OWNER_STOP ? rbv_state_equation_scale(state, row)
           : of->angular                               ? 1
                                                       : rbv_state_row_size(state, row);
}

double rbv_state_equation_scale(const RbvState *state, int32_t row) {
    const RbvRow *of = &state->system->rows[row];
    double size = rbv_state_row_size(state, row), most = 0;
    RbvJet f = rbv_state_equation_jet(state, of);
    for (int32_t v = 0; v < f.count; v++) {
        int32_t measure = state->system->terms[of->first + of->variables->term[v]].measure;
        most = rbv_max(most, fabs(f.gradient[v]) *
                                 (rbv_measure_is_angle(state->system->model->measures.items[measure].kind) ? 1 : size));
    }
    return most;
}

double rbv_contacts_force(const RbvContact *contact, const RbvState *state, double lambda) {
    return state->system->rows[contact->row].equation
               ? lambda * rbv_state_row_scale(state, contact->row) / rbv_state_row_size(state, contact->row)
               : lambda;
}

void rbv_contacts_hold_rest(const RbvContact *contact, const RbvSystem *system, bool holds, bool *active) {
    for (int32_t k = contact->row + 1; contact->joint >= 0 && k < system->joint_row[contact->joint + 1]; k++)
        active[k] = holds;
}
