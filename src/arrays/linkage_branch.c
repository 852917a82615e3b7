/* Decides whether a position is on the branch of the last one. Branches meet where C_free loses rank. The determinant
 * of a square C_free changes its sign from one branch to the other, and so does that of each square front. With
 * redundant rows and up to MOST_DENSE free coordinates the determinant of (C_free before)^T C_free is used. Larger
 * linkages with redundant rows are checked only by the bounds of Newton's steps (linkage_go.c). */
#include "arrays/linkage.h"

#include <math.h>
#include <string.h>

#define MOST_DENSE 12

static bool square(const RbvLinkageFront *f) {
    return f->rows == f->pivots && f->children == 0;
}

/* True if C_free before and now are multiplied with each other. */
static bool is_dense(const RbvLinkage *linkage) {
    return linkage->rows > linkage->free_count && linkage->free_count <= MOST_DENSE;
}

void rbv_linkage_keep_branch(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memcpy(w->kept_signs, w->signs, (size_t)linkage->front_count * sizeof *w->signs);
    w->kept_odd = w->odd;
    if (is_dense(linkage))
        memcpy(w->kept_C, w->C, (size_t)linkage->value_count * sizeof *w->C);
}

/* Is the determinant of G[n][n] positive? By elimination with the largest pivot of each column; G is overwritten. */
static bool positive(double G[MOST_DENSE][MOST_DENSE], int32_t n) {
    bool sign = true;
    for (int32_t k = 0; k < n; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(G[i][k]) > fabs(G[best][k]))
                best = i;
        for (int32_t j = k; best != k && j < n; j++) {
            double x = G[k][j];
            G[k][j] = G[best][j], G[best][j] = x;
        }
        sign = sign == ((best == k) == (G[k][k] > 0));
        if (G[k][k] == 0)
            return false;
        for (int32_t i = k + 1; i < n; i++) {
            double factor = G[i][k] / G[k][k];
            for (int32_t j = k + 1; j < n; j++)
                G[i][j] -= factor * G[k][j];
        }
    }
    return sign;
}

static bool dense_alike(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    double G[MOST_DENSE][MOST_DENSE] = {{0}};
    for (int32_t k = 0; k < linkage->block_count; k++) {
        const RbvLinkageBlock *b = linkage->block + k;
        for (int32_t i = 0; i < b->entries; i++)
            for (int32_t j = 0; j < b->entries; j++) {
                int32_t one = linkage->entry[b->entry + i].free, two = linkage->entry[b->entry + j].free;
                const double *before = w->kept_C + b->values + (ptrdiff_t)b->rows * i,
                             *now = w->C + b->values + (ptrdiff_t)b->rows * j;
                for (int32_t row = 0; one >= 0 && two >= 0 && row < b->rows; row++)
                    G[one][two] += before[row] * now[row];
            }
    }
    return positive(G, linkage->free_count);
}

bool rbv_linkage_same_branch(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < linkage->front_count; k++)
        if (square(linkage->front + k) && w->signs[k] != w->kept_signs[k])
            return false;
    if (linkage->rows == linkage->free_count)
        return w->odd == w->kept_odd;
    return !is_dense(linkage) || dense_alike(linkage, w);
}
