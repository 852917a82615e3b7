/* Random numbers that are functions of their place, so that any worker has any variant. */
#ifndef RBV_STUDY_DESIGN_RANDOM_H
#define RBV_STUDY_DESIGN_RANDOM_H

#include <stdint.h>

/* Number between 0 and 1, neither of them, that depends on the three alone: the same bits on every machine. */
double rbv_random(uint64_t seed, uint64_t variant, uint64_t parameter);
/* Place of element k in a permutation of count > 0 elements that depends on seed and parameter. */
uint64_t rbv_random_place(uint64_t seed, uint64_t parameter, uint64_t count, uint64_t k);

#endif
