/* The compiled tree: elementary links, parents before children, each with its axis along z and with all constants
 * folded. Private to src/arrays.
 *
 * A link's frame is its joint's frame (origin p in the parent link's frame, axes R: u_parent = R u_joint) moved by its
 * joint:
 *
 *   turn   rotation by the angle q + angle0 about z                 slide   translation by q along z
 *   screw  both: rotation by q, translation by pitch q              ball    rotation by a quaternion
 *   fixed  none
 *
 * The directions of the x axes are free: the x axis of a link is perpendicular to its own z and to that of the next
 * turning link, whose R is then a rotation about x alone (the choice of Denavit and Hartenberg). Joints of several
 * freedoms are chains of elementary links, all but the last massless; a body is the last of its links. A body's own
 * frame may be rotated relative to that of its link: u_body = A u_link. */
#ifndef RBV_ARRAYS_TREE_H
#define RBV_ARRAYS_TREE_H

#include <roberval/tree.h>

#include "core/base/arena.h"
#include "core/base/names.h"
#include "core/linalg/small.h"

#include <math.h>

typedef enum RbvLinkKind { RBV_LINK_TURN, RBV_LINK_SLIDE, RBV_LINK_SCREW, RBV_LINK_BALL, RBV_LINK_FIXED } RbvLinkKind;

/* Mass distribution of a link by its moments, along the link's axes about its origin. */
typedef struct RbvTreeMass {
    double m;    /* [kg] */
    double h[3]; /* [kg m] first moments: m times the position of the centre of mass */
    double S[6]; /* [kg m^2] second moments about the origin, integral of r r^T dm: xx xy xz yy yz zz */
} RbvTreeMass;

typedef struct RbvTreeLink {
    double R[9];   /* row-major: u_parent = R u_joint */
    double p[3];   /* [m] in the parent's frame */
    double pitch;  /* [m/rad] screw only */
    double angle0; /* [rad] turn and screw: the angle is q + angle0 */
    RbvLinkKind kind;
    int32_t parent; /* index of the parent link; -1: the ground */
    int32_t body;
    int32_t q, v;   /* first index in q and in v; for a mimic joint those of the link it follows; -1: none */
    int32_t column; /* index of its first freedom among the freedoms of all links */
    int32_t angle;  /* index among the angles whose sine and cosine are computed; -1: none */
    int32_t saved;  /* slot that keeps its motion for children that are not the next link; -1: none needed */
    bool chained;   /* the parent is the previous link */
    bool about_x;   /* R is a rotation about x: cosine R[4], sine R[7] */
    bool massless;
    bool own;  /* RbvTreeOwn holds a value that is not trivial */
    bool adds; /* inward sweep (from the last link to the first): another link has written the effort at index v before
                */
    bool last; /* last link of its body */
} RbvTreeLink;

/* Turning links with nothing of their own whose motion is not kept for children: of the ground, or of the previous link
 * with R a rotation about x. */
typedef enum RbvTreePlain { RBV_PLAIN_NOT, RBV_PLAIN_FIRST, RBV_PLAIN_NEXT } RbvTreePlain;

/* Data of a link that the sweeps of inverse dynamics read: one cache line for both sweeps, and another one outward. In
 * a deep tree memory access takes most of the time. */
typedef struct RbvTreeSweep {
    double cosine, sine; /* of the link's R if R is a rotation about x */
    double p[3];
    double pitch;
    int32_t q, v, angle; /* as in RbvTreeLink */
    unsigned kind : 3, chained : 1, ground : 1, about_x : 1, own : 1, adds : 1, last : 1,
        branches : 1, /* its motion is kept for children */
        plain : 2;    /* RbvTreePlain */
} RbvTreeSweep;

/* Lumped mass of a turning link, without the moments that are zero. */
typedef struct RbvTreeMoments {
    double h[2], S[5], none;
} RbvTreeMoments;

#define RBV_MOST_LANES 8

/* For one sample, forces of this many links are computed at once, on the lanes of vectors. Number e of link i, of
 * `count` numbers a link, is then at rbv_abreast(i, count) + RBV_ABREAST e. */
#define RBV_ABREAST RBV_MOST_LANES
static inline ptrdiff_t rbv_abreast(int32_t i, int count) {
    return i + (ptrdiff_t)(i & -RBV_ABREAST) * (count - 1);
}

/* Joint data that are often trivial, one entry for each link. q of the link = ratio * q[] + offset; ratio 1 and offset
 * 0 unless the joint mimics another. */
typedef struct RbvTreeOwn {
    double ratio, offset;
    double rotor[3], damping[3], friction[3]; /* for each freedom, in the units of RbvTreeBody */
} RbvTreeOwn;

/* Forward dynamics solves with the mass matrix if joints mimic others, and for so few freedoms that this is faster than
 * articulated bodies (bench/tree.c: 555 against 795 ns for an arm of seven axes). */
#define RBV_DENSE_FREEDOMS 9

struct RbvTree {
    RbvArena arena;
    int32_t body_count, link_count, angle_count, saved_count, column_count, nq, nv;
    bool mimics;         /* one joint at least mimics another */
    bool chain;          /* the parent of each link is the previous link: all freedoms are on one path to the ground */
    bool arm;            /* chain of at most RBV_DENSE_FREEDOMS turning links (arm_kernel.h); fixed ones may follow */
    RbvTreeBody *body;   /* [body_count] as given by the caller, with copied names */
    RbvTreeLink *link;   /* [link_count] */
    RbvTreeSweep *sweep; /* [link_count] aligned to cache lines, like moments */
    RbvTreeMoments *moments; /* [link_count] */
    double *abreast[2];      /* [links / RBV_ABREAST, rounded up][10][RBV_ABREAST] m, h, S of links: lumped, whole */
    RbvTreeOwn *own;         /* [link_count] */
    RbvTreeMass *mass;       /* [link_count] */
    RbvTreeMass *lumped;     /* [link_count] masses that give the same efforts (not the same reactions): the part on the
                                axis of a turning link, and all of a fixed link, is added to the parent (compile.c) */
    int32_t *first, *last;   /* [body_count] first and last link of each body */
    double (*axes)[9];       /* [body_count] A, row-major: u_body = A u_link */
    bool *turned;            /* [body_count] A is not the identity */
    int32_t *angle_link;     /* [angle_count] link of each angle */
    int32_t *angle_q; /* [angle_count + RBV_MOST_LANES] angle = ratio q[] + zero; those behind repeat the last q */
    double *angle_ratio, *angle_zero;
    int32_t *body_q, *body_v; /* [body_count] first index in q and in v; -1: none */
    int32_t *v_body;          /* [nv] body of each component of v */
    const char **coordinates; /* [nq] names of coordinates; NULL: the tree does not come from a model */
    RbvIndexTable names;
    double gravity[3];
};

static inline bool rbv_all_finite(const double *x, int count) {
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

/* Number of freedoms of a link, and number of its components of q. */
static inline int32_t rbv_link_freedoms(RbvLinkKind kind) {
    if (kind == RBV_LINK_FIXED)
        return 0;
    return kind == RBV_LINK_BALL ? 3 : 1;
}
static inline int32_t rbv_link_numbers(RbvLinkKind kind) {
    if (kind == RBV_LINK_FIXED)
        return 0;
    return kind == RBV_LINK_BALL ? 4 : 1;
}

/* Put mass, centre and inertia of a body into its last link; after all bodies, compute the lumped masses. */
void rbv_tree_fold_mass(RbvTree *tree, int32_t body);
void rbv_tree_lump_masses(RbvTree *tree);

/* Set the names of the components of q, [nq], copied. False: out of memory. */
bool rbv_tree_name_coordinates(RbvTree *tree, const char *const *names);

/* Fill sweep and moments from links and lumped masses. */
void rbv_tree_fill_sweep(RbvTree *tree);

/* Number of elementary links of a kind of joint. */
int32_t rbv_tree_links_of(RbvTreeJoint joint);

/* Create the links of all bodies; sets sizes and allocates the arrays of links. False: out of memory. */
bool rbv_tree_compile(RbvTree *tree);

#endif
