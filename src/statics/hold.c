/* Loads that friction can hold: multipliers and p as functions of the unknowns y, and the intervals of p from many
 * starts, in pieces and far away. */
#include "statics/hold.h"

#include "core/base/tolerances.h"
#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most unknown multipliers: the factors are dense. */
#define MOST_ROWS 600
/* Number of starts. */
#define STARTS 40
/* Further values of p, over its scale, that are tried in each direction: an unbounded interval may begin far away. */
#define FAR 0x1p10
#define FARTHEST_VALUE 0x1p30
/* Part of p's scale, or of an end: an interval that was found from far away is found again from so far inside its end,
 * since the far start leaves its rounding in the result. */
#define NEAR_END 0.01
/* MOST_CELLS: if p is the only unknown, cells narrower than this part of p, or of its scale, are not divided, and at
 * most so many are. FIRST_CELL: half width of the first cell. MOST_TANGENTS: most renewals of tangents per start. */
#define FIRST_CELL 0x1p-10
#define MOST_CELLS 20000
#define MOST_TANGENTS 60
/* Most half planes of a program, besides those it begins with. */
#define MOST_CUTS 400
/* MOST_PIECES: most pieces that are examined, one for each choice of sides of all loads. MOST_CROSSINGS: most pieces
 * examined at an end where several meet. */
#define MOST_PIECES 512
#define MOST_CROSSINGS 64

void rbv_hold_destroy(RbvHoldProblem *h) {
    rbv_reactions_destroy(h->reactions);
    rbv_program_destroy(&h->program);
    rbv_arena_clear(&h->arena);
    *h = (RbvHoldProblem){0};
}

/* Friction contact that row k belongs to; -1: none. */
static int32_t friction_of(const RbvSystem *system, int32_t k) {
    for (int32_t i = 0; i < system->friction_count; i++)
        if (system->friction[i].stick_row >= 0 && k >= system->friction[i].stick_row &&
            k < system->friction[i].stick_row + system->friction[i].count)
            return i;
    return -1;
}

/* True if row k is active here: a row on velocities if `locked`, friction wherever its joint is active. */
static bool is_active_row(const RbvState *state, int32_t k, bool locked) {
    const RbvSystem *system = state->system;
    const RbvRow *row = &system->rows[k];
    int32_t index = friction_of(system, k), first = index >= 0 ? system->joint_row[system->friction[index].joint] : -1;
    if (index >= 0)
        return system->friction[index].own || first >= k || rbv_state_holds(state, first);
    return rbv_state_holds(state, k) && (locked || !row->on_rates);
}

/* a[n][rows + 1], column by column: coefficients of each multiplier and of -p in the equations, which are scaled by
 * `scales`. */
static void place_matrix(const RbvHoldProblem *h, const double *scales, double *a) {
    const RbvRowPattern *C = &h->state->system->C;
    int32_t n = h->state->system->coordinates.size;
    memset(a, 0, (size_t)n * (size_t)(h->rows + 1) * sizeof *a);
    for (int32_t r = 0; r < h->rows; r++)
        for (int32_t e = C->start[h->row[r]]; e < C->start[h->row[r] + 1]; e++)
            a[(size_t)r * (size_t)n + (size_t)C->column[e]] = h->state->C[e] * scales[C->column[e]];
    for (int32_t i = 0; i < n; i++)
        a[(size_t)h->rows * (size_t)n + (size_t)i] = -h->Q1[i] * scales[i] * h->scale / h->size;
}

/* (lambda/size, p/scale) = z0 + Z y from the singular values of the matrix. */
static RbvStatus split_multipliers(RbvHoldProblem *h, const double *scales) {
    int32_t n = h->state->system->coordinates.size, m = h->rows + 1, least = n < m ? n : m;
    size_t big = (size_t)(n > m ? n : m) + 1;
    RbvArena arena = {0};
    double *a = rbv_arena_array(&arena, (size_t)n * (size_t)m + 1, sizeof *a),
           *u = rbv_arena_array(&arena, (size_t)n * (size_t)n + 1, sizeof *u),
           *vt = rbv_arena_array(&arena, (size_t)m * (size_t)m + 1, sizeof *vt);
    double *sigma = rbv_arena_array(&arena, big, sizeof *sigma), *b = rbv_arena_array(&arena, big, sizeof *b);
    RbvStatus status = a && u && vt && sigma && b ? RBV_OK : RBV_NO_MEMORY;
    int32_t rank = 0;
    double left = 0, whole = 0;
    if (status == RBV_OK) {
        place_matrix(h, scales, a);
        status = rbv_lapack_svd('A', n, m, a, sigma, u, vt);
    }
    /* Part of the largest singular value; smaller ones count as zero. */
    while (status == RBV_OK && rank < least && sigma[rank] > RBV_DATA * sigma[0])
        rank++;
    h->vary = m - rank;
    h->z0 = rbv_arena_array(&h->arena, (size_t)m, sizeof *h->z0);
    h->Z = rbv_arena_array(&h->arena, (size_t)h->vary * (size_t)m + 1, sizeof *h->Z);
    if (!h->z0 || !h->Z)
        status = RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < n; k++) { /* u_k . Q0 */
        for (int32_t i = 0; i < n; i++)
            b[k] += u[(size_t)k * (size_t)n + (size_t)i] * h->Q0[i] * scales[i] / h->size;
        whole += b[k] * b[k];
        left += k < rank ? 0 : b[k] * b[k];
        for (int32_t j = 0; k < rank && j < m; j++)
            h->z0[j] += b[k] / sigma[k] * vt[(size_t)j * (size_t)m + (size_t)k];
    }
    for (int32_t k = 0; status == RBV_OK && k < h->vary; k++)
        for (int32_t j = 0; j < m; j++)
            h->Z[(size_t)k * (size_t)m + (size_t)j] = vt[(size_t)j * (size_t)m + (size_t)(rank + k)];
    /* Part of the loads that may remain without a reaction. */
    if (status == RBV_OK && sqrt(left) > RBV_SAME * fmax(sqrt(whole), 1))
        status = RBV_NO_EQUILIBRIUM;
    rbv_arena_clear(&arena);
    return status;
}

/* Wrench of each joint with friction, and its friction forces, for one column z of multipliers. */
static void place_column(RbvHoldProblem *h, const double *z, int32_t at) {
    const RbvSystem *system = h->state->system;
    memset(h->lambda, 0, (size_t)system->row_count * sizeof *h->lambda);
    for (int32_t r = 0; r < h->rows; r++)
        h->lambda[h->row[r]] = z[r];
    for (int32_t i = 0; i < system->friction_count; i++) {
        const RbvFrictionContact *friction = &system->friction[i];
        h->reaction[i * (h->vary + 1) + at] = rbv_reactions_wrench(h->reactions, friction->joint, h->lambda, false);
        RbvVec3 *force = &h->reaction[i * (h->vary + 1) + at].force;
        for (int32_t j = 0; j < system->friction_count; j++) /* across a bar, of both its ends */
            for (int c = 0; system->friction[j].joint == friction->joint && system->friction[j].stick_row >= 0 &&
                            c < system->friction[j].count;
                 c++)
                *force = rbv_add_scaled(*force, -h->lambda[system->friction[j].stick_row + c],
                                        rbv_friction_across(h->state, &system->friction[j], c));
        for (int c = 0; c < friction->count && friction->stick_row >= 0; c++)
            h->friction[(i * RBV_MOST_SLIP_DIRECTIONS + c) * (h->vary + 1) + at] =
                -h->lambda[friction->stick_row + c] / friction->slip[c].lever;
    }
}

static RbvStatus prepare_program(RbvHoldProblem *h) {
    const RbvSystem *system = h->state->system;
    size_t frictions = (size_t)system->friction_count + 1, columns = (size_t)h->vary + 1;
    h->reactions = rbv_reactions_create(system, RBV_FRAME_JOINT);
    h->reaction = rbv_arena_array(&h->arena, frictions * columns, sizeof *h->reaction);
    h->friction = rbv_arena_array(&h->arena, frictions * RBV_MOST_SLIP_DIRECTIONS * columns, sizeof *h->friction);
    h->tangent = rbv_arena_array(&h->arena, frictions * columns, sizeof *h->tangent);
    h->sides = rbv_arena_array(&h->arena, frictions * RBV_MOST_SIDES * columns, sizeof *h->sides);
    h->side_count = rbv_arena_array(&h->arena, frictions, sizeof *h->side_count);
    h->y = rbv_arena_array(&h->arena, columns, sizeof *h->y);
    h->lambda = rbv_arena_array(&h->arena, (size_t)system->row_count + 1, sizeof *h->lambda);
    bool program = rbv_program_create(&h->program, h->vary + 1,
                                      MOST_CUTS + 2 * RBV_MOST_SLIP_DIRECTIONS * system->friction_count +
                                          system->model->joints.count + 2 * system->model->stops.count + 4);
    bool marks = true;
    for (int k = 0; k <= RBV_MOST_HOLDS; k++)
        for (int side = 0; side < 2; side++)
            marks =
                (h->interval[k].at_limit[side] = rbv_arena_array(&h->arena, frictions, sizeof(bool))) != NULL && marks;
    h->first = rbv_arena_array(&h->arena, columns, sizeof *h->first);
    if (!h->reactions || !h->reaction || !h->friction || !h->tangent || !h->sides || !h->side_count || !h->y ||
        !h->lambda || !program || !marks || !h->first)
        return RBV_NO_MEMORY;
    rbv_reactions_place(h->reactions, h->state);
    place_column(h, h->z0, 0);
    for (int32_t k = 0; k < h->vary; k++)
        place_column(h, h->Z + (size_t)k * (size_t)(h->rows + 1), k + 1);
    return RBV_OK;
}

/* Moves h->y to a point where friction holds: least violation, tangents renewed in turn. If friction holds at h->y
 * already, h->y stays, since a program ends at a corner, and where no load acts all pieces may meet in one corner. */
static bool reach_held_point(RbvHoldProblem *h, const double *at) {
    double before = INFINITY;
    if (!at && rbv_hold_fits(h))
        return true;
    for (int pass = 0; pass < MOST_TANGENTS; pass++) {
        rbv_hold_tangents(h, h->y);
        double violation = rbv_hold_least_violation(h, at);
        if (violation <= RBV_HOLD_ABOVE)
            return true;
        if (!(violation <= before * (1 - 1e-6)) || isinf(violation))
            return false;
        before = violation;
    }
    return false;
}

/* Marks the friction contacts that are at their limit at h->y. */
static void mark_limits(RbvHoldProblem *h, bool *at_limit) {
    for (int32_t i = 0; i < h->state->system->friction_count; i++) {
        double slip[RBV_MOST_SLIP_DIRECTIONS], f = rbv_hold_friction(h, i, h->y, false, slip),
                                               limit = rbv_hold_tangent(h, i, h->y);
        /* Part of the force by which friction may be below its limit to count as at the limit. */
        at_limit[i] =
            h->state->system->friction[i].stick_row >= 0 && f >= limit - RBV_BALANCED * fmax(1, f) && f > RBV_BALANCED;
    }
}

/* Lists the sides of every load: all, or those that meet at y. Returns the number of choices of one side of each. */
static double place_sides(RbvHoldProblem *h, const double *y) {
    double choices = 1;
    for (int32_t i = 0; i < h->state->system->friction_count; i++) {
        h->side_count[i] = h->state->system->friction[i].stick_row < 0
                               ? 1
                               : rbv_hold_sides(h, i, y, h->sides + (size_t)i * RBV_MOST_SIDES * (size_t)(h->vary + 1));
        choices *= h->side_count[i];
    }
    return choices;
}

/* Replaces the tangents by choice number n of sides; where there are more choices than are examined, by a pseudo-random
 * one. */
static void place_choice(RbvHoldProblem *h, uint32_t n, bool all) {
    uint32_t left = all ? n : (n + 1) * 2654435761u;
    for (int32_t i = 0; i < h->state->system->friction_count; i++) {
        uint32_t count = (uint32_t)h->side_count[i], side = (all ? left : left >> 16) % count;
        left = all ? left / count : left * 1664525u + 1013904223u;
        memcpy(h->tangent + i * (h->vary + 1), h->sides + ((size_t)i * RBV_MOST_SIDES + side) * (size_t)(h->vary + 1),
               (size_t)(h->vary + 1) * sizeof(double));
    }
}

/* True if p goes further from h->y in another of the pieces that meet there; h->y is then the end of that piece. */
static bool cross_piece(RbvHoldProblem *h, double sign, RbvProgramEnd *end) {
    double before = sign * rbv_hold_value(h, h->y), choices = place_sides(h, h->y);
    for (uint32_t n = 0; choices > 1 && n < MOST_CROSSINGS && n < choices; n++) {
        place_choice(h, n, choices <= MOST_CROSSINGS);
        /* Relative gain of p below which a push ends. */
        if (!rbv_hold_push(h, sign, before + RBV_CANCELLED * fmax(1, fabs(before)), end))
            continue;
        if (*end != RBV_PROGRAM_UNBOUNDED)
            memcpy(h->y, h->program.x, (size_t)h->vary * sizeof(double));
        return true;
    }
    return false;
}

/* Pushes p from h->y, at which friction holds, as far as it goes in one direction, and returns the end of the interval.
 * placed: the tangents are those of the first piece. */
static double push_value(RbvHoldProblem *h, double sign, bool placed) {
    double before = sign * rbv_hold_value(h, h->y);
    RbvProgramEnd end;
    for (int pass = 0; pass < MOST_TANGENTS; pass++) {
        if (pass > 0 || !placed)
            rbv_hold_tangents(h, h->y);
        bool more = rbv_hold_push(h, sign, before + (pass > 0 ? RBV_CANCELLED * fmax(1, fabs(before)) : -1), &end);
        if (more && end != RBV_PROGRAM_UNBOUNDED)
            memcpy(h->y, h->program.x, (size_t)h->vary * sizeof(double));
        if (!more && !cross_piece(h, sign, &end))
            break; /* no gain, or rounding: friction holds at the present y */
        if (end == RBV_PROGRAM_UNBOUNDED)
            return sign * INFINITY;
        before = sign * rbv_hold_value(h, h->y);
    }
    double p = rbv_hold_value(h, h->y);
    return fabs(p) <= RBV_HOLD_ABOVE ? 0 : p * h->scale;
}

/* Difference of two values that count as equal. */
static double equal_within(const RbvHoldProblem *h, double a, double b) {
    /* Part of p, or of its scale: intervals so near to each other are joined. */
    return RBV_SAME * fmax(h->scale, isfinite(a) && isfinite(b) ? fmin(fabs(a), fabs(b)) : 0);
}

/* Joins two intervals that meet: `into` is extended to the ends of `from`. Where both end alike only the contacts at
 * their limit in both are at their limit. */
static void join_intervals(const RbvHoldProblem *h, RbvHoldInterval *into, const RbvHoldInterval *from) {
    int32_t frictions = h->state->system->friction_count;
    for (int side = 0; side < 2; side++) {
        double beyond = (side ? 1 : -1) * (from->end[side] - into->end[side]);
        bool alike =
            from->end[side] == into->end[side] || fabs(beyond) <= equal_within(h, from->end[side], into->end[side]);
        for (int32_t i = 0; i < frictions; i++)
            into->at_limit[side][i] = alike        ? into->at_limit[side][i] && from->at_limit[side][i]
                                      : beyond > 0 ? from->at_limit[side][i]
                                                   : into->at_limit[side][i];
        into->end[side] = beyond > 0 && !alike ? from->end[side] : into->end[side];
    }
}

/* Adds the interval that has been found to the list. */
static void add_interval(RbvHoldProblem *h) {
    RbvHoldInterval *found = &h->interval[h->count];
    int32_t into = -1;
    for (int32_t k = 0; k < h->count; k++) {
        RbvHoldInterval *old = &h->interval[k];
        if (found->end[0] > old->end[1] + equal_within(h, found->end[0], old->end[1]) ||
            found->end[1] < old->end[0] - equal_within(h, found->end[1], old->end[0]))
            continue;
        join_intervals(h, old, found);
        if (into >= 0) { /* the new interval joins two */
            RbvHoldInterval last = *old;
            join_intervals(h, &h->interval[into], &last);
            h->interval[k] = h->interval[h->count - 1];
            h->interval[h->count - 1] = last;
            h->count--;
            k--;
        } else {
            into = k;
        }
        found = into >= 0 ? &h->interval[into] : found;
    }
    h->count += into < 0 && h->count < RBV_MOST_HOLDS;
}

/* Finds the interval around h->y, at which friction holds. piece: choice of sides by which h->y was found; -1: none. */
static void find_interval(RbvHoldProblem *h, int64_t piece, bool all) {
    memcpy(h->first, h->y, (size_t)h->vary * sizeof *h->first);
    RbvHoldInterval *found = &h->interval[h->count];
    for (int side = 0; side < 2; side++) {
        memcpy(h->y, h->first, (size_t)h->vary * sizeof *h->first);
        if (piece >= 0) {
            place_sides(h, NULL);
            place_choice(h, (uint32_t)piece, all);
        }
        found->end[side] = push_value(h, side ? 1 : -1, piece >= 0);
        mark_limits(h, found->at_limit[side]);
    }
    add_interval(h);
}

/* Finds intervals in the pieces: each choice of sides is a convex piece. For loads along one line these are all
 * pieces. */
static void find_in_pieces(RbvHoldProblem *h) {
    double choices = place_sides(h, NULL);
    for (uint32_t n = 0; n < MOST_PIECES && n < choices; n++) {
        place_sides(h, NULL);
        place_choice(h, n, choices <= MOST_PIECES);
        if (rbv_hold_least_violation(h, NULL) <= RBV_HOLD_ABOVE)
            find_interval(h, n, choices <= MOST_PIECES);
    }
}

/* Pseudo-random numbers from -1 to 1, always the same. */
static double next_number(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 23) - 1;
}

/* h->y with the given p, over its scale, and with least norm. */
static void place_at(RbvHoldProblem *h, double p) {
    double square = 0, value = h->z0[h->rows];
    for (int32_t k = 0; k < h->vary; k++) {
        double e = h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)h->rows];
        square += e * e;
    }
    for (int32_t k = 0; k < h->vary; k++)
        h->y[k] = square > 0 ? (p - value) * h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)h->rows] / square : 0;
}

/* Finds the interval around h->y, at which friction holds and which is far away: from inside its nearer end, if it has
 * one. */
static void find_interval_from_afar(RbvHoldProblem *h) {
    double first = rbv_hold_value(h, h->y);
    memcpy(h->first, h->y, (size_t)h->vary * sizeof *h->first);
    double sign = first > 0 ? -1 : 1, end = push_value(h, sign, false) / h->scale,
           beside = end - sign * NEAR_END * fmax(1, fabs(end));
    if (isfinite(end)) {
        place_at(h, beside);
        if (rbv_hold_fits(h) || reach_held_point(h, &beside)) {
            find_interval(h, -1, true);
            return;
        }
    }
    memcpy(h->y, h->first, (size_t)h->vary * sizeof *h->first);
    find_interval(h, -1, true);
}

/* Finds the interval at p, over its scale, far away, unless p lies in a known interval. */
static void find_at(RbvHoldProblem *h, double p) {
    for (int32_t k = 0; k < h->count; k++)
        if (p * h->scale >= h->interval[k].end[0] && p * h->scale <= h->interval[k].end[1])
            return;
    place_at(h, p);
    if (rbv_hold_fits(h) || reach_held_point(h, &p))
        find_interval_from_afar(h);
}

/* For p as the only unknown: true if it is certain that friction holds nowhere from y = a to b. |f| is least at a foot
 * or an end, a load is largest at an end. */
static bool holds_nowhere(RbvHoldProblem *h, double a, double b) {
    for (int32_t i = 0; i < h->state->system->friction_count; i++) {
        double slip[2][RBV_MOST_SLIP_DIRECTIONS],
            f[2] = {rbv_hold_friction(h, i, &a, false, slip[0]), rbv_hold_friction(h, i, &b, false, slip[1])},
            along = 0, square = 0, least = 0;
        if (h->state->system->friction[i].stick_row < 0)
            continue;
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
            double d = f[1] * slip[1][c] - f[0] * slip[0][c];
            along -= d * f[0] * slip[0][c];
            square += d * d;
        }
        double foot = square > 0 ? fmin(1, fmax(0, along / square)) : 0;
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
            double at = (1 - foot) * f[0] * slip[0][c] + foot * f[1] * slip[1][c];
            least += at * at;
        }
        if (sqrt(least) > fmax(rbv_hold_tangent(h, i, &a), rbv_hold_tangent(h, i, &b)))
            return true;
    }
    for (int32_t r = 0; r < h->rows; r++) {
        double sign = rbv_hold_one_way(h->state->system, h->row[r]);
        if (sign * (h->z0[r] + a * h->Z[r]) > 0 && sign * (h->z0[r] + b * h->Z[r]) > 0)
            return true;
    }
    return false;
}

/* Known interval that contains y; -1: none. */
static int32_t interval_of(const RbvHoldProblem *h, double y) {
    double p = rbv_hold_value(h, &y) * h->scale;
    for (int32_t k = 0; k < h->count; k++)
        if (p >= h->interval[k].end[0] && p <= h->interval[k].end[1])
            return k;
    return -1;
}

/* Halves a ... b until it is known of each part whether friction holds. */
static void search_cell(RbvHoldProblem *h, double a, double b, int *cells) {
    double middle = 0.5 * (a + b);
    int32_t known = interval_of(h, a);
    if (h->count == RBV_MOST_HOLDS || ++*cells > MOST_CELLS || (known >= 0 && known == interval_of(h, b)) ||
        holds_nowhere(h, a, b))
        return;
    h->y[0] = middle;
    if (interval_of(h, middle) < 0 && rbv_hold_fits(h))
        find_interval_from_afar(h);
    if (b - a <= RBV_BALANCED * fmax(1, fabs(middle)))
        return;
    search_cell(h, a, middle, cells);
    search_cell(h, middle, b, cells);
}

static void find_along_line(RbvHoldProblem *h) {
    int cells = 0;
    search_cell(h, -FIRST_CELL, FIRST_CELL, &cells);
    for (double far = FIRST_CELL; far < FARTHEST_VALUE; far *= 2) {
        search_cell(h, far, 2 * far, &cells);
        search_cell(h, -2 * far, -far, &cells);
    }
}

RbvStatus rbv_hold_solve(RbvHoldProblem *h, const RbvState *state, const double *Q0, const double *Q1, double at,
                         double scale, bool locked) {
    const RbvSystem *system = state->system;
    uint32_t seed = 1;
    *h = (RbvHoldProblem){.state = state, .Q0 = Q0, .Q1 = Q1, .scale = scale};
    double *scales = rbv_state_column_scales(state);
    h->row = rbv_arena_array(&h->arena, (size_t)system->row_count + 1, sizeof *h->row);
    RbvStatus status = scales && h->row ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < system->row_count; k++)
        if (is_active_row(state, k, locked))
            h->row[h->rows++] = k;
    for (int32_t j = 0; status == RBV_OK && j < system->coordinates.size; j++)
        h->size = fmax(h->size, fmax(fabs(Q0[j]), fabs(Q1[j] * scale)) * scales[j]);
    h->size = h->size > 0 ? h->size : 1;
    if (status == RBV_OK && (h->rows > MOST_ROWS || system->coordinates.size > MOST_ROWS))
        status = RBV_BAD_INPUT;
    if (status == RBV_OK)
        status = split_multipliers(h, scales);
    free(scales);
    if (status == RBV_OK)
        status = prepare_program(h);
    for (int start = 0; status == RBV_OK && start < STARTS; start++) {
        double far = start == 0 ? 0 : exp2(start / 2 % 4 * 2 - 2), asked = at / scale;
        for (int32_t j = 0; j < h->vary; j++)
            h->y[j] = far * next_number(&seed);
        if (reach_held_point(h, start % 2 ? NULL : &asked))
            find_interval(h, -1, true);
    }
    if (status == RBV_OK)
        find_in_pieces(h);
    for (double far = FAR; status == RBV_OK && far <= FARTHEST_VALUE; far *= FARTHEST_VALUE / FAR) {
        find_at(h, far);
        find_at(h, -far);
    }
    if (status == RBV_OK && h->vary == 1)
        find_along_line(h);
    return status;
}
