/* Plain bearings, rolling guides and ball screws.
 *
 *   plain:  p = F/(d b), v = |w| d/2; F = |(Fx, Fy)|, of a ball in a socket |F|; depth of wear per time k p v
 *   guide:  P = |Fx| + |Fy| + C (|Tx|/mx + |Ty|/my + |Tz|/mz), in the plane |Fy| + C |Tz|/mz; L = (C/P)^p per
 *   screw:  P = |Fz|, L10 = (C/P)^3 in 10^6 revolutions
 *
 * Mean loads of guides and screws over the travel: (int P^p |v| dt / int |v| dt)^(1/p). */
#include "analysis/sizing/parts.h"

#include <math.h>
#include <string.h>

#define TURN 6.28318530717958647693

/* ---- plain bearings ---- */

enum { PRESSURE, SLIDING, PRODUCT, PLAIN_INTEGRANDS };

static void begin_plain(RbvSizing *sizing, RbvPart *part, bool first) {
    (void)first;
    rbv_part_columns(sizing, part);
    bool ball = strcmp(part->entry->kind, "spherical") == 0;
    for (int c = 0; c < (ball ? 3 : 2); c++)
        rbv_part_enters(sizing, part, c);
    if (!ball)
        part->column[2] = -1;
    if (strcmp(part->entry->kind, "cylindrical") == 0)
        rbv_part_note(sizing, part, "plain bearing '%s': what it slides along its axis is not in v, p v and wear",
                      part->name);
}

static void sample_plain(RbvPart *part, const double *row, double *integrands) {
    const RbvPlainDef *plain = &part->of->plain;
    double F = 0;
    for (int c = 0; c < 3; c++) {
        double component = rbv_part_value(row, part->column[c]);
        F += component * component;
    }
    double p = sqrt(F) / (plain->diameter * plain->width), v = fabs(row[part->entry->rate]) * plain->diameter / 2;
    integrands[PRESSURE] = p;
    integrands[SLIDING] = v;
    integrands[PRODUCT] = p * v;
    rbv_peak_take(&part->largest[0], p, row[0]);
    rbv_peak_take(&part->largest[1], v, row[0]);
    rbv_peak_take(&part->largest[2], p * v, row[0]);
    part->plot[0] = row[0];
    part->plot[1] = p;
}

static void end_plain(RbvSizing *sizing, RbvPart *part) {
    static const char *const names[3][4] = {
        {"p", "p_at", "p_mean", "p_share"}, {"v", "v_at", "v_mean", "v_share"}, {"pv", "pv_at", "pv_mean", "pv_share"}};
    static const char *const units[3] = {"Pa", "m/s", "Pa.m/s"};
    const RbvPlainDef *plain = &part->of->plain;
    const double limits[3] = {plain->p, plain->v, plain->pv};
    double time = sizing->period;
    double off = (part->off[0] + part->off[1] + part->off[2]) / (plain->diameter * plain->width);
    for (int k = 0; k < 3; k++) {
        bool known = k == 0 || time > 0;
        double most = known ? part->largest[k].value : NAN;
        rbv_part_figure(part, names[k][0], units[k], most, part->largest[k].error + (k == 0 ? off : 0));
        rbv_part_figure(part, names[k][1], "s", known ? part->largest[k].at : NAN, NAN);
        rbv_part_figure(part, names[k][2], units[k], time > 0 ? rbv_part_integral(sizing, part, k) / time : NAN,
                        rbv_part_integral_error(sizing, part, k) / time + (k == 0 ? off : 0));
        rbv_part_figure(part, names[k][3], "", most / limits[k], NAN);
    }
    double depth = time > 0 ? 3600 * plain->wear * rbv_part_integral(sizing, part, PRODUCT) / time : NAN;
    double share = rbv_part_integral_error(sizing, part, PRODUCT) / rbv_part_integral(sizing, part, PRODUCT);
    rbv_part_figure(part, "wear_per_hour", "m/h", depth, depth * share);
    rbv_part_figure(part, "life", "h", plain->depth / depth, plain->depth / depth * share);
    double F = 0;
    for (int c = 0; c < 3; c++)
        F += part->most[c] * part->most[c];
    double p = sqrt(F) / (plain->diameter * plain->width), slid = rbv_part_integral(sizing, part, SLIDING) / time;
    rbv_part_figure(part, "life_least", "h", part->ranged ? plain->depth / (3600 * plain->wear * p * slid) : NAN, NAN);
}

const RbvPartKind rbv_part_plain = {PLAIN_INTEGRANDS, 0, begin_plain, sample_plain, end_plain};

/* ---- guides and screws ---- */

enum { LOAD, TRAVEL, INTEGRANDS };

static void begin_guide(RbvSizing *sizing, RbvPart *part, bool first) {
    (void)first;
    rbv_part_columns(sizing, part);
    part->exponent = part->of->guide.rollers ? 10.0 / 3 : 3;
    if (sizing->model->space == RBV_PLANAR)
        part->column[0] = -1; /* the direction of the slide */
    part->column[2] = part->column[2] >= 0 && sizing->model->space == RBV_SPATIAL ? -1 : part->column[2];
    for (int c = 0; c < 6; c++)
        rbv_part_enters(sizing, part, c);
}

/* Load of the guide by its components F[6], with moment ratings m[3]. A rating that is not given counts where there is
 * a moment: NaN. */
static double load_by(const RbvGuideDef *guide, const double *F, double C, const double m[3]) {
    double sum = fabs(F[0]) + fabs(F[1]);
    for (int k = 0; k < 3; k++)
        sum += F[3 + k] != 0 ? C * fabs(F[3 + k]) / m[k] : 0;
    return sum * guide->factor;
}

static double guide_load(const RbvPart *part, const double *row, double C, const double m[3]) {
    double F[6];
    for (int c = 0; c < 6; c++)
        F[c] = rbv_part_value(row, part->column[c]);
    return load_by(&part->of->guide, F, C, m);
}

static void sample_guide(RbvPart *part, const double *row, double *integrands) {
    const RbvGuideDef *g = &part->of->guide;
    double P = guide_load(part, row, g->C, (double[]){g->mx, g->my, g->mz}), v = row[part->entry->rate];
    double P0 = guide_load(part, row, g->C0, (double[]){g->m0x, g->m0y, g->m0z});
    integrands[LOAD] = rbv_part_power(part, P) * fabs(v);
    integrands[TRAVEL] = fabs(v);
    rbv_peak_take(&part->largest[0], isnan(P0) ? INFINITY : P0, row[0]);
    rbv_peak_take(&part->largest[1], P, row[0]);
    rbv_part_travel(part, row[0], P, v);
}

static void begin_screw(RbvSizing *sizing, RbvPart *part, bool first) {
    (void)first;
    rbv_part_columns(sizing, part);
    part->exponent = 3;
    rbv_part_enters(sizing, part, 2);
}

static void sample_screw(RbvPart *part, const double *row, double *integrands) {
    double P = part->of->screw.factor * fabs(rbv_part_value(row, part->column[2])), w = row[part->entry->rate];
    integrands[LOAD] = P * P * P * fabs(w);
    integrands[TRAVEL] = fabs(w);
    rbv_peak_take(&part->largest[0], P, row[0]);
    rbv_peak_take(&part->largest[1], P, row[0]);
    rbv_part_travel(part, row[0], P, w);
}

/* Figures of a guide (a turn is 1 m) or a screw. off: error of P; bound: the largest P of ranges, or
 * NaN. */
static void slide_figures(RbvSizing *sizing, RbvPart *part, double C, double C0, double off, double bound) {
    bool guide = part->of->kind == RBV_SIZED_GUIDE;
    double p = part->exponent, I = rbv_part_integral(sizing, part, LOAD), s = rbv_part_integral(sizing, part, TRAVEL);
    double P = s > 0 ? pow(fmax(0, I) / s, 1 / p) : NAN, share = NAN, P0 = part->largest[0].value;
    double travel_share = rbv_part_integral_error(sizing, part, TRAVEL) / s;
    if (P > 0)
        share = p * off / P + rbv_part_integral_error(sizing, part, LOAD) / I;
    double each = guide ? part->of->guide.per : 1e6 * TURN; /* [m or rad] of one (C/P)^p */
    double life = pow(C / P, p), hours = each * sizing->period / (s * 3600), shown = guide ? each : 1;
    rbv_part_figure(part, "P0", "N", P0, off + part->largest[0].error);
    rbv_part_figure(part, "P0_at", "s", part->largest[0].at, NAN);
    rbv_part_figure(part, "P", "N", P, P * share / p);
    const char *life_unit = guide ? "m" : "10^6";
    rbv_part_figure(part, "L10", life_unit, life * shown, life * shown * share);
    rbv_part_figure(part, "L10h", "h", life * hours, life * hours * (share + travel_share));
    rbv_part_figure(part, "s0", "", isfinite(P0) ? C0 / P0 : NAN, NAN);
    double unit = guide ? 1 : TURN;
    double travel = sizing->period > 0 && !sizing->shares ? s / unit : NAN;
    double travel_error = rbv_part_integral_error(sizing, part, TRAVEL) / unit;
    if (guide)
        rbv_part_figure(part, "travel", "m", travel, travel_error);
    else
        rbv_part_figure(part, "turns", "", travel, travel_error);
    double least = pow(C / bound, p);
    rbv_part_figure(part, "L10_least", life_unit, s > 0 ? least * shown : NAN, NAN);
    rbv_part_figure(part, "L10h_least", "h", least * hours, NAN);
    rbv_part_endless(part, P);
    rbv_part_note_run(sizing, part, guide ? "guide" : "ball screw", C, s);
}

static void end_guide(RbvSizing *sizing, RbvPart *part) {
    const RbvGuideDef *g = &part->of->guide;
    const double m[3] = {g->mx, g->my, g->mz};
    double off = part->off[0] + part->off[1];
    for (int k = 0; k < 3; k++)
        off += part->column[3 + k] >= 0 ? g->C * part->off[3 + k] / m[k] : 0;
    slide_figures(sizing, part, g->C, g->C0, g->factor * off, part->ranged ? load_by(g, part->most, g->C, m) : NAN);
}

static void end_screw(RbvSizing *sizing, RbvPart *part) {
    const RbvScrewLifeDef *screw = &part->of->screw;
    slide_figures(sizing, part, screw->C, screw->C0, screw->factor * part->off[2],
                  part->ranged ? screw->factor * part->most[2] : NAN);
}

const RbvPartKind rbv_part_guide = {INTEGRANDS, TRAVEL, begin_guide, sample_guide, end_guide};
const RbvPartKind rbv_part_screw = {INTEGRANDS, TRAVEL, begin_screw, sample_screw, end_screw};
