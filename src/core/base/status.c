/* Texts of the statuses, and the version. */
#include <roberval/base.h>

#ifndef RBV_VERSION_STRING
#define RBV_VERSION_STRING "0.1.0"
#endif

const char *rbv_status_text(RbvStatus status) {
    switch (status) {
    case RBV_OK: return "ok";
    case RBV_BAD_ARGUMENT: return "bad argument: the library was called wrongly";
    case RBV_BAD_INPUT: return "the input is wrong";
    case RBV_NO_MEMORY: return "no memory";
    case RBV_NOT_ASSEMBLED: return "the parts cannot be assembled";
    case RBV_INCONSISTENT: return "constraints or drives contradict each other";
    case RBV_LOCKED: return "the mechanism locks";
    case RBV_NO_EQUILIBRIUM: return "no equilibrium was found";
    case RBV_NOT_FINITE: return "an expression or a table gave no finite number";
    case RBV_AUDIT_FAILED: return "the result does not satisfy the laws of mechanics";
    case RBV_INTERRUPTED: return "interrupted";
    case RBV_NOT_WRITABLE: return "a file could not be written";
    }
    return "unknown status";
}

const char *rbv_version(void) {
    return RBV_VERSION_STRING;
}
