/* roberval version, --version, -V. */
#include "cli/commands.h"
#include "cli/say.h"

#include <stdio.h>

int command_version(const Call *call) {
    (void)call;
    char text[64];
    snprintf(text, sizeof text, "roberval %s\n", rbv_version());
    return print_out(text);
}
