/* What a joint becomes when some of its rows are freed, in words that can be typed into a model file. */
#ifndef RBV_ADVICE_REPLACEMENT_H
#define RBV_ADVICE_REPLACEMENT_H

#include "system/system.h"

typedef struct RbvFreeing {
    int32_t joint;
    uint8_t directions; /* freed, as a mask */
    int32_t rows;       /* how many rows are freed, those without a direction (a relation, the line of a link) too */
} RbvFreeing;

typedef struct RbvReplacement {
    char type[80]; /* the type to write, "slot" or "general, locked: [x, rz]"; "no joint": its line is to be taken out;
                      "": no type alone does it, */
    const char *obstacle; /* for this reason */
    /* what changes with it, as masks of directions */
    uint8_t renamed; /* something speaks of its coordinate by the kind's own name (angle): it is called by its direction
                        then (rz) */
    uint8_t stiff;   /* its compliance there goes */
    bool outputs;    /* outputs that read it go */
} RbvReplacement;

RbvReplacement rbv_replacement(const RbvSystem *system, const RbvFreeing *freeing);

#endif
