/* The system: a model compiled once into flat arrays, immutable from then on and shared by any number of analyses. */
#ifndef ROBERVAL_SYSTEM_H
#define ROBERVAL_SYSTEM_H

#include <roberval/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvSystem RbvSystem;

/* Compile. The model must outlive the system and not be added to any more; compiling gives it derived data of its own, so one thread at a
 * time compiles it. BAD_INPUT: the model is incomplete or was added to with
 * mistakes; the diagnostics say what. On RBV_OK *system is new, to be destroyed by the caller; otherwise NULL. */
RBV_API RbvStatus rbv_system_create(RbvModel *model, RbvDiagnostics *diagnostics, RbvSystem **system);
RBV_API void rbv_system_destroy(RbvSystem *system);

/* 3 per planar body, 2 per particle; and the rows of all joints, constraints and drives. */
RBV_API int32_t rbv_system_coordinate_count(const RbvSystem *system);
RBV_API int32_t rbv_system_row_count(const RbvSystem *system);
/* The number of the drive, or body (ground is 0), of that name; -1: there is none. */
RBV_API int32_t rbv_system_find_drive(const RbvSystem *system, const char *name);
RBV_API int32_t rbv_system_find_body(const RbvSystem *system, const char *name);

#ifdef __cplusplus
}
#endif
#endif
