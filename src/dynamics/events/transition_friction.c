/* Sticking and sliding friction at transitions: open contacts have no friction; contacts that close stick or slide. */
#include "dynamics/events/transition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative to a body's mass, size and velocity: smaller impulses are rounding. */
#define NO_IMPULSE 1e-9
/* Relative to the velocities before an impact. */
#define STOPPED 1e-12

/* Friction contact i sticks from now on, at the present position. */
void rbv_event_loop_stick(RbvEventLoop *h, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(&h->flow->sliding, i);
    h->flow->sliding.slides[i] = false;
    for (int32_t row = friction->stick_row; row < friction->stick_row + friction->count; row++)
        h->active[row] = true;
    rbv_friction_hold_here(h->flow->state, friction);
}

int32_t rbv_event_loop_contact_of(const RbvEventLoop *h, int32_t i) {
    for (int32_t k = 0; k < h->contacts.count; k++)
        if (h->contacts.items[k].joint == rbv_sliding_contact(&h->flow->sliding, i)->joint)
            return k;
    return -1;
}

void rbv_event_loop_slide(RbvEventLoop *h, int32_t i) {
    RbvSliding *s = &h->flow->sliding;
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    s->slides[i] = true;
    s->force[i] = 0;
    rbv_sliding_turn(s, i);
    for (int32_t row = friction->stick_row; row < friction->stick_row + friction->count; row++)
        h->active[row] = false;
}

void rbv_event_loop_switch_friction(RbvEventLoop *h, int32_t joint, bool on) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        if (!rbv_sliding_contact(s, i)->own || rbv_sliding_contact(s, i)->joint != joint)
            continue;
        s->off[i] = !on;
        (on ? rbv_event_loop_stick : rbv_event_loop_slide)(h, i);
        rbv_state_place(s->state);
    }
}

void rbv_event_loop_open_friction(RbvEventLoop *h) {
    for (int32_t i = 0; i < h->flow->sliding.count; i++) {
        int32_t k = rbv_event_loop_contact_of(h, i);
        h->opened[i] = k >= 0 && !h->held[k];
        if (h->opened[i])
            rbv_event_loop_slide(h, i);
    }
}

double rbv_event_loop_stopped_rate(const RbvEventLoop *h) {
    double before = 0;
    for (int32_t j = 0; j < h->flow->n; j++)
        before = fmax(before, fabs(h->impact.v[j]));
    return fmax(STOPPED * before, rbv_event_loop_rest_rate(h));
}

void rbv_event_loop_close_friction(RbvEventLoop *h) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t k = rbv_event_loop_contact_of(h, i);
        if (k < 0)
            continue;
        if (!h->held[k])
            rbv_event_loop_slide(h, i);
        else if (h->opened[i] && rbv_sliding_rate(s, i) <= rbv_event_loop_stopped_rate(h))
            rbv_event_loop_stick(h, i);
        else if (h->opened[i])
            rbv_sliding_turn(s, i);
    }
}

/* A contact that was pressed already has impulses of rounding only, compared with the momenta of its bodies. */
bool rbv_event_loop_is_struck(const RbvEventLoop *h, int32_t i) {
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    const RbvContact *contact = &h->contacts.items[h->impact.which[i]];
    const RbvMeasure *measure = &model->measures.items[system->terms[system->rows[contact->row].first].measure];
    double mass = 0,
           rate = fmax(rbv_stepper_speed(h->stepper, system->row_part[contact->row]), 1 / h->stepper->longest);
    for (int side = 0; side < 2; side++)
        mass = fmax(mass, model->bodies.items[model->markers.items[measure->marker[side]].body].mass);
    return h->impact.z[i] > NO_IMPULSE * mass * rate * rbv_event_loop_part_of_size(h, contact->row, 1);
}

bool rbv_event_loop_answer_slip(RbvEventLoop *h, const RbvFrictionContact *friction, int c, double *Q, double *x,
                                double *mu) {
    rbv_friction_push(h->flow->state, friction, c, friction->slip[c].lever, rbv_saddle_wrenches(h->flow->saddle));
    return rbv_kept_reactions_answer(&h->flow->kept_reactions, Q, x, mu);
}
