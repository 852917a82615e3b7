/* Type of joint that replaces a joint when some of its constraint rows are freed, as text for a model file. */
#ifndef RBV_ANALYSIS_ADVICE_REPLACEMENT_H
#define RBV_ANALYSIS_ADVICE_REPLACEMENT_H

#include "mechanics/system/system.h"

typedef struct RbvFreeing {
    int32_t joint;
    uint8_t directions; /* mask of freed directions */
    int32_t rows;       /* number of freed constraint rows, with those without a direction (relation, line of a link) */
} RbvFreeing;

typedef struct RbvReplacement {
    char type[80]; /* text of the type, "slot" or "general, locked: [x, rz]"; "no joint": remove the joint from the
                      file; "": no type leaves the requested directions free */
    const char *obstacle; /* reason why there is no type; meaningful if type is "" */
    /* masks of directions of other entries that change with the type */
    uint8_t renamed; /* directions whose coordinate the model refers to by the old kind's name (angle); its name becomes
                        that of the direction (rz) */
    uint8_t stiff;   /* directions whose compliance or misfit must be removed */
    bool outputs;    /* outputs or questions that read the joint must be removed */
} RbvReplacement;

RbvReplacement rbv_replacement(const RbvSystem *system, const RbvFreeing *freeing);

#endif
