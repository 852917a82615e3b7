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

/* ---- plain bearings ---- */

enum { PRESSURE, SLIDING, PRODUCT, PRODUCT_BOUND, PLAIN_INTEGRANDS };

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
    double F = 0, most = 0;
    for (int c = 0; c < 3; c++) {
        double component = rbv_part_value(row, part->column[c]), bound = rbv_part_most(part, row, c);
        F += component * component;
        most += bound * bound;
    }
    double area = plain->diameter * plain->width, p = sqrt(F) / area, p_most = sqrt(most) / area;
    double v = fabs(rbv_part_speed(part, row)) * plain->diameter / 2;
    integrands[PRESSURE] = p;
    integrands[SLIDING] = v;
    integrands[PRODUCT] = p * v;
    integrands[PRODUCT_BOUND] = p_most * v;
    rbv_peak_take(&part->largest[3], p_most, row[0]);
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
        double most_error = part->largest[k].error + (k == 0 ? off : 0);
        rbv_part_figure(part, names[k][0], units[k], most, most_error);
        rbv_part_figure(part, names[k][1], "s", known ? part->largest[k].at : NAN, NAN);
        rbv_part_figure(part, names[k][2], units[k], time > 0 ? rbv_part_integral(sizing, part, k) / time : NAN,
                        rbv_part_integral_error(sizing, part, k) / time + (k == 0 ? off : 0));
        rbv_part_figure(part, names[k][3], "", most / limits[k], most_error / limits[k]);
    }
    double depth = time > 0 ? 3600 * plain->wear * rbv_part_integral(sizing, part, PRODUCT) / time : NAN;
    double share = rbv_part_integral_error(sizing, part, PRODUCT) / rbv_part_integral(sizing, part, PRODUCT);
    rbv_part_figure(part, "wear_per_hour", "m/h", depth, depth * share);
    rbv_part_figure(part, "life", "h", plain->depth / depth, plain->depth / depth * share);
    double product = part->ranged ? rbv_part_integral(sizing, part, PRODUCT_BOUND) : NAN;
    double least = plain->depth * time / (3600 * plain->wear * product);
    rbv_part_figure(part, "life_least", "h", least,
                    least * rbv_part_integral_error(sizing, part, PRODUCT_BOUND) / product);
    double p_most = part->ranged ? part->largest[3].value : NAN, p_error = part->largest[3].error + off;
    rbv_part_figure(part, "p_most", "Pa", p_most, p_error);
    rbv_part_figure(part, "p_share_most", "", p_most / plain->p, p_error / plain->p);
}

const RbvPartKind rbv_part_plain = {PLAIN_INTEGRANDS, 0, begin_plain, sample_plain, end_plain};

/* ---- guides and screws ---- */

enum { LOAD, TRAVEL, BOUND, INTEGRANDS };

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

/* most: that of the largest components within ranges of compliances. */
static double guide_load(const RbvPart *part, const double *row, double C, const double m[3], bool most) {
    double F[6];
    for (int c = 0; c < 6; c++)
        F[c] = most ? rbv_part_most(part, row, c) : rbv_part_value(row, part->column[c]);
    return load_by(&part->of->guide, F, C, m);
}

static void sample_guide(RbvPart *part, const double *row, double *integrands) {
    const RbvGuideDef *g = &part->of->guide;
    const double m[3] = {g->mx, g->my, g->mz}, m0[3] = {g->m0x, g->m0y, g->m0z};
    double P = guide_load(part, row, g->C, m, false), P0 = guide_load(part, row, g->C0, m0, false);
    double v = rbv_part_speed(part, row);
    integrands[LOAD] = rbv_part_power(part, P) * fabs(v);
    integrands[TRAVEL] = fabs(v);
    double most = part->ranged ? guide_load(part, row, g->C, m, true) : P;
    integrands[BOUND] = rbv_part_power(part, most) * fabs(v);
    double P0_most = part->ranged ? guide_load(part, row, g->C0, m0, true) : P0;
    rbv_peak_take(&part->largest[4], isnan(P0_most) ? INFINITY : P0_most, row[0]);
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
    double P = part->of->screw.factor * fabs(rbv_part_value(row, part->column[2])), w = rbv_part_speed(part, row);
    integrands[LOAD] = P * P * P * fabs(w);
    integrands[TRAVEL] = fabs(w);
    double most = part->of->screw.factor * rbv_part_most(part, row, 2);
    integrands[BOUND] = most * most * most * fabs(w);
    rbv_peak_take(&part->largest[4], most, row[0]);
    rbv_peak_take(&part->largest[0], P, row[0]);
    rbv_peak_take(&part->largest[1], P, row[0]);
    rbv_part_travel(part, row[0], P, w);
}

/* Figures of a guide (a turn is 1 m) or a screw. off: error of P. */
static void slide_figures(RbvSizing *sizing, RbvPart *part, double C, double C0, double off) {
    bool guide = part->of->kind == RBV_SIZED_GUIDE;
    double p = part->exponent, I = rbv_part_integral(sizing, part, LOAD), s = rbv_part_integral(sizing, part, TRAVEL);
    double P = s > 0 ? pow(fmax(0, I) / s, 1 / p) : NAN, share = NAN, P0 = part->largest[0].value;
    double travel_share = rbv_part_integral_error(sizing, part, TRAVEL) / s;
    if (P > 0)
        share = p * off / P + rbv_part_integral_error(sizing, part, LOAD) / I;
    double each = guide ? part->of->guide.per : 1e6 * RBV_TURN; /* [m or rad] of one (C/P)^p */
    double life = pow(C / P, p), hours = each * sizing->period / (s * 3600), shown = guide ? each : 1;
    double P0_error = off + part->largest[0].error;
    rbv_part_figure(part, "P0", "N", P0, P0_error);
    rbv_part_figure(part, "P0_at", "s", part->largest[0].at, NAN);
    rbv_part_figure(part, "P", "N", P, P * share / p);
    const char *life_unit = guide ? "m" : "10^6";
    rbv_part_figure(part, "L10", life_unit, life * shown, life * shown * share);
    rbv_part_figure(part, "L10h", "h", life * hours, life * hours * (share + travel_share));
    rbv_part_figure(part, "s0", "", isfinite(P0) ? C0 / P0 : NAN, C0 / P0 * P0_error / P0);
    double unit = guide ? 1 : RBV_TURN;
    double travel = sizing->period > 0 && !sizing->shares ? s / unit : NAN;
    double travel_error = rbv_part_integral_error(sizing, part, TRAVEL) / unit;
    if (guide)
        rbv_part_figure(part, "travel", "m", travel, travel_error);
    else
        rbv_part_figure(part, "turns", "", travel, travel_error);
    double most = part->ranged ? rbv_part_integral(sizing, part, BOUND) : NAN, least = pow(C, p) * s / most;
    double least_share = rbv_part_integral_error(sizing, part, BOUND) / most + p * off / pow(most / s, 1 / p);
    least_share += travel_share;
    rbv_part_figure(part, "L10_least", life_unit, s > 0 ? least * shown : NAN, least * shown * least_share);
    rbv_part_figure(part, "L10h_least", "h", least * hours, least * hours * (least_share + travel_share));
    bool bounded = part->ranged && isfinite(part->largest[4].value);
    double P0_most = bounded ? part->largest[4].value : NAN, most_error = off + part->largest[4].error;
    rbv_part_figure(part, "P0_most", "N", P0_most, most_error);
    rbv_part_figure(part, "s0_least", "", C0 / P0_most, C0 / P0_most * most_error / P0_most);
    rbv_part_endless(part, P);
    rbv_part_note_run(sizing, part, guide ? "guide" : "ball screw", C, s);
}

static void end_guide(RbvSizing *sizing, RbvPart *part) {
    const RbvGuideDef *g = &part->of->guide;
    const double m[3] = {g->mx, g->my, g->mz};
    double off = part->off[0] + part->off[1];
    for (int k = 0; k < 3; k++)
        off += part->column[3 + k] >= 0 ? g->C * part->off[3 + k] / m[k] : 0;
    slide_figures(sizing, part, g->C, g->C0, g->factor * off);
}

static void end_screw(RbvSizing *sizing, RbvPart *part) {
    const RbvScrewLifeDef *screw = &part->of->screw;
    slide_figures(sizing, part, screw->C, screw->C0, screw->factor * part->off[2]);
}

const RbvPartKind rbv_part_guide = {INTEGRANDS, TRAVEL, begin_guide, sample_guide, end_guide};
const RbvPartKind rbv_part_screw = {INTEGRANDS, TRAVEL, begin_screw, sample_screw, end_screw};
