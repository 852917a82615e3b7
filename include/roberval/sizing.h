/* Sizing: what drives, bearings, guides and screws are rated for, and what an analysis asks of them.
 *
 * Ratings are part of a model (keys rating:, bearing:, bearings:, plain:, guide:, screw_life: of the model file) and
 * change no other number. Analyses with reactions evaluate them; a figure whose load is not determined by the rigid
 * model is not given. Formulas: docs/sizing.md. SI units; NaN: not given, where no default is named. Structs start from
 * their _default. Statuses of the adding functions as in model.h.
 *
 *     RbvBearingDef main = rbv_bearing_def_default;
 *     main.series = "deep-groove", main.C = 14e3, main.C0 = 7.8e3, main.f0 = 13;
 *     rbv_model_add_bearings(model, "main", 1, &main, NULL, diagnostics);
 *     ...
 *     for (int32_t k = 0; k < rbv_result_sized_count(result); k++)
 *         for (int32_t n = 0; n < rbv_result_sized(result, k).figure_count; n++) ... */
#ifndef ROBERVAL_SIZING_H
#define ROBERVAL_SIZING_H

#include <roberval/model.h>
#include <roberval/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rating of a motor, at its shaft: of a drive with a rotor, or whose coordinate is an angle, torques [N m] and
 * rad/s; else forces [N] and m/s. */
typedef struct RbvRatingDef {
    double continuous, peak;        /* largest rms and largest magnitude of the effort */
    double speed;                   /* largest speed */
    double efficiency;              /* of the gear between motor and mechanism, 0 < efficiency <= 1; default 1 */
    int32_t curve_count;            /* 0: `peak` holds up to `speed`; else rows of the curve, at least two */
    const double *curve_speed;      /* [curve_count] rising; beyond the last row the motor has no effort */
    const double *curve_peak;       /* [curve_count] linear between the rows */
    const double *curve_continuous; /* [curve_count]; NULL: the curve has none */
} RbvRatingDef;
RBV_API extern const RbvRatingDef rbv_rating_def_default;
/* Rate the drive, or actuator of rbv_track, called `name`. */
RBV_API RbvStatus rbv_model_rate_drive(RbvModel *model, const char *name, const RbvRatingDef *def,
                                       RbvDiagnostics *diagnostics);

/* A rolling bearing, ISO 281 and ISO 76: P = X Fr + Y Fa, P0 = X0 Fr + Y0 Fa, at least Fr. */
typedef struct RbvBearingDef {
    const char *name;   /* of one of two bearings; NULL: the joint's only one */
    const char *series; /* "deep-groove", "angular-contact", "self-aligning", "spherical-roller", "tapered-roller",
                           "cylindrical-roller", "general" */
    double C, C0;       /* [N] basic dynamic and static load ratings */
    double f0;          /* deep-groove, and angular-contact at 15 deg: factor of ISO 76 */
    double angle;       /* [rad] contact angle of angular-contact: 15, 25, 30 or 40 deg */
    double e, X, Y, Y1, Y2, X0, Y0; /* factors that the series does not fix itself */
    double exponent;                /* general: p of (C/P)^p; default 3 */
    double reliability;             /* [%] 90 (default), 95, 96, 97, 98, 99 */
    double a_iso;                   /* life modification factor; default 1 */
    double factor;                  /* on the loads; default 1 */
    double at;                      /* [m] place along the axis of one of two bearings */
    bool floating;                  /* one of two bearings that takes no axial force */
} RbvBearingDef;
RBV_API extern const RbvBearingDef rbv_bearing_def_default;
/* Give a revolute or cylindrical joint one bearing or two. arrangement: of two, "X" or "O", with the axial forces that
 * radial loads induce; the second body is the shaft; NULL: none. */
RBV_API RbvStatus rbv_model_add_bearings(RbvModel *model, const char *joint, int32_t count, const RbvBearingDef *defs,
                                         const char *arrangement, RbvDiagnostics *diagnostics);

/* A plain bearing of a revolute, cylindrical or spherical joint: pressure p = F/(diameter width). */
typedef struct RbvPlainDef {
    double diameter, width; /* [m] */
    double p, v, pv;        /* [Pa], [m/s], [Pa m/s] largest allowed values */
    double wear, depth;     /* [m^2/N] depth per sliding distance and pressure; [m] depth at the end of its life */
} RbvPlainDef;
RBV_API extern const RbvPlainDef rbv_plain_def_default;
RBV_API RbvStatus rbv_model_add_plain_bearing(RbvModel *model, const char *joint, const RbvPlainDef *def,
                                              RbvDiagnostics *diagnostics);

/* A rolling guide of a prismatic joint: P = |Fx| + |Fy| + C (|Tx|/mx + |Ty|/my + |Tz|/mz), in the plane
 * |Fy| + C |Tz|/mz; P0 with m0x, m0y, m0z and C0. */
typedef struct RbvGuideDef {
    double C, C0;         /* [N] */
    double mx, my, mz;    /* [N m] dynamic moment ratings, in the plane mz alone */
    double m0x, m0y, m0z; /* [N m] static ones */
    double per;           /* [m] travel to which C belongs */
    double factor;        /* on the loads; default 1 */
    bool rollers;         /* exponent 10/3 instead of 3 */
} RbvGuideDef;
RBV_API extern const RbvGuideDef rbv_guide_def_default;
RBV_API RbvStatus rbv_model_add_guide(RbvModel *model, const char *joint, const RbvGuideDef *def,
                                      RbvDiagnostics *diagnostics);

/* A ball screw of a screw joint, loaded by its axial force. */
typedef struct RbvScrewLifeDef {
    double C, C0;  /* [N] C: for 10^6 revolutions */
    double factor; /* on the load; default 1 */
} RbvScrewLifeDef;
RBV_API extern const RbvScrewLifeDef rbv_screw_life_def_default;
RBV_API RbvStatus rbv_model_add_screw_life(RbvModel *model, const char *joint, const RbvScrewLifeDef *def,
                                           RbvDiagnostics *diagnostics);

/* Add a load case: values [SI] of count parameters, for RbvSizingOptions.cases. */
RBV_API RbvStatus rbv_model_add_case(RbvModel *model, const char *name, int32_t count, const char *const *parameters,
                                     const double *values, RbvDiagnostics *diagnostics);

/* Motors and gears from which rbv_size chooses. motors: path of a CSV file with columns name, continuous, peak, speed,
 * inertia, and perhaps curve, the file of a curve beside it; gears: path of a CSV file with a column ratio and perhaps
 * name, efficiency, inertia (at the motor's shaft), peak (largest effort along the coordinate), or a list of ratios
 * "3,5,10"; NULL: the ratio of each drive's own rotor. Units stand in the headings, "peak [N.m]"; without them numbers
 * are SI. On RBV_OK *catalogue is new, to be destroyed by the caller; BAD_INPUT (reported), NO_MEMORY, BAD_ARGUMENT:
 * NULL. */
typedef struct RbvCatalogue RbvCatalogue;
RBV_API RbvStatus rbv_catalogue_read(const char *motors, const char *gears, RbvDiagnostics *diagnostics,
                                     RbvCatalogue **catalogue);
/* NULL is allowed. */
RBV_API void rbv_catalogue_destroy(RbvCatalogue *catalogue);

/* What comes first among the motors that fit. */
typedef enum RbvSizingSort {
    RBV_SORT_RMS,     /* the least rms over the continuous rating */
    RBV_SORT_INERTIA, /* the least inertia ratio */
    RBV_SORT_MARGIN   /* the largest margin to the peak */
} RbvSizingSort;

/* A motor and a gear for a drive, evaluated at all samples. */
typedef struct RbvMotorChoice {
    const char *drive, *motor, *gear;
    double ratio;                                                            /* of the gear */
    double peak, peak_at, rms, mean_speed, top_speed;                        /* at the motor's shaft */
    double rms_to_continuous, margin_to_peak, speed_to_limit, inertia_ratio; /* the largest inertia ratio; NaN: none */
    const char *fails; /* limits that fail, with the reserve: "rms, peak, speed, gear"; "": it fits */
} RbvMotorChoice;

/* Results. A figure: what docs/sizing.md defines under that name. */
typedef struct RbvSizedFigure {
    const char *name, *unit; /* "rms", "N.m"; unit "" of a ratio or count */
    double value;            /* NaN: not determined, or there is none */
    double error;            /* [unit] estimate from the errors of reactions and of integrals; NaN: not estimated */
} RbvSizedFigure;
typedef enum RbvSizedKind {
    RBV_SIZED_DRIVE,
    RBV_SIZED_BEARING,
    RBV_SIZED_PLAIN,
    RBV_SIZED_GUIDE,
    RBV_SIZED_SCREW
} RbvSizedKind;
typedef struct RbvSizedItem {
    RbvSizedKind kind;
    const char *name;   /* "motor", "main", "shaft.a" */
    RbvVerdict verdict; /* worst of the loads that enter; figures of what is not unique or unsure are NaN */
    const char *why;    /* what is missing and what would decide it; NULL: nothing */
    int32_t figure_count;
    const RbvSizedFigure *figures; /* [figure_count] */
} RbvSizedItem;
RBV_API int32_t rbv_result_sized_count(const RbvResult *result);
/* All zero for an index out of range. Valid as long as the result. */
RBV_API RbvSizedItem rbv_result_sized(const RbvResult *result, int32_t index);
/* Motors and gears of rbv_size, drive by drive, those that fit first. */
RBV_API int32_t rbv_result_choice_count(const RbvResult *result);
RBV_API RbvMotorChoice rbv_result_choice(const RbvResult *result, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
