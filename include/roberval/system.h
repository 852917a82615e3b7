/* The system: a model compiled once into flat arrays, shared by any number of analyses. Only new values of parameters
 * change it.
 *
 *     RbvSystemOptions choices = {.coordinates = RBV_COORDINATES_JOINT};
 *     rbv_system_create(model, &choices, diagnostics, &system);
 *     RbvParameterValue mass = {rbv_system_find(system, RBV_ITEM_PARAMETER, "mass"), 2.5};
 *     rbv_system_set_parameters(system, 1, &mass, diagnostics);
 *     rbv_inverse(system, NULL, diagnostics, &result); */
#ifndef ROBERVAL_SYSTEM_H
#define ROBERVAL_SYSTEM_H

#include <roberval/arrays.h>
#include <roberval/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvSystem RbvSystem;

/* Coordinates in which the motion is solved. Results agree up to rounding: reactions and verdicts always refer to
 * bodies. */
typedef enum RbvCoordinatesChoice {
    RBV_COORDINATES_ABSOLUTE, /* position and orientation of each body */
    RBV_COORDINATES_NATURAL,  /* points and unit vectors, shared by bodies where joints keep them together */
    RBV_COORDINATES_JOINT,    /* the freedoms of the joints of a spanning tree; rows for joints that close loops */
    RBV_COORDINATES_MIXED     /* natural coordinates, plus those distances, offsets and angles that are driven, sprung,
                                 constrained by an equation or named */
} RbvCoordinatesChoice;
/* Choice of the spanning tree by names, for joint coordinates and everything else that follows a tree; all zero: chosen
 * by the program. Results do not depend on it. */
typedef struct RbvTreeChoice {
    int32_t cut_count, base_count;
    const char *const *cut;  /* joints that are not tree joints, so that they become rows */
    const char *const *base; /* bodies that become children of ground as free bodies: bodies tied to them are their
                                descendants, and joints between these and the rest become rows */
} RbvTreeChoice;
/* How a model is compiled; all zero: the defaults. */
typedef struct RbvSystemOptions {
    RbvCoordinatesChoice coordinates;
    RbvTreeChoice tree;
} RbvSystemOptions;
/* Compile a model; `options` NULL: the defaults. The model must outlive the system, and nothing may be added to it any
 * more. Compiling stores derived data in the model, so only one thread at a time may compile it. On RBV_OK *system is
 * new, to be destroyed by the caller; otherwise NULL. BAD_INPUT: the model is incomplete, an add function refused
 * something, or the tree names no such joint or body; see diagnostics. */
RBV_API RbvStatus rbv_system_create(RbvModel *model, const RbvSystemOptions *options, RbvDiagnostics *diagnostics,
                                    RbvSystem **system);
RBV_API void rbv_system_destroy(RbvSystem *system);

/* Size of a system; all zero for NULL. */
typedef struct RbvSystemCounts {
    int32_t coordinates; /* 3 per planar body, 2 per particle, 1 per generalized coordinate */
    int32_t rows;        /* of all joints, constraints and drives */
} RbvSystemCounts;
RBV_API RbvSystemCounts rbv_system_counts(const RbvSystem *system);

/* What is looked for by its name. */
typedef enum RbvSystemItem {
    RBV_ITEM_BODY, /* ground is 0 */
    RBV_ITEM_DRIVE,
    RBV_ITEM_STATE, /* states: of the model */
    RBV_ITEM_PARAMETER
} RbvSystemItem;
/* Number of the body, drive, state or parameter of that name, from 0; -1: none. */
RBV_API int32_t rbv_system_find(const RbvSystem *system, RbvSystemItem kind, const char *name);

/* Name and SI unit of a parameter ("" for a plain number); NULL: no such parameter. They live as long as the system. */
RBV_API const char *rbv_system_parameter_name(const RbvSystem *system, int32_t parameter);
RBV_API const char *rbv_system_parameter_unit(const RbvSystem *system, int32_t parameter);
/* Current value of a parameter in SI; NaN: no such parameter. */
RBV_API double rbv_system_parameter(const RbvSystem *system, int32_t parameter);
/* Give parameters other values [SI], all at once. The system is then, to the last bit, what compiling the model with
 * these values gives; in natural coordinates it keeps its points and vectors where a new reading would choose others,
 * and numbers agree to rounding. The parts of the model that contain the parameters are read again and checked in
 * place, including parameters computed from them; other parameters, also those set earlier, keep their values. Tables
 * and curves are not read again; a mesh (STL) of a body that is read again is. Notes stay those of the first reading.
 *
 * For models that were read, and not as `fixed` (RbvInput), and for models built by a program, for parameters that
 * stand in texts added after the first parameter; only if one system was compiled from the model. During the call
 * nothing may run on the system, on any thread. Later analyses use the new values; evaluations (state.h) use them from
 * their next call on; states created before are void. The cost is about that of reading the items concerned. BAD_INPUT
 * (see diagnostics, nothing is changed): a value that the model refuses (a negative mass, wheels that do not touch), or
 * one that would change the set of rows of the system (a rod whose spin is no longer idle; in natural coordinates, two
 * points that coincide): then read the model anew. NO_MEMORY: nothing is changed. BAD_ARGUMENT: no such parameter, or
 * an infinite value. */
RBV_API RbvStatus rbv_system_set_parameters(RbvSystem *system, int32_t count, const RbvParameterValue *values,
                                            RbvDiagnostics *diagnostics);

/* --- trees and linkages on plain arrays (tree.h, linkage.h) from models --- */

/* Tree of a model without loops, constraints and gears: bodies with their names, gravity, rotors of drives, stops as
 * limits, damping of joints. Loads and friction, which depend on more than the tree, are left out with a note. The
 * frame of a body is that of its marker of the tree joint (for a universal joint rotated so that the frames of both
 * markers coincide at 0); of a body without joint its own frame. A joint with several freedoms becomes a chain of
 * simple ones; the massless bodies in between are named as the joint's coordinates, "joint.x". BAD_INPUT: the model has
 * a feature that open trees do not support (see diagnostics). */
RBV_API RbvStatus rbv_tree_from_model(const RbvModel *model, RbvDiagnostics *diagnostics, RbvTree **tree);

/* Linkage of a model: its tree as of rbv_tree_from_model, through which all loops but their closings go, and as driven
 * coordinates those of its drives, in their order. Both objects are new, to be destroyed by the caller, the linkage
 * first. BAD_INPUT: the model has a feature that linkages do not support (see diagnostics): constraints, cams, rolling,
 * joints that are active at times or unilateral, drives on rates or on anything but a coordinate of a joint. */
RBV_API RbvStatus rbv_linkage_from_model(const RbvModel *model, RbvDiagnostics *diagnostics, RbvTree **tree,
                                         RbvLinkage **linkage);

#ifdef __cplusplus
}
#endif
#endif
