/* What is sized, while a run is evaluated: each part reads its columns at every sample, gives its integrands to the
 * quadrature of all, and at the end its figures. A part is a table of functions; a part's file has the formulas. */
#ifndef RBV_ANALYSIS_SIZING_PARTS_H
#define RBV_ANALYSIS_SIZING_PARTS_H

#include "analysis/sizing/motor.h"
#include "analysis/sizing/sizing.h"
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "core/linalg/quadrature.h"
#include "model/model/model.h"
#include "model/result/result.h"
#include "model/result/scales.h"

#include <math.h>

/* A part of a figure that is worth a note: 1 %. */
#define RBV_WORTH_A_NOTE 0.01

#define RBV_TURN 6.28318530717958647693
#define RBV_FIGURES 32 /* most figures of a part */

typedef struct RbvPart RbvPart;

typedef struct RbvPartKind {
    int32_t integrands;
    int32_t over; /* the integral of the first is divided by that of this one; 0: by none */
    /* Finds the columns of sizing->result and their verdicts; `first`: of the first run. Figures are NaN where
     * part->lacks is set. */
    void (*begin)(RbvSizing *sizing, RbvPart *part, bool first);
    void (*sample)(RbvPart *part, const double *row, double *integrands);
    void (*end)(RbvSizing *sizing, RbvPart *part);
} RbvPartKind;

/* Largest value of the samples and where. Between samples it may be larger: by up to half its difference from its
 * neighbours where it bends, and by less where it is smooth. */
typedef struct RbvPeak {
    double value, at; /* at [s] */
    double error;     /* half the larger difference from a neighbour */
    double last;      /* value at the last sample */
    bool fresh, any;  /* fresh: the last sample is the peak; any: there was a sample */
} RbvPeak;

static inline void rbv_peak_take(RbvPeak *peak, double value, double t) {
    if (peak->fresh)
        peak->error = fmax(peak->error, fabs(peak->value - value) / 2);
    peak->fresh = !peak->any || value > peak->value;
    if (peak->fresh) {
        peak->error = peak->any ? fabs(value - peak->last) / 2 : 0;
        peak->value = value;
        peak->at = t;
    }
    peak->any = true;
    peak->last = value;
}

struct RbvPart {
    const RbvPartKind *kind;
    const RbvSized *of;
    int32_t which;    /* of two bearings */
    const char *name; /* "shaft.a", in the arena of the sizing */
    RbvVerdict verdict;
    const RbvEntry *entry; /* joint or drive */
    int32_t column[6];     /* Fx Fy Fz Tx Ty Tz of a joint in its own axes; effort of a drive: [0]; -1: none */
    int32_t printed[6];    /* the same in the axes that are printed, with verdicts and errors */
    bool turned;           /* these are not the joint's own: a component has parts of all three */
    int32_t first;         /* of its integrands in the quadrature */
    RbvSized rated;        /* as it was in the first run */
    unsigned entered;      /* bits of the components that enter */
    double off[6];         /* largest errors of the components */
    bool ranged;           /* a component that enters has a range of compliances */
    char remedy[200], why[300];
    bool needs_types; /* for some component it takes new types of several joints */
    bool lacks;       /* its figures are not determined */
    RbvSizedFigure figures[RBV_FIGURES];
    int32_t figure_count;
    double exponent; /* of its life */
    double plot[2];  /* point of the last sample: speed and effort of a drive, time and load of others */
    RbvShaft shaft;  /* of a drive */
    double still;    /* of a joint: speeds up to this are none */
    /* gathered over the samples */
    RbvPeak largest[5];
    double least[2], at[2], start[3];
    double swing[3];         /* angle now, its least and largest [rad or m] */
    double slowest, fastest; /* signed speed */
    double before[2];        /* time and speed at the last sample */
    int64_t samples, outside;
    double outside_first, outside_last;
    double load_first, load_last, speed_first, speed_last;
    double top_speed; /* largest magnitude of the speed */
    bool changed;     /* the end of a run was not its start */
};

struct RbvSizing {
    RbvArena arena; /* owns the arrays */
    const RbvModel *model;
    RbvResult *result; /* the run that is being added */
    RbvDiagnostics *diagnostics;
    RbvQuadrature quadrature;
    double *sum, *error; /* [integrands] of all runs */
    RbvPart *parts;      /* [part_count] */
    int32_t part_count;
    RbvScales scales; /* of the values of the last run */
    double period;    /* [s] length of the run, with several runs their relative shares; 0: one sample, no time */
    int32_t runs;
    const char *differs; /* part whose rating differs between runs; NULL: none */
    bool shares;         /* runs are load cases with shares */
    RbvSizedPlot *plots; /* [part_count] of the first run, in its arena */
};

/* Columns of the joint's reaction into part->column, -1 where it has none. */
void rbv_part_columns(RbvSizing *sizing, RbvPart *part);
/* Component c enters with its verdict; one that is not determined sets part->why. Missing ones do not. */
void rbv_part_enters(RbvSizing *sizing, RbvPart *part, int c);
/* Is component c determined? */
bool rbv_part_determined(const RbvSizing *sizing, const RbvPart *part, int c);
/* Rounding level of the results' values in this unit. */
double rbv_part_rounding(const RbvSizing *sizing, const char *unit);
/* P to the exponent of the part's life, which is mostly 3. */
static inline double rbv_part_power(const RbvPart *part, double P) {
    return part->exponent == 3 ? P * P * P : pow(P, part->exponent);
}
/* Value of a column at a sample; 0 for -1. */
static inline double rbv_part_value(const double *row, int32_t column) {
    return column >= 0 ? row[column] : 0;
}
/* Largest magnitude of component c at a sample, within ranges of compliances. */
static inline double rbv_part_most(const RbvPart *part, const double *row, int c) {
    double value = rbv_part_value(row, part->column[c]);
    double most = part->column[c] >= 0 && part->entry->most > 0 ? row[part->entry->most + c] : NAN;
    return fmax(fabs(value), most); /* not with NaN */
}
/* Relative speed of a joint at a sample. */
static inline double rbv_part_speed(const RbvPart *part, const double *row) {
    double v = row[part->entry->rate];
    return fabs(v) > part->still ? v : 0;
}
/* Appends a figure; NaN where the part lacks something. */
void rbv_part_figure(RbvPart *part, const char *name, const char *unit, double value, double error);
/* Integral of the part's integrand k, and its error. */
double rbv_part_integral(const RbvSizing *sizing, const RbvPart *part, int32_t k);
double rbv_part_integral_error(const RbvSizing *sizing, const RbvPart *part, int32_t k);
/* Notes about the part. */
void rbv_part_note(RbvSizing *sizing, const RbvPart *part, const char *format, ...) RBV_PRINTF(3, 4);
/* Says that a part without load has a life without end. */
void rbv_part_endless(RbvPart *part, double load);
/* Notes about a part with a life that ends with its travel: standing still under load, loads above C/2, a run whose end
 * is not its start. */
void rbv_part_note_run(RbvSizing *sizing, const RbvPart *part, const char *what, double C, double travel);
/* Gathers the swing of a speed by straight lines between samples, and the ends of load and speed. */
void rbv_part_travel(RbvPart *part, double t, double load, double speed);

extern const RbvPartKind rbv_part_drive, rbv_part_bearing, rbv_part_plain, rbv_part_guide, rbv_part_screw;

#endif
