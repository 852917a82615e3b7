/* The system under compilation with its rows so far, for the forms of joints and the room compile. */
#ifndef RBV_MECHANICS_SYSTEM_BUILDER_H
#define RBV_MECHANICS_SYSTEM_BUILDER_H

#include "core/base/diagnostics.h"
#include "mechanics/system/system.h"

typedef struct RbvBuilder {
    RbvSystem *system;
    RbvModel *model; /* compiling adds measures to it: they are derived data of the model */
    const RbvCoordinatesKind *coordinates;
    const bool *cut;            /* [joints] joints that must not be tree joints; NULL: none */
    const bool *base;           /* [bodies] bodies connected to ground without a joint; NULL: none */
    const RbvCoordinates *like; /* coordinates whose choices are repeated; NULL: free choice */
    RbvDiagnostics *diagnostics;
    RbvRow *rows;
    RbvTerm *terms;
    int32_t row_count, row_capacity, term_count, term_capacity;
    bool no_memory, wrong;
} RbvBuilder;

/* Appends a row; NULL: out of memory (noted in no_memory). */
RbvRow *rbv_builder_row(RbvBuilder *builder, RbvOwner owner, int32_t index);
/* Appends a term to the last row. */
void rbv_builder_term(RbvBuilder *builder, int32_t measure, double coefficient);
/* Appends a row of joint `index` with one measure; NULL: out of memory (noted in no_memory). */
RbvRow *rbv_builder_joint_row(RbvBuilder *builder, int32_t index, int32_t measure);
/* Reports a mistake of the model at `at`, and notes it in `wrong`. */
void rbv_builder_mistake(RbvBuilder *builder, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);
/* Value, in the starting poses, of a measure that depends on its two markers only. */
double rbv_builder_start_value(RbvBuilder *builder, int32_t index);
/* rbv_compile_friction: the friction contacts system->friction (compile_friction.c); false if out of memory.
 * rbv_compile_stick: the rows of a friction contact that are active while it sticks. */
bool rbv_compile_friction(RbvBuilder *builder);
void rbv_compile_stick(RbvBuilder *builder, RbvFrictionContact *friction);
/* Recomputes weights and levers from the joints, and the coefficients of their rows; after parameter values have
 * changed. */
void rbv_system_place_friction(RbvSystem *system);
/* rbv_choose_numbers: the measures that become numbers of mixed coordinates. rbv_pattern_numbers: the columns of these
 * numbers in the rows (numbers.c). False if out of memory. */
bool rbv_choose_numbers(RbvBuilder *builder, RbvFromRows *from_rows);
bool rbv_pattern_numbers(RbvSystem *system, RbvRowPattern *pattern);
/* Doubles of workspace for any expression of the model, whatever the values of parameters. */
size_t rbv_largest_work(const RbvModel *model);
/* Copies the constants of the rows of screws to coordinates that use them. */
void rbv_system_put_phases(RbvSystem *system);
/* Computes part_arm for the present parameter values (sizes.c); scratch[bodies]. */
void rbv_system_find_arms(RbvSystem *system, int32_t *scratch);
/* Writes the spins for the present parameter values into spins[spin_count] of the builder's system. False: other spins
 * than when it was compiled, or out of memory (noted in no_memory). */
bool rbv_compile_spins_again(RbvBuilder *builder, RbvLineSpin *spins);
/* Finds the spins about lines that the rows so far leave free and appends a row for each idle one (line_spin.c). */
void rbv_compile_spins(RbvBuilder *builder);

#endif
