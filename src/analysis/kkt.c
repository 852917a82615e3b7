/* The one-shot system over the independent rows; see kkt.h. */
#include "analysis/kkt.h"

#include <stdlib.h>
#include <string.h>

struct RbvKkt {
    int32_t n, decisions;
    RbvLu *lu;
    double *values, *b;
    int32_t *from; /* where each value comes from: entry of C (>= 0), or ~coordinate for M */
    int32_t count;
};

/* Rows 0 ... n-1: M, then the columns of C_I^T; rows n ... 2n-1: C_I. */
RbvKkt *rbv_kkt_create(const RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    const RbvSolvability *s = motion->solvability;
    int32_t n = motion->n, nonzeros = 0;
    for (int32_t k = 0; k < n; k++)
        nonzeros += system->start[s->independent[k] + 1] - system->start[s->independent[k]];
    int32_t total = n + 2 * nonzeros;
    RbvKkt *kkt = calloc(1, sizeof *kkt);
    int32_t *start = calloc(2 * (size_t)n + 2, sizeof *start), *index = malloc(((size_t)total + 1) * sizeof *index);
    int32_t *next = malloc(((size_t)n + 1) * sizeof *next);
    if (kkt) {
        kkt->n = n;
        kkt->count = total;
        kkt->decisions = motion->decisions;
        kkt->values = malloc(((size_t)total + 1) * sizeof(double));
        kkt->b = malloc((2 * (size_t)n + 1) * sizeof(double));
        kkt->from = malloc(((size_t)total + 1) * sizeof(int32_t));
    }
    bool good = kkt && start && index && next && kkt->values && kkt->b && kkt->from;
    if (good) {
        for (int32_t j = 0; j < n; j++)
            start[j + 1] = 1;
        for (int32_t k = 0; k < n; k++)
            for (int32_t e = system->start[s->independent[k]]; e < system->start[s->independent[k] + 1]; e++)
                start[system->column[e] + 1]++;
        for (int32_t j = 0; j < n; j++)
            start[j + 1] += start[j];
        for (int32_t j = 0; j < n; j++) {
            index[start[j]] = j;
            kkt->from[start[j]] = ~j;
            next[j] = start[j] + 1;
        }
        int32_t at = start[n];
        for (int32_t k = 0; k < n; k++) {
            for (int32_t e = system->start[s->independent[k]]; e < system->start[s->independent[k] + 1]; e++) {
                int32_t j = system->column[e];
                index[next[j]] = n + k;
                kkt->from[next[j]++] = e;
                index[at] = j;
                kkt->from[at++] = e;
            }
            start[n + k + 1] = at;
        }
        kkt->lu = rbv_lu_create(2 * n, start, index);
        good = kkt->lu != NULL;
    }
    free(start);
    free(index);
    free(next);
    if (!good) {
        rbv_kkt_destroy(kkt);
        return NULL;
    }
    return kkt;
}

void rbv_kkt_destroy(RbvKkt *kkt) {
    if (!kkt)
        return;
    rbv_lu_destroy(kkt->lu);
    free(kkt->values);
    free(kkt->b);
    free(kkt->from);
    free(kkt);
}

bool rbv_kkt_matches(const RbvKkt *kkt, const RbvMotion *motion) {
    return kkt->decisions == motion->decisions;
}

bool rbv_kkt_factor(RbvKkt *kkt, const RbvMotion *motion) {
    for (int32_t k = 0; k < kkt->count; k++)
        kkt->values[k] = kkt->from[k] >= 0 ? motion->state->C[kkt->from[k]] : motion->system->mass[~kkt->from[k]];
    return rbv_lu_factor(kkt->lu, kkt->values);
}

void rbv_kkt_solve(RbvKkt *kkt, const RbvMotion *motion, const double *Q, double *a, double *lambda) {
    int32_t n = kkt->n;
    memcpy(kkt->b, Q, (size_t)n * sizeof *Q);
    for (int32_t k = 0; k < n; k++)
        kkt->b[n + k] = motion->state->gamma[motion->solvability->independent[k]];
    rbv_lu_solve(kkt->lu, kkt->b);
    memcpy(a, kkt->b, (size_t)n * sizeof *a);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < n; k++)
        lambda[motion->solvability->independent[k]] = kkt->b[n + k];
}
