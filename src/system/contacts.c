/* One-sided rows; see contacts.h. */
#include "system/contacts.h"

#include <math.h>
#include <stdlib.h>

bool rbv_contacts_create(RbvContacts *contacts, const RbvSystem *system) {
    const RbvModel *model = system->model;
    *contacts = (RbvContacts){calloc(2 * (size_t)model->stops.count + (size_t)model->joints.count + 1, sizeof *contacts->items), 0};
    if (!contacts->items)
        return false;
    for (int32_t k = 0; k < 2 * model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k / 2];
        if (system->stop_row[k] >= 0)
            contacts->items[contacts->count++] = (RbvContact){stop->name, system->stop_row[k], k % 2 == 0 ? 1 : -1, stop->restitution, k / 2, -1};
    }
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        if (joint->unilateral)
            contacts->items[contacts->count++] = (RbvContact){joint->name, system->joint_row[k], joint->form == RBV_FORM_DISTANCE ? -1 : 1, joint->sizes->restitution, -1, k};
    }
    return true;
}

void rbv_contacts_destroy(RbvContacts *contacts) {
    free(contacts->items);
    *contacts = (RbvContacts){0};
}

double rbv_contacts_gap(const RbvContact *contact, const RbvState *state) {
    const RbvRow *row = &state->system->rows[contact->row];
    double phi = -row->constant - state->row_turn[contact->row];
    for (int32_t n = row->first; n < row->first + row->count; n++)
        phi += state->system->terms[n].coefficient * state->measures[state->system->terms[n].measure].value;
    return contact->sign * phi;
}

double rbv_contacts_rate(const RbvContact *contact, const RbvState *state) {
    const RbvRow *row = &state->system->rows[contact->row];
    double sum = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++)
        sum += state->system->terms[n].coefficient * state->measures[state->system->terms[n].measure].rate;
    return contact->sign * sum;
}

double rbv_contacts_bias(const RbvContact *contact, const RbvState *state) {
    const RbvRow *row = &state->system->rows[contact->row];
    double sum = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++)
        sum += state->system->terms[n].coefficient * state->measures[state->system->terms[n].measure].bias;
    return contact->sign * sum;
}

double rbv_contacts_along(const RbvContact *contact, const RbvState *state, const RbvTwist *twists) {
    const RbvSystem *system = state->system;
    const RbvRow *row = &system->rows[contact->row];
    double sum = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++) {
        const RbvTerm *term = &system->terms[n];
        const RbvMeasure *measure = &system->model->measures.items[term->measure];
        for (int side = 0; side < 2; side++)
            sum += term->coefficient * rbv_power(state->measures[term->measure].gradient[side], twists[state->markers[measure->marker[side]].body]);
    }
    return contact->sign * sum;
}

void rbv_contacts_push(const RbvContact *contact, const RbvState *state, RbvWrench *wrenches) {
    const RbvSystem *system = state->system;
    const RbvRow *row = &system->rows[contact->row];
    for (int32_t n = row->first; n < row->first + row->count; n++) {
        const RbvTerm *term = &system->terms[n];
        const RbvMeasure *measure = &system->model->measures.items[term->measure];
        for (int side = 0; side < 2; side++) {
            RbvWrench *at = &wrenches[state->markers[measure->marker[side]].body];
            *at = rbv_wrench_add_scaled(*at, contact->sign * term->coefficient, state->measures[term->measure].gradient[side]);
        }
    }
}

void rbv_contacts_hold_rest(const RbvContact *contact, const RbvSystem *system, bool holds, bool *active) {
    for (int32_t k = contact->row + 1; contact->joint >= 0 && k < system->joint_row[contact->joint + 1]; k++)
        active[k] = holds;
}
