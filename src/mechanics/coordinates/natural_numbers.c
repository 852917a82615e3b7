/* Mixed coordinates: distances, offsets and angles as numbers z of q, each with a row of its own (SPEC-000 B5); see
 * natural.h.
 *
 *   distance   |d|^2 - z^2 = 0, d = p_j - p_i              Psi_z = -2 z        z > 0
 *   offset     z - u . d = 0                               Psi_z = 1
 *   angle      (e . f) sin z - (g . f) cos z = 0           Psi_z = (e . f) cos z + (g . f) sin z
 *
 * Of an angle Psi_z > 0; where it is negative, z is wrong by pi. g is e turned by a right angle about the axis. The row
 * of an angle is regular everywhere, so that no switch between sine and cosine is needed. In the plane e and f have the
 * lengths of the bodies' own vectors a1 (1 for ground's): for a body on ground the row is dx sin z - dy cos z = 0 of
 * its two points. */
#include "mechanics/coordinates/natural.h"

#include <math.h>

static const RbvVec3 nowhere = {0, 0, 0};

static RbvVec3 spot_at(const RbvSpot *s, const RbvCore *core, bool rate) {
    RbvVec3 at = rate ? nowhere : s->fixed;
    if (s->body == 0)
        return at;
    if (s->point)
        at = rbv_add(at, core->r1);
    for (int k = 0; k < 3; k++)
        at = rbv_add_scaled(at, s->c[k], core->a[k]);
    return at;
}

/* The core of a spot's body at q; for a particle r1 is its point. */
static RbvCore core_of(const RbvNatural *n, int32_t body, const double *q) {
    if (body == 0)
        return (RbvCore){nowhere, {nowhere, nowhere, nowhere}};
    if (n->bodies[body].form == RBV_NATURAL_PARTICLE)
        return (RbvCore){rbv_use_at(n, n->bodies[body].point, q, false), {nowhere, nowhere, nowhere}};
    return rbv_natural_core(n, body, q);
}

static RbvCore rate_of(const RbvNatural *n, int32_t body, const RbvCore *core, const double *v) {
    if (body == 0)
        return (RbvCore){nowhere, {nowhere, nowhere, nowhere}};
    if (n->bodies[body].form == RBV_NATURAL_PARTICLE)
        return (RbvCore){rbv_use_at(n, n->bodies[body].point, v, true), {nowhere, nowhere, nowhere}};
    return rbv_natural_core_rate(n, body, core, v);
}

static void values_of(const RbvNatural *n, const RbvNaturalNumber *number, const double *q, RbvVec3 x[4]) {
    for (int k = 0; k < number->count; k++) {
        RbvCore core = core_of(n, number->spot[k].body, q);
        x[k] = spot_at(&number->spot[k], &core, false);
    }
}

/* The vector f of an angle. */
static RbvVec3 facing(const RbvNaturalNumber *number, const RbvVec3 x[4]) {
    return number->count == 4 ? rbv_sub(x[3], x[2]) : x[2];
}

/* Psi, its gradient `by` by the spots, and *slope = Psi_z. */
static double evaluate(const RbvNaturalNumber *number, const RbvVec3 x[4], double z, RbvVec3 by[4], double *slope) {
    if (number->kind == RBV_NUMBER_ANGLE) {
        RbvVec3 f = facing(number, x);
        by[0] = rbv_scale(sin(z), f);
        by[1] = rbv_scale(-cos(z), f);
        by[number->count - 1] = rbv_sub(rbv_scale(sin(z), x[0]), rbv_scale(cos(z), x[1]));
        if (number->count == 4)
            by[2] = rbv_scale(-1, by[3]);
        *slope = rbv_dot(x[0], f) * cos(z) + rbv_dot(x[1], f) * sin(z);
        return rbv_dot(x[0], f) * sin(z) - rbv_dot(x[1], f) * cos(z);
    }
    RbvVec3 d = rbv_sub(x[1], x[0]),
            generalized_forces = number->kind == RBV_NUMBER_DISTANCE ? rbv_scale(2, d) : rbv_scale(-1, x[2]);
    by[1] = generalized_forces;
    by[0] = rbv_scale(-1, generalized_forces);
    if (number->kind == RBV_NUMBER_DISTANCE) {
        *slope = -2 * z;
        return rbv_dot(d, d) - z * z;
    }
    by[2] = rbv_scale(-1, d);
    *slope = 1;
    return z - rbv_dot(x[2], d);
}

/* Second differential of Psi along rates y of the spots and w of z, for spots that are linear in q. */
static double second(const RbvNaturalNumber *number, const RbvVec3 x[4], double z, const RbvVec3 y[4], double w) {
    if (number->kind == RBV_NUMBER_ANGLE) {
        RbvVec3 f = facing(number, x), df = facing(number, y);
        double e = rbv_dot(x[0], f), g = rbv_dot(x[1], f), de = rbv_dot(y[0], f) + rbv_dot(x[0], df),
               dg = rbv_dot(y[1], f) + rbv_dot(x[1], df);
        return 2 * (sin(z) * rbv_dot(y[0], df) - cos(z) * rbv_dot(y[1], df)) + 2 * w * (cos(z) * de + sin(z) * dg) +
               w * w * (cos(z) * g - sin(z) * e);
    }
    RbvVec3 d = rbv_sub(y[1], y[0]);
    return number->kind == RBV_NUMBER_DISTANCE ? 2 * rbv_dot(d, d) - 2 * w * w : -2 * rbv_dot(y[2], d);
}

/* A direction in v: u, or u + step v (v NULL: u alone). */
typedef struct Rates {
    const double *u, *v;
    double step;
} Rates;

static RbvCore rates_of(const RbvNatural *n, int32_t body, const RbvCore *core, Rates along) {
    RbvCore sum = rate_of(n, body, core, along.u), more;
    if (!along.v)
        return sum;
    more = rate_of(n, body, core, along.v);
    sum.r1 = rbv_add_scaled(sum.r1, along.step, more.r1);
    for (int k = 0; k < 3; k++)
        sum.a[k] = rbv_add_scaled(sum.a[k], along.step, more.a[k]);
    return sum;
}

/* w^T Psi_qq w along the rates w; includes the second differential of spots that depend on a derived vector. */
static double second_along(const RbvNatural *n, const RbvNaturalNumber *number, const double *q, Rates along) {
    RbvVec3 x[4], y[4], by[4];
    double slope, sum = 0, z = q[number->column];
    values_of(n, number, q, x);
    evaluate(number, x, z, by, &slope);
    for (int k = 0; k < number->count; k++) {
        const RbvSpot *s = &number->spot[k];
        RbvCore core = core_of(n, s->body, q), rate = rates_of(n, s->body, &core, along);
        y[k] = spot_at(s, &rate, true);
        if (s->body > 0 && n->bodies[s->body].form == RBV_NATURAL_CROSSED) {
            RbvCore own = rbv_natural_core_drift(n, s->body, &rate);
            sum += rbv_dot(by[k], spot_at(s, &own, true));
        }
    }
    double w = along.u[number->column] + (along.v ? along.step * along.v[number->column] : 0);
    return sum + second(number, x, z, y, w);
}

/* Adds the force on a spot, through the core of its body, to out. */
static void push_spot(const RbvNatural *n, const RbvSpot *s, const double *q, RbvVec3 force, RbvUsePlace positions,
                      double *out) {
    if (s->body == 0)
        return;
    if (n->bodies[s->body].form == RBV_NATURAL_PARTICLE) {
        if (s->point)
            rbv_use_push(n, n->bodies[s->body].point, force, positions, out);
        return;
    }
    RbvCore core = rbv_natural_core(n, s->body, q),
            on = {s->point ? force : nowhere,
                  {rbv_scale(s->c[0], force), rbv_scale(s->c[1], force), rbv_scale(s->c[2], force)}};
    rbv_natural_core_push(n, s->body, &core, &on, positions, out);
}

int32_t rbv_natural_number_columns(const RbvCoordinates *c, const RbvNaturalNumber *number, int32_t *column) {
    int32_t count = 0, list[24];
    for (int k = 0; k < number->count; k++) {
        int32_t of_body = c->kind->columns(c, number->spot[k].body, list);
        for (int32_t e = 0; e < of_body; e++) {
            bool known = false;
            for (int32_t o = 0; o < count; o++)
                known = known || column[o] == list[e];
            if (!known)
                column[count++] = list[e];
        }
    }
    column[count++] = number->column;
    return count;
}

double rbv_natural_number_row(const RbvCoordinates *c, const RbvNaturalNumber *number, const double *q, int32_t count,
                              const int32_t *column, double *entries) {
    const RbvNatural *n = rbv_natural_of(c);
    RbvVec3 x[4], by[4];
    double slope;
    values_of(n, number, q, x);
    double value = evaluate(number, x, q[number->column], by, &slope);
    for (int32_t e = 0; e < count; e++)
        entries[e] = 0;
    for (int k = 0; k < number->count; k++) {
        int32_t list[24], of_body = c->kind->columns(c, number->spot[k].body, list);
        double part[24] = {0};
        push_spot(n, &number->spot[k], q, by[k], RBV_USE_IN_BODY, part);
        for (int32_t i = 0; i < of_body; i++)
            for (int32_t e = 0; e < count; e++)
                entries[e] += column[e] == list[i] ? part[i] : 0;
    }
    entries[count - 1] = slope;
    return value;
}

double rbv_natural_number_drift(const RbvNatural *n, const RbvNaturalNumber *number, const double *q, const double *v) {
    return -second_along(n, number, q, (Rates){v, NULL, 0});
}

/* The bilinear form by polarization of the quadratic form. */
double rbv_natural_number_second(const RbvNatural *n, const RbvNaturalNumber *number, const double *q, const double *u,
                                 const double *v) {
    return (second_along(n, number, q, (Rates){u, v, 1}) - second_along(n, number, q, (Rates){u, v, -1})) / 4;
}

void rbv_natural_number_push(const RbvNatural *n, const RbvNaturalNumber *number, const double *q, double lambda,
                             double *uses) {
    RbvVec3 x[4], by[4];
    double slope;
    values_of(n, number, q, x);
    evaluate(number, x, q[number->column], by, &slope);
    for (int k = 0; k < number->count; k++)
        push_spot(n, &number->spot[k], q, rbv_scale(lambda, by[k]), RBV_USE_ALONE, uses);
}

double rbv_natural_number_slope(const RbvNatural *n, const RbvNaturalNumber *number, const double *q) {
    RbvVec3 x[4], by[4];
    double slope;
    values_of(n, number, q, x);
    evaluate(number, x, q[number->column], by, &slope);
    return slope;
}

/* ---- numbers from bodies ---- */

/* The angle [rad] of the bodies of the plane, whole turns included; NaN: not an angle of the plane. */
static double turned(const RbvCoordinates *c, const RbvMeasure *measure, const RbvBodyState *bodies) {
    double angle = 0;
    if (measure->kind != RBV_MEASURE_ANGLE && measure->kind != RBV_MEASURE_TURN)
        return NAN;
    for (int side = measure->kind == RBV_MEASURE_TURN; side < 2; side++) {
        const RbvMarker *marker = &c->model->markers.items[measure->marker[side]];
        const RbvBodyState *body = &bodies[marker->body];
        double turn = marker->body > 0 ? body->turn + RBV_TWO_PI * body->whole : 0;
        angle += (side ? 1 : -1) * (marker->angle + turn);
    }
    return angle;
}

void rbv_natural_take_numbers(const RbvCoordinates *c, const RbvBodyState *bodies, double *q) {
    const RbvNatural *n = rbv_natural_of(c);
    for (int32_t k = 0; k < n->number_count; k++) {
        const RbvNaturalNumber *number = &n->numbers[k];
        RbvVec3 x[4];
        values_of(n, number, q, x);
        double *z = &q[number->column];
        if (number->kind == RBV_NUMBER_ANGLE) {
            RbvVec3 f = facing(number, x);
            *z = atan2(rbv_dot(x[1], f), rbv_dot(x[0], f));
            double whole = turned(c, &c->model->measures.items[number->measure], bodies);
            *z += isnan(whole) ? 0 : RBV_TWO_PI * nearbyint((whole - *z) / RBV_TWO_PI);
        } else {
            RbvVec3 d = rbv_sub(x[1], x[0]);
            *z = number->kind == RBV_NUMBER_DISTANCE ? rbv_norm(d) : rbv_dot(x[2], d);
        }
    }
}

/* Rates z' of the numbers from Psi_q v + Psi_z z' = 0. */
void rbv_natural_take_number_rates(const RbvCoordinates *c, const double *q, double *v) {
    const RbvNatural *n = rbv_natural_of(c);
    for (int32_t k = 0; k < n->number_count; k++) {
        const RbvNaturalNumber *number = &n->numbers[k];
        RbvVec3 x[4], by[4];
        double slope, sum = 0;
        values_of(n, number, q, x);
        evaluate(number, x, q[number->column], by, &slope);
        for (int i = 0; i < number->count; i++) {
            RbvCore core = core_of(n, number->spot[i].body, q), rate = rate_of(n, number->spot[i].body, &core, v);
            sum += rbv_dot(by[i], spot_at(&number->spot[i], &rate, true));
        }
        v[number->column] = slope != 0 ? -sum / slope : 0;
    }
}

/* ---- layout ---- */

static RbvSpot in_core(const RbvNatural *n, int32_t body, RbvVec3 p, bool point) {
    const RbvNaturalBody *of = &n->bodies[body];
    RbvVec3 c = of->form == RBV_NATURAL_ROD ? rbv_vec3(rbv_dot(p, of->line) / rbv_dot(of->line, of->line), 0, 0)
                                            : rbv_apply(&of->X_inverse, p);
    return (RbvSpot){body, point, {c.x, c.y, n->dims == 3 ? c.z : 0}, {0, 0, 0}};
}

static RbvSpot point_spot(const RbvCoordinates *c, int32_t index) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvMarker *marker = &c->model->markers.items[index];
    RbvVec3 arm = rbv_marker_arm(c->model, marker);
    if (marker->body == 0)
        return (RbvSpot){0, true, {0, 0, 0}, arm};
    RbvVec3 from = rbv_sub(arm, n->uses[n->bodies[marker->body].point].local);
    return n->bodies[marker->body].form == RBV_NATURAL_PARTICLE ? (RbvSpot){marker->body, true, {0, 0, 0}, from}
                                                                : in_core(n, marker->body, from, true);
}

static RbvVec3 local_axis(const RbvCoordinates *c, const RbvMarker *marker, int axis) {
    return c->bodies->spatial ? rbv_marker_axes(marker)->A.column[axis] : rbv_mat3_about_z(marker->angle).column[axis];
}

/* An axis of a marker; `scaled`: with the length of its body's a1 in the plane. Fixed for ground and particles, which
 * do not turn. */
static RbvSpot vector_spot(const RbvCoordinates *c, int32_t index, int axis, bool scaled) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvMarker *marker = &c->model->markers.items[index];
    const RbvNaturalBody *body = &n->bodies[marker->body];
    RbvVec3 local = local_axis(c, marker, axis);
    if (marker->body == 0 || body->form == RBV_NATURAL_PARTICLE)
        return (RbvSpot){0, false, {0, 0, 0}, local};
    double length = scaled && body->form == RBV_NATURAL_PLANE
                        ? rbv_norm(rbv_sub(n->uses[body->a[0].head].local, n->uses[body->a[0].tail].local))
                        : 1;
    return in_core(n, marker->body, rbv_scale(length, local), false);
}

static RbvNaturalNumber angle_of(const RbvCoordinates *c, const RbvMeasure *measure) {
    const int turning = measure->kind == RBV_MEASURE_TWIST ? (int)measure->axis : 2, first = (turning + 1) % 3;
    const RbvSpot x = {0, false, {0, 0, 0}, {1, 0, 0}}, y = {0, false, {0, 0, 0}, {0, 1, 0}};
    RbvNaturalNumber number = {
        .kind = RBV_NUMBER_ANGLE, .count = measure->kind == RBV_MEASURE_DIRECTION ? 4 : 3, .spot = {x, y}};
    if (measure->kind == RBV_MEASURE_ANGLE || measure->kind == RBV_MEASURE_TWIST) {
        number.spot[0] = vector_spot(c, measure->marker[0], first, true);
        number.spot[1] = vector_spot(c, measure->marker[0], (turning + 2) % 3, true);
    }
    if (measure->kind == RBV_MEASURE_DIRECTION) {
        number.spot[2] = point_spot(c, measure->marker[0]);
        number.spot[3] = point_spot(c, measure->marker[1]);
    } else {
        number.spot[2] = vector_spot(c, measure->marker[1], first, true);
    }
    return number;
}

bool rbv_natural_lay_numbers(const RbvCoordinates *c, RbvArena *arena, RbvNatural *n) {
    n->number_count = c->from_rows.number_count;
    n->numbers = rbv_arena_array(arena, (size_t)n->number_count + 1, sizeof *n->numbers);
    for (int32_t k = 0; n->numbers && k < n->number_count; k++) {
        const RbvMeasure *measure = &c->model->measures.items[c->from_rows.numbers[k]];
        bool distance = measure->kind == RBV_MEASURE_DISTANCE, offset = measure->kind == RBV_MEASURE_OFFSET;
        RbvNaturalNumber *number = &n->numbers[k];
        if (distance || offset) {
            *number = (RbvNaturalNumber){.kind = distance ? RBV_NUMBER_DISTANCE : RBV_NUMBER_OFFSET,
                                         .count = distance ? 2 : 3};
            for (int side = 0; side < 2; side++)
                number->spot[side] = point_spot(c, measure->marker[side]);
            if (offset)
                number->spot[2] = vector_spot(c, measure->marker[0], (int)measure->axis, false);
        } else {
            *number = angle_of(c, measure);
        }
        number->measure = c->from_rows.numbers[k];
        number->column = c->first_number + k;
    }
    return n->numbers != NULL;
}
