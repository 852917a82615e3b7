/* Reactions of least norm in one block: min sum |F|^2 + |T|^2/L^2 over lambda + N a. Allocates only when the redundancy
 * grows. */
#include "solution/reaction/choice_block.h"

#include <stdlib.h>
#include <string.h>

/* A row of the orthonormal null space with a norm below this is rounding: its multiplier is unique and stays
 * unchanged. */
#define NULL_ROUNDING 1e-12

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
static RbvVec3 place_of(const RbvState *state, const RbvRow *row) {
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
    RbvVec3 about = place_of(state, &system->rows[k]);
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

/* Wrench W c of an element: force and torque/L at the second marker for multipliers c of its rows; of a gear, belt,
 * rack or cam's contact its force, wherever its markers are; of a constraint its weight times c. */
void rbv_element_wrench(const RbvReactions *r, const RbvState *state, const RbvElement *element, double L,
                        const double *c, double w[6]) {
    memset(w, 0, 6 * sizeof *w);
    if (element->owner == RBV_OWNER_CONSTRAINT) {
        w[0] = c[0] * constraint_weight(state, element->first_row, L);
        return;
    }
    RbvJointForm form =
        element->owner == RBV_OWNER_JOINT ? r->system->model->joints.items[element->index].form : RBV_FORM_LOCKS;
    bool contact = form == RBV_FORM_RACK || (form == RBV_FORM_CAM && element->row_count == 1);
    if (form == RBV_FORM_GEAR || form == RBV_FORM_BELT || contact) {
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
        rbv_element_wrench(r, state, element, L, lambda + element->first_row, w);
        for (int32_t c = 0; c < p; c++) {
            for (int32_t k = 0; k < element->row_count; k++) {
                int32_t local = s->local[element->first_row + k];
                r->scratch[k] = rbv_null_entry(rank, local, c);
            }
            rbv_element_wrench(r, state, element, L, r->scratch, wn + 6 * c);
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
        if (sqrt(size) * rank->row_norm[k] > NULL_ROUNDING)
            r->lambda[block->rows[k]] -= sum;
    }
    return true;
}
