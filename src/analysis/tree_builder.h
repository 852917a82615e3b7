/* The tree of a model while it is laid out: what tree.c makes and linkage.c closes. Private to src/analysis. */
#ifndef RBV_ANALYSIS_TREE_BUILDER_H
#define RBV_ANALYSIS_TREE_BUILDER_H

#include <roberval/tree.h>

#include "coordinates/joint_tree.h"
#include "model/model.h"

/* A frame in that of its body in the model. */
typedef struct RbvPlace {
    RbvMat3 A;
    RbvVec3 p;
} RbvPlace;

typedef struct RbvTreeBuilder {
    const RbvModel *model;
    RbvDiagnostics *diagnostics;
    RbvArena arena;
    RbvJointTree tree_joints;
    RbvTreeBody *bodies;
    const char **coordinates; /* by numbers of q */
    int32_t count, nq;
    RbvPlace *frame;     /* [model's bodies] of its body in the tree */
    int32_t *index;      /* [model's bodies] in the tree; ground -1 */
    bool *is_tree_joint; /* [joints] */
    bool closed;         /* joints may close loops */
    bool *cut;           /* [joints] they are no tree joints */
    bool *closes;        /* [joints] those that do */
    int32_t *driven, nv; /* [drives] the number of v that each drives; -1: not found. How many numbers of v there are */
    uint8_t *damps;      /* [loads] coordinates of a joint's damping that have been taken up */
    double *start;       /* by numbers of q: of the starting poses */
    bool no_memory, wrong;
} RbvTreeBuilder;

/* Said: a tree, or a linkage, cannot have it; `format` with two names. */
void rbv_tree_builder_refuse(RbvTreeBuilder *p, RbvPosition where, const char *format, const char *name,
                             const char *kind);

/* The tree of a builder whose model, diagnostics and `closed` are set; arrays are of its arena. */
RbvStatus rbv_tree_builder_grow(RbvTreeBuilder *p, RbvTree **tree);
/* Has the model bodies, and is it whole? */
RbvStatus rbv_tree_builder_check(const RbvModel *model, RbvDiagnostics *diagnostics);

/* What drives and joints' damping add to a coordinate: rotors, damping; dampings that are taken up are marked. */
typedef struct RbvCoordinateOwn {
    double rotor, damping;
} RbvCoordinateOwn;
RbvCoordinateOwn rbv_tree_builder_own(RbvTreeBuilder *p, int32_t measure);
/* The measure of a coordinate of a joint; -1: nobody asks for it. */
int32_t rbv_tree_builder_measure(const RbvTreeBuilder *p, int32_t joint, int direction);

RbvMat3 rbv_mat3_transposed_product(const RbvMat3 *A, const RbvMat3 *B);
const RbvBody *rbv_marker_body(const RbvModel *model, int32_t marker);
RbvPlace rbv_marker_in_body(const RbvModel *model, int32_t marker);
/* A joint that holds a single direction holds it at a value: the first marker's place is moved by it, or the second
 * marker's axes are turned back by it (in the plane). */
void rbv_hold_at_value(const RbvModel *model, const RbvJoint *joint, RbvPlace *first, RbvPlace *second);
/* Of a screw in the starting poses: z where its angle is 0; *angle: what it is. */
double rbv_screw_phase(const RbvModel *model, const RbvJoint *joint, double *angle);

#endif
