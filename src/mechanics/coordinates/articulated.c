/* The articulated-body method; see articulated.h. Vectors have d = 3 numbers in the plane (x, y, about z) and 6 in
 * space; matrices are stored by rows. */
#include "mechanics/coordinates/articulated.h"

#include "core/linalg/small.h"
#include "mechanics/coordinates/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With fewer coordinates M is small whatever the tree. */
#define LEAST 24
/* Entries of M per coordinate above which M is not computed. */
#define MANY 24

/* A body and its tree joint; parents stand before their children. */
typedef struct Link {
    int32_t body, parent; /* parent: index of its link; -1: ground */
    int32_t column, count;
    bool turns, parent_turns;
    RbvVec3 shift;   /* [m] from the parent's P to this P */
    double *S, *U;   /* [count][d] S and U of articulated.h */
    double *inverse; /* [count][count] D^-1 */
    double *I;       /* [d][d] I_A about P */
} Link;

struct RbvArticulated {
    const RbvCoordinates *coordinates;
    int32_t count; /* number of links */
    int d;
    Link *links;
    double *values;   /* storage of the links' arrays */
    double *p, *a;    /* [links][d] of a solution */
    double *diagonal; /* [size] of D */
};

/* Lower bound of the number of entries of M: each coordinate with itself, and twice with one coordinate of each tree
 * joint nearer to ground. */
static double entries_of_mass(const RbvJointTree *tree, int32_t bodies) {
    double sum = 0;
    for (int32_t b = 1; b < bodies; b++)
        sum += (tree->tree_joints[b].slides + tree->tree_joints[b].turns) * (2.0 * tree->tree_joints[b].depth - 1);
    return sum;
}

static bool lay_out(RbvArticulated *t) {
    const RbvCoordinates *c = t->coordinates;
    const RbvJointTree *tree = rbv_joint_tree_of(c);
    const size_t d = (size_t)t->d;
    size_t room = 1;
    int32_t *link_of = malloc((size_t)c->bodies->count * sizeof *link_of);
    for (int32_t b = 1; b < c->bodies->count; b++) {
        size_t k = (size_t)(tree->tree_joints[b].slides + tree->tree_joints[b].turns);
        room += d * d + 2 * d * k + k * k;
    }
    t->values = malloc(room * sizeof *t->values);
    double *next = t->values;
    for (int32_t n = 1; link_of && next && n < c->bodies->count; n++) {
        int32_t b = tree->order[n];
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        Link *link = &t->links[t->count];
        link_of[b] = t->count++;
        *link = (Link){.body = b,
                       .parent = tree_joint->parent > 0 ? link_of[tree_joint->parent] : -1,
                       .column = tree_joint->column,
                       .count = tree_joint->slides + tree_joint->turns,
                       .turns = rbv_bodies_turns(c->bodies, b),
                       .parent_turns = tree_joint->parent > 0 && rbv_bodies_turns(c->bodies, tree_joint->parent)};
        size_t k = (size_t)link->count;
        link->I = next, next += d * d;
        link->S = next, next += d * k;
        link->U = next, next += d * k;
        link->inverse = next, next += k * k;
    }
    free(link_of);
    return link_of && t->values;
}

bool rbv_articulated_fits(const RbvCoordinates *coordinates) {
    if (coordinates->kind != &rbv_joint_coordinates || coordinates->size < LEAST ||
        coordinates->model->generalized.count > 0)
        return false;
    return entries_of_mass(rbv_joint_tree_of(coordinates), coordinates->bodies->count) >
           (double)MANY * coordinates->size;
}

RbvArticulated *rbv_articulated_create(const RbvCoordinates *coordinates, bool *fits) {
    const size_t bodies = (size_t)coordinates->bodies->count;
    *fits = rbv_articulated_fits(coordinates);
    RbvArticulated *t = *fits ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL;
    t->coordinates = coordinates;
    t->d = coordinates->bodies->spatial ? 6 : 3;
    t->links = calloc(bodies, sizeof *t->links);
    t->p = malloc(bodies * (size_t)t->d * sizeof *t->p);
    t->a = malloc(bodies * (size_t)t->d * sizeof *t->a);
    t->diagonal = malloc(((size_t)coordinates->size + 1) * sizeof *t->diagonal);
    if (t->links && t->p && t->a && t->diagonal && lay_out(t))
        return t;
    rbv_articulated_destroy(t);
    return NULL;
}

void rbv_articulated_destroy(RbvArticulated *t) {
    if (!t)
        return;
    free(t->links);
    free(t->values);
    free(t->p);
    free(t->a);
    free(t->diagonal);
    free(t);
}

static void store(RbvVec3 v, double *to) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

/* I = inertia of the body about P: m (a + alpha x c), and c x that + J alpha, for unit values of (a, alpha). */
static void inertia_of(const RbvArticulated *t, const Link *link, RbvVec3 c, const RbvMat3 *A) {
    const RbvBody *body = &t->coordinates->model->bodies.items[link->body];
    const int d = t->d;
    double m = body->mass, *I = link->I;
    memset(I, 0, (size_t)(d * d) * sizeof *I);
    for (int k = 0; k < (d == 3 ? 2 : 3); k++)
        I[k * d + k] = m;
    if (!link->turns)
        return;
    if (d == 3) {
        I[2] = I[6] = -m * c.y;
        I[5] = I[7] = m * c.x;
        I[8] = body->inertia[2] + m * (c.x * c.x + c.y * c.y);
        return;
    }
    for (int k = 0; k < 3; k++) {
        RbvVec3 e = rbv_mat3_identity().column[k], F = rbv_scale(m, rbv_cross(e, c)),
                T = rbv_add(rbv_body_momentum(body, A, e), rbv_cross(c, F));
        const double force[3] = {F.x, F.y, F.z}, torque[3] = {T.x, T.y, T.z};
        for (int i = 0; i < 3; i++) {
            I[i * 6 + 3 + k] = I[(3 + k) * 6 + i] = force[i];
            I[(3 + i) * 6 + 3 + k] = torque[i];
        }
    }
}

/* Computes directions, arms and inertias at the positions in `at`. */
static void take_place(RbvArticulated *t, RbvPosed at) {
    const RbvJointTree *tree = rbv_joint_tree_of(t->coordinates);
    for (int32_t n = 0; n < t->count; n++) {
        Link *link = &t->links[n];
        RbvTreeJointFrame own = at.prepared ? ((const RbvTreeJointFrame *)at.prepared)[link->body]
                                            : rbv_tree_joint_frame(t->coordinates, link->body, at.bodies);
        const RbvTreeJointFrame *parent = link->parent >= 0 && at.prepared
                                              ? (const RbvTreeJointFrame *)at.prepared + t->links[link->parent].body
                                              : NULL;
        RbvTreeJointFrame made;
        if (link->parent >= 0 && !parent) {
            made = rbv_tree_joint_frame(t->coordinates, t->links[link->parent].body, at.bodies);
            parent = &made;
        }
        link->shift = parent ? rbv_add(parent->from_point, own.from_parent) : rbv_vec3(0, 0, 0);
        for (int k = 0; k < link->count; k++) {
            double *S = link->S + k * t->d, direction[3];
            store(rbv_scale(tree->tree_joints[link->body].sign, own.direction[k]), direction);
            memset(S, 0, (size_t)t->d * sizeof *S);
            if (t->d == 3 && k >= own.slides)
                S[2] = direction[2];
            else
                memcpy(S + 3 * (k >= own.slides), direction, (size_t)(t->d == 3 ? 2 : 3) * sizeof *S);
            for (int i = 0; own.lead != 0 && i < 3; i++) /* a screw, in space only */
                S[i] = own.lead * direction[i];
        }
        inertia_of(t, link, own.from_point, &at.bodies[link->body].A);
    }
}

/* inverse[k][k] of D by Cholesky factors, k <= 6. False: D is not positive definite. */
static bool invert(int k, const double *D, double *inverse) {
    double L[36];
    for (int j = 0; j < k; j++)
        for (int i = j; i < k; i++) {
            double sum = D[i * k + j];
            for (int p = 0; p < j; p++)
                sum -= L[i * k + p] * L[j * k + p];
            if (i == j && !(sum > 0))
                return false;
            L[i * k + j] = i == j ? sqrt(sum) : sum / L[j * k + j];
        }
    for (int c = 0; c < k; c++) {
        double x[6] = {0};
        for (int i = 0; i < k; i++) {
            double sum = i == c;
            for (int p = 0; p < i; p++)
                sum -= L[i * k + p] * x[p];
            x[i] = sum / L[i * k + i];
        }
        for (int i = k - 1; i >= 0; i--) {
            double sum = x[i];
            for (int p = i + 1; p < k; p++)
                sum -= L[p * k + i] * x[p];
            inverse[i * k + c] = x[i] = sum / L[i * k + i];
        }
    }
    return true;
}

/* U, D and D^-1 of a link; I_A is replaced by I_A - U D^-1 U^T. */
RBV_UNROLLED bool project(RbvArticulated *t, Link *link, const int d) {
    const int k = link->count;
    double D[36];
    for (int j = 0; j < k; j++) {
        for (int i = 0; i < d; i++) {
            double sum = 0;
            for (int p = 0; p < d; p++)
                sum += link->I[i * d + p] * link->S[j * d + p];
            link->U[j * d + i] = sum;
        }
        for (int i = 0; i < k; i++) {
            D[i * k + j] = 0;
            for (int p = 0; p < d; p++)
                D[i * k + j] += link->S[i * d + p] * link->U[j * d + p];
        }
        t->diagonal[link->column + j] = D[j * k + j];
    }
    if (!invert(k, D, link->inverse))
        return false;
    for (int j = 0; j < k; j++)
        for (int i = 0; i < d; i++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += link->inverse[j * k + p] * link->U[p * d + i];
            for (int p = 0; p < d; p++)
                link->I[i * d + p] -= sum * link->U[j * d + p];
        }
    return true;
}

/* to = X x: acceleration at the parent's P to acceleration at this P. */
RBV_UNROLLED void outward(const Link *link, const double *x, double *to, const int d) {
    RbvVec3 s = link->shift;
    for (int i = 0; i < d; i++)
        to[i] = x[i];
    if (d == 3) {
        to[0] -= x[2] * s.y;
        to[1] += x[2] * s.x;
        return;
    }
    to[0] += x[4] * s.z - x[5] * s.y;
    to[1] += x[5] * s.x - x[3] * s.z;
    to[2] += x[3] * s.y - x[4] * s.x;
}

/* to += X^T x: wrench at this P to wrench at the parent's P. */
RBV_UNROLLED void inward(const Link *link, const double *x, double *to, const int d) {
    RbvVec3 s = link->shift;
    for (int i = 0; i < d; i++)
        to[i] += x[i];
    if (d == 3) {
        to[2] += s.x * x[1] - s.y * x[0];
        return;
    }
    to[3] += s.y * x[2] - s.z * x[1];
    to[4] += s.z * x[0] - s.x * x[2];
    to[5] += s.x * x[1] - s.y * x[0];
}

/* The parent's I_A += X^T I_A X; if the parent does not turn, only its translational part. */
RBV_UNROLLED void hand_on(const RbvArticulated *t, const Link *link, const int d) {
    double half[36];
    double *to = t->links[link->parent].I;
    /* Column i of I_A X is I_A X e_i; as I_A is symmetric, rows of half are X^T times columns. */
    for (int i = 0; i < d; i++) {
        double column[6] = {0};
        inward(link, link->I + i * d, column, d);
        for (int p = 0; p < d; p++)
            half[p * d + i] = column[p];
    }
    for (int i = 0; i < d; i++) {
        double row[6] = {0};
        inward(link, half + i * d, row, d);
        for (int p = 0; p < d; p++)
            to[i * d + p] += row[p];
    }
    for (int i = d == 3 ? 2 : 3; !link->parent_turns && i < d; i++)
        for (int p = 0; p < d; p++)
            to[i * d + p] = to[p * d + i] = 0;
}

RBV_UNROLLED bool factor(RbvArticulated *t, const int d) {
    for (int32_t n = t->count - 1; n >= 0; n--) {
        Link *link = &t->links[n];
        if (!project(t, link, d))
            return false;
        if (link->parent >= 0)
            hand_on(t, link, d);
    }
    return true;
}

bool rbv_articulated_factor(RbvArticulated *t, RbvPosed at) {
    take_place(t, at);
    return t->d == 3 ? factor(t, 3) : factor(t, 6);
}

/* Inward sweep: u = f - S^T p, in place of x. */
RBV_UNROLLED void gather(RbvArticulated *t, double *x, const int d) {
    memset(t->p, 0, (size_t)t->count * (size_t)d * sizeof *t->p);
    for (int32_t n = t->count - 1; n >= 0; n--) {
        const Link *link = &t->links[n];
        const int k = link->count;
        double *p = t->p + (size_t)n * (size_t)d, *u = x + link->column;
        for (int j = 0; j < k; j++)
            for (int i = 0; i < d; i++)
                u[j] -= link->S[j * d + i] * p[i];
        if (link->parent < 0)
            continue;
        for (int j = 0; j < k; j++) {
            double sum = 0;
            for (int i = 0; i < k; i++)
                sum += link->inverse[j * k + i] * u[i];
            for (int i = 0; i < d; i++)
                p[i] += sum * link->U[j * d + i];
        }
        if (!link->parent_turns)
            for (int i = 0; i < (d == 3 ? 2 : 3); i++)
                t->p[(size_t)link->parent * (size_t)d + (size_t)i] += p[i];
        else
            inward(link, p, t->p + (size_t)link->parent * (size_t)d, d);
    }
}

/* Outward sweep: x = D^-1 (u - U^T X a). */
RBV_UNROLLED void spread(RbvArticulated *t, double *x, const int d) {
    for (int32_t n = 0; n < t->count; n++) {
        const Link *link = &t->links[n];
        const int k = link->count;
        double *a = t->a + (size_t)n * (size_t)d, u[6];
        memset(a, 0, (size_t)d * sizeof *a);
        if (link->parent >= 0)
            outward(link, t->a + (size_t)link->parent * (size_t)d, a, d);
        for (int j = 0; j < k; j++) {
            u[j] = x[link->column + j];
            for (int i = 0; i < d; i++)
                u[j] -= link->U[j * d + i] * a[i];
        }
        for (int j = 0; j < k; j++) {
            double sum = 0;
            for (int i = 0; i < k; i++)
                sum += link->inverse[j * k + i] * u[i];
            x[link->column + j] = sum;
            for (int i = 0; i < d; i++)
                a[i] += sum * link->S[j * d + i];
        }
        for (int i = d == 3 ? 2 : 3; !link->turns && i < d; i++)
            a[i] = 0;
    }
}

void rbv_articulated_solve(RbvArticulated *t, double *x) {
    if (t->d == 3) {
        gather(t, x, 3);
        spread(t, x, 3);
        return;
    }
    gather(t, x, 6);
    spread(t, x, 6);
}

void rbv_articulated_diagonal(const RbvArticulated *t, double *diagonal) {
    memcpy(diagonal, t->diagonal, (size_t)t->coordinates->size * sizeof *diagonal);
}
