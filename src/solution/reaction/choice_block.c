/* Moves the multipliers of one redundant block along its self-stresses: elimination, compliance, least norm of what
 * remains.
 *
 * In a block with p self-stresses N the unknown is a[p], lambda + N a. Each stage fixes part of a in the subspace
 * Z[p][z] that earlier stages left open:
 *
 *   elimination   c_E.(lambda + N a) = 0 for the components named; admissible when c_E N has full rank
 *   compliance    N^T (s R - misfit) = 0, R the joints' reactions in their own axes, s their compliances
 *   least norm    min sum |F|^2 + |T|^2/L^2 over lambda + N a */
#include "solution/reaction/choice_block.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/lapack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One redundant block while its multipliers are chosen. */
typedef struct ChoiceTask {
    RbvArena arena; /* memory of everything here and of the stages, given back at the end */
    RbvChoice *choice;
    const RbvState *state;
    const RbvSolvability *s;
    RbvReactions *r;
    int32_t b;
    const RbvBlock *block;
    const RbvBlockRank *rank;
    int32_t p; /* number of self-stresses */
    double *a; /* [p] coefficients of the self-stresses */
    double *Z; /* [p][z] orthonormal columns: directions still open */
    int32_t z;
} ChoiceTask;

/* Quadratic functions of the self-stresses over the directions still open. */

/* For a functional c on the multipliers of an element's rows: c N into out[p]. */
static void reaction_on_null(const ChoiceTask *task, const RbvElement *element, const double *c, double *out) {
    memset(out, 0, (size_t)task->p * sizeof *out);
    for (int32_t k = 0; k < element->row_count; k++) {
        int32_t local = task->s->local[element->first_row + k];
        for (int32_t j = 0; j < task->p && c[k] != 0; j++)
            out[j] += c[k] * rbv_null_entry(task->rank, local, j);
    }
}

/* Value of the functional c for the multipliers before the choice. */
static double reaction_on_base(const ChoiceTask *task, const RbvElement *element, const double *c) {
    double sum = 0;
    for (int32_t k = 0; k < element->row_count; k++)
        sum += c[k] * task->choice->base[element->first_row + k];
    return sum;
}

/* Length of the functional c in scaled multipliers, an upper bound of |c N|. */
static double reaction_length(const ChoiceTask *task, const RbvElement *element, const double *c) {
    double sum = 0;
    for (int32_t k = 0; k < element->row_count; k++) {
        double value = c[k] / task->rank->row_norm[task->s->local[element->first_row + k]];
        sum += value * value;
    }
    return sqrt(sum);
}

/* Singular values and right singular vectors of A[m][n] row-major: sigma[n], V[n][n] row-major with vectors as
 * columns. For m = 0: sigma 0 and V the identity. False: no memory, or LAPACK failed. */
static bool right_vectors(RbvArena *arena, int32_t m, int32_t n, const double *A, double *sigma, double *V) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            V[i * n + j] = i == j;
    for (int32_t i = 0; i < n; i++)
        sigma[i] = 0;
    if (m == 0 || n == 0)
        return true;
    int32_t rows = m > n ? m : n; /* zero rows make the matrix tall, so that V is complete */
    double *copy = rbv_arena_array(arena, (size_t)rows * (size_t)n, sizeof *copy),
           *u = rbv_arena_array(arena, (size_t)rows * (size_t)n, sizeof *u),
           *v = rbv_arena_array(arena, (size_t)n * (size_t)n, sizeof *v);
    bool good = copy && u && v;
    if (good) {
        memcpy(copy, A, (size_t)m * (size_t)n * sizeof *copy);
        good =
            rbv_lapack_svd('S', n, rows, copy, sigma, v, u) == RBV_OK; /* row-major A is column-major A^T = V S U^T */
        for (int32_t i = 0; good && i < n; i++)
            for (int32_t j = 0; j < n; j++)
                V[i * n + j] = v[j * n + i];
    }
    return good;
}

/* A[m][p] Z into out[m][z]. */
static void restrict_rows(const ChoiceTask *task, int32_t m, const double *A, double *out) {
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < task->z; j++) {
            double sum = 0;
            for (int32_t k = 0; k < task->p; k++)
                sum += A[i * task->p + k] * task->Z[k * task->z + j];
            out[i * task->z + j] = sum;
        }
}

/* Replaces Z by Z V[:, from ...], V[z][z]. False: no memory. */
static bool narrow(ChoiceTask *task, const double *V, int32_t from) {
    int32_t left = task->z - from;
    double *Z = rbv_arena_array(&task->arena, (size_t)task->p * (size_t)left + 1, sizeof *Z);
    if (!Z)
        return false;
    for (int32_t i = 0; i < task->p; i++)
        for (int32_t j = 0; j < left; j++) {
            double sum = 0;
            for (int32_t k = 0; k < task->z; k++)
                sum += task->Z[i * task->z + k] * V[k * task->z + from + j];
            Z[i * left + j] = sum;
        }
    task->Z = Z;
    task->z = left;
    return true;
}

/* a += Z V y, y[count]. */
static void advance(ChoiceTask *task, const double *V, int32_t count, const double *y) {
    for (int32_t i = 0; i < task->p; i++)
        for (int32_t k = 0; k < task->z; k++)
            for (int32_t j = 0; j < count; j++)
                task->a[i] += task->Z[i * task->z + k] * V[k * task->z + j] * y[j];
}

typedef struct Heavy {
    double size;
    int32_t row;
} Heavy;

static int heaviest_first(const void *x, const void *y) {
    const Heavy *a = x, *b = y;
    if (a->size != b->size)
        return a->size < b->size ? 1 : -1;
    return a->row - b->row;
}

/* y = argmin 1/2 |A y + r|^2 + h.y for A[m][n] of full column rank, row-major: QR with column pivoting on rows sorted
 * by size, which keeps small rows as exact as large ones (compliances differ by powers of ten). h NULL: none. */
static RbvStatus least_squares(RbvArena *arena, int32_t m, int32_t n, const double *A, const double *r, const double *h,
                               double *y) {
    size_t rows = (size_t)m, columns = (size_t)n;
    double *a = rbv_arena_array(arena, rows * columns, sizeof *a), *b = rbv_arena_array(arena, rows, sizeof *b),
           *tau = rbv_arena_array(arena, columns, sizeof *tau), *w = rbv_arena_array(arena, columns, sizeof *w);
    Heavy *order = rbv_arena_array(arena, rows, sizeof *order);
    int32_t *pivot = rbv_arena_array(arena, columns, sizeof *pivot);
    RbvStatus status = a && b && tau && w && order && pivot ? RBV_OK : RBV_NO_MEMORY;
    for (size_t i = 0; status == RBV_OK && i < rows; i++) {
        order[i] = (Heavy){0, (int32_t)i};
        for (size_t j = 0; j < columns; j++)
            order[i].size = rbv_max(order[i].size, fabs(A[i * columns + j]));
    }
    if (status == RBV_OK) {
        qsort(order, rows, sizeof *order, heaviest_first);
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < columns; j++)
                a[j * rows + i] = A[(size_t)order[i].row * columns + j];
            b[i] = -r[order[i].row];
        }
        status = rbv_lapack_qr_pivoted(m, n, a, pivot, tau);
        if (status == RBV_OK)
            status = rbv_lapack_apply_q_transposed(m, n, a, tau, b);
        bool good = status == RBV_OK;
        for (size_t j = 0; good && j < columns; j++)
            good = fabs(a[j * rows + j]) > 0 && isfinite(a[j * rows + j]);
        /* R^T R y = R^T b - h: w = R^-T h */
        for (size_t j = 0; good && h && j < columns; j++) {
            double sum = h[pivot[j] - 1];
            for (size_t k = 0; k < j; k++)
                sum -= a[j * rows + k] * w[k];
            w[j] = sum / a[j * rows + j];
        }
        for (size_t j = columns; good && j-- > 0;) {
            double sum = b[j] - w[j];
            for (size_t k = j + 1; k < columns; k++)
                sum -= a[k * rows + j] * y[pivot[k] - 1];
            y[pivot[j] - 1] = sum / a[j * rows + j];
        }
        status = good || status != RBV_OK ? status : RBV_NOT_FINITE;
    }
    return status;
}

/* Minimizes 1/2 |B a + r|^2 + g.a over the directions still open, and removes those it fixes from Z. B[m][p]:
 * weighted rows; plain[m][p]: the rows scaled to order one, directions that none of them sees stay open; r[m]; g[p]
 * or NULL: none. NO_MEMORY; NOT_FINITE: the weights differ by too many powers of ten. The open directions are
 * a + Z x; V separates those that `plain` sees from the others. */
static RbvStatus minimize(ChoiceTask *task, int32_t m, const double *plain, const double *B, const double *r,
                          const double *g) {
    int32_t p = task->p, z = task->z, seen = 0, rows = m > z ? m : z; /* zero rows make the matrix tall */
    size_t zz = (size_t)z * (size_t)z, size = (size_t)rows * (size_t)z;
    if (z == 0 || m == 0)
        return RBV_OK;
    RbvArena *arena = &task->arena;
    double *Az = rbv_arena_array(arena, size, sizeof *Az), *BZ = rbv_arena_array(arena, size, sizeof *BZ),
           *sigma = rbv_arena_array(arena, (size_t)z, sizeof *sigma), *V = rbv_arena_array(arena, zz, sizeof *V),
           *left = rbv_arena_array(arena, (size_t)rows, sizeof *left),
           *h = rbv_arena_array(arena, (size_t)z, sizeof *h), *y = rbv_arena_array(arena, (size_t)z, sizeof *y);
    RbvStatus status = Az && BZ && sigma && V && left && h && y ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        restrict_rows(task, m, plain, Az);
        restrict_rows(task, m, B, BZ);
        status = right_vectors(arena, m, z, Az, sigma, V) ? RBV_OK : RBV_NO_MEMORY;
        /* Smallest singular value, relative to rows of unit length, for which eliminated components are independent
         * self-stresses. */
        while (seen < z && seen < m && sigma[seen] > RBV_BALANCED)
            seen++;
    }
    if (status == RBV_OK)
        memset(Az, 0, size * sizeof *Az);
    for (int32_t i = 0; status == RBV_OK && i < m; i++) {
        left[i] = r[i];
        for (int32_t k = 0; k < p; k++)
            left[i] += B[i * p + k] * task->a[k];
        for (int32_t j = 0; j < seen; j++)
            for (int32_t k = 0; k < z; k++)
                Az[i * seen + j] += BZ[i * z + k] * V[k * z + j];
    }
    for (int32_t j = 0; status == RBV_OK && g && j < seen; j++)
        for (int32_t i = 0; i < p; i++)
            for (int32_t k = 0; k < z; k++)
                h[j] += g[i] * task->Z[i * z + k] * V[k * z + j];
    if (status == RBV_OK && seen > 0)
        status = least_squares(arena, rows, seen, Az, left, g ? h : NULL, y);
    if (status == RBV_OK) {
        advance(task, V, seen, y);
        status = narrow(task, V, seen) ? RBV_OK : RBV_NO_MEMORY;
    }
    return status;
}

/* Elimination: components named become zero. */

/* Coefficients c of a named component on its element's rows; returns the element, NULL: not in this block. */
static const RbvElement *named_functional(const ChoiceTask *task, const Named *named, double *c) {
    int32_t row = named->row >= 0 ? named->row : task->choice->system->joint_row[named->joint];
    for (int32_t e = 0; e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        if (row < element->first_row || row >= element->first_row + element->row_count)
            continue;
        memset(c, 0, (size_t)element->row_count * sizeof *c);
        if (named->row >= 0)
            c[row - element->first_row] = -1;
        else if (rbv_component_in(task->r->possible[named->joint], named->component))
            rbv_reactions_functional(task->r, task->state, named->joint, named->component, c);
        return element;
    }
    return NULL;
}

static RbvStatus refuse(const ChoiceTask *task, RbvDiagnostics *diagnostics, const char *format, const char *names) {
    char text[600];
    snprintf(text, sizeof text, format, names);
    if (!task->choice->started) {
        rbv_diagnose(diagnostics, RBV_ERROR, task->choice->system->model->file, (RbvPosition){0, 0},
                     RBV_OPTION_REACTIONS_ELIMINATED ": %s", text);
        return RBV_BAD_INPUT;
    }
    rbv_diagnose(diagnostics, RBV_ERROR, task->choice->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s " RBV_OPTION_REACTIONS_ELIMINATED ": %s; it was admissible before", task->state->t,
                 text);
    return RBV_INCONSISTENT;
}

/* Reports the components whose eliminated rows are dependent: a combination of them is determined. */
static RbvStatus refuse_dependent(ChoiceTask *task, RbvDiagnostics *diagnostics, int32_t m, const double *E,
                                  const Named **of) {
    char names[400] = "";
    size_t used = 0;
    int32_t p = task->p;
    double *T = rbv_arena_array(&task->arena, (size_t)m * (size_t)p + 1, sizeof *T),
           *sigma = rbv_arena_array(&task->arena, (size_t)m + 1, sizeof *sigma),
           *V = rbv_arena_array(&task->arena, (size_t)m * (size_t)m + 1, sizeof *V);
    if (T && sigma && V) {
        for (int32_t i = 0; i < m; i++)
            for (int32_t j = 0; j < p; j++)
                T[j * m + i] = E[i * p + j];
        bool found = right_vectors(&task->arena, p, m, T, sigma, V);
        for (int32_t i = 0; found && i < m; i++) {
            if (m <= p && fabs(V[i * m + m - 1]) < 1e-6)
                continue;
            int n = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", of[i]->text);
            used = n > 0 && used + (size_t)n < sizeof names ? used + (size_t)n : sizeof names - 1;
        }
    }
    return refuse(task, diagnostics,
                  m > p ? "%s are too many: together they are determined, so that they cannot all be zero"
                        : "%s cannot be taken away together: a combination of them is determined by the model",
                  names);
}

/* Elimination: E a = -e0. BAD_INPUT, INCONSISTENT: reported. NO_MEMORY. */
static RbvStatus eliminate(ChoiceTask *task, RbvDiagnostics *diagnostics) {
    RbvChoice *choice = task->choice;
    int32_t p = task->p, m = 0;
    size_t count = (size_t)choice->eliminated_count;
    RbvArena *arena = &task->arena;
    double *E = rbv_arena_array(arena, count * (size_t)p + 1, sizeof *E),
           *e0 = rbv_arena_array(arena, count + 1, sizeof *e0),
           *sigma = rbv_arena_array(arena, (size_t)p + 1, sizeof *sigma),
           *V = rbv_arena_array(arena, (size_t)p * (size_t)p + 1, sizeof *V);
    const Named **of = rbv_arena_array(arena, count + 1, sizeof *of);
    RbvStatus status = E && e0 && of && sigma && V ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < choice->eliminated_count; k++) {
        const Named *named = &choice->eliminated[k];
        const RbvElement *element = named_functional(task, named, choice->c);
        if (!element)
            continue;
        double length = reaction_length(task, element, choice->c), size = 0;
        reaction_on_null(task, element, choice->c, E + m * p);
        for (int32_t j = 0; j < p && length > 0; j++) {
            E[m * p + j] /= length;
            size += E[m * p + j] * E[m * p + j];
        }
        if (!(sqrt(size) > RBV_BALANCED)) {
            status = refuse(task, diagnostics,
                            length > 0 ? "%s is determined by the model and cannot be taken away"
                                       : "%s is no reaction that the joint holds, it is zero anyway",
                            named->text);
            break;
        }
        e0[m] = reaction_on_base(task, element, choice->c) / length;
        of[m++] = named;
    }
    if (status == RBV_OK && m > 0) {
        if (!right_vectors(arena, m, p, E, sigma, V))
            status = RBV_NO_MEMORY;
        else if (m > p || !(sigma[m - 1] > RBV_BALANCED))
            status = refuse_dependent(task, diagnostics, m, E, of);
        else
            status = minimize(task, m, E, E, e0, NULL); /* E a = -e0 */
    }
    return status;
}

/* Compliance. */

/* Does a misfit stress a loop of rigid joints, so that reactions have no finite value? fit[p] = N^T misfit then has
 * a part in the directions still open. */
static bool is_stuck(const ChoiceTask *task, const double *fit) {
    double stuck = 0, size = 0;
    for (int32_t j = 0; j < task->z; j++) {
        double part = 0;
        for (int32_t k = 0; k < task->p; k++)
            part += fit[k] * task->Z[k * task->z + j];
        stuck += part * part;
    }
    for (int32_t k = 0; k < task->p; k++)
        size += fit[k] * fit[k];
    return stuck > 1e-14 * size && size > 0;
}

/* [m, rad] Misfit of a joint in direction d. */
static double misfit_of(const RbvChoice *choice, int32_t joint, int d) {
    return choice->deviating[0] < 0 ? rbv_joint_loose(&choice->system->model->joints.items[joint])->misfit[d]
                                    : joint == choice->deviating[0] && d == choice->deviating[1];
}

/* Compliance: rows of order one and weighted rows of the joints' compliances, and the gradient of the energy of the
 * misfits. BAD_INPUT, NOT_FINITE: reported. NO_MEMORY. */
static RbvStatus comply(ChoiceTask *task, RbvDiagnostics *diagnostics) {
    RbvChoice *choice = task->choice;
    const RbvModel *model = choice->system->model;
    int32_t p = task->p, m = 0;
    size_t most = 6 * (size_t)task->block->element_count + 1;
    double *plain = rbv_arena_array(&task->arena, (2 * most + 3) * (size_t)p + most, sizeof *plain),
           *B = plain + most * (size_t)p;
    double *g = B + most * (size_t)p, *row = g + p, *fit = row + p, *r = fit + p;
    RbvStatus status = plain ? RBV_OK : RBV_NO_MEMORY;
    const RbvJoint *misfit_joint = NULL;
    for (int32_t e = 0; status == RBV_OK && e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        if (element->owner != RBV_OWNER_JOINT)
            continue;
        const RbvJoint *joint = &model->joints.items[element->index];
        for (int d = 0; d < 6; d++) {
            double s = choice->compliant ? choice->compliance[element->index][d] : 0,
                   misfit = misfit_of(choice, element->index, d);
            if (s == 0 && misfit == 0)
                continue;
            rbv_reactions_in_frame(task->r, task->state, RBV_FRAME_JOINT, element->index, RBV_FX + d, choice->c);
            double length = reaction_length(task, element, choice->c),
                   reaction = reaction_on_base(task, element, choice->c);
            reaction_on_null(task, element, choice->c, row);
            if (misfit != 0)
                misfit_joint = joint;
            if (s > 0 && length > 0)
                r[m] = sqrt(s) * reaction;
            for (int32_t j = 0; j < p; j++) {
                g[j] -= row[j] * misfit;
                fit[j] += fabs(row[j]) > RBV_CANCELLED * length ? row[j] * misfit : 0;
                if (s > 0 && length > 0) {
                    plain[m * p + j] = row[j] / length;
                    B[m * p + j] = row[j] * sqrt(s);
                }
            }
            m += s > 0 && length > 0;
        }
    }
    if (status == RBV_OK)
        status = minimize(task, m, plain, B, r, g);
    if (status == RBV_NOT_FINITE)
        rbv_diagnose(
            diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
            "the compliances of joints differ by so many powers of ten that their shares cannot be told; 0 is rigid");
    if (status == RBV_OK && misfit_joint && is_stuck(task, fit)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, misfit_joint->where,
                     "the misfit of joint '%s' (and others) stresses a loop of rigid joints: it needs compliances that "
                     "can give way",
                     misfit_joint->name);
        status = RBV_BAD_INPUT;
    }
    return status;
}

/* Least norm alone, without memory of its own: where nothing is eliminated and no joint gives way. */

/* Cholesky solution of the small symmetric positive A[p][p] x = b in place; where a pivot vanishes, the unknown is
 * 0. */
static void solve_small(double *A, double *b, int32_t p) {
    for (int32_t k = 0; k < p; k++) {
        double pivot = A[k * p + k];
        for (int32_t j = 0; j < k; j++)
            pivot -= A[k * p + j] * A[k * p + j];
        double root = pivot > 1e-24 ? sqrt(pivot) : 0;
        A[k * p + k] = root;
        for (int32_t i = k + 1; i < p; i++) {
            double sum = A[i * p + k];
            for (int32_t j = 0; j < k; j++)
                sum -= A[i * p + j] * A[k * p + j];
            A[i * p + k] = root > 0 ? sum / root : 0;
        }
    }
    for (int32_t k = 0; k < p; k++) {
        double sum = b[k];
        for (int32_t j = 0; j < k; j++)
            sum -= A[k * p + j] * b[j];
        b[k] = A[k * p + k] > 0 ? sum / A[k * p + k] : 0;
    }
    for (int32_t k = p - 1; k >= 0; k--) {
        double sum = b[k];
        for (int32_t i = k + 1; i < p; i++)
            sum -= A[i * p + k] * b[i];
        b[k] = A[k * p + k] > 0 ? sum / A[k * p + k] : 0;
    }
}

/* Mean of the marker points of a constraint's coordinates. */
static RbvVec3 mean_point(const RbvState *state, const RbvRow *row) {
    const RbvSystem *system = state->system;
    RbvVec3 sum = {0, 0, 0};
    for (int32_t n = row->first; n < row->first + row->count; n++)
        for (int side = 0; side < 2; side++)
            sum = rbv_add(sum,
                          state->markers[system->model->measures.items[system->terms[n].measure].marker[side]].point);
    return rbv_scale(row->count > 0 ? 0.5 / row->count : 0, sum);
}

/* Weight of a constraint among bodies: root of half the sum of |F|^2 + |T|^2/L^2 over the bodies, T about one point;
 * for two bodies this is the size of the wrench between them. */
static double constraint_weight(const RbvState *state, int32_t k, double L) {
    const RbvSystem *system = state->system;
    const RbvBodyColumns *bodies = &system->bodies;
    RbvVec3 about = mean_point(state, &system->rows[k]);
    double sum = 0;
    int32_t body = 1;
    for (int32_t e = system->D.start[k], next; e < system->D.start[k + 1]; e = next) {
        while (system->D.column[e] < bodies->start[body])
            body--;
        while (system->D.column[e] >= bodies->start[body + 1])
            body++;
        next = e + rbv_bodies_columns(bodies, body);
        double x[6] = {0, 0, 0, 0, 0, 0};
        for (int32_t c = e; c < next; c++)
            x[rbv_bodies_direction(bodies, c - e)] = state->D[c];
        RbvVec3 F = {x[0], x[1], x[2]}, T = {x[3], x[4], x[5]};
        T = rbv_bodies_turns(bodies, body) ? rbv_add(T, rbv_cross(rbv_sub(state->bodies[body].r, about), F)) : T;
        T = bodies->spatial ? T : rbv_vec3(0, 0, T.z);
        sum += rbv_dot(F, F) + rbv_dot(T, T) / (L * L);
    }
    return sqrt(0.5 * sum);
}

/* Wrench W c of an element for multipliers c of its rows: force [N] and torque/L [N] at the second marker; of a gear,
 * belt, rack or cam's contact its force, wherever its markers are; of a constraint its weight times c. */
static void element_wrench(const RbvReactions *r, const RbvState *state, const RbvElement *element, double L,
                           const double *c, double w[6]) {
    memset(w, 0, 6 * sizeof *w);
    if (element->owner == RBV_OWNER_CONSTRAINT) {
        w[0] = c[0] * constraint_weight(state, element->first_row, L);
        return;
    }
    const RbvFormTraits *form = element->owner == RBV_OWNER_JOINT
                                    ? &rbv_forms[r->system->model->joints.items[element->index].form]
                                    : &rbv_forms[RBV_FORM_LOCKS];
    bool contact = form->contact_force && element->row_count == 1;
    if (form->wheels || contact) {
        w[0] = c[0] * (contact ? rbv_norm(rbv_reactions_unit(r, element->first_row).force) : 1);
        return;
    }
    for (int32_t k = 0; k < element->row_count; k++) {
        const RbvWrench unit = rbv_reactions_unit(r, element->first_row + k);
        w[0] += c[k] * unit.force.x;
        w[1] += c[k] * unit.force.y;
        w[2] += c[k] * unit.force.z;
        w[3] += c[k] * unit.torque.x / L;
        w[4] += c[k] * unit.torque.y / L;
        w[5] += c[k] * unit.torque.z / L;
    }
}

void rbv_least_norm_matrix(const RbvReactions *r, const RbvState *state, const RbvSolvability *s, int32_t b, double L,
                           const double *lambda, double *A, double *right, double *wn) {
    const RbvBlock *block = &s->blocks.blocks[b];
    const RbvBlockRank *rank = &s->ranks[b];
    int32_t p = rank->redundant;
    memset(A, 0, (size_t)p * (size_t)p * sizeof *A);
    memset(right, 0, (size_t)p * sizeof *right);
    for (int32_t n = 0; n < block->element_count; n++) {
        const RbvElement *element = &s->blocks.elements[block->elements[n]];
        double w[6];
        element_wrench(r, state, element, L, lambda + element->first_row, w);
        for (int32_t c = 0; c < p; c++) {
            for (int32_t k = 0; k < element->row_count; k++) {
                int32_t local = s->local[element->first_row + k];
                r->scratch[k] = rbv_null_entry(rank, local, c);
            }
            element_wrench(r, state, element, L, r->scratch, wn + 6 * c);
            for (int i = 0; i < 6; i++)
                right[c] += wn[6 * c + i] * w[i];
            for (int32_t d = 0; d <= c; d++)
                for (int i = 0; i < 6; i++)
                    A[c * p + d] += wn[6 * c + i] * wn[6 * d + i];
        }
    }
}

bool rbv_least_norm_block(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                          int32_t b) {
    const RbvBlock *block = &s->blocks.blocks[b];
    const RbvBlockRank *rank = &s->ranks[b];
    int32_t p = rank->redundant;
    size_t need = (size_t)p * (size_t)p + 7 * (size_t)p + 8;
    if (need > choice->small_size) {
        double *grown = realloc(choice->small, need * sizeof *grown);
        if (!grown)
            return false;
        choice->small = grown;
        choice->small_size = need;
    }
    double *A = choice->small, *right = A + (size_t)p * (size_t)p;
    rbv_least_norm_matrix(r, state, s, b, choice->length > 0 ? choice->length : rank->L, r->lambda, A, right,
                          right + p);
    solve_small(A, right, p);
    for (int32_t k = 0; k < block->row_count; k++) {
        double size = 0, sum = 0;
        for (int32_t c = 0; c < p; c++) {
            double entry = rbv_null_entry(rank, k, c);
            size += entry * entry;
            sum += entry * right[c];
        }
        /* A row of the orthonormal null space with a norm below this is rounding: its multiplier is unique and stays
         * unchanged. */
        if (sqrt(size) * rank->row_norm[k] > RBV_CANCELLED)
            r->lambda[block->rows[k]] -= sum;
    }
    return true;
}

/* One block: elimination, compliance, then least norm of what they leave open. */

/* Fixes all directions still open by least norm. */
static RbvStatus least_norm(ChoiceTask *task) {
    int32_t p = task->p, m = 6 * task->block->element_count;
    double L = task->choice->length > 0 ? task->choice->length : task->rank->L;
    if (task->z == 0)
        return RBV_OK;
    double *B = rbv_arena_array(&task->arena, (size_t)m * (size_t)p + 1, sizeof *B),
           *r = rbv_arena_array(&task->arena, (size_t)m + 1, sizeof *r), *c = task->choice->c;
    RbvStatus status = B && r ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t e = 0; status == RBV_OK && e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        double wn[6];
        element_wrench(task->r, task->state, element, L, task->choice->base + element->first_row, r + 6 * e);
        for (int32_t j = 0; j < p; j++) {
            for (int32_t k = 0; k < element->row_count; k++)
                c[k] = rbv_null_entry(task->rank, task->s->local[element->first_row + k], j);
            element_wrench(task->r, task->state, element, L, c, wn);
            for (int i = 0; i < 6; i++)
                B[(6 * e + i) * p + j] = wn[i];
        }
    }
    if (status == RBV_OK)
        status = minimize(task, m, B, B, r, NULL);
    return status;
}

/* lambda = base + N a, except for multipliers that no self-stress changes. */
static void move_multipliers(const ChoiceTask *task) {
    for (int32_t k = 0; k < task->block->row_count; k++) {
        double size = 0, sum = 0;
        for (int32_t j = 0; j < task->p; j++) {
            double entry = rbv_null_entry(task->rank, k, j);
            size += entry * entry;
            sum += entry * task->a[j];
        }
        int32_t row = task->block->rows[k];
        task->r->lambda[row] =
            task->choice->base[row] + (sqrt(size) * task->rank->row_norm[k] > RBV_CANCELLED ? sum : 0);
    }
}

/* Keeps the directions that compliances leave open, in scaled multipliers: N Z. False: no memory. */
static bool keep_open(const ChoiceTask *task) {
    BlockChoice *kept = &task->choice->blocks[task->b];
    free(kept->open);
    kept->z = task->z;
    kept->open = calloc((size_t)task->block->row_count * (size_t)task->z + 1, sizeof *kept->open);
    for (int32_t k = 0; kept->open && k < task->block->row_count; k++)
        for (int32_t i = 0; i < task->z; i++)
            for (int32_t j = 0; j < task->p; j++)
                kept->open[k * task->z + i] += rbv_null_entry(task->rank, k, j) * task->Z[j * task->z + i];
    return kept->open != NULL;
}

/* Block b before any choice: a = 0, all directions open. False: no memory; the arena is to be cleared all the same. */
static bool begin_task(ChoiceTask *task, RbvChoice *choice, const RbvState *state, const RbvSolvability *s,
                       RbvReactions *r, int32_t b) {
    int32_t p = s->ranks[b].redundant;
    *task = (ChoiceTask){.choice = choice,
                         .state = state,
                         .s = s,
                         .r = r,
                         .b = b,
                         .block = &s->blocks.blocks[b],
                         .rank = &s->ranks[b],
                         .p = p,
                         .z = p};
    task->a = rbv_arena_array(&task->arena, (size_t)p + 1, sizeof *task->a);
    task->Z = rbv_arena_array(&task->arena, (size_t)p * (size_t)p + 1, sizeof *task->Z);
    for (int32_t k = 0; task->a && task->Z && k < p; k++)
        task->Z[k * p + k] = 1;
    return task->a && task->Z;
}

RbvStatus rbv_choice_block(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                           int32_t b, RbvDiagnostics *diagnostics) {
    ChoiceTask task;
    RbvStatus status = begin_task(&task, choice, state, s, r, b) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && choice->kind == RBV_REDUNDANT_ELIMINATE)
        status = eliminate(&task, diagnostics);
    if (status == RBV_OK && choice->compliant)
        status = comply(&task, diagnostics);
    if (status == RBV_OK && choice->compliant && !keep_open(&task))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = least_norm(&task);
    if (status == RBV_OK)
        move_multipliers(&task);
    rbv_arena_clear(&task.arena);
    return status;
}

RbvStatus rbv_choice_deviate(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                             int32_t joint, int direction, bool *unbounded) {
    int32_t first = choice->system->joint_row[joint], b = -1;
    *unbounded = false;
    if (first < choice->system->joint_row[joint + 1] && rbv_solvability_holds(s, first))
        b = rbv_solvability_block(s, first);
    if (b < 0 || !rbv_has_null(&s->ranks[b]))
        return RBV_OK;
    ChoiceTask task;
    RbvStatus status = begin_task(&task, choice, state, s, r, b) ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; k < task.block->row_count; k++)
        choice->base[task.block->rows[k]] = 0;
    choice->deviating[0] = joint;
    choice->deviating[1] = direction;
    if (status == RBV_OK)
        status = comply(&task, NULL);
    choice->deviating[0] = -1;
    *unbounded = status == RBV_BAD_INPUT;
    if (status == RBV_OK)
        move_multipliers(&task);
    rbv_arena_clear(&task.arena);
    return *unbounded ? RBV_OK : status;
}
