/* A spring along a measure m, the distance of two points or a joint's distance or angle: Q = -s grad m, s = k (m - m0)
 * + c m' + f(m, m', t, ...).
 *
 * Where the two points coincide a distance has no gradient. If they pass through each other with the relative velocity
 * d', then just before l' = -|d'| and the unit vector from the first to the second is -d'/|d'|: the force is that
 * limit. At rest a force that is not zero has no direction. At rest V = k (m - m0)^2 / 2 + the integral of f from m0 to
 * m, if f reads no other coordinate. Where f is not finite at m0 (such as 1/m^2 at zero length) the integral begins one
 * unit beside m0: V then has no zero of its own. */
#include "core/base/extremes.h"
#include "mechanics/element/load.h"

#include "core/base/tolerances.h"

#include <float.h>

/* Relative to stiffness times size: a smaller force is no force. */
#define LAW_HALVINGS 12
/* Relative to the integral of the magnitude: accuracy of the integral of a law. The accuracy is limited by rounding: m
 * is known to LENGTH_ROUNDING relative to its size, and f to its slope times that, where m - m0 cancels. */
#define LENGTH_ROUNDING (4 * DBL_EPSILON)
/* Largest number of pieces of a law between two lengths. */
#define LAW_PIECES 1000

/* [m] Size of the part of an end, the larger of both. */
static double size_of(const RbvConfiguration *at, const RbvLoad *load) {
    double size = 0;
    for (int side = 0; side < 2; side++)
        size = at->markers[load->marker[side]].body > 0 ? rbv_max(size, at->size[at->markers[load->marker[side]].body])
                                                        : size;
    return size;
}

static bool is_distance(const RbvConfiguration *at, const RbvLoad *load) {
    return at->model->measures.items[load->measure[0]].kind == RBV_MEASURE_DISTANCE;
}

bool rbv_spring_has_no_length(const RbvConfiguration *at, const RbvLoad *load) {
    if (!is_distance(at, load))
        return false;
    const RbvMarkerState *i = &at->markers[load->marker[0]], *j = &at->markers[load->marker[1]];
    /* Relative to the size of the part: a shorter spring at rest has no length; and what rounding leaves of no length.
     */
    return at->measures[load->measure[0]].value <=
           RBV_CANCELLED * (size_of(at, load) + rbv_norm(i->arm) + rbv_norm(j->arm) + rbv_norm(i->point));
}

static double force_at(const RbvConfiguration *at, const RbvLoad *load, double m, double rate) {
    double s = load->stiffness[0] * (m - load->free) + load->damping[0] * rate;
    return load->value[0] ? s + rbv_configuration_value(at, load->value[0], &(RbvLocal){.length = {m, rate}}) : s;
}

/* For coinciding points: the force [N] just before, and the unit vector u from the first point to the second, zero
 * without relative velocity. */
static double force_in_passing(const RbvConfiguration *at, const RbvLoad *load, RbvVec3 *u) {
    RbvVec3 v[2];
    for (int side = 0; side < 2; side++) {
        const RbvMarkerState *end = &at->markers[load->marker[side]];
        v[side] = rbv_add(at->twists[end->body].v, rbv_cross(at->twists[end->body].w, end->arm));
    }
    RbvVec3 passing = rbv_sub(v[1], v[0]);
    double speed = rbv_norm(passing);
    bool moves = speed > RBV_CANCELLED * (rbv_norm(v[0]) + rbv_norm(v[1]));
    *u = rbv_scale(moves ? -1 / speed : 0, passing);
    return force_at(at, load, 0, moves ? -speed : 0);
}

bool rbv_spring_has_no_direction(const RbvConfiguration *at, const RbvLoad *load, double *s) {
    RbvVec3 u;
    if (!rbv_spring_has_no_length(at, load))
        return false;
    *s = force_in_passing(at, load, &u);
    return rbv_norm(u) == 0 && fabs(*s) > RBV_SAME * fabs(load->stiffness[0]) * size_of(at, load);
}

static void force(const RbvConfiguration *at, const RbvLoad *load, RbvWrench *wrenches, double *value) {
    const RbvMeasureState *measure = &at->measures[load->measure[0]];
    RbvVec3 u;
    if (!rbv_spring_has_no_length(at, load)) {
        value[0] = force_at(at, load, measure->value, measure->rate);
        rbv_push_measure(at, wrenches, load->measure[0], -value[0]);
        return;
    }
    value[0] = force_in_passing(at, load, &u);
    if (rbv_spring_has_no_direction(at, load, &value[0]))
        u = rbv_vec3(NAN, NAN, NAN);
    for (int side = 0; side < 2; side++) {
        const RbvMarkerState *end = &at->markers[load->marker[side]];
        RbvVec3 F = rbv_scale(side ? -value[0] : value[0], u);
        rbv_push_body(wrenches, end->body, (RbvWrench){F, rbv_cross(end->arm, F)});
    }
}

/* True if a variable of the law is the spring's own measure m, or its rate. */
static bool is_own(const RbvLoad *load, RbvVariable variable) {
    return variable.kind == RBV_VARIABLE_LENGTH ||
           (variable.kind == RBV_VARIABLE_COORDINATE && variable.index == load->measure[0]);
}

/* The variables of the law at the length or angle m, at rest. */
static void place_law(const RbvConfiguration *at, const RbvLoad *load, double m, double *x) {
    const RbvExpr *expr = load->value[0];
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
        RbvVariable variable = rbv_variable_of(at->model, expr, v);
        bool time = variable.kind == RBV_VARIABLE_TIME;
        x[v] = time                                  ? at->t
               : variable.kind == RBV_VARIABLE_STATE ? at->own[variable.index]
               : variable.part > 0                   ? 0
               : is_own(load, variable)              ? m
                                                     : at->measures[variable.index].value;
    }
}

/* The law with its derivatives at m, at rest. */
static RbvJet law_at(const RbvConfiguration *at, const RbvLoad *load, double m) {
    const RbvExpr *expr = load->value[0];
    int32_t n = rbv_expr_variable_count(expr);
    RbvJet law = {.count = n, .x = at->work, .gradient = at->work + n, .hessian = at->work + 2 * n};
    place_law(at, load, m, law.x);
    law.value = rbv_expr_jet(expr, law.x, law.hessian + n * n, law.gradient, law.hessian);
    return law;
}

/* Stiffness at zero length: k l grad l has the derivative k D^T D, D being the motion of the second point relative to
 * the first. */
static void no_length(const RbvStiffness *K, int32_t m, double k) {
    const RbvMeasure *measure = &K->at->model->measures.items[m];
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                const RbvMarkerState *p = &K->at->markers[measure->marker[i]], *q = &K->at->markers[measure->marker[j]];
                RbvVec3 unit = rbv_axis(e), a = rbv_cross(p->arm, unit), b = rbv_cross(q->arm, unit);
                const double x[6] = {unit.x, unit.y, unit.z, a.x, a.y, a.z},
                             y[6] = {unit.x, unit.y, unit.z, b.x, b.y, b.z};
                double block[6][6];
                for (int r = 0; r < 6; r++)
                    for (int c = 0; c < 6; c++)
                        block[r][c] = x[r] * y[c];
                rbv_stiffness_block(K, p->body, q->body, i == j ? k : -k, &block[0][0], 6);
            }
    rbv_stiffness_end(K);
}

/* The slope of the law by its own measure; for other measures that it reads, streams the outer products of gradients.
 */
static double law_slope(const RbvStiffness *K, const RbvLoad *load, RbvJet law) {
    double slope = 0;
    for (int32_t v = 0; v < law.count; v++) {
        RbvVariable variable = rbv_variable_of(K->at->model, load->value[0], v);
        if (variable.part > 0 || variable.kind == RBV_VARIABLE_TIME || variable.kind == RBV_VARIABLE_STATE)
            continue;
        if (is_own(load, variable))
            slope += law.gradient[v];
        else
            rbv_stiffness_outer(K, load->measure[0], variable.index, law.gradient[v]);
    }
    rbv_stiffness_end(K);
    return slope;
}

static void stiffness(const RbvStiffness *K, const RbvLoad *load) {
    double m = K->at->measures[load->measure[0]].value, force = load->stiffness[0] * (m - load->free),
           slope = load->stiffness[0];
    if (load->value[0]) {
        RbvJet law = law_at(K->at, load, m);
        force += law.value;
        slope += law_slope(K, load, law);
    }
    if (is_distance(K->at, load) && m <= RBV_SAME * size_of(K->at, load) && load->free == 0 && !load->value[0])
        no_length(K, load->measure[0], load->stiffness[0]);
    else
        rbv_stiffness_along(K, load->measure[0], force, slope);
}

/* True if the law reads only its own measure and the time; rates are 0 at rest. */
static bool has_energy(const RbvModel *model, const RbvLoad *load) {
    for (int32_t v = 0; load->value[0] && v < rbv_expr_variable_count(load->value[0]); v++) {
        RbvVariable variable = rbv_variable_of(model, load->value[0], v);
        if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == 0 && !is_own(load, variable))
            return false;
    }
    return true;
}

/* Nodes and weights of Gauss-Legendre quadrature with five points on (0, 1). */
static const double gauss[5][2] = {{0.04691007703066800, 0.11846344252809454},
                                   {0.23076534494715845, 0.23931433524968324},
                                   {0.5, 0.28444444444444444},
                                   {0.76923465505284155, 0.23931433524968324},
                                   {0.95308992296933200, 0.11846344252809454}};

/* The law's value at m; *pieces identifies the pieces of the law at m. */
static double value_at(const RbvConfiguration *at, const RbvLoad *load, double m, uint64_t *pieces) {
    const RbvExprPieces noted = {.mixed = pieces};
    place_law(at, load, m, at->work);
    *pieces = 0;
    return rbv_expr_value_on(load->value[0], at->work, at->work + rbv_expr_variable_count(load->value[0]), &noted);
}

/* Moves *a and *b, on different pieces, by halving to neighbouring numbers on both sides of a change of pieces. */
static void find_change(const RbvConfiguration *at, const RbvLoad *load, double *a, double *b) {
    uint64_t first, pieces;
    value_at(at, load, *a, &first);
    for (;;) {
        double middle = 0.5 * *a + 0.5 * *b;
        if (!(fabs(middle - *a) > 0) || !(fabs(middle - *b) > 0))
            return;
        value_at(at, load, middle, &pieces);
        *(pieces == first ? a : b) = middle;
    }
}

static double smooth_work(const RbvConfiguration *at, const RbvLoad *load, double a, double b, int depth, double *end,
                          double *next);

/* The integral from a to the first change of pieces between low and high. */
static double work_before(const RbvConfiguration *at, const RbvLoad *load, double a, double low, double high, int depth,
                          double *end, double *next) {
    find_change(at, load, &low, &high);
    double work = smooth_work(at, load, a, low, depth, end, next);
    *next = *end == low ? high : *next;
    return work;
}

/* The integral of the law from a to b, by halving until both halves agree with the whole. If the pieces change before
 * b, the integral up to there: *end is the last m before the change, *next the first after it. */
static double smooth_work(const RbvConfiguration *at, const RbvLoad *load, double a, double b, int depth, double *end,
                          double *next) {
    double whole = 0, halves = 0, size = 0, middle = 0.5 * (a + b), low = a, least = INFINITY, most = -INFINITY;
    uint64_t pieces, other;
    value_at(at, load, a, &pieces);
    for (int k = 0; k < 10; k++) { /* five nodes of each half, from a on */
        double from = k < 5 ? a : middle, m = from + gauss[k % 5][0] * (0.5 * (b - a)),
               f = value_at(at, load, m, &other);
        if (other != pieces)
            return work_before(at, load, a, low, m, depth, end, next);
        low = m;
        least = rbv_min(least, f);
        most = rbv_max(most, f);
        halves += 0.5 * gauss[k % 5][1] * (b - a) * f;
    }
    value_at(at, load, b, &other);
    if (other != pieces)
        return work_before(at, load, a, low, b, depth, end, next);
    *end = *next = b;
    for (int k = 0; k < 5; k++) {
        double part = gauss[k][1] * (b - a) * value_at(at, load, a + gauss[k][0] * (b - a), &other);
        whole += part;
        size += fabs(part);
    }
    /* (b - a) |f'| times the rounding error of m. */
    double rounding = LENGTH_ROUNDING * rbv_max(fabs(a), fabs(b)) * (most - least);
    if (depth == 0 || !(fabs(whole - halves) > RBV_SUM_EXACT * size + rounding))
        return halves;
    halves = smooth_work(at, load, a, middle, depth - 1, end, next);
    return *end == middle ? halves + smooth_work(at, load, middle, b, depth - 1, end, next) : halves;
}

/* The integral of the law from a to b, piece by piece. */
static double law_work(const RbvConfiguration *at, const RbvLoad *load, double a, double b) {
    double sum = 0, end = a, from = a;
    for (int k = 0; k < LAW_PIECES && end != b; k++) {
        double next = b;
        sum += smooth_work(at, load, from, b, LAW_HALVINGS, &end, &next);
        from = next;
    }
    return sum;
}

/* Lower end of the integral of the law to m. */
static double law_from(const RbvConfiguration *at, const RbvLoad *load, double m) {
    if (isfinite(law_at(at, load, load->free).value))
        return load->free;
    return load->free + (m < load->free ? -1 : 1);
}

static double energy(const RbvConfiguration *at, const RbvLoad *load) {
    double m = at->measures[load->measure[0]].value, stretch = m - load->free;
    double V = 0.5 * load->stiffness[0] * stretch * stretch;
    return load->value[0] ? V + law_work(at, load, law_from(at, load, m), m) : V;
}

/* The moments of the forces at both end points. */
static void spread(const RbvConfiguration *at, const RbvLoad *load, const double *value, RbvMat3 *moments) {
    const RbvMarkerState *i = &at->markers[load->marker[0]], *j = &at->markers[load->marker[1]];
    RbvVec3 d = rbv_sub(j->point, i->point);
    if (!is_distance(at, load) || rbv_spring_has_no_length(at, load))
        return;
    RbvVec3 pull = rbv_scale(value[0] / rbv_norm(d), d);
    rbv_spread_force(moments, i->body, pull, i->arm);
    rbv_spread_force(moments, j->body, rbv_scale(-1, pull), j->arm);
}

const RbvLoadFormulas rbv_load_spring = {force, stiffness, energy, has_energy, spread};
const RbvLoadFormulas rbv_load_torsion = {force, stiffness, energy, has_energy, NULL};
