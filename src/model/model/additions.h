/* Record of the items that a program adds to a model as text (expressions). The record allows parameters to get new
 * values later: every recorded text is then read again in place (refill.h). */
#ifndef RBV_MODEL_MODEL_ADDITIONS_H
#define RBV_MODEL_MODEL_ADDITIONS_H

#include "model/model/model.h"

typedef enum RbvAdditionKind {
    RBV_ADDED_PARAMETER,
    RBV_ADDED_COORDINATE,
    RBV_ADDED_CONSTRAINT,
    RBV_ADDED_VELOCITY,
    RBV_ADDED_NONIDEAL,
    RBV_ADDED_DRIVE,
    RBV_ADDED_LIMIT,
    RBV_ADDED_ROTOR,
    RBV_ADDED_REQUIREMENT,
    RBV_ADDED_REQUIRED_VELOCITY,
    RBV_ADDED_LOAD,
    RBV_ADDED_OUTPUT
} RbvAdditionKind;

typedef struct RbvAddition {
    struct RbvAddition *next;
    RbvAdditionKind kind;
    const char *text[3];
    double number; /* first value of a parameter; rate of a drive limit [1/s]; inertia of a rotor [kg m^2] */
    double ratio;  /* speed ratio of a rotor */
    const RbvLoadDef *load;
} RbvAddition;

/* Record an addition that ended with `status`. Not recorded: additions before the first parameter (they cannot read
 * one), and additions to a model that was read from a file. Returns `status`, or NO_MEMORY. */
RbvStatus rbv_model_keep_addition(RbvModel *model, RbvStatus status, const RbvAddition *addition);
/* For a model that is being refilled: set the parameter values[count] and read all recorded texts again. BAD_INPUT
 * (reported in diagnostics) or NO_MEMORY. Defined in additions_again.c. */
RbvStatus rbv_model_change_additions(RbvModel *model, const RbvParameterValue *values, int32_t count,
                                     RbvDiagnostics *diagnostics);

#endif
