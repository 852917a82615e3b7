/* Compiles bodies and joints into elementary links along z (tree.h): axes rotated, constants folded, masses moved to
 * where they take the least products. */
#include "arrays/tree.h"
#include "core/linalg/small.h"

#include <math.h>
#include <string.h>

/* Row-major A by its columns. */
static RbvMat3 mat3(const double A[9]) {
    return (RbvMat3){{{A[0], A[3], A[6]}, {A[1], A[4], A[7]}, {A[2], A[5], A[8]}}};
}
/* Masses of links: the mass of a body in the link's axes, and lumped masses.
 *
 * A mass on the axis of a turning link moves like one fixed in the parent at the same point: all efforts are the same
 * if it is added to the parent (including that of the link itself, on whose axis it lies). Of a distribution along z
 * only the moments 1, z, z^2 act on other bodies: so m, h_z and S_zz of each turning link may be transferred to its
 * parent, and are zero then, which saves their products. All of a fixed link may be transferred. A mass transferred to
 * the ground is dropped. (W. Khalil, E. Dombre: Modeling, Identification and Control of Robots, 2002, chapter 9: base
 * parameters.) Reactions change. */

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

/* One elementary link of a joint: the orientation of its joint's frame in the frame before it. */
typedef struct LinkElement {
    RbvLinkKind kind;
    int32_t
        axis; /* z axis of the link among the user's axes: 0 x, 1 y, 2 z, 3 `axis`, 4 `second_axis`; -1: unchanged */
} LinkElement;

/* Each kind of joint as a chain of elementary links. */
static const struct Chain {
    int32_t count;
    LinkElement element[4];
} chains[] = {
    [RBV_TREE_FIXED] = {1, {{RBV_LINK_FIXED, -1}}},
    [RBV_TREE_REVOLUTE] = {1, {{RBV_LINK_TURN, 3}}},
    [RBV_TREE_PRISMATIC] = {1, {{RBV_LINK_SLIDE, 3}}},
    [RBV_TREE_SCREW] = {1, {{RBV_LINK_SCREW, 3}}},
    [RBV_TREE_CYLINDRICAL] = {2, {{RBV_LINK_TURN, 3}, {RBV_LINK_SLIDE, 3}}},
    [RBV_TREE_UNIVERSAL] = {2, {{RBV_LINK_TURN, 3}, {RBV_LINK_TURN, 4}}},
    [RBV_TREE_PLANAR] = {3, {{RBV_LINK_SLIDE, 0}, {RBV_LINK_SLIDE, 1}, {RBV_LINK_TURN, 2}}},
    [RBV_TREE_SPHERICAL] = {1, {{RBV_LINK_BALL, -1}}},
    [RBV_TREE_FREE] = {4, {{RBV_LINK_SLIDE, 0}, {RBV_LINK_SLIDE, 1}, {RBV_LINK_SLIDE, 2}, {RBV_LINK_BALL, -1}}},
};

int32_t rbv_tree_links_of(RbvTreeJoint joint) {
    return chains[joint].count;
}

static void rows_of(const RbvMat3 *A, double out[9]) {
    for (int k = 0; k < 3; k++)
        out[k] = A->column[k].x, out[3 + k] = A->column[k].y, out[6 + k] = A->column[k].z;
}
/* A^T B. */
static RbvMat3 transposed_product(const RbvMat3 *A, const RbvMat3 *B) {
    return (RbvMat3){{rbv_apply_transposed(A, B->column[0]), rbv_apply_transposed(A, B->column[1]),
                      rbv_apply_transposed(A, B->column[2])}};
}

/* Axes with z along u: exact for coordinate axes; the body's own axes if u is z. */
static RbvMat3 axes_along(const double u[3]) {
    RbvVec3 z = {u[0], u[1], u[2]};
    double largest = fmax(fabs(u[0]), fmax(fabs(u[1]), fabs(u[2])));
    z = rbv_scale(1 / largest, z);
    z = rbv_scale(1 / rbv_norm(z), z);
    /* x: the axis after the one nearest to z, so that x -> y z x, y -> z x y, z -> x y z */
    bool near_x = fabs(z.x) > fabs(z.y) && fabs(z.x) > fabs(z.z), near_y = !near_x && fabs(z.y) > fabs(z.z);
    RbvVec3 x = {1, 0, 0};
    if (near_x)
        x = rbv_vec3(0, 1, 0);
    else if (near_y)
        x = rbv_vec3(0, 0, 1);
    x = rbv_add_scaled(x, -rbv_dot(x, z), z);
    x = rbv_scale(1 / rbv_norm(x), x);
    return (RbvMat3){{x, rbv_cross(z, x), z}};
}

static RbvMat3 element_axes(const RbvTreeBody *body, int32_t axis) {
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return axis < 0 ? rbv_mat3_identity()
                    : axes_along(axis < 3    ? unit[axis]
                                 : axis == 3 ? body->axis
                                             : body->second_axis);
}

/* The body whose joint owns the coordinate of this one, with q = ratio * q + offset. */
static int32_t followed(const RbvTree *tree, int32_t body, double *ratio, double *offset) {
    *ratio = 1, *offset = 0;
    while (tree->body[body].mimic >= 0) {
        *offset += *ratio * tree->body[body].offset;
        *ratio *= tree->body[body].ratio;
        body = tree->body[body].mimic;
    }
    return body;
}

/* Compile the links of a body; `at`: index of its first link. */
static void compile_body(RbvTree *tree, int32_t body, int32_t at) {
    const RbvTreeBody *b = tree->body + body;
    const struct Chain *chain = &chains[b->joint];
    double ratio, offset;
    int32_t source = followed(tree, body, &ratio, &offset), q = tree->body_q[source], v = tree->body_v[source],
            freedom = 0;
    RbvMat3 before = rbv_mat3_identity(),
            turn = rbv_mat3_of_quat(rbv_quat_normalised((RbvQuat){b->turn[0], {b->turn[1], b->turn[2], b->turn[3]}}));
    if (b->parent >= 0)
        before = mat3(tree->axes[b->parent]);
    for (int32_t k = 0; k < chain->count; k++) {
        RbvTreeLink *j = tree->link + at + k;
        RbvTreeOwn *own = tree->own + at + k;
        RbvMat3 axes = element_axes(b, chain->element[k].axis), R = k == 0 ? rbv_mat3_product(&turn, &axes) : axes;
        R = transposed_product(&before, &R);
        RbvVec3 p =
            k == 0 ? rbv_apply_transposed(&before, rbv_vec3(b->place[0], b->place[1], b->place[2])) : rbv_vec3(0, 0, 0);
        *j = (RbvTreeLink){.p = {p.x, p.y, p.z},
                           .kind = chain->element[k].kind,
                           .body = body,
                           .q = -1,
                           .v = -1,
                           .angle = -1,
                           .saved = -1,
                           .massless = true,
                           .last = k == chain->count - 1};
        rows_of(&R, j->R);
        j->pitch = j->kind == RBV_LINK_SCREW ? b->pitch : 0;
        if (k > 0)
            j->parent = at + k - 1;
        else
            j->parent = b->parent < 0 ? -1 : tree->last[b->parent];
        *own = (RbvTreeOwn){.ratio = ratio, .offset = offset};
        for (int32_t f = 0; f < rbv_link_freedoms(j->kind); f++, freedom++) {
            own->rotor[f] = b->rotor[freedom], own->damping[f] = b->damping[freedom],
            own->friction[f] = b->friction[freedom];
            j->own = j->own || own->rotor[f] > 0 || own->damping[f] > 0 || own->friction[f] > 0;
        }
        j->own = j->own || source != body;
        if (rbv_link_freedoms(j->kind) > 0)
            j->q = q, j->v = v, q += rbv_link_numbers(j->kind), v += rbv_link_freedoms(j->kind);
        before = axes;
    }
    rows_of(&before, tree->axes[body]);
    tree->first[body] = at, tree->last[body] = at + chain->count - 1;
}

/* R Rz and Rz^T u, for the rotation about z with cosine c and sine s. */
static void turn_columns(double *R, double c, double s) {
    for (int e = 0; e < 9; e += 3) {
        double x = R[e], y = R[e + 1];
        R[e] = c * x + s * y;
        R[e + 1] = c * y - s * x;
    }
}
static void turn_rows(double *u, int32_t columns, double c, double s) {
    for (int32_t e = 0; e < columns; e++) {
        double x = u[e], y = u[columns + e];
        u[e] = c * x + s * y;
        u[columns + e] = c * y - s * x;
    }
}

static bool turns(RbvLinkKind kind) {
    return kind == RBV_LINK_TURN || kind == RBV_LINK_SCREW;
}

/* Rotate the frame of a link about its z axis; children[count]: its child links. */
static void turn_link(RbvTree *tree, int32_t index, double c, double s, int32_t count, const int32_t *children) {
    RbvTreeLink *j = tree->link + index;
    if (turns(j->kind))
        j->angle0 += atan2(s, c);
    else
        turn_columns(j->R, c, s);
    if (j->last)
        turn_columns(tree->axes[j->body], c, s);
    for (int32_t k = 0; k < count; k++) {
        turn_rows(tree->link[children[k]].R, 3, c, s);
        turn_rows(tree->link[children[k]].p, 1, c, s);
    }
}

/* Split R = Rx(alpha) Rz(beta), where the last column of R has no x component: beta is added to the angle. */
static void split_turn(RbvTreeLink *j) {
    double *R = j->R, length = hypot(R[5], R[8]), ca = R[8] / length, sa = -R[5] / length;
    j->angle0 += atan2(ca * R[3] + sa * R[6], R[0]);
    const double Rx[9] = {1, 0, 0, 0, ca, -sa, 0, sa, ca};
    memcpy(R, Rx, sizeof Rx);
    j->about_x = true;
}

/* Choose the x axis of each link for the next turning link. The axes of a ball are those of its velocities, and stay.
 * first_child, next: lists of the children of each link. */
static void choose_axes(RbvTree *tree, const int32_t *first_child, const int32_t *next, int32_t *children) {
    for (int32_t k = 0; k + 1 < tree->link_count; k++) {
        RbvTreeLink *child = tree->link + k + 1;
        if (child->parent != k || !turns(child->kind) || tree->link[k].kind == RBV_LINK_BALL)
            continue;
        double x = child->R[2], y = child->R[5], length = hypot(x, y);
        int32_t count = 0;
        for (int32_t c = first_child[k]; c >= 0; c = next[c])
            children[count++] = c;
        if (x != 0) /* else the x axis is already perpendicular */
            turn_link(tree, k, -y / length, x / length, count, children);
        child->R[2] = 0;
        split_turn(child);
    }
}

static bool turn_axes(RbvTree *tree) {
    RbvArena arena = {0};
    size_t count = (size_t)tree->link_count;
    int32_t *first_child = rbv_arena_array(&arena, count, sizeof *first_child),
            *next = rbv_arena_array(&arena, count, sizeof *next),
            *children = rbv_arena_array(&arena, count, sizeof *children);
    bool good = first_child && next && children;
    if (good) {
        for (int32_t k = 0; k < tree->link_count; k++)
            first_child[k] = next[k] = -1;
        for (int32_t k = tree->link_count - 1; k >= 0; k--) {
            int32_t parent = tree->link[k].parent;
            if (parent >= 0)
                next[k] = first_child[parent], first_child[parent] = k;
        }
        choose_axes(tree, first_child, next, children);
    }
    rbv_arena_clear(&arena);
    return good;
}

/* Transform masses into the axes of links, and mark massless links. */
static void fold_masses(RbvTree *tree) {
    for (int32_t k = 0; k < tree->body_count; k++) {
        const double *A = tree->axes[k];
        tree->turned[k] = A[0] != 1 || A[4] != 1 || A[8] != 1;
        rbv_tree_fold_mass(tree, k);
    }
    rbv_tree_lump_masses(tree);
}

/* Number the angles, and the slots of motions kept for children that are not the next link. */
static void number_links(RbvTree *tree) {
    tree->chain = true;
    for (int32_t k = 0; k < tree->link_count; k++) {
        RbvTreeLink *j = tree->link + k;
        j->column = tree->column_count;
        tree->column_count += rbv_link_freedoms(j->kind);
        tree->mimics = tree->mimics || tree->body[j->body].mimic >= 0;
        j->chained = j->parent >= 0 && j->parent == k - 1;
        tree->chain = tree->chain && (k == 0 || j->chained);
        if (turns(j->kind)) {
            j->angle = tree->angle_count;
            tree->angle_q[tree->angle_count] = j->q;
            tree->angle_ratio[tree->angle_count] = tree->own[k].ratio;
            tree->angle_zero[tree->angle_count] = tree->own[k].offset + j->angle0;
            tree->angle_link[tree->angle_count++] = k;
        }
        if (j->parent >= 0 && !j->chained && tree->link[j->parent].saved < 0)
            tree->link[j->parent].saved = tree->saved_count++;
    }
    for (int32_t k = tree->angle_count; k > 0 && k < tree->angle_count + RBV_MOST_LANES; k++)
        tree->angle_q[k] = tree->angle_q[k - 1];
}

/* Is the tree an arm, as arm_kernel.h computes? */
static bool is_arm(const RbvTree *tree) {
    for (int32_t k = 0; k < tree->nv; k++)
        if (tree->link[k].kind != RBV_LINK_TURN || (k > 0 && !tree->link[k].about_x))
            return false;
    return tree->chain && !tree->mimics && tree->nv <= RBV_DENSE_FREEDOMS;
}

/* Mark links that add to a component of v which a later link, first in the inward sweep, has written. */
static bool mark_sums(RbvTree *tree) {
    RbvArena arena = {0};
    bool *written = rbv_arena_array(&arena, (size_t)tree->nv, sizeof *written);
    if (!written)
        return false;
    for (int32_t k = tree->link_count - 1; k >= 0; k--) {
        RbvTreeLink *j = tree->link + k;
        if (j->v < 0)
            continue;
        j->adds = written[j->v];
        j->own = j->own || j->adds;
        written[j->v] = true;
    }
    rbv_arena_clear(&arena);
    return true;
}

static RbvTreeSweep sweep_data(const RbvTreeLink *j) {
    RbvTreeSweep sweep = {.cosine = j->R[4],
                          .sine = j->R[7],
                          .p = {j->p[0], j->p[1], j->p[2]},
                          .pitch = j->pitch,
                          .q = j->q,
                          .v = j->v,
                          .angle = j->angle};
    sweep.kind = (unsigned)j->kind & 7;
    sweep.chained = j->chained, sweep.ground = j->parent < 0, sweep.about_x = j->about_x, sweep.own = j->own,
    sweep.adds = j->adds, sweep.last = j->last, sweep.branches = j->saved >= 0;
    bool plain = j->kind == RBV_LINK_TURN && !j->own && j->saved < 0;
    if (plain && j->parent < 0)
        sweep.plain = RBV_PLAIN_FIRST;
    else if (plain && j->chained && j->about_x)
        sweep.plain = RBV_PLAIN_NEXT;
    return sweep;
}
_Static_assert(sizeof(RbvTreeSweep) == 64 && sizeof(RbvTreeMoments) == 64, "lines of cache");

static void fill_abreast(const RbvTreeMass *mass, int32_t i, double *abreast) {
    const double numbers[10] = {mass->m,    mass->h[0], mass->h[1], mass->h[2], mass->S[0],
                                mass->S[1], mass->S[2], mass->S[3], mass->S[4], mass->S[5]};
    for (int e = 0; e < 10; e++)
        abreast[rbv_abreast(i, 10) + RBV_ABREAST * e] = numbers[e];
}

void rbv_tree_fill_sweep(RbvTree *tree) {
    for (int32_t k = 0; k < tree->link_count; k++) {
        const RbvTreeMass *mass = tree->lumped + k;
        fill_abreast(mass, k, tree->abreast[0]), fill_abreast(tree->mass + k, k, tree->abreast[1]);
        tree->sweep[k] = sweep_data(tree->link + k);
        tree->moments[k] =
            (RbvTreeMoments){{mass->h[0], mass->h[1]}, {mass->S[0], mass->S[1], mass->S[2], mass->S[3], mass->S[4]}, 0};
    }
}

bool rbv_tree_compile(RbvTree *tree) {
    for (int32_t k = 0, at = 0; k < tree->body_count; at += chains[tree->body[k].joint].count, k++)
        compile_body(tree, k, at);
    if (!turn_axes(tree))
        return false;
    fold_masses(tree);
    number_links(tree);
    if (!mark_sums(tree))
        return false;
    tree->arm = is_arm(tree);
    rbv_tree_fill_sweep(tree);
    return true;
}
