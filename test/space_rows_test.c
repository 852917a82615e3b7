/* Rows of space at random states far from any assembly: C, gamma and second derivatives against differences along the
 * retraction (r + dr, exp(dtheta) A).
 *
 * Sixth-order differences with step 1e-3 on functions of order one: truncation 1e-18 times seventh derivatives,
 * rounding 1e-16/1e-3; 1e-9 is asked of the largest entry. A tilt near half a turn has derivatives like 1/(pi -
 * angle)^n, so states with such a tilt are not taken. */
#include "mechanics/system/system.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 30 /* ROBERVAL_QUICK=1 (make test): a third of them */
#define STEP 1e-3
#define SIZE 18
#define POSITIONS 21
#define ROWS 80
static int states(void) {
    return getenv("ROBERVAL_QUICK") ? STATES / 3 : STATES;
}

static const double weight[3] = {0.75, -0.15, 1.0 / 60};

static const char text[] =
    "roberval: 1\nspace: spatial\nbodies:\n"
    "  ground: {markers: {G: {at: [0.2, -0.3, 0.1], axis: [1, 2, 3]}}}\n"
    "  p: {mass: 2, inertia: [0.3, 0.4, 0.5, 0.05, -0.02, 0.03], centroid: [0.12, 0.07, -0.1], pose: {at: [0.1, 0.2, "
    "0.3], rotate: {axis: [1, -1, 2], angle: 0.4}},\n"
    "      markers: {P: {at: [0.5, 0.1, 0.2], axis: [0.3, -1, 0.5]}, W: {at: [0, 0, 0.3]}}}\n"
    "  q: {mass: 3, inertia: [0.5, 0.6, 0.7], centroid: [-0.2, 0.11, 0.3], pose: {at: [1.3, 0.5, -0.4], rotate: "
    "{euler: zyx, angles: [0.7, -0.3, 0.2]}},\n"
    "      markers: {Q: {at: [0.3, -0.4, 0.2], rotate: {euler: xzx, angles: [1.1, 0.5, -0.6]}}, R: [0.7, 0.2, -0.3]}}\n"
    "  c: {mass: 1, inertia: [0.1, 0.1, 0.1], pose: {at: [0.4, -0.2, 0.7], rotate: {axis: [0, 1, 1], angle: -0.5}}, "
    "markers: {A: [0, 0, 0], B: {at: [0, 0.25, 0]}}}\n"
    "joints:\n"
    "  revolute: {type: revolute, between: [p.P, q.Q]}\n"
    "  prismatic: {type: prismatic, between: [ground.G, q.Q]}\n"
    "  cylindrical: {type: cylindrical, between: [q.Q, p.P]}\n"
    "  universal: {type: universal, between: [p.P, q.Q]}\n"
    "  homokinetic: {type: constant-velocity, between: [p.P, q.Q]}\n"
    "  screw: {type: screw, pitch: 0.3, between: [p.P, q.Q]}\n"
    "  planar: {type: planar, between: [p.P, q.Q]}\n"
    "  fixed: {type: fixed, between: [p.P, q.Q]}\n"
    "  xaxis: {type: general, locked: [x, ry, rz], between: [p.P, q.Q]}\n"
    "  yaxis: {type: general, locked: [z, rx, rz], between: [p.P, q.Q]}\n"
    "  link: {type: link, between: [p.P, q.R]}\n"
    "  rack: {type: rack, radius: 0.2, friction: {coefficient: 0.1, radius: 0.01}, between: [p, q], at: [0.5, 0.1, "
    "0.2], axis: [0.3, -1, 0.5]}\n"
    "  edge: {type: knife-edge, between: [p.P, q.Q]}\n"
    "  wheel: {type: wheel, radius: 0.35, between: [p.P, q.Q]}\n"
    "  ball: {type: ball, radius: 0.25, between: [p.P, q.R]}\n"
    "constraints:\n"
    "  camber: {equation: \"dot(p.P.x, q.Q.z)*distance(p.P, q.R) + dot(q.y, ground.G.z)^2 + 0.3*dot(ground.x, "
    "p.P.y)\"}\n"
    "  spin: {velocity: \"wx(p)*dot(p.x, q.z) + 0.5*wz(q.Q) - wy(p.P)*x(q.R)\"}\n";

typedef struct Rig {
    RbvModel *model;
    RbvSystem *system;
    RbvState *state;
    int32_t rows;
} Rig;

static Rig open_model(RbvModel *model) {
    Rig rig = {.model = model};
    rig.system = machine_compile(rig.model);
    rig.state = rbv_state_create(rig.system);
    rig.state->active = NULL; /* friction that sticks, too */
    rig.rows = rbv_system_counts(rig.system).rows;
    assert_true(rig.rows <= ROWS);
    assert_int_equal(rbv_system_counts(rig.system).coordinates, SIZE);
    assert_int_equal(rig.system->coordinates.position_size, POSITIONS);
    return rig;
}

static Rig open_rig(const char *model) {
    return open_model(machine_read(model));
}

static void close_rig(Rig *rig) {
    rbv_state_destroy(rig->state);
    rbv_system_destroy(rig->system);
    rbv_model_destroy(rig->model);
}

static void fill(double *x, int count, double size, uint64_t *seed) {
    for (int k = 0; k < count; k++)
        x[k] = size * machine_random(seed);
}

/* Phi and C, dense, at q moved by the step; with v: gamma too. */
static void evaluate(const Rig *rig, const double *q, const double *step, const double *v, double *phi,
                     double (*C)[SIZE], double *gamma) {
    RbvState *state = rig->state;
    memcpy(state->q, q, POSITIONS * sizeof *q);
    rbv_coordinates_step(&rig->system->coordinates, state->q, step);
    assert_true(rbv_state_place(state));
    rbv_state_jacobian(state);
    memset(C, 0, (size_t)rig->rows * sizeof *C);
    for (int32_t k = 0; k < rig->rows; k++) {
        phi[k] = state->phi[k];
        for (int32_t e = rig->system->D.start[k]; e < rig->system->D.start[k + 1]; e++)
            C[k][rig->system->D.column[e]] = state->C[e];
    }
    if (!gamma)
        return;
    memcpy(state->v, v, SIZE * sizeof *v);
    assert_true(rbv_state_rates(state));
    assert_true(rbv_state_move(state));
    memcpy(gamma, state->gamma, (size_t)rig->rows * sizeof *gamma);
}

#define OUTLINE 60
/* 0: an egg; 1: a small ellipse; 2: an open arch, turned about its y */
static double outline_x[3][OUTLINE + 1], outline_y[3][OUTLINE + 1];

static RbvCurveDef outline(int kind) {
    for (int k = 0; k <= OUTLINE; k++) {
        double a = RBV_TWO_PI * (k % OUTLINE) / OUTLINE, b = 3.0 * k / OUTLINE - 1.5;
        outline_x[kind][k] = kind == 0   ? 0.03 + 0.35 * cos(a) + 0.02 * cos(2 * a)
                             : kind == 1 ? -0.02 + 0.15 * cos(a)
                                         : 0.4 * cos(b);
        outline_y[kind][k] = kind == 0 ? -0.02 + 0.28 * sin(a) : kind == 1 ? 0.01 + 0.12 * sin(a) : 0.3 * sin(b);
    }
    return (RbvCurveDef){
        .count = OUTLINE + 1, .x = outline_x[kind], .y = outline_y[kind], .closed = kind < 2, .revolved = kind == 2};
}

/* Is the contact near a knot of the outline, where its third derivative leaps? */
static bool at_knot(const RbvCam *cam, int side, int kind, double c) {
    double s = 0, chord = cam->span[side] / OUTLINE;
    c -= cam->closed[side] ? cam->span[side] * floor(c / cam->span[side]) : 0;
    for (int k = 0; k <= OUTLINE; k++) {
        s +=
            k > 0 ? hypot(outline_x[kind][k] - outline_x[kind][k - 1], outline_y[kind][k] - outline_y[kind][k - 1]) : 0;
        if (fabs(c - s) < 0.25 * chord)
            return true;
    }
    return false;
}

static bool between_knots(const Rig *rig) {
    bool good = true;
    for (int32_t m = 0; m < rig->model->measures.count; m++) {
        const RbvMeasure *measure = &rig->model->measures.items[m];
        bool glides = measure->kind == RBV_MEASURE_GLIDE;
        if (!glides && measure->kind != RBV_MEASURE_GAP && measure->kind != RBV_MEASURE_REVOLVED)
            continue;
        const RbvCam *cam = &rig->model->cams.items[glides ? measure->axis / 2 : measure->axis];
        const double *c = rig->state->measures[m].contact;
        good = good && !at_knot(cam, 0, cam->revolved ? 2 : 0, c[0]) && !(cam->x[1] && at_knot(cam, 1, 1, c[1]));
    }
    return good;
}

/* Start poses turned and moved at random; again until no measure is near half a turn or lost. */
static void random_state(const Rig *rig, double *q, uint64_t *seed) {
    double phi[ROWS], C[ROWS][SIZE], step[SIZE], none[SIZE] = {0};
    for (int attempt = 0; attempt < 100; attempt++) {
        for (int32_t m = 0; m < rig->model->measures.count; m++)
            rig->state->memory[m].contact[0] = rig->state->memory[m].contact[1] = NAN;
        fill(step, SIZE, 0.9, seed);
        memcpy(q, rig->system->start_q, POSITIONS * sizeof *q);
        rbv_coordinates_step(&rig->system->coordinates, q, step);
        evaluate(rig, q, none, NULL, phi, C, NULL);
        bool good = rig->state->singular_measure < 0;
        for (int32_t m = 0; m < rig->model->measures.count; m++)
            if (rbv_measure_is_angle(rig->model->measures.items[m].kind))
                good = good && fabs(rig->state->measures[m].value) < 2.2;
        if (!good || !between_knots(rig))
            continue;
        for (int32_t m = 0; m < rig->model->measures.count; m++) /* so that contacts are not searched for again */
            if (rig->model->measures.items[m].kind != RBV_MEASURE_MESH)
                memcpy(rig->state->memory[m].contact, rig->state->measures[m].contact,
                       sizeof rig->state->memory[m].contact);
        return;
    }
    fail_msg("no state found");
}

static double largest(const double *x, int count) {
    double most = 1;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

/* d/ds of Phi and of C along the constant motion w at q. */
static void differences(const Rig *rig, const double *q, const double *w, double *dphi, double (*dC)[SIZE]) {
    memset(dphi, 0, ROWS * sizeof *dphi);
    memset(dC, 0, ROWS * sizeof *dC);
    for (int n = 1; n <= 3; n++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double step[SIZE], phi[ROWS], C[ROWS][SIZE];
            for (int c = 0; c < SIZE; c++)
                step[c] = sign * n * STEP * w[c];
            evaluate(rig, q, step, NULL, phi, C, NULL);
            for (int32_t k = 0; k < rig->rows; k++) {
                dphi[k] += sign * weight[n - 1] * phi[k] / STEP;
                for (int c = 0; c < SIZE; c++)
                    dC[k][c] += sign * weight[n - 1] * C[k][c] / STEP;
            }
        }
}

static void gradients_are_the_derivatives_of_rows(void **unused) {
    (void)unused;
    Rig rig = open_rig(text);
    uint64_t seed = 4;
    for (int n = 0; n < states(); n++) {
        double q[POSITIONS], w[SIZE], phi[ROWS], C[ROWS][SIZE], dphi[ROWS], dC[ROWS][SIZE], none[SIZE] = {0};
        random_state(&rig, q, &seed);
        fill(w, SIZE, 1, &seed);
        differences(&rig, q, w, dphi, dC);
        evaluate(&rig, q, none, NULL, phi, C, NULL);
        for (int32_t k = 0; k < rig.rows; k++) {
            double rate = 0;
            for (int c = 0; c < SIZE; c++)
                rate += C[k][c] * w[c];
            if (!rig.system->rows[k].on_rates)
                assert_near(rate, dphi[k], 1e-9 * largest(C[k], SIZE));
        }
    }
    close_rig(&rig);
}

/* Wheels p and q on the carrier c, all three in one pose, where each pair fits; then moved apart: a mesh is a line held
 * by the carrier wherever they are. */
static const char meshes[] =
    "roberval: 1\nspace: spatial\nbodies:\n"
    "  p: {mass: 2, inertia: [0.3, 0.4, 0.5], centroid: [0.12, 0.07, -0.1], pose: {at: [0.4, -0.2, 0.7], rotate: "
    "{axis: [0, 1, 1], angle: -0.5}},\n"
    "      markers: {Z: [0, 0, 0], X: {at: [0, 0, -0.1], axis: [0, 0, 1]}}}\n"
    "  q: {mass: 3, inertia: [0.5, 0.6, 0.7], centroid: [-0.2, 0.11, 0.3], pose: {at: [0.4, -0.2, 0.7], rotate: {axis: "
    "[0, 1, 1], angle: -0.5}},\n"
    "      markers: {Z: [0, 0.25, 0.06], Y: {at: [0, 0.2, 0], axis: [0, 1, 0]}, C: {at: [0.25, 0, 0], axis: [0, 1, "
    "0.5]}}}\n"
    "  c: {mass: 1, inertia: [0.1, 0.1, 0.1], centroid: [0.03, 0, 0.01], pose: {at: [0.4, -0.2, 0.7], rotate: {axis: "
    "[0, 1, 1], angle: -0.5}}}\n"
    "joints:\n"
    "  spur: {type: gear, radii: [0.1, 0.15], carrier: c, friction: {coefficient: 0.1, radius: 0.01}, between: [p.Z, "
    "q.Z]}\n"
    "  ring: {type: gear, radii: [0.1, 0.35], internal: true, helix_angle: 0.3, carrier: c, between: [p.Z, q.Z]}\n"
    "  bevel: {type: bevel, radii: [0.2, 0.1], carrier: c, friction: {coefficient: 0.1, radius: 0.01}, between: [p.X, "
    "q.Y]}\n"
    "  crossed: {type: gear, radii: [0.1, 0.15], helix_angle: 0.6, carrier: c, between: [p.Z, q.C]}\n"
    "  worm: {type: worm, radii: [0.1, 0.15], pitch: 0.08, carrier: c, friction: {coefficient: 0.1}, between: [p.Z, "
    "q.C]}\n"
    "  belt: {type: belt, radii: [0.05, 0.1], between: [p.Z, q.Z]}\n";

/* Faces that turn about axes which go with the geometry: bars that start across the first's z and along it, a joint of
 * equal speeds. */
static const char turnings[] =
    "roberval: 1\nspace: spatial\nbodies:\n"
    "  p: {mass: 2, inertia: [0.3, 0.4, 0.5], centroid: [0.12, 0.07, -0.1], pose: {at: [0.4, -0.2, 0.7], rotate: "
    "{axis: [0, 1, 1], angle: -0.5}}}\n"
    "  q: {mass: 3, inertia: [0.5, 0.6, 0.7], centroid: [-0.2, 0.11, 0.3], pose: {at: [0.5, 0.1, 0.6], rotate: {axis: "
    "[0, 1, 1], angle: -0.7}},\n"
    "      markers: {U: [0.1, 0.2, 0.9]}}\n"
    "  c: {mass: 1, inertia: [0.1, 0.1, 0.1], centroid: [0.03, 0, 0.01]}\n"
    "joints:\n"
    "  bar: {type: link, between: [p, q], friction: {coefficient: 0.1, radius: 0.02}}\n"
    "  upright: {type: distance, between: [p, q.U], friction: {coefficient: 0.1, radius: 0.02}}\n"
    "  fast: {type: constant-velocity, between: [p, q], friction: {coefficient: 0.1, radius: 0.02}}\n";

static bool is_line(const Rig *rig, int32_t k) {
    const RbvRow *row = &rig->system->rows[k];
    RbvMeasureKind kind = rig->model->measures.items[rig->system->terms[row->first].measure].kind;
    return row->on_rates || kind == RBV_MEASURE_MESH;
}

/* gamma = -v.C' along v. The gradient of a value changes along v by (H + A) v with H symmetric, that of the
 * retraction, and A antisymmetric, which cancels in w.C'[v] + v.C'[w]; that of a line changes by H v itself. */
static void second_derivatives_follow(Rig *rig, uint64_t seed) {
    for (int n = 0; n < states(); n++) {
        double q[POSITIONS], v[SIZE], w[SIZE], phi[ROWS], C[ROWS][SIZE], gamma[ROWS], dphi[ROWS], along_v[ROWS][SIZE],
            along_w[ROWS][SIZE], none[SIZE] = {0};
        static double H[SIZE * SIZE];
        random_state(rig, q, &seed);
        fill(v, SIZE, 1, &seed);
        fill(w, SIZE, 1, &seed);
        differences(rig, q, v, dphi, along_v);
        differences(rig, q, w, dphi, along_w);
        evaluate(rig, q, none, v, phi, C, gamma);
        for (int32_t k = 0; k < rig->rows; k++) {
            double second = 0, mixed = 0, mine = 0, whole = 0,
                   size = largest(along_v[k], SIZE) + largest(along_w[k], SIZE), got[SIZE] = {0}, out[4 * SIZE];
            rbv_state_row_derivative(rig->state, k, v, out);
            rbv_state_row_hessian(rig->state, k, H);
            for (int32_t e = rig->system->D.start[k]; e < rig->system->D.start[k + 1]; e++)
                got[rig->system->D.column[e]] += out[e - rig->system->D.start[k]];
            for (int r = 0; r < SIZE; r++) {
                second += along_v[k][r] * v[r];
                mixed += 0.5 * (w[r] * along_v[k][r] + v[r] * along_w[k][r]);
                mine += w[r] * got[r];
                for (int c = 0; c < SIZE; c++)
                    whole += w[r] * H[r * SIZE + c] * v[c];
                if (is_line(rig, k))
                    assert_near(got[r], along_v[k][r], 1e-9 * size);
            }
            assert_near(-gamma[k], second, 1e-8 * size);
            assert_near(whole, mine, 1e-12 * size);
            if (!is_line(rig, k))
                assert_near(mine, mixed, 1e-8 * size);
        }
    }
}

static void second_derivatives_of_joints(void **unused) {
    (void)unused;
    Rig rig = open_rig(text);
    second_derivatives_follow(&rig, 11);
    close_rig(&rig);
}

static void second_derivatives_of_meshes(void **unused) {
    (void)unused;
    Rig rig = open_rig(meshes);
    second_derivatives_follow(&rig, 12);
    close_rig(&rig);
}

static const char surface_bodies[] =
    "roberval: 1\nspace: spatial\nbodies:\n"
    "  p: {mass: 2, inertia: [0.3, 0.4, 0.5], centroid: [0.12, 0.07, -0.1], pose: {at: [0.1, 0.2, 0.3], rotate: {axis: "
    "[1, -1, 2], angle: 0.4}},\n"
    "      markers: {P: {at: [0.5, 0.1, 0.2], axis: [0.3, -1, 0.5]}}}\n"
    "  q: {mass: 3, inertia: [0.5, 0.6, 0.7], centroid: [-0.2, 0.11, 0.3], pose: {at: [1.3, 0.5, -0.4], rotate: "
    "{euler: zyx, angles: [0.7, -0.3, 0.2]}},\n"
    "      markers: {Q: {at: [0.3, -0.4, 0.2], rotate: {euler: xzx, angles: [1.1, 0.5, -0.6]}}}}\n"
    "  c: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n";

/* A cam on a surface, whose contact rubs: rows 0 (gap), 1 and 2 (what holds it). */
static Rig open_surface(bool revolved, bool flat, bool curve) {
    RbvModel *model = machine_read(surface_bodies);
    RbvJointDef def = rbv_joint_def_default;
    def.name = "cam", def.type = "cam", def.between[0] = "p.P", def.between[1] = "q.Q";
    def.curve = outline(revolved ? 2 : 0), def.flat = flat, def.friction_coefficient = 0.1;
    if (curve)
        def.curve2 = outline(1);
    assert_int_equal(rbv_model_add_joint(model, &def, NULL), RBV_OK);
    return open_model(model);
}

/* Both rates are along unit tangents, square to each other and to the gap's force, and all three forces act at one
 * point. */
static void check_frame(const Rig *rig) {
    const RbvMarkerState *second = &rig->state->markers[rig->model->joints.items[0].marker[1]];
    RbvVec3 f[3], moment[3];
    for (int row = 0; row < 3; row++) {
        RbvWrench w = rig->state->measures[rig->system->terms[rig->system->rows[row].first].measure].gradient[1];
        f[row] = w.force;
        moment[row] = rbv_sub(w.torque, rbv_cross(second->arm, w.force)); /* about the second's origin */
    }
    RbvVec3 across = rbv_cross(f[0], moment[0]),
            place = rbv_add_scaled(across, rbv_dot(rbv_cross(f[1], moment[1]), f[0]), f[0]);
    for (int row = 0; row < 3; row++) {
        for (int other = 0; other < 3; other++)
            assert_near(rbv_dot(f[row], f[other]), row == other, 1e-12);
        assert_near(rbv_norm(rbv_sub(rbv_cross(place, f[row]), moment[row])), 0, 1e-11);
    }
}

static void sliding_on_surfaces_has_right_derivatives(void **unused) {
    (void)unused;
    static const struct {
        bool revolved, flat, curve;
    } kinds[] = {{false, false, false}, {false, true, false}, {false, false, true}, {true, false, false}};
    for (int k = 0; k < 4; k++) {
        Rig rig = open_surface(kinds[k].revolved, kinds[k].flat, kinds[k].curve);
        uint64_t seed = 70 + (uint64_t)k;
        assert_int_equal(rig.rows, 3);
        second_derivatives_follow(&rig, seed);
        for (int n = 0; n < states(); n++) {
            double q[POSITIONS], phi[ROWS], C[ROWS][SIZE], none[SIZE] = {0};
            random_state(&rig, q, &seed);
            evaluate(&rig, q, none, NULL, phi, C, NULL);
            check_frame(&rig);
        }
        close_rig(&rig);
    }
}

static void second_derivatives_of_turnings(void **unused) {
    (void)unused;
    Rig rig = open_rig(turnings);
    assert_int_equal(rig.rows, 1 + 1 + 4 + 4 + 4 + 2);
    second_derivatives_follow(&rig, 13);
    close_rig(&rig);
}

/* What the levers of a mesh say of its wheels is what its line does: n.(v_2 - v_1) for turns about the wheels' axes
 * alone, at the start. */
static void a_mesh_rolls_where_it_fits(void **unused) {
    (void)unused;
    Rig rig = open_rig(meshes);
    double phi[ROWS], C[ROWS][SIZE], none[SIZE] = {0}, w[SIZE], dphi[ROWS], dC[ROWS][SIZE];
    uint64_t seed = 3;
    fill(w, SIZE, 1, &seed);
    differences(&rig, rig.system->start_q, w, dphi, dC);
    evaluate(&rig, rig.system->start_q, none, NULL, phi, C, NULL);
    for (int32_t k = 0; k < rig.model->joints.count; k++) { /* a row each */
        double along = 0;
        for (int c = 0; c < SIZE; c++)
            along += C[k][c] * w[c];
        assert_near(along, dphi[k], 1e-10); /* wherever the wheels move, the value changes as the line does */
        const RbvJoint *joint = &rig.model->joints.items[k];
        const RbvMesh *mesh = &rig.model->meshes.items[joint->mesh];
        assert_near(phi[k], 0, 1e-14);
        for (int side = 0; side < 2; side++) {
            const RbvMarkerState *at = &rig.state->markers[joint->marker[side]];
            RbvVec3 h = at->axes->column[2], v = rbv_scale(-1, rbv_cross(h, at->arm));
            const double motion[6] = {v.x, v.y, v.z, h.x, h.y, h.z};
            double rate = 0;
            for (int c = 0; c < 6; c++)
                rate += C[k][rig.system->bodies.start[at->body] + c] * motion[c];
            assert_near(rate, mesh->turn[side], 1e-14);
        }
        assert_true(mesh->turn[1] > 0);
    }
    assert_near(rig.model->meshes.items[0].turn[0], 0.1, 1e-14);  /* against each other */
    assert_near(rig.model->meshes.items[1].turn[0], -0.1, 1e-14); /* the same way */
    assert_near(rig.model->meshes.items[5].turn[0], -0.05, 1e-14);
    close_rig(&rig);
}

/* One turn alone is no joint: its torque would have no direction of its own. */
static void no_kind_of_space_holds_one_turn_alone(void **unused) {
    (void)unused;
    for (int32_t k = 0; k < rbv_joint_kind_count(); k++) {
        int turns = rbv_joint_kind_at(k)->space.locks & RBV_DIRECTIONS_TURNS;
        assert_false(turns && (turns & (turns - 1)) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_the_derivatives_of_rows),
        cmocka_unit_test(second_derivatives_of_joints),
        cmocka_unit_test(second_derivatives_of_meshes),
        cmocka_unit_test(sliding_on_surfaces_has_right_derivatives),
        cmocka_unit_test(second_derivatives_of_turnings),
        cmocka_unit_test(no_kind_of_space_holds_one_turn_alone),
        cmocka_unit_test(a_mesh_rolls_where_it_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
