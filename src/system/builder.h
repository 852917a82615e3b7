/* A system while it is compiled: its rows so far (builder.c), for compile.c and compile_joints.c. */
#ifndef RBV_SYSTEM_BUILDER_H
#define RBV_SYSTEM_BUILDER_H

#include "system/system.h"

typedef struct RbvBuilder {
    RbvSystem *system;
    RbvModel *model; /* measures are added to it while compiling: they are the model's derived data */
    const RbvCoordinatesKind *coordinates;
    const bool *cut;            /* [joints] that shall be no tree joints of a tree; NULL: none */
    const bool *base;           /* [bodies] that shall hang on nothing; NULL: none */
    const RbvCoordinates *like; /* whose choices are made again; NULL: free */
    RbvDiagnostics *diagnostics;
    RbvRow *rows;
    RbvTerm *terms;
    int32_t row_count, row_capacity, term_count, term_capacity;
    bool no_memory, wrong;
} RbvBuilder;

/* A new last row; NULL: no memory (remembered). */
RbvRow *rbv_builder_row(RbvBuilder *builder, RbvOwner owner, int32_t index);
/* Append a term to the last row. */
void rbv_builder_term(RbvBuilder *builder, int32_t measure, double coefficient);
/* The rows of joint `index` (compile_joints.c). Mistakes are said and remembered. */
void rbv_compile_joint(RbvBuilder *builder, int32_t index);
/* Friction contacts, system->rubs, (compile_friction.c). False: no memory. Then the rows that hold them where they
 * stick. */
bool rbv_compile_friction(RbvBuilder *builder);
void rbv_compile_stick(RbvBuilder *builder, RbvFrictionContact *friction);
/* Which measures are to be numbers of mixed coordinates, and the columns of their numbers in rows (numbers.c). False:
 * no memory. */
bool rbv_choose_numbers(RbvBuilder *builder, RbvFromRows *from_rows);
bool rbv_pattern_numbers(RbvSystem *system, RbvRowPattern *pattern);
/* Doubles of scratch that any expression of the model needs, whatever the values of parameters. */
int32_t rbv_largest_work(const RbvModel *model);
/* What the rows of screws hold, to coordinates that go by it. */
void rbv_system_put_phases(RbvSystem *system);
/* part_arm of the model as it is now (sizes.c); scratch[bodies]. */
void rbv_system_find_arms(RbvSystem *system, int32_t *scratch);
/* Spins of the model as it is now into spins[spin_count] of the builder's system. False: others than when it was
 * compiled, or no memory (remembered). */
bool rbv_compile_spins_again(RbvBuilder *builder, RbvLineSpin *spins);
/* The spins about lines that the rows so far leave free, and a row for each that is idle (line_spin.c). */
void rbv_compile_spins(RbvBuilder *builder);

#endif
