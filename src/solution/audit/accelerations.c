/* Verifies that the printed accelerations keep the rows of joints, constraints and drives: C a = gamma, row by row,
 * by second rates of points and axes.
 *
 * A row f(m, t) of coordinates m is kept along the motion where its second rate is zero:
 *
 *   sum f_m m'' + (m'^T f_mm m' + 2 f_mt m' + f_tt) = 0
 *   sum psi_m' m'' + psi_m m' + psi_t = 0                  for a row on rates psi(m, m', t)
 * m'' comes from velocities and accelerations of bodies by the audit's own geometry, of curves and meshes by that of
 * the state. The residual is compared with the largest acceleration of the part of the mechanism, as it acts in the
 * row. */
#include "solution/audit/points.h"

#include <math.h>

/* Rounding of large sums that cancel, relative to the accelerations that forces alone would cause; over the
 * tolerance. */
#define CANCELLED 1e-6
/* [kg] Mass assumed for bodies without mass: their accelerations do not depend on forces, and their rounding is
 * compared with the forces over this mass. */
#define FOR_NO_MASS 1.0
/* [m/s^2 and rad/s^2] An acceleration too small for any visible motion: rounding of rates that should be zero. */
#define NO_ACCELERATION 1e-40
/* Rounding of positions relative to the size, which control corrects at its rate; over the tolerance. */
#define PLACED 1e-8

/* [m/s^2] Largest acceleration of a body: the printed one, that of its speed, the part of that which its forces
 * alone would cause that is rounding, and the response of control to the rounding of positions. */
static double largest(const RbvAudit *audit, const RbvState *state, int32_t b) {
    const RbvBody *body = &audit->system->model->bodies.items[b];
    const RbvTwist *v = &state->twists[b], *a = &state->accelerations[b];
    double arm = rbv_state_body_arm(state, b), size = rbv_state_body_size(state, b), w = rbv_norm(v->w),
           u = rbv_norm(v->v);
    double r = audit->system->model->track_rate, answered = isnan(r) ? 0 : PLACED * r * r * size;
    double forced = audit->sizes[b][0] / (body->mass > 0 ? body->mass : FOR_NO_MASS);
    return rbv_norm(a->v) + arm * rbv_norm(a->w) + w * w * size + u * u / size + CANCELLED * forced + answered;
}

/* Largest acceleration of each part, into the audit's scales. */
static void measure(RbvAudit *audit, const RbvState *state) {
    for (int32_t p = 0; p < audit->system->part_count; p++)
        audit->scale[p].acceleration = 0;
    for (int32_t b = 1; b < audit->system->model->bodies.count; b++) {
        RbvAuditScale *scale = &audit->scale[audit->system->part[b]];
        scale->acceleration = fmax(scale->acceleration, largest(audit, state, b));
    }
}

/* [m/s^2] Largest acceleration in the parts of the bodies on which a row acts. */
static double scale_of(const RbvAudit *audit, const RbvRow *row) {
    const RbvModel *model = audit->system->model;
    double most = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++)
        for (int side = 0; side < 2; side++) {
            int32_t body =
                model->markers.items[model->measures.items[audit->system->terms[n].measure].marker[side]].body;
            most = body > 0 ? fmax(most, audit->scale[audit->system->part[body]].acceleration) : most;
        }
    return most;
}

/* Residual of row k. *size: sum of the magnitudes of its terms; *scale: an acceleration of 1 m/s^2 in units of the
 * row. */
static double left_over(const RbvAudit *audit, const RbvState *state, int32_t k, double *size, double *scale) {
    const RbvRow *row = &audit->system->rows[k];
    const RbvModel *model = audit->system->model;
    double left = -state->gamma_D[k], of_state = 0;
    *size = fabs(state->target_second[k]), *scale = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++) {
        int32_t m = audit->system->terms[n].measure;
        double f = state->coefficient[n], second = rbv_audit_second(audit, state, m);
        left += f * (second - state->measures[m].bias); /* gamma_D has the biases of the state */
        of_state += fabs(f * state->measures[m].bias);
        *size += fabs(f * second);
        *scale += fabs(f) * (rbv_measure_is_angle(model->measures.items[m].kind) ? 1 / rbv_state_row_arm(state, k) : 1);
    }
    *size += of_state;
    return fabs(left);
}

/* Is the row active and to be kept? Not the requirements of track:, which are no constraints of the mechanism. */
static bool is_asked(const RbvAudit *audit, const RbvState *state, int32_t k) {
    const RbvRow *row = &audit->system->rows[k];
    bool required = row->owner == RBV_OWNER_CONSTRAINT && audit->system->model->constraints.items[row->index].required;
    return rbv_state_holds(state, k) && !required && !(audit->given && row->owner == RBV_OWNER_DRIVE);
}

void rbv_audit_accelerations(RbvAudit *audit, const RbvState *state) {
    double worst = 1;
    bool kept = true;
    if (audit->soft) /* the method reports this error itself */
        return;
    measure(audit, state);
    for (int32_t k = 0; k < audit->system->row_count; k++) {
        double size, scale, left, most;
        if (!is_asked(audit, state, k))
            continue;
        left = left_over(audit, state, k, &size, &scale);
        most = RBV_AUDIT_TOLERANCE * (size + scale * scale_of(audit, &audit->system->rows[k]));
        if (left <= worst * most + NO_ACCELERATION)
            continue;
        worst = left / most;
        kept = false;
        if (!audit->failed)
            audit->fault =
                (RbvAuditFault){.row = k + 1, .by = left, .unit = audit->system->rows[k].angular ? "rad/s^2" : "m/s^2"};
    }
    if (!kept && !audit->failed) {
        audit->failed = true;
        audit->worst_time = state->t;
    }
}

void rbv_audit_motion(RbvAudit *audit, const RbvState *state) {
    rbv_audit_begin(audit, state);
    rbv_audit_accelerations(audit, state);
}
