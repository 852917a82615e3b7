/* First-order test of self-stresses: D(v) = N^T dC[v] V for the motions v that joints allow without drives, V the motions left with drives; see persistence.h.
 *
 * A combination N a persists along v iff a^T D(v) = 0: rank[D(v1) D(v2) ...] of the p self-stresses are lost. A few random v see what all v see.
 * Where C has full column rank V is empty, and nothing is lost: the rank cannot grow.
 * At a singular position some v may lead nowhere. Where D says that something is lost, small steps along random v are taken, the joints' rows restored, and
 * the largest rank met there is the one that counts.
 */
#include "solvability/persistence.h"

#include "assembly/assemble.h"
#include "assembly/freedom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOTIONS 4
/* D is of order one (lengths in L, motions of unit size); assembly at a singular position is off by 1e-8. */
#define LOST 1e-6

typedef struct Work {
    double *Ct;     /* [n][m] scaled rows, transposed */
    double *free;   /* [n][n] right null space, with drives, then without */
    double *v, *t, *row; /* [coordinates], [n], [largest row] */
    double *D;      /* [p][MOTIONS * n] */
    int32_t *position;
} Work;

/* Columns of a right null space of the block's scaled rows, those marked left out: free[n][d], in scaled columns. Returns d, or -1. */
static int32_t right_null(const RbvState *state, const RbvBlock *block, const RbvBlockRank *rank, const bool *rotation, bool with_drives,
                          int32_t known, Work *w) {
    const RbvSystem *system = state->system;
    int32_t m = block->row_count, n = block->column_count;
    RbvRank found;
    memset(w->Ct, 0, (size_t)m * (size_t)n * sizeof *w->Ct);
    for (int32_t k = 0; k < m; k++) {
        int32_t row = block->rows[k];
        if (!with_drives && system->rows[row].owner == RBV_OWNER_DRIVE)
            continue;
        for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
            w->Ct[w->position[system->D.column[e]] * m + k] += state->D[e] * (rotation[system->D.column[e]] ? 1 / rank->L : 1) / rank->row_norm[k];
    }
    RbvStatus status = known >= 0 ? rbv_rank_known(n, m, w->Ct, known, &found, w->free) : rbv_rank_svd(n, m, w->Ct, &found, w->free);
    return status == RBV_OK && found.safe ? n - found.rank : -1;
}

/* t[n] := (dC[v])^T N_j for one self-stress, scaled columns. */
static void stress_rate(RbvState *state, const RbvBlock *block, const RbvBlockRank *rank, const bool *rotation, int32_t j, Work *w) {
    const RbvSystem *system = state->system;
    memset(w->t, 0, (size_t)block->column_count * sizeof *w->t);
    for (int32_t k = 0; k < block->row_count; k++) {
        int32_t row = block->rows[k];
        double n = rbv_null_entry(rank, k, j);
        if (fabs(n * rank->row_norm[k]) < 1e-12)
            continue;
        rbv_state_row_derivative(state, row, w->v, w->row);
        for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
            w->t[w->position[system->D.column[e]]] += n * w->row[e - system->D.start[row]] * (rotation[system->D.column[e]] ? 1 / rank->L : 1);
    }
}

static int32_t lost_in_block(const RbvSolvability *s, RbvState *state, int32_t b, const bool *rotation, Work *w) {
    const RbvBlock *block = &s->blocks.blocks[b];
    const RbvBlockRank *rank = &s->ranks[b];
    int32_t n = block->column_count, p = rank->redundant;
    uint64_t seed = 88172645463325252u;
    double *V = malloc((size_t)n * (size_t)n * sizeof *V), size = 0;
    if (!V)
        return -2;
    for (int32_t c = 0; c < n; c++)
        w->position[block->columns[c]] = c;
    int32_t d = right_null(state, block, rank, rotation, true, rank->determined.rank.rank, w);
    if (d > 0)
        memcpy(V, w->free, (size_t)n * (size_t)d * sizeof *V);
    int32_t moving = d > 0 ? right_null(state, block, rank, rotation, false, -1, w) : d;
    memset(w->D, 0, (size_t)p * MOTIONS * (size_t)(n > 0 ? n : 1) * sizeof *w->D);
    for (int motion = 0; motion < MOTIONS && moving > 0; motion++) {
        double norm = 0;
        memset(w->v, 0, (size_t)state->system->bodies.size * sizeof *w->v);
        for (int32_t c = 0; c < moving; c++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            double weight = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
            norm += weight * weight;
            for (int32_t i = 0; i < n; i++)
                w->v[block->columns[i]] += weight * w->free[i * moving + c] * (rotation[block->columns[i]] ? 1 / rank->L : 1);
        }
        for (int32_t i = 0; i < n; i++)
            w->v[block->columns[i]] *= rank->L / sqrt(norm);
        for (int32_t j = 0; j < p; j++) {
            stress_rate(state, block, rank, rotation, j, w);
            for (int32_t c = 0; c < d; c++) {
                double dot = 0;
                for (int32_t i = 0; i < n; i++)
                    dot += w->t[i] * V[i * d + c];
                w->D[(j * MOTIONS + motion) * n + c] = dot;
                size = fmax(size, fabs(dot));
            }
        }
    }
    free(V);
    if (d <= 0 || moving < 0)
        return d == 0 ? 0 : -1;
    if (!(size > LOST))
        return 0;
    RbvRank lost;
    return rbv_rank_svd(p, MOTIONS * n, w->D, &lost, NULL) == RBV_OK ? lost.certain : -2;
}

static int32_t first_order(const RbvSolvability *s, RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvBodyColumns *bodies = &system->bodies;
    size_t n = 1, m = 1, p = 1, longest = 1;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        const RbvBlock *block = &s->blocks.blocks[b];
        if (s->ranks[b].redundant == 0 || s->ranks[b].determined.rank.rank == block->column_count)
            continue;
        if (!rbv_has_null(&s->ranks[b]) || !s->ranks[b].determined.rank.safe || block->row_count > RBV_DENSE_ROWS)
            return -1;
        n = (size_t)block->column_count > n ? (size_t)block->column_count : n;
        m = (size_t)block->row_count > m ? (size_t)block->row_count : m;
        p = (size_t)s->ranks[b].redundant > p ? (size_t)s->ranks[b].redundant : p;
    }
    for (int32_t k = 0; k < system->row_count; k++) {
        size_t length = (size_t)(system->D.start[k + 1] - system->D.start[k]);
        longest = length > longest ? length : longest;
    }
    Work w = {malloc(n * m * sizeof(double)), malloc(n * n * sizeof(double)), malloc(((size_t)bodies->size + 1) * sizeof(double)),
              malloc(n * sizeof(double)), malloc(longest * sizeof(double)), malloc(p * MOTIONS * n * sizeof(double)),
              calloc((size_t)bodies->size + 1, sizeof(int32_t))};
    bool *rotation = calloc((size_t)bodies->size + 1, sizeof *rotation);
    bool good = w.Ct && w.free && w.v && w.t && w.row && w.D && w.position && rotation;
    int32_t persistent = good ? 0 : -2;
    for (int32_t b = 1; good && b < bodies->count; b++)
        for (int32_t c = bodies->start[b]; c < bodies->start[b + 1]; c++)
            rotation[c] = rbv_bodies_is_rotation(bodies, b, c);
    for (int32_t b = 0; persistent >= 0 && b < s->blocks.block_count; b++) {
        bool full = s->ranks[b].determined.rank.rank == s->blocks.blocks[b].column_count;
        int32_t lost = s->ranks[b].redundant == 0 || full ? 0 : lost_in_block(s, state, b, rotation, &w);
        persistent = lost < 0 ? lost : persistent + s->ranks[b].redundant - lost;
    }
    free(w.Ct);
    free(w.free);
    free(w.v);
    free(w.t);
    free(w.row);
    free(w.D);
    free(w.position);
    free(rotation);
    return persistent;
}

/* Steps of this part of the mechanism's size; the rank grows with a singular value of about as much, far above the band of doubt. */
#define FINITE_STEP 3e-2
#define FINITE_TRIES 6

/* A random motion that joints and constraints allow without drives, of unit size: g[size], by the projector of their rows. */
static bool allowed_motion(RbvState *state, int32_t rows, uint64_t *seed, double *g) {
    const RbvSystem *system = state->system;
    int32_t n = system->coordinates.size;
    double *scale = rbv_state_column_scales(state), *C = malloc(((size_t)system->C.start[rows] + 1) * sizeof *C), size = 0;
    RbvRidge *ridge = rbv_ridge_create(rows, n, system->C.start, system->C.column);
    bool good = scale && C && ridge;
    for (int32_t k = 0; good && k < rows; k++) {
        double sum = 0;
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++) {
            C[e] = state->C[e] * scale[system->C.column[e]];
            sum += C[e] * C[e];
        }
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1] && sum > 0; e++)
            C[e] /= sqrt(sum);
    }
    good = good && rbv_ridge_factor_null(ridge, C, &state->no_memory);
    for (int32_t c = 0; good && c < n; c++) {
        *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
        g[c] = (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
    }
    if (good)
        rbv_ridge_project(ridge, g);
    for (int32_t c = 0; good && c < n; c++)
        size = fmax(size, fabs(g[c]));
    for (int32_t c = 0; good && c < n && size > 0; c++)
        g[c] *= scale[c] / size;
    rbv_ridge_destroy(ridge);
    free(scale);
    free(C);
    return good;
}

/* Restore the holonomic rows of joints and constraints by least-norm steps. False: it does not converge from here. */
static bool restore(RbvState *state, int32_t rows) {
    const RbvSystem *system = state->system;
    int32_t n = system->coordinates.size;
    double *scale = rbv_state_column_scales(state), *C = malloc(((size_t)system->C.start[rows] + 1) * sizeof *C);
    double *phi = malloc(((size_t)rows + 1) * sizeof *phi), *x = malloc(((size_t)n + 1) * sizeof *x), error = INFINITY;
    RbvRidge *ridge = rbv_ridge_create(rows, n, system->C.start, system->C.column);
    bool good = scale && C && phi && x && ridge;
    for (int step = 0; good && step < 40; step++) {
        good = rbv_state_place(state) && state->singular_measure < 0;
        rbv_state_jacobian(state);
        error = 0;
        for (int32_t k = 0; good && k < rows; k++) {
            double weight = system->rows[k].on_rates ? 0 : system->rows[k].angular ? rbv_state_row_arm(state, k) : 1;
            phi[k] = weight * state->phi[k];
            error = fmax(error, (fabs(phi[k]) - rbv_state_row_rounding(state, k)) / rbv_state_row_size(state, k));
            for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++)
                C[e] = weight * state->C[e] * scale[system->C.column[e]];
        }
        if (!good || error < 1e-13)
            break;
        good = rbv_ridge_factor(ridge, C, 1e-12, &state->no_memory);
        if (!good)
            break;
        rbv_ridge_step(ridge, phi, x);
        for (int32_t c = 0; c < n; c++)
            x[c] *= scale[c];
        rbv_coordinates_step(&system->coordinates, state->q, x);
    }
    rbv_ridge_destroy(ridge);
    free(scale);
    free(C);
    free(phi);
    free(x);
    return good && error < RBV_ASSEMBLY_TOLERANCE;
}

/* The least redundancy met a little away from here; -1: no position near here was reached; -2: no memory. */
static int32_t finite(RbvState *state, RbvCriterion criterion, int32_t redundant) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size, positions = (size_t)system->coordinates.position_size;
    int32_t rows = system->model->drives.count > 0 ? system->drive_row[0] : system->row_count, least = redundant, reached = 0;
    double *q = malloc((positions + 1) * sizeof *q), *g = malloc((n + 1) * sizeof *g);
    RbvSolvability *s = rbv_solvability_create(system, criterion, false);
    bool good = q && g && s;
    uint64_t seed = 0x2545F4914F6CDD1Du;
    if (good)
        memcpy(q, state->q, positions * sizeof *q);
    for (int attempt = 0; good && attempt < FINITE_TRIES; attempt++) {
        memcpy(state->q, q, positions * sizeof *q);
        good = rbv_state_place(state);
        rbv_state_jacobian(state);
        good = good && allowed_motion(state, rows, &seed, g);
        for (int32_t b = 1; good && b < system->bodies.count; b++)
            for (int32_t c = system->bodies.start[b]; c < system->bodies.start[b + 1]; c++)
                g[c] *= FINITE_STEP * rbv_state_body_arm(state, b);
        if (!good)
            break;
        rbv_coordinates_step(&system->coordinates, state->q, g);
        if (!restore(state, rows) || rbv_solvability_decide(s, state) != RBV_OK || !s->safe)
            continue;
        reached++;
        least = s->redundant < least ? s->redundant : least;
    }
    if (q) {
        memcpy(state->q, q, positions * sizeof *q);
        rbv_state_place(state);
        rbv_state_jacobian(state);
    }
    rbv_solvability_destroy(s);
    free(q);
    free(g);
    return !good ? -2 : reached > 0 ? least : -1;
}

int32_t rbv_persistent_redundancy(const RbvSolvability *s, RbvState *state) {
    int32_t persistent = first_order(s, state);
    if (persistent < 0 || persistent == s->redundant)
        return persistent;
    int32_t near = finite(state, s->criterion, s->redundant);
    return near == -1 ? persistent : near; /* a position without neighbours, stretched bars: what is there is there only */
}
