/* Random starts against truth that is computed here: what friction of one hinge or two can hold, where two bars on
 * springs rest, accelerations of flat four-bars.
 *
 * ROBERVAL_ROUNDS=33000 draws as many of each kind; few by default, 1000 with ROBERVAL_MORE. */
#include "model/result/result.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
/* Of an end, or of 1: rounding times the condition of a double root, which is kept apart by DOUBLE. */
#define END_NEAR 1e-6
#define DOUBLE 1e-4
/* [rad] Of angles at rest: the program's forces are good to 1e-10, curvatures are above 1e-3 of forces and arms here.
 */
#define REST_NEAR 1e-6
/* Of an acceleration: differences of fourth order over forms no smaller than FORM of the rates. */
#define LAW 1e-8
#define FORM 0.05

static const RbvCoordinatesChoice kinds[] = {RBV_COORDINATES_ABSOLUTE, RBV_COORDINATES_NATURAL, RBV_COORDINATES_JOINT};

static int rounds(void) {
    const char *said = getenv("ROBERVAL_ROUNDS");
    return said ? atoi(said) : getenv("ROBERVAL_MORE") ? 1000 : 60;
}

static double between(uint64_t *seed, double least, double most) {
    return least + (most - least) * 0.5 * (1 + machine_random(seed));
}

static double sign(uint64_t *seed) {
    return machine_random(seed) < 0 ? -1 : 1;
}

/* The seed of round k of a kind: any round can be made again by itself. */
static uint64_t seed_of(int kind, int k) {
    uint64_t seed = ((uint64_t)kind << 32) + 88172645463325252ull + (uint64_t)k * 2654435761u;
    for (int i = 0; i < 8; i++)
        machine_random(&seed);
    return seed;
}

/* --- what friction can hold
 * ------------------------------------------------------------------------------------------- */

/* Two bars in a row on hinges with friction, or one: weights, coils, p c at the end. At each hinge |m0 + m1 p| <= reach
 * |R0 + R1 p|. */
typedef struct Hinge {
    double m0, m1, reach, R0[2], R1[2];
} Hinge;

typedef struct Set { /* closed intervals, ascending */
    double end[8][2];
    int count;
} Set;

/* Where a p^2 + b p + c <= 0. False: nearly a double root, or nearly linear, where the test's own rounding decides. */
static bool solve(const Hinge *h, Set *set) {
    double rr = h->reach * h->reach, a = h->m1 * h->m1, b = 2 * h->m0 * h->m1, c = h->m0 * h->m0;
    for (int k = 0; k < 2; k++) {
        a -= rr * h->R1[k] * h->R1[k];
        b -= 2 * rr * h->R0[k] * h->R1[k];
        c -= rr * h->R0[k] * h->R0[k];
    }
    double part = h->m1 * h->m1 + rr * (h->R1[0] * h->R1[0] + h->R1[1] * h->R1[1]), disc = b * b - 4 * a * c;
    *set = (Set){.count = 0};
    if (fabs(a) < DOUBLE * part || fabs(disc) < DOUBLE * (b * b + fabs(4 * a * c)))
        return false;
    if (disc < 0) {
        if (a < 0)
            *set = (Set){.end = {{-INFINITY, INFINITY}}, .count = 1};
        return true;
    }
    double q = -0.5 * (b + copysign(sqrt(disc), b)), one = q / a, two = c / q, low = fmin(one, two),
           high = fmax(one, two);
    if (a > 0)
        *set = (Set){.end = {{low, high}}, .count = 1};
    else
        *set = (Set){.end = {{-INFINITY, low}, {high, INFINITY}}, .count = 2};
    return true;
}

/* False: some ends are nearly the same. */
static bool intersect(const Set *a, const Set *b, Set *out) {
    bool clear = true;
    out->count = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            double low = fmax(a->end[i][0], b->end[j][0]), high = fmin(a->end[i][1], b->end[j][1]);
            clear = clear && (isinf(high - low) || fabs(high - low) > DOUBLE * (fabs(low) + fabs(high)));
            if (low < high) {
                out->end[out->count][0] = low;
                out->end[out->count++][1] = high;
            }
        }
    return clear;
}

/* The machine of a round as a model, and its truth. False: not clear. */
static bool draw_hinges(uint64_t *seed, char *text, size_t size, Set *truth) {
    bool two = machine_random(seed) > 0;
    double at[3][2] = {{0, 0}, {0, 0}, {0, 0}}, angle[2], length[2], mass[2], centre[2], coil[2], reach[2],
           c[2] = {machine_random(seed), machine_random(seed)}, p = between(seed, -20, 20);
    int bars = 1 + two;
    for (int k = 0; k < bars; k++) {
        angle[k] = between(seed, -PI, PI);
        length[k] = between(seed, 0.3, 1.5);
        mass[k] = between(seed, 0.2, 2);
        centre[k] = between(seed, 0, 1) * length[k];
        coil[k] = between(seed, -6, 6);
        reach[k] = between(seed, 0.02, 0.5);
        at[k + 1][0] = at[k][0] + length[k] * cos(angle[k]);
        at[k + 1][1] = at[k][1] + length[k] * sin(angle[k]);
    }
    Set sets[2];
    for (int k = 0; k < bars; k++) {
        Hinge h = {.m0 = coil[k],
                   .m1 = (at[bars][0] - at[k][0]) * c[1] - (at[bars][1] - at[k][1]) * c[0],
                   .reach = reach[k],
                   .R1 = {c[0], c[1]}};
        for (int i = k; i < bars; i++) {
            h.m0 -= 9.81 * mass[i] * (at[i][0] + centre[i] * cos(angle[i]) - at[k][0]);
            h.R0[1] -= 9.81 * mass[i];
        }
        if (!solve(&h, &sets[k]))
            return false;
    }
    /* a coil of the angle zero would turn with none: its torque is given at the angle of now, by a free angle beside it
     */
    int used =
        snprintf(text, size, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {p: %.17g}\nbodies:\n", p);
    for (int k = 0; k < bars; k++)
        used += snprintf(text + used, size - (size_t)used,
                         "  b%d: {mass: %.17g, inertia: 0.1, centroid: [%.17g, 0], pose: {at: [%.17g, %.17g], angle: "
                         "%.17g}, markers: {E: [%.17g, 0]}}\n",
                         k, mass[k], centre[k], at[k][0], at[k][1], angle[k], length[k]);
    used += snprintf(text + used, size - (size_t)used, "joints:\n");
    for (int k = 0; k < bars; k++)
        used += snprintf(text + used, size - (size_t)used,
                         "  J%d: {type: revolute, between: [%s, b%d], friction: {coefficient: %.17g, radius: 0.5}}\n",
                         k, k ? "b0.E" : "ground", k, 2 * reach[k]);
    used +=
        snprintf(text + used, size - (size_t)used,
                 "loads:\n  pull: {type: force, to: b%d.E, value: [\"p*%.17g\", \"p*%.17g\"]}\n", bars - 1, c[0], c[1]);
    for (int k = 0; k < bars; k++)
        used += snprintf(text + used, size - (size_t)used,
                         "  S%d: {type: torsion-spring, joint: J%d, torque: \"%.17g\"}\n", k, k, -coil[k]);
    if (!two) {
        *truth = sets[0];
        return true;
    }
    return intersect(&sets[0], &sets[1], truth);
}

static bool is_near(double got, double expected) {
    return isinf(expected) ? got == expected : fabs(got - expected) <= END_NEAR * fmax(1, fabs(expected));
}

static int by_end(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The round in which a range begins at 65 000 times the parameter: computed there, what holds lacks 1e-7 by rounding.
 */
#define FAR_RANGE 21465

static void close_round(RbvResult *result, RbvDiagnostics *diagnostics, RbvSystem *system, RbvModel *model) {
    rbv_result_destroy(result);
    rbv_diagnostics_destroy(diagnostics);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void hinges_hold_what_they_can(void **unused) {
    (void)unused;
    int wrong = 0, clear = 0;
    char text[3000];
    for (int round = 0; round <= rounds(); round++) {
        int k = round < rounds() ? round : FAR_RANGE;
        uint64_t seed = seed_of(1, k);
        Set truth;
        if (!draw_hinges(&seed, text, sizeof text, &truth))
            continue;
        clear++;
        RbvModel *model = machine_read(text);
        RbvSystem *system = machine_compile(model);
        RbvDiagnostics *diagnostics = rbv_diagnostics_create();
        RbvResult *result = NULL;
        RbvOptions options = rbv_options_default;
        RbvStatus status = rbv_statics_hold(system, "p", &options, diagnostics, &result);
        bool good = truth.count == 0 ? status == RBV_NO_EQUILIBRIUM
                                     : status == RBV_OK && result && result->held.count == truth.count;
        if (good && truth.count > 0) {
            double(*end)[2] = result->held.end;
            qsort(end, (size_t)truth.count, sizeof *end, by_end);
            for (int i = 0; i < truth.count; i++)
                good = good && is_near(end[i][0], truth.end[i][0]) && is_near(end[i][1], truth.end[i][1]);
        }
        if (!good && wrong++ < 3) {
            print_message("round %d: status %d\n%s", k, status, text);
            for (int i = 0; i < truth.count; i++)
                print_message("  truth %.12g ... %.12g\n", truth.end[i][0], truth.end[i][1]);
            for (int i = 0; result && i < result->held.count; i++)
                print_message("  found %.12g ... %.12g\n", result->held.end[i][0], result->held.end[i][1]);
            machine_print(diagnostics);
        }
        close_round(result, diagnostics, system, model);
    }
    print_message("%d of %d are clear, %d wrong\n", clear, rounds(), wrong);
    assert_true(clear > rounds() / 2);
    assert_int_equal(wrong, 0);
}

/* --- where two bars rest
 * ----------------------------------------------------------------------------------------------- */

typedef struct Bars {
    double length[2], centre[2], mass[2], start[2], coil, wall[2], stiffness, free;
} Bars;

static void tip(const Bars *b, const double *angle, double *x, double *y) {
    *x = b->length[0] * cos(angle[0]) + b->length[1] * cos(angle[1]);
    *y = b->length[0] * sin(angle[0]) + b->length[1] * sin(angle[1]);
}

/* [J] Weights, a coil at the first pin, a spring from the tip to the wall. */
static double energy(const Bars *b, const double *angle) {
    double x, y,
        sum = 9.81 * ((b->mass[0] * b->centre[0] + b->mass[1] * b->length[0]) * sin(angle[0]) +
                      b->mass[1] * b->centre[1] * sin(angle[1]));
    tip(b, angle, &x, &y);
    double stretch = hypot(x - b->wall[0], y - b->wall[1]) - b->free;
    return sum + 0.5 * b->coil * angle[0] * angle[0] + 0.5 * b->stiffness * stretch * stretch;
}

/* Gradient and Hessian by differences of fourth and second order, and the size of second derivatives. */
static void differentiate(const Bars *b, const double *at, double *gradient, double H[2][2]) {
    const double h = 1e-3, k = 1e-4;
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int s = -2; s <= 2; s++) {
            static const double weight[5] = {1.0 / 12, -2.0 / 3, 0, 2.0 / 3, -1.0 / 12};
            double place[2] = {at[0], at[1]};
            place[i] += s * h;
            sum += weight[s + 2] * energy(b, place);
        }
        gradient[i] = sum / h;
        for (int j = 0; j < 2; j++) {
            double all = 0;
            for (int s = -1; s <= 1; s += 2)
                for (int t = -1; t <= 1; t += 2) {
                    double place[2] = {at[0], at[1]};
                    place[i] += s * k;
                    place[j] += t * k;
                    all += s * t * energy(b, place);
                }
            H[i][j] = all / (4 * k * k);
        }
    }
}

static void draw_bars(uint64_t *seed, Bars *b, char *text, size_t size) {
    for (int k = 0; k < 2; k++) {
        b->length[k] = between(seed, 0.4, 1.2);
        b->centre[k] = between(seed, 0.2, 0.9) * b->length[k];
        b->mass[k] = between(seed, 0.3, 2);
        b->start[k] = between(seed, -PI, PI);
        b->wall[k] = between(seed, -2, 2);
    }
    b->coil = between(seed, 0, 10);
    b->stiffness = between(seed, 5, 60);
    b->free = between(seed, 0.1, 1);
    snprintf(
        text, size,
        "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {W: [%.17g, %.17g]}}\n"
        "  one: {mass: %.17g, inertia: 0.1, centroid: [%.17g, 0], pose: {angle: %.17g}, markers: {E: [%.17g, 0]}}\n"
        "  two: {mass: %.17g, inertia: 0.1, centroid: [%.17g, 0], pose: {at: [%.17g, %.17g], angle: %.17g}, markers: "
        "{E: [%.17g, 0]}}\n"
        "joints: {A: {type: revolute, between: [ground, one]}, B: {type: revolute, between: [one.E, two]}}\n"
        "loads: {coil: {type: torsion-spring, joint: A, stiffness: %.17g}, spring: {type: spring, between: [ground.W, "
        "two.E], stiffness: %.17g, free_length: %.17g}}\n",
        b->wall[0], b->wall[1], b->mass[0], b->centre[0], b->start[0], b->length[0], b->mass[1], b->centre[1],
        b->length[0] * cos(b->start[0]), b->length[0] * sin(b->start[0]), b->start[1], b->length[1], b->coil,
        b->stiffness, b->free);
}

static RbvStatus rest(const char *text, RbvCoordinatesChoice kind, double *angle, char *stability,
                      RbvDiagnostics *diagnostics) {
    RbvModel *model = machine_read(text);
    RbvSystem *system = NULL;
    RbvResult *result = NULL;
    RbvOptions options = rbv_options_default;
    assert_int_equal(rbv_system_create(model, &(RbvSystemOptions){.coordinates = kind}, diagnostics, &system), RBV_OK);
    RbvStatus status = rbv_statics(system, &options, diagnostics, &result);
    if (status == RBV_OK) {
        const char *said = rbv_result_equilibrium(result).stability;
        angle[0] = rbv_result_value(result, 0, rbv_result_find(result, "one.angle"));
        angle[1] = rbv_result_value(result, 0, rbv_result_find(result, "two.angle"));
        snprintf(stability, 20, "%s", said ? said : "");
    }
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return status;
}

static void bars_rest_where_their_energy_is_least(void **unused) {
    (void)unused;
    int wrong = 0;
    char text[2000];
    for (int k = 0; k < rounds(); k++) {
        uint64_t seed = seed_of(2, k);
        Bars b;
        draw_bars(&seed, &b, text, sizeof text);
        double first[2] = {0, 0};
        for (int c = 0; c < 3; c++) {
            double angle[2] = {0, 0}, gradient[2], H[2][2];
            char stability[20] = "";
            RbvDiagnostics *diagnostics = rbv_diagnostics_create();
            RbvStatus status = rest(text, kinds[c], angle, stability, diagnostics);
            differentiate(&b, angle, gradient, H);
            double size = fabs(H[0][0]) + fabs(H[1][1]) + 2 * fabs(H[0][1]), mean = 0.5 * (H[0][0] + H[1][1]),
                   least = mean - hypot(0.5 * (H[0][0] - H[1][1]), H[0][1]);
            bool good = status == RBV_OK && fmax(fabs(gradient[0]), fabs(gradient[1])) <= REST_NEAR * size;
            if (fabs(least) > DOUBLE * size)
                good = good && strcmp(stability, least > 0 ? "stable" : "unstable") == 0;
            if (c == 0)
                memcpy(first, angle, sizeof first);
            good = good && fabs(remainder(angle[0] - first[0], 2 * PI)) <= REST_NEAR &&
                   fabs(remainder(angle[1] - first[1], 2 * PI)) <= REST_NEAR;
            if (!good && wrong++ < 3) {
                print_message("round %d, coordinates %d: status %d, %s, %.10g %.10g (%.10g %.10g), gradient %.3g %.3g, "
                              "least curvature %.6g of %.3g\n%s",
                              k, c, status, stability, angle[0], angle[1], first[0], first[1], gradient[0], gradient[1],
                              least, size, text);
                machine_print(diagnostics);
            }
            rbv_diagnostics_destroy(diagnostics);
        }
    }
    assert_int_equal(wrong, 0);
}

/* --- flat four-bars
 * ------------------------------------------------------------------------------------------------------ */

/* Three bars in line of signed lengths L; rates with sum L w = 0 and sum L w^2 = 0; then sum L a = 0, sum L w a = 0 and
 * the one motion t = L x L w that is left has t.(H a - f) = 0. */
typedef struct Flat {
    double L[3], w[3], centre[3], mass[3], inertia[3], a[3];
} Flat;

/* False: no rates, or no clear ones. */
static bool draw_flat(uint64_t *seed, Flat *f) {
    for (int k = 0; k < 3; k++) {
        f->L[k] = sign(seed) * between(seed, 0.4, 1.6);
        f->centre[k] = between(seed, -0.2, 1.2) * f->L[k];
        f->mass[k] = between(seed, 0.5, 2);
        f->inertia[k] = between(seed, 0.02, 0.3);
    }
    /* w = (x, y, z), z = -(L0 x + L1 y)/L2: (L0 + L0^2/L2) x^2 + 2 L0 L1/L2 x y + (L1 + L1^2/L2) y^2 = 0 */
    const double *L = f->L;
    double A = L[0] + L[0] * L[0] / L[2], B = L[0] * L[1] / L[2], C = L[1] + L[1] * L[1] / L[2], disc = B * B - A * C,
           w = between(seed, 0.5, 5), most = 0, t[3], Lw[3];
    if (disc < FORM * (B * B + fabs(A * C)) || fabs(A) < FORM * (fabs(B) + fabs(C)))
        return false;
    f->w[0] = (-B + sign(seed) * sqrt(disc)) / A;
    f->w[1] = 1;
    f->w[2] = -(L[0] * f->w[0] + L[1]) / L[2];
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(f->w[k]));
    for (int k = 0; k < 3; k++) {
        f->w[k] *= w / most;
        Lw[k] = L[k] * f->w[k];
    }
    for (int k = 0; k < 3; k++)
        t[k] = L[(k + 1) % 3] * Lw[(k + 2) % 3] - L[(k + 2) % 3] * Lw[(k + 1) % 3];
    double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]), inertia = 0, force = 0;
    if (length < FORM * w * (L[0] * L[0] + L[1] * L[1] + L[2] * L[2]))
        return false;
    for (int i = 0; i < 3; i++) {
        double y = f->centre[i] * t[i] / length;
        for (int j = 0; j < i; j++)
            y += L[j] * t[j] / length;
        inertia += f->mass[i] * y * y + f->inertia[i] * t[i] * t[i] / (length * length);
        force -= 9.81 * f->mass[i] * y;
    }
    for (int k = 0; k < 3; k++)
        f->a[k] = t[k] / length * force / inertia;
    return true;
}

static void write_flat(const Flat *f, bool spatial, char *text, size_t size) {
    const char *third = spatial ? ", 0" : "";
    int used = snprintf(
        text, size, "roberval: 1\nspace: %s\ngravity: [0, -9.81%s]\nbodies:\n  ground: {markers: {Z: [%.17g, 0%s]}}\n",
        spatial ? "spatial" : "planar", third, f->L[0] + f->L[1] + f->L[2], third);
    double at = 0;
    for (int k = 0; k < 3; at += f->L[k], k++) {
        used += snprintf(text + used, size - (size_t)used,
                         "  b%d: {mass: %.17g, centroid: [%.17g, 0%s], pose: {at: [%.17g, 0%s]}, markers: {E: [%.17g, "
                         "0%s]}, inertia: ",
                         k, f->mass[k], f->centre[k], third, at, third, f->L[k], third);
        used += spatial ? snprintf(text + used, size - (size_t)used, "[%.17g, %.17g, %.17g]}\n", f->inertia[k],
                                   f->inertia[k], f->inertia[k])
                        : snprintf(text + used, size - (size_t)used, "%.17g}\n", f->inertia[k]);
    }
    snprintf(text + used, size - (size_t)used,
             "joints: {A: {type: revolute, between: [ground, b0]}, B: {type: revolute, between: [b0.E, b1]}, C: {type: "
             "revolute, between: [b1.E, b2]}, D: {type: revolute, between: [b2.E, ground.Z]}}\n"
             "initial: {\"A.angle'\": %.17g, \"B.angle'\": %.17g}\nmotion: {from: 0, to: 0, step: 1}\n",
             f->w[0], f->w[1] - f->w[0]);
}

static void flat_four_bars_accelerate_as_they_go_on(void **unused) {
    (void)unused;
    int wrong = 0, clear = 0;
    char text[3000];
    for (int k = 0; k < rounds(); k++) {
        uint64_t seed = seed_of(3, k);
        Flat f;
        if (!draw_flat(&seed, &f))
            continue;
        clear++;
        bool spatial = k % 4 == 3;
        write_flat(&f, spatial, text, sizeof text);
        RbvModel *model = machine_read(text);
        RbvSystem *system = NULL;
        RbvResult *result = NULL;
        RbvOptions options = rbv_options_default;
        RbvDiagnostics *diagnostics = rbv_diagnostics_create();
        assert_int_equal(
            rbv_system_create(model, &(RbvSystemOptions){.coordinates = kinds[k % 3]}, diagnostics, &system), RBV_OK);
        RbvStatus status = rbv_simulate(system, &options, diagnostics, &result);
        double most = fmax(fabs(f.a[0]), fmax(fabs(f.a[1]), fabs(f.a[2]))),
               fastest = fmax(fabs(f.w[0]), fmax(fabs(f.w[1]), fabs(f.w[2]))), found[3] = {0, 0, 0};
        bool good = status == RBV_OK;
        for (int i = 0; good && i < 3; i++) {
            char name[20];
            snprintf(name, sizeof name, "b%d.alpha%s", i, spatial ? "z" : "");
            found[i] = rbv_result_value(result, 0, rbv_result_find(result, name));
            good = fabs(found[i] - f.a[i]) <= LAW * (most + fastest * fastest);
        }
        if (!good && wrong++ < 3) {
            print_message("round %d: status %d, truth %.12g %.12g %.12g, found %.12g %.12g %.12g\n%s", k, status,
                          f.a[0], f.a[1], f.a[2], found[0], found[1], found[2], text);
            machine_print(diagnostics);
        }
        close_round(result, diagnostics, system, model);
    }
    print_message("%d of %d are clear, %d wrong\n", clear, rounds(), wrong);
    assert_true(clear > rounds() / 5);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinges_hold_what_they_can),
        cmocka_unit_test(bars_rest_where_their_energy_is_least),
        cmocka_unit_test(flat_four_bars_accelerate_as_they_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
