/* What every coordinates module promises, at random states, against differences and against each other.
 *
 * Four modules are put through it: absolute coordinates, natural ones, joint ones (of joined bodies: joint_test.c),
 * and polar ones of the plane made here, (rho, phi, turn) for each body. Their v = (rho', phi', turn') is no body
 * twist, so that P, its transpose, the bias and C = D P are not trivial: what the interface says is held by something
 * that is not the identity. Natural coordinates depend on each other: here the bodies are free, so that v is any that
 * is possible where a claim is about motions, and any at all where it is about P. Natural coordinates of joined
 * bodies are in natural_test.c. Differences along v: sixth order with step 1e-3 loses 1e-18 times seventh derivatives
 * and 1e-13 by rounding. */
#include "mechanics/coordinates/coordinates.h"
#include "support/machines.h"
#include "support/polar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 40
#define BODIES 5
#define MOST 48
#define STEP 1e-3
#define FIT 1e-9
#define FIT_OF_PLACES 1e-13 /* some roundings of the 36 m to the pole */
static const double weight[3] = {0.75, -0.15, 1.0 / 60};

/* Random machines and states. */

static uint64_t seed = 0x9e3779b97f4a7c15u;

static double any(double most) {
    return most * machine_random(&seed);
}

typedef struct Rig {
    RbvModel *model;
    RbvArena arena;
    RbvBodyColumns bodies;
    RbvRodLine rods[BODIES];
    RbvCoordinates c;
    double q[MOST], v[MOST], worth_q[MOST];
    RbvBodyState placed[BODIES];
} Rig;

/* As a state hands coordinates their room, of which nothing is read from one call to the next. */
static RbvPosed at(const Rig *rig, const double *q, const RbvBodyState *placed) {
    static RbvTwist room[2 * BODIES];
    static RbvWrench sums[BODIES];
    (void)rig;
    return (RbvPosed){q, placed, room, sums, NULL};
}

static RbvPosed here(const Rig *rig) {
    return at(rig, rig->q, rig->placed);
}

static void any_vector(double *x, int32_t n, double most) {
    for (int32_t k = 0; k < n; k++)
        x[k] = any(most);
}

/* v of twists that are possible; where all are, any v. */
static void possible_rates(const Rig *rig, double *v) {
    RbvTwist twists[BODIES];
    if (!rig->c.kind->take_rates) {
        any_vector(v, rig->c.size, 1);
        return;
    }
    any_vector(&twists[0].v.x, 6 * BODIES, 1);
    for (int b = 1; b < BODIES; b++) {
        if (!rbv_bodies_turns(&rig->bodies, b))
            twists[b].w = rbv_vec3(0, 0, 0);
        if (!rig->bodies.spatial)
            twists[b] = (RbvTwist){{twists[b].v.x, twists[b].v.y, 0}, {0, 0, twists[b].w.z}};
    }
    rig->c.kind->take_rates(&rig->c, here(rig), twists, v);
}

/* Of a rod: b across its line and a about it, J = b 1 + (a - b) u u^T, the centroid and two markers on it; thin where a
 * is nothing. */
static void be_rod(RbvBodyDef *def, RbvVec3 u) {
    double b = 1 + any(0.15), a = machine_random(&seed) > 0 ? 0 : 0.3;
    const double e[3] = {u.x, u.y, u.z};
    for (int k = 0; k < 3; k++)
        def->inertia[k] = b + (a - b) * e[k] * e[k];
    def->inertia[3] = (a - b) * e[0] * e[1];
    def->inertia[4] = (a - b) * e[0] * e[2];
    def->inertia[5] = (a - b) * e[1] * e[2];
}

static void add_rod_markers(Rig *rig, int b, const RbvBodyDef *def, RbvVec3 u) {
    for (int end = 0; end < 2; end++) {
        double along = end ? 0.8 + any(0.3) : -0.7 + any(0.5);
        char name[4] = {'e', (char)('0' + end), 0, 0};
        const double at[3] = {def->centroid[0] + along * u.x, def->centroid[1] + along * u.y,
                              def->centroid[2] + along * u.z},
                     p[4] = {1, 0, 0, 0};
        rig->rods[b].marker[end] = rig->model->markers.count;
        assert_int_equal(rbv_model_add_frame(rig->model, def->name, name, at, p, NULL), RBV_OK);
    }
}

/* Bodies and particles in turn, at random places and attitudes, moving; with `rods` the bodies are rods. */
static void open_rig(Rig *rig, const RbvCoordinatesKind *kind, RbvSpace space, bool rods) {
    *rig = (Rig){.model = rbv_model_create(space, "random")};
    assert_non_null(rig->model);
    for (int b = 1; b < BODIES; b++) {
        RbvBodyDef def = rbv_body_def_default;
        char name[2] = {(char)('a' + b), 0};
        def.name = name;
        def.particle = b % 2 == 0;
        def.mass = 1.5 + any(1);
        for (int k = 0; k < 3; k++) {
            def.inertia[k] = def.particle ? 0 : 1 + any(0.15); /* the greatest stays below the sum of the others */
            def.inertia[3 + k] = def.particle || space == RBV_PLANAR ? 0 : any(0.1);
            def.centroid[k] = def.particle || (k == 2 && space == RBV_PLANAR) ? 0 : any(1);
            def.at[k] = k == 2 && space == RBV_PLANAR ? 0 : any(3);
        }
        if (!def.particle && space == RBV_PLANAR)
            def.angle = any(3);
        RbvQuat p = rbv_quat_of_vector(rbv_vec3(any(2), any(2), any(2)));
        if (!def.particle && space == RBV_SPATIAL)
            memcpy(def.rotation, (double[4]){p.w, p.e.x, p.e.y, p.e.z}, sizeof def.rotation);
        RbvVec3 u = rbv_vec3(any(1), any(1), 1.1);
        u = rbv_scale(1 / rbv_norm(u), u);
        rig->rods[b] = (RbvRodLine){{-1, -1}};
        if (rods && !def.particle)
            be_rod(&def, u);
        assert_int_equal(rbv_model_add_body(rig->model, &def, NULL), RBV_OK);
        if (rods && !def.particle)
            add_rod_markers(rig, b, &def, u);
    }
    assert_true(rbv_bodies_create(rig->model, &rig->arena, &rig->bodies));
    assert_true(rbv_coordinates_create(kind, rig->model, &rig->bodies, &(RbvFromRows){.rods = rods ? rig->rods : NULL},
                                       &rig->arena, &rig->c));
    assert_true(rig->c.position_size <= MOST && rig->c.size <= MOST);
    assert_true(rbv_coordinates_start(&rig->c, rig->q));
    rbv_coordinates_positions(&rig->c, rig->q, rig->placed);
    possible_rates(rig, rig->v);
}

/* Any v, and bodies as little rigid as Newton's method may see them. */
static void leave_possible(Rig *rig) {
    any_vector(rig->v, rig->c.size, 1);
    for (int32_t k = 0; rig->c.own_rows > 0 && k < rig->c.size; k++)
        rig->q[k] += any(0.03);
    rbv_coordinates_renew(&rig->c, rig->q);
    rbv_coordinates_positions(&rig->c, rig->q, rig->placed);
}

static void close_rig(Rig *rig) {
    rbv_arena_clear(&rig->arena);
    rbv_model_destroy(rig->model);
}

static double distance(RbvVec3 a, RbvVec3 b) {
    return rbv_norm(rbv_sub(a, b));
}

static void assert_twists(const RbvTwist *a, const RbvTwist *b, double fit) {
    for (int k = 0; k < BODIES; k++) {
        assert_true(distance(a[k].v, b[k].v) < fit * (1 + rbv_norm(b[k].v)));
        assert_true(distance(a[k].w, b[k].w) < fit * (1 + rbv_norm(b[k].w)));
    }
}

static void assert_placed(const RbvBodyState *a, const RbvBodyState *b, double fit) {
    for (int k = 0; k < BODIES; k++) {
        assert_true(distance(a[k].r, b[k].r) < fit * (1 + rbv_norm(b[k].r)));
        for (int axis = 0; axis < 3; axis++)
            assert_true(distance(a[k].A.column[axis], b[k].A.column[axis]) < fit);
    }
}

/* w of A' = w x A from the rates of the axes. */
static RbvVec3 turning_of(const RbvMat3 *A, const RbvMat3 *rate) {
    RbvVec3 w = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        w = rbv_add_scaled(w, 0.5, rbv_cross(A->column[k], rate->column[k]));
    return w;
}

/* The claims. */

static void start_is_the_model(Rig *rig) {
    for (int b = 1; b < BODIES; b++) {
        const RbvBody *body = &rig->model->bodies.items[b];
        RbvMat3 A = rbv_body_axes(rig->model, body);
        assert_true(distance(rig->placed[b].r, rbv_add(body->at, rbv_apply(&A, body->centroid))) < FIT_OF_PLACES);
        for (int axis = 0; axis < 3; axis++)
            assert_true(distance(rig->placed[b].A.column[axis], A.column[axis]) < 1e-14);
    }
}

static void take_is_the_inverse_of_place(Rig *rig) {
    double q[MOST];
    RbvBodyState again[BODIES];
    rbv_coordinates_from_bodies(&rig->c, rig->placed, q);
    rbv_coordinates_positions(&rig->c, q, again);
    assert_placed(again, rig->placed, 1e-14);
}

static void push_is_the_rate_of_place(Rig *rig) {
    RbvTwist pushed[BODIES], found[BODIES];
    RbvMat3 rate[BODIES];
    leave_possible(rig);
    rbv_coordinates_velocities(&rig->c, here(rig), rig->v, pushed);
    memset(found, 0, sizeof found);
    memset(rate, 0, sizeof rate);
    for (int k = 0; k < 6; k++) {
        double q[MOST], dv[MOST], h = (k % 2 ? -1 : 1) * (k / 2 + 1) * STEP,
                                  w = (k % 2 ? -1 : 1) * weight[k / 2] / STEP;
        RbvBodyState near[BODIES];
        memcpy(q, rig->q, sizeof q);
        for (int32_t j = 0; j < rig->c.size; j++)
            dv[j] = h * rig->v[j];
        rbv_coordinates_step(&rig->c, q, dv);
        rbv_coordinates_positions(&rig->c, q, near);
        for (int b = 0; b < BODIES; b++) {
            found[b].v = rbv_add_scaled(found[b].v, w, near[b].r);
            for (int axis = 0; axis < 3; axis++)
                rate[b].column[axis] = rbv_add_scaled(rate[b].column[axis], w, near[b].A.column[axis]);
        }
    }
    for (int b = 0; b < BODIES; b++)
        found[b].w = turning_of(&rig->placed[b].A, &rate[b]);
    assert_twists(pushed, found, FIT);
}

static void positions_place_their_bodies_alone(Rig *rig) {
    static RbvBodyState moved[BODIES], before[BODIES];
    int32_t at = 0;
    if (!rig->c.kind->position_columns)
        return; /* bodies share them */
    rbv_coordinates_positions(&rig->c, rig->q, before);
    for (int32_t b = 1; b < BODIES; b++) {
        int32_t first, count = rig->c.kind->position_columns(&rig->c, b, &first);
        assert_int_equal(first, at);
        at += count;
        for (int32_t k = first; k < at; k++) {
            double keep = rig->q[k];
            rig->q[k] += 0.1;
            rbv_coordinates_positions(&rig->c, rig->q, moved);
            rig->q[k] = keep;
            for (int32_t other = 0; other < BODIES; other++)
                assert_true((memcmp(&moved[other], &before[other], sizeof *moved) != 0) == (other == b));
        }
    }
    assert_true(at == rig->c.position_size || at == rig->c.position_size - (BODIES - 1)); /* whole turns stand behind */
}

static void pull_is_push_transposed(Rig *rig) {
    RbvTwist twists[BODIES];
    RbvWrench wrenches[BODIES];
    double Q[MOST], sum[MOST] = {0}, power = 0, work = 0;
    leave_possible(rig);
    any_vector(&wrenches[0].force.x, 6 * BODIES, 1);
    rbv_coordinates_velocities(&rig->c, here(rig), rig->v, twists);
    rbv_coordinates_generalized_forces(&rig->c, here(rig), wrenches, Q);
    for (int32_t k = 0; k < rig->c.size; k++)
        power += Q[k] * rig->v[k];
    for (int32_t b = 0; b < BODIES; b++) {
        int32_t column[MOST], count = rig->c.kind->columns(&rig->c, b, column);
        double part[MOST] = {0};
        work += rbv_power(wrenches[b], twists[b]);
        rig->c.kind->add(&rig->c, here(rig), b, 2, &wrenches[b], part);
        for (int32_t k = 0; k < count; k++)
            sum[column[k]] += 0.5 * part[k];
    }
    assert_true(fabs(power - work) < 1e-12 * (1 + fabs(work)));
    for (int32_t k = 0; k < rig->c.size; k++)
        assert_true(fabs(sum[k] - Q[k]) < 1e-13 * (1 + fabs(Q[k])));
}

/* q along v held constant, at the time h from here: four steps of Runge and Kutta, 1e-16 at h = 3e-3. */
static void flow(const Rig *rig, double h, double *q) {
    memcpy(q, rig->q, (size_t)rig->c.position_size * sizeof *q);
    for (int step = 0; step < 4; step++) {
        double r[4][MOST], at[MOST], part = h / 4;
        const double reach[4] = {0, 0.5, 0.5, 1}, share[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (int s = 0; s < 4; s++) {
            for (int32_t k = 0; k < rig->c.position_size; k++)
                at[k] = q[k] + (s ? part * reach[s] * r[s - 1][k] : 0);
            rbv_coordinates_rate(&rig->c, at, rig->v, r[s]);
        }
        for (int32_t k = 0; k < rig->c.position_size; k++)
            for (int s = 0; s < 4; s++)
                q[k] += part * share[s] * r[s][k];
    }
    rbv_coordinates_renew(&rig->c, q);
}

/* Along v held constant: place moves by the twists pushed, and the twists change by the bias. */
static void bias_is_the_second_rate(Rig *rig) {
    RbvTwist bias[BODIES], found[BODIES], pushed[BODIES], first[BODIES], all[BODIES];
    double a[MOST];
    rbv_coordinates_bias(&rig->c, here(rig), rig->v, bias);
    rbv_coordinates_velocities(&rig->c, here(rig), rig->v, pushed);
    memset(found, 0, sizeof found);
    memset(first, 0, sizeof first);
    for (int k = 0; k < 6; k++) {
        double q[MOST], h = (k % 2 ? -1 : 1) * (k / 2 + 1) * STEP, w = (k % 2 ? -1 : 1) * weight[k / 2] / STEP;
        RbvBodyState near[BODIES];
        RbvTwist twists[BODIES];
        flow(rig, h, q);
        rbv_coordinates_positions(&rig->c, q, near);
        rbv_coordinates_velocities(&rig->c, at(rig, q, near), rig->v, twists);
        for (int b = 0; b < BODIES; b++) {
            found[b].v = rbv_add_scaled(found[b].v, w, twists[b].v);
            found[b].w = rbv_add_scaled(found[b].w, w, twists[b].w);
            first[b].v = rbv_add_scaled(first[b].v, w, near[b].r);
            first[b].w = pushed[b].w;
        }
    }
    assert_twists(first, pushed, FIT);
    assert_twists(found, bias, FIT);
    any_vector(a, rig->c.size, 1);
    rbv_coordinates_accelerate(&rig->c, here(rig), rig->v, a, all);
    rbv_coordinates_velocities(&rig->c, here(rig), a, pushed);
    for (int b = 0; b < BODIES; b++)
        bias[b] = (RbvTwist){rbv_add(bias[b].v, pushed[b].v), rbv_add(bias[b].w, pushed[b].w)};
    assert_twists(all, bias, 1e-13);
}

/* The wrench's work on the way to step(q, h u), as (r, rotation vector), has the second derivative u^T S u: by
 * differences of fourth order, h^4 = 1e-12 and rounding over h^2: of places 40 from a pole 2e-8. */
static void place_has_second_derivatives(Rig *rig) {
    static const double at[] = {1, -1, 2, -2}, share[] = {16, 16, -1, -1};
    const double h = 1e-3;
    leave_possible(rig);
    for (int b = 1; b < BODIES; b++) {
        double S[MOST * MOST] = {0}, zero[MOST] = {0}, u[MOST] = {0}, wrench[6], form = 0, found = 0;
        int32_t column[MOST], count = rig->c.kind->columns(&rig->c, b, column);
        any_vector(wrench, 6, 1);
        RbvWrench on = {{wrench[0], wrench[1], wrench[2]}, {wrench[3], wrench[4], wrench[5]}};
        if (rig->c.kind->place_second)
            rig->c.kind->place_second(&rig->c, here(rig), b, &on, zero, S);
        for (int32_t k = 0; k < count; k++)
            u[column[k]] = any(1);
        for (int32_t i = 0; i < count; i++)
            for (int32_t k = 0; k < count; k++)
                form += u[column[i]] * S[i * count + k] * u[column[k]];
        for (int k = 0; k < 4; k++) {
            double q[MOST], dv[MOST];
            RbvBodyState near[BODIES];
            memcpy(q, rig->q, sizeof q);
            for (int32_t j = 0; j < rig->c.size; j++)
                dv[j] = at[k] * h * u[j];
            rbv_coordinates_step(&rig->c, q, dv);
            rbv_coordinates_positions(&rig->c, q, near);
            found += share[k] / (12 * h * h) *
                     rbv_power(on, rbv_body_difference(&rig->bodies, b, &rig->placed[b], &near[b]));
        }
        assert_true(fabs(form - found) < 1e-7 * (1 + fabs(form)));
        for (int32_t k = 0; k < rig->c.size; k++)
            assert_true(zero[k] == 0);
    }
}

static void step_and_difference_are_inverse(Rig *rig) {
    double to[MOST], found[MOST], back[MOST];
    RbvBodyState there[BODIES], again[BODIES];
    memcpy(to, rig->q, sizeof to);
    rbv_coordinates_step(&rig->c, to, rig->v);
    rbv_coordinates_difference(&rig->c, rig->q, to, found);
    for (int32_t k = 0; k < rig->c.size; k++)
        assert_true(fabs(found[k] - rig->v[k]) < 1e-13);
    memcpy(back, rig->q, sizeof back);
    rbv_coordinates_step(&rig->c, back, found);
    rbv_coordinates_positions(&rig->c, back, again);
    rbv_coordinates_positions(&rig->c, to, there);
    assert_placed(again, there, 1e-13);
}

static void rate_is_that_of_step(Rig *rig) {
    double rate[MOST], found[MOST] = {0};
    leave_possible(rig);
    rbv_coordinates_rate(&rig->c, rig->q, rig->v, rate);
    for (int k = 0; k < 6; k++) {
        double q[MOST], dv[MOST], h = (k % 2 ? -1 : 1) * (k / 2 + 1) * STEP,
                                  w = (k % 2 ? -1 : 1) * weight[k / 2] / STEP;
        memcpy(q, rig->q, sizeof q);
        for (int32_t j = 0; j < rig->c.size; j++)
            dv[j] = h * rig->v[j];
        rbv_coordinates_step(&rig->c, q, dv);
        for (int32_t j = 0; j < rig->c.position_size; j++)
            found[j] += w * q[j];
    }
    for (int32_t j = 0; j < rig->c.position_size; j++)
        assert_true(fabs(found[j] - rate[j]) < FIT);
}

/* A number of q that was treated as a plain one is brought back, once and for all; a q that obeys its conditions stays.
 */
static void renew_is_idempotent(Rig *rig) {
    double q[MOST], again[MOST];
    RbvBodyState placed[BODIES];
    memcpy(q, rig->q, sizeof q);
    rbv_coordinates_renew(&rig->c, q);
    rbv_coordinates_positions(&rig->c, q, placed);
    assert_placed(placed, rig->placed, 1e-14);
    for (int32_t k = 0; k < rig->c.position_size; k++)
        q[k] += any(0.1);
    rbv_coordinates_renew(&rig->c, q);
    memcpy(again, q, sizeof again);
    rbv_coordinates_renew(&rig->c, again);
    for (int32_t k = 0; k < rig->c.position_size; k++)
        assert_true(fabs(again[k] - q[k]) < 1e-15);
    double dv[MOST];
    rbv_coordinates_difference(&rig->c, q, rig->q, dv);
    for (int32_t k = rig->c.size; rig->c.from_rows.rods && k < rig->c.position_size; k++)
        q[k] = rig->q[k]; /* the turn of a rod about its line is none of the numbers that steps lead back */
    rbv_coordinates_step(&rig->c, q, dv);
    rbv_coordinates_positions(&rig->c, q, placed);
    assert_placed(placed, rig->placed, 1e-13);
}

/* x.My = y.Mx, and half of v.Mv is the kinetic energy, with A J A^T written out. */
static void mass_is_symmetric_and_the_energy(Rig *rig) {
    double y[MOST], Mx[MOST], My[MOST], xMy = 0, yMx = 0, twice = 0, energy = 0;
    RbvTwist twists[BODIES];
    any_vector(y, rig->c.size, 1);
    rbv_coordinates_mass(&rig->c, here(rig), rig->v, Mx);
    rbv_coordinates_mass(&rig->c, here(rig), y, My);
    for (int32_t k = 0; k < rig->c.size; k++) {
        xMy += rig->v[k] * My[k];
        yMx += y[k] * Mx[k];
        twice += rig->v[k] * Mx[k];
    }
    rbv_coordinates_velocities(&rig->c, here(rig), rig->v, twists);
    for (int b = 1; b < BODIES; b++) {
        const RbvBody *body = &rig->model->bodies.items[b];
        const double *I = body->inertia;
        RbvVec3 w = rbv_apply_transposed(&rig->placed[b].A, twists[b].w);
        energy += 0.5 * body->mass * rbv_dot(twists[b].v, twists[b].v);
        energy += 0.5 * (I[0] * w.x * w.x + I[1] * w.y * w.y + I[2] * w.z * w.z) + I[3] * w.x * w.y + I[4] * w.x * w.z +
                  I[5] * w.y * w.z;
    }
    assert_true(fabs(xMy - yMx) < 1e-13 * (1 + fabs(xMy)));
    assert_true(fabs(0.5 * twice - energy) < 1e-13 * (1 + energy));
}

/* v' of a motion with the velocities v and random accelerations of bodies, by differences of what is taken along it;
 * any v' where all are possible. Sixth order with step 1e-2 loses 1e-12 times eighth derivatives, and 1e-11 by
 * rounding. */
static void possible_accelerations(const Rig *rig, double *a) {
    const double second[4] = {-49.0 / 18, 1.5, -0.15, 1.0 / 90}, h = 1e-2;
    RbvTwist twists[BODIES], accelerations[BODIES];
    any_vector(a, rig->c.size, 1);
    if (rig->c.own_rows == 0)
        return;
    any_vector(&accelerations[0].v.x, 6 * BODIES, 1);
    rbv_coordinates_velocities(&rig->c, here(rig), rig->v, twists);
    memset(a, 0, (size_t)rig->c.size * sizeof *a);
    for (int n = -3; n <= 3; n++) {
        double q[MOST], t = n * h;
        RbvBodyState at[BODIES];
        memcpy(at, rig->placed, sizeof at);
        for (int b = 1; b < BODIES; b++) {
            RbvTwist way = {rbv_add_scaled(rbv_scale(t, twists[b].v), t * t / 2, accelerations[b].v),
                            rbv_add_scaled(rbv_scale(t, twists[b].w), t * t / 2, accelerations[b].w)};
            if (!rig->bodies.spatial)
                way.v.z = 0;
            at[b] = rbv_body_moved(&rig->bodies, b, &rig->placed[b], way);
        }
        rbv_coordinates_from_bodies(&rig->c, at, q);
        for (int32_t k = 0; k < rig->c.size; k++)
            a[k] += second[abs(n)] / (h * h) * q[k];
    }
}

/* u.(M a - Q) = sum over bodies of twist(u).((m, J) acceleration - wrench): d'Alembert, for any possible u, a and v. */
static void forces_balance_as_those_of_bodies(Rig *rig) {
    RbvWrench wrenches[BODIES], less[BODIES];
    RbvTwist twists[BODIES], accelerations[BODIES], bias[BODIES];
    double a[MOST], u[MOST], Q[MOST], Ma[MOST], sum = 0, expected = 0;
    any_vector(&wrenches[0].force.x, 6 * BODIES, 1);
    possible_accelerations(rig, a);
    possible_rates(rig, u);
    rbv_coordinates_bias(&rig->c, here(rig), rig->v, bias);
    rbv_coordinates_force(&rig->c, here(rig), rig->v, wrenches, bias, twists, less, Q);
    rbv_coordinates_mass(&rig->c, here(rig), a, Ma);
    rbv_coordinates_velocities(&rig->c, here(rig), u, twists);
    rbv_coordinates_accelerate(&rig->c, here(rig), rig->v, a, accelerations);
    for (int32_t k = 0; k < rig->c.size; k++)
        sum += u[k] * (Ma[k] - Q[k]);
    for (int32_t b = 1; b < BODIES; b++) {
        const RbvBody *body = &rig->model->bodies.items[b];
        RbvWrench inertia = {rbv_scale(body->mass, accelerations[b].v),
                             rbv_body_momentum(body, &rig->placed[b].A, accelerations[b].w)};
        expected += rbv_power(rbv_wrench_add_scaled(inertia, -1, wrenches[b]), twists[b]);
    }
    assert_true(fabs(sum - expected) < (rig->c.own_rows > 0 ? 1e-9 : 1e-12) * (1 + fabs(expected)));
}

/* Rows on the twists of one, two or three bodies: C v = D P v, and C v' - gamma = D a - gamma_D for the accelerations a
 * that belong to v'. */
static void rows_are_those_of_bodies(Rig *rig) {
    enum { ROWS = 8 };
    int32_t start[ROWS + 1], column[ROWS * MOST], entries = 0;
    double d[ROWS * MOST], c[ROWS * MOST], gamma_D[ROWS], gamma[ROWS], a[MOST];
    for (int32_t row = 0; row < ROWS; row++) {
        start[row] = entries;
        for (int32_t b = 1 + row % 3; b < BODIES; b += 1 + row % 2)
            for (int32_t k = rig->bodies.start[b]; k < rig->bodies.start[b + 1]; k++) {
                column[entries] = k;
                d[entries++] = any(1);
            }
        gamma_D[row] = any(1);
    }
    start[ROWS] = entries;
    const bool relative[ROWS] = {false}; /* random rows feel all */
    RbvRowPattern D = {ROWS, start, column}, C;
    assert_true(rbv_coordinates_pattern(&rig->c, &D, relative, NULL, NULL, &rig->arena, &C));
    RbvTwist twists[BODIES], bias[BODIES], accelerations[BODIES];
    double dense[MOST], part[MOST];
    int32_t list[MOST];
    assert_true(C.start[ROWS] <= ROWS * MOST);
    rbv_coordinates_rows(&rig->c, here(rig), &D, d, &C, c, (RbvRowWork){dense, part, list});
    rbv_coordinates_bias(&rig->c, here(rig), rig->v, bias);
    rbv_coordinates_drift(&rig->c, &D, d, NULL, bias, gamma_D, gamma);
    any_vector(a, rig->c.size, 1);
    rbv_coordinates_velocities(&rig->c, here(rig), rig->v, twists);
    rbv_coordinates_accelerate(&rig->c, here(rig), rig->v, a, accelerations);
    for (int32_t row = 0; row < ROWS; row++) {
        double Dt = 0, Da = 0, Cv = 0, Ca = 0;
        for (int32_t b = 1, e = start[row]; b < BODIES; b++)
            for (int32_t k = 0;
                 e < start[row + 1] && column[e] >= rig->bodies.start[b] && column[e] < rig->bodies.start[b + 1];
                 k++, e++) {
                const double *twist = &twists[b].v.x, *second = &accelerations[b].v.x;
                Dt += d[e] * twist[rbv_bodies_direction(&rig->bodies, k)];
                Da += d[e] * second[rbv_bodies_direction(&rig->bodies, k)];
            }
        for (int32_t e = C.start[row]; e < C.start[row + 1]; e++) {
            Cv += c[e] * rig->v[C.column[e]];
            Ca += c[e] * a[C.column[e]];
        }
        assert_true(fabs(Cv - Dt) < 1e-12);
        assert_true(fabs(Ca - gamma[row] - (Da - gamma_D[row])) < 1e-12);
    }
}

/* What is worth the same whatever an arm is, moves without turning; what is worth more, the longer an arm is, is an
 * angle or like one. */
static void worth_tells_lengths_from_turns(Rig *rig) {
    double near[2][MOST], far[2][MOST];
    RbvTwist twists[BODIES];
    double size[BODIES], twice[BODIES], arm[BODIES], longer[BODIES], half[2][MOST];
    for (int b = 0; b < BODIES; b++)
        size[b] = 2 + any(0.5), twice[b] = 2 * size[b], arm[b] = 1 + any(0.5), longer[b] = 3 * arm[b];
    rbv_coordinates_scale(&rig->c, size, arm, near[0], near[1]);
    rbv_coordinates_scale(&rig->c, size, longer, far[0], far[1]);
    rbv_coordinates_scale(&rig->c, twice, arm, half[0], half[1]);
    for (int which = 0; which < 2; which++)
        for (int32_t k = 0; k < (which ? rig->c.size : rig->c.position_size); k++) {
            assert_true(near[which][k] > 0);
            assert_true(fabs(half[which][k] / near[which][k] - 0.5) < 1e-15);
            assert_true(far[which][k] == near[which][k] || fabs(far[which][k] / near[which][k] - 3) < 1e-15);
        }
    for (int32_t k = 0; k < rig->c.size; k++) {
        double unit[MOST] = {0}, turn = 0;
        unit[k] = 1;
        rbv_coordinates_velocities(&rig->c, here(rig), unit, twists);
        for (int b = 0; b < BODIES; b++)
            turn = fmax(turn, rbv_norm(twists[b].w));
        /* a point moves by lengths, and yet turns the bodies that have another one */
        assert_true(turn == 0 || rig->c.own_rows > 0 || fabs(far[1][k] / near[1][k] - 3) < 1e-15);
    }
}

/* Rows of its own hold at rigid bodies and for what they can do: phi = 0, C v = 0, C v' = gamma. */
static void rows_of_its_own_hold_for_rigid_bodies(Rig *rig) {
    double phi[MOST], entries[MOST * 24], gamma[MOST], a[MOST];
    if (rig->c.own_rows == 0)
        return;
    assert_true(rig->c.own_rows <= MOST && rig->c.own_pattern->start[rig->c.own_rows] <= MOST * 24);
    rig->c.kind->rows(&rig->c, rig->q, phi, entries);
    rig->c.kind->rows_drift(&rig->c, rig->q, rig->v, gamma);
    possible_accelerations(rig, a);
    for (int32_t row = 0; row < rig->c.own_rows; row++) {
        double rate = 0, second = 0;
        for (int32_t e = rig->c.own_pattern->start[row]; e < rig->c.own_pattern->start[row + 1]; e++) {
            rate += entries[e] * rig->v[rig->c.own_pattern->column[e]];
            second += entries[e] * a[rig->c.own_pattern->column[e]];
        }
        assert_true(fabs(phi[row]) < 1e-13);
        assert_true(fabs(rate) < 1e-12);
        assert_true(fabs(second - gamma[row]) < 1e-9 * (1 + fabs(gamma[row])));
    }
}

/* Their entries are the gradient, also of bodies that are not rigid. */
static void gradients_of_its_own_rows_are_those(Rig *rig) {
    double phi[MOST], entries[MOST * 24], found[MOST] = {0}, other[MOST * 24];
    if (rig->c.own_rows == 0)
        return;
    leave_possible(rig);
    rig->c.kind->rows(&rig->c, rig->q, phi, entries);
    for (int k = 0; k < 6; k++) {
        double q[MOST], h = (k % 2 ? -1 : 1) * (k / 2 + 1) * STEP, w = (k % 2 ? -1 : 1) * weight[k / 2] / STEP;
        memcpy(q, rig->q, sizeof q);
        for (int32_t j = 0; j < rig->c.size; j++)
            q[j] += h * rig->v[j];
        rig->c.kind->rows(&rig->c, q, phi, other);
        for (int32_t row = 0; row < rig->c.own_rows; row++)
            found[row] += w * phi[row];
    }
    for (int32_t row = 0; row < rig->c.own_rows; row++) {
        double rate = 0;
        for (int32_t e = rig->c.own_pattern->start[row]; e < rig->c.own_pattern->start[row + 1]; e++)
            rate += entries[e] * rig->v[rig->c.own_pattern->column[e]];
        assert_true(fabs(rate - found[row]) < FIT);
    }
}

/* A module that says v is the vector of body twists means it. Joint coordinates of free bodies are twists too, and do
 * not say so. */
static void of_bodies_is_the_identity(Rig *rig) {
    RbvTwist twists[BODIES], bias[BODIES];
    rbv_coordinates_velocities(&rig->c, here(rig), rig->v, twists);
    rbv_coordinates_bias(&rig->c, here(rig), rig->v, bias);
    double most = 0;
    for (int32_t b = 0; b < BODIES; b++) {
        RbvTwist same = rig->c.size == rig->bodies.size ? rbv_bodies_twist(&rig->bodies, b, rig->v)
                                                        : (RbvTwist){{1, 0, 0}, {0, 0, 0}};
        most = fmax(most, distance(same.v, twists[b].v) + distance(same.w, twists[b].w) + rbv_norm(bias[b].v) +
                              rbv_norm(bias[b].w));
    }
    assert_true((most == 0) == (rig->c.of_bodies || rig->c.kind == &rbv_joint_coordinates));
}

static void (*const claims[])(Rig *) = {
    start_is_the_model,
    take_is_the_inverse_of_place,
    push_is_the_rate_of_place,
    pull_is_push_transposed,
    bias_is_the_second_rate,
    step_and_difference_are_inverse,
    rate_is_that_of_step,
    renew_is_idempotent,
    mass_is_symmetric_and_the_energy,
    forces_balance_as_those_of_bodies,
    rows_are_those_of_bodies,
    worth_tells_lengths_from_turns,
    of_bodies_is_the_identity,
    positions_place_their_bodies_alone,
    rows_of_its_own_hold_for_rigid_bodies,
    gradients_of_its_own_rows_are_those,
    place_has_second_derivatives,
};

static void put_through(const RbvCoordinatesKind *kind, RbvSpace space, bool rods) {
    for (int state = 0; state < STATES; state++)
        for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
            Rig rig;
            open_rig(&rig, kind, space, rods);
            claims[k](&rig);
            close_rig(&rig);
        }
}

static void absolute_coordinates_of_the_plane(void **unused) {
    (void)unused;
    put_through(&rbv_absolute_coordinates, RBV_PLANAR, false);
}

/* 10^6 turns and some: the attitude is that of the rest, which the C library reduces with all digits of 2 pi; steps
 * there lead on, and differences count. */
static void many_turns_keep_the_attitude(void **unused) {
    (void)unused;
    Rig rig;
    open_rig(&rig, &rbv_absolute_coordinates, RBV_PLANAR, false);
    double q[MOST], dv[MOST] = {0}, back[MOST];
    RbvBodyState first[BODIES], last[BODIES];
    const double way = 6283186.5;
    memcpy(q, rig.q, (size_t)rig.c.position_size * sizeof *q);
    rbv_coordinates_positions(&rig.c, q, first);
    const int32_t body = 3, turn = rig.bodies.start[body] + 2;
    assert_true(rbv_bodies_turns(&rig.bodies, body));
    dv[turn] = way;
    rbv_coordinates_step(&rig.c, q, dv);
    rbv_coordinates_positions(&rig.c, q, last);
    rbv_coordinates_difference(&rig.c, rig.q, q, back);
    const RbvBodyState *one = &first[body], *other = &last[body];
    RbvMat3 turned = rbv_mat3_about_z(way), expected = rbv_mat3_product(&turned, &one->A);
    assert_true(fabs(other->turn) < 13 && fabs(other->whole) > 999990);
    assert_true(distance(other->A.column[0], expected.column[0]) < 2e-9); /* one->turn + way is rounded, once */
    for (int32_t k = 0; k < rig.c.size; k++)
        assert_true(fabs(back[k] - dv[k]) < 2e-9);
    dv[turn] = 0.01;
    for (int n = 0; n < 1000; n++) /* small steps are not */
        rbv_coordinates_step(&rig.c, q, dv);
    RbvMat3 more = rbv_mat3_about_z(10);
    expected = rbv_mat3_product(&more, &other->A);
    rbv_coordinates_positions(&rig.c, q, last);
    assert_true(distance(other->A.column[0], expected.column[0]) < 1e-12);
    close_rig(&rig);
}

static void absolute_coordinates_of_space(void **unused) {
    (void)unused;
    put_through(&rbv_absolute_coordinates, RBV_SPATIAL, false);
}

static void polar_coordinates_of_the_plane(void **unused) {
    (void)unused;
    put_through(&polar_coordinates, RBV_PLANAR, false);
}

static void natural_coordinates_of_the_plane(void **unused) {
    (void)unused;
    put_through(&rbv_natural_coordinates, RBV_PLANAR, false);
}

static void natural_coordinates_of_space(void **unused) {
    (void)unused;
    put_through(&rbv_natural_coordinates, RBV_SPATIAL, false);
}

/* Two points: what is claimed of all coordinates, of motions without spin about the line. */
static void natural_coordinates_of_rods(void **unused) {
    (void)unused;
    put_through(&rbv_natural_coordinates, RBV_SPATIAL, true);
}

/* Along a closed way of the line, which goes round a cone of half the angle h and stands where it began, least turns
 * have turned the rod by minus the area on the sphere, 2 pi (1 - cos h); nothing of it by rounding of thousand steps
 * but for their own area, of third order in each step. */
static void least_turns_add_up_to_the_area(void **unused) {
    (void)unused;
    Rig rig;
    enum { STEPS = 4000 };
    const double h = 0.4;
    open_rig(&rig, &rbv_natural_coordinates, RBV_SPATIAL, true);
    int32_t column[MOST];
    assert_int_equal(rig.c.kind->columns(&rig.c, 1, column), 6);
    RbvMat3 before = rig.placed[1].A;
    double q[MOST], dv[MOST] = {0};
    memcpy(q, rig.q, sizeof q);
    RbvVec3 d = rbv_vec3(q[column[3]] - q[column[0]], q[column[4]] - q[column[1]], q[column[5]] - q[column[2]]);
    double L = rbv_norm(d);
    RbvVec3 u = rbv_scale(1 / L, d), e = rbv_cross(u, fabs(u.x) < 0.6 ? rbv_vec3(1, 0, 0) : rbv_vec3(0, 1, 0));
    e = rbv_scale(1 / rbv_norm(e), e);
    RbvVec3 f = rbv_cross(u, e), axis = rbv_add_scaled(rbv_scale(cos(h), u), sin(h), e),
            out = rbv_add_scaled(rbv_scale(sin(h), u), -cos(h), e);
    for (int n = 1; n <= STEPS; n++) {
        double t = RBV_TWO_PI * n / STEPS, now[3],
               was[3] = {q[column[3]] - q[column[0]], q[column[4]] - q[column[1]], q[column[5]] - q[column[2]]};
        RbvVec3 to = rbv_scale(
            L, rbv_add_scaled(rbv_add_scaled(rbv_scale(cos(h), axis), sin(h) * cos(t), out), sin(h) * sin(t), f));
        now[0] = to.x, now[1] = to.y, now[2] = to.z;
        for (int k = 0; k < 3; k++)
            dv[column[3 + k]] = now[k] - was[k];
        rbv_coordinates_step(&rig.c, q, dv);
    }
    RbvBodyState placed[BODIES];
    rbv_coordinates_positions(&rig.c, q, placed);
    RbvMat3 turn, back;
    for (int k = 0; k < 3; k++)
        back.column[k] = rbv_apply_transposed(&before, rbv_mat3_identity().column[k]);
    turn = rbv_mat3_product(&placed[1].A, &back);
    RbvQuat p = rbv_quat_of_mat3(&turn);
    double angle = 2 * atan2(rbv_dot(p.e, u), p.w), area = RBV_TWO_PI * (1 - cos(h)), off = fabs(fabs(angle) - area);
    assert_true(rbv_norm(rbv_sub(p.e, rbv_scale(rbv_dot(p.e, u), u))) < 1e-12);
    assert_true(off < 2 * RBV_TWO_PI * RBV_TWO_PI * RBV_TWO_PI / ((double)STEPS * STEPS));
    close_rig(&rig);
}

static void joint_coordinates_of_the_plane(void **unused) {
    (void)unused;
    put_through(&rbv_joint_coordinates, RBV_PLANAR, false);
}

static void joint_coordinates_of_space(void **unused) {
    (void)unused;
    put_through(&rbv_joint_coordinates, RBV_SPATIAL, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absolute_coordinates_of_the_plane), cmocka_unit_test(absolute_coordinates_of_space),
        cmocka_unit_test(many_turns_keep_the_attitude),      cmocka_unit_test(polar_coordinates_of_the_plane),
        cmocka_unit_test(natural_coordinates_of_the_plane),  cmocka_unit_test(natural_coordinates_of_space),
        cmocka_unit_test(natural_coordinates_of_rods),       cmocka_unit_test(least_turns_add_up_to_the_area),
        cmocka_unit_test(joint_coordinates_of_the_plane),    cmocka_unit_test(joint_coordinates_of_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
