/* roberval kinematics: positions, velocities, accelerations along the motion. */
#include "cli/commands.h"
#include "cli/run.h"

int command_kinematics(const Call *call) {
    return run_analysis(call, rbv_kinematics);
}
