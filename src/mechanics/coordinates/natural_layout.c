/* Chooses the points and vectors of natural coordinates; see natural.h.
 *
 * A joint that locks all translations shares the point of its markers; a joint that keeps two axes aligned shares their
 * direction; the two axes that a universal joint keeps square are vectors of their bodies. Equal points, or directions,
 * of one body are one. Each class of equal ones is a basic, fixed if ground has it. Then each body is completed: a
 * second point in the plane; in space three independent vectors, or two if joints give just two and a3 can be derived,
 * or two points for a body whose spin about their line is idle. Other points and vectors of a body follow linearly from
 * its core (R000-79). */
#include "core/base/tolerances.h"
#include "mechanics/coordinates/natural.h"

#include <stdlib.h>
#include <string.h>

/* Least sine of the angle between vectors of a core, and least volume of three unit vectors. */
#define APART 0.1
/* Factor by which a candidate must be better: among nearly equal ones the first is taken, independent of rounding. */
#define BETTER (1 + 1e-6)

/* A point or a vector at one side of a joint. */
typedef struct Node {
    bool vector;
    int32_t body, marker;
    int axis;
    RbvVec3 local;
    int32_t parent; /* in the class */
    int parity;     /* of vectors: +1 or -1 relative to the parent */
} Node;

typedef struct Layout {
    const RbvCoordinates *c;
    const RbvModel *model;
    RbvArena *arena;
    RbvNatural *n;
    Node *nodes;
    int32_t node_count;
    int32_t *first;    /* [bodies + 1] nodes by body */
    int32_t *by_body;  /* [nodes] */
    int32_t *basic_of; /* [nodes] basic of a class's root, or -1 */
    int32_t basic_room, use_room, row_room;
} Layout;

static int32_t find_root(Node *nodes, int32_t k, int *parity) {
    *parity = 1;
    while (nodes[k].parent != k) {
        *parity *= nodes[k].parity;
        k = nodes[k].parent;
    }
    return k;
}

static void unite(Node *nodes, int32_t a, int32_t b, int sign) {
    int of_a, of_b;
    int32_t root_a = find_root(nodes, a, &of_a), root_b = find_root(nodes, b, &of_b);
    if (root_a == root_b)
        return;
    nodes[root_b].parent = root_a;
    nodes[root_b].parity = sign * of_a * of_b;
}

static RbvVec3 axis_of(const RbvModel *model, int32_t marker, int axis) {
    const RbvMarker *m = &model->markers.items[marker];
    return m->turned ? m->turned->A.column[axis] : rbv_mat3_identity().column[axis];
}

/* Adds the nodes of both sides of a joint: its point (axis -1) or an axis of its markers. */
static void add_sides(Layout *l, const RbvJoint *joint, int axis) {
    for (int side = 0; side < 2; side++) {
        const RbvMarker *marker = &l->model->markers.items[joint->marker[side]];
        l->nodes[l->node_count] =
            (Node){axis >= 0,
                   marker->body,
                   joint->marker[side],
                   axis,
                   axis >= 0 ? axis_of(l->model, joint->marker[side], axis) : rbv_marker_arm(l->model, marker),
                   l->node_count,
                   1};
        l->node_count++;
    }
}

/* Adds both nodes and makes them one class. */
static void add_pair(Layout *l, const RbvJoint *joint, int axis) {
    add_sides(l, joint, axis);
    l->n->shares[l->n->share_count++] =
        (RbvBasicShare){(int32_t)(joint - l->model->joints.items),
                        l->node_count - 2}; /* node index, replaced by the basic in name_shares */
    unite(l->nodes, l->node_count - 2, l->node_count - 1, 1);
}

/* conditional[joints]: joints with conditions, which are kept by rows. NULL if out of memory. */
static bool *find_conditional(const RbvModel *model) {
    bool *conditional = calloc((size_t)model->joints.count + 1, sizeof *conditional);
    for (int32_t k = 0; conditional && k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_JOINT)
            conditional[model->conditions.items[k].index] = true;
    return conditional;
}

static bool share_joints(Layout *l) {
    const RbvModel *model = l->model;
    const bool spatial = l->c->bodies->spatial;
    const uint8_t point = RBV_DIRECTION_X | RBV_DIRECTION_Y | (spatial ? RBV_DIRECTION_Z : 0);
    bool *conditional = find_conditional(model);
    for (int32_t k = 0; conditional && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        l->n->kept[k] = 0;
        if (!rbv_forms[joint->form].directions || conditional[k] || joint->unilateral)
            continue;
        if ((joint->locks & point) == point) {
            add_pair(l, joint, -1);
            l->n->kept[k] |= point;
        }
        if (joint->extra == RBV_EXTRA_SQUARE) /* row: scalar product of two vectors of their bodies */
            add_sides(l, joint, 2);
        uint8_t turns = joint->locks & RBV_DIRECTIONS_TURNS;
        if (!spatial || joint->extra != RBV_EXTRA_NONE)
            continue;
        for (int axis = 0; axis < 3; axis++)
            if (turns == (RBV_DIRECTIONS_TURNS & ~(RBV_DIRECTION_RX << axis)) ||
                (turns == RBV_DIRECTIONS_TURNS && axis != 1)) {
                add_pair(l, joint, axis);
                l->n->kept[k] |= turns;
            }
    }
    free(conditional);
    return conditional != NULL;
}

/* Sorts nodes by body; unites equal points, and equal or opposite vectors, of one body. */
static void merge_in_bodies(Layout *l) {
    int32_t count = l->c->bodies->count;
    memset(l->first, 0, ((size_t)count + 2) * sizeof *l->first);
    for (int32_t k = 0; k < l->node_count; k++)
        l->first[l->nodes[k].body + 2]++;
    for (int32_t b = 0; b < count; b++)
        l->first[b + 2] += l->first[b + 1];
    for (int32_t k = 0; k < l->node_count; k++)
        l->by_body[l->first[l->nodes[k].body + 1]++] = k;
    for (int32_t b = 1; b < count; b++)
        for (int32_t i = l->first[b]; i < l->first[b + 1]; i++)
            for (int32_t j = l->first[b]; j < i; j++) {
                const Node *a = &l->nodes[l->by_body[i]], *o = &l->nodes[l->by_body[j]];
                double scale = a->vector ? 1 : rbv_norm(a->local) + rbv_norm(o->local);
                if (a->vector != o->vector)
                    continue;
                /* Two points of a body are one if nearer than this relative to their arms; two unit vectors if nearer
                 * than this. */
                if (rbv_norm(rbv_sub(a->local, o->local)) <= RBV_CANCELLED * scale)
                    unite(l->nodes, l->by_body[j], l->by_body[i], 1);
                else if (a->vector && rbv_norm(rbv_add(a->local, o->local)) <= RBV_CANCELLED)
                    unite(l->nodes, l->by_body[j], l->by_body[i], -1);
            }
}

static int32_t add_basic(Layout *l, bool vector, int32_t body, int32_t marker, int axis) {
    l->n->basics[l->n->basic_count] = (RbvBasic){.vector = vector, .owner = body, .marker = marker, .axis = axis};
    return l->n->basic_count++;
}

static int32_t add_use(Layout *l, int32_t basic, double sign, RbvVec3 local) {
    l->n->uses[l->n->use_count] = (RbvBasicUse){.basic = basic, .sign = sign, .local = local};
    l->n->basics[basic].users++;
    return l->n->use_count++;
}

/* Makes each class a basic, fixed if ground has one of its nodes. */
static void make_basics(Layout *l) {
    for (int32_t k = 0; k < l->node_count; k++)
        l->basic_of[k] = -1;
    for (int pass = 0; pass < 2; pass++) /* classes of ground first: their values are known */
        for (int32_t k = 0; k < l->node_count; k++) {
            Node *node = &l->nodes[k];
            int parity;
            int32_t root = find_root(l->nodes, k, &parity);
            if (l->basic_of[root] >= 0 || (pass == 0 && node->body != 0))
                continue;
            l->basic_of[root] = add_basic(l, node->vector, node->body, node->marker, node->axis);
            RbvBasic *basic = &l->n->basics[l->basic_of[root]];
            basic->column = pass == 0 ? -1 : 0;
            basic->fixed = pass == 0 ? rbv_scale(parity, node->local) : rbv_vec3(0, 0, 0);
        }
}

static void name_shares(Layout *l) {
    int parity;
    for (int32_t k = 0; k < l->n->share_count; k++)
        l->n->shares[k].basic = l->basic_of[find_root(l->nodes, l->n->shares[k].basic, &parity)];
}

/* Adds the uses of a body that come from its joints. */
static void use_classes(Layout *l, int32_t b) {
    RbvNaturalBody *body = &l->n->bodies[b];
    body->first = l->n->use_count;
    for (int32_t i = l->first[b]; i < l->first[b + 1]; i++) {
        const Node *node = &l->nodes[l->by_body[i]];
        int parity;
        int32_t basic = l->basic_of[find_root(l->nodes, l->by_body[i], &parity)];
        bool known = false;
        for (int32_t u = body->first; u < l->n->use_count; u++)
            known = known || l->n->uses[u].basic == basic;
        if (!known)
            add_use(l, basic, node->vector ? parity : 1, node->local);
    }
}

static bool is_vector(const Layout *l, int32_t use) {
    return l->n->basics[l->n->uses[use].basic].vector;
}

static int32_t own_point(Layout *l, int32_t b, int32_t marker, RbvVec3 local) {
    return add_use(l, add_basic(l, false, b, marker, -1), 1, local);
}

static int32_t own_vector(Layout *l, int32_t b, RbvVec3 local, int number) {
    return add_use(l, add_basic(l, true, b, -1, number), 1, rbv_scale(1 / rbv_norm(local), local));
}

/* A core vector in body axes. */
static RbvVec3 local_of(const Layout *l, RbvCoreVector a) {
    RbvVec3 head = l->n->uses[a.head].local;
    return a.tail < 0 ? head : rbv_sub(head, l->n->uses[a.tail].local);
}

/* Independence of a candidate from the present core vectors: its length [m], then the sine, then the volume. */
static double independence(const Layout *l, const RbvNaturalBody *body, RbvCoreVector candidate) {
    RbvVec3 c = local_of(l, candidate);
    double length = rbv_norm(c);
    if (body->core == 0 || !(length > 0))
        return length;
    RbvVec3 a = local_of(l, body->a[0]), across = rbv_cross(a, c);
    if (body->core == 1)
        return rbv_norm(across) / (rbv_norm(a) * length);
    RbvVec3 b = local_of(l, body->a[1]), normal = rbv_cross(a, b);
    return fabs(rbv_dot(normal, c)) / (rbv_norm(normal) * length);
}

/* The body in the previous layout whose choices are repeated, if it begins with the same uses; NULL: none. */
static const RbvNaturalBody *before(const Layout *l, int32_t b) {
    const RbvNaturalBody *as = l->c->from_rows.like ? &rbv_natural_of(l->c->from_rows.like)->bodies[b] : NULL;
    return as && as->first == l->n->bodies[b].first && as->form >= RBV_NATURAL_PLANE ? as : NULL;
}

static bool is_use_of(const Layout *l, const RbvNaturalBody *body, int32_t u) {
    return u >= body->first && u < l->n->use_count;
}

/* The next core vector of the previous layout: {-1, -1}: one of the body's own; {-2, -2}: no longer possible. */
static RbvCoreVector taken_before(const Layout *l, const RbvNaturalBody *body, const RbvNaturalBody *as) {
    RbvCoreVector a = {-2, -2}, none = {-1, -1};
    if (body->core >= as->core)
        return none;
    a = as->a[body->core];
    if (!is_use_of(l, body, a.head) || (a.tail >= 0 && a.tail != body->point))
        return none;
    /* Least sine or volume with which the choices of a previous layout are repeated. */
    bool apart = independence(l, body, a) > (body->core == 0 ? 0 : RBV_NOTICEABLE);
    return apart ? a : (RbvCoreVector){-2, -2};
}

/* Takes the most independent point or vector of the body as next core vector; for the first one points come first.
 * False: none is independent enough. */
static bool take_best(Layout *l, RbvNaturalBody *body) {
    double best = 0;
    const RbvNaturalBody *as = before(l, (int32_t)(body - l->n->bodies));
    RbvCoreVector chosen = as ? taken_before(l, body, as) : (RbvCoreVector){-2, -2};
    bool free = chosen.head == -2;
    if (free)
        chosen = (RbvCoreVector){-1, -1};
    for (int vectors = 0; free && vectors < 2 && (chosen.head < 0 || body->core > 0); vectors++)
        for (int32_t u = body->first; u < l->n->use_count; u++) {
            RbvCoreVector candidate = {u, is_vector(l, u) ? -1 : body->point};
            if (is_vector(l, u) != (vectors == 1) || u == body->point)
                continue;
            double here = independence(l, body, candidate);
            if (here > BETTER * best && (body->core == 0 || here > APART)) {
                best = here;
                chosen = candidate;
            }
        }
    if (chosen.head < 0)
        return false;
    body->a[body->core++] = chosen;
    return true;
}

/* A body axis far from the core vectors, made normal to them. */
static RbvVec3 perpendicular(const Layout *l, const RbvNaturalBody *body) {
    RbvVec3 best = {1, 0, 0}, normal = {0, 0, 0};
    const RbvNaturalBody *as = before(l, (int32_t)(body - l->n->bodies));
    double most = -1;
    if (body->core == 2)
        return rbv_cross(local_of(l, body->a[0]), local_of(l, body->a[1]));
    if (as && body->core == 1 && as->core > 1 && as->a[1].tail < 0) {
        RbvVec3 a = local_of(l, body->a[0]), was = rbv_natural_of(l->c->from_rows.like)->uses[as->a[1].head].local;
        normal = rbv_add_scaled(was, -rbv_dot(was, a) / rbv_dot(a, a), a);
        if (rbv_norm(normal) > RBV_NOTICEABLE * rbv_norm(was))
            return normal;
    }
    for (int k = 0; k < 3; k++) {
        RbvVec3 e = rbv_mat3_identity().column[k];
        if (body->core == 0)
            return e;
        RbvVec3 a = local_of(l, body->a[0]);
        normal = rbv_add_scaled(e, -rbv_dot(e, a) / rbv_dot(a, a), a);
        if (rbv_norm(normal) > BETTER * most) {
            most = rbv_norm(normal);
            best = normal;
        }
    }
    return best;
}

static void complete_space(Layout *l, int32_t b) {
    RbvNaturalBody *body = &l->n->bodies[b];
    bool own = false;
    body->point = -1;
    for (int32_t u = body->first; u < l->n->use_count && body->point < 0; u++)
        if (!is_vector(l, u))
            body->point = u;
    if (body->point < 0)
        body->point = own_point(l, b, -1, rbv_vec3(0, 0, 0));
    while (body->core < 3) {
        if (take_best(l, body))
            continue;
        if (body->core == 2 && !own)
            break;
        int32_t use = own_vector(l, b, perpendicular(l, body), body->core);
        body->a[body->core++] = (RbvCoreVector){use, -1};
        own = true;
    }
    body->form = body->core == 3 ? RBV_NATURAL_FULL : RBV_NATURAL_CROSSED;
}

/* The marker of the body farthest from the point `from`; -1: all coincide with it. */
static int32_t farthest_marker(const Layout *l, int32_t b, RbvVec3 from) {
    int32_t best = -1;
    double most = 0;
    for (int32_t k = 0; k < l->model->markers.count; k++) {
        const RbvMarker *marker = &l->model->markers.items[k];
        double away = marker->body == b ? rbv_norm(rbv_sub(rbv_marker_arm(l->model, marker), from)) : 0;
        if (away > BETTER * most) {
            most = away;
            best = k;
        }
    }
    return best;
}

/* Takes the two uses farthest apart as the core's first vector. False: there are no two. */
static bool take_farthest(Layout *l, RbvNaturalBody *body, double *most) {
    *most = 0;
    body->a[0] = (RbvCoreVector){-1, -1};
    for (int32_t u = body->first; u < l->n->use_count; u++)
        for (int32_t w = body->first; w < u; w++) {
            double away = rbv_norm(rbv_sub(l->n->uses[u].local, l->n->uses[w].local));
            if (away > BETTER * *most) {
                *most = away;
                body->a[0] = (RbvCoreVector){u, w};
            }
        }
    return body->a[0].head >= 0;
}

/* True if the body is a rod: its joints give points only, as a shared vector would depend on the spin. */
static bool is_rod(const Layout *l, int32_t b) {
    return l->c->from_rows.rods && l->c->from_rows.rods[b].marker[0] >= 0;
}

/* Takes two points of the rod's line: shared ones if they are far enough apart, else markers that rows use. */
static void complete_rod(Layout *l, int32_t b) {
    RbvNaturalBody *body = &l->n->bodies[b];
    const int32_t *marker = l->c->from_rows.rods[b].marker;
    RbvVec3 end[2];
    double shared;
    for (int k = 0; k < 2; k++)
        end[k] = rbv_marker_arm(l->model, &l->model->markers.items[marker[k]]);
    body->form = RBV_NATURAL_ROD;
    body->core = 1;
    if (body->first == l->n->use_count)
        own_point(l, b, marker[0], end[0]);
    if (!take_farthest(l, body, &shared) || shared < APART * rbv_norm(rbv_sub(end[1], end[0]))) {
        RbvVec3 first = l->n->uses[body->first].local;
        int other = rbv_norm(rbv_sub(end[1], first)) >= rbv_norm(rbv_sub(end[0], first));
        body->a[0] = (RbvCoreVector){own_point(l, b, marker[other], end[other]), body->first};
    }
    body->point = body->a[0].tail;
}

static void complete_plane(Layout *l, int32_t b) {
    RbvNaturalBody *body = &l->n->bodies[b];
    double most;
    body->form = RBV_NATURAL_PLANE;
    body->core = 1;
    if (body->first == l->n->use_count)
        own_point(l, b, -1, rbv_vec3(0, 0, 0));
    take_farthest(l, body, &most);
    const RbvNaturalBody *as = before(l, b);
    if (as && is_use_of(l, body, as->a[0].head) && is_use_of(l, body, as->a[0].tail) &&
        independence(l, &(RbvNaturalBody){0}, as->a[0]) > 0)
        body->a[0] = as->a[0];
    if (body->a[0].head < 0) {
        RbvVec3 first = l->n->uses[body->first].local;
        int32_t was = as ? rbv_natural_of(l->c->from_rows.like)
                               ->basics[rbv_natural_of(l->c->from_rows.like)->uses[as->a[0].head].basic]
                               .marker
                         : -1;
        bool still = was >= 0 && rbv_norm(rbv_sub(rbv_marker_arm(l->model, &l->model->markers.items[was]), first)) > 0;
        int32_t marker = still ? was : farthest_marker(l, b, first);
        RbvVec3 second = marker >= 0 ? rbv_marker_arm(l->model, &l->model->markers.items[marker])
                                     : rbv_add(first, rbv_vec3(1, 0, 0));
        body->a[0] = (RbvCoreVector){own_point(l, b, marker, second), body->first};
    }
    body->point = body->a[0].tail;
}

/* J: second moments int rho rho' dm of the mass about r1, in body axes; in the plane half the polar moment in each
 * direction, as a2 = rot(a1) adds both. */
static void second_moments(const RbvBody *body, bool plane, RbvVec3 arm, double J[3][3]) {
    const double *I = body->inertia, trace = plane ? I[2] : I[0] + I[1] + I[2], a[3] = {arm.x, arm.y, arm.z};
    const double own[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double half = i == j && (i < 2 || !plane) ? trace / 2 : 0;
            double about = plane ? half : half - own[i][j];
            J[i][j] = about + body->mass * a[i] * a[j];
        }
}

static void make_core(Layout *l, int32_t b) {
    RbvNaturalBody *body = &l->n->bodies[b];
    const RbvBody *model = &l->model->bodies.items[b];
    bool plane = body->form == RBV_NATURAL_PLANE;
    RbvVec3 a[3], arm = rbv_scale(-1, l->n->uses[body->point].local);
    for (int k = 0; k < body->core; k++)
        a[k] = local_of(l, body->a[k]);
    if (body->form == RBV_NATURAL_ROD) {
        rbv_rod_core(model, a[0], arm, body);
        return;
    }
    if (plane) {
        a[1] = rbv_vec3(-a[0].y, a[0].x, 0);
        a[2] = rbv_vec3(0, 0, 1);
    } else if (body->core == 2) {
        body->c0 = rbv_norm(rbv_cross(a[0], a[1]));
        a[2] = rbv_scale(1 / body->c0, rbv_cross(a[0], a[1]));
    }
    double volume = rbv_dot(rbv_cross(a[0], a[1]), a[2]);
    RbvVec3 rows[3] = {rbv_scale(1 / volume, rbv_cross(a[1], a[2])), rbv_scale(1 / volume, rbv_cross(a[2], a[0])),
                       rbv_scale(1 / volume, rbv_cross(a[0], a[1]))};
    body->X_inverse = (RbvMat3){
        {{rows[0].x, rows[1].x, rows[2].x}, {rows[0].y, rows[1].y, rows[2].y}, {rows[0].z, rows[1].z, rows[2].z}}};
    double J[3][3];
    second_moments(model, plane, arm, J);
    body->c4[0][0] = model->mass;
    for (int k = 0; k < 3; k++) {
        body->g[k] = rbv_dot(rows[k], arm);
        body->c4[0][k + 1] = body->c4[k + 1][0] = model->mass * body->g[k];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double u[3] = {rows[i].x, rows[i].y, rows[i].z}, w[3] = {rows[j].x, rows[j].y, rows[j].z};
            body->c4[i + 1][j + 1] = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    body->c4[i + 1][j + 1] += u[p] * J[p][q] * w[q];
        }
}

/* The distinct columns of a row, from its uses and the core of its body; returns how many. */
static int32_t columns_of(const RbvNatural *n, const RbvRigidRow *row, int32_t *column) {
    const RbvNaturalBody *body = &n->bodies[row->body];
    int32_t use[8], count = 0, found = 0;
    if (row->kind != RBV_RIGID_DOT)
        use[count++] = row->i;
    if (row->kind == RBV_RIGID_DISTANCE)
        use[count++] = row->j;
    if (row->kind == RBV_RIGID_LINEAR && !n->basics[n->uses[row->i].basic].vector)
        use[count++] = body->point;
    for (int k = 0; k < body->core && (row->kind == RBV_RIGID_LINEAR || row->kind == RBV_RIGID_DOT); k++) {
        if (row->kind == RBV_RIGID_DOT && k != row->i && k != row->j)
            continue;
        use[count++] = body->a[k].head;
        if (body->a[k].tail >= 0)
            use[count++] = body->a[k].tail;
    }
    for (int32_t k = 0; k < count; k++)
        for (int axis = 0; axis < n->dims && n->basics[n->uses[use[k]].basic].column >= 0; axis++) {
            int32_t here = n->basics[n->uses[use[k]].basic].column + axis;
            bool known = false;
            for (int32_t e = 0; e < found; e++)
                known = known || column[e] == here;
            if (!known)
                column[found++] = here;
        }
    return found;
}

/* Adds a row, unless all its uses are fixed in ground. */
static void add_row(Layout *l, RbvRigidRow row) {
    int32_t column[24];
    if (columns_of(l->n, &row, column) > 0)
        l->n->rows[l->n->row_count++] = row;
}

/* Adds the rows of the core, then of the points and vectors that follow from it. */
static void add_rows(Layout *l, int32_t b) {
    RbvNatural *n = l->n;
    RbvNaturalBody *body = &n->bodies[b];
    for (int k = 0; k < body->core; k++) {
        RbvVec3 a = local_of(l, body->a[k]);
        add_row(l, (RbvRigidRow){.kind = body->a[k].tail < 0 ? RBV_RIGID_NORM : RBV_RIGID_DISTANCE,
                                 .body = b,
                                 .i = body->a[k].head,
                                 .j = body->a[k].tail,
                                 .constant = rbv_dot(a, a)});
        for (int m = 0; m < k; m++) {
            RbvVec3 o = local_of(l, body->a[m]);
            if (body->a[k].tail >= 0 && body->a[m].tail >= 0)
                add_row(l, (RbvRigidRow){.kind = RBV_RIGID_DISTANCE,
                                         .body = b,
                                         .i = body->a[k].head,
                                         .j = body->a[m].head,
                                         .constant = rbv_dot(rbv_sub(a, o), rbv_sub(a, o))});
            else
                add_row(l, (RbvRigidRow){.kind = RBV_RIGID_DOT, .body = b, .i = m, .j = k, .constant = rbv_dot(a, o)});
        }
    }
    for (int32_t u = body->first; u < body->first + body->count; u++) {
        bool core = rbv_natural_in_core(n, b, u);
        RbvVec3 p = is_vector(l, u) ? n->uses[u].local : rbv_sub(n->uses[u].local, n->uses[body->point].local);
        for (int axis = 0; !core && axis < n->dims; axis++) {
            RbvRigidRow row = {.kind = RBV_RIGID_LINEAR, .body = b, .i = u, .axis = axis};
            RbvVec3 c = body->form == RBV_NATURAL_ROD
                            ? rbv_vec3(rbv_dot(p, body->line) / rbv_dot(body->line, body->line), 0, 0)
                            : rbv_apply(&body->X_inverse, p);
            row.c[0] = c.x, row.c[1] = c.y, row.c[2] = n->dims == 2 ? 0 : c.z;
            add_row(l, row);
        }
    }
}

static bool make_pattern(Layout *l) {
    RbvNatural *n = l->n;
    size_t rows = (size_t)n->row_count + (size_t)n->number_count;
    n->pattern = (RbvRowPattern){.count = (int32_t)rows};
    n->pattern.start = rbv_arena_array(l->arena, rows + 1, sizeof(int32_t));
    n->pattern.column = rbv_arena_array(
        l->arena, 24 * (size_t)n->row_count + RBV_NUMBER_COLUMNS * (size_t)n->number_count + 1, sizeof(int32_t));
    int32_t at = 0;
    for (int32_t k = 0; n->pattern.start && n->pattern.column && k < n->row_count; k++) {
        n->pattern.start[k] = at;
        at += columns_of(n, &n->rows[k], n->pattern.column + at);
    }
    if (!n->pattern.start || !n->pattern.column)
        return false;
    for (int32_t k = 0; k < n->number_count; k++) {
        n->pattern.start[n->row_count + k] = at;
        at += rbv_natural_number_columns(l->c, &n->numbers[k], n->pattern.column + at);
    }
    n->pattern.start[rows] = at;
    return true;
}

/* Numbers the columns of basics, scalars and measures, then those of the numbers of q that no v moves. */
static void number_columns(Layout *l) {
    RbvNatural *n = l->n;
    const RbvBodyColumns *bodies = l->c->bodies;
    int32_t at = 0;
    for (int32_t k = 0; k < n->basic_count; k++)
        if (n->basics[k].column >= 0) {
            n->basics[k].column = at;
            at += n->dims;
        }
    for (int32_t b = 1; b < bodies->count; b++)
        if (n->bodies[b].form == RBV_NATURAL_SCALAR)
            n->bodies[b].column = at++;
    n->basics_size = at;
    ((RbvCoordinates *)l->c)->first_number = at;
    at += l->c->from_rows.number_count;
    ((RbvCoordinates *)l->c)->size = at;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t u = n->bodies[b].first, slot = 0; u < n->bodies[b].first + n->bodies[b].count; u++) {
            bool moves = n->basics[n->uses[u].basic].column >= 0 && rbv_natural_in_core(n, b, u);
            n->uses[u].slot = moves ? slot : -1;
            slot += moves ? n->dims : 0;
        }
    for (int32_t b = 1; b < bodies->count; b++) {
        bool turns = n->bodies[b].form >= RBV_NATURAL_PLANE;
        n->bodies[b].extra = turns ? at : -1;
        if (turns)
            at += bodies->spatial ? 4 : 2;
    }
    ((RbvCoordinates *)l->c)->position_size = at;
}

static void lay_out_body(Layout *l, int32_t b) {
    RbvNaturalBody *body = &l->n->bodies[b];
    const RbvBody *model = &l->model->bodies.items[b];
    *body = (RbvNaturalBody){.extra = -1, .first = l->n->use_count};
    if (model->generalized) {
        body->form = RBV_NATURAL_SCALAR;
        return;
    }
    use_classes(l, b);
    if (model->particle) {
        body->form = RBV_NATURAL_PARTICLE;
        body->point = l->n->use_count > body->first ? body->first : own_point(l, b, -1, rbv_vec3(0, 0, 0));
        body->c4[0][0] = model->mass;
    } else if (is_rod(l, b)) {
        complete_rod(l, b);
    } else if (l->c->bodies->spatial) {
        complete_space(l, b);
    } else {
        complete_plane(l, b);
    }
    body->count = l->n->use_count - body->first;
    if (!model->particle)
        make_core(l, b);
}

static bool reserve(Layout *l) {
    size_t joints = (size_t)l->model->joints.count, bodies = (size_t)l->c->bodies->count, nodes = 6 * joints + 1,
           uses = nodes + 4 * bodies;
    RbvNatural *n = l->n;
    l->nodes = malloc(nodes * sizeof *l->nodes);
    l->first = malloc((bodies + 2) * sizeof *l->first);
    l->by_body = malloc(nodes * sizeof *l->by_body);
    l->basic_of = malloc(nodes * sizeof *l->basic_of);
    n->basics = rbv_arena_array(l->arena, uses, sizeof *n->basics);
    n->uses = rbv_arena_array(l->arena, uses, sizeof *n->uses);
    n->bodies = rbv_arena_array(l->arena, bodies + 1, sizeof *n->bodies);
    n->rows = rbv_arena_array(l->arena, 3 * uses + 6 * bodies, sizeof *n->rows);
    n->kept = rbv_arena_array(l->arena, joints + 1, sizeof *n->kept);
    n->shares = rbv_arena_array(l->arena, 3 * joints + 1, sizeof *n->shares);
    return l->nodes && l->first && l->by_body && l->basic_of && n->basics && n->uses && n->bodies && n->rows &&
           n->kept && n->shares;
}

bool rbv_natural_layout(RbvCoordinates *c, RbvArena *arena, RbvNatural *n) {
    Layout l = {.c = c, .model = c->model, .arena = arena, .n = n};
    n->dims = c->bodies->spatial ? 3 : 2;
    bool good = reserve(&l) && share_joints(&l);
    if (good) {
        merge_in_bodies(&l);
        make_basics(&l);
        name_shares(&l);
        for (int32_t b = 1; b < c->bodies->count; b++)
            lay_out_body(&l, b);
        for (int32_t b = 1; b < c->bodies->count; b++)
            if (n->bodies[b].form >= RBV_NATURAL_PLANE)
                add_rows(&l, b);
        number_columns(&l);
        c->own = n;
        good = rbv_natural_lay_numbers(c, arena, n) && make_pattern(&l);
    }
    free(l.nodes);
    free(l.first);
    free(l.by_body);
    free(l.basic_of);
    return good;
}

static bool same_body(const RbvNaturalBody *a, const RbvNaturalBody *b) {
    bool same = a->form == b->form && a->first == b->first && a->count == b->count && a->column == b->column &&
                a->point == b->point && a->core == b->core && a->extra == b->extra;
    for (int k = 0; same && k < a->core; k++)
        same = a->a[k].head == b->a[k].head && a->a[k].tail == b->a[k].tail;
    return same;
}

bool rbv_natural_compatible(const RbvCoordinates *c, const RbvCoordinates *d) {
    const RbvNatural *a = rbv_natural_of(c), *b = rbv_natural_of(d);
    bool same = a->basic_count == b->basic_count && a->use_count == b->use_count && a->row_count == b->row_count &&
                a->basics_size == b->basics_size && c->bodies->count == d->bodies->count;
    for (int32_t k = 0; same && k < a->basic_count; k++) {
        const RbvBasic *x = &a->basics[k], *y = &b->basics[k];
        same = x->vector == y->vector && x->column == y->column && x->owner == y->owner && x->users == y->users &&
               x->marker == y->marker && x->axis == y->axis;
    }
    for (int32_t k = 0; same && k < a->use_count; k++)
        same = a->uses[k].basic == b->uses[k].basic && a->uses[k].sign == b->uses[k].sign &&
               a->uses[k].slot == b->uses[k].slot;
    for (int32_t k = 1; same && k < c->bodies->count; k++)
        same = same_body(&a->bodies[k], &b->bodies[k]);
    for (int32_t k = 0; same && k < a->row_count; k++) {
        const RbvRigidRow *x = &a->rows[k], *y = &b->rows[k];
        same = x->kind == y->kind && x->body == y->body && x->i == y->i && x->j == y->j && x->axis == y->axis;
    }
    return same;
}

void rbv_natural_adopt_layout(RbvCoordinates *c, const RbvCoordinates *layout) {
    const RbvNatural *to = rbv_natural_of(c), *from = rbv_natural_of(layout);
    memcpy(to->basics, from->basics, (size_t)to->basic_count * sizeof *to->basics);
    memcpy(to->uses, from->uses, (size_t)to->use_count * sizeof *to->uses);
    memcpy(to->bodies, from->bodies, (size_t)c->bodies->count * sizeof *to->bodies);
    memcpy(to->rows, from->rows, (size_t)to->row_count * sizeof *to->rows);
    memcpy(to->numbers, from->numbers, (size_t)to->number_count * sizeof *to->numbers);
}
