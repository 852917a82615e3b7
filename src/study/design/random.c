/* Counter-based random numbers: each is a mix of its counters by bijections of 64 bits (Steele, Lea and Flood 2014,
 * "Fast splittable pseudorandom number generators", finaliser of Stafford's variant 13). */
#include "study/design/random.h"

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15) /* 2^64 over the golden ratio, odd */

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t mix_three(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t z = mix(a + GOLDEN);
    z = mix(z + GOLDEN * (b + 1));
    return mix(z + GOLDEN * (c + 1));
}

double rbv_random(uint64_t seed, uint64_t variant, uint64_t parameter) {
    return ((double)(mix_three(seed, parameter, variant) >> 12) + 0.5) / 4503599627370496.0; /* 2^52: exact */
}

/* A Feistel network permutes the numbers of 2 `half` bits; what is not below `count` is permuted again. */
uint64_t rbv_random_place(uint64_t seed, uint64_t parameter, uint64_t count, uint64_t k) {
    int half = 1;
    while (half < 31 && count > UINT64_C(1) << (2 * half))
        half++;
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    const uint64_t key = mix_three(seed, parameter, ~UINT64_C(0));
    do {
        uint64_t left = k >> half, right = k & mask;
        for (uint64_t round = 0; round < 6; round++) {
            uint64_t next = left ^ (mix_three(key, round, right) & mask);
            left = right;
            right = next;
        }
        k = left << half | right;
    } while (k >= count);
    return k;
}
