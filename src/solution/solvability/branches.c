/* The branches of a block's configurations that meet at a state, and how the redundancy changes along them. Computed in
 * the block's scaled rows, so neither centroids nor masses nor units have influence.
 *
 * V0 spans the motions that rows without drives allow, N0 their self-stresses. A motion w = V0 x is the tangent of a
 * branch only if positions can follow to second order:
 *
 *   q_j(x) = N0_j^T dC[w] w = 0 for all j                                      (quadrics.h)
 * Along it the self-stresses N of all rows, drives included, are lost as far as D(w) = N^T dC[w] V has rank, V the
 * motions that drives leave. Zeros x are searched from random motions, and from disturbed copies of the best one
 * found, by the rank of D. Then a small step is taken along each, the rows restored by least movement, and the rank
 * decided there. The highest rank counts, since it is the rank of almost all positions of a branch; single positions
 * may have a lower one. */
#include "solution/solvability/branches.h"

#include "core/base/arena.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/quadrics.h"
#include "solution/assembly/assemble.h"
#include "solution/solvability/solvability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of coefficients of forms. */
#define MOST_NUMBERS 4000000
/* Limits of the search for zeros: number of starts, number of multiplications altogether. */
#define MOST_SEARCHES 3000
#define SEARCH_WORK 6e8
/* Above so many independent conditions on motions, random starts may miss branches, and persistent redundancy is not
 * decided. */
#define MOST_CONDITIONS 12
#define CANDIDATES 10
/* First step in L, then a quarter of it and so on; the rank grows with a singular value of about the step, far above
 * the threshold of the rank. */
#define FIRST_STEP 3e-2
#define STEP_TRIES 4
/* Largest movement by restoring the rows, as a part of the step. */
#define STRAYED 0.5
#define RESTORE_STEPS 30
/* Blocks up to this many rows are tested a step away even where no motion loses a self-stress to first order. */
#define SMALL_BLOCK 120

typedef struct Branches {
    RbvArena arena; /* memory of the arrays */
    const RbvSolvability *s;
    RbvState *state;
    const RbvSystem *system;
    const RbvBlock *block;
    const RbvBlockRank *rank;
    RbvScaledRows rows;
    int32_t b, m, n, p; /* block; number of rows, columns, self-stresses */
    int32_t k, d;       /* number of motions without drives, and with them */
    double *V0, *V;     /* [n][k], [n][d] orthonormal, scaled */
    double *N0;         /* [m][p0] self-stresses of rows without drives, zero at drives, for unscaled rows */
    int32_t p0;
    double *D; /* [p][k][d] forms of the self-stresses of all rows */
    RbvQuadrics q;
    double *norm;         /* [m] norms of rows */
    double *motion;       /* [body columns] a motion as body twists, zero outside of the block */
    double *place;        /* [position_size] saved positions */
    double *dense, *null; /* [m][n]; scratch */
    uint64_t seed;
    double candidate[CANDIDATES][2]; /* rank of D, -1 when used */
    double *directions;              /* [CANDIDATES][k] */
    int32_t candidates, starts;
} Branches;

static double uniform(uint64_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *seed) {
    double a = uniform(seed), b = uniform(seed);
    return sqrt(-2 * log(a)) * cos(6.283185307179586 * b);
}

static bool is_drive(const Branches *g, int32_t local) {
    return g->system->rows[g->block->rows[local]].owner == RBV_OWNER_DRIVE;
}

/* Scaled rows of the present state; without drives, their rows are zero. */
static void fill_rows(Branches *g, bool with_drives) {
    rbv_scaled_rows_fill(&g->rows, g->state, &g->s->blocks, g->b, g->rank->L, NULL, g->norm);
    for (int32_t r = 0; !with_drives && r < g->m; r++)
        for (int32_t e = g->rows.start[r]; is_drive(g, r) && e < g->rows.start[r + 1]; e++)
            g->rows.values[e] = 0;
}

/* Basis [n][count] of the motions that the rows filled last allow, whose rank is known. */
static bool find_motions(Branches *g, int32_t rank, double **basis, int32_t *count) {
    size_t m = (size_t)g->m, n = (size_t)g->n;
    RbvRank found;
    double *null = rbv_arena_array(&g->arena, n * n + 1, sizeof *null);
    memset(g->dense, 0, m * n * sizeof *g->dense);
    for (size_t r = 0; r < m; r++)
        for (int32_t e = g->rows.start[r]; e < g->rows.start[r + 1]; e++)
            g->dense[(size_t)g->rows.column[e] * m + r] += g->rows.values[e];
    if (!null || rbv_rank_known(g->n, g->m, g->dense, rank, &found, null) != RBV_OK)
        return false;
    int32_t columns = g->n - found.certain;
    *count = g->n - rank;
    *basis = rbv_arena_array(&g->arena, n * (size_t)*count + 1, sizeof **basis);
    for (size_t i = 0; *basis && i < n; i++) /* the last columns are certainly null vectors */
        memcpy(*basis + i * (size_t)*count, null + i * (size_t)columns + (size_t)(columns - *count),
               (size_t)*count * sizeof **basis);
    return *basis != NULL;
}

/* N0[m][p0] of the rows filled last, without drives, whose rank is known. */
static bool find_stresses(Branches *g, int32_t rank) {
    size_t m = (size_t)g->m;
    RbvRank found;
    memset(g->dense, 0, m * (size_t)g->n * sizeof *g->dense);
    int32_t kept = 0;
    for (int32_t r = 0; r < g->m; r++) {
        for (int32_t e = g->rows.start[r]; !is_drive(g, r) && e < g->rows.start[r + 1]; e++)
            g->dense[(size_t)kept * (size_t)g->n + (size_t)g->rows.column[e]] += g->rows.values[e];
        kept += !is_drive(g, r);
    }
    if (rbv_rank_known(kept, g->n, g->dense, rank, &found, g->null) != RBV_OK)
        return false;
    int32_t columns = kept - found.certain;
    g->p0 = kept - rank;
    g->N0 = rbv_arena_array(&g->arena, m * (size_t)g->p0 + 1, sizeof *g->N0);
    for (int32_t r = 0, at = 0; g->N0 && r < g->m; r++)
        for (int32_t j = 0; !is_drive(g, r) && j <= g->p0; j++) {
            if (j == g->p0)
                at++;
            else
                g->N0[(size_t)r * (size_t)g->p0 + (size_t)j] =
                    g->null[(size_t)at * (size_t)columns + (size_t)(columns - g->p0 + j)] / g->norm[r];
        }
    return g->N0 != NULL;
}

/* Column c of a basis [n][count] times L as body twists in g->motion; L, so that lengths are in L. */
static void take_column(Branches *g, const double *basis, int32_t count, int32_t c, double *x) {
    for (int32_t i = 0; i < g->n; i++)
        x[i] = g->rank->L * basis[(size_t)i * (size_t)count + (size_t)c];
    rbv_scaled_rows_motion(&g->rows, g->state, g->block, g->rank->L, x, g->motion);
}

/* B[count][n]: the motions of a basis as body twists, in the block's columns, lengths in L. */
static void physical(Branches *g, const double *basis, int32_t count, double *x, double *B) {
    for (int32_t c = 0; c < count; c++) {
        take_column(g, basis, count, c, x);
        for (int32_t i = 0; i < g->n; i++)
            B[(size_t)c * (size_t)g->n + (size_t)i] = g->motion[g->block->columns[i]] / g->rank->L;
    }
}

/* T[p0][k][k] and D[p][k][d]: derivatives of rows along each motion, contracted with self-stresses and motions. */
static bool find_forms(Branches *g) {
    size_t n = (size_t)g->n, k = (size_t)g->k, d = (size_t)g->d, p = (size_t)g->p, p0 = (size_t)g->p0, longest = 1;
    for (int32_t r = 0; r < g->m; r++) {
        int32_t row = g->block->rows[r];
        size_t length = (size_t)(g->system->D.start[row + 1] - g->system->D.start[row]);
        longest = length > longest ? length : longest;
    }
    double *B0 = rbv_arena_array(&g->arena, (k + 1) * n, sizeof *B0),
           *B = rbv_arena_array(&g->arena, (d + 1) * n, sizeof *B),
           *t = rbv_arena_array(&g->arena, (p + p0 + 1) * n, sizeof *t);
    double *x = rbv_arena_array(&g->arena, n + longest, sizeof *x), *row = x ? x + n : NULL,
           *T = calloc(p0 * k * k + 1, sizeof *T);
    g->D = rbv_arena_array(&g->arena, p * k * d + 1, sizeof *g->D);
    bool good = B0 && B && t && x && T && g->D;
    if (good) {
        physical(g, g->V0, g->k, x, B0);
        physical(g, g->V, g->d, x, B);
    }
    for (size_t a = 0; good && a < k; a++) {
        memset(t, 0, (p + p0) * n * sizeof *t);
        take_column(g, g->V0, g->k, (int32_t)a, x);
        for (int32_t r = 0; r < g->m; r++) {
            int32_t index = g->block->rows[r], begin = g->system->D.start[index];
            rbv_state_row_derivative(g->state, index, g->motion, row);
            for (int32_t e = begin; e < g->system->D.start[index + 1]; e++) {
                size_t column = (size_t)g->rows.position[g->system->D.column[e]];
                for (size_t j = 0; j < p; j++)
                    t[j * n + column] += rbv_null_entry(g->rank, r, (int32_t)j) * row[e - begin];
                for (size_t j = 0; j < p0; j++)
                    t[(p + j) * n + column] += g->N0[(size_t)r * p0 + j] * row[e - begin];
            }
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < p; j++)
                for (size_t c = 0; c < d; c++)
                    g->D[(j * k + a) * d + c] += t[j * n + i] * B[c * n + i];
            for (size_t j = 0; j < p0; j++)
                for (size_t c = 0; c < k; c++)
                    T[(j * k + a) * k + c] += t[(p + j) * n + i] * B0[c * n + i];
        }
    }
    /* Forms are of order one (lengths in L, motions of unit size). Assembly at a singular position has an error of
     * 1e-8, and so have they. */
    if (good)
        return rbv_quadrics_create(&g->q, g->p0, g->k, T, RBV_FITS);
    free(T);
    return false;
}

/* Number of self-stresses that `count` motions w[count][k] lose together to first order. */
static int32_t lost(const Branches *g, int32_t count, const double *w, double least, double *work) {
    size_t k = (size_t)g->k, d = (size_t)g->d, wide = d * (size_t)count;
    for (size_t j = 0; j < (size_t)g->p; j++)
        for (size_t i = 0; i < wide; i++) {
            double sum = 0;
            for (size_t a = 0; a < k; a++)
                sum += w[i / d * k + a] * g->D[(j * k + a) * d + i % d];
            work[j * wide + i] = sum;
        }
    return rbv_span(g->p, (int32_t)wide, work, least);
}

/* Keeps w[k], which loses `rank` self-stresses, among the candidates: those of highest rank, each direction once. */
static void keep_candidate(Branches *g, const double *w, int32_t rank) {
    int32_t worst = 0, k = g->k;
    for (int32_t c = 0; c < g->candidates; c++) {
        double product = 0;
        for (int32_t a = 0; a < k; a++)
            product += w[a] * g->directions[c * k + a];
        /* Two directions are equal when their product differs from 1 by less than this. */
        if (fabs(product) > 1 - RBV_FITS)
            return;
        worst = g->candidate[c][0] < g->candidate[worst][0] ? c : worst;
    }
    if (g->candidates < CANDIDATES)
        worst = g->candidates++;
    else if (rank <= g->candidate[worst][0])
        return;
    g->candidate[worst][0] = rank;
    memcpy(g->directions + worst * k, w, (size_t)k * sizeof *w);
}

static int32_t best_candidate(const Branches *g) {
    int32_t best = -1;
    for (int32_t c = 0; c < g->candidates; c++)
        best = g->candidate[c][0] >= 0 && (best < 0 || g->candidate[c][0] > g->candidate[best][0]) ? c : best;
    return best;
}

/* Searches directions of branches, from random motions and from disturbed copies of the best. */
static void search(Branches *g, double *w, double *work) {
    double each = 30.0 * g->q.p * g->k * (g->k + g->q.p) + (double)g->p * g->k * g->d;
    int32_t most = g->q.p == 0 ? CANDIDATES / 3 : (int32_t)rbv_min(MOST_SEARCHES, rbv_max(20, SEARCH_WORK / each));
    for (int32_t n = 0; n < most; n++) {
        int32_t best = best_candidate(g);
        double part = n % 3 == 1 ? 1 : 3;
        if (n % 3 == 0 || best < 0)
            part = 0;
        for (int32_t a = 0; a < g->k; a++)
            w[a] = normal(&g->seed) + (part > 0 ? part * sqrt(g->k) * g->directions[best * g->k + a] : 0);
        g->starts++;
        if (!rbv_quadrics_descend(&g->q, w))
            continue;
        /* Threshold, relative to the largest, of self-stresses lost by a motion found by iteration: double zeros are
         * accurate to the root of rounding only. */
        int32_t rank = lost(g, 1, w, RBV_NOTICEABLE, work);
        keep_candidate(g, w, rank);
        if (rank == g->p)
            return;
    }
}

/* Moves the block's bodies by the motion in g->motion. */
static void move_bodies(Branches *g) {
    RbvState *state = g->state;
    const RbvBodyColumns *bodies = &g->system->bodies;
    for (int32_t c = 0, body; c < g->n; c += rbv_bodies_columns(bodies, body)) {
        body = g->rows.body[g->block->columns[c]];
        RbvTwist way = rbv_bodies_twist(bodies, body, g->motion);
        RbvBodyState *at = &state->bodies[body];
        at->r = rbv_add(at->r, way.v);
        at->turn += bodies->spatial ? 0 : way.w.z;
        if (bodies->spatial)
            at->p = rbv_quat_normalised(rbv_quat_product(rbv_quat_of_vector(way.w), at->p));
    }
    rbv_coordinates_from_bodies(&g->system->coordinates, state->bodies, state->q);
}

/* Largest error of the block's rows without drives, relative to L, beyond their rounding; phi[m]: errors in scaled
 * rows. */
static double row_errors(const Branches *g, double *phi) {
    double most = 0;
    for (int32_t r = 0; r < g->m; r++) {
        int32_t row = g->block->rows[r];
        phi[r] = is_drive(g, r) || g->system->rows[row].on_rates ? 0 : g->state->phi[row] / g->norm[r];
        double excused = rbv_state_row_rounding(g->state, row) / g->norm[r];
        most = rbv_max(most, (fabs(phi[r]) - excused) / g->rank->L);
    }
    return most;
}

/* Restores the rows by least movement, and evaluates the Jacobian. False: not possible from here, or only far away. */
static bool restore(Branches *g, RbvRidge *ridge, double step, double *phi, double *x) {
    double strayed = 0;
    for (int count = 0; count < RESTORE_STEPS; count++) {
        if (!rbv_state_place(g->state) || g->state->singular_measure >= 0)
            return false;
        rbv_state_jacobian(g->state);
        fill_rows(g, false);
        double error = row_errors(g, phi), way = 0;
        if (error < RBV_ROUNDING || (count > 5 && error < RBV_ASSEMBLY_TOLERANCE))
            return true;
        if (!rbv_ridge_factor(ridge, g->rows.values, 1e-13, &g->state->no_memory))
            return false;
        rbv_ridge_step(ridge, phi, x);
        for (int32_t i = 0; i < g->n; i++)
            way += x[i] * x[i];
        strayed += sqrt(way);
        if (!(strayed <= STRAYED * step))
            return false;
        rbv_scaled_rows_motion(&g->rows, g->state, g->block, g->rank->L, x, g->motion);
        move_bodies(g);
    }
    return false;
}

static bool come_back(Branches *g) {
    memcpy(g->state->q, g->place, (size_t)g->system->coordinates.position_size * sizeof *g->place);
    bool good = rbv_state_place(g->state);
    rbv_state_jacobian(g->state);
    return good;
}

/* Redundancy a step along w[k]; -1: no position is reached there, or its rank is not safe; -2: no memory. */
static int32_t redundancy_along(Branches *g, RbvRidge *ridge, const double *w, double *phi, double *x) {
    int32_t found = -1;
    double step = FIRST_STEP * g->rank->L;
    for (int attempt = 0; found == -1 && attempt < STEP_TRIES; attempt++, step *= 0.25) {
        come_back(g);
        fill_rows(g, false);
        for (int32_t i = 0; i < g->n; i++) {
            x[i] = 0;
            for (int32_t a = 0; a < g->k; a++)
                x[i] += step * w[a] * g->V0[(size_t)i * (size_t)g->k + (size_t)a];
        }
        rbv_scaled_rows_motion(&g->rows, g->state, g->block, g->rank->L, x, g->motion);
        move_bodies(g);
        if (!restore(g, ridge, step, phi, x)) {
            if (g->state->no_memory)
                return -2;
            continue;
        }
        RbvDetermined there = {0};
        fill_rows(g, true);
        RbvStatus status = rbv_determined_decide(&there, &g->rows.C, (RbvCriterionKind)g->s->criterion, NULL);
        if (status == RBV_OK && there.rank.safe)
            found = g->m - there.rank.rank;
        else if (status == RBV_NO_MEMORY)
            found = -2;
        rbv_determined_clear(&there);
    }
    return found;
}

/* Least redundancy on the branches found; -1: no positions nearby; -2: no memory. */
static int32_t least_redundancy(Branches *g) {
    double *phi = rbv_arena_array(&g->arena, (size_t)g->m + (size_t)g->n, sizeof *phi), *x = phi ? phi + g->m : NULL;
    fill_rows(g, false);
    RbvRidge *ridge = phi ? rbv_ridge_create(g->m, g->n, g->rows.start, g->rows.column) : NULL;
    int32_t least = ridge ? -1 : -2;
    for (int32_t c = best_candidate(g); c >= 0 && least != 0 && least != -2; c = best_candidate(g)) {
        int32_t there = redundancy_along(g, ridge, g->directions + c * g->k, phi, x);
        g->candidate[c][0] = -1;
        if (there == -2 || (there >= 0 && (least < 0 || there < least)))
            least = there;
    }
    rbv_ridge_destroy(ridge);
    return come_back(g) ? least : -2;
}

/* Number of random motions by which self-stresses lost to first order are counted. */
#define MOTIONS 4

static int32_t persistent(Branches *g) {
    size_t wide = (size_t)g->d * MOTIONS, k = (size_t)g->k;
    double *work = rbv_arena_array(&g->arena, (size_t)g->p * wide + MOTIONS * k + 1, sizeof *work),
           *w = work ? work + (size_t)g->p * wide : NULL;
    g->directions = rbv_arena_array(&g->arena, CANDIDATES * k + 1, sizeof *g->directions);
    if (!work || !g->directions)
        return -2;
    for (size_t a = 0; a < MOTIONS * k; a++)
        w[a] = normal(&g->seed) / sqrt((double)k);
    int32_t first = g->p - lost(g, MOTIONS, w, RBV_FITS, work), result = first;
    if (first < g->p || g->m <= SMALL_BLOCK) {
        search(g, w, work);
        int32_t near = least_redundancy(g);
        /* no positions nearby, as of stretched bars: the redundancy exists at this position only */
        if (near == -2)
            result = -2;
        else if (near >= 0)
            result = near < g->p ? near : g->p;
        if (result > 0 && first < g->p && g->q.p > MOST_CONDITIONS)
            result = -1;
    }
    return result;
}

static bool create_branches(Branches *g) {
    size_t m = (size_t)g->m, n = (size_t)g->n;
    g->norm = rbv_arena_array(&g->arena, m + 1, sizeof *g->norm);
    g->dense = rbv_arena_array(&g->arena, m * n + 1, sizeof *g->dense);
    g->null = rbv_arena_array(&g->arena, m * m + 1, sizeof *g->null);
    g->motion = rbv_arena_array(&g->arena, (size_t)g->system->bodies.size + 1, sizeof *g->motion);
    g->place = rbv_arena_array(&g->arena, (size_t)g->system->coordinates.position_size + 1, sizeof *g->place);
    if (!rbv_scaled_rows_create(&g->rows, g->system) || !g->norm || !g->dense || !g->null || !g->motion || !g->place)
        return false;
    memcpy(g->place, g->state->q, (size_t)g->system->coordinates.position_size * sizeof *g->place);
    return true;
}

static void destroy_branches(Branches *g) {
    rbv_scaled_rows_destroy(&g->rows);
    rbv_quadrics_destroy(&g->q);
    rbv_arena_clear(&g->arena);
}

/* Motions and self-stresses, with drives and without. False: no memory, or LAPACK failed. */
static bool prepare_branches(Branches *g) {
    bool *drives = rbv_arena_array(&g->arena, (size_t)g->system->row_count + 1, sizeof *drives);
    for (int32_t r = 0; drives && r < g->m; r++)
        drives[g->block->rows[r]] = is_drive(g, r);
    int32_t rank = g->rank->determined.rank.rank,
            without = drives ? rbv_solvability_block_rank_without(g->s, g->b, drives) : -1;
    if (without < 0)
        return false;
    fill_rows(g, true);
    bool good = find_motions(g, rank, &g->V, &g->d);
    fill_rows(g, false);
    return good && find_motions(g, without, &g->V0, &g->k) && find_stresses(g, without);
}

int32_t rbv_branches_persistent(RbvSolvability *s, RbvState *state, int32_t b) {
    const RbvBlock *block = &s->blocks.blocks[b];
    const RbvBlockRank *rank = &s->ranks[b];
    Branches g = {.s = s,
                  .state = state,
                  .system = state->system,
                  .block = block,
                  .rank = rank,
                  .b = b,
                  .m = block->row_count,
                  .n = block->column_count,
                  .p = rank->redundant,
                  .seed = 0x2545F4914F6CDD1Du};
    if (g.p == 0 || rank->determined.rank.rank == g.n) /* where C has full column rank, the rank cannot grow */
        return g.p;
    if (!rbv_has_null(rank) || !rank->determined.rank.safe || g.m > RBV_DENSE_ROWS)
        return -1;
    int32_t result = create_branches(&g) && prepare_branches(&g) ? 0 : -2;
    size_t k = (size_t)g.k, forms = (size_t)g.p0 * k * k + (size_t)g.p * k * (size_t)g.d;
    if (result == 0 && forms > MOST_NUMBERS)
        result = -1;
    else if (result == 0)
        result = find_forms(&g) ? persistent(&g) : -2;
    destroy_branches(&g);
    return result;
}

/* Redundancies that persist when the mechanism moves, of all blocks. */

int32_t rbv_persistent_redundancy(RbvSolvability *s, RbvState *state) {
    int32_t sum = 0;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        int32_t here = rbv_branches_persistent(s, state, b);
        if (here < 0)
            return here;
        sum += here;
    }
    return sum;
}
