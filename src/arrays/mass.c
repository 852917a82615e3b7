/* Masses of links: the mass of a body in the link's axes, and lumped masses.
 *
 * A mass on the axis of a turning link moves like one fixed in the parent at the same point: all efforts are the same
 * if it is added to the parent (including that of the link itself, on whose axis it lies). Of a distribution along z
 * only the moments 1, z, z^2 act on other bodies: so m, h_z and S_zz of each turning link may be transferred to its
 * parent, and are zero then, which saves their products. All of a fixed link may be transferred. A mass transferred to
 * the ground is dropped. (W. Khalil, E. Dombre: Modeling, Identification and Control of Robots, 2002, chapter 9: base
 * parameters.) Reactions change. */
#include "arrays/tree.h"

#include <string.h>

static RbvMat3 mat3(const double A[9]) {
    return (RbvMat3){{{A[0], A[3], A[6]}, {A[1], A[4], A[7]}, {A[2], A[5], A[8]}}};
}
static RbvMat3 symmetric(const double S[6]) {
    return (RbvMat3){{{S[0], S[1], S[2]}, {S[1], S[3], S[4]}, {S[2], S[4], S[5]}}};
}
static RbvMat3 transposed(const RbvMat3 *A) {
    return (RbvMat3){{{A->column[0].x, A->column[1].x, A->column[2].x},
                      {A->column[0].y, A->column[1].y, A->column[2].y},
                      {A->column[0].z, A->column[1].z, A->column[2].z}}};
}
/* A B A^T. */
static RbvMat3 turned(const RbvMat3 *A, const RbvMat3 *B) {
    RbvMat3 T = transposed(A);
    T = rbv_mat3_product(B, &T);
    return rbv_mat3_product(A, &T);
}
/* S += k (a b^T + b a^T) / 2. */
static void add_dyad(double S[6], double k, RbvVec3 a, RbvVec3 b) {
    S[0] += k * a.x * b.x, S[3] += k * a.y * b.y, S[5] += k * a.z * b.z;
    S[1] += k * 0.5 * (a.x * b.y + a.y * b.x), S[2] += k * 0.5 * (a.x * b.z + a.z * b.x),
        S[4] += k * 0.5 * (a.y * b.z + a.z * b.y);
}

void rbv_tree_fold_mass(RbvTree *tree, int32_t body) {
    const RbvTreeBody *b = tree->body + body;
    RbvTreeMass *mass = tree->mass + tree->last[body];
    RbvMat3 A = mat3(tree->axes[body]), T = transposed(&A);
    const double I[6] = {b->inertia[0], b->inertia[3], b->inertia[4], b->inertia[1], b->inertia[5], b->inertia[2]};
    RbvMat3 J = symmetric(I);
    RbvVec3 c = rbv_apply(&T, rbv_vec3(b->centre[0], b->centre[1], b->centre[2]));
    J = turned(&T, &J);
    /* second moments about the centre of mass: half the trace minus the inertia; about the origin: + m c c^T */
    double half = 0.5 * (J.column[0].x + J.column[1].y + J.column[2].z), m = b->mass;
    const double S[6] = {half - J.column[0].x, -J.column[1].x, -J.column[2].x,
                         half - J.column[1].y, -J.column[2].y, half - J.column[2].z};
    *mass = (RbvTreeMass){m, {m * c.x, m * c.y, m * c.z}, {0}};
    memcpy(mass->S, S, sizeof S);
    add_dyad(mass->S, m, c, c);
    tree->link[tree->last[body]].massless = m == 0 && half == 0 && I[1] == 0 && I[2] == 0 && I[4] == 0;
}

/* Add moments m, h, S of a link to the parent's moments: r = p + R rho. */
static void add_to_parent(RbvTreeMass *parent, const RbvTreeLink *j, const RbvTreeMass *moved) {
    RbvMat3 R = mat3(j->R), S = symmetric(moved->S);
    RbvVec3 p = {j->p[0], j->p[1], j->p[2]}, h = rbv_apply(&R, rbv_vec3(moved->h[0], moved->h[1], moved->h[2]));
    S = turned(&R, &S);
    parent->m += moved->m;
    parent->h[0] += moved->m * p.x + h.x, parent->h[1] += moved->m * p.y + h.y, parent->h[2] += moved->m * p.z + h.z;
    add_dyad(parent->S, moved->m, p, p);
    add_dyad(parent->S, 2, p, h);
    const double own[6] = {S.column[0].x, S.column[1].x, S.column[2].x, S.column[1].y, S.column[2].y, S.column[2].z};
    for (int e = 0; e < 6; e++)
        parent->S[e] += own[e];
}

void rbv_tree_lump_masses(RbvTree *tree) {
    for (int32_t k = 0; k < tree->link_count; k++)
        tree->lumped[k] = tree->mass[k];
    for (int32_t k = tree->link_count - 1; k >= 0; k--) {
        const RbvTreeLink *j = tree->link + k;
        RbvTreeMass *own = tree->lumped + k, moved = {0};
        if (j->kind == RBV_LINK_TURN) {
            moved.m = own->m, moved.h[2] = own->h[2], moved.S[5] = own->S[5];
            own->m = own->h[2] = own->S[5] = 0;
        } else if (j->kind == RBV_LINK_FIXED) {
            moved = *own;
            *own = (RbvTreeMass){0};
        }
        if (j->parent >= 0)
            add_to_parent(tree->lumped + j->parent, j, &moved);
    }
}
