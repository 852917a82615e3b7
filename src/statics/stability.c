/* Stability by dense eigenvalues, K u = mu M u on the tangent space of Phi = 0, and with one-sided supports. In the
 * tangent space with orthonormal basis N: A = N^T K N, B = N^T M N. Eigenvectors of B split it into massive and
 * massless directions, P and Z; the massless ones follow quasi-statically: A_PP - A_PZ A_ZZ^-1 A_ZP. */
#include "statics/stability.h"

#include "core/base/tolerances.h"
#include "core/solve/lapack.h"
#include "solution/assembly/absolute_state.h"
#include "statics/balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of coordinates above which the null space is computed by pivoted QR: singular values cost ten times as
 * much. */
#define QR_FROM 150

typedef struct Tangent {
    RbvArena arena; /* of all arrays but N */
    RbvBalance *balance;
    int32_t n, f;
    bool unsafe;                               /* the rank of the rows is unsure: a singular position */
    double position_error;                     /* [m] distance of the state from the equilibrium */
    double neutral;                            /* |mu| below this part of the magnitudes it is summed from is neutral */
    double *N;                                 /* [n][f] row-major: orthonormal motions */
    double *A, *B;                             /* [f][f] projected stiffness and mass */
    double *mass;                              /* [f] eigenvalues of B, ascending */
    double *condensed;                         /* [p][p] condensed stiffness over the square roots of masses */
    double *follow;                            /* [z][p]: A_ZZ^-1 A_ZP */
    double *value, *imaginary, *vector, *work; /* [f], [f], [f][f] eigenvalues, vectors; [4 n] */
    int32_t z;                                 /* number of massless directions, the first of B's eigenvectors */
    bool loose;                                /* there is a massless direction without stiffness */
    int32_t falling;                           /* number of massless directions with negative stiffness */
    double *odd; /* [n] massless direction with negative stiffness, else one without stiffness, scaled as steps */
} Tangent;

static bool tangent_space(Tangent *t) {
    bool safe; /* with a position error redundant rows are nearly redundant: doubts come from that */
    t->N = rbv_tangent_motions(t->balance, t->n > QR_FROM, t->position_error > 0, &t->f, &safe);
    t->unsafe = !safe && t->position_error == 0;
    return t->N;
}

static bool allocate_tangent(Tangent *t) {
    size_t f = (size_t)t->f;
    double **const squares[] = {&t->A, &t->B, &t->condensed, &t->follow, &t->vector};
    for (size_t k = 0; k < sizeof squares / sizeof squares[0]; k++)
        if (!(*squares[k] = rbv_arena_array(&t->arena, f * f + 1, sizeof(double))))
            return false;
    t->mass = rbv_arena_array(&t->arena, f + 1, sizeof(double));
    t->value = rbv_arena_array(&t->arena, f + 1, sizeof(double));
    t->imaginary = rbv_arena_array(&t->arena, f + 1, sizeof(double));
    t->work = rbv_arena_alloc(&t->arena, (4 * (size_t)t->n + 1) * sizeof(double));
    t->odd = rbv_arena_array(&t->arena, (size_t)t->n + 1, sizeof(double));
    return t->odd && t->mass && t->value && t->imaginary && t->work;
}

static void release(Tangent *t) {
    free(t->N);
    rbv_arena_clear(&t->arena);
}

/* out[f][f] = N^T X N for X = K or M. */
static void project_matrix(Tangent *t, bool mass, double *out) {
    RbvBalance *b = t->balance;
    double *x = t->work, *Xx = x + t->n, *scaled = Xx + t->n;
    for (int32_t c = 0; c < t->f; c++) {
        for (int32_t i = 0; i < t->n; i++)
            x[i] = t->N[i * t->f + c];
        if (mass) {
            for (int32_t i = 0; i < t->n; i++)
                scaled[i] = b->scale[i] * x[i];
            rbv_state_inertia(b->state, scaled, Xx);
            for (int32_t i = 0; i < t->n; i++)
                Xx[i] *= b->scale[i];
        } else {
            rbv_balance_stiffness(b, x, Xx);
            if (rbv_has_locked_rows(b))
                rbv_add_locked_stiffness(b, x, Xx, scaled);
        }
        for (int32_t r = 0; r < t->f; r++) {
            double sum = 0;
            for (int32_t i = 0; i < t->n; i++)
                sum += t->N[i * t->f + r] * Xx[i];
            out[r * t->f + c] = sum;
        }
    }
}

/* Transforms N and A to the eigenvectors of B. */
static bool split_masses(Tangent *t) {
    int32_t f = t->f;
    double *old = rbv_arena_alloc(&t->arena, ((size_t)t->n * (size_t)f + 1) * sizeof *old);
    bool good = old && rbv_lapack_eigen_symmetric(f, t->B, t->mass) == RBV_OK;
    if (good) {
        memcpy(old, t->N, (size_t)t->n * (size_t)f * sizeof *old);
        for (int32_t i = 0; i < t->n; i++)
            for (int32_t c = 0; c < f; c++) {
                double sum = 0;
                for (int32_t k = 0; k < f; k++)
                    sum += old[i * f + k] * t->B[k * f + c];
                t->N[i * f + c] = sum;
            }
        /* Part of the largest mass below which a direction is massless. */
        while (t->z < f && t->mass[t->z] <= RBV_CANCELLED * t->mass[f - 1])
            t->z++;
        project_matrix(t, false, t->A);
    }
    return good;
}

/* |mu| of the direction below which it is neutral. */
static double threshold(Tangent *t, const double *direction) {
    return rbv_neutral_threshold(t->balance, t->neutral, direction, t->work);
}

/* Decides whether massless eigenvector c of A_ZZ has stiffness, by the magnitudes of its contributions. */
static void verify_massless(Tangent *t, const double *Z, int32_t c, double eigen) {
    double *u = t->work + t->n;
    memset(u, 0, (size_t)t->n * sizeof *u);
    for (int32_t k = 0; k < t->z; k++)
        for (int32_t i = 0; i < t->n; i++)
            u[i] += Z[k * t->z + c] * t->N[i * t->f + k];
    double floor = threshold(t, u);
    bool loose = fabs(eigen) <= floor, falling = eigen < -floor;
    if ((falling && !t->falling) || (loose && !t->falling && !t->loose))
        memcpy(t->odd, u, (size_t)t->n * sizeof *u);
    t->loose = t->loose || loose;
    t->falling += falling;
}

/* Stiffness of the massless directions; then follow = A_ZZ^-1 A_ZP and the condensed stiffness. */
static bool condense(Tangent *t) {
    int32_t f = t->f, z = t->z, p = f - z;
    size_t zz = (size_t)z * (size_t)z;
    double *Z = rbv_arena_alloc(&t->arena, (zz + 1) * sizeof *Z),
           *eigen = rbv_arena_alloc(&t->arena, ((size_t)z + 1) * sizeof *eigen);
    int32_t *pivot = rbv_arena_alloc(&t->arena, ((size_t)z + 1) * sizeof *pivot);
    bool good = Z && eigen && pivot;
    for (int32_t i = 0; good && i < z; i++)
        for (int32_t j = 0; j < z; j++)
            Z[i * z + j] = 0.5 * (t->A[i * f + j] + t->A[j * f + i]);
    if (good && z > 0) {
        good = rbv_lapack_eigen_symmetric(z, Z, eigen) == RBV_OK;
        for (int32_t i = 0; i < z; i++)
            verify_massless(t, Z, i, eigen[i]);
        for (int32_t i = 0; i < z; i++)
            for (int32_t j = 0; j < z; j++)
                Z[i * z + j] = t->A[i * f + j];
        for (int32_t i = 0; i < z; i++)
            for (int32_t j = 0; j < p; j++)
                t->follow[i * p + j] = t->A[i * f + z + j];
        if (!t->loose && p > 0)
            good = rbv_lapack_solve(z, p, Z, pivot, t->follow) == RBV_OK;
    }
    for (int32_t i = 0; good && i < p; i++)
        for (int32_t j = 0; j < p; j++) {
            double sum = t->A[(z + i) * f + z + j];
            for (int32_t k = 0; k < z && !t->loose; k++)
                sum -= t->A[(z + i) * f + k] * t->follow[k * p + j];
            t->condensed[i * p + j] = sum / sqrt(t->mass[z + i] * t->mass[z + j]);
        }
    return good;
}

/* Eigenvector c of the condensed problem as a motion of mass 1, scaled as steps. */
static void motion_of(const Tangent *t, int32_t c, double *direction) {
    int32_t p = t->f - t->z;
    memset(direction, 0, (size_t)t->n * sizeof *direction);
    for (int32_t k = 0; k < p; k++) {
        double part = t->vector[k * p + c] / sqrt(t->mass[t->z + k]);
        for (int32_t i = 0; i < t->n; i++) {
            direction[i] += part * t->N[i * t->f + t->z + k];
            for (int32_t m = 0; m < t->z && !t->loose; m++)
                direction[i] -= part * t->follow[m * p + k] * t->N[i * t->f + m];
        }
    }
}

/* Body of entry `column` of v. */
static int32_t body_of_column(const RbvBodyColumns *bodies, int32_t column) {
    int32_t body = 1;
    while (body + 1 < bodies->count && bodies->start[body + 1] <= column)
        body++;
    return body;
}

/* True if column a comes before b by the names of their bodies. */
static bool comes_before(const Tangent *t, int32_t a, int32_t b) {
    const RbvSystem *system = t->balance->system;
    int32_t one = body_of_column(&system->bodies, a), other = body_of_column(&system->bodies, b);
    int order = strcmp(system->model->bodies.items[one].name, system->model->bodies.items[other].name);
    return order != 0 ? order < 0 : a < b;
}

/* Column that the motions of one curvature together move most; of equal ones the first by name. motion[count][n]. */
static int32_t moved_most(const Tangent *t, const double *motion, int32_t count) {
    int32_t most = 0;
    double largest = 0;
    for (int32_t i = 0; i < t->n; i++) {
        double sum = 0;
        for (int32_t k = 0; k < count; k++)
            sum += motion[k * t->n + i] * motion[k * t->n + i];
        double size = sqrt(sum);
        /* Relative difference of equal entries of motions. */
        bool equal = largest > 0 && fabs(size - largest) <= RBV_FITS * largest;
        if (equal ? comes_before(t, i, most) : size > largest)
            most = i, largest = fmax(size, largest);
    }
    return most;
}

/* Orthonormalizes motion[count][n], so that their common largest column does not depend on the choice of basis. */
static void orthonormalize(const Tangent *t, double *motion, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        double *u = motion + (size_t)k * (size_t)t->n, square = 0;
        for (int32_t j = 0; j < k; j++) {
            const double *w = motion + (size_t)j * (size_t)t->n;
            double along = 0;
            for (int32_t i = 0; i < t->n; i++)
                along += w[i] * u[i];
            for (int32_t i = 0; i < t->n; i++)
                u[i] -= along * w[i];
        }
        for (int32_t i = 0; i < t->n; i++)
            square += u[i] * u[i];
        for (int32_t i = 0; i < t->n && square > 0; i++)
            u[i] /= sqrt(square);
    }
}

/* Among all combinations of the motions which[count], finds the one that moves their common largest column most. The
 * result does not depend on rounding, which mixes the motions of equal eigenvalues (`equal`), or the two parts of a
 * complex one. False if out of memory. */
static bool combine(const Tangent *t, const int32_t *which, int32_t count, bool equal, double *direction) {
    double *motion = malloc((size_t)count * (size_t)t->n * sizeof *motion), square = 0;
    if (!motion)
        return false;
    for (int32_t k = 0; k < count; k++)
        motion_of(t, which[k], motion + (size_t)k * (size_t)t->n);
    if (equal)
        orthonormalize(t, motion, count);
    int32_t most = moved_most(t, motion, count);
    memset(direction, 0, (size_t)t->n * sizeof *direction);
    for (int32_t k = 0; k < count; k++) {
        double part = motion[k * t->n + most];
        square += part * part;
        for (int32_t i = 0; i < t->n; i++)
            direction[i] += part * motion[k * t->n + i];
    }
    for (int32_t i = 0; i < t->n && square > 0; i++)
        direction[i] /= sqrt(square);
    free(motion);
    return true;
}

/* Motion of the real eigenvalue c and of those that differ from it by `same` at most. False if out of memory. */
static bool motion_of_equal(Tangent *t, int32_t c, double same, double *direction) {
    int32_t p = t->f - t->z, count = 0, *which = malloc(((size_t)p + 1) * sizeof *which);
    if (!which)
        return false;
    for (int32_t k = 0; k < p; k++)
        if (t->imaginary[k] == 0 && fabs(t->value[k] - t->value[c]) <= same)
            which[count++] = k;
    bool good = true;
    if (count > 1)
        good = combine(t, which, count, true, direction);
    else
        motion_of(t, c, direction);
    free(which);
    return good;
}

/* Motion of eigenvalue c with an energy; eigenvalues that differ by a neutral curvature count as equal. */
static bool motion_with_energy(Tangent *t, int32_t c, double *direction) {
    motion_of(t, c, direction);
    return motion_of_equal(t, c, threshold(t, direction), direction);
}

/* With an energy: the smallest eigenvalue decides. */
static bool verify_symmetric(Tangent *t, RbvStability *s) {
    int32_t p = t->f - t->z;
    for (int32_t i = 0; i < p; i++)
        for (int32_t j = 0; j < p; j++)
            t->vector[i * p + j] = 0.5 * (t->condensed[i * p + j] + t->condensed[j * p + i]);
    if (rbv_lapack_eigen_symmetric(p, t->vector, t->value) != RBV_OK)
        return false;
    int32_t near = 0;
    for (int32_t k = 0; k < p && t->value[k] < 0; k++) {
        motion_of(t, k, s->direction);
        s->falling += t->value[k] < -threshold(t, s->direction);
    }
    for (int32_t k = 0; k < p; k++)
        near = fabs(t->value[k]) < fabs(t->value[near]) ? k : near;
    if (!motion_with_energy(t, near, s->nearest) || !motion_with_energy(t, 0, s->direction))
        return false;
    s->margin = t->z == 0 ? t->value[near] : NAN;
    s->level = fabs(t->value[near]) <= threshold(t, s->nearest);
    s->curvature = t->value[0];
    s->kind = rbv_neutral_kind(s->curvature, threshold(t, s->direction), &s->edge);
    return true;
}

/* Without an energy: solutions of u'' = -A u grow if an eigenvalue of A is not real and positive. */
static bool verify_general(Tangent *t, RbvStability *s) {
    int32_t p = t->f - t->z, least = 0;
    double size = 0;
    double *A = rbv_arena_alloc(&t->arena, ((size_t)p * (size_t)p + 1) * sizeof *A);
    if (!A)
        return false;
    memcpy(A, t->condensed, (size_t)p * (size_t)p * sizeof *A);
    bool good = rbv_lapack_eigen(p, A, t->value, t->imaginary, t->vector) == RBV_OK;
    for (int32_t k = 0; good && k < p; k++) {
        size = fmax(size, hypot(t->value[k], t->imaginary[k]));
        least = t->value[k] < t->value[least] ? k : least;
    }
    if (!good)
        return false;
    for (int32_t k = 0; k < p; k++)
        if (fabs(t->imaginary[k]) > RBV_NEUTRAL_PART * size) {
            s->flutter += t->imaginary[k] > 0; /* one of a conjugate pair */
            least = k;
        }
    int32_t near = 0;
    for (int32_t k = 0; k < p; k++) {
        s->falling += t->imaginary[k] == 0 && t->value[k] < -RBV_NEUTRAL_PART * size;
        near = fabs(t->value[k]) < fabs(t->value[near]) ? k : near;
    }
    if (!motion_of_equal(t, near, RBV_NEUTRAL_PART * size, s->nearest))
        return false;
    s->margin = t->z == 0 ? t->value[near] : NAN;
    s->level = fabs(t->value[near]) <= RBV_NEUTRAL_PART * size;
    if (s->flutter && least > 0 && t->imaginary[least] < 0)
        least--; /* of a conjugate pair the first column is the real part of the vector, the second the imaginary part
                  */
    const int32_t pair[] = {least, least + 1};
    if (!(s->flutter ? combine(t, pair, 2, false, s->direction)
                     : motion_of_equal(t, least, RBV_NEUTRAL_PART * size, s->direction)))
        return false;
    s->kind = rbv_neutral_kind(t->value[least], RBV_NEUTRAL_PART * size, &s->edge);
    s->edge = s->edge && !s->flutter;
    s->kind = s->flutter ? RBV_UNSTABLE : s->kind;
    return true;
}

static bool find_dense(Tangent *t, bool has_energy, RbvStability *s) {
    if (!tangent_space(t))
        return false;
    if (t->unsafe)
        return true;
    s->kind = RBV_STABLE;
    if (t->f == 0) /* nothing can move */
        return true;
    if (!allocate_tangent(t))
        return false;
    project_matrix(t, true, t->B);
    if (!split_masses(t) || !condense(t))
        return false;
    if (t->f > t->z && !(has_energy ? verify_symmetric(t, s) : verify_general(t, s)))
        return false;
    s->falling += t->falling;
    if (t->falling || (t->loose && s->kind == RBV_STABLE)) {
        for (int32_t i = 0; i < t->n; i++)
            s->direction[i] = t->odd[i];
        s->kind = t->falling ? RBV_UNSTABLE : RBV_NEUTRAL;
        s->edge = false;
        s->curvature = t->falling ? NAN : 0;
    }
    return true;
}

void rbv_stability_alone(RbvStability *stability) {
    stability->kind = stability->edge ? RBV_UNDECIDED : stability->kind;
}

const char *rbv_stability_doubt(const RbvStability *stability, const RbvBalance *balance, bool plain) {
    return stability->edge ? "the lowest curvature is less than ten times what counts as none"
           : plain && balance->n > RBV_STABILITY_SPARSE ? "the search for the lowest curvature does not converge"
           : balance->n > RBV_STABILITY_MOST
               ? "the mechanism has too many coordinates for loads without an energy, or joints that stand off"
               : "the rank of the constraints is in doubt in this position";
}

const char *rbv_stability_name(const RbvStability *stability) {
    static const char *const names[] = {
        [RBV_STABLE] = "stable", [RBV_NEUTRAL] = "neutral", [RBV_UNSTABLE] = "unstable", [RBV_UNDECIDED] = NULL};
    return names[stability->kind];
}

/* x[n]: a motion of bodies in other coordinates, scaled as steps there. */
static void motion_from_bodies(RbvBalance *bodies, const double *motion, const RbvBalance *b, double *x) {
    const RbvCoordinates *coordinates = &b->system->coordinates;
    coordinates->kind->take_rates(coordinates, rbv_state_at(b->state), rbv_balance_twists(bodies, motion), x);
    for (int32_t j = 0; j < b->n; j++)
        x[j] /= b->scale[j];
}

/* Stability of the bodies at the evaluated state, whatever its coordinates: at an equilibrium the eigenvalues on the
 * tangent of the rows do not depend on coordinates. */
static RbvStatus find_of_bodies(RbvBalance *b, bool has_energy, double position_error, RbvStability *s) {
    RbvState *state = rbv_absolute_state_create(b->state);
    RbvBalance *bodies = state ? rbv_balance_create(state, b->locked) : NULL;
    RbvStability of = {0};
    *s = (RbvStability){.kind = RBV_UNDECIDED, .curvature = NAN, .margin = NAN};
    double *motions = calloc(2 * (size_t)b->n + 1, sizeof *motions);
    RbvStatus status = bodies && motions ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && rbv_balance_evaluate(bodies) && rbv_balance_multipliers(bodies)) {
        bodies->least_kappa = b->least_kappa;
        status = rbv_stability_find(bodies, has_energy, position_error, &of);
        if (status == RBV_OK) {
            *s = of;
            motion_from_bodies(bodies, of.direction, b, motions);
            motion_from_bodies(bodies, of.nearest, b, motions + b->n);
        }
    }
    free(of.direction);
    s->direction = motions;
    s->nearest = motions ? motions + b->n : NULL;
    rbv_balance_destroy(bodies);
    rbv_state_destroy(state);
    return status;
}

RbvStatus rbv_stability_find(RbvBalance *balance, bool has_energy, double position_error, RbvStability *s) {
    if (balance->blocks)
        return find_of_bodies(balance, has_energy, position_error, s);
    Tangent t = {.balance = balance,
                 .n = balance->n,
                 .position_error = position_error,
                 .neutral = fmax(RBV_NEUTRAL_PART, 10 * position_error / balance->reach)};
    *s = (RbvStability){.kind = RBV_UNDECIDED, .curvature = NAN, .margin = NAN};
    s->direction = calloc(2 * (size_t)balance->n + 1, sizeof *s->direction);
    if (!s->direction)
        return RBV_NO_MEMORY;
    s->nearest = s->direction + balance->n;
    has_energy = has_energy && !rbv_has_locked_rows(balance);
    if (has_energy && position_error == 0 && balance->n > RBV_STABILITY_SPARSE)
        return rbv_stability_sparse(balance, s);
    if (balance->n > RBV_STABILITY_MOST)
        return RBV_OK;
    rbv_balance_fill_stiffness(balance);
    bool good = find_dense(&t, has_energy, s);
    release(&t);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* Stability of an equilibrium with one-sided supports. */

/* Multiple of the tolerance of forces: a support with a smaller push is weak. */
#define WEAK_PUSH 10.0

static bool touches(const RbvSupports *s, int32_t k) {
    return s->enabled[k] && (s->closed[k] || fabs(rbv_supports_gap(s, k)) <= RBV_SAME);
}

/* True if the motion, scaled as steps, enters none of the weak supports, or its opposite enters none. */
static bool is_in_cone(const RbvSupports *s, const bool *weak, const double *direction) {
    RbvBalance *b = s->balance;
    double least = 0, most = 0, rate = 0;
    const RbvTwist *twists = rbv_balance_twists(b, direction);
    for (int32_t k = 0; k < s->contacts.count; k++) {
        if (!weak[k])
            continue;
        double gap = rbv_contacts_along(&s->contacts.items[k], b->state, twists);
        least = fmin(least, gap);
        most = fmax(most, gap);
        rate = fmax(rate, fabs(gap));
    }
    rbv_balance_evaluate(b);
    /* Part of the largest gap velocity along a motion: a gap that changes by less stays. */
    return least >= -RBV_SAME * rate || most <= RBV_SAME * rate;
}

/* Closes or opens the weak supports, with multipliers 0. */
static void set_weak(RbvSupports *s, const bool *weak, bool holds) {
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (weak[k])
            rbv_supports_set(s, k, holds);
    rbv_balance_weigh(s->balance);
    rbv_balance_evaluate(s->balance);
}

static int32_t find_weak(const RbvEquilibriumSearch *search, bool *weak) {
    const RbvSupports *s = search->supports;
    double tolerance = WEAK_PUSH * rbv_equilibrium_tolerance((RbvEquilibriumSearch *)search);
    int32_t count = 0;
    for (int32_t k = 0; k < s->contacts.count; k++) {
        weak[k] = touches(s, k) && (!s->closed[k] || rbv_supports_push(s, k) <= tolerance);
        count += weak[k];
    }
    return count;
}

/* For the case that the motions with open weak supports do not decide: stability with all of them closed. */
static RbvStatus decide_held(RbvEquilibriumSearch *search, bool has_energy, const bool *weak, RbvStability *stability) {
    free(stability->direction);
    set_weak(search->supports, weak, true);
    RbvStatus status = rbv_stability_find(search->balance, has_energy, search->position_error, stability);
    if (status == RBV_OK && stability->kind != RBV_UNSTABLE) {
        stability->kind = RBV_UNDECIDED;
        stability->curvature = NAN;
        stability->touches = true;
    }
    return status;
}

RbvStatus rbv_supported_stability(RbvEquilibriumSearch *search, bool has_energy, RbvStability *stability) {
    RbvSupports *s = search->supports;
    bool *weak = s ? calloc((size_t)s->contacts.count + 1, sizeof *weak) : NULL;
    if (!s)
        return rbv_stability_find(search->balance, has_energy, search->position_error, stability);
    if (!weak)
        return RBV_NO_MEMORY;
    int32_t count = find_weak(search, weak);
    if (count > 0)
        set_weak(s, weak, false);
    RbvStatus status = rbv_stability_find(search->balance, has_energy, search->position_error, stability);
    bool falls = status == RBV_OK && (stability->kind == RBV_UNSTABLE || stability->kind == RBV_NEUTRAL);
    if (falls && count > 1 && !is_in_cone(s, weak, stability->direction))
        status = decide_held(search, has_energy, weak, stability);
    else if (count > 0 && !(falls && stability->kind == RBV_UNSTABLE))
        set_weak(s, weak, true);
    free(weak);
    return status;
}
