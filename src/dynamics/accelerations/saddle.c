/* Saddle point system of motion; see saddle.h. */
#include "dynamics/accelerations/saddle.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/linalg/small.h"
#include "core/solve/schur.h"
#include "dynamics/accelerations/saddle_parts.h"
#include "mechanics/coordinates/mass_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* eps: singular values below its root are not followed; far above rounding: factors are accurate for any rank. */
#define PROXIMAL 1e-10
/* eps where rows repeat others. They do so only where the constraints hold; the stages of a step violate these by some
 * delta, where the same rows have a singular value of about delta and would resist a free motion: eps must exceed
 * delta^2. */
#define PROXIMAL_REDUNDANT 1e-6
/* eps where accelerations are known: the force of a row counts however weakly it resists, and the distribution among
 * repeated rows is chosen later. Above rounding, so that factors exist. */
#define PROXIMAL_KNOWN 1e-14
/* Numbers of solutions with the same factors; the last correction is then rounding, or belongs to what is nearly
 * singular. */
#define MOST_PASSES 6
#define MOST_PASSES_REDUNDANT 12
/* Corrections below this part of the accelerations that forces alone would cause are rounding, which follows no
 * geometric series: it is contained in eps kappa^2. After corrections that fell quickly rounding is as large as eps in
 * the system makes it. */
#define ROUNDED_SHARE 4e-15
/* Ratio of a correction to the one before, beyond which nothing is known of the following ones. */
#define MOST_RATIO (1 - 1e-12)
/* Ratio of corrections above which the iteration ends. */
#define GAIN 0.5

struct RbvSaddle {
    RbvState *state;
    RbvArena arena;
    int32_t n, total;
    RbvSaddleRows rows;
    const bool *active;
    bool redundant;
    bool whole;                           /* no Schur complement */
    const bool *left_out;                 /* [rows] the caller's: rows that repeat others; NULL: no row is left out */
    double proximal;                      /* eps */
    bool constant_mass, filled, new_mass; /* M is constant; evaluated; changed since factored */
    bool constant_bodies, eased;          /* masses and moments of inertia of bodies are constant; ease_alone is set */
    bool stands_in;                       /* M contains substitute inertia of idle spins */
    bool solved;                          /* x is the solution for b with the present entries */
    double more;    /* factor of the last correction: sum of all further corrections, a geometric series */
    bool unsettled; /* the last solution for forces did not settle; `yielded`: an earlier one did not */
    bool yielded;
    bool yields;     /* some solution since the last query did not settle */
    double nearness; /* largest 1 / sigma^2 since the last query */
    int most_passes;
    int32_t run;        /* number of neighbouring columns in which entries of C come: 1 or 3 */
    RbvLu *lu;          /* factors of the whole matrix; NULL: one of the following is used */
    RbvSchur *schur;    /* Schur complement with M in blocks; NULL: not used */
    RbvTreeSchur *tree; /* Schur complement of a tree, without forming M; NULL: not used */
    int32_t *node;      /* [rows] number of the joint; at most three rows have the same */
    double *weighted;   /* [entries of C] W C */
    RbvMassMatrix mass;
    int32_t *start, *index;      /* [total + 1]; [entries]: the pattern by rows */
    int32_t *mass_at;            /* [entries of M] their indices among the values */
    int32_t *at, *at_transposed; /* [entries of C] indices of the entries of C and C^T among the values */
    double *values, *weight;     /* entries of the matrix; weight[rows] */
    double *inverse_mass;        /* [n] 1 / M_jj, for weights */
    double *ease; /* [bodies.size] 1 / M_jj of bodies, rotations limited by RBV_LEAST_SCALE: for weights of rows */
    double *ease_alone;   /* [bodies.size] before that limit, where v is not that of bodies */
    double *all_weights;  /* [rows of the system and own rows] zero for rows left out */
    double *b, *x, *left; /* [total] right-hand side, solution, residual or correction */
    RbvWrench *wrenches;  /* [bodies] the caller's forces */
};

/* The entries of the state's C, to be indexed by the entry numbers of row k in s->rows.C. */
static const double *entries_of(const RbvSaddle *s, int32_t k) {
    return rbv_saddle_rows_entries(&s->rows, s->state, k);
}

/* fmax for a number a, without a function call. */
static inline double larger(double a, double b) {
    return b > a ? b : a;
}

/* Returns whether row k acts. Rows that the coordinates keep by themselves do not. */
static bool holds(const RbvSaddle *s, int32_t k) {
    int32_t row = s->rows.place[k];
    if (s->left_out && s->left_out[k])
        return false;
    return k >= s->rows.of_system || ((!s->active || s->active[row]) && !rbv_system_keeps(s->state->system, row));
}

/* Builds the pattern: rows 0 ... n-1 are M, then the columns of C^T; rows n ... are C_k and the diagonal. */
static bool build(RbvSaddle *s) {
    const RbvRowPattern *C = &s->rows.C, *M = &s->mass.pattern;
    int32_t entries = C->start[s->rows.count], n = s->n;
    size_t count = (size_t)M->start[n] + 2 * (size_t)entries + (size_t)s->rows.count;
    s->start = rbv_arena_alloc(&s->arena, ((size_t)s->total + 2) * sizeof(int32_t));
    s->index = rbv_arena_alloc(&s->arena, (count + 1) * sizeof(int32_t));
    s->mass_at = rbv_arena_alloc(&s->arena, ((size_t)M->start[n] + 1) * sizeof(int32_t));
    s->at = rbv_arena_alloc(&s->arena, ((size_t)entries + 1) * sizeof(int32_t));
    s->at_transposed = rbv_arena_alloc(&s->arena, ((size_t)entries + 1) * sizeof(int32_t));
    s->values = rbv_arena_alloc(&s->arena, (count + 1) * sizeof(double));
    int32_t *next = rbv_arena_alloc(&s->arena, ((size_t)n + 1) * sizeof(int32_t));
    if (!s->start || !s->index || !s->mass_at || !s->at || !s->at_transposed || !s->values || !next)
        return false;
    for (int32_t i = 0; i < n; i++)
        s->start[i + 1] = M->start[i + 1] - M->start[i];
    for (int32_t e = 0; e < entries; e++)
        s->start[C->column[e] + 1]++;
    for (int32_t k = 0; k < s->rows.count; k++)
        s->start[n + k + 1] = C->start[k + 1] - C->start[k] + 1;
    for (int32_t k = 0; k < s->total; k++)
        s->start[k + 1] += s->start[k];
    for (int32_t i = 0; i < n; i++) {
        next[i] = s->start[i];
        for (int32_t e = M->start[i]; e < M->start[i + 1]; e++) {
            s->index[next[i]] = M->column[e];
            s->mass_at[e] = next[i]++;
        }
    }
    for (int32_t k = 0; k < s->rows.count; k++) {
        int32_t at = s->start[n + k];
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
            int32_t j = C->column[e];
            s->index[at] = j;
            s->at[e] = at++;
            s->index[next[j]] = n + k;
            s->at_transposed[e] = next[j]++;
        }
        s->index[at] = n + k;
    }
    return true;
}

/* Numbers the joints of rows; rows of one joint are consecutive. All rows of the system must be in the saddle. */
static void number_nodes(RbvSaddle *s) {
    const RbvRow *rows = s->state->system->rows;
    for (int32_t k = 0, node = -1, together = 0; k < s->rows.count; k++) {
        bool same = k > 0 && rows[k].owner == rows[k - 1].owner && rows[k].index == rows[k - 1].index && together < 3;
        together = same ? together + 1 : 1;
        node += !same;
        s->node[k] = node;
    }
}

/* Selects the Schur complement where it is as accurate and sparse, otherwise LU factors. False: out of memory. */
static bool choose_factors(RbvSaddle *s) {
    const RbvRowPattern *C = &s->rows.C, *M = &s->mass.pattern;
    bool fits = !s->whole && s->state->system->coordinates.of_bodies &&
                s->state->system->model->generalized.count == 0 && s->state->system->model->rotor_count == 0 &&
                !s->stands_in && rbv_saddle_mass_alike(s->state);
    s->node = rbv_arena_alloc(&s->arena, ((size_t)s->rows.count + 1) * sizeof(int32_t));
    if (!s->node)
        return false;
    if (fits)
        number_nodes(s);
    if (fits)
        s->schur = rbv_schur_create(s->n, s->rows.count, M->start, M->column, C->start, C->column, s->node, &fits);
    s->run = s->schur && rbv_schur_width(s->schur) == 3 ? 3 : 1;
    if (!fits)
        s->lu = rbv_lu_create_planned(s->total, s->start, s->index);
    return s->lu || s->schur;
}

/* Selects articulated bodies for a deep tree. Additional rows need masses of similar size, as all Schur complements do.
 * False: out of memory. */
static bool choose_tree(RbvSaddle *s) {
    const RbvSystem *system = s->state->system;
    bool fits = !s->whole && system->model->rotor_count == 0 && !s->stands_in &&
                (s->rows.C.start[s->rows.count] == 0 || rbv_saddle_mass_alike(s->state));
    s->weighted = rbv_arena_alloc(&s->arena, ((size_t)s->rows.C.start[s->rows.count] + 1) * sizeof(double));
    if (fits)
        s->tree = rbv_tree_schur_create(&system->coordinates, &s->rows.C, &fits);
    s->run = 1;
    return s->weighted && (s->tree || !fits);
}

static bool make_mass(RbvSaddle *s) {
    return rbv_mass_matrix_create(&s->state->system->coordinates, &s->arena, &s->mass);
}

RbvSaddle *rbv_saddle_create(RbvState *state, bool whole) {
    const RbvSystem *system = state->system;
    RbvSaddle *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->state = state;
    s->whole = whole;
    s->n = system->coordinates.size;
    s->stands_in = rbv_saddle_mass_stands_in(system);
    bool placed = rbv_saddle_rows_create(system, &s->arena, &s->rows);
    s->total = s->n + s->rows.count;
    s->constant_bodies = !system->bodies.spatial && system->model->generalized.count == 0;
    s->constant_mass = system->coordinates.of_bodies && s->constant_bodies && system->model->rotor_count == 0;
    rbv_saddle_set_redundant(s, false);
    size_t total = (size_t)s->total + 1, bodies = (size_t)system->bodies.size + 1;
    s->all_weights = rbv_arena_array(&s->arena, (size_t)system->row_count + (size_t)system->coordinates.own_rows + 1,
                                     sizeof(double));
    s->weight = rbv_arena_alloc(&s->arena, ((size_t)s->rows.count + 1) * sizeof(double));
    s->inverse_mass = rbv_arena_alloc(&s->arena, ((size_t)s->n + 1) * sizeof(double));
    s->ease = rbv_arena_alloc(&s->arena, bodies * sizeof(double));
    s->ease_alone = rbv_arena_alloc(&s->arena, bodies * sizeof(double));
    s->b = rbv_arena_alloc(&s->arena, total * sizeof(double));
    s->x = rbv_arena_alloc(&s->arena, total * sizeof(double));
    s->left = rbv_arena_alloc(&s->arena, total * sizeof(double));
    s->wrenches = rbv_arena_array(&s->arena, (size_t)system->bodies.count + 1, sizeof *s->wrenches);
    bool good = placed && s->all_weights && s->weight && s->inverse_mass && s->ease && s->ease_alone && s->b && s->x &&
                s->left && s->wrenches;
    if (!good || !choose_tree(s) || (!s->tree && !(make_mass(s) && build(s) && choose_factors(s)))) {
        rbv_saddle_destroy(s);
        return NULL;
    }
    return s;
}

void rbv_saddle_destroy(RbvSaddle *s) {
    if (!s)
        return;
    rbv_lu_destroy(s->lu);
    rbv_schur_destroy(s->schur);
    rbv_tree_schur_destroy(s->tree);
    rbv_arena_clear(&s->arena);
    free(s);
}

void rbv_saddle_set_active(RbvSaddle *s, const bool *active) {
    s->active = active;
}

static void choose_proximal(RbvSaddle *s) {
    bool redundant = s->redundant && !s->left_out;
    s->proximal = redundant ? PROXIMAL_REDUNDANT : PROXIMAL;
    s->most_passes = redundant ? MOST_PASSES_REDUNDANT : MOST_PASSES;
}

void rbv_saddle_set_redundant(RbvSaddle *s, bool redundant) {
    s->redundant = redundant;
    choose_proximal(s);
}

bool rbv_saddle_is_redundant(const RbvSaddle *s) {
    return s->redundant;
}

void rbv_saddle_leave_out(RbvSaddle *s, const bool *left_out) {
    s->left_out = left_out;
    choose_proximal(s);
}

bool rbv_saddle_leaves_out(const RbvSaddle *s) {
    return s->left_out != NULL;
}

int32_t rbv_saddle_rows(const RbvSaddle *s, const int32_t **place) {
    *place = s->rows.place;
    return s->rows.count;
}

void rbv_saddle_set_known(RbvSaddle *s) {
    s->proximal = PROXIMAL_KNOWN;
    s->most_passes = MOST_PASSES;
}

const double *rbv_saddle_inverse_mass(const RbvSaddle *s) {
    return s->inverse_mass;
}

const RbvMassMatrix *rbv_saddle_mass(const RbvSaddle *s) {
    return &s->mass;
}

const double *rbv_saddle_weights(const RbvSaddle *s) {
    return s->rows.all ? s->weight : s->all_weights;
}

double rbv_saddle_proximal(const RbvSaddle *s) {
    return s->proximal;
}

/* Raises moments of inertia of a body to at least a thousandth of its largest: otherwise rows that hold a thin rod
 * about its line would have no weight across it. For columns of bodies. */
static void raise_turns(const RbvBodyColumns *bodies, double *diagonal) {
    for (int32_t b = 1; bodies->spatial && b < bodies->count; b++) {
        double *moment = diagonal + bodies->start[b] + 3;
        if (!rbv_bodies_turns(bodies, b))
            continue;
        /* Mass of a coordinate without mass in the weights of rows, relative to the mean of the others. */
        double least = RBV_LEAST_SCALE * rbv_max(moment[0], rbv_max(moment[1], moment[2]));
        for (int k = 0; k < 3; k++)
            moment[k] = rbv_max(moment[k], least);
    }
}

/* Replaces the diagonal M_ii by 1 / M_ii; entries without mass count as a thousandth of the mean of all, since only
 * their size matters. */
static void invert(const RbvBodyColumns *of_bodies, int32_t n, double *diagonal) {
    double sum = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        sum += diagonal[i];
        count += diagonal[i] > 0;
    }
    double least = count > 0 ? RBV_LEAST_SCALE * sum / count : 1;
    if (of_bodies)
        raise_turns(of_bodies, diagonal);
    for (int32_t i = 0; i < n; i++)
        diagonal[i] = 1 / (diagonal[i] > 0 ? diagonal[i] : least);
}

static void invert_diagonal(RbvSaddle *s) {
    const RbvRowPattern *M = &s->mass.pattern;
    const RbvSystem *system = s->state->system;
    for (int32_t i = 0; i < s->n; i++) {
        s->inverse_mass[i] = 0;
        for (int32_t e = M->start[i]; e < M->start[i + 1]; e++)
            if (M->column[e] == i)
                s->inverse_mass[i] = s->mass.values[e];
    }
    invert(system->coordinates.of_bodies ? &system->bodies : NULL, s->n, s->inverse_mass);
}

/* Finds 1 / M_ii for the bodies' own columns where v is not that of bodies: the weight of a row is a property of its
 * bodies. In other coordinates its gradient may vanish near a singular position, and its weight would grow. */
static void invert_bodies(RbvSaddle *s) {
    const RbvState *state = s->state;
    const RbvBodyColumns *bodies = &state->system->bodies;
    const int32_t generalized = state->system->model->generalized.count;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvBody *body = &state->system->model->bodies.items[b];
        double J[3][3] = {{0}, {0}, {0, 0, body->inertia[2]}},
               of = body->generalized > 0 ? state->mass[(body->generalized - 1) * (generalized + 1)] : body->mass;
        if (bodies->spatial && rbv_bodies_turns(bodies, b))
            rbv_state_tensor(state, b, J);
        rbv_bodies_put(bodies, b, (RbvTwist){{of, of, of}, {J[0][0], J[1][1], J[2][2]}}, s->ease_alone);
    }
    invert(bodies, bodies->size, s->ease_alone);
    s->eased = true;
}

/* Finds `ease`: no body turns more easily than RBV_LEAST_SCALE allows. */
static void limit_turns(RbvSaddle *s) {
    const RbvBodyColumns *bodies = &s->state->system->bodies;
    bool of_bodies = s->state->system->coordinates.of_bodies;
    if (!of_bodies && !(s->constant_bodies && s->eased))
        invert_bodies(s);
    memcpy(s->ease, of_bodies ? s->inverse_mass : s->ease_alone, (size_t)bodies->size * sizeof *s->ease);
    for (int32_t b = 1; b < bodies->count; b++) {
        /* Least radius of gyration of a body over its arm, in the weights of rows. Rows at a point of a body that turns
         * more easily are nearly parallel in the metric of the masses, to the square of this; eps must stay far below
         * it. */
        double radius = RBV_LEAST_SCALE * rbv_state_body_arm(s->state, b),
               most = s->ease[bodies->start[b]] / (radius * radius);
        if (!rbv_bodies_turns(bodies, b) || !(radius > 0))
            continue;
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            if (rbv_bodies_is_rotation(bodies, b, j))
                s->ease[j] = rbv_min(s->ease[j], most);
    }
}

/* Weights of rows `first` to `last` of a pattern with entries `value`: from their squares times `ease` of columns. w,
 * the length of runs of entries, must be a constant in each call. */
RBV_UNROLLED void weigh_runs(RbvSaddle *s, const RbvRowPattern *C, int32_t first, int32_t last, const double *value,
                             const double *ease, const int w) {
    for (int32_t k = first; k < last; k++) {
        double sum = 0;
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e += w)
            for (int i = 0; i < w; i++)
                sum += value[e + i] * value[e + i] * ease[C->column[e + i]];
        s->weight[k] = 0;
        if (holds(s, k))
            s->weight[k] = sum > 0 && isfinite(sum) ? 1 / sqrt(sum) : 1;
    }
}

/* Weight of row k of the system from its gradient with respect to bodies. Coordinates may keep a row without knowing it
 * (a slide along a shared point): its gradient is then rounding compared with that on bodies, and the row has weight 0.
 */
static double weight_on_bodies(const RbvSaddle *s, int32_t k) {
    const RbvRowPattern *C = &s->rows.C, *D = &s->state->system->D;
    const double *value = entries_of(s, k), *of_D = s->state->D;
    double most = 0, on_bodies = 0, sum = 0;
    if (!holds(s, k))
        return 0;
    for (int32_t e = C->start[k]; e < C->start[k + 1]; e++)
        most = larger(most, fabs(value[e]));
    for (int32_t row = s->rows.place[k], e = D->start[row]; e < D->start[row + 1]; e++) {
        on_bodies = larger(on_bodies, fabs(of_D[e]));
        sum += of_D[e] * of_D[e] * s->ease[D->column[e]];
    }
    /* A gradient below this part of the gradient with respect to bodies is rounding; lengths in units other than metres
     * stay within it. */
    if (most <= RBV_ROOT_EPS * on_bodies)
        return 0;
    return sum > 0 && isfinite(sum) ? 1 / sqrt(sum) : 1;
}

static void weigh_rows(RbvSaddle *s) {
    const RbvSaddleRows *rows = &s->rows;
    limit_turns(s);
    if (s->state->system->coordinates.of_bodies) {
        if (s->run == 3)
            weigh_runs(s, &rows->C, 0, rows->count, s->state->C, s->ease, 3);
        else
            weigh_runs(s, &rows->C, 0, rows->count, s->state->C, s->ease, 1);
        return;
    }
    for (int32_t k = 0; k < rows->of_system; k++)
        s->weight[k] = weight_on_bodies(s, k);
    weigh_runs(s, &rows->C, rows->of_system, rows->count, entries_of(s, rows->of_system), s->inverse_mass, 1);
    for (int32_t k = 0; !rows->all && k < rows->of_system; k++)
        s->all_weights[rows->place[k]] = s->weight[k];
    for (int32_t k = rows->of_system; !rows->all && k < rows->count; k++)
        s->all_weights[rows->place[k] - s->state->system->all_count + s->state->system->row_count] = s->weight[k];
}

RBV_UNROLLED void weight_entries(RbvSaddle *s, const int w) {
    const RbvRowPattern *C = &s->rows.C;
    for (int32_t k = 0; k < s->rows.count; k++) {
        const double *value = entries_of(s, k);
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e += w) {
            double part[3];
            for (int i = 0; i < w; i++)
                part[i] = s->weight[k] * value[e + i];
            for (int i = 0; i < w; i++)
                s->weighted[e + i] = part[i];
        }
    }
}

/* Sets the entries of the matrix, with the present weights. */
static void place_values(RbvSaddle *s) {
    const RbvRowPattern *C = &s->rows.C, *M = &s->mass.pattern;
    s->solved = false;
    if (s->run == 3)
        weight_entries(s, 3);
    else
        weight_entries(s, 1);
    if (!s->lu)
        return;
    for (int32_t e = 0; e < M->start[s->n]; e++)
        s->values[s->mass_at[e]] = s->mass.values[e];
    for (int32_t e = 0; e < C->start[s->rows.count]; e++)
        s->values[s->at[e]] = s->values[s->at_transposed[e]] = s->weighted[e];
    for (int32_t k = 0; k < s->rows.count; k++)
        s->values[s->start[s->n + k + 1] - 1] = s->weight[k] > 0 ? -s->proximal : -1;
}

/* Evaluates M, which is constant for planar bodies without rotors. */
static void fill_mass(RbvSaddle *s) {
    if (s->tree || (s->constant_mass && s->filled))
        return;
    s->filled = true;
    s->new_mass = true;
    rbv_saddle_mass_fill(s->state, &s->mass);
}

static bool factor_tree(RbvSaddle *s) {
    if (!rbv_tree_schur_mass(s->tree, rbv_state_at(s->state), s->inverse_mass))
        return false;
    for (int32_t i = 0; i < s->n; i++)
        s->inverse_mass[i] = 1 / s->inverse_mass[i];
    weigh_rows(s);
    place_values(s);
    return rbv_tree_schur_factor(s->tree, s->weighted, s->proximal);
}

bool rbv_saddle_factor(RbvSaddle *s) {
    if (s->tree)
        return factor_tree(s);
    fill_mass(s);
    if (s->new_mass)
        invert_diagonal(s);
    weigh_rows(s);
    place_values(s);
    if (s->lu) {
        s->new_mass = false;
        return rbv_lu_factor(s->lu, s->values, &s->state->no_memory);
    }
    if (s->new_mass && !rbv_schur_mass(s->schur, s->mass.values))
        return false;
    s->new_mass = false;
    return rbv_schur_factor(s->schur, s->weighted, s->proximal);
}

bool rbv_saddle_fill(RbvSaddle *s) {
    if (s->schur && s->redundant)
        return rbv_saddle_factor(s);
    fill_mass(s);
    if (s->schur && s->new_mass)
        rbv_schur_fill(s->schur, s->mass.values);
    place_values(s);
    return true;
}

void rbv_saddle_forget(RbvSaddle *s) {
    if (s->lu)
        rbv_lu_forget(s->lu);
}

bool rbv_saddle_yields(RbvSaddle *s, double *nearness) {
    bool yields = s->yields;
    *nearness = s->nearness;
    s->nearness = 0;
    s->yields = false;
    return yields;
}

bool rbv_saddle_retract(RbvSaddle *s) {
    s->yields = s->unsettled ? s->yielded : s->yields;
    return s->unsettled;
}

/* left = b - A x, A without eps. */
static void find_left(RbvSaddle *s) {
    for (int32_t i = 0; i < s->total; i++) {
        double sum = s->b[i];
        int32_t end = s->start[i + 1];
        if (i >= s->n && s->weight[i - s->n] > 0)
            end--; /* without the diagonal */
        for (int32_t e = s->start[i]; e < end; e++)
            sum -= s->values[e] * s->x[s->index[e]];
        s->left[i] = sum;
    }
}

/* x by the factors alone. */
static void begin(RbvSaddle *s) {
    if (s->lu) {
        memcpy(s->x, s->b, (size_t)s->total * sizeof *s->x);
        rbv_lu_solve(s->lu, s->x);
        return;
    }
    memset(s->left, 0, (size_t)s->total * sizeof *s->left);
    if (s->tree) {
        rbv_tree_schur_correct(s->tree, rbv_state_at(s->state), s->b, s->left, s->x);
        return;
    }
    rbv_schur_begin(s->schur);
    rbv_schur_correct(s->schur, s->b, s->left, s->x);
}

/* left: correction of x by the factors. */
static void find_change(RbvSaddle *s) {
    if (s->tree)
        rbv_tree_schur_correct(s->tree, rbv_state_at(s->state), s->b, s->x, s->left);
    if (s->schur)
        rbv_schur_correct(s->schur, s->b, s->x, s->left);
    if (!s->lu)
        return;
    find_left(s);
    rbv_lu_solve(s->lu, s->left);
}

/* Sets the right-hand side b. Returns the largest acceleration that forces alone would cause: the scale of results that
 * rows hold at rest, which are rounding. */
static double take_right(RbvSaddle *s, const double *f, const double *g) {
    double free = 1e-300;
    for (int32_t i = 0; i < s->n; i++) {
        s->b[i] = f ? f[i] : 0;
        free = larger(free, fabs(s->b[i]) * s->inverse_mass[i]);
    }
    for (int32_t k = 0; k < s->rows.count; k++)
        s->b[s->n + k] = g ? s->weight[k] * g[s->rows.place[k]] : 0;
    return free;
}

/* x += left. *change, *size: largest change of x[n], largest x[n]. */
static void correct(RbvSaddle *s, double *change, double *size) {
    double most = 0, largest = 0;
    for (int32_t i = 0; i < s->n; i++) {
        s->x[i] += s->left[i];
        most = larger(most, fabs(s->left[i]));
        largest = larger(largest, fabs(s->x[i]));
    }
    for (int32_t i = s->n; i < s->total; i++)
        s->x[i] += s->left[i];
    *change = most;
    *size = largest;
}

/* Copies x and lambda of the last solution. False: a number is not finite. */
static bool hand_out(const RbvSaddle *s, double *x, double *lambda) {
    double sum = 0;
    memcpy(x, s->x, (size_t)s->n * sizeof *x);
    if (!s->rows.all)
        memset(lambda, 0, (size_t)s->state->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < s->rows.of_system; k++)
        lambda[s->rows.place[k]] = s->weight[k] * s->x[s->n + k];
    for (int32_t i = 0; i < s->total; i++)
        sum += s->x[i];
    return isfinite(sum);
}

static bool solve(RbvSaddle *s, const double *f, const double *g, double *x, double *lambda, int most_passes) {
    double before = INFINITY, last = 0, free = take_right(s, f, g);
    bool fell = false;
    s->more = 0;
    begin(s);
    for (int pass = 1; pass < most_passes; pass++) {
        double change, size;
        find_change(s);
        correct(s, &change, &size);
        last = change / rbv_max(size, free);
        if (pass == 1 && f && s->proximal == PROXIMAL) /* the part of x along a singular vector has error eps / (eps +
                                                          sigma^2); with repeated rows, off the constraints, always */
            s->nearness = rbv_max(s->nearness, last / s->proximal);
        double ratio = rbv_min(change / before, MOST_RATIO);
        fell = fell || (pass > 1 && ratio < GAIN);
        double rounded = (fell ? RBV_CANCELLED : ROUNDED_SHARE) * rbv_max(size, free);
        s->more = change > rounded ? ratio / (1 - ratio) : 0;
        bool next_settled = pass > 1 && change * ratio <= RBV_EXACT * size; /* further corrections are rounding */
        if (!(change > RBV_EXACT * size) || next_settled || change > GAIN * before)
            break;
        before = change;
    }
    if (f) {
        s->yielded = s->yields;
        /* Largest last correction where rows resist: far from sigma^2 = eps each correction gains several digits. */
        s->unsettled = last > RBV_SAME;
        s->yields = s->yielded || s->unsettled;
    }
    s->solved = f != NULL;
    return hand_out(s, x, lambda);
}

bool rbv_saddle_solve(RbvSaddle *s, const double *f, const double *g, double *x, double *lambda) {
    bool open = s->tree && s->rows.C.start[s->rows.count] == 0; /* only M: no rows that could yield */
    return solve(s, f, g, x, lambda, open ? 1 : s->most_passes);
}

bool rbv_saddle_correct(RbvSaddle *s, const double *g, double *x, double *lambda) {
    return solve(s, NULL, g, x, lambda, !s->lu ? 1 : s->most_passes);
}

/* Returns whether the last solution is that for f and g. */
static bool is_solved(const RbvSaddle *s, const double *f, const double *g) {
    bool same = s->solved;
    for (int32_t i = 0; same && i < s->n; i++)
        same = s->b[i] == f[i];
    for (int32_t k = 0; same && k < s->rows.count; k++)
        same = s->b[s->n + k] == s->weight[k] * g[s->rows.place[k]];
    return same;
}

void rbv_saddle_soften(RbvSaddle *s, const double *g, double *lambda) {
    memset(s->b, 0, (size_t)s->n * sizeof *s->b);
    for (int32_t k = 0; k < s->rows.count; k++)
        s->b[s->n + k] = s->weight[k] > 0 ? g[k] : 0;
    s->solved = false;
    begin(s);
    for (int32_t k = 0; k < s->rows.count; k++)
        lambda[k] = s->weight[k] > 0 ? -s->proximal * s->x[s->n + k] : 0;
}

bool rbv_saddle_left(RbvSaddle *s, const double *f, const double *g, double *x, double *lambda) {
    bool yields = s->yields, good = is_solved(s, f, g) ? hand_out(s, x, lambda) : rbv_saddle_solve(s, f, g, x, lambda);
    s->yields = yields;                             /* only solutions of the motion itself count */
    for (int32_t k = 0; k < s->rows.of_system; k++) /* multipliers of other rows are zero already */
        lambda[s->rows.place[k]] = s->more > 0 ? s->more * s->weight[k] * s->left[s->n + k] : 0;
    return good;
}

RbvWrench *rbv_saddle_wrenches(RbvSaddle *s) {
    memset(s->wrenches, 0, (size_t)s->state->system->bodies.count * sizeof *s->wrenches);
    return s->wrenches;
}

const RbvWrench *rbv_saddle_pushed(const RbvSaddle *s) {
    return s->wrenches;
}

double rbv_saddle_alone(const RbvSaddle *s) {
    const RbvBodyColumns *bodies = &s->state->system->bodies;
    double sum = 0;
    for (int32_t b = 1; b < bodies->count; b++) {
        double f[6] = {0};
        rbv_bodies_add(bodies, b, 1, &s->wrenches[b], f);
        for (int32_t k = 0; k < bodies->start[b + 1] - bodies->start[b]; k++)
            sum += f[k] * f[k] * s->ease[bodies->start[b] + k];
    }
    return sum;
}

void rbv_saddle_pull(RbvSaddle *s, double *Q) {
    rbv_coordinates_generalized_forces(&s->state->system->coordinates, rbv_state_at(s->state), s->wrenches, Q);
}

bool rbv_saddle_answer(RbvSaddle *s, double *Q, double *x, double *lambda) {
    rbv_saddle_pull(s, Q);
    return rbv_saddle_solve(s, Q, NULL, x, lambda);
}
