/* Idle spins: bodies connected only at points of one line, such as rods between balls. The spin about the line is a
 * freedom that no closing affects (mechanics/compile/line_spin.c does the same for models).
 *
 * If the centre of mass is on the line and the inertia is symmetric about it, Euler's equation about the line is  a
 * d(w.u)/dt = torque,  and no joint gives such a torque. The spin is removed by the row
 *
 *   u . w = 0      acceleration at a = 0: u . w', as u' = w x u
 *
 * It has no position: Newton steps do not rotate about u. Its multiplier is zero, unless a wrench of the caller acts
 * about the line. */
#include "arrays/linkage.h"
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points and axes of a body that closings and joints use, collected. */
typedef struct Seen {
    bool axes;               /* its orientation is used, or points beside the line */
    int points;              /* 1: a single point, 2: two points */
    double first[3], far[3]; /* [m] in the body's axes */
    const char *felt; /* name of the body whose joint has a rotor, damping or friction for rotations; NULL: none */
} Seen;

typedef struct Search {
    RbvLinkage *linkage;
    const RbvTree *tree;
    int32_t count;
    const RbvClosing *closings;
    Seen *seen;
    bool last; /* lines are known: check that all points lie on them */
} Search;

static double norm(const double *u) {
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}
static void minus(const double *a, const double *b, double *o) {
    for (int e = 0; e < 3; e++)
        o[e] = a[e] - b[e];
}
static double across(const double *a, const double *b) {
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return norm(c);
}

/* Is the point beside the line through both points? */
static bool off_line(const Seen *s, const double *at) {
    double u[3], d[3];
    minus(s->far, s->first, u);
    minus(at, s->first, d);
    /* Relative to lengths, and to the trace of the inertia: as for models. */
    return across(u, d) > RBV_SAME * norm(u) * fmax(norm(u), norm(d));
}

static void see(Search *search, int32_t body, const double *at, bool point) {
    if (body < 0)
        return;
    Seen *s = search->seen + body;
    s->axes = s->axes || !point || (search->last && s->points == 2 && off_line(s, at));
    if (search->last || !point)
        return;
    double d[3], size = norm(at) + norm(s->first);
    if (s->points == 0)
        memcpy(s->first, at, sizeof s->first), s->points = 1;
    minus(at, s->first, d);
    double most = 0, far[3];
    if (s->points == 2)
        minus(s->far, s->first, far), most = norm(far);
    if (norm(d) > most && norm(d) > RBV_SAME * size)
        memcpy(s->far, at, sizeof s->far), s->points = 2;
}

static void see_joint(Search *search, int32_t k) {
    static const double origin[3] = {0, 0, 0};
    const RbvTreeBody *b = search->tree->body + k;
    bool ball = b->joint == RBV_TREE_SPHERICAL, acts = false;
    if (b->joint == RBV_TREE_FREE)
        return;
    see(search, k, origin, ball);
    see(search, b->parent, b->place, ball);
    for (int e = 0; ball && e < 3; e++)
        acts = acts || b->rotor[e] != 0 || b->damping[e] != 0 || b->friction[e] != 0;
    if (!acts)
        return;
    search->seen[k].felt = b->name;
    if (b->parent >= 0)
        search->seen[b->parent].felt = b->name;
}

static void see_closing(Search *search, const RbvClosing *c) {
    const uint32_t point = RBV_HOLD_X | RBV_HOLD_Y | RBV_HOLD_Z, all = c->holds | c->drives;
    bool damped = false;
    for (int k = 0; k < RBV_CLOSING_TURN; k++)
        damped = damped || c->damping[k] != 0;
    for (int side = 0; side < 2; side++) {
        bool along = (c->holds & point) == point || ((all & point) == 0 && !damped) ||
                     side == 1; /* own axes of this body are not used */
        see(search, c->body[side], c->place[side],
            along && (all & ~(point | RBV_HOLD_DISTANCE)) == 0 && c->damping[RBV_CLOSING_TURN] == 0);
    }
    if (c->holds & RBV_HOLD_TEETH)
        see(search, c->teeth.carrier, c->place[0], false);
}

static void look(Search *search, bool last) {
    search->last = last;
    for (int32_t k = 0; k < search->tree->body_count; k++)
        see_joint(search, k);
    for (int32_t k = 0; k < search->count; k++)
        see_closing(search, search->closings + k);
}

/* Is J = a u u^T + b (1 - u u^T)? */
static bool is_symmetric(const RbvTreeBody *b, const double *u) {
    const double *I = b->inertia, J[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    double trace = fabs(I[0]) + fabs(I[1]) + fabs(I[2]), Ju[3], a = 0, rest = 0;
    for (int e = 0; e < 3; e++) {
        Ju[e] = J[e][0] * u[0] + J[e][1] * u[1] + J[e][2] * u[2];
        a += u[e] * Ju[e];
    }
    const double half = 0.5 * (I[0] + I[1] + I[2] - a);
    for (int e = 0; e < 3; e++)
        for (int k = 0; k < 3; k++)
            rest = fmax(rest, fabs(J[e][k] - a * u[e] * u[k] - half * ((e == k) - u[e] * u[k])));
    return rest <= RBV_SAME * trace;
}

/* Reason why the spin of a body is not idle; NULL: idle. */
static const char *not_idle(const RbvTreeBody *b, const Seen *s, const double *u) {
    if (b->mass > 0 && off_line(s, b->centre))
        return "its centre of mass lies beside the line";
    if (!is_symmetric(b, u))
        return "its inertia is not symmetric about the line";
    return s->felt ? "a rotor, damping or friction acts on it in the joint of" : NULL;
}

static bool lock_spin(Search *search, int32_t k, RbvDiagnostics *diagnostics) {
    RbvLinkage *l = search->linkage;
    const RbvTree *tree = search->tree;
    const RbvTreeBody *b = tree->body + k;
    const Seen *s = search->seen + k;
    double u[3];
    minus(s->far, s->first, u);
    const double length = norm(u);
    for (int e = 0; e < 3; e++)
        u[e] /= length;
    const char *why = not_idle(b, s, u);
    if (why) {
        char name[200] = "";
        if (strstr(why, "joint of"))
            snprintf(name, sizeof name, " '%s'", s->felt);
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                     "the spin of '%s' about its own line is free and not idle, since %s%s; a universal joint at one "
                     "end would hold it",
                     b->name, why, name);
        return false;
    }
    rbv_diagnose(diagnostics, RBV_NOTE, NULL, (RbvPosition){0, 0},
                 "the spin of '%s' about its own line is idle: nothing sees it, no force hangs on it; it is held",
                 b->name);
    RbvLinkageSpin *spin = l->spin + l->spin_count++;
    *spin = (RbvLinkageSpin){.body = k, .link = tree->last[k], .row = l->rows++};
    l->block[l->block_count++] = (RbvLinkageBlock){.row = spin->row, .rows = 1};
    const double *A = tree->axes[k];
    for (int e = 0; e < 3; e++)
        spin->axis[e] = A[e] * u[0] + A[3 + e] * u[1] + A[6 + e] * u[2];
    return true;
}

bool rbv_linkage_find_spins(RbvLinkage *l, int32_t count, const RbvClosing *closings, RbvDiagnostics *diagnostics,
                            bool *wrong) {
    const RbvTree *tree = l->tree;
    Search search = {.linkage = l,
                     .tree = tree,
                     .count = count,
                     .closings = closings,
                     .seen = calloc((size_t)tree->body_count + 1, sizeof(Seen))};
    l->spin = rbv_arena_array(&l->arena, (size_t)tree->body_count, sizeof *l->spin);
    *wrong = false;
    if (search.seen && l->spin) {
        look(&search, false);
        look(&search, true);
        for (int32_t k = 0; k < tree->body_count; k++) {
            const RbvTreeJoint joint = tree->body[k].joint;
            if ((joint == RBV_TREE_SPHERICAL || joint == RBV_TREE_FREE) && !search.seen[k].axes &&
                search.seen[k].points == 2)
                *wrong = !lock_spin(&search, k, diagnostics) || *wrong;
        }
    }
    const bool good = search.seen && l->spin;
    free(search.seen);
    return good && !*wrong;
}

int32_t rbv_linkage_idle(const RbvLinkage *l, int32_t index) {
    return !l || index < 0 || index >= l->spin_count ? -1 : l->spin[index].body;
}

void rbv_linkage_spin_rows(const RbvLinkage *l, RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < l->spin_count; k++) {
        const RbvLinkageSpin *spin = l->spin + k;
        const double *R = w->tree->scratch->pose + RBV_POSE_SIZE * (ptrdiff_t)spin->link, *u = spin->axis;
        double *W = w->wrench + 6 * (ptrdiff_t)spin->row;
        for (int e = 0; e < 3; e++)
            W[e] = R[3 * e] * u[0] + R[3 * e + 1] * u[1] + R[3 * e + 2] * u[2], W[3 + e] = 0;
        w->c[spin->row] = 0;
    }
}

void rbv_linkage_spin_bias(const RbvLinkage *l, RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < l->spin_count; k++) {
        const double *u = w->wrench + 6 * (ptrdiff_t)l->spin[k].row,
                     *m = w->tree->scratch->twist + RBV_TWIST_SIZE * (ptrdiff_t)l->spin[k].link;
        w->bias[l->spin[k].row] = u[0] * m[6] + u[1] * m[7] + u[2] * m[8];
    }
}

bool rbv_linkage_spins_idle(const RbvLinkage *l, const RbvLinkageWorkspace *w) {
    double size = 0;
    for (int32_t k = 0; l->spin_count > 0 && k < w->free_count; k++)
        size += fabs(w->tau[l->free[k]]);
    /* Bound on efforts of freedoms not driven, relative: above their rounding and above the effect of RBV_SAME. */
    for (int32_t k = 0; k < l->spin_count; k++)
        if (!(fabs(w->lambda[l->spin[k].row]) <= RBV_ROOT_EPS * size))
            return false;
    return true;
}
