/* The commands, one file each; each function returns the exit status. */
#ifndef RBV_CLI_COMMANDS_H
#define RBV_CLI_COMMANDS_H

#include "cli/call.h"

int command_check(const Call *call);
int command_assemble(const Call *call);
int command_kinematics(const Call *call);
int command_statics(const Call *call);
int command_inverse(const Call *call);
int command_simulate(const Call *call);
int command_track(const Call *call);
int command_modes(const Call *call);
int command_report(const Call *call);
int command_info(const Call *call);
int command_init(const Call *call);
int command_convert(const Call *call);
int command_schema(const Call *call);
int command_help(const Call *call);
int command_version(const Call *call);

#endif
