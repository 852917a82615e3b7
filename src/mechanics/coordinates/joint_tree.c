/* Builds the tree of joint coordinates: a heaviest spanning tree by Prim's method from ground, the weight of a joint
 * being the number of rows that it saves as a tree joint; see joint_tree.h. */
#include "mechanics/coordinates/joint_tree.h"

#include <stdlib.h>
#include <string.h>

#define TRANSLATIONS (RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_Z)

/* A joint by which a body could be added to the tree. */
typedef struct Way {
    int32_t weight, depth, joint, body, parent;
} Way;

typedef struct Growth {
    const RbvModel *model;
    const bool *cut, *base;
    bool *passing;     /* [joints] joints with conditions */
    int32_t *first;    /* [bodies + 1] first joint of each body in `touching` */
    int32_t *touching; /* [2 joints] joints by the bodies that they touch */
    Way *heap;
    int32_t waiting;
    bool *reached; /* [bodies] already in the tree */
    RbvJointTree *tree;
} Growth;

static bool turns(const RbvModel *model, int32_t body) {
    const RbvBody *b = &model->bodies.items[body];
    return !b->particle && b->generalized == 0;
}

static int32_t bits(uint8_t mask) {
    int32_t count = 0;
    for (; mask; mask &= (uint8_t)(mask - 1))
        count++;
    return count;
}

/* Mask of directions that a tree joint keeps when it carries `body`; a particle has no rotations to lock. */
static uint8_t held_by(const RbvModel *model, const RbvJoint *joint, int32_t body) {
    if (!turns(model, body))
        return joint->locks & TRANSLATIONS;
    return joint->locks | (joint->extra == RBV_EXTRA_SQUARE || joint->extra == RBV_EXTRA_SCREW ? RBV_KEPT_EXTRA : 0);
}

/* True if joint k can be a tree joint. */
static bool is_tree_joint(const Growth *g, int32_t k) {
    const RbvJoint *joint = &g->model->joints.items[k];
    if (!rbv_forms[joint->form].directions || joint->unilateral || g->passing[k] || (g->cut && g->cut[k]))
        return false;
    for (int side = 0; side < 2; side++)
        if (g->model->bodies.items[g->model->markers.items[joint->marker[side]].body].generalized > 0)
            return false;
    /* In space, a joint that locks only one rotation is not a tree joint. */
    int32_t locked = bits(joint->locks & RBV_DIRECTIONS_TURNS);
    return !joint->spatial || (locked != 1 && (joint->extra != RBV_EXTRA_SQUARE || locked == 0));
}

static bool is_before(const Way *a, const Way *b) {
    if (a->weight != b->weight)
        return a->weight > b->weight;
    if (a->depth != b->depth)
        return a->depth < b->depth;
    return a->joint != b->joint ? a->joint < b->joint : a->body < b->body;
}

static void push_way(Growth *g, Way frame) {
    int32_t k = g->waiting++;
    for (; k > 0 && is_before(&frame, &g->heap[(k - 1) / 2]); k = (k - 1) / 2)
        g->heap[k] = g->heap[(k - 1) / 2];
    g->heap[k] = frame;
}

static Way pop_way(Growth *g) {
    Way top = g->heap[0], last = g->heap[--g->waiting];
    int32_t k = 0;
    for (;;) {
        int32_t child = 2 * k + 1;
        if (child + 1 < g->waiting && is_before(&g->heap[child + 1], &g->heap[child]))
            child++;
        if (child >= g->waiting || !is_before(&g->heap[child], &last))
            break;
        g->heap[k] = g->heap[child];
        k = child;
    }
    g->heap[k] = last;
    return top;
}

static int32_t body_at(const RbvModel *model, const RbvJoint *joint, int side) {
    return model->markers.items[joint->marker[side]].body;
}

/* Lists the joints of each body, and marks joints with conditions. */
static void list_joints(Growth *g) {
    const RbvModel *model = g->model;
    memset(g->first, 0, ((size_t)model->bodies.count + 2) * sizeof *g->first);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t k = 0; k < model->joints.count; k++)
            for (int side = 0; side < 2; side++) {
                int32_t body = body_at(model, &model->joints.items[k], side);
                if (pass == 0)
                    g->first[body + 2]++;
                else
                    g->touching[g->first[body + 1]++] = k;
            }
        for (int32_t b = 0; pass == 0 && b < model->bodies.count; b++)
            g->first[b + 2] += g->first[b + 1];
    }
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_JOINT)
            g->passing[model->conditions.items[k].index] = true;
}

/* Adds to the heap the joints from a body of the tree to bodies outside it. */
static void look_around(Growth *g, int32_t body) {
    for (int32_t e = g->first[body]; e < g->first[body + 1]; e++) {
        int32_t k = g->touching[e];
        const RbvJoint *joint = &g->model->joints.items[k];
        int32_t other = body_at(g->model, joint, body_at(g->model, joint, 0) == body);
        if (g->reached[other] || other == body || !is_tree_joint(g, k))
            continue;
        uint8_t held = held_by(g->model, joint, other);
        if (held)
            push_way(g, (Way){bits(held), g->tree->tree_joints[body].depth + 1, k, other, body});
    }
}

/* Chooses the numbers of a tree joint: free translations and rotations. */
static void chart(const RbvModel *model, int32_t body, RbvJointTreeJoint *tree_joint) {
    const bool spatial = model->space == RBV_SPATIAL;
    const RbvJoint *joint = tree_joint->joint >= 0 ? &model->joints.items[tree_joint->joint] : NULL;
    uint8_t locks = joint ? joint->locks : 0;
    uint8_t all = spatial ? TRANSLATIONS : RBV_DIRECTION_X | RBV_DIRECTION_Y;
    tree_joint->screw = joint && joint->extra == RBV_EXTRA_SCREW && turns(model, body);
    for (int d = 0; d < 3 && !tree_joint->scalar && !tree_joint->screw; d++)
        if (all & ~locks & (1 << d))
            tree_joint->slide[tree_joint->slides++] = (int8_t)d;
    if (tree_joint->scalar)
        tree_joint->slides = 1;
    if (!turns(model, body))
        return;
    uint8_t free = (uint8_t)(~locks & (spatial ? RBV_DIRECTIONS_TURNS : RBV_DIRECTION_RZ));
    if (joint && joint->extra == RBV_EXTRA_SQUARE) {
        tree_joint->turn = RBV_TREE_JOINT_CROSS;
        tree_joint->turns = 2;
    } else if (bits(free) == 1) {
        tree_joint->turn = RBV_TREE_JOINT_AXIS;
        tree_joint->axis = free == RBV_DIRECTION_RX ? 0 : 2;
        if (free == RBV_DIRECTION_RY)
            tree_joint->axis = 1;
        tree_joint->turns = 1;
    } else if (free) {
        tree_joint->turn = RBV_TREE_JOINT_BALL;
        tree_joint->turns = 3;
    }
    bool held_in_plane = !spatial && tree_joint->turn == RBV_TREE_JOINT_NO_TURN;
    if (tree_joint->turn != RBV_TREE_JOINT_BALL)
        tree_joint->wholes = (int8_t)(tree_joint->turns + (tree_joint->screw || held_in_plane ? 1 : 0));
}

double rbv_tree_joint_lead(const RbvModel *model, const RbvJointTreeJoint *tree_joint) {
    return tree_joint->screw ? model->joints.items[tree_joint->joint].sizes->pitch / RBV_TWO_PI : 0;
}

/* Adds a body to the tree, at index `positions` of the order. Bodies without a joint to the tree come last, so that
 * bodies joined to them follow. */
static void hang(Growth *g, Way frame, int32_t positions) {
    const RbvModel *model = g->model;
    RbvJointTreeJoint *tree_joint = &g->tree->tree_joints[frame.body];
    *tree_joint =
        (RbvJointTreeJoint){.parent = frame.parent, .joint = frame.joint, .depth = frame.depth, .whole = -1, .sign = 1};
    tree_joint->scalar = model->bodies.items[frame.body].generalized > 0;
    if (frame.joint >= 0) {
        const RbvJoint *joint = &model->joints.items[frame.joint];
        tree_joint->sign = body_at(model, joint, 1) == frame.body ? 1 : -1;
        g->tree->kept[frame.joint] = held_by(model, joint, frame.body);
    }
    chart(model, frame.body, tree_joint);
    g->tree->order[positions] = frame.body;
    g->reached[frame.body] = true;
    look_around(g, frame.body);
}

static void number(const RbvModel *model, RbvJointTree *tree) {
    for (int32_t n = 1; n < model->bodies.count; n++) {
        RbvJointTreeJoint *tree_joint = &tree->tree_joints[tree->order[n]];
        tree_joint->column = tree->size;
        tree_joint->position = tree->positions;
        tree->size += tree_joint->slides + tree_joint->turns;
        tree->positions += tree_joint->slides + (tree_joint->turn == RBV_TREE_JOINT_BALL ? 4 : tree_joint->turns);
    }
    for (int32_t n = 1; n < model->bodies.count; n++) {
        RbvJointTreeJoint *tree_joint = &tree->tree_joints[tree->order[n]];
        if (tree_joint->wholes > 0) {
            tree_joint->whole = tree->positions;
            tree->positions += tree_joint->wholes;
        }
    }
}

static void grow(Growth *g) {
    const int32_t bodies = g->model->bodies.count;
    g->tree->tree_joints[0] = (RbvJointTreeJoint){.parent = 0, .joint = -1, .whole = -1, .sign = 1};
    g->tree->order[0] = 0;
    g->reached[0] = true;
    int32_t positions = 1;
    for (int32_t b = 1; g->base && b < bodies; b++)
        if (g->base[b])
            hang(g, (Way){0, 1, -1, b, 0}, positions++);
    look_around(g, 0);
    for (int32_t next = 1; positions < bodies;) {
        Way frame = {0, 1, -1, next, 0};
        if (g->waiting > 0)
            frame = pop_way(g);
        else
            next++;
        if (!g->reached[frame.body])
            hang(g, frame, positions++);
    }
}

bool rbv_joint_tree_create(const RbvModel *model, const bool *cut, const bool *base, RbvArena *arena,
                           RbvJointTree *tree) {
    size_t bodies = (size_t)model->bodies.count + 2, joints = (size_t)model->joints.count + 1;
    *tree = (RbvJointTree){rbv_arena_array(arena, bodies, sizeof *tree->order),
                           rbv_arena_array(arena, bodies, sizeof *tree->tree_joints),
                           rbv_arena_array(arena, joints, sizeof *tree->kept), 0, 0};
    Growth g = {.model = model, .cut = cut, .base = base, .tree = tree};
    g.passing = calloc(joints, sizeof *g.passing);
    g.first = calloc(bodies + 1, sizeof *g.first);
    g.touching = calloc(2 * joints, sizeof *g.touching);
    g.heap = calloc(2 * joints, sizeof *g.heap);
    g.reached = calloc(bodies, sizeof *g.reached);
    bool good =
        tree->order && tree->tree_joints && tree->kept && g.passing && g.first && g.touching && g.heap && g.reached;
    if (good) {
        memset(tree->kept, 0, joints);
        list_joints(&g);
        grow(&g);
        number(model, tree);
    }
    free(g.passing);
    free(g.first);
    free(g.touching);
    free(g.heap);
    free(g.reached);
    return good;
}
