/* Width of the page; see terminal.h. */
#define _DEFAULT_SOURCE /* struct winsize */
#include "cli/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NOT_A_TERMINAL 100
#define LEAST 40
#define MOST 1000

static int within(long columns) {
    return columns < LEAST ? LEAST : columns > MOST ? MOST : (int)columns;
}

int page_width(bool *known) {
    const char *given = getenv("COLUMNS");
    char *end;
    long columns = given ? strtol(given, &end, 10) : 0;
    struct winsize size;
    if (known)
        *known = true;
    if (given && end != given && !*end && columns > 0)
        return within(columns);
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return within(size.ws_col);
    if (known)
        *known = false;
    return NOT_A_TERMINAL;
}
