/* Moving the multipliers of one block along its self-stresses; see choice.h.
 *
 * In a block with p self-stresses the unknown is a[p]. Each stage fixes part of it in the subspace Z[p][z] that the stages before left open:
 * elimination E a = -e0, compliance min 1/2 |B a|^2 + g.a over the rows with s > 0, least norm of what remains.
 */
#include "reaction/choice_block.h"

#include "base/diagnostics.h"
#include "solve/lapack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of the orthonormal null space below this is rounding: the multiplier is unique and stays as it is. */
#define NULL_ROUNDING 1e-9
/* Smallest singular value, relative to unit rows, for which eliminated components are independent self-stresses. */
#define ADMISSIBLE 1e-7

/* One redundant block while it is being decided. */
typedef struct Task {
    RbvChoice *choice;
    const RbvState *state;
    const RbvSolvability *s;
    RbvReactions *r;
    int32_t b;
    const RbvBlock *block;
    const RbvBlockRank *rank;
    int32_t p;          /* self-stresses */
    double *a;          /* [p] */
    double *Z;          /* [p][z] orthonormal columns, what is still open */
    int32_t z;
} Task;

/* c N for the multipliers c[count] of an element's rows: out[p]. */
static void on_null(const Task *task, const RbvElement *element, const double *c, double *out) {
    memset(out, 0, (size_t)task->p * sizeof *out);
    for (int32_t k = 0; k < element->row_count; k++) {
        int32_t local = task->s->local[element->first_row + k];
        for (int32_t j = 0; j < task->p && c[k] != 0; j++)
            out[j] += c[k] * rbv_null_entry(task->rank, local, j);
    }
}

static double on_base(const Task *task, const RbvElement *element, const double *c) {
    double sum = 0;
    for (int32_t k = 0; k < element->row_count; k++)
        sum += c[k] * task->choice->base[element->first_row + k];
    return sum;
}

/* Length of c in scaled multipliers, what |c N| is at most. */
static double scaled_length(const Task *task, const RbvElement *element, const double *c) {
    double sum = 0;
    for (int32_t k = 0; k < element->row_count; k++) {
        double value = c[k] / task->rank->row_norm[task->s->local[element->first_row + k]];
        sum += value * value;
    }
    return sqrt(sum);
}

/* Singular values and right singular vectors of A[m][n] row-major: V[n][n] row-major with vectors as columns. Zero for m = 0. */
static bool right_vectors(int32_t m, int32_t n, const double *A, double *sigma, double *V) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            V[i * n + j] = i == j;
    for (int32_t i = 0; i < n; i++)
        sigma[i] = 0;
    if (m == 0 || n == 0)
        return true;
    int32_t rows = m > n ? m : n; /* zero rows make it tall, so that V is whole */
    double *copy = calloc((size_t)rows * (size_t)n, sizeof *copy), *u = malloc((size_t)rows * (size_t)n * sizeof *u);
    double *v = malloc((size_t)n * (size_t)n * sizeof *v);
    bool good = copy && u && v;
    if (good) {
        memcpy(copy, A, (size_t)m * (size_t)n * sizeof *copy);
        good = rbv_lapack_svd('S', n, rows, copy, sigma, v, u) == RBV_OK; /* row-major A is column-major A^T = V S U^T */
        for (int32_t i = 0; good && i < n; i++)
            for (int32_t j = 0; j < n; j++)
                V[i * n + j] = v[j * n + i];
    }
    free(copy);
    free(u);
    free(v);
    return good;
}

/* The rows A[m][p] times Z: out[m][z]. */
static void restrict_rows(const Task *task, int32_t m, const double *A, double *out) {
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < task->z; j++) {
            double sum = 0;
            for (int32_t k = 0; k < task->p; k++)
                sum += A[i * task->p + k] * task->Z[k * task->z + j];
            out[i * task->z + j] = sum;
        }
}

/* Keep in Z only its combinations V[z][z] from column `from` on. */
static bool narrow(Task *task, const double *V, int32_t from) {
    int32_t left = task->z - from;
    double *Z = malloc(((size_t)task->p * (size_t)left + 1) * sizeof *Z);
    if (!Z)
        return false;
    for (int32_t i = 0; i < task->p; i++)
        for (int32_t j = 0; j < left; j++) {
            double sum = 0;
            for (int32_t k = 0; k < task->z; k++)
                sum += task->Z[i * task->z + k] * V[k * task->z + from + j];
            Z[i * left + j] = sum;
        }
    free(task->Z);
    task->Z = Z;
    task->z = left;
    return true;
}

/* a += Z V y. */
static void advance(Task *task, const double *V, int32_t count, const double *y) {
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
    return a->size != b->size ? (a->size < b->size ? 1 : -1) : a->row - b->row;
}

/* y = argmin 1/2 |A y + r|^2 + h.y for A[m][n] of full column rank, row-major: QR with column pivoting on rows sorted by size, which keeps small rows as
 * exact as large ones (compliances differ by powers of ten). h NULL: none. */
static RbvStatus least_squares(int32_t m, int32_t n, const double *A, const double *r, const double *h, double *y) {
    size_t rows = (size_t)m, columns = (size_t)n;
    double *a = malloc(rows * columns * sizeof *a), *b = malloc(rows * sizeof *b), *tau = malloc(columns * sizeof *tau), *w = calloc(columns, sizeof *w);
    Heavy *order = malloc(rows * sizeof *order);
    int32_t *pivot = calloc(columns, sizeof *pivot);
    RbvStatus status = a && b && tau && w && order && pivot ? RBV_OK : RBV_NO_MEMORY;
    for (size_t i = 0; status == RBV_OK && i < rows; i++) {
        order[i] = (Heavy){0, (int32_t)i};
        for (size_t j = 0; j < columns; j++)
            order[i].size = fmax(order[i].size, fabs(A[i * columns + j]));
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
    free(a);
    free(b);
    free(tau);
    free(w);
    free(order);
    free(pivot);
    return status;
}

/* Minimize 1/2 |B a + r|^2 + g.a over what is still open, a + Z x: B[m][p] weighs rows, `plain` are the same rows of order one, and directions that no row of
 * `plain` sees stay open. g[p] NULL: none. */
static RbvStatus minimize(Task *task, int32_t m, const double *plain, const double *B, const double *r, const double *g) {
    int32_t p = task->p, z = task->z, seen = 0, rows = m > z ? m : z; /* zero rows make it tall */
    size_t zz = (size_t)z * (size_t)z, size = (size_t)rows * (size_t)z;
    if (z == 0 || m == 0)
        return RBV_OK;
    double *Az = calloc(size, sizeof *Az), *BZ = calloc(size, sizeof *BZ), *sigma = malloc((size_t)z * sizeof *sigma), *V = malloc(zz * sizeof *V);
    double *left = calloc((size_t)rows, sizeof *left), *h = calloc((size_t)z, sizeof *h), *y = calloc((size_t)z, sizeof *y);
    RbvStatus status = Az && BZ && sigma && V && left && h && y ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        restrict_rows(task, m, plain, Az);
        restrict_rows(task, m, B, BZ);
        status = right_vectors(m, z, Az, sigma, V) ? RBV_OK : RBV_NO_MEMORY;
        while (seen < z && seen < m && sigma[seen] > ADMISSIBLE)
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
        status = least_squares(rows, seen, Az, left, g ? h : NULL, y);
    if (status == RBV_OK) {
        advance(task, V, seen, y);
        status = narrow(task, V, seen) ? RBV_OK : RBV_NO_MEMORY;
    }
    free(Az);
    free(BZ);
    free(sigma);
    free(V);
    free(left);
    free(h);
    free(y);
    return status;
}

/* The functional of a named component on its element's rows; the element. */
static const RbvElement *named_functional(const Task *task, const Named *named, double *c) {
    int32_t row = named->row >= 0 ? named->row : task->choice->system->joint_row[named->joint];
    for (int32_t e = 0; e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        if (row < element->first_row || row >= element->first_row + element->row_count)
            continue;
        memset(c, 0, (size_t)element->row_count * sizeof *c);
        if (named->row >= 0)
            c[row - element->first_row] = -1;
        else if (task->r->held[named->joint][named->component])
            rbv_reactions_functional(task->r, task->state, named->joint, named->component, c);
        return element;
    }
    return NULL;
}

static RbvStatus refuse(const Task *task, RbvDiagnostics *diagnostics, const char *format, const char *names) {
    char text[600];
    snprintf(text, sizeof text, format, names);
    if (!task->choice->started) {
        rbv_diagnose(diagnostics, RBV_ERROR, task->choice->system->model->file, (RbvPosition){0, 0}, "--redundant eliminate: %s", text);
        return RBV_BAD_INPUT;
    }
    rbv_diagnose(diagnostics, RBV_ERROR, task->choice->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s --redundant eliminate: %s; it was admissible before", task->state->t, text);
    return RBV_INCONSISTENT;
}

/* Which components stand against each other: the combination of eliminated rows that is determined. */
static RbvStatus refuse_dependent(const Task *task, RbvDiagnostics *diagnostics, int32_t m, const double *E, const Named **of) {
    char names[400] = "";
    size_t used = 0;
    int32_t p = task->p;
    double *T = calloc((size_t)m * (size_t)p + 1, sizeof *T), *sigma = malloc(((size_t)m + 1) * sizeof *sigma);
    double *V = malloc(((size_t)m * (size_t)m + 1) * sizeof *V);
    if (T && sigma && V) {
        for (int32_t i = 0; i < m; i++)
            for (int32_t j = 0; j < p; j++)
                T[j * m + i] = E[i * p + j];
        bool found = right_vectors(p, m, T, sigma, V);
        for (int32_t i = 0; found && i < m; i++) {
            if (m <= p && fabs(V[i * m + m - 1]) < 1e-6)
                continue;
            int n = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", of[i]->text);
            used = n > 0 && used + (size_t)n < sizeof names ? used + (size_t)n : sizeof names - 1;
        }
    }
    free(T);
    free(sigma);
    free(V);
    return refuse(task, diagnostics, m > p ? "%s are too many: together they are determined, so that they cannot all be zero"
                                           : "%s cannot be taken away together: a combination of them is determined by the model", names);
}

static RbvStatus eliminate(Task *task, RbvDiagnostics *diagnostics) {
    RbvChoice *choice = task->choice;
    int32_t p = task->p, m = 0;
    size_t count = (size_t)choice->eliminated_count;
    double *E = malloc((count * (size_t)p + 1) * sizeof *E), *e0 = malloc((count + 1) * sizeof *e0);
    const Named **of = malloc((count + 1) * sizeof *of);
    double *sigma = malloc(((size_t)p + 1) * sizeof *sigma), *V = malloc(((size_t)p * (size_t)p + 1) * sizeof *V);
    RbvStatus status = E && e0 && of && sigma && V ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < choice->eliminated_count; k++) {
        const Named *named = &choice->eliminated[k];
        const RbvElement *element = named_functional(task, named, choice->c);
        if (!element)
            continue;
        double length = scaled_length(task, element, choice->c), size = 0;
        on_null(task, element, choice->c, E + m * p);
        for (int32_t j = 0; j < p && length > 0; j++) {
            E[m * p + j] /= length;
            size += E[m * p + j] * E[m * p + j];
        }
        if (!(sqrt(size) > ADMISSIBLE)) {
            status = refuse(task, diagnostics, length > 0 ? "%s is determined by the model and cannot be taken away"
                                                          : "%s is no reaction that the joint holds, it is zero anyway", named->text);
            break;
        }
        e0[m] = on_base(task, element, choice->c) / length;
        of[m++] = named;
    }
    if (status == RBV_OK && m > 0) {
        if (!right_vectors(m, p, E, sigma, V))
            status = RBV_NO_MEMORY;
        else if (m > p || !(sigma[m - 1] > ADMISSIBLE))
            status = refuse_dependent(task, diagnostics, m, E, of);
        else
            status = minimize(task, m, E, E, e0, NULL); /* E a = -e0 */
    }
    free(E);
    free(e0);
    free(of);
    free(sigma);
    free(V);
    return status;
}

/* A misfit that stresses a loop of rigid joints has no finite answer: fit[p] = N^T misfit has a part in what is still open. */
static bool is_stuck(const Task *task, const double *fit) {
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

/* Rows of order one and weighted rows of the joints' compliances, and the gradient of their energy at the multipliers before. */
static RbvStatus comply(Task *task, RbvDiagnostics *diagnostics) {
    RbvChoice *choice = task->choice;
    const RbvModel *model = choice->system->model;
    int32_t p = task->p, m = 0;
    size_t most = 6 * (size_t)task->block->element_count + 1;
    double *plain = calloc(most * (size_t)p, sizeof *plain), *B = calloc(most * (size_t)p, sizeof *B);
    double *g = calloc((size_t)p + 1, sizeof *g), *row = malloc(((size_t)p + 1) * sizeof *row), *r = calloc(most, sizeof *r);
    RbvStatus status = plain && B && g && row && r ? RBV_OK : RBV_NO_MEMORY;
    const RbvJoint *misfit_joint = NULL;
    double *fit = calloc((size_t)p + 1, sizeof *fit);
    status = fit ? status : RBV_NO_MEMORY;
    for (int32_t e = 0; status == RBV_OK && e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        if (element->owner != RBV_OWNER_JOINT)
            continue;
        const RbvJoint *joint = &model->joints.items[element->index];
        for (int d = 0; d < 6; d++) {
            double s = choice->compliance[element->index][d], misfit = joint->misfit[d];
            if (s == 0 && misfit == 0)
                continue;
            rbv_reactions_in_frame(task->r, task->state, RBV_FRAME_JOINT, element->index, RBV_FX + d, choice->c);
            double length = scaled_length(task, element, choice->c), reaction = on_base(task, element, choice->c);
            on_null(task, element, choice->c, row);
            if (misfit != 0)
                misfit_joint = joint;
            if (s > 0 && length > 0)
                r[m] = sqrt(s) * reaction;
            for (int32_t j = 0; j < p; j++) {
                g[j] -= row[j] * misfit;
                fit[j] += row[j] * misfit;
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
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the compliances of joints differ by so many powers of ten that their shares cannot be told; 0 is rigid");
    if (status == RBV_OK && misfit_joint && is_stuck(task, fit)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, misfit_joint->where,
                     "the misfit of joint '%s' (and others) stresses a loop of rigid joints: it needs compliances that can give way",
                     misfit_joint->name);
        status = RBV_BAD_INPUT;
    }
    free(plain);
    free(B);
    free(g);
    free(r);
    free(row);
    free(fit);
    return status;
}

/* All directions still open, by least norm. */
static RbvStatus least_norm(Task *task) {
    int32_t p = task->p, m = 6 * task->block->element_count;
    if (task->z == 0)
        return RBV_OK;
    double *B = calloc((size_t)m * (size_t)p + 1, sizeof *B), *r = calloc((size_t)m + 1, sizeof *r), *c = task->choice->c;
    RbvStatus status = B && r ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t e = 0; status == RBV_OK && e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        double wn[6];
        rbv_element_wrench(task->r, task->state, element, task->rank->L, task->choice->base + element->first_row, r + 6 * e);
        for (int32_t j = 0; j < p; j++) {
            for (int32_t k = 0; k < element->row_count; k++)
                c[k] = rbv_null_entry(task->rank, task->s->local[element->first_row + k], j);
            rbv_element_wrench(task->r, task->state, element, task->rank->L, c, wn);
            for (int i = 0; i < 6; i++)
                B[(6 * e + i) * p + j] = wn[i];
        }
    }
    if (status == RBV_OK)
        status = minimize(task, m, B, B, r, NULL);
    free(B);
    free(r);
    return status;
}

/* lambda = base + N a, but for multipliers that no self-stress changes. */
static void move(const Task *task) {
    for (int32_t k = 0; k < task->block->row_count; k++) {
        double size = 0, sum = 0;
        for (int32_t j = 0; j < task->p; j++) {
            double entry = rbv_null_entry(task->rank, k, j);
            size += entry * entry;
            sum += entry * task->a[j];
        }
        int32_t row = task->block->rows[k];
        task->r->lambda[row] = task->choice->base[row] + (sqrt(size) * task->rank->row_norm[k] > NULL_ROUNDING ? sum : 0);
    }
}

/* What compliances leave open, as scaled multipliers: N Z. */
static bool keep_open(const Task *task) {
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

RbvStatus rbv_choice_block(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r, int32_t b,
                           RbvDiagnostics *diagnostics) {
    int32_t p = s->ranks[b].redundant;
    Task task = {choice, state, s, r, b, &s->blocks.blocks[b], &s->ranks[b], p, calloc((size_t)p + 1, sizeof(double)),
                 calloc((size_t)p * (size_t)p + 1, sizeof(double)), p};
    RbvStatus status = task.a && task.Z ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < p; k++)
        task.Z[k * p + k] = 1;
    if (status == RBV_OK && choice->kind == RBV_REDUNDANT_ELIMINATE)
        status = eliminate(&task, diagnostics);
    if (status == RBV_OK && choice->compliant)
        status = comply(&task, diagnostics);
    if (status == RBV_OK && choice->compliant && !keep_open(&task))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = least_norm(&task);
    if (status == RBV_OK)
        move(&task);
    free(task.a);
    free(task.Z);
    return status;
}
