/* Numbers of unknowns and equations of Newton's equilibrium, their rank, and Gruebler's count; see record.h. */
#include "solution/record/record.h"

#include <string.h>

/* Names of the balanced bodies. False: no memory. */
static bool keep_names(RbvResult *result, const RbvBodyBalance *balance) {
    const RbvModel *model = balance->system->model;
    result->newton.bodies =
        rbv_arena_alloc(&result->arena, (size_t)model->bodies.count * sizeof *result->newton.bodies);
    result->newton.body_count = 0;
    for (int32_t b = 1; result->newton.bodies && b < model->bodies.count; b++) {
        if (!balance->body[b])
            continue;
        const char *name =
            rbv_arena_copy(&result->arena, model->bodies.items[b].name, strlen(model->bodies.items[b].name));
        if (!name)
            return false;
        result->newton.bodies[result->newton.body_count++] = name;
    }
    return result->newton.bodies != NULL;
}

bool rbv_record_newton(RbvRecord *record, const RbvState *state, const RbvSolvability *solvability) {
    RbvResult *result = record->result;
    const RbvBodyBalance *balance = record->options.balance;
    RbvNewtonSystem *whole = balance ? NULL : rbv_newton_system_create(state, NULL, NULL);
    const RbvNewtonSystem *newton = balance ? balance->newton : whole;
    if (!newton || (balance && !keep_names(result, balance)))
        return false;
    result->newton.found = true;
    result->newton.unknowns = newton->unknowns - (whole ? record->system->held_count - record->system->row_count
                                                        : 0); /* no force acts on an idle spin */
    result->newton.equations = newton->equations;
    result->newton.rank =
        balance ? balance->rank
                : result->newton.unknowns - solvability->redundant; /* one self-stress for each redundant row */
    result->newton.gruebler = balance ? balance->gruebler : result->mobility.gruebler;
    rbv_newton_system_destroy(whole);
    return true;
}
