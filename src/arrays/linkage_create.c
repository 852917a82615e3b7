/* Creates linkages: closings in the axes of links, paths between their bodies, driven and free coordinates. */
#include "arrays/linkage.h"
#include "core/base/diagnostics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Checks the caller's closings and driven coordinates of a linkage. */

#define ALL_HOLDS 1023u
#define PLACE (RBV_HOLD_X | RBV_HOLD_Y | RBV_HOLD_Z)

static bool wrong(RbvDiagnostics *diagnostics, const char *what, int32_t index, const char *why) {
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "%s %d of the linkage: %s", what, (int)index, why);
    return false;
}

/* Contradiction of holds and drives as text; NULL: none. */
static const char *contradiction(uint32_t holds, uint32_t drives) {
    const uint32_t turns = RBV_HOLD_AXES | RBV_HOLD_TURN | RBV_HOLD_CROSS | RBV_HOLD_EQUAL;
    if ((holds == 0 && drives == 0) || holds > ALL_HOLDS ||
        ((holds & RBV_HOLD_CROSS) && (holds & (turns & ~(uint32_t)RBV_HOLD_CROSS))))
        return "it holds nothing, or what no joint holds (AXES and CROSS contradict each other)";
    if ((holds & RBV_HOLD_EQUAL) && (holds & ((turns | RBV_HOLD_SCREW) & ~(uint32_t)RBV_HOLD_EQUAL)))
        return "EQUAL speeds of shafts go with no other hold on turns";
    if ((holds & RBV_HOLD_SCREW) && (!(holds & RBV_HOLD_AXES) || (holds & (RBV_HOLD_Z | RBV_HOLD_TURN))))
        return "a SCREW has parallel AXES, and Z and TURN are free";
    if ((holds & RBV_HOLD_DISTANCE) && (holds & PLACE))
        return "a DISTANCE goes with none of X, Y and Z";
    if ((holds & RBV_HOLD_TEETH) && (holds != RBV_HOLD_TEETH || drives))
        return "TEETH hold nothing else";
    if ((drives & ~(uint32_t)(PLACE | RBV_HOLD_TURN | RBV_HOLD_DISTANCE)) || (drives & holds) ||
        ((drives & RBV_HOLD_TURN) && (holds & (RBV_HOLD_EQUAL | RBV_HOLD_CROSS))))
        return "it drives what it holds, or what is no coordinate of a closing: X, Y, Z, DISTANCE, or the TURN about "
               "parallel axes";
    return NULL;
}

static bool check_sizes(const RbvTree *tree, const RbvClosing *c, int32_t index, RbvDiagnostics *diagnostics) {
    if ((c->holds & RBV_HOLD_SCREW) && !(fabs(c->pitch) > 0 && isfinite(c->pitch)))
        return wrong(diagnostics, "closing", index, "the pitch of a screw is finite and not zero");
    if ((c->holds & RBV_HOLD_DISTANCE) && !(c->distance > 0 && isfinite(c->distance)))
        return wrong(diagnostics, "closing", index, "the distance that it holds is finite and positive");
    for (int k = 0; k < RBV_CLOSING_COORDINATES; k++) {
        if (!(c->damping[k] >= 0 && c->rotor[k] >= 0 && isfinite(c->damping[k]) && isfinite(c->rotor[k])))
            return wrong(diagnostics, "closing", index, "damping and rotors are finite and not negative");
        if (c->rotor[k] > 0 && !(c->drives & rbv_linkage_bit(k)))
            return wrong(diagnostics, "closing", index, "it has a rotor on a coordinate that is not driven");
    }
    const RbvTeeth *t = &c->teeth;
    if ((c->holds & RBV_HOLD_TEETH) &&
        (t->carrier < -1 || t->carrier >= tree->body_count || !rbv_all_finite(t->line, 6) ||
         !rbv_all_finite(t->beside, 6) || !rbv_all_finite(t->apart, 6) || !rbv_all_finite(t->constant, 6) ||
         !isfinite(t->phase)))
        return wrong(diagnostics, "closing", index,
                     "its teeth have a carrier that the tree has not, or numbers that are not finite");
    return true;
}

static bool check_closing(const RbvTree *tree, const RbvClosing *c, int32_t index, RbvDiagnostics *diagnostics) {
    for (int side = 0; side < 2; side++) {
        if (c->body[side] < -1 || c->body[side] >= tree->body_count)
            return wrong(diagnostics, "closing", index, "it names a body that the tree has not");
        const double *t = c->turn[side];
        if (!rbv_all_finite(c->place[side], 3) || !rbv_all_finite(t, 4) ||
            (t[0] == 0 && t[1] == 0 && t[2] == 0 && t[3] == 0))
            return wrong(diagnostics, "closing", index, "the place or the quaternion of a frame is not finite or zero");
    }
    if (c->body[0] == c->body[1])
        return wrong(diagnostics, "closing", index, "it is between a body and itself");
    const char *why = contradiction(c->holds, c->drives);
    return why ? wrong(diagnostics, "closing", index, why) : check_sizes(tree, c, index, diagnostics);
}

static bool check_driven(const RbvTree *tree, int32_t coordinates, int32_t count, const int32_t *driven,
                         RbvDiagnostics *diagnostics) {
    int32_t found = 0;
    for (int32_t k = 0; k < count; k++) {
        if (driven[k] < 0 || driven[k] >= tree->nv + coordinates)
            return wrong(diagnostics, "driven number", k,
                         "the tree has no such index of v, and the closings no such driven coordinate");
        for (int32_t e = 0; e < k; e++)
            if (driven[e] == driven[k])
                return wrong(diagnostics, "driven number", k, "it is driven twice");
        if (driven[k] >= tree->nv) {
            found++;
            continue;
        }
        int32_t body = tree->v_body[driven[k]];
        RbvTreeJoint joint = tree->body[body].joint;
        if (joint == RBV_TREE_SPHERICAL || (joint == RBV_TREE_FREE && driven[k] - tree->body_v[body] > 2))
            return wrong(diagnostics, "driven number", k,
                         "it is a part of an angular velocity, whose position is a quaternion");
    }
    return found == coordinates || wrong(diagnostics, "driven number", count,
                                         "it is missing: a closing has a driven coordinate that is not among them");
}

static int32_t bits(uint32_t mask) {
    int32_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* Number of rows of a closing. */
static int32_t linkage_rows_of(uint32_t holds, uint32_t drives) {
    return bits(holds) + (holds & RBV_HOLD_AXES ? 1 : 0) + bits(drives); /* AXES has two rows */
}

/* Check the caller's table; errors go to diagnostics. */
static bool linkage_check(const RbvTree *tree, int32_t count, const RbvClosing *closings, int32_t driven_count,
                          const int32_t *driven, RbvDiagnostics *diagnostics) {
    bool good = true;
    int32_t coordinates = 0;
    for (int32_t k = 0; k < count; k++) {
        good = check_closing(tree, closings + k, k, diagnostics) && good;
        coordinates += bits(closings[k].drives);
    }
    return check_driven(tree, coordinates, driven_count, driven, diagnostics) && good;
}

#define MOST_NUMBERS 125000000 /* most entries of the factors of C: 1 GB */

/* Index in q of a component of v; -1: none of its own (quaternions). */
static int32_t q_of(const RbvTree *tree, int32_t v) {
    int32_t body = tree->v_body[v], f = v - tree->body_v[body];
    RbvTreeJoint joint = tree->body[body].joint;
    return joint == RBV_TREE_SPHERICAL || (joint == RBV_TREE_FREE && f > 2) ? -1 : tree->body_q[body] + f;
}

/* Index of each component of v among the driven, or among the free coordinates. */
static bool number_free(RbvLinkage *l, int32_t driven_count, const int32_t *driven) {
    l->driven_of = rbv_arena_array(&l->arena, (size_t)l->tree->nv, sizeof *l->driven_of);
    l->free_of = rbv_arena_array(&l->arena, (size_t)l->tree->nv, sizeof *l->free_of);
    if (!l->driven_of || !l->free_of)
        return false;
    l->simple = true;
    for (int32_t v = 0; v < l->tree->nv; v++)
        l->driven_of[v] = l->free_of[v] = -1;
    for (int32_t k = 0; k < driven_count; k++) {
        bool own = driven[k] < l->tree->nv;
        l->driven[k] = driven[k];
        l->driven_q[k] = own ? q_of(l->tree, driven[k]) : -1;
        if (own)
            l->driven_of[driven[k]] = k;
    }
    for (int32_t v = 0; v < l->tree->nv; v++) {
        if (l->driven_of[v] >= 0)
            continue;
        l->free_of[v] = l->free_count;
        l->free[l->free_count] = v;
        l->free_q[l->free_count] = q_of(l->tree, v);
        l->simple = l->simple && l->free_q[l->free_count] >= 0;
        l->free_count++;
    }
    return true;
}

/* Add the freedoms of each body's path to the ground that are not on the path of the other body. Steps NULL: only
 * count. */
static int32_t add_steps(const RbvTree *tree, const int32_t link[2], RbvLinkageStep *steps) {
    int32_t count = 0, at[2] = {link[0], link[1]};
    while (at[0] != at[1]) { /* parents stand before children: the later of the two links is not on the other's path */
        int side = at[0] > at[1] ? 0 : 1;
        const RbvTreeLink *j = tree->link + at[side];
        for (int32_t f = 0; f < rbv_link_freedoms(j->kind); f++, count++)
            if (steps)
                steps[count] = (RbvLinkageStep){at[side],
                                                j->column + f,
                                                j->kind == RBV_LINK_BALL ? -1 : j->q,
                                                j->v + f,
                                                -1,
                                                (side ? 1 : -1) * tree->own[at[side]].ratio};
        at[side] = j->parent;
    }
    return count;
}

static void fold_frame(const RbvTree *tree, const RbvClosing *from, int side, RbvLinkageClosing *c) {
    const double *t = from->turn[side], *p = from->place[side];
    RbvMat3 F = rbv_mat3_of_quat(rbv_quat_normalised((RbvQuat){t[0], {t[1], t[2], t[3]}}));
    static const double same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *A = from->body[side] < 0 ? same : tree->axes[from->body[side]];
    for (int e = 0; e < 3; e++) {
        c->place[side][e] = A[e] * p[0] + A[3 + e] * p[1] + A[6 + e] * p[2];
        for (int k = 0; k < 3; k++)
            c->axes[side][3 * e + k] = A[e] * F.column[k].x + A[3 + e] * F.column[k].y + A[6 + e] * F.column[k].z;
    }
    c->link[side] = from->body[side] < 0 ? -1 : tree->last[from->body[side]];
}

/* Columns of each block: the components of v of its steps, each once. */
static bool add_entries(RbvLinkage *l) {
    RbvArena arena = {0};
    int32_t *seen = rbv_arena_array(&arena, (size_t)l->tree->nv, sizeof *seen),
            *at = rbv_arena_array(&arena, (size_t)l->tree->nv, sizeof *at);
    for (int32_t k = 0; seen && at && k < l->block_count; k++) {
        RbvLinkageBlock *b = l->block + k;
        b->entry = l->entry_count, b->values = l->value_count;
        for (int32_t s = b->step; s < b->step + b->steps; s++) {
            int32_t v = l->step[s].v;
            if (seen[v] != k + 1) {
                seen[v] = k + 1, at[v] = b->entries++;
                l->entry[l->entry_count++] = (RbvLinkageEntry){v, l->driven_of[v], l->free_of[v], -1};
                if (l->driven_of[v] >= 0)
                    l->drive[l->drive_count++] =
                        (RbvLinkageDrive){l->driven_of[v], b->row, b->rows, b->values + (ptrdiff_t)b->rows * at[v]};
            }
            l->step[s].entry = at[v];
        }
        l->value_count += (ptrdiff_t)b->rows * b->entries;
    }
    bool good = seen && at;
    rbv_arena_clear(&arena);
    return good;
}

static double length3(const double *u) {
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

/* Weights of coordinates: distances are divided by the size of the linkage. */
static bool weigh(RbvLinkage *l) {
    for (int32_t k = 0; k < l->count; k++) {
        RbvLinkageClosing *c = l->closing + k;
        c->reach = length3(c->place[0]) + length3(c->place[1]);
        for (int32_t s = l->block[k].step; s < l->block[k].step + l->block[k].steps; s++)
            c->reach +=
                length3(l->tree->link[l->step[s].link].p) + (l->tree->link[l->step[s].link].kind == RBV_LINK_SLIDE
                                                                 ? l->length
                                                                 : 0); /* the sliding distance is not known */
    }
    l->weight = rbv_arena_array(&l->arena, (size_t)l->tree->nv + (size_t)l->coordinate_count, sizeof *l->weight);
    for (int32_t k = 0; l->weight && k < l->tree->link_count; k++) {
        const RbvTreeLink *j = l->tree->link + k;
        for (int32_t f = 0; f < rbv_link_freedoms(j->kind); f++)
            l->weight[j->v + f] = j->kind == RBV_LINK_SLIDE ? 1 / l->length : 1;
    }
    for (int32_t n = 0, at = l->tree->nv; l->weight && n < l->count; n++)
        for (int k = 0; k < RBV_CLOSING_COORDINATES; k++)
            if (l->closing[n].drives & rbv_linkage_bit(k))
                l->weight[at++] = k == RBV_CLOSING_TURN ? 1 : 1 / l->length;
    return l->weight;
}

static void fold_holds(RbvLinkage *l, const RbvClosing *from, RbvLinkageClosing *c) {
    c->holds = from->holds, c->drives = from->drives, c->pitch = from->pitch, c->distance = from->distance;
    for (int k = 0; k < RBV_CLOSING_COORDINATES; k++) {
        c->damping[k] = (c->drives | c->holds) & rbv_linkage_bit(k) ? 0 : from->damping[k];
        c->damped = c->damped || c->damping[k] != 0;
    }
    l->damped = l->damped || c->damped;
    c->turns = (c->holds & ~(uint32_t)(RBV_HOLD_X | RBV_HOLD_Y | RBV_HOLD_Z | RBV_HOLD_DISTANCE)) ||
               (c->drives & RBV_HOLD_TURN) || c->damping[RBV_CLOSING_TURN] != 0;
}

/* Transform the wrenches of teeth into the axes of the carrier's link. Order in bodies: force, torque; in links:
 * torque, force. */
static bool fold_teeth(RbvLinkage *l, const RbvClosing *from, RbvLinkageClosing *c, int32_t steps) {
    static const double same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const RbvTeeth *t = &from->teeth;
    const double *wrench[4] = {t->line, t->beside, t->apart, t->constant};
    if (!(from->holds & RBV_HOLD_TEETH))
        return true;
    const double *A = t->carrier < 0 ? same : l->tree->axes[t->carrier];
    for (int n = 0; n < 4; n++)
        for (int e = 0; e < 6; e++)
            c->line[n][e] = A[e % 3] * wrench[n][(e + 3) / 3 % 2 * 3] +
                            A[3 + e % 3] * wrench[n][(e + 3) / 3 % 2 * 3 + 1] +
                            A[6 + e % 3] * wrench[n][(e + 3) / 3 % 2 * 3 + 2];
    c->carrier = t->carrier < 0 ? -1 : l->tree->last[t->carrier];
    c->phase = t->phase;
    c->slope = rbv_arena_array(&l->arena, (size_t)steps, sizeof *c->slope);
    return c->slope;
}

/* Closings as blocks of rows. */
static bool add_closings(RbvLinkage *l, const RbvClosing *closings) {
    const RbvTree *tree = l->tree;
    for (int32_t k = 0; k < tree->body_count; k++)
        l->length += length3(tree->body[k].place);
    for (int32_t k = 0; k < l->count; k++) {
        RbvLinkageClosing *c = l->closing + k;
        for (int side = 0; side < 2; side++) {
            fold_frame(tree, closings + k, side, c);
            l->body[2 * k + side] = closings[k].body[side];
            l->length += length3(c->place[side]);
        }
        fold_holds(l, closings + k, c);
        c->row = l->rows, c->held = linkage_rows_of(c->holds, 0), c->rows = linkage_rows_of(c->holds, c->drives),
        l->rows += c->rows;
        l->block[l->block_count++] = (RbvLinkageBlock){
            .row = c->row, .rows = c->rows, .step = l->step_count, .steps = add_steps(tree, c->link, NULL)};
        l->step_count += l->block[k].steps;
        if (!fold_teeth(l, closings + k, c, l->block[k].steps))
            return false;
    }
    if (!(l->length > 0))
        l->length = 1;
    return true;
}

/* Driven coordinates of closings, in their order, with their index among all driven coordinates. */
static bool add_coordinates(RbvLinkage *l, const RbvClosing *closings) {
    l->row_driven = rbv_arena_array(&l->arena, (size_t)l->rows, sizeof *l->row_driven);
    l->coordinate = rbv_arena_array(&l->arena, (size_t)l->driven_count, sizeof *l->coordinate);
    if (!l->row_driven || !l->coordinate)
        return false;
    for (int32_t row = 0; row < l->rows; row++)
        l->row_driven[row] = -1;
    for (int32_t n = 0; n < l->count; n++) {
        int32_t row = l->closing[n].row + l->closing[n].held;
        for (int k = 0; k < RBV_CLOSING_COORDINATES; k++)
            if (l->closing[n].drives & rbv_linkage_bit(k))
                l->coordinate[l->coordinate_count++] =
                    (RbvLinkageCoordinate){-1, row++, closings[n].damping[k], closings[n].rotor[k]};
    }
    for (int32_t k = 0; k < l->driven_count; k++)
        if (l->driven[k] >= l->tree->nv) {
            RbvLinkageCoordinate *c = l->coordinate + (l->driven[k] - l->tree->nv);
            c->driven = k;
            l->row_driven[c->row] = k;
        }
    return true;
}

/* Steps and entries of all blocks. */
static bool add_all_steps(RbvLinkage *l) {
    for (int32_t k = 0; k < l->spin_count; k++) {
        RbvLinkageBlock *b = l->block + l->count + k;
        b->step = l->step_count, b->steps = add_steps(l->tree, (const int32_t[]){-1, l->spin[k].link}, NULL);
        l->step_count += b->steps;
    }
    l->step = rbv_arena_array(&l->arena, (size_t)l->step_count, sizeof *l->step);
    l->entry = rbv_arena_array(&l->arena, (size_t)l->step_count, sizeof *l->entry);
    l->drive = rbv_arena_array(&l->arena, (size_t)l->step_count, sizeof *l->drive);
    if (!l->step || !l->entry || !l->drive)
        return false;
    for (int32_t k = 0; k < l->count; k++)
        add_steps(l->tree, l->closing[k].link, l->step + l->block[k].step);
    for (int32_t k = 0; k < l->spin_count; k++)
        add_steps(l->tree, (const int32_t[]){-1, l->spin[k].link}, l->step + l->block[l->count + k].step);
    return weigh(l) && add_entries(l);
}

static bool copy_names(RbvLinkage *l, const char *const *names) {
    l->names = rbv_arena_array(&l->arena, (size_t)l->count, sizeof *l->names);
    for (int32_t k = 0; l->names && k < l->count; k++)
        if (!(l->names[k] = rbv_arena_copy(&l->arena, names[k], strlen(names[k]))))
            return false;
    return l->names;
}

static bool reserve(RbvLinkage *l, int32_t driven_count) {
    size_t count = (size_t)l->count, nv = (size_t)l->tree->nv;
    l->closing = rbv_arena_array(&l->arena, count, sizeof *l->closing);
    l->body = rbv_arena_array(&l->arena, 2 * count, sizeof *l->body);
    l->block = rbv_arena_array(&l->arena, count + (size_t)l->tree->body_count,
                               sizeof *l->block); /* blocks of closings and of spins */
    l->driven = rbv_arena_array(&l->arena, (size_t)driven_count, sizeof *l->driven);
    l->driven_q = rbv_arena_array(&l->arena, (size_t)driven_count, sizeof *l->driven_q);
    l->free = rbv_arena_array(&l->arena, nv, sizeof *l->free);
    l->free_q = rbv_arena_array(&l->arena, nv, sizeof *l->free_q);
    return l->closing && l->body && l->block && l->driven && l->driven_q && l->free && l->free_q;
}

/* Check that there are enough rows and driven coordinates for all freedoms. */
static bool check_count(const RbvLinkage *l, RbvDiagnostics *diagnostics) {
    if (l->rows >= l->free_count)
        return true;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                 "closings and driven numbers are fewer than the freedoms of the tree: %d rows, of %d freedoms %d are "
                 "driven; %d more drives are missing",
                 (int)l->rows, (int)l->tree->nv, (int)(l->tree->nv - l->free_count), (int)(l->free_count - l->rows));
    return false;
}

static RbvStatus lay_out_linkage(RbvLinkage *l, const RbvClosing *closings, const int32_t *driven,
                                 const char *const *names, RbvDiagnostics *diagnostics) {
    bool wrong = false;
    if (!reserve(l, l->driven_count) || !number_free(l, l->driven_count, driven) || !add_closings(l, closings) ||
        (names && !copy_names(l, names)))
        return RBV_NO_MEMORY;
    if (!rbv_linkage_find_spins(l, l->count, closings, diagnostics, &wrong))
        return wrong ? RBV_BAD_INPUT : RBV_NO_MEMORY;
    if (!check_count(l, diagnostics))
        return RBV_BAD_INPUT;
    if (!add_coordinates(l, closings) || !add_all_steps(l) || !rbv_linkage_make_fronts(l))
        return RBV_NO_MEMORY;
    if (l->QR_count > MOST_NUMBERS) {
        rbv_diagnose(
            diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
            "so many loops go through the same bodies that the equations of their closings take more than 1 GB");
        return RBV_BAD_INPUT;
    }
    return rbv_linkage_teeth_compile(l, diagnostics);
}

RbvStatus rbv_linkage_create_named(const RbvTree *tree, int32_t count, const RbvClosing *closings,
                                   const char *const *names, int32_t driven_count, const int32_t *driven,
                                   RbvDiagnostics *diagnostics, RbvLinkage **out) {
    if (!linkage_check(tree, count, closings, driven_count, driven, diagnostics))
        return RBV_BAD_INPUT;
    RbvLinkage *l = calloc(1, sizeof *l);
    if (!l)
        return RBV_NO_MEMORY;
    l->tree = tree, l->count = count, l->driven_count = driven_count;
    RbvStatus status = lay_out_linkage(l, closings, driven, names, diagnostics);
    if (status != RBV_OK) {
        rbv_linkage_destroy(l);
        return status;
    }
    *out = l;
    return RBV_OK;
}

RbvStatus rbv_linkage_create(const RbvTree *tree, int32_t count, const RbvClosing *closings, int32_t driven_count,
                             const int32_t *driven, RbvDiagnostics *diagnostics, RbvLinkage **out) {
    if (out)
        *out = NULL;
    if (!out || !tree || count < 0 || (count > 0 && !closings) || driven_count < 0 || (driven_count > 0 && !driven))
        return RBV_BAD_ARGUMENT;
    return rbv_linkage_create_named(tree, count, closings, NULL, driven_count, driven, diagnostics, out);
}

void rbv_linkage_destroy(RbvLinkage *linkage) {
    if (!linkage)
        return;
    rbv_arena_clear(&linkage->arena);
    free(linkage);
}

int32_t rbv_linkage_driven_count(const RbvLinkage *linkage) {
    return linkage ? linkage->driven_count : 0;
}
int32_t rbv_linkage_row_count(const RbvLinkage *linkage) {
    return linkage ? linkage->rows : 0;
}

bool rbv_linkage_set_origin(RbvLinkage *l, const double *start) {
    l->start = rbv_arena_array(&l->arena, (size_t)l->tree->nq, sizeof *l->start);
    if (!l->start)
        return false;
    memcpy(l->start, start, (size_t)l->tree->nq * sizeof *start);
    rbv_linkage_teeth_mesh(l, start);
    return true;
}

RbvStatus rbv_linkage_origin(const RbvLinkage *l, double *q) {
    if (!l || !q)
        return RBV_BAD_ARGUMENT;
    if (!l->start)
        return rbv_tree_neutral(l->tree, q);
    memcpy(q, l->start, (size_t)l->tree->nq * sizeof *q);
    return RBV_OK;
}

const char *rbv_linkage_closing_name(const RbvLinkage *l, int32_t index) {
    if (!l || index < 0 || index >= l->count)
        return NULL;
    return l->names ? l->names[index] : "";
}

int32_t rbv_linkage_driven(const RbvLinkage *l, int32_t index) {
    return !l || index < 0 || index >= l->driven_count ? -1 : l->driven[index];
}
