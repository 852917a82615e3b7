/* The system: a model compiled once into flat arrays, and shared by any number of analyses. Nothing changes it but new
 * values of parameters. */
#ifndef ROBERVAL_SYSTEM_H
#define ROBERVAL_SYSTEM_H

#include <roberval/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvSystem RbvSystem;

/* Compile. The model must outlive the system and not be added to any more; compiling gives it derived data of its own,
 * so one thread at a time compiles it. BAD_INPUT: the model is incomplete or was added to with
 * mistakes; the diagnostics say what. On RBV_OK *system is new, to be destroyed by the caller; otherwise NULL. */
RBV_API RbvStatus rbv_system_create(RbvModel *model, RbvDiagnostics *diagnostics, RbvSystem **system);
RBV_API void rbv_system_destroy(RbvSystem *system);

/* Coordinates in which motion is solved. Results are the same up to rounding: reactions and verdicts are those of
 * bodies, whatever the coordinates. */
typedef enum RbvCoordinatesChoice {
    RBV_COORDINATES_ABSOLUTE, /* each body by place and orientation */
    RBV_COORDINATES_NATURAL,  /* points and unit vectors, shared where joints keep them together */
    RBV_COORDINATES_JOINT,    /* what the joints of a spanning tree leave free; rows for what closes loops */
    RBV_COORDINATES_MIXED     /* natural ones, and distances, offsets and angles that are driven, sprung, held by an
                                 equation or named */
} RbvCoordinatesChoice;
/* Compile in coordinates of a choice; else as rbv_system_create, which takes absolute ones. */
RBV_API RbvStatus rbv_system_create_in(RbvModel *model, RbvCoordinatesChoice coordinates, RbvDiagnostics *diagnostics,
                                       RbvSystem **system);
/* What a spanning tree shall look like, by names; zeros: as the program finds best. No result hangs on it. */
typedef struct RbvTreeChoice {
    int32_t cut_count, base_count;
    const char *const *cut;  /* joints that shall be no tree joints, so that they are rows */
    const char *const *base; /* bodies that shall hang on ground by nothing but themselves: what is tied to them hangs
                                on them, and joints between them and the rest are rows */
} RbvTreeChoice;
/* The same with a spanning tree that is chosen: of joint coordinates, and of what else goes along a tree. BAD_INPUT:
 * there is no such joint or body. */
RBV_API RbvStatus rbv_system_create_on_tree(RbvModel *model, RbvCoordinatesChoice coordinates,
                                            const RbvTreeChoice *tree, RbvDiagnostics *diagnostics, RbvSystem **system);

/* 3 per planar body, 2 per particle, 1 per generalized coordinate; and the rows of all joints, constraints and drives.
 */
RBV_API int32_t rbv_system_coordinate_count(const RbvSystem *system);
RBV_API int32_t rbv_system_row_count(const RbvSystem *system);
/* The number of the drive, body (ground is 0) or state of the model's own, of that name; -1: there is none. */
RBV_API int32_t rbv_system_find_drive(const RbvSystem *system, const char *name);
RBV_API int32_t rbv_system_find_body(const RbvSystem *system, const char *name);
RBV_API int32_t rbv_system_find_state(const RbvSystem *system, const char *name);

/* The number of the parameter of that name; -1: there is none. Its value now, in SI of its dimension; NaN: there is
 * none. */
RBV_API int32_t rbv_system_find_parameter(const RbvSystem *system, const char *name);
RBV_API double rbv_system_parameter(const RbvSystem *system, int32_t parameter);
/* Give parameters other values [SI], all at once: the system is then what compiling the model with them would give, to
 * the last bit; in natural coordinates it keeps its points and vectors where reading anew would choose others, and
 * numbers are the same to rounding. What the parameters stand in is read again and checked in place, parameters that
 * are made of them too; the others, those given before among them, keep their values. Tables and curves are not read
 * again; a mesh (STL) of a body that is read again is. Notes stay those of the first reading.
 *
 * For models that were read, and not as `fixed` (RbvInput), and for those that a program has built, where parameters
 * stand in the texts added after the first of them; with one system compiled from them. Nothing may run on the system
 * meanwhile, on no thread. Later analyses see the new values; so do evaluations (state.h), from their next one on,
 * and states that were made before are void. It costs about what reading the things concerned does. BAD_INPUT: said,
 * and all is as it was: a value that the model refuses (a negative mass, wheels that do not touch), or one that would
 * change of what rows the system is made (a rod whose spin is no longer idle; in natural coordinates, two points that
 * become one), in which case the model is to be read anew. NO_MEMORY: all is as it was. BAD_ARGUMENT: no such
 * parameter, or an infinite value. */
RBV_API RbvStatus rbv_system_set_parameters(RbvSystem *system, int32_t count, const RbvParameterValue *values,
                                            RbvDiagnostics *diagnostics);

#ifdef __cplusplus
}
#endif
#endif
