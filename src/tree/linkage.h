/* Closed linkages (include/roberval/linkage.h), compiled: rows of closings on columns of links. Private to src/tree.
 *
 * A row is c(q) = 0. Its rate is  w . (motion of the second body - motion of the first),  with motions about O in the
 * ground's axes (ground_kernel.h) and w the row's unit wrench about O. With the columns s of the links on the way
 * between the two bodies this is C v; lambda w is what the first body does to the second.
 */
#ifndef RBV_TREE_LINKAGE_H
#define RBV_TREE_LINKAGE_H

#include <roberval/linkage.h>

#include "tree/kernels.h"

/* A freedom that moves the two bodies of a closing against each other. */
typedef struct RbvLinkageStep {
    int32_t link;
    int32_t column; /* of links */
    int32_t q, v;   /* q -1: it has none of its own */
    int32_t entry;  /* of the block */
    double ratio;   /* of what mimics; negative where it carries the first body */
} RbvLinkageStep;

/* The most threads of one batch. */
enum { RBV_LINKAGE_MOST_THREADS = 64 };

/* Rows that have entries in the same columns: those of a closing. C of the linkage is [entries][rows] of all blocks,
 * one after the other. */
typedef struct RbvLinkageBlock {
    int32_t row, rows;
    int32_t step, steps;
    int32_t entry, entries;
    int32_t front_row; /* where its rows begin in its front */
    ptrdiff_t values;  /* where its entries begin in C */
} RbvLinkageBlock;

/* A column of a block: number of v, its number among the driven ones or the free ones (-1), and its column in the front
 * (of the free ones). */
typedef struct RbvLinkageEntry {
    int32_t v, driven, free, column;
} RbvLinkageEntry;

/* An entry of a driven number: what it does to rows. */
typedef struct RbvLinkageDrive {
    int32_t driven, row, rows;
    ptrdiff_t values;
} RbvLinkageDrive;

/* A step of the elimination (linkage_fronts.c): free numbers that it eliminates, `pivots`, others that the same rows
 * have, and rows: of blocks and what other fronts, its children, leave. */
typedef struct RbvLinkageFront {
    int32_t pivots, others, rows, left; /* left: rows that go on to the parent, in the others' columns */
    int32_t steps;           /* columns that are reflected: pivots, and others where more rows than these are left */
    int32_t reflections;     /* so many reflections: the last of as many rows as steps has nothing to do */
    bool pair;               /* two rows of one block, which two numbers alone feel: a loop of the plane */
    int32_t column;          /* into front_column[pivots + others] */
    int32_t block, blocks;   /* into front_block */
    int32_t child, children; /* into front_child */
    int32_t parent, row;     /* what is left begins at this row of the parent; parent -1: none */
    int32_t place;           /* into front_place[others]: columns of the parent */
    int32_t diagonal;        /* into diagonal, scale [pivots + others], and order [pivots] */
    int32_t y;               /* into y [rows] */
    ptrdiff_t QR;            /* into QR [pivots + others][rows] */
} RbvLinkageFront;

enum { RBV_CLOSING_X, RBV_CLOSING_Y, RBV_CLOSING_Z, RBV_CLOSING_TURN, RBV_CLOSING_DISTANCE, RBV_CLOSING_COORDINATES };

/* The bit of holds and drives that a coordinate has. */
static inline uint32_t rbv_linkage_bit(int coordinate) {
    return coordinate < RBV_CLOSING_TURN    ? (uint32_t)RBV_HOLD_X << coordinate
           : coordinate == RBV_CLOSING_TURN ? RBV_HOLD_TURN
                                            : RBV_HOLD_DISTANCE;
}

typedef struct RbvLinkageClosing {
    int32_t link[2];   /* -1: ground */
    double axes[2][9]; /* of the frames, row-major, in the link's axes */
    double place[2][3];
    uint32_t holds, drives;
    bool turns; /* the axes of the second frame count */
    int32_t row, rows;
    int32_t held; /* rows but those of driven coordinates, which stand last */
    double reach; /* [m] the size of its loop */
    double pitch, distance;
    double damping[RBV_CLOSING_COORDINATES]; /* of those that are not driven */
    bool damped;                             /* some is not zero */
    int32_t carrier;                         /* link of teeth; -1: ground */
    double line[4][6]; /* torque and force of the line, beside, apart, constant, about the origin of that link, in its
                          axes */
    double *slope;     /* [steps] of teeth: their coefficients; NULL: it has none */
    double phase;
} RbvLinkageClosing;

/* A driven coordinate of a closing, number nv + its index among driven numbers. */
typedef struct RbvLinkageCoordinate {
    int32_t driven, row;
    double damping, rotor;
} RbvLinkageCoordinate;

/* A body whose spin about its own line is idle. */
typedef struct RbvLinkageSpin {
    int32_t body, link, row;
    double axis[3]; /* in the link's axes */
} RbvLinkageSpin;

struct RbvLinkage {
    RbvArena arena;
    const RbvTree *tree;
    int32_t count, rows, driven_count, free_count, step_count, block_count, entry_count, front_count, diagonal_count,
        y_count, widest;
    ptrdiff_t value_count, QR_count;
    RbvLinkageClosing *closing;       /* [count] */
    int32_t *body;                    /* [count][2] */
    RbvLinkageBlock *block;           /* [block_count]: of closings, then of spins */
    RbvLinkageSpin *spin;             /* [spin_count] */
    RbvLinkageCoordinate *coordinate; /* [coordinate_count] */
    int32_t *row_driven;              /* [rows] the driven number that a row of a coordinate is; -1 */
    int32_t spin_count, coordinate_count;
    bool damped;            /* some closing is, in a coordinate that is not driven */
    RbvLinkageStep *step;   /* [step_count] */
    RbvLinkageEntry *entry; /* [entry_count] */
    RbvLinkageDrive *drive; /* [drive_count] */
    int32_t drive_count;
    RbvLinkageFront *front; /* [front_count], children before parents */
    int32_t *front_column, *front_block, *front_child, *front_place;
    int32_t *driven;              /* [driven_count] of v; from nv on coordinates of closings */
    int32_t *driven_q;            /* [driven_count] of q; -1: a coordinate of a closing */
    int32_t *driven_of, *free_of; /* [nv] the number among them; -1 */
    int32_t *free;                /* [free_count] of v: the others */
    int32_t *free_q;              /* [free_count] of q; -1: a part of a quaternion */
    double *weight;               /* [nv + coordinate_count] 1, or 1/length of numbers that are distances */
    bool simple;                  /* no quaternions among the free ones */
    double *start;                /* [nq] of the model's starting poses; NULL: it comes from no model */
    const char **names;           /* [count] of the model's joints that close loops; NULL */
    double length;                /* [m] the size of all its parts: closings hold to rounding of it */
};

/* The frames of a closing: axes as columns (axes[3 k ..] is axis k; of the second only where the closing holds turns),
 * origins, d = P2 - P1, r = P2 - O. */
typedef struct RbvLinkageFrames {
    double A1[9], A2[9], P1[3], P2[3], d[3], r[3];
} RbvLinkageFrames;

/* Motion of a body of a closing at P: angular velocity and acceleration, velocity and acceleration. */
typedef struct RbvLinkageMotion {
    double w[3], dw[3], v[3], a[3];
} RbvLinkageMotion;

/* Free numbers, and their first and second derivatives by the path's parameter, at a sample (linkage_guess.c). */
typedef struct RbvLinkageKnot {
    double *y, *dy, *ddy; /* [free] */
    double *x, *v, *a;    /* [driven] their positions, rates, accelerations */
    int32_t order;        /* of derivatives that are known; -1: nothing */
} RbvLinkageKnot;

struct RbvLinkageWorkspace {
    RbvTreeWorkspace *tree;
    void *memory;
    int32_t rows, driven_count, free_count, nq, nv, bodies, count; /* of the linkage it is for */
    int32_t threads;
    struct RbvLinkageWorkspace **others; /* [threads - 1] of the other threads */
    RbvTreeCall call;                    /* of a kernel, and its arrays: as rbv_tree_run would set them, once */
    RbvTreeFlow flow;
    bool started, fresh;         /* fresh: whole turns of driven angles of closings are not yet known */
    bool odd, kept_odd;          /* is the determinant of square C_free negative? Now, and at the last good sample */
    double *q;                   /* [nq] of the last good sample */
    double *now;                 /* [nq] */
    double *trial;               /* [nq] */
    double *begin;               /* [nq] of the sample before a share of a batch */
    double *v, *a;               /* [nv] */
    double *step;                /* [nv] */
    double *tau;                 /* [nv] */
    double *effort_terms;        /* [nv] tau without the closings */
    double *target;              /* [driven] */
    double *part;                /* [driven] */
    double *held, *set;          /* [driven] coordinates of closings at q, and what they are held at now */
    double *given;               /* [driven][3] q, v, a of the sample */
    double *c;                   /* [rows] */
    double *bias;                /* [rows] */
    double *wrench;              /* [rows][6] moment about O, force */
    RbvLinkageFrames *frames;    /* [count] */
    double *sum;                 /* [count][6] of lambda times wrenches */
    double *C;                   /* [value_count] */
    double *QR;                  /* [QR_count]: Householder's reflections, R in the upper parts */
    double *diagonal;            /* [diagonal_count] of R */
    double *scale;               /* [diagonal_count] of reflections; 0: none */
    int32_t *order;              /* [diagonal_count] which columns the pivots are */
    int32_t *signs, *kept_signs; /* [front_count] likewise of each front */
    double *kept_C;              /* [value_count] */
    double *y;                   /* [y_count] */
    double *right;               /* [rows] */
    double *x;                   /* [free] */
    double *lambda;              /* [rows] */
    double *loads;               /* [bodies][6] */
    double *reactions;           /* [bodies][6] */
    double *closing_reactions;   /* [count][6] */
    double *sample;              /* [driven + bodies 6] efforts and wrenches of a sample of a batch by number */
    RbvLinkageKnot knot[2];      /* the last, the one before */
    double stride;               /* of the path's parameter between them */
    int64_t iterations;
    double gap, motion_error, balance_error; /* of the audit: the largest */
};

/* The arrays of one sample. */
typedef struct RbvLinkageSample {
    const double *q, *v, *a, *wrenches;
    double *efforts, *reactions, *closing_reactions, *motion;
} RbvLinkageSample;

/* linkage_check.c: what a caller gives, said where it is wrong; rows of a closing. */
bool rbv_linkage_check(const RbvTree *tree, int32_t count, const RbvClosing *closings, int32_t driven_count,
                       const int32_t *driven, RbvDiagnostics *diagnostics);
int32_t rbv_linkage_rows_of(uint32_t holds, uint32_t drives);

/* rbv_linkage_create with names of the closings, copied (NULL: none): messages use them. */
RbvStatus rbv_linkage_create_named(const RbvTree *tree, int32_t count, const RbvClosing *closings,
                                   const char *const *names, int32_t driven_count, const int32_t *driven,
                                   RbvDiagnostics *diagnostics, RbvLinkage **linkage);
/* Where it starts: start[nq], copied; there its teeth mesh. False: no memory. */
bool rbv_linkage_set_origin(RbvLinkage *linkage, const double *start);

/* Fronts of all blocks. False: no memory. */
bool rbv_linkage_make_fronts(RbvLinkage *linkage);

/* Is it a workspace of such a linkage? */
bool rbv_linkage_fits(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace);

/* A kernel of the tree at now, v, a, tau. */
void rbv_linkage_prepare(RbvLinkageWorkspace *workspace);
static inline void rbv_linkage_run(const RbvLinkage *linkage, RbvLinkageWorkspace *w, RbvKernelName kernel) {
    w->tree->target->one->kernel[kernel](linkage->tree, w->tree->scratch, &w->flow);
}

/* Rows, their frames and C at q (workspace->now); the largest of c, lengths beside the linkage's. */
double rbv_linkage_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* Accelerations of the rows at a = 0 and the rates workspace->v, to bias, from the motions of their bodies; rows have
 * been there. */
void rbv_linkage_bias(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);

/* The frames of a closing; places are known. Motion of a link (-1: ground) at P; motions are known. */
void rbv_linkage_frames(const RbvLinkageWorkspace *workspace, const RbvLinkageClosing *closing,
                        RbvLinkageFrames *frames);
RbvLinkageMotion rbv_linkage_motion(const RbvLinkageWorkspace *workspace, int32_t link, const double *P);

/* linkage_coordinates.c: the coordinate X, Y, Z, DISTANCE or TURN (within half a turn; of a screw with the whole
 * turns that z has made) of a closing, and the wrench W (torque about O, force) whose power is its rate; its
 * acceleration. */
double rbv_linkage_coordinate(const RbvLinkageClosing *closing, const RbvLinkageFrames *frames, int which, double W[6]);
double rbv_linkage_coordinate_bias(const RbvLinkageFrames *frames, const RbvLinkageMotion *one,
                                   const RbvLinkageMotion *two, int which);
/* The rows that hold turns, screws, distances and driven coordinates, from `row` on: values and wrenches;
 * accelerations. The first gives the largest value, lengths by `reach`. */
double rbv_linkage_more_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace,
                             const RbvLinkageClosing *closing, const RbvLinkageFrames *frames, int32_t row,
                             double reach);
void rbv_linkage_more_bias(const RbvLinkageClosing *closing, const RbvLinkageFrames *frames,
                           const RbvLinkageMotion *one, const RbvLinkageMotion *two, double *bias);
/* Driven coordinates of closings as they are at `now`, to `at` and `set`. */
void rbv_linkage_measure(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* What dampers of closings do at the rates of the tree, as wrenches of the closings (workspace->sum); motions are known
 * (rbv_linkage_bias). */
void rbv_linkage_damp(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);

/* linkage_teeth.c: the wrench of teeth (torque about O, force): 0 the line, 1 beside, 2 apart, 3 constant. */
void rbv_linkage_teeth_wrench(const RbvLinkageWorkspace *workspace, const RbvLinkageClosing *closing, int which,
                              double W[6]);
double rbv_linkage_teeth_row(RbvLinkageWorkspace *workspace, const RbvLinkage *linkage,
                             const RbvLinkageClosing *closing);
/* Coefficients of all teeth, by the tree in some positions. BAD_INPUT: said. */
RbvStatus rbv_linkage_teeth_compile(RbvLinkage *linkage, RbvDiagnostics *diagnostics);
/* The teeth mesh at q: their phases count from there. */
void rbv_linkage_teeth_mesh(RbvLinkage *linkage, const double *q);

/* linkage_spin.c: spins that are idle, as blocks of a row each; notes and mistakes. False: no memory, or a mistake,
 * then *wrong. */
bool rbv_linkage_find_spins(RbvLinkage *linkage, int32_t count, const RbvClosing *closings, RbvDiagnostics *diagnostics,
                            bool *wrong);
void rbv_linkage_spin_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
void rbv_linkage_spin_bias(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* Does nothing turn them? lambda is known, tau the efforts of the tree without the closings. */
bool rbv_linkage_spins_idle(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace);

/* A driven number at the last good sample, and now. */
static inline double rbv_linkage_driven_at(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, int32_t k) {
    return linkage->driven_q[k] < 0 ? w->held[k] : w->q[linkage->driven_q[k]];
}
static inline double *rbv_linkage_driven_now(const RbvLinkage *linkage, RbvLinkageWorkspace *w, int32_t k) {
    return linkage->driven_q[k] < 0 ? w->set + k : w->now + linkage->driven_q[k];
}

/* right -= C of driven number k, all k, times step[k]; += where it is a row. */
void rbv_linkage_drive(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const double *step);

/* Factors Q R of the columns of C of the free numbers. False: these are not independent. */
bool rbv_linkage_factor(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* x[free] with the least |C_free x - right|, and that. */
double rbv_linkage_solve(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* lambda of least norm with C_free^T lambda = x; x is lost. */
void rbv_linkage_solve_transposed(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* lambda: number `index` of an orthonormal basis of what C_free^T takes to zero. */
void rbv_linkage_null(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, int32_t index);

/* Is the branch, by the factors, that of the last good sample? Keep it as that of the last good sample. */
bool rbv_linkage_same_branch(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace);
void rbv_linkage_keep_branch(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);

/* now -> now + part x along the free numbers. */
void rbv_linkage_move(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, double part);
/* x, free numbers where the driven ones go from the last sample to `part` of the way to their targets by the factors
 * there, without terms of second order; to workspace->now. */
void rbv_linkage_guess(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, double part);
/* A better guess at all of the way from the last samples. False: they do not tell. */
bool rbv_linkage_predict(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const double *rate,
                         const double *acceleration);
/* The sample is done: q, v, a of all numbers are known. */
void rbv_linkage_remember(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const double *rate,
                          const double *acceleration);
void rbv_linkage_forget(RbvLinkageWorkspace *workspace);

/* One step of Newton's method from workspace->now, which it moves: the rows' largest value before, and the step's
 * largest number (distances by the linkage's length). False: singular or not finite. */
bool rbv_linkage_correct(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, double *worst, double *step);

/* The wrenches (moment about O, force) of lambda at the closings, with what comes with teeth, to sum; `real`: and
 * what is there whatever lambda is; on bodies, added to loads[bodies][6] along the body's axes about its origin;
 * taken from what the links need (scratch->total, after FORCES); along the axes of their first frames, about the
 * origins of their second, to out[count][6]. */
void rbv_linkage_sum(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, bool real);
void rbv_linkage_add_loads(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace, double *loads);
void rbv_linkage_load_links(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace);
void rbv_linkage_closing_reactions(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace, double *out);

/* Do the laws hold for the sample that was computed last, with the tree's efforts under all wrenches in tau, after
 * REACTIONS? tau is lost. */
bool rbv_linkage_audit(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const RbvLinkageSample *sample);
RbvStatus rbv_linkage_one_sample(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace,
                                 const RbvLinkageSample *sample);

/* From workspace->q to the driven positions workspace->target, at these rates and accelerations; then rows and factors
 * are those of the new q. */
RbvStatus rbv_linkage_go(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const double *rate,
                         const double *acceleration);
/* The last good sample of another workspace is this one's, without what was before it. */
void rbv_linkage_adopt(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const RbvLinkageWorkspace *from);

#endif
