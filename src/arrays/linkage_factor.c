/* Factors C_free = Q R, front by front (linkage_fronts.c), by Householder reflections. The pivots of a front are taken
 * in the order of their remaining lengths (P. Businger, G. H. Golub 1965): one factorization gives rank, least squares
 * and least norm. Rows of a front that are left over pass to its parent, in the columns of the others; of more rows
 * than columns only their triangle passes. */
#include "arrays/linkage.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

static double squares(const double *u, int32_t from, int32_t to) {
    double sum = 0;
    for (int32_t k = from; k < to; k++)
        sum += u[k] * u[k];
    return sum;
}

/* u -= scale h (h . u), for entries from `at` on. */
static void reflect(const double *h, double scale, int32_t at, int32_t rows, double *u) {
    double sum = 0;
    for (int32_t k = at; k < rows; k++)
        sum += h[k] * u[k];
    sum *= scale;
    for (int32_t k = at; k < rows; k++)
        u[k] -= sum * h[k];
}

/* Columns of a front: from its blocks, and from the rows left over by its children. */
static void assemble(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageFront *f) {
    double *QR = w->QR + f->QR;
    memset(QR, 0, (size_t)f->rows * (size_t)(f->pivots + f->others) * sizeof *QR);
    for (int32_t k = f->block; k < f->block + f->blocks; k++) {
        const RbvLinkageBlock *b = linkage->block + linkage->front_block[k];
        const double *from = w->C + b->values;
        for (int32_t e = b->entry; e < b->entry + b->entries; e++, from += b->rows) {
            if (linkage->entry[e].free < 0)
                continue;
            double *to = QR + (ptrdiff_t)f->rows * linkage->entry[e].column + b->front_row;
            for (int32_t row = 0; row < b->rows; row++)
                to[row] = from[row];
        }
    }
    for (int32_t k = f->child; k < f->child + f->children; k++) {
        const RbvLinkageFront *c = linkage->front + linkage->front_child[k];
        bool triangle = c->rows - c->pivots > c->others;
        for (int32_t e = 0; e < c->others; e++) {
            const double *from = w->QR + c->QR + (ptrdiff_t)c->rows * (c->pivots + e) + c->pivots;
            double *to = QR + (ptrdiff_t)f->rows * linkage->front_place[c->place + e] + c->row;
            for (int32_t row = 0; row < (triangle ? e : c->left); row++)
                to[row] = from[row];
            if (triangle)
                to[e] = w->diagonal[c->diagonal + c->pivots + e];
        }
    }
}

static void swap_columns(double *a, double *b, int32_t rows) {
    for (int32_t k = 0; k < rows; k++) {
        double x = a[k];
        a[k] = b[k], b[k] = x;
    }
}

/* Reflect column k of a front to its diagonal entry; `length`: norm of its entries from row k on. Returns true if
 * either the determinant of the reflection is -1 or the diagonal entry is negative, but not both. */
static bool reflect_column(double *h, int32_t k, int32_t rows, double length, double *diagonal, double *scale) {
    double head = h[k], alpha = head > 0 ? -length : length;
    if (k == rows - 1 || length == 0) {
        *diagonal = length == 0 ? 0 : head, *scale = 0;
        return head < 0;
    }
    h[k] = head - alpha;
    *diagonal = alpha;
    *scale = 1 / (length * (length + fabs(head)));
    return alpha > 0;
}

/* Eliminate the pivots of a front; then, if more rows than other columns are left, reflect these columns. False: a
 * pivot column is dependent. */
static bool eliminate_front(RbvLinkageWorkspace *w, const RbvLinkageFront *f, double *least, bool *odd) {
    int32_t rows = f->rows, columns = f->pivots + f->others;
    double *QR = w->QR + f->QR, *diagonal = w->diagonal + f->diagonal, *scale = w->scale + f->diagonal;
    int32_t *order = w->order + f->diagonal;
    for (int32_t k = 0; k < f->steps; k++) {
        double *h = QR + (ptrdiff_t)rows * k, most = k < rows ? squares(h, k, rows) : 0;
        for (int32_t e = k + 1, at = k; e < f->pivots && k < rows; e++) {
            double length = squares(QR + (ptrdiff_t)rows * e, k, rows);
            if (!(length > most))
                continue;
            most = length;
            swap_columns(h, QR + (ptrdiff_t)rows * e, rows); /* the longest remaining column is at k now */
            int32_t keep = order[at];
            order[at] = order[e], order[e] = keep;
            *odd = !*odd;
        }
        double length = sqrt(most);
        /* Relative length of a column, after removal of its components along the other columns, below which the column
         * counts as dependent: far above rounding, far below the effects in a real machine. */
        if (*least < 0)
            *least = RBV_DATA * length;
        if (k < f->pivots && !(length > *least))
            return false;
        if (reflect_column(h, k, rows, length, diagonal + k, scale + k))
            *odd = !*odd;
        for (int32_t e = k + 1; e < columns && k < f->reflections; e++)
            reflect(h, scale[k], k, rows, QR + (ptrdiff_t)rows * e);
    }
    return true;
}

/* --- fronts of two rows and two pivots, at a third of the instructions: planar loops of most machines --- */

static bool factor_pair(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageFront *f, double *least,
                        bool *odd) {
    const RbvLinkageBlock *b = linkage->block + linkage->front_block[f->block];
    const double *column[2] = {NULL, NULL}, *C = w->C + b->values;
    for (const RbvLinkageEntry *e = linkage->entry + b->entry, *end = e + b->entries; e < end; e++, C += 2)
        if (e->free >= 0)
            column[e->column] = C;
    double one = squares(column[0], 0, 2), two = squares(column[1], 0, 2);
    bool second = two > one; /* pivot order: the longer column first */
    const double *u = column[second], *v = column[!second];
    double length = sqrt(second ? two : one), *h = w->QR + f->QR, *diagonal = w->diagonal + f->diagonal;
    double alpha = u[0] > 0 ? -length : length, scale = 1 / (length * (length + fabs(u[0]))), head = u[0] - alpha,
           sum = scale * (head * v[0] + u[1] * v[1]), tail = v[1] - sum * u[1];
    h[0] = head, h[1] = u[1], h[2] = v[0] - sum * head;
    diagonal[0] = alpha, diagonal[1] = tail;
    w->scale[f->diagonal] = scale;
    if (second) {
        int32_t *order = w->order + f->diagonal, keep = order[0];
        order[0] = order[1], order[1] = keep;
    }
    *odd = second != ((alpha > 0) != (tail < 0));
    if (*least < 0)
        *least = RBV_DATA * length;
    return length > *least && fabs(tail) > *least;
}
static void solve_pair(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageFront *f) {
    const double *h = w->QR + f->QR, *diagonal = w->diagonal + f->diagonal,
                 *y = w->right + linkage->block[linkage->front_block[f->block]].row;
    const int32_t *order = w->order + f->diagonal;
    double sum = w->scale[f->diagonal] * (h[0] * y[0] + h[1] * y[1]), x = (y[1] - sum * h[1]) / diagonal[1];
    w->x[order[1]] = x;
    w->x[order[0]] = (y[0] - sum * h[0] - h[2] * x) / diagonal[0];
}
static void solve_pair_transposed(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageFront *f) {
    const double *h = w->QR + f->QR, *diagonal = w->diagonal + f->diagonal;
    const int32_t *order = w->order + f->diagonal;
    double z = w->x[order[0]] / diagonal[0], u = (w->x[order[1]] - h[2] * z) / diagonal[1],
           sum = w->scale[f->diagonal] * (h[0] * z + h[1] * u);
    double *lambda = w->lambda + linkage->block[linkage->front_block[f->block]].row;
    lambda[0] = z - sum * h[0], lambda[1] = u - sum * h[1];
}

/* --- all fronts --- */

/* Length of the longest column of all blocks; -1: a single front finds it itself. */
static double longest(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    if (linkage->front_count == 1)
        return -1;
    double most = 0;
    for (int32_t k = 0; k < linkage->block_count; k++) {
        const RbvLinkageBlock *b = linkage->block + k;
        for (int32_t e = 0; e < b->entries; e++)
            if (linkage->entry[b->entry + e].free >= 0)
                most = fmax(most, squares(w->C + b->values + (ptrdiff_t)b->rows * e, 0, b->rows));
    }
    return sqrt(most);
}

bool rbv_linkage_factor(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    double least = longest(linkage, w);
    if (least > 0)
        least *= RBV_DATA;
    w->odd = false;
    for (int32_t k = 0; k < linkage->front_count; k++) {
        const RbvLinkageFront *f = linkage->front + k;
        bool odd = false;
        for (int32_t e = 0; e < f->pivots; e++)
            w->order[f->diagonal + e] = linkage->front_column[f->column + e];
        if (!f->pair)
            assemble(linkage, w, f);
        if (!(f->pair ? factor_pair(linkage, w, f, &least, &odd) : eliminate_front(w, f, &least, &odd)))
            return false;
        w->signs[k] = odd;
        w->odd = w->odd != odd;
    }
    return true;
}

/* y of a front: its rows, and the rows left over by its children; then reflected. */
static void gather_right(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageFront *f) {
    double *y = w->y + f->y;
    for (int32_t k = f->block; k < f->block + f->blocks; k++) {
        const RbvLinkageBlock *b = linkage->block + linkage->front_block[k];
        for (int32_t row = 0; row < b->rows; row++)
            y[b->front_row + row] = w->right[b->row + row];
    }
    for (int32_t k = f->child; k < f->child + f->children; k++) {
        const RbvLinkageFront *c = linkage->front + linkage->front_child[k];
        for (int32_t row = 0; row < c->left; row++)
            y[c->row + row] = w->y[c->y + c->pivots + row];
    }
}

/* x of a front's pivots from y = R x. */
static void substitute(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageFront *f) {
    const double *R = w->QR + f->QR, *diagonal = w->diagonal + f->diagonal;
    const int32_t *order = w->order + f->diagonal, *column = linkage->front_column + f->column;
    int32_t n = f->pivots, rows = f->rows;
    double *y = w->y + f->y;
    for (int32_t e = n; e < n + f->others; e++) {
        double x = w->x[column[e]];
        for (int32_t k = 0; k < n; k++)
            y[k] -= R[(ptrdiff_t)rows * e + k] * x;
    }
    for (int32_t e = n - 1; e >= 0; e--) { /* column by column */
        const double *r = R + (ptrdiff_t)rows * e;
        double x = y[e] / diagonal[e];
        w->x[order[e]] = x;
        for (int32_t k = 0; k < e; k++)
            y[k] -= r[k] * x;
    }
}

double rbv_linkage_solve(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    double rest = 0;
    for (const RbvLinkageFront *f = linkage->front, *end = f + linkage->front_count; f < end; f++) {
        const double *h = w->QR + f->QR, *scale = w->scale + f->diagonal;
        double *y = w->y + f->y;
        if (f->pair)
            continue;
        gather_right(linkage, w, f);
        for (int32_t k = 0; k < f->reflections; k++, h += f->rows)
            reflect(h, scale[k], k, f->rows, y);
        if (f->pivots + f->left < f->rows)
            rest += squares(y, f->pivots + f->left, f->rows);
    }
    for (int32_t i = linkage->front_count - 1; i >= 0; i--)
        if (linkage->front[i].pair)
            solve_pair(linkage, w, linkage->front + i);
        else
            substitute(linkage, w, linkage->front + i);
    return rest > 0 ? sqrt(rest) : 0;
}

/* Apply the reflections of a front in reverse; its rows go to lambda, the rows of its children to their y. */
static void turn_back(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageFront *f) {
    const double *scale = w->scale + f->diagonal;
    double *y = w->y + f->y;
    for (int32_t k = f->reflections - 1; k >= 0; k--)
        reflect(w->QR + f->QR + (ptrdiff_t)f->rows * k, scale[k], k, f->rows, y);
    for (int32_t k = f->block; k < f->block + f->blocks; k++) {
        const RbvLinkageBlock *b = linkage->block + linkage->front_block[k];
        for (int32_t row = 0; row < b->rows; row++)
            w->lambda[b->row + row] = y[b->front_row + row];
    }
    for (int32_t k = f->child; k < f->child + f->children; k++) {
        const RbvLinkageFront *c = linkage->front + linkage->front_child[k];
        for (int32_t row = 0; row < c->left; row++)
            w->y[c->y + c->pivots + row] = y[c->row + row];
    }
}

/* z of a front's pivots from R^T z = x, and subtract its contribution from the other columns. */
static void substitute_transposed(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageFront *f) {
    const double *R = w->QR + f->QR;
    double *z = w->y + f->y;
    for (int32_t k = 0; k < f->pivots; k++) {
        double sum = w->x[w->order[f->diagonal + k]];
        for (int32_t e = 0; e < k; e++)
            sum -= R[(ptrdiff_t)f->rows * k + e] * z[e];
        z[k] = sum / w->diagonal[f->diagonal + k];
    }
    for (int32_t e = f->pivots; e < f->pivots + f->others; e++)
        for (int32_t k = 0; k < f->pivots; k++)
            w->x[linkage->front_column[f->column + e]] -= R[(ptrdiff_t)f->rows * e + k] * z[k];
    for (int32_t k = f->pivots; k < f->rows; k++)
        z[k] = 0;
}

void rbv_linkage_solve_transposed(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    for (const RbvLinkageFront *f = linkage->front, *end = f + linkage->front_count; f < end; f++)
        if (f->pair)
            solve_pair_transposed(linkage, w, f);
        else
            substitute_transposed(linkage, w, f);
    for (int32_t i = linkage->front_count - 1; i >= 0; i--)
        if (!linkage->front[i].pair)
            turn_back(linkage, w, linkage->front + i);
}

void rbv_linkage_null(const RbvLinkage *linkage, RbvLinkageWorkspace *w, int32_t index) {
    memset(w->y, 0, (size_t)linkage->y_count * sizeof *w->y);
    memset(w->lambda, 0, (size_t)w->rows * sizeof *w->lambda);
    for (int32_t i = 0; i < linkage->front_count;
         i++) { /* zero rows of fronts, which span the null space of C_free^T */
        const RbvLinkageFront *f = linkage->front + i;
        int32_t kept = f->pivots + f->left;
        if (index < f->rows - kept) {
            w->y[f->y + kept + index] = 1;
            break;
        }
        index -= f->rows - kept;
    }
    for (int32_t i = linkage->front_count - 1; i >= 0; i--)
        turn_back(linkage, w, linkage->front + i);
}
