/* The independent rows C_I of a driven motion at an evaluated position: their choice, their factors, v from C_I v = nu
 * and a from C_I a = gamma; and D_I for forces. Then the exchange of chosen rows for dependent ones, the null space
 * of D^T, and the residuals of dependent rows.
 *
 * Rows of equations on rates depend on v itself: there C v = nu is the linearization about v, and solving it repeatedly
 * is Newton's method. Where v is the body twists C is D. Else the rows of C are chosen separately: the coordinates' own
 * rows first (such as the rigid rows of natural coordinates), then those that the solvability has chosen of D, then any
 * others. Rows that the coordinates keep, which hold for every q, are left out.
 *
 * Rows have one numbering in C and in D: rows of joints, constraints, drives and stops up to system->row_count, of idle
 * spins up to satisfied_count, of initial conditions up to all_count (never chosen), and in C the own rows of the
 * coordinates from there to C.count.
 */
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/elimination.h"
#include "solution/assembly/assemble.h"
#include "solution/motion/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Newton's method for velocities: from the last v it converges in a few steps, or not at all. */
#define MOST_NEWTON 25
/* A row of C is chosen if a larger part of it than RBV_ROOT_EPS is independent of the rows before, relative to its
 * largest entry, and if the row is larger than this part of its entries on bodies. Where too few rows are found, next
 * to a singular position where D still has its rank, the limit is lowered by the factor LESS, again and again, down to
 * RBV_EXACT. */
#define LESS 0.1

/* Are the independent rows of a large system all its rows, in order? */
static bool takes_all(const RbvRowFactors *f) {
    bool all = f->n > RBV_LU_PLANNED_LIMIT;
    for (int32_t k = 0; all && k < f->n; k++)
        all = f->chosen[k] == k;
    return all;
}

/* Use the system's own pattern: the chosen rows are its first n rows, out of `count`. False: no memory. */
static bool lend_rows(RbvRowFactors *f, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        f->place_of[k] = k < f->n ? k : -1;
    rbv_lu_destroy(f->lu);
    f->lu = rbv_lu_create_lent(f->n, f->rows->start, f->rows->column);
    f->lent = true;
    return f->lu != NULL;
}

/* The pattern of the chosen rows, out of `count`, and its LU structure. False: no memory. */
static bool take_pattern(RbvRowFactors *f, int32_t count) {
    const RbvRowPattern *rows = f->rows;
    size_t most = (size_t)rows->start[count];
    if (!f->place_of && !(f->place_of = malloc(((size_t)count + 1) * sizeof *f->place_of)))
        return false;
    if (takes_all(f))
        return lend_rows(f, count);
    f->lent = false;
    if (!f->pattern)
        f->pattern = malloc(((size_t)f->n + 1 + most) * sizeof *f->pattern);
    if (!f->pattern)
        return false;
    int32_t at = 0, *start = f->pattern, *index = start + f->n + 1;
    for (int32_t k = 0; k < count; k++)
        f->place_of[k] = -1;
    for (int32_t k = 0; k < f->n; k++) {
        int32_t row = f->chosen[k];
        f->place_of[row] = k;
        start[k] = at;
        for (int32_t e = rows->start[row]; e < rows->start[row + 1]; e++)
            index[at++] = rows->column[e];
    }
    start[f->n] = at;
    if (f->lu && rbv_lu_take_pattern(f->lu, start, index))
        return true;
    rbv_lu_destroy(f->lu);
    f->lu = rbv_lu_create_planned(f->n, start, index);
    if (f->n >
        RBV_LU_PLANNED_LIMIT) { /* large system: free the pattern, as factors of other rows are allocated again */
        free(f->pattern);
        f->pattern = NULL;
    }
    return f->lu != NULL;
}

/* Factor the chosen rows; values: entries of all rows. False: singular, not finite, or no memory (*no_memory). */
static bool factor_rows(RbvRowFactors *f, const double *values, bool *no_memory) {
    if (f->lent)
        return rbv_lu_factor(f->lu, values, no_memory);
    double *to = rbv_lu_entries(f->lu);
    for (int32_t k = 0; k < f->n; k++) {
        int32_t row = f->chosen[k], count = f->rows->start[row + 1] - f->rows->start[row];
        memcpy(to, values + f->rows->start[row], (size_t)count * sizeof(double));
        to += count;
    }
    return rbv_lu_factor(f->lu, rbv_lu_entries(f->lu), no_memory);
}

static void forget_factors(RbvRowFactors *f) {
    rbv_lu_destroy(f->lu);
    free(f->pattern);
    free(f->place_of);
}

void rbv_motion_forget_rows(RbvMotion *motion) {
    forget_factors(&motion->C);
    if (motion->D != &motion->C)
        forget_factors(&motion->of_bodies);
    free(motion->own_rows);
    free(motion->own_dependent);
}

/* First choice of rows of C by elimination, one after the other, until there are as many as numbers of v; the others
 * are listed. */
typedef struct Choosing {
    RbvMotion *motion;
    RbvElimination *elimination;
    bool *taken;   /* [rows of C] chosen */
    double *value; /* [n] scaled entries of one row */
    double part;   /* part of a row that must remain: RBV_ROOT_EPS or, later, less */
    int32_t count; /* number of rows chosen so far, in motion->own_rows */
} Choosing;

/* Is a row of joints rounding only, since the coordinates keep it implicitly (a slide along a shared point)? Its
 * entries are then less than `part` of its entries on bodies. */
static bool is_rounding(const RbvMotion *motion, int32_t row, int32_t count, const double *value, double part) {
    const RbvSystem *system = motion->system;
    double most = 0, of_bodies = 0;
    if (row >= system->all_count)
        return false;
    for (int32_t e = 0; e < count; e++)
        most = rbv_max(most, fabs(value[e]));
    for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
        of_bodies = rbv_max(of_bodies, fabs(motion->state->D[e]) / motion->body_share[system->D.column[e]]);
    return most <= part * of_bodies;
}

/* Entries of a row in c->value, with columns scaled to a unit of v being a movement by the size. False: the row is
 * inactive, kept by the coordinates, or rounding. */
static bool scale_row(Choosing *c, int32_t row) {
    const RbvState *state = c->motion->state;
    const RbvRowPattern *C = &c->motion->system->C;
    int32_t from = C->start[row], count = C->start[row + 1] - from;
    if (!rbv_state_holds(state, row) || rbv_system_keeps(c->motion->system, row))
        return false;
    for (int32_t e = 0; e < count; e++)
        c->value[e] = state->C[from + e] / c->motion->share[C->column[from + e]];
    return !is_rounding(c->motion, row, count, c->value, c->part);
}

/* Choose the row if it is independent of those chosen before. */
static void offer_row(Choosing *c, int32_t row) {
    const RbvRowPattern *C = &c->motion->system->C;
    int32_t from = C->start[row], count = C->start[row + 1] - from;
    if (c->taken[row] || c->count == c->motion->n || !scale_row(c, row) ||
        !rbv_elimination_take(c->elimination, count, C->column + from, c->value, c->part))
        return;
    c->taken[row] = true;
    c->motion->own_rows[c->count++] = row;
}

/* Offer the coordinates' own rows, then those chosen of D, then all others. place[n]: order of the columns in the
 * elimination. False: no memory. */
static bool offer_all(Choosing *c, const int32_t *place) {
    const RbvMotion *motion = c->motion;
    const RbvSystem *system = motion->system;
    c->count = 0;
    memset(c->taken, 0, (size_t)system->C.count);
    c->elimination = rbv_elimination_create(motion->n, place);
    for (int32_t k = system->all_count; c->elimination && k < system->C.count; k++)
        offer_row(c, k);
    for (int32_t k = 0; c->elimination && k < motion->of_bodies.n; k++)
        offer_row(c, motion->of_bodies.chosen[k]);
    for (int32_t k = 0; c->elimination && k < system->satisfied_count; k++)
        offer_row(c, k);
    bool good = c->elimination && !rbv_elimination_lost(c->elimination);
    rbv_elimination_destroy(c->elimination);
    return good;
}

/* own_dependent: the active rows that are neither chosen, kept by the coordinates nor rounding. */
static void list_others(Choosing *c) {
    RbvMotion *motion = c->motion;
    motion->own_redundant = 0;
    c->part = RBV_ROOT_EPS; /* rounding must not count as a row */
    for (int32_t k = 0; k < motion->system->row_count; k++)
        if (!c->taken[k] && scale_row(c, k))
            motion->own_dependent[motion->own_redundant++] = k;
}

/* Choose own_rows and list own_dependent at the evaluated position. LOCKED: too few independent rows; NO_MEMORY. */
static RbvStatus choose_own_rows(RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    size_t n = (size_t)motion->n + 1;
    int32_t *place = malloc(n * sizeof *place);
    Choosing c = {
        .motion = motion, .taken = calloc((size_t)system->C.count + 1, 1), .value = malloc(n * sizeof(double))};
    if (!motion->own_rows)
        motion->own_rows = malloc(n * sizeof *motion->own_rows);
    if (!motion->own_dependent)
        motion->own_dependent = malloc(((size_t)system->row_count + 1) * sizeof *motion->own_dependent);
    for (int32_t k = 0; place && k < motion->n; k++)
        place[k] = k;
    bool good = place && c.taken && c.value && motion->own_rows && motion->own_dependent;
    for (c.part = RBV_ROOT_EPS; good && c.count < motion->n && c.part >= RBV_EXACT; c.part *= LESS)
        good = offer_all(&c, place);
    if (good)
        list_others(&c);
    free(c.taken);
    free(c.value);
    free(place);
    if (!good)
        return RBV_NO_MEMORY;
    return c.count < motion->n ? RBV_LOCKED : RBV_OK;
}

RbvStatus rbv_motion_take_own_rows(RbvMotion *motion) {
    motion->row_sets++;
    return take_pattern(&motion->C, motion->system->C.count) ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_motion_take_rows(RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    motion->row_sets++;
    motion->D->rows = &system->D;
    motion->D->n = system->bodies.size;
    motion->D->chosen = motion->solvability->independent;
    if (!take_pattern(motion->D, system->satisfied_count))
        return RBV_NO_MEMORY;
    if (motion->D == &motion->C)
        return RBV_OK;
    RbvStatus status = choose_own_rows(motion);
    motion->C.rows = &system->C;
    motion->C.n = motion->n;
    motion->C.chosen = motion->own_rows;
    return status == RBV_OK && !take_pattern(&motion->C, system->C.count) ? RBV_NO_MEMORY : status;
}

bool rbv_motion_factor(RbvMotion *motion) {
    rbv_state_jacobian(motion->state);
    return factor_rows(&motion->C, motion->state->C, &motion->state->no_memory);
}

bool rbv_motion_factor_bodies(RbvMotion *motion) {
    bool spared = motion->spared && motion->solvability->redundant == 0 && motion->system->idle_count == 0;
    return motion->D == &motion->C || spared || factor_rows(motion->D, motion->state->D, &motion->state->no_memory);
}

const RbvRowFactors *rbv_motion_watched(const RbvMotion *motion) {
    return motion->spared ? &motion->C : motion->D;
}

void rbv_motion_gather(const RbvMotion *motion, const double *rows, double sign, double *out) {
    for (int32_t k = 0; k < motion->n; k++)
        out[k] = sign * rows[motion->C.chosen[k]];
}

const double *rbv_motion_of_bodies(const RbvMotion *motion, const double *v) {
    const RbvSystem *system = motion->system;
    if (system->coordinates.of_bodies)
        return v;
    rbv_coordinates_velocities(&system->coordinates, rbv_state_at(motion->state), v, motion->state->pushed);
    for (int32_t b = 1; b < system->bodies.count; b++)
        rbv_bodies_put(&system->bodies, b, motion->state->pushed[b], motion->spread);
    return motion->spread;
}

bool rbv_motion_displaces_q(const RbvMotion *motion) {
    return motion->system->coordinates.of_bodies || motion->spared;
}

void rbv_motion_displace(RbvMotion *motion, const double *step) {
    const RbvSystem *system = motion->system;
    RbvState *state = motion->state;
    if (rbv_motion_displaces_q(motion)) {
        rbv_coordinates_step(&system->coordinates, state->q, step);
        return;
    }
    for (int32_t b = 1; b < system->bodies.count; b++)
        state->bodies[b] =
            rbv_body_moved(&system->bodies, b, &state->bodies[b], rbv_bodies_twist(&system->bodies, b, step));
    rbv_coordinates_from_bodies(&system->coordinates, state->bodies, state->q);
}

bool rbv_motion_velocity(RbvMotion *motion) {
    RbvState *state = motion->state;
    for (int pass = 0; pass < MOST_NEWTON; pass++) {
        if (!rbv_state_rates(state))
            return false;
        rbv_motion_gather(motion, state->nu, 1, motion->x);
        rbv_lu_solve(motion->C.lu, motion->x);
        double change = 0, size = 0;
        for (int32_t k = 0; k < motion->n; k++) {
            change = rbv_max(change, fabs(motion->x[k] - state->v[k]) * motion->share[k]);
            size = rbv_max(size, fabs(motion->x[k]) * motion->share[k]);
        }
        memcpy(state->v, motion->x, (size_t)motion->n * sizeof(double));
        if (!isfinite(size))
            return false;
        if (!motion->system->rate_equations || change <= RBV_SUM_EXACT * size)
            return true;
        if (!rbv_state_place(state) || !rbv_motion_factor(motion))
            return false;
    }
    return false;
}

bool rbv_motion_rates(RbvMotion *motion) {
    RbvState *state = motion->state;
    if (!rbv_motion_velocity(motion) || !rbv_state_move(state))
        return false;
    rbv_motion_gather(motion, state->gamma, 1, state->a);
    rbv_lu_solve(motion->C.lu, state->a);
    return true;
}

void rbv_motion_save_position(const RbvMotion *motion, double *q) {
    memcpy(q, motion->state->q, (size_t)motion->system->coordinates.position_size * sizeof *q);
}

void rbv_motion_restore_position(RbvMotion *motion, const double *q) {
    memcpy(motion->state->q, q, (size_t)motion->system->coordinates.position_size * sizeof *q);
}

/* The choice of independent rows among dependent ones: rows are exchanged as the motion changes their condition, so
 * that no result depends on the choice.
 *
 * With D_d = T D_I for the dependent rows d, T = D_d D_I^-1, the determinant of D_I grows by the factor |t_di| when
 * rows d and i change places. Where all |t_di| are near one or below, with rows of unit length, D_I is as well
 * conditioned as D itself, but for a factor of their number (Gu and Eisenstat 1996); where one grows without bound the
 * rows of D_I become dependent although those of D do not. The same holds for C_I where v is not the body twists. There
 * the rows missing in D_I may be kept by the coordinates or not, so that C and D need separate choices.
 */

/* Rows are exchanged until no |t| is above this. */
#define EXCHANGED 1.5
#define MOST_EXCHANGES 10000

/* Rows of D or of C that are to be exchanged: the chosen rows, and the dependent rows that may take their places. The
 * arrays are those of the solvability or of the motion; an exchange changes them, and they are no longer ascending. */
typedef struct Choice {
    const RbvRowFactors *rows;
    const double *values;             /* entries of all rows of D or C */
    int32_t *dependent, *independent; /* [count], [rows->n]; independent: the chosen rows */
    int32_t count;                    /* number of dependent rows */
} Choice;

/* of_bodies: rows of D; else rows of C, none where C is D. */
static Choice choice_of(const RbvMotion *motion, bool of_bodies) {
    const RbvSolvability *s = motion->solvability;
    if (of_bodies)
        return (Choice){motion->D, motion->state->D, s->dependent, s->independent, s->redundant};
    return (Choice){&motion->C, motion->state->C, motion->own_dependent, motion->own_rows,
                    motion->D == &motion->C ? 0 : motion->own_redundant};
}

/* Length of a row: of D as when ranks were last decided, with rotations divided by the length L of its block; of C with
 * columns divided by motion->share. */
static double row_norm(const RbvMotion *motion, const Choice *c, int32_t row) {
    const RbvSolvability *s = motion->solvability;
    double sum = 0;
    if (c->rows == motion->D)
        return s->ranks[rbv_solvability_block(s, row)].row_norm[s->local[row]];
    for (int32_t e = c->rows->rows->start[row]; e < c->rows->rows->start[row + 1]; e++) {
        double part = c->values[e] / motion->share[c->rows->rows->column[e]];
        sum += part * part;
    }
    return sqrt(sum);
}

/* motion->x := D_I^-T times the sum of weight D_d over the dependent rows d, each of unit length; only >= 0: the row at
 * that index of c->dependent alone, x then is its row of T but for the lengths of the chosen rows. (C in place of D
 * likewise.) */
static void combine_dependent(RbvMotion *motion, const Choice *c, int32_t only) {
    const RbvRowPattern *rows = c->rows->rows;
    memset(motion->x, 0, (size_t)c->rows->n * sizeof *motion->x);
    int32_t first = only < 0 ? 0 : only;
    int32_t end = only < 0 ? c->count : only + 1;
    for (int32_t n = first; n < end; n++) {
        int32_t row = c->dependent[n];
        double weight = 1, norm = row_norm(motion, c, row);
        if (only < 0) /* weights of neighbouring rows differ, so that one row does not cancel another */
            weight = 1 - 0.37 * (n % 5) * (n % 2 ? 1 : -1);
        for (int32_t e = rows->start[row]; norm > 0 && e < rows->start[row + 1]; e++)
            motion->x[rows->column[e]] += weight / norm * c->values[e];
    }
    rbv_lu_solve_transposed(c->rows->lu, motion->x);
}

/* The largest |t| in motion->x, with rows of unit length; *place: index of the independent row. A row on rates never
 * replaces a row on positions; rows of coordinates and of idle spins are never exchanged. */
static double largest_share(const RbvMotion *motion, const Choice *c, bool on_rates, int32_t *place) {
    const RbvSystem *system = motion->system;
    double most = 0;
    for (int32_t k = 0; k < c->rows->n; k++) {
        int32_t row = c->independent[k];
        if (row >= system->row_count || (on_rates && !system->rows[row].on_rates))
            continue;
        double share = fabs(motion->x[k]) * row_norm(motion, c, row);
        if (!(share <= most)) {
            most = share;
            *place = k;
        }
    }
    return most;
}

double rbv_motion_dependence(RbvMotion *motion) {
    double most = 0;
    for (int of_bodies = 0; of_bodies < 2; of_bodies++) {
        Choice c = choice_of(motion, of_bodies);
        int32_t place;
        if (c.count == 0)
            continue;
        combine_dependent(motion, &c, -1);
        double share = largest_share(motion, &c, false, &place) / sqrt(1.0 + c.count);
        if (!(share <= most))
            most = share;
    }
    return most;
}

/* Find the pair of a dependent and an independent row with the largest |t|; returns |t|. *dependent, *place: indices in
 * c->dependent and c->independent. */
static double find_pair(RbvMotion *motion, const Choice *c, int32_t *dependent, int32_t *place) {
    double most = 0;
    for (int32_t n = 0; n < c->count; n++) {
        int32_t k = 0;
        combine_dependent(motion, c, n);
        double share = largest_share(motion, c, motion->system->rows[c->dependent[n]].on_rates, &k);
        if (share > most && isfinite(share)) {
            most = share;
            *dependent = n;
            *place = k;
        }
    }
    return most;
}

/* Exchange rows of D_I (of_bodies) or C_I until no |t| is above EXCHANGED. */
static RbvStatus exchange_rows(RbvMotion *motion, bool of_bodies, bool *changed) {
    for (int32_t n = 0; n < MOST_EXCHANGES; n++) {
        Choice c = choice_of(motion, of_bodies);
        int32_t dependent = 0, place = 0;
        if (!(find_pair(motion, &c, &dependent, &place) > EXCHANGED))
            return RBV_OK;
        int32_t row = c.dependent[dependent];
        c.dependent[dependent] = c.independent[place];
        c.independent[place] = row;
        *changed = true;
        RbvStatus status = of_bodies ? rbv_motion_take_rows(motion) : rbv_motion_take_own_rows(motion);
        if (status == RBV_OK && (!rbv_motion_factor(motion) || !rbv_motion_factor_bodies(motion)))
            status = RBV_LOCKED;
        if (status != RBV_OK)
            return status;
    }
    return RBV_OK;
}

RbvStatus rbv_motion_exchange(RbvMotion *motion, bool *changed) {
    *changed = false;
    RbvStatus status = exchange_rows(motion, true, changed);
    return status == RBV_OK ? exchange_rows(motion, false, changed) : status;
}

/* The null space of D^T from the factors of the independent rows: N = [-(D_d D_I^-1)^T; I], block by block. Its rows
 * are multiplied by row_norm, as the solvability stores it for rows of unit length, then its columns are made
 * orthonormal. Blocks without a stored null space, or whose rank is not safe, keep what the rank decision found. */

RbvStatus rbv_motion_null(RbvMotion *motion) {
    RbvSolvability *s = motion->solvability;
    const RbvSystem *system = motion->system;
    if (motion->prescribed) /* the rank decision has found the null space */
        return RBV_OK;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        RbvBlockRank *rank = &s->ranks[b];
        const RbvBlock *block = &s->blocks.blocks[b];
        double *null = rank->determined.null;
        if (!rbv_has_null(rank) || !rank->determined.rank.safe)
            continue;
        int32_t p = rank->redundant, column = 0;
        memset(null, 0, (size_t)block->row_count * (size_t)p * sizeof(double));
        for (int32_t k = 0; k < block->row_count; k++) {
            int32_t row = block->rows[k];
            if (motion->D->place_of[row] >= 0)
                continue;
            memset(motion->x, 0, (size_t)motion->D->n * sizeof(double));
            for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
                motion->x[system->D.column[e]] += motion->state->D[e];
            rbv_lu_solve_transposed(motion->D->lu, motion->x);
            for (int32_t i = 0; i < block->row_count; i++) {
                int32_t place = motion->D->place_of[block->rows[i]];
                double value = place >= 0 ? -motion->x[place] : (double)(i == k);
                null[i * p + column] = value * rank->row_norm[i];
            }
            column++;
        }
        RbvStatus status = rbv_rank_orthonormalize(block->row_count, p, null);
        if (status != RBV_OK)
            return status;
        rank->determined.null_columns = p;
    }
    return RBV_OK;
}

/* ---- dependent rows at a sample ---- */

/* Allowed residual of redundant rows in velocity and acceleration, as a part of the largest velocity and acceleration:
 * rounding of the user's lengths, divided by sigma. */
#define ACCELERATION_FIT 1e-6

/* Report the residual `off` of a dependent row, in its value (derivatives 0), rate (1) or second rate (2). */
static void report_contradicts(const RbvMotion *motion, int32_t row, int derivatives, double off) {
    static const char *const what[] = {"off by", "its rate is off by", "its second rate is off by"};
    static const char *const unit[][3] = {{"m", "m/s", "m/s^2"},
                                          {"rad", "rad/s", "rad/s^2"},
                                          {"of its unit", "of its unit per s", "of its unit per s^2"}};
    const RbvSystem *system = motion->system;
    const RbvRow *of = &system->rows[row];
    int measured = of->equation ? 2 : of->angular;
    if (of->equation && of->on_rates) /* the row's value is a rate */
        derivatives--;
    char name[160];
    rbv_system_row_name(system, row, name, sizeof name);
    rbv_diagnose(motion->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s %s cannot be met together with the others: the constraints were redundant at the start "
                 "but contradict each "
                 "other along the motion (%s %.3g %s)",
                 motion->state->t, name, what[derivatives], fabs(off), unit[measured][derivatives]);
}

/* Check position, velocity and acceleration residuals of the dependent rows, as shares of the size, and measure
 * motion->constraint_error. Speeds below 1e-6 of the size per second are not told from rest. INCONSISTENT, reported. */
RbvStatus rbv_motion_check_redundant(RbvMotion *motion) {
    RbvState *state = motion->state;
    const RbvSystem *system = motion->system;
    const RbvSolvability *s = motion->solvability;
    double speed = 0, largest = 0; /* as shares of the sizes */
    motion->constraint_error = 0;
    for (int32_t k = 0; k < system->row_count; k++)
        motion->constraint_error = rbv_max(motion->constraint_error, fabs(state->phi[k]));
    for (int32_t k = 0; k < motion->n && s->redundant > 0; k++) {
        speed = rbv_max(speed, fabs(state->v[k]) * motion->share[k]);
        largest = rbv_max(largest, fabs(state->a[k]) * motion->share[k]);
    }
    for (int32_t n = 0; n < s->redundant; n++) {
        int32_t row = s->dependent[n];
        double size = rbv_state_row_size(state, row),
               share = (system->rows[row].angular ? rbv_state_row_arm(state, row) : 1) / size;
        double rate = -state->nu[row], second = -state->gamma[row];
        for (int32_t e = system->C.start[row]; e < system->C.start[row + 1]; e++) {
            rate += state->C[e] * state->v[system->C.column[e]];
            second += state->C[e] * state->a[system->C.column[e]];
        }
        bool position =
            fabs(state->phi[row]) * share > 10 * RBV_ASSEMBLY_TOLERANCE + rbv_state_row_rounding(state, row) / size;
        bool rate_fits = fabs(rate) * share <= RBV_BALANCED * (speed + 1e-6);
        if (!position && rate_fits && fabs(second) * share <= ACCELERATION_FIT * (largest + speed + 1e-6))
            continue;
        report_contradicts(motion, row,
                           position     ? 0
                           : !rate_fits ? 1
                                        : 2,
                           position     ? state->phi[row]
                           : !rate_fits ? rate
                                        : second);
        return RBV_INCONSISTENT;
    }
    return RBV_OK;
}

/* With C_I w = e_k, k the drive's row, w is the motion at its unit rate, and accelerations change by w per unit of its
 * second rate: the effort changes by w^T M w. */
double rbv_motion_felt_inertia(RbvMotion *motion, int32_t drive, double *work) {
    int32_t row = motion->system->drive_row[drive];
    int32_t place = motion->C.place_of && row >= 0 ? motion->C.place_of[row] : -1;
    double *w = motion->x, sum = 0;
    if (motion->prescribed || place < 0 || !motion->C.lu)
        return NAN;
    memset(w, 0, (size_t)motion->n * sizeof *w);
    w[place] = 1;
    rbv_lu_solve(motion->C.lu, w);
    rbv_state_inertia(motion->state, w, work);
    for (int32_t k = 0; k < motion->n; k++)
        sum += w[k] * work[k];
    return sum;
}
