/* Self-stresses, determined groups and advice as text. */
#ifndef RBV_WRITE_STRESS_H
#define RBV_WRITE_STRESS_H

#include "base/text.h"
#include "result/result.h"

void rbv_write_stress(RbvText *text, const RbvResult *result);

#endif
