/* Joint coordinates of joined bodies, at random states of trees with every kind of joint; free bodies are in
 * coordinates_test.c.
 *
 * Held against the joints' own rows on body twists, which absolute coordinates have and which know nothing of tree
 * joints (the system in absolute coordinates): whatever q, v, v' is, they hold at the places, twists and accelerations
 * that it gives. Then against differences of place along step and along the flow of v, and against P itself, the twists
 * of unit rates. Each machine stands in every random state with its own tree, and with joints cut. Differences along v:
 * sixth order with step 1e-3 loses 1e-18 times seventh derivatives (some 10^4 down a chain) and 1e-13 by rounding. */
#include "mechanics/coordinates/joint.h"
#include "solution/assembly/absolute_state.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 12
#define BODIES 20
#define MOST 100
#define ROWS 100
#define STEP 1e-3
#define FIT 1e-8
static const double weight[3] = {0.75, -0.15, 1.0 / 60};

static uint64_t seed = 0x2545f4914f6cdd1du;

static double any(double most) {
    return most * machine_random(&seed);
}

static RbvVec3 any_vec3(double most) {
    return rbv_vec3(any(most), any(most), any(most));
}

static void any_vector(double *x, int32_t n, double most) {
    for (int32_t k = 0; k < n; k++)
        x[k] = any(most);
}

/* Every kind that is an arc, bodies as first and as second, particles as children and as parents; of two chains one
 * loop each. */
#define MARKERS                                                                                                        \
    "{i: {at: [0.3, -0.2, 0.4], axis: [0.1, 0.7, 0.4]}, j: {at: [-0.1, 0.5, 0.2], axis: [0.8, -0.2, 0.3]}, k: {at: "   \
    "[0.2, 0.1, -0.6], axis: [-0.3, 0.2, 0.9]}}"
#define SOLID(mass, more)                                                                                              \
    "{mass: " mass ", inertia: [0.9, 1.1, 0.7, 0.05, -0.02, 0.04], centroid: [0.2, -0.1, 0.3], markers: " MARKERS more \
    "}\n"
static const char space_kinds[] =
    "roberval: 1\nspace: spatial\n"
    "bodies:\n"
    "  ground: {markers: " MARKERS "}\n"
    "  a: " SOLID("1.5", "") "  b: " SOLID("1.2", "") "  c: " SOLID("0.8", "") "  d: " SOLID("1.1", "") "  e: " SOLID(
        "0.9",
        "") "  f: " SOLID("1.3",
                          "") "  g: " SOLID("0.7",
                                            "") "  h: " SOLID("1",
                                                              "") "  p: {mass: 0.6, particle: true, pose: {at: [1, 2, "
                                                                  "3]}}\n"
                                                                  "  q: {mass: 0.4, particle: true, pose: {at: [-1, "
                                                                  "0.5, 2]}}\n"
                                                                  "  m: " SOLID("1.4", "") "  n: " SOLID(
                                                                      "0.5",
                                                                      "") "  o: " SOLID("0.6",
                                                                                        "") "joints:\n"
                                                                                            "  revolute: {type: "
                                                                                            "revolute, between: "
                                                                                            "[ground.i, a.j]}\n"
                                                                                            "  cylindrical: {type: "
                                                                                            "cylindrical, between: "
                                                                                            "[b.i, a.k]}\n"
                                                                                            "  screw: {type: screw, "
                                                                                            "between: [b.j, c.k], "
                                                                                            "pitch: 0.3}\n"
                                                                                            "  screw_back: {type: "
                                                                                            "screw, between: [d.j, "
                                                                                            "c.j], pitch: -0.2}\n"
                                                                                            "  prismatic: {type: "
                                                                                            "prismatic, between: [c.i, "
                                                                                            "e.k]}\n"
                                                                                            "  universal: {type: "
                                                                                            "universal, between: [e.i, "
                                                                                            "f.j]}\n"
                                                                                            "  universal_back: {type: "
                                                                                            "universal, between: [g.i, "
                                                                                            "f.k]}\n"
                                                                                            "  ball: {type: spherical, "
                                                                                            "between: [g.j, h.k]}\n"
                                                                                            "  particle: {type: "
                                                                                            "inline, between: [h.j, "
                                                                                            "p]}\n"
                                                                                            "  of_particle: {type: "
                                                                                            "spherical, between: [p, "
                                                                                            "m.i]}\n"
                                                                                            "  particle_back: {type: "
                                                                                            "inplane, between: [q, "
                                                                                            "m.j]}\n"
                                                                                            "  fixed: {type: fixed, "
                                                                                            "between: [n.j, m.k]}\n"
                                                                                            "  last: {type: "
                                                                                            "constant-velocity, "
                                                                                            "between: [n.i, o.k]}\n"
                                                                                            "  over_a_particle: {type: "
                                                                                            "link, between: [a.j, "
                                                                                            "m.k], length: 2}\n"
                                                                                            "  again: {type: "
                                                                                            "perpendicular, between: "
                                                                                            "[h.i, n.k]}\n"
                                                                                            "  to_a_particle: {type: "
                                                                                            "inplane, between: [p, "
                                                                                            "o.i]}\n";
static const char space_more[] =
    "roberval: 1\nspace: spatial\n"
    "bodies:\n"
    "  ground: {markers: " MARKERS "}\n"
    "  a: " SOLID("1.5", "") "  b: " SOLID("1.2", "") "  c: " SOLID("0.8", "") "  d: " SOLID("1.1", "") "  e: " SOLID(
        "0.9",
        "") "  f: " SOLID("1.3",
                          "") "  g: " SOLID("0.7",
                                            "") "  h: " SOLID("1",
                                                              "") "  m: " SOLID("1.4",
                                                                                "") "  n: " SOLID("0.5",
                                                                                                  "") "joints:\n"
                                                                                                      "  planar: "
                                                                                                      "{type: planar, "
                                                                                                      "between: [a.i, "
                                                                                                      "ground.k]}\n"
                                                                                                      "  parallel: "
                                                                                                      "{type: "
                                                                                                      "parallel, "
                                                                                                      "between: [a.j, "
                                                                                                      "b.i]}\n"
                                                                                                      "  "
                                                                                                      "perpendicular: "
                                                                                                      "{type: "
                                                                                                      "perpendicular, "
                                                                                                      "between: [b.k, "
                                                                                                      "c.i]}\n"
                                                                                                      "  "
                                                                                                      "perpendicular_"
                                                                                                      "back: {type: "
                                                                                                      "perpendicular, "
                                                                                                      "between: [d.k, "
                                                                                                      "c.j]}\n"
                                                                                                      "  inline: "
                                                                                                      "{type: inline, "
                                                                                                      "between: [d.i, "
                                                                                                      "e.i]}\n"
                                                                                                      "  inplane: "
                                                                                                      "{type: inplane, "
                                                                                                      "between: [e.k, "
                                                                                                      "f.k]}\n"
                                                                                                      "  about_y: "
                                                                                                      "{type: general, "
                                                                                                      "between: [f.i, "
                                                                                                      "g.j], locked: "
                                                                                                      "[x, z, rx, "
                                                                                                      "rz]}\n"
                                                                                                      "  about_x: "
                                                                                                      "{type: general, "
                                                                                                      "between: [h.i, "
                                                                                                      "g.k], locked: "
                                                                                                      "[y, ry, rz]}\n"
                                                                                                      "  no_turn: "
                                                                                                      "{type: general, "
                                                                                                      "between: [h.j, "
                                                                                                      "m.k], locked: "
                                                                                                      "[rx, ry, rz, "
                                                                                                      "y]}\n"
                                                                                                      "  away: {type: "
                                                                                                      "x, between: "
                                                                                                      "[m.j, n.i], "
                                                                                                      "value: 0.7}\n";
static const char plane_kinds[] = "roberval: 1\nspace: planar\n"
                                  "bodies:\n"
                                  "  ground: {markers: {i: {at: [0.3, -0.2], angle: 0.4}, j: [1, 1]}}\n"
                                  "  a: {mass: 1.5, inertia: 0.9, centroid: [0.2, 0.1], markers: {i: {at: [0.4, 0.3], "
                                  "angle: 1.1}, j: {at: [-0.3, 0.2], angle: -0.4}, k: [0.5, 0.6]}}\n"
                                  "  b: {mass: 1.2, inertia: 0.8, centroid: [0.1, -0.3], markers: {i: {at: [-0.4, "
                                  "0.3], angle: 0.7}, j: {at: [0.3, -0.2], angle: -1.4}, k: [0.2, -0.6]}}\n"
                                  "  c: {mass: 0.8, inertia: 0.7, centroid: [-0.2, 0.1], markers: {i: {at: [0.1, 0.6], "
                                  "angle: 2.1}, j: {at: [-0.3, -0.2], angle: 0.4}, k: [0.8, 0.2]}}\n"
                                  "  d: {mass: 1.1, inertia: 0.6, centroid: [0.3, 0.4], markers: {i: {at: [0.2, 0.2], "
                                  "angle: -2.1}, j: {at: [0.3, 0.1], angle: 0.9}, k: [-0.5, 0.1]}}\n"
                                  "  e: {mass: 0.9, inertia: 0.5, centroid: [0.1, 0.1], markers: {i: {at: [0.4, -0.3], "
                                  "angle: 0.2}, j: {at: [-0.6, 0.2], angle: 1.4}, k: [-0.2, 0.6]}}\n"
                                  "  f: {mass: 1.3, inertia: 0.4, centroid: [0.2, -0.1], markers: {i: {at: [0.1, 0.3], "
                                  "angle: 1.6}, j: {at: [-0.1, 0.7], angle: -0.8}}}\n"
                                  "  g: {mass: 1.3, inertia: 0.4, centroid: [0.2, -0.1], markers: {i: {at: [0.1, 0.3], "
                                  "angle: 1.6}, j: {at: [-0.1, 0.7], angle: -0.8}}}\n"
                                  "  h: {mass: 1.7, inertia: 0.3, centroid: [-0.2, -0.1], markers: {i: {at: [0.2, "
                                  "0.3], angle: 0.6}, j: {at: [-0.4, 0.7], angle: -0.5}}}\n"
                                  "  p: {mass: 0.6, particle: true, pose: {at: [1, 2]}}\n"
                                  "  q: {mass: 0.4, particle: true, pose: {at: [-1, 0.5]}}\n"
                                  "joints:\n"
                                  "  revolute: {type: revolute, between: [a.j, ground.i]}\n"
                                  "  prismatic: {type: prismatic, between: [a.i, b.j]}\n"
                                  "  slot: {type: slot, between: [c.i, b.i], value: 0.3}\n"
                                  "  parallel: {type: parallel, between: [c.j, d.i]}\n"
                                  "  height: {type: y, between: [d.j, e.i], value: -0.4}\n"
                                  "  turned: {type: angle, between: [f.i, e.j], value: 0.8}\n"
                                  "  width: {type: x, between: [f.j, g.i], value: 1.2}\n"
                                  "  fixed: {type: fixed, between: [g.j, h.i]}\n"
                                  "  particle: {type: slot, between: [h.j, p]}\n"
                                  "  particle_back: {type: x, between: [q, a.k], value: 0.2}\n";
/* Loops, rows of other kinds between bodies far down, a free body, generalized coordinates. */
static const char space_loops[] =
    "roberval: 1\nspace: spatial\n"
    "bodies:\n"
    "  ground: {markers: " MARKERS "}\n"
    "  a: " SOLID("1.5", "") "  b: " SOLID("1.2", "") "  c: " SOLID("0.8", "") "  d: " SOLID("1.1", "") "  e: " SOLID(
        "0.9", "") "  free: " SOLID("0.7", "") "joints:\n"
                                               "  trunk: {type: spherical, between: [ground.i, a.j]}\n"
                                               "  one: {type: revolute, between: [a.i, b.k]}\n"
                                               "  two: {type: cylindrical, between: [c.k, a.k]}\n"
                                               "  three: {type: universal, between: [b.i, d.j]}\n"
                                               "  closing: {type: spherical, between: [d.i, c.j]}\n"
                                               "  again: {type: revolute, between: [c.i, e.j]}\n"
                                               "  square: {type: perpendicular, between: [d.k, e.k]}\n"
                                               "  rod: {type: link, between: [e.i, b.j], length: 1.5}\n"
                                               "  above: {type: inplane, between: [ground.j, e.k]}\n"
                                               "constraints:\n"
                                               "  far: {equation: \"distance(free.i, e.k) - 2 + one.angle\"}\n"
                                               "generalized:\n"
                                               "  coordinates: {u: {start: 0.3}, w: {start: -0.2}}\n"
                                               "  mass: [[2, 0], [0, 1]]\n"
                                               "  force: [\"-u\", \"-w\"]\n";
static const char plane_loops[] = "roberval: 1\nspace: planar\n"
                                  "bodies:\n"
                                  "  ground: {markers: {B: [2, 0.3]}}\n"
                                  "  a: {mass: 1.5, inertia: 0.9, centroid: [0.2, 0.1], markers: {E: [1, 0]}}\n"
                                  "  b: {mass: 1.2, inertia: 0.8, centroid: [0.1, -0.3], markers: {E: [1, 0.4]}}\n"
                                  "  c: {mass: 0.8, inertia: 0.7, centroid: [-0.2, 0.1], markers: {E: [0.9, -0.1]}}\n"
                                  "  d: {mass: 1.1, inertia: 0.6, centroid: [0.3, 0.4], markers: {E: [0.5, 0]}}\n"
                                  "joints:\n"
                                  "  A: {type: revolute, between: [ground, a]}\n"
                                  "  P: {type: revolute, between: [a.E, b]}\n"
                                  "  Q: {type: revolute, between: [c.E, b.E]}\n"
                                  "  B: {type: revolute, between: [ground.B, c]}\n"
                                  "  S: {type: slot, between: [b, d]}\n"
                                  "  T: {type: prismatic, between: [d.E, c.E]}\n"
                                  "  L: {type: link, between: [a.E, d.E], length: 1}\n";

typedef struct Machine {
    const char *text;
    const char *cut[5]; /* up to NULL */
    int32_t size;       /* numbers of v */
} Machine;

static const Machine machines[] = {
    /* free directions of each arc in the order of the joints: 1 2 1 1 1 2 2 3 | 1 3 2 0 3 */
    {space_kinds, {NULL}, 22},
    {space_more, {NULL}, 3 + 4 + 5 + 5 + 4 + 5 + 2 + 3 + 2 + 5},
    {plane_kinds, {NULL}, 1 + 1 + 2 + 2 + 2 + 2 + 2 + 0 + 1 + 1},
    {space_loops, {NULL}, 3 + 1 + 2 + 2 + 1 + 6 + 2}, /* cut: closing, and what is no arc */
    {space_loops,
     {"trunk", "three"},
     5 + 1 + 3 + 2 + 1 + 6 + 2}, /* e hangs on ground by above, then again, closing, two, one */
    {space_loops, {"one", "closing", "again", "above"}, 0},
    {plane_loops, {NULL}, 0},
    {plane_loops, {"A", "T"}, 0},
    {plane_loops, {"P", "B", "S"}, 0},
};

typedef struct Rig {
    RbvModel *model;
    RbvSystem *system;
    RbvState *state, *absolute;
    const RbvCoordinates *c;
    double v[MOST], a[MOST];
    RbvTwist accelerations[BODIES];
} Rig;

static RbvPosed here(const Rig *rig) {
    return rbv_state_at(rig->state);
}

/* Another place: what was prepared is not of it. */
static RbvPosed at(const Rig *rig, const double *q, const RbvBodyState *bodies) {
    return (RbvPosed){q, bodies, rig->state->room, rig->state->sums, NULL};
}

static void place(const Rig *rig) {
    RbvState *state = rig->state;
    memcpy(state->v, rig->v, (size_t)rig->c->size * sizeof(double));
    memcpy(state->a, rig->a, (size_t)rig->c->size * sizeof(double));
    assert_true(rbv_state_place(state));
    rbv_state_jacobian(state);
    assert_true(rbv_state_rates(state) && rbv_state_move(state));
}

static void open_rig(Rig *rig, const Machine *machine) {
    *rig = (Rig){.model = machine_read(machine->text)};
    int32_t cuts = 0;
    while (machine->cut[cuts])
        cuts++;
    RbvDiagnostics *said = rbv_diagnostics_create();
    if (rbv_system_create(
            rig->model,
            &(RbvSystemOptions){.coordinates = RBV_COORDINATES_JOINT, .tree = {.cut_count = cuts, .cut = machine->cut}},
            said, &rig->system) != RBV_OK) {
        machine_print(said);
        fail();
    }
    rbv_diagnostics_destroy(said);
    rig->c = &rig->system->coordinates;
    assert_true(rig->c->size <= MOST && rig->c->position_size <= MOST && rig->system->bodies.count <= BODIES &&
                rig->system->row_count <= ROWS && rig->system->bodies.size <= MOST);
    if (machine->size > 0)
        assert_int_equal(rig->c->size, machine->size);
    rig->state = rbv_state_create(rig->system);
    assert_non_null(rig->state);
    double dv[MOST];
    any_vector(dv, rig->c->size, 1.5);
    rbv_coordinates_step(rig->c, rig->state->q, dv);
    any_vector(rig->v, rig->c->size, 1);
    any_vector(rig->a, rig->c->size, 1);
    place(rig);
    rbv_coordinates_accelerate(rig->c, here(rig), rig->v, rig->a, rig->accelerations);
    rig->absolute = rbv_absolute_state_create(rig->state);
    assert_non_null(rig->absolute);
    rbv_absolute_state_follow(rig->state, rig->absolute);
    assert_true(rbv_state_place(rig->absolute));
    rbv_state_jacobian(rig->absolute);
    assert_true(rbv_state_rates(rig->absolute) && rbv_state_move(rig->absolute));
}

static void close_rig(Rig *rig) {
    rbv_state_destroy(rig->absolute);
    rbv_state_destroy(rig->state);
    rbv_system_destroy(rig->system);
    rbv_model_destroy(rig->model);
}

static double distance(RbvVec3 a, RbvVec3 b) {
    return rbv_norm(rbv_sub(a, b));
}

static void assert_twists(const Rig *rig, const RbvTwist *a, const RbvTwist *b, double fit) {
    for (int32_t k = 1; k < rig->system->bodies.count; k++) {
        assert_true(distance(a[k].v, b[k].v) < fit * (1 + rbv_norm(b[k].v)));
        assert_true(distance(a[k].w, b[k].w) < fit * (1 + rbv_norm(b[k].w)));
    }
}

static void assert_placed(const Rig *rig, const RbvBodyState *a, const RbvBodyState *b, double fit) {
    for (int32_t k = 0; k < rig->system->bodies.count; k++) {
        assert_true(distance(a[k].r, b[k].r) < fit * (1 + rbv_norm(b[k].r)));
        for (int axis = 0; axis < 3; axis++)
            assert_true(distance(a[k].A.column[axis], b[k].A.column[axis]) < fit);
    }
}

/* Row k of D times columns of bodies. */
static double row_of_bodies(const RbvState *absolute, int32_t k, const RbvTwist *twists) {
    const RbvSystem *system = absolute->system;
    double x[MOST] = {0}, sum = 0;
    for (int32_t b = 1; b < system->bodies.count; b++)
        rbv_bodies_put(&system->bodies, b, twists[b], x);
    for (int32_t e = system->D.start[k]; e < system->D.start[k + 1]; e++)
        sum += absolute->D[e] * x[system->D.column[e]];
    return sum;
}

/* The claims. */

/* What an arc keeps of its joint holds at any q, for any v and v'. */
static void arcs_hold_their_joints(Rig *rig) {
    for (int32_t k = 0; k < rig->system->row_count; k++) {
        if (!rbv_system_keeps(rig->system, k))
            continue;
        assert_true(fabs(rig->absolute->phi[k]) < 1e-12);
        assert_true(fabs(row_of_bodies(rig->absolute, k, rig->state->twists)) < 1e-11);
        assert_true(fabs(row_of_bodies(rig->absolute, k, rig->accelerations) - rig->absolute->gamma_D[k]) < 1e-10);
    }
}

/* As many numbers as the kept rows leave free: none is lost, and none is double (take_rates gives them back). */
static void numbers_are_as_many_as_rows_leave(Rig *rig) {
    int32_t kept = 0;
    double v[MOST];
    for (int32_t k = 0; k < rig->system->row_count; k++)
        kept += rbv_system_keeps(rig->system, k);
    assert_int_equal(rig->c->size, rig->system->bodies.size - kept);
    rig->c->kind->take_rates(rig->c, here(rig), rig->state->twists, v);
    for (int32_t k = 0; k < rig->c->size; k++)
        assert_true(fabs(v[k] - rig->v[k]) < 1e-12);
}

static void take_is_the_inverse_of_place(Rig *rig) {
    double q[MOST];
    RbvBodyState again[BODIES];
    rbv_coordinates_from_bodies(rig->c, rig->state->bodies, q);
    rbv_coordinates_positions(rig->c, q, again);
    assert_placed(rig, again, rig->state->bodies, 1e-13);
    for (int32_t b = 1; b < rig->system->bodies.count; b++) { /* whole turns and the signs of quaternions too */
        assert_true(again[b].whole == rig->state->bodies[b].whole || !rbv_bodies_turns(&rig->system->bodies, b) ||
                    rig->system->bodies.spatial);
        assert_true(!rig->system->bodies.spatial ||
                    rbv_quat_product(again[b].p, rbv_quat_conjugate(rig->state->bodies[b].p)).w > 0.9);
    }
}

/* Places along v, at h times the k-th of six weights. */
static double along(const Rig *rig, int k, double *q, RbvBodyState *bodies) {
    double dv[MOST], h = (k % 2 ? -1 : 1) * (k / 2 + 1) * STEP;
    memcpy(q, rig->state->q, (size_t)rig->c->position_size * sizeof *q);
    for (int32_t j = 0; j < rig->c->size; j++)
        dv[j] = h * rig->v[j];
    rbv_coordinates_step(rig->c, q, dv);
    rbv_coordinates_positions(rig->c, q, bodies);
    return (k % 2 ? -1 : 1) * weight[k / 2] / STEP;
}

static void push_is_the_rate_of_place(Rig *rig) {
    RbvTwist found[BODIES];
    RbvMat3 rate[BODIES];
    double numbers[MOST] = {0}, told[MOST];
    memset(found, 0, sizeof found);
    memset(rate, 0, sizeof rate);
    for (int k = 0; k < 6; k++) {
        double q[MOST], w;
        RbvBodyState near[BODIES];
        w = along(rig, k, q, near);
        for (int32_t j = 0; j < rig->c->position_size; j++)
            numbers[j] += w * q[j];
        for (int32_t b = 1; b < rig->system->bodies.count; b++) {
            found[b].v = rbv_add_scaled(found[b].v, w, near[b].r);
            for (int axis = 0; axis < 3; axis++)
                rate[b].column[axis] = rbv_add_scaled(rate[b].column[axis], w, near[b].A.column[axis]);
        }
    }
    for (int32_t b = 1; b < rig->system->bodies.count; b++)
        for (int axis = 0; axis < 3; axis++)
            found[b].w =
                rbv_add_scaled(found[b].w, 0.5, rbv_cross(rig->state->bodies[b].A.column[axis], rate[b].column[axis]));
    assert_twists(rig, rig->state->twists, found, FIT);
    rbv_coordinates_rate(rig->c, rig->state->q, rig->v, told);
    for (int32_t j = 0; j < rig->c->position_size; j++)
        assert_true(fabs(told[j] - numbers[j]) < FIT * (1 + fabs(told[j])));
}

/* q along v held constant, at the time h from here: four steps of Runge and Kutta. */
static void flow(const Rig *rig, double h, double *q) {
    memcpy(q, rig->state->q, (size_t)rig->c->position_size * sizeof *q);
    for (int step = 0; step < 4; step++) {
        double r[4][MOST], near[MOST], part = h / 4;
        const double reach[4] = {0, 0.5, 0.5, 1}, share[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (int s = 0; s < 4; s++) {
            for (int32_t k = 0; k < rig->c->position_size; k++)
                near[k] = q[k] + (s ? part * reach[s] * r[s - 1][k] : 0);
            rbv_coordinates_rate(rig->c, near, rig->v, r[s]);
        }
        for (int32_t k = 0; k < rig->c->position_size; k++)
            for (int s = 0; s < 4; s++)
                q[k] += part * share[s] * r[s][k];
    }
    rbv_coordinates_renew(rig->c, q);
}

static void bias_is_the_second_rate(Rig *rig) {
    RbvTwist bias[BODIES], found[BODIES];
    rbv_coordinates_bias(rig->c, here(rig), rig->v, bias);
    memset(found, 0, sizeof found);
    for (int k = 0; k < 6; k++) {
        double q[MOST], h = (k % 2 ? -1 : 1) * (k / 2 + 1) * STEP, w = (k % 2 ? -1 : 1) * weight[k / 2] / STEP;
        RbvBodyState near[BODIES];
        RbvTwist twists[BODIES];
        flow(rig, h, q);
        rbv_coordinates_positions(rig->c, q, near);
        rbv_coordinates_velocities(rig->c, at(rig, q, near), rig->v, twists);
        for (int32_t b = 1; b < rig->system->bodies.count; b++) {
            found[b].v = rbv_add_scaled(found[b].v, w, twists[b].v);
            found[b].w = rbv_add_scaled(found[b].w, w, twists[b].w);
        }
    }
    assert_twists(rig, found, bias, FIT);
}

/* P by columns: what moves a body, pull, add, and both beyond a body of the tree. */
static void sweeps_are_those_of_unit_rates(Rig *rig) {
    static RbvTwist P[MOST][BODIES];
    const RbvBodyColumns *bodies = &rig->system->bodies;
    RbvWrench wrenches[BODIES];
    double Q[MOST];
    memset(wrenches, 0, sizeof wrenches);
    for (int32_t k = 0; k < rig->c->size; k++) {
        double unit[MOST] = {0};
        unit[k] = 1;
        rbv_coordinates_velocities(rig->c, here(rig), unit, P[k]);
    }
    for (int32_t b = 1; b < bodies->count; b++)
        wrenches[b] = (RbvWrench){any_vec3(1), rbv_bodies_turns(bodies, b) ? any_vec3(1) : rbv_vec3(0, 0, 0)};
    rbv_coordinates_generalized_forces(rig->c, here(rig), wrenches, Q);
    for (int32_t k = 0; k < rig->c->size; k++) {
        double sum = 0;
        for (int32_t b = 1; b < bodies->count; b++)
            sum += rbv_power(wrenches[b], P[k][b]);
        assert_true(fabs(sum - Q[k]) < 1e-12 * (1 + fabs(sum)));
    }
    for (int32_t b = 1; b < bodies->count; b++) {
        int32_t column[MOST], count = rig->c->kind->columns(rig->c, b, column);
        double part[MOST] = {0}, dense[MOST] = {0};
        bool listed[MOST] = {false};
        rig->c->kind->add(rig->c, here(rig), b, 2, &wrenches[b], part);
        for (int32_t e = 0; e < count; e++) {
            assert_false(listed[column[e]]);
            listed[column[e]] = true;
            dense[column[e]] = part[e];
        }
        for (int32_t k = 0; k < rig->c->size; k++) {
            assert_true(listed[k] || rbv_norm(P[k][b].v) + rbv_norm(P[k][b].w) < 1e-14);
            assert_true(fabs(dense[k] - 2 * rbv_power(wrenches[b], P[k][b])) < 1e-12);
        }
    }
}

/* A wrench on one body against one on another, the rest of what both share being equal and opposite: the motion of what
 * they share does no work on it. */
static void what_bodies_share_is_not_felt(Rig *rig) {
    const int32_t bodies = rig->system->bodies.count;
    for (int n = 0; n < 20; n++) {
        int32_t pair[2] = {1 + (int32_t)((any(1) + 1) / 2 * (bodies - 1)),
                           1 + (int32_t)((any(1) + 1) / 2 * (bodies - 1))};
        const RbvBody *body[2] = {&rig->model->bodies.items[pair[0] % bodies],
                                  &rig->model->bodies.items[pair[1] % bodies]};
        if (pair[0] >= bodies || pair[1] >= bodies || pair[0] == pair[1] || body[0]->particle || body[1]->particle ||
            body[0]->generalized || body[1]->generalized)
            continue;
        int32_t meet = rig->c->kind->common(rig->c, 2, pair);
        RbvWrench wrench[2] = {{any_vec3(1), any_vec3(1)}, {{0, 0, 0}, {0, 0, 0}}};
        RbvVec3 arm =
            rbv_sub(rig->state->bodies[pair[0]].r, rig->state->bodies[pair[1]].r); /* the opposite, at the same line */
        if (!rig->system->bodies.spatial)
            wrench[0].force.z = wrench[0].torque.x = wrench[0].torque.y = 0;
        wrench[1] = (RbvWrench){rbv_scale(-1, wrench[0].force),
                                rbv_scale(-1, rbv_add(wrench[0].torque, rbv_cross(arm, wrench[0].force)))};
        double whole[MOST] = {0}, beyond[MOST] = {0};
        for (int side = 0; side < 2; side++) {
            int32_t column[MOST], count = rig->c->kind->columns(rig->c, pair[side], column);
            double part[MOST] = {0};
            rig->c->kind->add(rig->c, here(rig), pair[side], 1, &wrench[side], part);
            for (int32_t e = 0; e < count; e++)
                whole[column[e]] += part[e];
            count = rig->c->kind->columns_beyond(rig->c, meet, pair[side], column);
            memset(part, 0, sizeof part);
            rig->c->kind->add_beyond(rig->c, here(rig), meet, pair[side], 1, &wrench[side], part);
            for (int32_t e = 0; e < count; e++)
                beyond[column[e]] += part[e];
        }
        for (int32_t k = 0; k < rig->c->size; k++)
            assert_true(fabs(whole[k] - beyond[k]) < 1e-12);
    }
}

/* C = D P with the entries that there are, C v' - gamma = D a - gamma_D, of all rows but those that are kept, which
 * have no entries. */
static void rows_are_those_of_bodies(Rig *rig) {
    static double P[MOST][MOST];
    const RbvState *state = rig->state;
    const RbvSystem *system = rig->system;
    RbvTwist twists[BODIES];
    for (int32_t k = 0; k < rig->c->size; k++) {
        double unit[MOST] = {0};
        unit[k] = 1;
        rbv_coordinates_velocities(rig->c, here(rig), unit, twists);
        for (int32_t b = 1; b < system->bodies.count; b++)
            rbv_bodies_put(&system->bodies, b, twists[b], P[k]);
    }
    for (int32_t row = 0; row < system->row_count; row++) {
        double dense[MOST] = {0}, Ca = 0;
        for (int32_t e = system->C.start[row]; e < system->C.start[row + 1]; e++) {
            dense[system->C.column[e]] = state->C[e];
            Ca += state->C[e] * rig->a[system->C.column[e]];
        }
        if (rbv_system_keeps(system, row)) {
            assert_int_equal(system->C.start[row], system->C.start[row + 1]);
            assert_true(state->gamma[row] == 0);
            continue;
        }
        for (int32_t k = 0; k < rig->c->size; k++) {
            double sum = 0;
            for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
                sum += rig->absolute->D[e] * P[k][system->D.column[e]];
            assert_true(fabs(sum - dense[k]) < 1e-12 * (1 + fabs(sum)));
        }
        assert_true(fabs(rig->absolute->phi[row] - state->phi[row]) < 1e-12);
        assert_true(fabs(Ca - state->gamma[row] -
                         (row_of_bodies(rig->absolute, row, rig->accelerations) - rig->absolute->gamma_D[row])) <
                    1e-10);
    }
}

static void step_and_difference_are_inverse(Rig *rig) {
    double to[MOST], found[MOST];
    memcpy(to, rig->state->q, sizeof(double) * (size_t)rig->c->position_size);
    rbv_coordinates_step(rig->c, to, rig->v);
    rbv_coordinates_difference(rig->c, rig->state->q, to, found);
    for (int32_t k = 0; k < rig->c->size; k++)
        assert_true(fabs(found[k] - rig->v[k]) < 1e-13);
}

/* x.My = y.Mx, twice the kinetic energy, and u.(M a - Q) is the work of inertia less forces on u, by the bodies' own
 * masses. */
static void masses_and_forces_are_those_of_bodies(Rig *rig) {
    const RbvSystem *system = rig->system;
    double u[MOST], Mv[MOST], Mu[MOST], Ma[MOST], Q[MOST], uMv = 0, vMu = 0, twice = 0, energy = 0, sum = 0,
                                                           expected = 0;
    RbvTwist twists[BODIES], bias[BODIES];
    RbvWrench wrenches[BODIES], less[BODIES];
    memset(wrenches, 0, sizeof wrenches);
    any_vector(u, rig->c->size, 1);
    rbv_coordinates_mass(rig->c, here(rig), rig->v, Mv);
    rbv_coordinates_mass(rig->c, here(rig), u, Mu);
    rbv_coordinates_mass(rig->c, here(rig), rig->a, Ma);
    rbv_coordinates_velocities(rig->c, here(rig), u, twists);
    for (int32_t b = 1; b < system->bodies.count; b++) {
        const RbvBody *body = &rig->model->bodies.items[b];
        const double *I = body->inertia;
        RbvVec3 w = rbv_apply_transposed(&rig->state->bodies[b].A, rig->state->twists[b].w);
        energy += 0.5 * body->mass * rbv_dot(rig->state->twists[b].v, rig->state->twists[b].v);
        energy += 0.5 * (I[0] * w.x * w.x + I[1] * w.y * w.y + I[2] * w.z * w.z) + I[3] * w.x * w.y + I[4] * w.x * w.z +
                  I[5] * w.y * w.z;
        wrenches[b] = (RbvWrench){any_vec3(1), rbv_bodies_turns(&system->bodies, b) ? any_vec3(1) : rbv_vec3(0, 0, 0)};
        RbvWrench inertia = {rbv_scale(body->mass, rig->accelerations[b].v),
                             rbv_body_momentum(body, &rig->state->bodies[b].A, rig->accelerations[b].w)};
        expected += rbv_power(rbv_wrench_add_scaled(inertia, -1, wrenches[b]), twists[b]);
    }
    rbv_coordinates_bias(rig->c, here(rig), rig->v, bias);
    rbv_coordinates_force(rig->c, here(rig), rig->v, wrenches, bias, twists, less, Q);
    for (int32_t k = 0; k < rig->c->size; k++) {
        uMv += u[k] * Mv[k];
        vMu += rig->v[k] * Mu[k];
        twice += rig->v[k] * Mv[k];
        sum += u[k] * (Ma[k] - Q[k]);
    }
    assert_true(fabs(uMv - vMu) < 1e-12 * (1 + fabs(uMv)));
    assert_true(fabs(0.5 * twice - energy) < 1e-12 * (1 + energy));
    assert_true(fabs(sum - expected) < 1e-11 * (1 + fabs(expected)));
}

static void (*const claims[])(Rig *) = {
    arcs_hold_their_joints,          numbers_are_as_many_as_rows_leave,
    take_is_the_inverse_of_place,    push_is_the_rate_of_place,
    bias_is_the_second_rate,         sweeps_are_those_of_unit_rates,
    what_bodies_share_is_not_felt,   rows_are_those_of_bodies,
    step_and_difference_are_inverse, masses_and_forces_are_those_of_bodies,
};

static void joined_bodies(void **unused) {
    (void)unused;
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (int state = 0; state < STATES; state++)
            for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
                Rig rig;
                open_rig(&rig, &machines[m]);
                claims[k](&rig);
                close_rig(&rig);
            }
}

/* Arcs are where they are expected: bodies as first and second, particles, what is cut hangs elsewhere. */
static void arcs_are_joints(void **unused) {
    (void)unused;
    int32_t backwards = 0, screws = 0, balls = 0, crosses = 0;
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        Rig rig;
        open_rig(&rig, &machines[m]);
        const RbvJointTree *tree = rbv_joint_tree_of(rig.c);
        for (int32_t b = 1; b < rig.system->bodies.count; b++) {
            const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
            backwards += tree_joint->joint >= 0 && tree_joint->sign < 0;
            screws += tree_joint->screw;
            balls += tree_joint->turn == RBV_TREE_JOINT_BALL;
            crosses += tree_joint->turn == RBV_TREE_JOINT_CROSS;
            for (int k = 0; machines[m].cut[k]; k++)
                assert_true(tree_joint->joint < 0 ||
                            strcmp(rig.model->joints.items[tree_joint->joint].name, machines[m].cut[k]) != 0);
        }
        for (int32_t n = 1; n < rig.system->bodies.count; n++) { /* parents stand before children */
            int32_t parent = tree->tree_joints[tree->order[n]].parent, at_ = -1;
            for (int32_t k = 0; k < n; k++)
                at_ = tree->order[k] == parent ? k : at_;
            assert_true(at_ >= 0);
        }
        close_rig(&rig);
    }
    assert_true(backwards >= 10 && screws == 2 && balls >= 5 && crosses >= 4);
}

/* A ball turned by 1 radian a thousand times, about axes that change: the product of all turns. Differences take the
 * shortest way. */
static void spheres_turn_through_any_turn(void **unused) {
    (void)unused;
    RbvModel *model = machine_read("roberval: 1\nspace: spatial\nbodies: {a: {mass: 1, inertia: [1, 1, 1], markers: "
                                   "{i: {at: [0.3, 0.2, 0.1], axis: [0.2, 0.1, 1]}}}}\n"
                                   "joints: {s: {type: spherical, between: [ground, a.i]}}\n");
    RbvSystem *system;
    assert_int_equal(rbv_system_create(model, &(RbvSystemOptions){.coordinates = RBV_COORDINATES_JOINT}, NULL, &system),
                     RBV_OK);
    const RbvCoordinates *c = &system->coordinates;
    assert_int_equal(c->size, 3);
    double q[8], before[8], back[3];
    RbvBodyState bodies[2];
    memcpy(q, system->start_q, (size_t)c->position_size * sizeof *q);
    rbv_coordinates_positions(c, q, bodies);
    RbvMat3 expected = bodies[1].A;
    for (int n = 0; n < 1000; n++) {
        RbvVec3 axis = any_vec3(1);
        axis = rbv_scale((n % 2 ? 3.1 : 1) / rbv_norm(axis), axis);
        RbvMat3 turn = rbv_mat3_of_quat(rbv_quat_of_vector(axis));
        memcpy(before, q, sizeof q);
        rbv_coordinates_step(c, q, (double[3]){axis.x, axis.y, axis.z});
        rbv_coordinates_difference(c, before, q, back);
        assert_true(distance(rbv_vec3(back[0], back[1], back[2]), axis) <
                    1e-13 * 100); /* near half a turn its axis is known to 1e-15 / sin */
        expected = rbv_mat3_product(&turn, &expected);
    }
    rbv_coordinates_positions(c, q, bodies);
    for (int k = 0; k < 3; k++)
        assert_true(distance(bodies[1].A.column[k], expected.column[k]) < 1e-12);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* 10^6 turns of a hinge in the plane and in space, and of a screw: the attitude is that of the rest, the screw's way
 * that of all turns; taken again they are the same. */
static void whole_turns_are_counted(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "roberval: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1, centroid: [0.3, 0.2]}}\njoints: {s: {type: "
        "revolute, between: [a, ground]}}\n",
        "roberval: 1\nspace: spatial\nbodies: {a: {mass: 1, inertia: [1, 1, 1], centroid: [0.3, 0.2, 0]}}\njoints: {s: "
        "{type: revolute, between: [ground, a]}}\n",
        "roberval: 1\nspace: spatial\nbodies: {a: {mass: 1, inertia: [1, 1, 1], centroid: [0.3, 0.2, 0], pose: {at: "
        "[0, 0, 0.7], rotate: {axis: [0, 0, 1], angle: 200 deg}}}}\n"
        "joints: {s: {type: screw, between: [ground, a], pitch: 0.001}}\n",
    };
    const double way = 6283186.5;
    for (int m = 0; m < 3; m++) {
        RbvModel *model = machine_read(texts[m]);
        RbvSystem *system;
        assert_int_equal(
            rbv_system_create(model, &(RbvSystemOptions){.coordinates = RBV_COORDINATES_JOINT}, NULL, &system), RBV_OK);
        const RbvCoordinates *c = &system->coordinates;
        assert_int_equal(c->size, 1);
        double q[8], again[8], back;
        RbvBodyState first[2], last[2];
        memcpy(q, system->start_q, (size_t)c->position_size * sizeof *q);
        rbv_coordinates_positions(c, q, first);
        rbv_coordinates_step(c, q, &way);
        rbv_coordinates_positions(c, q, last);
        rbv_coordinates_difference(c, system->start_q, q, &back);
        RbvMat3 turned = rbv_mat3_about_z(m == 0 ? -way : way), expected = rbv_mat3_product(&turned, &first[1].A);
        assert_true(fabs(back - way) < 2e-9);
        for (int k = 0; k < 3; k++)
            assert_true(distance(last[1].A.column[k], expected.column[k]) < 2e-9); /* start + way is rounded, once */
        if (m == 2) {
            assert_near(first[1].r.z, 0.7, 1e-14);
            assert_near(last[1].r.z, 0.7 + 0.001 * way / RBV_TWO_PI, 1e-9);
            assert_true(rbv_quat_product(last[1].p, rbv_quat_conjugate(rbv_quat_product(
                                                        (RbvQuat){cos(way / 2), {0, 0, sin(way / 2)}}, first[1].p)))
                            .w > 0.999); /* of the same sign */
        }
        rbv_coordinates_from_bodies(c, last, again);
        if (m != 1) /* a hinge in space has its turns from its quaternion: one or none */
            assert_near(again[0] + RBV_TWO_PI * again[1], q[0] + RBV_TWO_PI * q[1], 2e-9);
        rbv_coordinates_positions(c, again, first);
        assert_true(distance(first[1].r, last[1].r) < 1e-9 &&
                    distance(first[1].A.column[0], last[1].A.column[0]) < 1e-12);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
}

static void a_joint_that_is_not_there_cannot_be_cut(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(machine_four_bar);
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvSystem *system;
    assert_int_equal(
        rbv_system_create(model,
                          &(RbvSystemOptions){.coordinates = RBV_COORDINATES_JOINT,
                                              .tree = {.cut_count = 1, .cut = (const char *const[]){"crank"}}},
                          said, &system),
        RBV_BAD_INPUT); /* a body */
    assert_null(system);
    assert_true(machine_says(said, RBV_ERROR, "there is no joint 'crank' to cut"));
    rbv_diagnostics_destroy(said);
    rbv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_bodies),
        cmocka_unit_test(arcs_are_joints),
        cmocka_unit_test(spheres_turn_through_any_turn),
        cmocka_unit_test(whole_turns_are_counted),
        cmocka_unit_test(a_joint_that_is_not_there_cannot_be_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
