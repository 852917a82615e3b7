/* Every row of every planar joint kind, drive and user equation: C, its Hessian, gamma and nu against differences of
 * Phi. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mechanics/element/gap.h"
#include "mechanics/system/system.h"
#include "support/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATES 6   /* random states per row */
#define MOST 6     /* coordinates: two bodies */
#define OUTLINE 60 /* points of a cam's outline */
#define TWO_PI 6.283185307179586

/* Sixth-order central differences: truncation h^6 f'''''''/140 is below 1e-16 f for both steps; rounding eps/h gives
 * 1e-13 (2e-3) and 1e-12 (3e-4), times the size of Phi (some metres) and of its derivatives (1/distance, up to 10).
 * Second differences: eps/h^2. */
#define STEP 2e-3
#define CAM_STEP 3e-4 /* stays within one piece of the outline's spline: its third derivative jumps at the knots */
#define FIRST_TOLERANCE 1e-9
#define SECOND_STEP 4e-3
#define SECOND_TOLERANCE 1e-8
#define CAM_SECOND_STEP 1e-3

/* Body p at (0.1, 0.2) turned by 0.4, body q at (1.3, 0.5) turned by -0.7; all centroids and markers off centre and
 * askew. */
static const double at_P[3] = {0.25, -0.1, 0}, at_Q[3] = {-0.15, 0.2, 0}, at_R[3] = {0.05, 0.3, 0},
                    at_G[3] = {-0.3, 0.4, 0};

typedef struct Case {
    const char *type;           /* joint kind; NULL: no joint */
    const char *first, *second; /* sides; NULL: p.P and q.Q */
    void (*adjust)(RbvJointDef *def);
    int32_t rows;         /* expected of the joint */
    const char *drive;    /* coordinate, or NULL */
    const char *equation; /* or NULL */
    const char *named;    /* the coordinate g, or NULL */
    bool particle;        /* q is a point mass */
    bool cam;
} Case;

static double outline_x[4][OUTLINE + 1], outline_y[4][OUTLINE + 1];

/* 0: an egg about (0.03, -0.02); 1: the same, clockwise; 2: a small ellipse; 3: an open wave from left to right. */
static void make_outlines(void) {
    for (int k = 0; k <= OUTLINE; k++) {
        double a = TWO_PI * (k % OUTLINE) / OUTLINE;
        outline_x[0][k] = 0.03 + 0.35 * cos(a) + 0.02 * cos(2 * a);
        outline_y[0][k] = -0.02 + 0.28 * sin(a);
        outline_x[2][k] = -0.02 + 0.15 * cos(a);
        outline_y[2][k] = 0.01 + 0.12 * sin(a);
        outline_x[3][k] = -4 + 8.0 * k / OUTLINE;
        outline_y[3][k] = 0.1 * sin(0.8 * outline_x[3][k]);
    }
    for (int k = 0; k <= OUTLINE; k++) {
        outline_x[1][k] = outline_x[0][OUTLINE - k];
        outline_y[1][k] = outline_y[0][OUTLINE - k];
    }
}

static RbvCurveDef outline(int k) {
    return (RbvCurveDef){.count = OUTLINE + 1, .x = outline_x[k], .y = outline_y[k], .closed = k != 3};
}

static void hold_value(RbvJointDef *def) {
    def->value = 0.17;
}
static void lock_some(RbvJointDef *def) {
    def->locked_count = 2;
    def->locked[0] = "rz";
    def->locked[1] = "x";
}
static void given_length(RbvJointDef *def) {
    def->length = 0.9;
}
static void wheels(RbvJointDef *def) {
    def->radii[0] = 0.3, def->radii[1] = 0.7;
}
static void teeth(RbvJointDef *def) {
    def->teeth[0] = 17, def->teeth[1] = 40;
}
static void ring(RbvJointDef *def) {
    wheels(def);
    def->internal = true;
}
static void crossed(RbvJointDef *def) {
    wheels(def);
    def->crossed = true;
}
static void pinion(RbvJointDef *def) {
    def->radius = 0.4;
}
static void point_cam(RbvJointDef *def) {
    def->curve = outline(0);
}
static void clockwise_cam(RbvJointDef *def) {
    def->curve = outline(1);
}
static void open_cam(RbvJointDef *def) {
    def->curve = outline(3);
}
static void flat_cam(RbvJointDef *def) {
    def->curve = outline(0);
    def->flat = true;
}
static void two_curves(RbvJointDef *def) {
    def->curve = outline(0);
    def->curve2 = outline(2);
}

static RbvModel *build(const Case *item) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = rbv_model_create(RBV_PLANAR, "rows");
    assert_non_null(model);
    RbvBodyDef p = rbv_body_def_default, q = rbv_body_def_default;
    p = (RbvBodyDef){
        .name = "p", .mass = 2, .centroid = {0.12, 0.07, 0}, .inertia = {0, 0, 0.3}, .at = {0.1, 0.2, 0}, .angle = 0.4};
    q = (RbvBodyDef){.name = "q",
                     .mass = 3,
                     .centroid = {-0.2, 0.11, 0},
                     .inertia = {0, 0, 0.5},
                     .at = {1.3, 0.5, 0},
                     .angle = -0.7};
    if (item->particle)
        q = (RbvBodyDef){.name = "q", .particle = true, .mass = 3, .at = {1.3, 0.5, 0}};
    const double origin[3] = {0};
    RbvStatus status =
        rbv_model_add_body(model, &p, diagnostics) | rbv_model_add_body(model, &q, diagnostics) |
        rbv_model_add_marker(model, "p", "P", at_P, 0.3, diagnostics) |
        rbv_model_add_marker(model, "p", "S", at_R, 0, diagnostics) |
        rbv_model_add_marker(model, "q", "Q", item->particle ? origin : at_Q, item->particle ? 0 : 1.1, diagnostics) |
        rbv_model_add_marker(model, "q", "R", item->particle ? origin : at_R, item->particle ? 0 : -0.5, diagnostics) |
        rbv_model_add_marker(model, "ground", "G", at_G, 0.25, diagnostics);
    if (item->type) {
        RbvJointDef def = rbv_joint_def_default;
        def.name = "J";
        def.type = item->type;
        def.between[0] = item->first ? item->first : "p.P";
        def.between[1] = item->second ? item->second : "q.Q";
        if (item->adjust)
            item->adjust(&def);
        status |= rbv_model_add_joint(model, &def, diagnostics);
    }
    if (item->named)
        status |= rbv_model_add_coordinate(model, "g", item->named, diagnostics);
    if (item->equation)
        status |= rbv_model_add_constraint(model, "E", item->equation, diagnostics);
    if (item->drive)
        status |= rbv_model_add_drive(model, "D", item->drive, "0.3*sin(2*t) + 0.1*t^3", diagnostics);
    if (status)
        machine_print(diagnostics);
    rbv_diagnostics_destroy(diagnostics);
    assert_int_equal(status, 0);
    return model;
}

/* Phi and C (dense, [rows][MOST]) at q, t with the state's memory. */
static void evaluate(RbvState *state, const double *q, double t, double *phi, double *C) {
    const RbvSystem *system = state->system;
    int32_t rows = system->row_count;
    memcpy(state->q, q, (size_t)system->coordinates.size * sizeof *q);
    state->t = t;
    assert_true(rbv_state_place(state));
    assert_int_equal(state->singular_measure, -1);
    rbv_state_jacobian(state);
    memcpy(phi, state->phi, (size_t)rows * sizeof *phi);
    memset(C, 0, (size_t)rows * MOST * sizeof *C);
    for (int32_t k = 0; k < rows; k++)
        for (int32_t e = system->D.start[k]; e < system->D.start[k + 1]; e++)
            C[k * MOST + system->D.column[e]] = state->C[e];
}

/* d/ds of Phi and C along q + s dq, t + s dt, and d2/ds2 of Phi. */
typedef struct Slope {
    double phi[4], C[4 * MOST], second[4];
} Slope;

static Slope slope(RbvState *state, const double *q, double t, const double *dq, double dt, double h) {
    static const double first[3] = {0.75, -0.15, 1.0 / 60}, second[3] = {1.5, -0.15, 1.0 / 90};
    int32_t rows = state->system->row_count, size = state->system->coordinates.size;
    Slope s;
    double phi[4], C[4 * MOST], x[MOST];
    memset(&s, 0, sizeof s);
    evaluate(state, q, t, phi, C);
    for (int32_t k = 0; k < rows; k++)
        s.second[k] = -49.0 / 18 * phi[k] / (h * h);
    for (int n = -3; n <= 3; n++) {
        if (n == 0)
            continue;
        for (int32_t c = 0; c < size; c++)
            x[c] = q[c] + n * h * dq[c];
        evaluate(state, x, t + n * h * dt, phi, C);
        double weight = (n > 0 ? 1 : -1) * first[abs(n) - 1] / h;
        for (int32_t k = 0; k < rows; k++) {
            s.phi[k] += weight * phi[k];
            s.second[k] += second[abs(n) - 1] * phi[k] / (h * h);
            for (int c = 0; c < MOST; c++)
                s.C[k * MOST + c] += weight * C[k * MOST + c];
        }
    }
    return s;
}

static void assert_close(double got, double expected, double tolerance, const char *what, const Case *item) {
    double allowed = tolerance * (1 + fabs(expected));
    if (!(fabs(got - expected) <= allowed))
        fail_msg("%s of %s%s%s%s: %.15g, differences give %.15g", what, item->type ? item->type : "",
                 item->drive ? " drive " : "", item->drive ? item->drive : "", item->equation ? item->equation : "",
                 got, expected);
}

/* Contacts at least a quarter of a chord from the knots of their outlines. */
static bool between_knots(const RbvState *state) {
    const RbvModel *model = state->system->model;
    for (int32_t m = 0; m < model->measures.count; m++) {
        if (model->measures.items[m].kind != RBV_MEASURE_GAP)
            continue;
        const RbvCam *cam = &model->cams.items[model->measures.items[m].axis];
        for (int side = 0; side < 2 && cam->x[side]; side++) {
            double c = state->measures[m].contact[side], chord = cam->span[side] / OUTLINE, s = 0;
            int kind = cam->x[1] && side == 1 ? 2 : cam->closed[0] ? cam->side[0] > 0 ? 0 : 1 : 3;
            c -= cam->closed[side] ? cam->span[side] * floor(c / cam->span[side]) : 0;
            for (int k = 0; k <= OUTLINE; k++) {
                if (k > 0)
                    s +=
                        hypot(outline_x[kind][k] - outline_x[kind][k - 1], outline_y[kind][k] - outline_y[kind][k - 1]);
                if (fabs(c - s) < 0.2 * chord)
                    return false;
            }
        }
    }
    return true;
}

static void check_state(RbvState *state, const double *q, const double *v, double t, const Case *item) {
    int32_t rows = state->system->row_count, size = state->system->coordinates.size;
    double h = item->cam ? CAM_STEP : STEP, phi[4], C[4 * MOST], H[4][MOST * MOST], zero[MOST] = {0};
    double nu[4], gamma[4];
    evaluate(state, q, t, phi, C);
    rbv_state_accept(state);
    evaluate(state, q, t, phi, C);
    memcpy(state->v, v, (size_t)size * sizeof *v);
    assert_true(rbv_state_rates(state));
    assert_true(rbv_state_move(state));
    memcpy(nu, state->nu, (size_t)rows * sizeof *nu);
    memcpy(gamma, state->gamma, (size_t)rows * sizeof *gamma);
    for (int32_t k = 0; k < rows; k++)
        rbv_state_row_hessian(state, k, H[k]);

    for (int32_t c = 0; c < size; c++) {
        double e[MOST] = {0};
        e[c] = 1;
        Slope s = slope(state, q, t, e, 0, h);
        for (int32_t k = 0; k < rows; k++) {
            assert_close(C[k * MOST + c], s.phi[k], FIRST_TOLERANCE, "C", item);
            for (int32_t d = 0; d < size; d++) {
                assert_close(H[k][c * size + d], s.C[k * MOST + d], FIRST_TOLERANCE * 10, "Hessian", item);
                assert_close(H[k][c * size + d], H[k][d * size + c], 1e-12, "symmetric Hessian", item);
            }
        }
    }
    Slope clock = slope(state, q, t, zero, 1, STEP), clock2 = slope(state, q, t, zero, 1, SECOND_STEP);
    Slope path = slope(state, q, t, v, 1, h);
    Slope second = slope(state, q, t, v, 1, item->cam ? CAM_SECOND_STEP : SECOND_STEP);
    for (int32_t k = 0; k < rows; k++) {
        assert_close(nu[k], -clock.phi[k], FIRST_TOLERANCE, "nu", item);
        /* gamma = -v^T H v - 2 Phi_qt v - Phi_tt */
        double expected = -clock2.second[k], along = 0, nu_rate = 0;
        for (int32_t c = 0; c < size; c++) {
            expected -= 2 * clock.C[k * MOST + c] * v[c];
            along += path.C[k * MOST + c] * v[c];
            for (int32_t d = 0; d < size; d++)
                expected -= v[c] * H[k][c * size + d] * v[d];
        }
        assert_close(gamma[k], expected, SECOND_TOLERANCE, "gamma from the Hessian", item);
        /* gamma = d/ds (nu - C v) along the motion; nu' by differences of nu itself */
        static const double first[3] = {0.75, -0.15, 1.0 / 60};
        for (int n = -3; n <= 3; n++) {
            double x[MOST], unused[4], unused_C[4 * MOST];
            for (int32_t c = 0; c < size; c++)
                x[c] = q[c] + n * h * v[c];
            evaluate(state, x, t + n * h, unused, unused_C);
            assert_true(rbv_state_rates(state));
            if (n != 0)
                nu_rate += (n > 0 ? 1 : -1) * first[abs(n) - 1] / h * state->nu[k];
        }
        assert_close(gamma[k], nu_rate - along, SECOND_TOLERANCE, "gamma along the motion", item);
        /* Phi'' = -gamma when nothing accelerates; cams: eps/h^2 of a smaller step */
        assert_close(gamma[k], -second.second[k], item->cam ? 1e-7 : SECOND_TOLERANCE, "gamma of the second difference",
                     item);
    }
}

static void check(const Case *item, uint64_t seed) {
    RbvModel *model = build(item);
    RbvSystem *system = machine_compile(model);
    int32_t rows = rbv_system_counts(system).rows, size = rbv_system_counts(system).coordinates;
    assert_int_equal(size, item->particle ? 5 : 6);
    assert_int_equal(rows, item->rows + (item->drive != NULL) + (item->equation != NULL));
    RbvState *state = rbv_state_create(system);
    assert_non_null(state);
    for (int done = 0, tries = 0; done < STATES; tries++) {
        double q[MOST], v[MOST], t = 0.5 + 0.4 * machine_random(&seed), phi[4], C[4 * MOST];
        assert_true(tries < 100);
        for (int32_t c = 0; c < size; c++) {
            q[c] = system->start_q[c] + 0.3 * machine_random(&seed);
            v[c] = 2 * machine_random(&seed);
        }
        for (int32_t m = 0; m < model->measures.count; m++) /* a search of its own for each state's contact */
            state->memory[m].contact[0] = state->memory[m].contact[1] = NAN;
        evaluate(state, q, t, phi, C);
        if (!between_knots(state))
            continue;
        check_state(state, q, v, t, item);
        done++;
    }
    rbv_state_destroy(state);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void check_all(const Case *cases, size_t count) {
    for (size_t k = 0; k < count; k++)
        check(&cases[k], 0x1234567u + 77 * k);
}
#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof((cases)[0]))

static void joints_that_lock_directions_have_right_derivatives(void **unused) {
    (void)unused;
    static const Case cases[] = {
        {.type = "revolute", .rows = 2},
        {.type = "prismatic", .rows = 2},
        {.type = "translational", .rows = 2},
        {.type = "fixed", .rows = 3},
        {.type = "slot", .rows = 1},
        {.type = "slot", .adjust = hold_value, .rows = 1},
        {.type = "parallel", .rows = 1},
        {.type = "x", .adjust = hold_value, .rows = 1},
        {.type = "y", .adjust = hold_value, .rows = 1},
        {.type = "angle", .adjust = hold_value, .rows = 1},
        {.type = "general", .adjust = lock_some, .rows = 2},
        {.type = "revolute", .first = "ground.G", .rows = 2},
        {.type = "prismatic", .first = "q.Q", .second = "ground.G", .rows = 2},
        {.type = "fixed", .first = "ground", .second = "q", .rows = 3},
        {.type = "slot", .particle = true, .rows = 1},
        {.type = "revolute", .first = "q.Q", .second = "p.P", .particle = true, .rows = 2},
    };
    CHECK_ALL(cases);
}

static void joints_that_hold_a_distance_have_right_derivatives(void **unused) {
    (void)unused;
    static const Case cases[] = {
        {.type = "link", .rows = 1},
        {.type = "link", .adjust = given_length, .first = "ground.G", .rows = 1},
        {.type = "distance", .rows = 1},
        {.type = "distance", .adjust = given_length, .particle = true, .rows = 1},
    };
    CHECK_ALL(cases);
}

static void joints_of_wheels_have_right_derivatives(void **unused) {
    (void)unused;
    static const Case cases[] = {
        {.type = "gear", .adjust = wheels, .rows = 1},
        {.type = "gear", .adjust = teeth, .rows = 1},
        {.type = "gear", .adjust = ring, .rows = 1},
        {.type = "belt", .adjust = wheels, .rows = 1},
        {.type = "belt", .adjust = crossed, .rows = 1},
        {.type = "chain", .adjust = wheels, .rows = 1},
        {.type = "rack", .adjust = pinion, .rows = 1},
        {.type = "rack", .first = "q.Q", .second = "p.P", .adjust = pinion, .rows = 1},
        {.type = "gear", .first = "ground.G", .adjust = wheels, .rows = 1},
    };
    CHECK_ALL(cases);
}

static void cams_have_right_derivatives(void **unused) {
    (void)unused;
    static const Case cases[] = {
        {.type = "cam", .adjust = point_cam, .rows = 1, .cam = true},
        {.type = "cam", .adjust = clockwise_cam, .rows = 1, .cam = true},
        {.type = "cam", .adjust = open_cam, .rows = 1, .cam = true},
        {.type = "cam", .adjust = flat_cam, .rows = 1, .cam = true},
        {.type = "cam", .adjust = two_curves, .rows = 1, .cam = true},
        {.type = "cam", .first = "ground.G", .adjust = point_cam, .rows = 1, .cam = true},
        {.type = "cam", .first = "q.Q", .second = "p.P", .adjust = flat_cam, .rows = 1, .cam = true},
        {.type = "cam", .adjust = point_cam, .particle = true, .rows = 1, .cam = true},
    };
    CHECK_ALL(cases);
}

static void slides(RbvJointDef *def) {
    def->friction_coefficient = 0.1;
}
static void rubbing_point(RbvJointDef *def) {
    point_cam(def), slides(def);
}
static void rubbing_clockwise(RbvJointDef *def) {
    clockwise_cam(def), slides(def);
}
static void rubbing_open(RbvJointDef *def) {
    open_cam(def), slides(def);
}
static void rubbing_flat(RbvJointDef *def) {
    flat_cam(def), slides(def);
}
static void rubbing_curves(RbvJointDef *def) {
    two_curves(def), slides(def);
}

/* Velocity of the body's material at the place p, ground axes. */
static RbvVec3 material_velocity(const RbvMarkerState *marker, const RbvTwist *twists, RbvVec3 p) {
    RbvTwist t = twists[marker->body];
    return rbv_add(t.v, rbv_cross(t.w, rbv_add(marker->arm, rbv_sub(p, marker->point))));
}

/* The row that holds a cam's contact from sliding, row 1, has no value. Its rate is that of both materials at the
 * contact along the tangent; its second derivatives are those of its gradient. */
static void check_sliding(RbvState *state, const double *q, const double *v, const Case *item) {
    int32_t size = state->system->coordinates.size;
    double phi[4], C[4 * MOST], H[MOST * MOST], rate = 0, second = 0;
    evaluate(state, q, 0, phi, C);
    rbv_state_accept(state);
    evaluate(state, q, 0, phi, C);
    memcpy(state->v, v, (size_t)size * sizeof *v);
    assert_true(rbv_state_rates(state));
    assert_true(rbv_state_move(state));
    double gamma = state->gamma[1];
    const RbvMarkerState *end[2] = {&state->markers[state->system->model->joints.items[0].marker[0]],
                                    &state->markers[state->system->model->joints.items[0].marker[1]]};
    const RbvMeasure *gap =
        &state->system->model->measures.items[state->system->terms[state->system->rows[0].first].measure];
    const RbvMeasureState *met = &state->measures[state->system->terms[state->system->rows[0].first].measure];
    RbvVec3 place = rbv_gap_point(&state->system->model->cams.items[gap->axis], end[0], end[1], met),
            n = met->gradient[1].force;
    RbvVec3 tangent = {-n.y, n.x, 0}; /* the gap grows along the outward normal */
    for (int32_t c = 0; c < size; c++)
        rate += C[MOST + c] * v[c];
    assert_close(rate,
                 rbv_dot(tangent, rbv_sub(material_velocity(end[1], state->twists, place),
                                          material_velocity(end[0], state->twists, place))),
                 1e-12, "sliding rate", item);
    rbv_state_row_hessian(state, 1, H);
    for (int32_t c = 0; c < size; c++) {
        double e[MOST] = {0};
        e[c] = 1;
        Slope s = slope(state, q, 0, e, 0, CAM_STEP);
        for (int32_t d = 0; d < size; d++)
            assert_close(H[d * size + c], s.C[MOST + d], FIRST_TOLERANCE * 10, "second derivatives of sliding", item);
    }
    for (int32_t c = 0; c < size; c++)
        for (int32_t d = 0; d < size; d++)
            second += v[c] * H[c * size + d] * v[d];
    assert_close(gamma, -second, SECOND_TOLERANCE, "gamma of sliding", item);
}

static void sliding_of_cams_has_right_derivatives(void **unused) {
    (void)unused;
    static const Case cases[] = {
        {.type = "cam", .adjust = rubbing_point, .cam = true},
        {.type = "cam", .adjust = rubbing_clockwise, .cam = true},
        {.type = "cam", .adjust = rubbing_open, .cam = true},
        {.type = "cam", .adjust = rubbing_flat, .cam = true},
        {.type = "cam", .adjust = rubbing_curves, .cam = true},
        {.type = "cam", .first = "q.Q", .second = "p.P", .adjust = rubbing_flat, .cam = true},
        {.type = "cam", .adjust = rubbing_point, .particle = true, .cam = true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint64_t seed = 0x51de + 77 * k;
        RbvModel *model = build(&cases[k]);
        RbvSystem *system = machine_compile(model);
        assert_int_equal(rbv_system_counts(system).rows, 2);
        RbvState *state = rbv_state_create(system);
        assert_non_null(state);
        const bool sticks[2] = {true, true};
        state->active = sticks;
        for (int done = 0, tries = 0; done < STATES; tries++) {
            double q[MOST], v[MOST], phi[4], C[4 * MOST];
            assert_true(tries < 100);
            for (int32_t c = 0; c < rbv_system_counts(system).coordinates; c++) {
                q[c] = system->start_q[c] + 0.3 * machine_random(&seed);
                v[c] = 2 * machine_random(&seed);
            }
            for (int32_t m = 0; m < model->measures.count; m++)
                state->memory[m].contact[0] = state->memory[m].contact[1] = NAN;
            evaluate(state, q, 0, phi, C);
            if (!between_knots(state))
                continue;
            check_sliding(state, q, v, &cases[k]);
            done++;
        }
        rbv_state_destroy(state);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
}

static void drives_on_every_coordinate_have_right_derivatives(void **unused) {
    (void)unused;
    static const Case cases[] = {
        {.type = "revolute", .rows = 2, .drive = "J.angle"},
        {.type = "prismatic", .rows = 2, .drive = "J.distance"},
        {.type = "slot", .rows = 1, .drive = "J.x"},
        {.type = "angle", .rows = 1, .drive = "J.y"},
        {.type = "link", .rows = 1, .drive = "J.rz"},
        {.drive = "distance(p.P, q.Q)"},
        {.drive = "distance(q.R, ground.G)"},
        {.drive = "angle(p)"},
        {.drive = "x(q.R)"},
        {.drive = "y(p.P)"},
        {.drive = "x(q)", .particle = true},
    };
    CHECK_ALL(cases);
}

static void coordinates_by_name_have_right_derivatives(void **unused) {
    (void)unused;
    static const Case cases[] = {
        {.named = "distance(p.P, q.Q)", .drive = "g"},
        {.named = "2*distance(p.P, q.Q) + x(q.R)", .drive = "g"},
        {.named = "distance(p.P, q.Q)^2*sin(angle(p)) + x(q.R)*y(p.S) - exp(0.3*angle(q))", .drive = "g"},
        {.type = "revolute", .rows = 2, .named = "x(q.R)*J.angle + y(p.P)^2", .drive = "g"},
        {.named = "x(q.R)*y(p.S) + angle(p)", .equation = "sin(g)*x(p.P) - t*g + g^2*distance(q.R, ground.G)"},
        {.named = "atan2(y(q) - y(p), x(q) - x(p))", .drive = "g", .particle = true},
    };
    CHECK_ALL(cases);
}

static void user_equations_have_right_derivatives(void **unused) {
    (void)unused;
    static const Case cases[] = {
        {.equation = "x(p.P) - 0.2*cos(3*t)"},
        {.equation = "x(p.P)*angle(q) - 0.2*cos(3*t)*distance(p.S, q.Q)"},
        {.type = "revolute", .rows = 2, .equation = "sin(J.angle)*x(q.Q)^2 + t*y(p.P)^2 - exp(-t)"},
        {.equation = "distance(p.P, q.Q)*distance(q.R, ground.G)/(2 + sin(angle(p))) + t^2"},
        {.equation = "x(p.P)*y(p.S) + x(q.R)*t*angle(p)"},
        {.equation = "atan2(y(q) - y(p), x(q) - x(p)) - t", .particle = true},
    };
    CHECK_ALL(cases);
}

/* --- the gap is a distance ------------------------------------------------------------------------------------------
 */

#define FINE 4000   /* points of the polyline of an ellipse */
#define SPLINED 400 /* of the outline given: its spline is 1e-9 from the ellipse (h^4 5/384, h = 2 pi/400) */

typedef struct Ellipse {
    double a, b;
} Ellipse;

/* The gap of a cam fixed to ground at the origin and a follower q whose marker (= body) is at x, y, turned by angle. */
static double gap_of(RbvJointDef *def, double x, double y, double angle) {
    RbvModel *model = rbv_model_create(RBV_PLANAR, "gap");
    RbvBodyDef q = {.name = "q", .mass = 1, .inertia = {0, 0, 1}, .at = {x, y, 0}, .angle = angle};
    assert_int_equal(rbv_model_add_body(model, &q, NULL), RBV_OK);
    def->name = "J";
    def->type = "cam";
    def->between[0] = "ground";
    def->between[1] = "q";
    assert_int_equal(rbv_model_add_joint(model, def, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    RbvState *state = rbv_state_create(system);
    assert_true(rbv_state_place(state));
    double gap = state->singular_measure < 0 ? state->phi[0] : NAN;
    rbv_state_destroy(state);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return gap;
}

static RbvCurveDef splined(Ellipse e, double x[], double y[]) {
    for (int k = 0; k <= SPLINED; k++) {
        x[k] = e.a * cos(TWO_PI * (k % SPLINED) / SPLINED);
        y[k] = e.b * sin(TWO_PI * (k % SPLINED) / SPLINED);
    }
    return (RbvCurveDef){.count = SPLINED + 1, .x = x, .y = y, .closed = true};
}

/* Distance of a point from the polyline: nearest on each segment; second order in the segment, 1e-7 here. */
static double polyline_distance(Ellipse e, double px, double py) {
    double best = INFINITY;
    for (int k = 0; k < FINE; k++) {
        double a = TWO_PI * k / FINE, b = TWO_PI * (k + 1) / FINE;
        double x0 = e.a * cos(a), y0 = e.b * sin(a), dx = e.a * cos(b) - x0, dy = e.b * sin(b) - y0;
        double s = fmin(fmax(((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy), 0), 1);
        best = fmin(best, hypot(x0 + s * dx - px, y0 + s * dy - py));
    }
    return best;
}

static void gap_of_a_point_is_its_signed_distance(void **unused) {
    (void)unused;
    static double x[SPLINED + 1], y[SPLINED + 1];
    Ellipse e = {0.5, 0.3};
    RbvJointDef def = rbv_joint_def_default;
    def.curve = splined(e, x, y);
    uint64_t seed = 99;
    for (int k = 0; k < 60; k++) {
        double px = machine_random(&seed), py = machine_random(&seed);
        double level = px * px / (e.a * e.a) + py * py / (e.b * e.b);
        if (level < 0.5) /* near the middle the nearest point jumps from side to side */
            continue;
        double expected = (level > 1 ? 1 : -1) * polyline_distance(e, px, py);
        assert_near(gap_of(&def, px, py, 0.3), expected, 3e-7);
    }
}

static void gap_of_a_flat_is_its_distance_from_the_outline(void **unused) {
    (void)unused;
    static double x[SPLINED + 1], y[SPLINED + 1];
    Ellipse e = {0.5, 0.3};
    RbvJointDef def = rbv_joint_def_default;
    def.curve = splined(e, x, y);
    def.flat = true;
    uint64_t seed = 5;
    for (int k = 0; k < 40; k++) {
        double px = machine_random(&seed), py = machine_random(&seed), angle = 3 * machine_random(&seed);
        double nx = -sin(angle), ny = cos(angle), reach = px * nx + py * ny, s = reach >= 0 ? 1 : -1;
        /* an ellipse reaches sqrt(a^2 nx^2 + b^2 ny^2) along n: exact */
        double expected = s * reach - hypot(e.a * nx, e.b * ny);
        assert_near(gap_of(&def, px, py, angle), expected, 1e-8);
    }
}

static void gap_of_two_outlines_is_their_distance(void **unused) {
    (void)unused;
    static double x[SPLINED + 1], y[SPLINED + 1], x2[SPLINED + 1], y2[SPLINED + 1];
    Ellipse e = {0.5, 0.3}, roller = {0.2, 0.2};
    RbvJointDef def = rbv_joint_def_default;
    def.curve = splined(e, x, y);
    def.curve2 = splined(roller, x2, y2);
    uint64_t seed = 7;
    for (int k = 0; k < 40; k++) {
        double px = machine_random(&seed), py = machine_random(&seed), angle = 3 * machine_random(&seed);
        double level = px * px / (e.a * e.a) + py * py / (e.b * e.b);
        if (level < 1.2) /* the roller's centre well inside: no contact from outside */
            continue;
        /* a round roller: the distance of its centre less its radius, also when it presses in */
        double expected = polyline_distance(e, px, py) - roller.a;
        assert_near(gap_of(&def, px, py, angle), expected, 3e-7);
    }
}

/* The contact of the last accepted state starts the search for the next: it must not lead to the far side of the cam,
 * where the distance is stationary too. The follower jumps around an ellipse of 0.5 by 0.2 m, some 0.4 m outside. */
static void a_remembered_contact_does_not_lead_to_the_far_side(void **unused) {
    (void)unused;
    static double x[SPLINED + 1], y[SPLINED + 1];
    Ellipse e = {0.5, 0.2};
    RbvJointDef def = rbv_joint_def_default;
    def.name = "J";
    def.type = "cam";
    def.between[0] = "ground";
    def.between[1] = "q";
    def.curve = splined(e, x, y);
    RbvModel *model = rbv_model_create(RBV_PLANAR, "jumps");
    RbvBodyDef q = {.name = "q", .mass = 1, .inertia = {0, 0, 1}, .at = {0.9, 0, 0}};
    assert_int_equal(rbv_model_add_body(model, &q, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_joint(model, &def, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    RbvState *state = rbv_state_create(system);
    for (double jump = 0.1; jump < 2; jump += 0.45)
        for (int k = 0; k < 50; k++) {
            state->q[0] = 0.9 * cos(k * jump);
            state->q[1] = 0.9 * sin(k * jump);
            assert_true(rbv_state_place(state));
            rbv_state_accept(state);
            assert_near(state->phi[0], polyline_distance(e, state->q[0], state->q[1]), 3e-7);
        }
    rbv_state_destroy(state);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void gap_of_an_open_outline_is_positive_on_its_right(void **unused) {
    (void)unused;
    static double x[41], y[41];
    for (int k = 0; k <= 40; k++) {
        x[k] = -2 + 0.1 * k;
        y[k] = 0;
    }
    RbvJointDef def = rbv_joint_def_default;
    def.curve = (RbvCurveDef){.count = 41, .x = x, .y = y};
    assert_near(gap_of(&def, 0.37, -0.25, 0), 0.25, 1e-12);
    assert_near(gap_of(&def, -0.61, 0.4, 0), -0.4, 1e-12);
}

/* Nothing touches past the last point: with a remembered contact, too, that must be said and not continued along the
 * tangent. */
static void an_open_outline_has_no_contact_beyond_its_ends(void **unused) {
    (void)unused;
    static double x[41], y[41];
    for (int k = 0; k <= 40; k++) {
        x[k] = 2 - 0.1 * k;
        y[k] = 0.1 * x[k] * x[k];
    }
    RbvJointDef def = rbv_joint_def_default;
    def.name = "J";
    def.type = "cam";
    def.between[0] = "ground";
    def.between[1] = "q";
    def.curve.count = 41;
    def.curve.x = x;
    def.curve.y = y;
    RbvModel *model = rbv_model_create(RBV_PLANAR, "end");
    RbvBodyDef q = {.name = "q", .mass = 1, .inertia = {0, 0, 1}, .at = {1.5, 0.3, 0}};
    assert_int_equal(rbv_model_add_body(model, &q, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_joint(model, &def, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    RbvState *state = rbv_state_create(system);
    assert_true(rbv_state_place(state));
    assert_int_equal(state->singular_measure, -1);
    rbv_state_accept(state);
    state->q[0] = 2.5; /* the end's normal meets y = 0.3 at x = 2.04 */
    rbv_state_place(state);
    assert_true(state->singular_measure >= 0);
    rbv_state_destroy(state);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

int main(void) {
    make_outlines();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_that_lock_directions_have_right_derivatives),
        cmocka_unit_test(joints_that_hold_a_distance_have_right_derivatives),
        cmocka_unit_test(joints_of_wheels_have_right_derivatives),
        cmocka_unit_test(cams_have_right_derivatives),
        cmocka_unit_test(sliding_of_cams_has_right_derivatives),
        cmocka_unit_test(drives_on_every_coordinate_have_right_derivatives),
        cmocka_unit_test(coordinates_by_name_have_right_derivatives),
        cmocka_unit_test(user_equations_have_right_derivatives),
        cmocka_unit_test(gap_of_a_point_is_its_signed_distance),
        cmocka_unit_test(gap_of_a_flat_is_its_distance_from_the_outline),
        cmocka_unit_test(gap_of_two_outlines_is_their_distance),
        cmocka_unit_test(a_remembered_contact_does_not_lead_to_the_far_side),
        cmocka_unit_test(gap_of_an_open_outline_is_positive_on_its_right),
        cmocka_unit_test(an_open_outline_has_no_contact_beyond_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
