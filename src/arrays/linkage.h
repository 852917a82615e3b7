/* Compiled closed linkages (include/roberval/linkage.h): rows of closings over columns of links. Private to src/arrays.
 *
 * A row is c(q) = 0 with the rate
 *
 *   c' = w . (motion of the second body - motion of the first) = (C v)_row
 *
 * Motions are taken about O along the ground's axes (ground_kernel.h); w is the row's unit wrench about O. The entries
 * of C come from the columns s of the links on the path between the two bodies; lambda w is the wrench of the first
 * body on the second. */
#ifndef RBV_ARRAYS_LINKAGE_H
#define RBV_ARRAYS_LINKAGE_H

#include <roberval/linkage.h>

#include "arrays/kernels.h"

static inline double rbv_larger(double a, double b) {
    return a > b ? a : b;
}

/* A freedom that moves the two bodies of a closing relative to each other. */
typedef struct RbvLinkageStep {
    int32_t link;
    int32_t column; /* index of the freedom among those of all links */
    int32_t q, v;   /* indices in q and v; q -1: none of its own */
    int32_t entry;  /* index of the entry in the block */
    double ratio;   /* ratio of a mimic joint, else 1; negative if the freedom carries the first body */
} RbvLinkageStep;

/* Most threads of one batch. */
enum { RBV_LINKAGE_MOST_THREADS = 64 };

/* Rows with entries in the same columns: the rows of a closing, or of a spin. C of the linkage is stored as
 * [entries][rows] of all blocks, one after the other. */
typedef struct RbvLinkageBlock {
    int32_t row, rows;
    int32_t step, steps;
    int32_t entry, entries;
    int32_t front_row; /* first row of the block in its front */
    ptrdiff_t values;  /* start of its entries in C */
} RbvLinkageBlock;

/* A column of a block: index of v, index among the driven or the free coordinates (-1: not one of these), and column in
 * the front (free coordinates). */
typedef struct RbvLinkageEntry {
    int32_t v, driven, free, column;
} RbvLinkageEntry;

/* Entry of a driven coordinate in the rows of a block. */
typedef struct RbvLinkageDrive {
    int32_t driven, row, rows;
    ptrdiff_t values;
} RbvLinkageDrive;

/* A front of the elimination (linkage_fronts.c): the free coordinates that it eliminates (`pivots`), other coordinates
 * of the same rows (`others`), and its rows: those of its blocks, and rows left over by its child fronts. */
typedef struct RbvLinkageFront {
    int32_t pivots, others, rows, left; /* left: rows passed to the parent, in the columns of the others */
    int32_t steps; /* columns that are reflected: the pivots, and others if more rows are left than there are others */
    int32_t reflections;     /* number of reflections: steps, or rows - 1 if there are not more rows than steps */
    bool pair;               /* two rows of one block with two free coordinates: a planar loop */
    int32_t column;          /* start in front_column[pivots + others] */
    int32_t block, blocks;   /* start in front_block */
    int32_t child, children; /* start in front_child */
    int32_t parent, row;     /* parent front, and first row there of the rows left over; parent -1: none */
    int32_t place;           /* start in front_place[others]: columns of the parent */
    int32_t diagonal;        /* start in diagonal and scale [pivots + others] and in order [pivots] */
    int32_t y;               /* start in y [rows] */
    ptrdiff_t QR;            /* start in QR [pivots + others][rows] */
} RbvLinkageFront;

enum { RBV_CLOSING_X, RBV_CLOSING_Y, RBV_CLOSING_Z, RBV_CLOSING_TURN, RBV_CLOSING_DISTANCE, RBV_CLOSING_COORDINATES };

/* Bit RBV_HOLD_... of a coordinate RBV_CLOSING_..., for holds and drives. */
static inline uint32_t rbv_linkage_bit(int coordinate) {
    if (coordinate < RBV_CLOSING_TURN)
        return (uint32_t)RBV_HOLD_X << coordinate;
    return coordinate == RBV_CLOSING_TURN ? RBV_HOLD_TURN : RBV_HOLD_DISTANCE;
}

typedef struct RbvLinkageClosing {
    int32_t link[2];   /* links of both bodies; -1: ground */
    double axes[2][9]; /* axes of both frames, row-major, in the link's axes */
    double place[2][3];
    uint32_t holds, drives;
    bool turns; /* the rows use the axes of the second frame */
    int32_t row, rows;
    int32_t held; /* number of rows without those of driven coordinates, which are the last ones */
    double reach; /* [m] size of its loop */
    double pitch, distance;
    double damping[RBV_CLOSING_COORDINATES]; /* damping of coordinates that are not driven */
    bool damped;                             /* one damping at least is not zero */
    int32_t carrier;                         /* teeth: link of the carrier; -1: ground */
    double line[4][6]; /* teeth: torque and force of line, beside, apart, constant, about the origin of the carrier
                          link, along its axes */
    double *slope;     /* teeth: [steps] coefficients of the power of the line; NULL: no teeth */
    double phase;
} RbvLinkageClosing;

/* A driven coordinate of a closing; its index in v is nv + its index in this list. */
typedef struct RbvLinkageCoordinate {
    int32_t driven, row;
    double damping, rotor;
} RbvLinkageCoordinate;

/* A body with an idle spin about its own line. */
typedef struct RbvLinkageSpin {
    int32_t body, link, row;
    double axis[3]; /* direction of the line, in the link's axes */
} RbvLinkageSpin;

struct RbvLinkage {
    RbvArena arena;
    const RbvTree *tree;
    int32_t count, rows, driven_count, free_count, step_count, block_count, entry_count, front_count, diagonal_count,
        y_count, widest;
    ptrdiff_t value_count, QR_count;
    RbvLinkageClosing *closing;       /* [count] */
    int32_t *body;                    /* [count][2] */
    RbvLinkageBlock *block;           /* [block_count] blocks of closings, then of spins */
    RbvLinkageSpin *spin;             /* [spin_count] */
    RbvLinkageCoordinate *coordinate; /* [coordinate_count] */
    int32_t *row_driven;              /* [rows] index of the driven coordinate of a row; -1: none */
    int32_t spin_count, coordinate_count;
    bool damped;            /* one closing at least has damping in a coordinate that is not driven */
    RbvLinkageStep *step;   /* [step_count] */
    RbvLinkageEntry *entry; /* [entry_count] */
    RbvLinkageDrive *drive; /* [drive_count] */
    int32_t drive_count;
    RbvLinkageFront *front; /* [front_count] children before parents */
    int32_t *front_column, *front_block, *front_child, *front_place;
    int32_t *driven;              /* [driven_count] indices in v; from nv on coordinates of closings */
    int32_t *driven_q;            /* [driven_count] indices in q; -1: a coordinate of a closing */
    int32_t *driven_of, *free_of; /* [nv] index among the driven, and among the free coordinates; -1: none */
    int32_t *free;                /* [free_count] indices in v of the coordinates that are not driven */
    int32_t *free_q;              /* [free_count] indices in q; -1: part of a quaternion */
    double *weight;               /* [nv + coordinate_count] 1 for angles, 1/length for distances */
    bool simple;                  /* no quaternions among the free coordinates */
    double *start;                /* [nq] starting poses of the model; NULL: the linkage does not come from a model */
    const char **names;           /* [count] names of the model's joints that close loops; NULL: none */
    double length;                /* [m] size of all its parts: closings are exact to rounding of this length */
};

/* Frames of a closing: axes as columns (axes[3 k ..] is axis k; of the second frame only if the closing uses its axes),
 * origins P1 and P2 [m], d = P2 - P1, r = P2 - O. */
typedef struct RbvLinkageFrames {
    double A1[9], A2[9], P1[3], P2[3], d[3], r[3];
} RbvLinkageFrames;

/* Motion of a body of a closing at P: angular velocity w and acceleration dw, velocity v and acceleration a. */
typedef struct RbvLinkageMotion {
    double w[3], dw[3], v[3], a[3];
} RbvLinkageMotion;

/* Free coordinates, and their first and second derivatives with respect to the path parameter, at a sample
 * (linkage_go.c). */
typedef struct RbvLinkageKnot {
    double *y, *dy, *ddy; /* [free] */
    double *x, *v, *a;    /* [driven] positions, velocities, accelerations of the driven coordinates */
    int32_t order;        /* highest order of known derivatives; -1: the knot is empty */
} RbvLinkageKnot;

struct RbvLinkageWorkspace {
    RbvTreeWorkspace *tree;
    void *memory;
    int32_t rows, driven_count, free_count, nq, nv, bodies,
        count; /* sizes of the linkage for which the workspace was created */
    int32_t threads;
    struct RbvLinkageWorkspace **others; /* [threads - 1] workspaces of the other threads */
    RbvTreeCall call;                    /* a kernel call and its arrays; set once */
    RbvTreeFlow flow;
    bool started, fresh;      /* fresh: whole turns of driven angles of closings are not yet known */
    bool odd, kept_odd;       /* sign of the determinant of square C_free negative, now and at the last good sample */
    double *q;                /* [nq] positions at the last good sample */
    double *now;              /* [nq] current positions */
    double *trial;            /* [nq] trial positions */
    double *begin;            /* [nq] sample before a share of a batch */
    double *v, *a;            /* [nv] */
    double *step;             /* [nv] */
    double *tau;              /* [nv] */
    double *effort_terms;     /* [nv] tau without the closings */
    double *target;           /* [driven] target positions */
    double *part;             /* [driven] positions at a part of the step */
    double *held, *set;       /* [driven] coordinates of closings at q, and their prescribed values now */
    double *given;            /* [driven][3] q, v, a of the sample */
    double *c;                /* [rows] values of the rows */
    double *bias;             /* [rows] accelerations of the rows at a = 0 */
    double *wrench;           /* [rows][6] unit wrench of each row: moment about O, force */
    RbvLinkageFrames *frames; /* [count] */
    double *sum;              /* [count][6] wrench of each closing: lambda times unit wrenches */
    double *C;                /* [value_count] */
    double *QR;               /* [QR_count] Householder reflections, with R in the upper parts */
    double *diagonal;         /* [diagonal_count] diagonal of R */
    double *scale;            /* [diagonal_count] scale of each reflection; 0: none */
    int32_t *order;           /* [diagonal_count] columns of the pivots */
    int32_t *signs,
        *kept_signs;   /* [front_count] sign of the determinant of each front, now and at the last good sample */
    double *kept_C;    /* [value_count] C at the last good sample */
    double *y;         /* [y_count] */
    double *right;     /* [rows] */
    double *x;         /* [free] */
    double *lambda;    /* [rows] */
    double *loads;     /* [bodies][6] */
    double *reactions; /* [bodies][6] */
    double *closing_reactions; /* [count][6] */
    double *sample;            /* [driven + bodies 6] efforts and wrenches of one sample of a batch stored by number */
    RbvLinkageKnot knot[2];    /* the last knot, and the one before */
    double stride;             /* difference of their path parameters */
    int64_t iterations;
    double gap, motion_error, balance_error; /* largest errors of the audit */
};

/* Arrays of one sample, as in rbv_linkage_inverse. */
typedef struct RbvLinkageSample {
    const double *q, *v, *a, *wrenches;
    double *efforts, *reactions, *closing_reactions, *motion;
} RbvLinkageSample;

/* rbv_linkage_create with names of the closings for messages, copied (NULL: none). */
RbvStatus rbv_linkage_create_named(const RbvTree *tree, int32_t count, const RbvClosing *closings,
                                   const char *const *names, int32_t driven_count, const int32_t *driven,
                                   RbvDiagnostics *diagnostics, RbvLinkage **linkage);
/* Set the starting positions start[nq], copied; teeth mesh there. False: out of memory. */
bool rbv_linkage_set_origin(RbvLinkage *linkage, const double *start);

/* Create the fronts of all blocks. False: out of memory. */
bool rbv_linkage_make_fronts(RbvLinkage *linkage);

/* Was the workspace created for such a linkage? */
bool rbv_linkage_fits(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace);

/* Run a kernel of the tree with the arrays now, v, a, tau of the workspace. */
static inline void rbv_linkage_run(const RbvLinkage *linkage, RbvLinkageWorkspace *w, RbvKernelName kernel) {
    w->tree->target->one->kernel[kernel](linkage->tree, w->tree->scratch, &w->flow);
}

/* Evaluate the rows, their frames and C at workspace->now. Returns the largest |c|, lengths relative to the linkage's
 * length. */
double rbv_linkage_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* Evaluate workspace->bias: accelerations of the rows at a = 0 and velocities workspace->v. Call after
 * rbv_linkage_rows. */
void rbv_linkage_bias(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);

/* Measure driven coordinates of closings at workspace->now, into `held` and `set`. */
void rbv_linkage_measure(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* Wrenches of the dampers of closings at the velocities of the tree, into workspace->sum. Call after rbv_linkage_bias.
 */
void rbv_linkage_damp(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);

/* Wrench of teeth (torque about O, force): which = 0 line, 1 beside, 2 apart, 3 constant. */
void rbv_linkage_teeth_wrench(const RbvLinkageWorkspace *workspace, const RbvLinkageClosing *closing, int which,
                              double W[6]);
/* Compute the coefficients of all teeth from the tree in some positions. BAD_INPUT: see diagnostics. */
RbvStatus rbv_linkage_teeth_compile(RbvLinkage *linkage, RbvDiagnostics *diagnostics);
/* Set the phases of all teeth so that they mesh at q. */
void rbv_linkage_teeth_mesh(RbvLinkage *linkage, const double *q);

/* linkage_spin.c: find idle spins and add a block of one row for each; notes and errors go to diagnostics. False: out
 * of memory, or *wrong: an error of the model. */
bool rbv_linkage_find_spins(RbvLinkage *linkage, int32_t count, const RbvClosing *closings, RbvDiagnostics *diagnostics,
                            bool *wrong);
void rbv_linkage_spin_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
void rbv_linkage_spin_bias(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* True if no wrench drives the idle spins; needs lambda, and in tau the efforts of the tree without the closings. */
bool rbv_linkage_spins_idle(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace);

/* A driven coordinate at the last good sample, and now. */
static inline double rbv_linkage_driven_at(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, int32_t k) {
    return linkage->driven_q[k] < 0 ? w->held[k] : w->q[linkage->driven_q[k]];
}
static inline double *rbv_linkage_driven_now(const RbvLinkage *linkage, RbvLinkageWorkspace *w, int32_t k) {
    return linkage->driven_q[k] < 0 ? w->set + k : w->now + linkage->driven_q[k];
}

/* right -= C_k step[k] for all driven coordinates k; += for those that are rows. */
void rbv_linkage_drive(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const double *step);

/* Factor the columns of the free coordinates in C into Q R. False: these columns are dependent. */
bool rbv_linkage_factor(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* x[free] with least |C_free x - right|; returns this residual. */
double rbv_linkage_solve(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* lambda of least norm with C_free^T lambda = x; x is overwritten. */
void rbv_linkage_solve_transposed(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* lambda: vector number `index` of an orthonormal basis of the null space of C_free^T. */
void rbv_linkage_null(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, int32_t index);

/* rbv_linkage_remember: keep a finished sample, with q, v, a of all coordinates, for predictions. rbv_linkage_forget:
 * discard the kept samples. */
void rbv_linkage_remember(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const double *rate,
                          const double *acceleration);
void rbv_linkage_forget(RbvLinkageWorkspace *workspace);

/* One Newton step from workspace->now, which is updated. *worst: largest row value before the step; *step: largest
 * component of the step (distances relative to the linkage's length). False: singular or not finite. */
bool rbv_linkage_correct(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, double *worst, double *step);

/* Compute one sample. */
RbvStatus rbv_linkage_one_sample(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace,
                                 const RbvLinkageSample *sample);

/* Move from workspace->q to the driven positions workspace->target with these velocities and accelerations; on RBV_OK
 * rows and factors belong to the new q. */
RbvStatus rbv_linkage_go(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const double *rate,
                         const double *acceleration);
/* Copy the last good sample of another workspace, without the samples before it. */
void rbv_linkage_adopt(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, const RbvLinkageWorkspace *from);

#endif
