/* Number of steps of a motion between two samples: the progress function is called before every step, and a motion that
 * would take too many steps is refused with a report.
 *
 * A step turns no body by more than a quarter of a radian (motion.c), so a drive c(t) that goes to and fro takes 4 int
 * |c'| dt steps between two samples, 25 for each turn. The integral is estimated from rates at instants that coincide
 * with no period of the drive, the multiples of the golden ratio.
 */
#include "solution/motion/motion.h"

#include "core/base/diagnostics.h"

#include <math.h>

/* Most steps between two samples: some 150 000 turns, a minute of a small mechanism. */
#define MOST_PACE_STEPS 1e7
/* Least number of steps for one turn; rejected trial steps come on top. */
#define STEPS_OF_A_TURN 25
#define INSTANTS 256
#define GOLDEN 0.6180339887498949
#define TURN 6.283185307179586

/* Total variation of the target of drive k between the samples [rad or m]. */
static double variation(RbvState *state, const RbvPace *pace, int32_t k) {
    const RbvSystem *system = state->system;
    const RbvRow *row = &system->rows[system->drive_row[k]];
    double sum = 0;
    if (state->guides)
        return fabs(state->guides[k].end[0] - state->guides[k].start[0]);
    if (!row->target || !rbv_state_holds(state, system->drive_row[k]) || rbv_expr_variable_count(row->target) != 1)
        return 0;
    for (int n = 0; n < INSTANTS; n++) {
        double part = n * GOLDEN, t = pace->from + (pace->to - pace->from) * (part - floor(part)), first, second;
        rbv_expr_jet(row->target, &t, state->work, &first, &second);
        sum += isfinite(first) ? fabs(first) : 0;
    }
    return sum / INSTANTS * fabs(pace->to - pace->from);
}

/* The drive with the largest variation, and its number of turns; a length is divided by the arm of the part that it
 * moves. */
static int32_t fastest(RbvState *state, const RbvPace *pace, double *turns) {
    const RbvSystem *system = state->system;
    int32_t which = -1;
    *turns = 0;
    for (int32_t k = 0; k < system->model->drives.count; k++) {
        bool angular = system->rows[system->drive_row[k]].angular;
        double of_drive =
            variation(state, pace, k) / (TURN * (angular ? 1 : rbv_state_row_arm(state, system->drive_row[k])));
        if (which < 0 || of_drive > *turns) {
            *turns = of_drive;
            which = k;
        }
    }
    return which;
}

static void report_pace(const RbvState *state, RbvDiagnostics *diagnostics, const RbvPace *pace, int32_t drive,
                        double turns) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    if (drive < 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the motion cannot be followed between the samples at t = %.9g s and %.9g s: it takes more than "
                     "%.0g steps; motion: wants a smaller step",
                     pace->from, pace->to, MOST_PACE_STEPS);
        return;
    }
    bool angular = system->rows[system->drive_row[drive]].angular;
    double way = turns * TURN * (angular ? 1 : rbv_state_row_arm(state, system->drive_row[drive]));
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->drives.items[drive].where,
                 angular ? "the motion of drive '%s' turns about %.1g times between two samples, from t = %.9g s to "
                           "%.9g s: so fast a motion is not followed. Is it in the right "
                           "unit? Else motion: wants a smaller step"
                         : "the motion of drive '%s' goes about %.1g m up and down between two samples, from t = %.9g "
                           "s to %.9g s: so fast a motion is not followed. Is it "
                           "in the right unit? Else motion: wants a smaller step",
                 model->drives.items[drive].name, angular ? turns : way, pace->from, pace->to);
}

RbvStatus rbv_motion_pace(RbvMotion *motion, RbvPace *pace) {
    if (rbv_progress_stops(motion->state->progress))
        return RBV_INTERRUPTED;
    pace->steps++;
    double span = fabs(pace->to - pace->from), done = fabs(motion->previous - pace->from) / span;
    if (pace->steps < RBV_SURE_STEPS || pace->steps <= MOST_PACE_STEPS * done)
        return RBV_OK;
    double turns;
    int32_t drive = fastest(motion->state, pace, &turns);
    report_pace(motion->state, motion->diagnostics, pace, turns * STEPS_OF_A_TURN < 0.01 * MOST_PACE_STEPS ? -1 : drive,
                turns);
    return RBV_LOCKED;
}

bool rbv_outruns(RbvState *state, const RbvPace *pace, RbvDiagnostics *diagnostics) {
    double turns;
    int32_t drive = fastest(state, pace, &turns);
    if (drive < 0 || turns * STEPS_OF_A_TURN <= MOST_PACE_STEPS)
        return false;
    report_pace(state, diagnostics, pace, drive, turns);
    return true;
}
