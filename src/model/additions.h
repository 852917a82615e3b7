/* What a program adds to a model it builds by text: kept, so that parameters can be given other values and the texts
 * that may read them taken again, in place (refill.h). */
#ifndef RBV_MODEL_ADDITIONS_H
#define RBV_MODEL_ADDITIONS_H

#include "model/model.h"

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
    double number; /* a parameter's first value; a limit's rate; a rotor's inertia */
    double ratio;  /* a rotor's */
    const RbvLoadDef *load;
} RbvAddition;

/* After an addition that ended with `status`: keep it. What was added before the first parameter cannot read any and
 * is not kept, nor what is added to a model that was read. The status, or NO_MEMORY. */
RbvStatus rbv_model_keep_addition(RbvModel *model, RbvStatus status, const RbvAddition *addition);
/* While the model is being refilled: other values, and all that was added by text. BAD_INPUT: said; or NO_MEMORY.
 * (additions_again.c) */
RbvStatus rbv_model_change_additions(RbvModel *model, const RbvParameterValue *values, int32_t count,
                                     RbvDiagnostics *diagnostics);

#endif
