/* Table of the methods of inverse dynamics; see method.h. */
#include "solution/reaction/method.h"

const RbvMethodKind *rbv_method_kind(RbvInverseMethod method) {
    static const RbvMethodKind *const kinds[] = {
        &rbv_two_step_method,  &rbv_lagrange_method,      &rbv_newton_method,
        &rbv_penalty_method,   &rbv_augmented_method,     &rbv_virtual_power_method,
        &rbv_recursive_method, &rbv_pseudo_inverse_method}; /* in the order of RbvInverseMethod */
    return kinds[method];
}
