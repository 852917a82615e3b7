/* Rolling bearings of a hinge, and two that share its wrench.
 *
 * A single bearing carries Fr = |(Fx, Fy)| and Fa = |Fz| in the axes of the joint's first marker. Two at z_a, z_b along
 * the axis, from the joint's second marker, share the wrench on the second body by statics:
 *
 *   Fb_x = (Ty - z_a Fx)/(z_b - z_a),  Fb_y = (-Tx - z_a Fy)/(z_b - z_a),  Fa = F - Fb
 *
 * and the one that is not floating takes Fz. In an arrangement radial loads induce the axial forces S (rolling.h): with
 * the second body as the shaft, the bearing that stops it along +z carries max(S, S' - Fz), the other
 * max(S', S + Fz). In X that is the one at the larger z, in O the other.
 *
 * Over a run P = (int P^p |w| dt / int |w| dt)^(1/p), L10 = (C/P)^p in 10^6 revolutions. */
#include "analysis/sizing/parts.h"
#include "analysis/sizing/rolling.h"

#include <math.h>
#include <stdio.h>

enum { LOAD, TURNS, BOUND, INTEGRANDS };

static bool pair(const RbvPart *part) {
    return part->of->count == 2;
}

/* Does the bearing take part of Fz? */
static bool takes_axial(const RbvPart *part) {
    return !pair(part) || !part->of->bearing[part->which].floating;
}

static void begin(RbvSizing *sizing, RbvPart *part, bool first) {
    (void)first;
    const RbvSized *of = part->of;
    rbv_part_columns(sizing, part);
    part->exponent = rbv_rolling_exponent(&of->bearing[part->which], of->series[part->which]);
    rbv_part_enters(sizing, part, 0);
    rbv_part_enters(sizing, part, 1);
    bool axial = rbv_rolling_radial_only(of->series[part->which]) ? false : takes_axial(part);
    if (axial)
        rbv_part_enters(sizing, part, 2);
    for (int c = 3; pair(part) && c < 5; c++)
        rbv_part_enters(sizing, part, c);
    bool open = pair(part) && part->column[2] >= 0 && !of->bearing[0].floating && !of->bearing[1].floating &&
                of->arrangement == RBV_ARRANGEMENT_NONE && rbv_result_sums(sizing->result, part->column[2]).peak > 0;
    if (open && !part->lacks) {
        snprintf(part->why, sizeof part->why,
                 "which of the two bearings takes Fz is open: make one floating, or give their arrangement");
        part->verdict = RBV_NOT_UNIQUE;
        part->lacks = true;
    }
}

/* Radial share of bearing `which` of two. */
static double radial_share(const RbvPart *part, const double F[3], const double T[2], int which) {
    const RbvBearingDef *b = part->of->bearing;
    double other = b[1 - which].at, span = b[which].at - other;
    double x = (T[1] - other * F[0]) / span, y = (-T[0] - other * F[1]) / span;
    return sqrt(x * x + y * y);
}

/* Axial forces of both bearings of an arrangement; Fz on the shaft. What angular contact induces depends on its own
 * axial force: repeated until it stays. */
#define MOST_ROUNDS 60

static void arranged(const RbvPart *part, const double Fr[2], double Fz, double Fa[2]) {
    const RbvSized *of = part->of;
    int upper = of->bearing[1].at > of->bearing[0].at; /* the one at the larger z */
    int stops = of->arrangement == RBV_ARRANGEMENT_X ? upper : 1 - upper;
    Fa[0] = Fa[1] = fabs(Fz);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double S[2], before[2] = {Fa[0], Fa[1]};
        for (int k = 0; k < 2; k++)
            S[k] = rbv_rolling_induced(&of->bearing[k], of->series[k], Fr[k], Fa[k]);
        Fa[stops] = fmax(S[stops], S[1 - stops] - Fz);
        Fa[1 - stops] = fmax(S[1 - stops], S[stops] + Fz);
        if (Fa[0] == before[0] && Fa[1] == before[1])
            return;
    }
}

static void load_of(const RbvPart *part, const double *row, double *Fr, double *Fa) {
    const RbvSized *of = part->of;
    const double F[3] = {rbv_part_value(row, part->column[0]), rbv_part_value(row, part->column[1]),
                         rbv_part_value(row, part->column[2])};
    const double T[2] = {rbv_part_value(row, part->column[3]), rbv_part_value(row, part->column[4])};
    int n = part->which;
    *Fr = pair(part) ? radial_share(part, F, T, n) : sqrt(F[0] * F[0] + F[1] * F[1]);
    *Fa = takes_axial(part) ? fabs(F[2]) : 0;
    if (of->arrangement != RBV_ARRANGEMENT_NONE) {
        const double both[2] = {radial_share(part, F, T, 0), radial_share(part, F, T, 1)};
        double axial[2];
        arranged(part, both, F[2], axial);
        *Fa = axial[n];
    }
    *Fr *= of->bearing[n].factor;
    *Fa *= of->bearing[n].factor;
}

/* Radial share of bearing `which` of two that no components up to F[5] exceed. */
static double radial_bound(const RbvPart *part, const double F[5], int which) {
    const RbvBearingDef *b = part->of->bearing;
    double span = fabs(b[1].at - b[0].at), other = fabs(b[1 - which].at);
    double x = (F[4] + other * F[0]) / span, y = (F[3] + other * F[1]) / span;
    return sqrt(x * x + y * y);
}

/* Ranges of compliances: Fr and Fa that no components within them exceed at this sample. */
static void bound_load(const RbvPart *part, const double *row, double *Fr, double *Fa) {
    int n = part->which;
    double F[5], factor = part->of->bearing[n].factor;
    for (int c = 0; c < 5; c++)
        F[c] = rbv_part_most(part, row, c);
    double radial = pair(part) ? radial_bound(part, F, n) : sqrt(F[0] * F[0] + F[1] * F[1]);
    double axial = takes_axial(part) ? F[2] : 0;
    if (part->of->arrangement != RBV_ARRANGEMENT_NONE) { /* a thrust to either side */
        const double both[2] = {radial_bound(part, F, 0), radial_bound(part, F, 1)};
        double one[2], other[2];
        arranged(part, both, F[2], one);
        arranged(part, both, -F[2], other);
        axial = fmax(one[n], other[n]);
    }
    *Fr = factor * radial;
    *Fa = factor * axial;
}

static void sample(RbvPart *part, const double *row, double *integrands) {
    const RbvBearingDef *b = &part->of->bearing[part->which];
    RbvBearingSeries series = part->of->series[part->which];
    double Fr, Fa, w = rbv_part_speed(part, row), axial;
    load_of(part, row, &Fr, &Fa);
    double P = rbv_rolling_dynamic(b, series, Fr, Fa, &axial);
    integrands[LOAD] = rbv_part_power(part, P) * fabs(w);
    integrands[TURNS] = fabs(w);
    double Fr_most = Fr, Fa_most = Fa;
    if (part->ranged)
        bound_load(part, row, &Fr_most, &Fa_most);
    double most = part->ranged ? rbv_rolling_bound(b, series, Fr_most, Fa_most) : P;
    integrands[BOUND] = rbv_part_power(part, most) * fabs(w);
    rbv_peak_take(&part->largest[4], rbv_rolling_static(b, series, Fr_most, Fa_most), row[0]);
    part->least[0] = fmax(part->least[0], axial); /* largest factor of Fa, for errors */
    rbv_peak_take(&part->largest[0], rbv_rolling_static(b, series, Fr, Fa), row[0]);
    rbv_peak_take(&part->largest[1], P, row[0]);
    rbv_peak_take(&part->largest[2], Fa, row[0]);
    double Tx = rbv_part_value(row, part->column[3]), Ty = rbv_part_value(row, part->column[4]);
    rbv_peak_take(&part->largest[3], sqrt(Tx * Tx + Ty * Ty), row[0]);
    rbv_part_travel(part, row[0], P, w);
}

/* Error of P from those of the components that enter. */
static double load_error(const RbvPart *part) {
    const RbvBearingDef *b = part->of->bearing;
    double sum = part->off[0] + part->off[1];
    if (pair(part)) {
        double span = fabs(b[1].at - b[0].at), other = fabs(b[1 - part->which].at);
        sum = sum * other / span + (part->off[3] + part->off[4]) / span;
    }
    return b[part->which].factor * (sum + (takes_axial(part) ? part->least[0] * part->off[2] : 0));
}

static void note_bearing(RbvSizing *sizing, const RbvPart *part, double turns) {
    const RbvBearingDef *b = &part->of->bearing[part->which];
    const char *name = part->name;
    double swing = part->swing[2] - part->swing[1], load = part->largest[1].value;
    if (part->lacks)
        return;
    double size = sizing->result->machine.size > 0 ? sizing->result->machine.size : 1;
    bool radial = rbv_rolling_radial_only(part->of->series[part->which]) && takes_axial(part);
    bool tilts = rbv_part_determined(sizing, part, 3) && rbv_part_determined(sizing, part, 4);
    if (radial && !rbv_part_determined(sizing, part, 2))
        rbv_part_note(sizing, part,
                      "bearing '%s': a cylindrical-roller bearing takes no axial force; what acts on it "
                      "is not unique",
                      name);
    else if (radial && part->largest[2].value > fmax(RBV_SAME * load, rbv_part_rounding(sizing, "N")))
        rbv_part_note(sizing, part,
                      "bearing '%s': a cylindrical-roller bearing takes no axial force, but up to %.4g N "
                      "act on it at t = %.6g s",
                      name, part->largest[2].value, part->largest[2].at);
    if (!pair(part) && !tilts)
        rbv_part_note(sizing, part, "bearing '%s': its moment across the axis is not unique", name);
    else if (!pair(part) && part->largest[3].value > fmax(RBV_SAME * load * size, rbv_part_rounding(sizing, "N.m")))
        rbv_part_note(sizing, part, "bearing '%s': largest |T| across its axis %.4g N.m at t = %.6g s: not in P", name,
                      part->largest[3].value, part->largest[3].at);
    rbv_part_note_run(sizing, part, "bearing", b->C, turns);
    if (turns > 0 && swing < RBV_TURN / 4 && part->slowest < 0 && part->fastest > 0)
        rbv_part_note(sizing, part,
                      "bearing '%s' swings within %.3g deg, less than a quarter turn: its travel is "
                      "counted, but lubrication may fail first",
                      name, swing * 360 / RBV_TURN);
}

static void end(RbvSizing *sizing, RbvPart *part) {
    const RbvBearingDef *b = &part->of->bearing[part->which];
    double p = part->exponent, I = rbv_part_integral(sizing, part, LOAD), w = rbv_part_integral(sizing, part, TURNS);
    double P = w > 0 ? pow(fmax(0, I) / w, 1 / p) : NAN, turns = w / RBV_TURN;
    double off = load_error(part), share = NAN;
    double P0 = part->largest[0].value, P0_error = off + part->largest[0].error;
    double turns_share = rbv_part_integral_error(sizing, part, TURNS) / w;
    if (P > 0)
        share = p * off / P + rbv_part_integral_error(sizing, part, LOAD) / I;
    double L10 = pow(b->C / P, p), hours = 1e6 * sizing->period / (turns * 3600);
    double a = rbv_rolling_a1(b->reliability) * b->a_iso;
    double most = part->ranged ? rbv_part_integral(sizing, part, BOUND) : NAN, bound = pow(b->C, p) * w / most;
    double bound_share = rbv_part_integral_error(sizing, part, BOUND) / most + p * off / pow(most / w, 1 / p);
    rbv_part_figure(part, "P0", "N", P0, P0_error);
    rbv_part_figure(part, "P0_at", "s", part->largest[0].at, NAN);
    rbv_part_figure(part, "P", "N", P, P * share / p);
    rbv_part_figure(part, "L10", "10^6", L10, L10 * share);
    rbv_part_figure(part, "L10h", "h", L10 * hours, L10 * hours * (share + turns_share));
    rbv_part_figure(part, "Lnm", "10^6", a * L10, a * L10 * share);
    rbv_part_figure(part, "Lnmh", "h", a * L10 * hours, a * L10 * hours * (share + turns_share));
    rbv_part_figure(part, "s0", "", b->C0 / P0, b->C0 / P0 * P0_error / P0);
    rbv_part_figure(part, "turns", "", sizing->period > 0 && !sizing->shares ? turns : NAN,
                    rbv_part_integral_error(sizing, part, TURNS) / RBV_TURN);
    rbv_part_figure(part, "L10_least", "10^6", w > 0 ? bound : NAN, bound * (bound_share + turns_share));
    rbv_part_figure(part, "L10h_least", "h", bound * hours, bound * hours * (bound_share + 2 * turns_share));
    double P0_most = part->ranged ? part->largest[4].value : NAN, most_error = off + part->largest[4].error;
    rbv_part_figure(part, "P0_most", "N", P0_most, most_error);
    rbv_part_figure(part, "s0_least", "", b->C0 / P0_most, b->C0 / P0_most * most_error / P0_most);
    rbv_part_endless(part, P);
    note_bearing(sizing, part, turns);
}

const RbvPartKind rbv_part_bearing = {INTEGRANDS, TURNS, begin, sample, end};
