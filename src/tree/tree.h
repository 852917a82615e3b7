/* The compiled tree: a chain of elementary links, parents before children, each with its axis along z, all constants
 * folded. Private to src/tree.
 *
 * A link's frame is its joint's frame (at p in the parent link's frame, axes R: u_parent = R u_joint) moved by its
 * joint:
 *
 *   turn   rotation by the angle q + angle0 about z                 slide   translation by q along z
 *   screw  both: rotation by q, translation by pitch q              ball    rotation by a quaternion
 *   fixed  none
 *
 * The x axes are free: those of a link are laid perpendicular to its own z and to that of the turning link that comes
 * next, whose R is then a rotation about x alone (Denavit and Hartenberg's choice). Joints of several freedoms are
 * chains of these, the links but the last without mass; a body is the last of its links. A body's own frame B may be
 * turned in that of its link: u_B = A u_link.
 */
#ifndef RBV_TREE_TREE_H
#define RBV_TREE_TREE_H

#include <roberval/tree.h>

#include "base/arena.h"
#include "base/index_table.h"
#include "linalg/vec3.h"

typedef enum RbvLinkKind { RBV_LINK_TURN, RBV_LINK_SLIDE, RBV_LINK_SCREW, RBV_LINK_BALL, RBV_LINK_FIXED } RbvLinkKind;

/* A distribution of mass by its moments, in a link's axes. */
typedef struct RbvTreeMass {
    double m;    /* [kg] */
    double h[3]; /* [kg m] first moments: m times the centre of mass */
    double S[6]; /* [kg m^2] second moments about the origin, integral of r r^T dm: xx xy xz yy yz zz */
} RbvTreeMass;

typedef struct RbvTreeLink {
    double R[9];   /* row-major: u_parent = R u_joint */
    double p[3];   /* [m] in the parent's frame */
    double pitch;  /* [m/rad] of a screw */
    double angle0; /* [rad] of a turn and a screw: their angle is q + angle0 */
    RbvLinkKind kind;
    int32_t parent; /* link; -1: the ground */
    int32_t body;
    int32_t q, v;   /* first number in q and in v: of the link that is followed, where this mimics; -1: none */
    int32_t column; /* number of its first freedom among those of all links */
    int32_t angle;  /* number among the angles whose sines are wanted; -1: none */
    int32_t saved;  /* slot where its motion is kept for children that do not come next; -1: none needed */
    bool chained;   /* the parent is the link before it */
    bool about_x;   /* R is a rotation about x: cosine R[4], sine R[7] */
    bool massless;
    bool own;  /* of RbvTreeOwn something is not trivial */
    bool adds; /* inward sweep (from the last link to the first): its v has been written before by another link */
    bool last; /* of its body */
} RbvTreeLink;

/* What the sweeps of inverse dynamics read of a link: a line of cache for both, and one more outward. In a deep tree
 * the time is that of memory. */
typedef struct RbvTreeSweep {
    double cosine, sine; /* of the link's R where it is a rotation about x */
    double p[3];
    double angle0;
    int32_t q, v, angle; /* as of the link */
    unsigned kind : 3, chained : 1, ground : 1, about_x : 1, own : 1, adds : 1, last : 1,
        branches : 1; /* branches: its motion is kept */
} RbvTreeSweep;

/* The lumped mass of a turning link, whose other moments are zero. */
typedef struct RbvTreeMoments {
    double h[2], S[5], none;
} RbvTreeMoments;

/* What a joint has of its own, by links. q of the link = ratio * q[] + offset, ratio 1 and offset 0 where it mimics
 * none. */
typedef struct RbvTreeOwn {
    double ratio, offset;
    double rotor[3], damping[3], friction[3]; /* by freedoms */
} RbvTreeOwn;

struct RbvTree {
    RbvArena arena;
    int32_t body_count, link_count, angle_count, saved_count, column_count, nq, nv;
    bool mimics;             /* some joint mimics another */
    bool chain;              /* each link hangs on the one before it: all freedoms are on one way to the ground */
    RbvTreeBody *body;       /* [body_count] as given, names ours */
    RbvTreeLink *link;       /* [link_count] */
    RbvTreeSweep *sweep;     /* [link_count], each in a line of cache of its own, as moments */
    RbvTreeMoments *moments; /* [link_count] */
    RbvTreeOwn *own;         /* [link_count] */
    RbvTreeMass *mass;       /* [link_count] */
    RbvTreeMass *lumped;   /* [link_count] masses that give the same efforts (not the same reactions): what lies on the
                              axis of a turning link is its parent's, and all of a fixed link: see mass.c */
    int32_t *first, *last; /* [body_count] links of a body */
    double (*axes)[9];     /* [body_count] A: u_body = A u_link, row-major */
    bool *turned;          /* [body_count] A is not the identity */
    int32_t *angle_link;   /* [angle_count] */
    int32_t *body_q, *body_v; /* [body_count] -1: none */
    int32_t *v_body;          /* [nv] */
    const char **coordinates; /* [nq] NULL: the tree comes from no model */
    RbvIndexTable names;
    double gravity[3];
};

/* How many freedoms a link has, and how many numbers of q. */
static inline int32_t rbv_link_freedoms(RbvLinkKind kind) {
    return kind == RBV_LINK_FIXED ? 0 : kind == RBV_LINK_BALL ? 3 : 1;
}
static inline int32_t rbv_link_numbers(RbvLinkKind kind) {
    return kind == RBV_LINK_FIXED ? 0 : kind == RBV_LINK_BALL ? 4 : 1;
}

/* The numbers of q and v of a kind of joint. */
int32_t rbv_tree_joint_numbers(RbvTreeJoint joint);
int32_t rbv_tree_joint_freedoms(RbvTreeJoint joint);

/* Messages about bodies[index] of a table, its mass, centre and inertia alone, and about what the joints of a good
 * table mimic; false: something is wrong. */
bool rbv_tree_check_body(const RbvTreeBody *bodies, int32_t index, RbvDiagnostics *diagnostics);
bool rbv_tree_check_mass(const RbvTreeBody *body, int32_t index, RbvDiagnostics *diagnostics);
bool rbv_tree_check_mimics(const RbvTreeBody *bodies, int32_t count, RbvDiagnostics *diagnostics);

/* Mass, centre and inertia of a body into its last link; then, all bodies done, the lumped masses. */
void rbv_tree_fold_mass(RbvTree *tree, int32_t body);
void rbv_tree_lump_masses(RbvTree *tree);

/* Names of the numbers of q, [nq], copied. False: no memory. */
bool rbv_tree_name_coordinates(RbvTree *tree, const char *const *names);

/* way and moments from links and lumped masses. */
void rbv_tree_fill_sweep(RbvTree *tree);

/* How many links a kind of joint is. */
int32_t rbv_tree_links_of(RbvTreeJoint joint);

/* Links of all bodies; sizes are set, arrays of links allotted. False: no memory. */
bool rbv_tree_compile(RbvTree *tree);

#endif
