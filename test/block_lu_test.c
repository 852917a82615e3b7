/* Systems in block triangular form against dense factors: chains that are triangular, loops as small blocks, one block,
 * and what is singular. */
#include "core/linalg/lu.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 30

static double next(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 8388608.0 - 1;
}

/* Rows whose unknowns couple within groups of `group`, and with the groups before. */
static void compare(int32_t n, int32_t group, unsigned seed) {
    int32_t start[MOST + 1], index[MOST * MOST], order[MOST], count = 0;
    double values[MOST * MOST], b[MOST], x[MOST], y[MOST];
    for (int32_t k = 0; k < n; k++)
        order[k] = k;
    for (int32_t k = n - 1; k > 0; k--) {
        int32_t other = (int32_t)((next(&seed) + 1) / 2 * k), kept = order[k];
        order[k] = order[other], order[other] = kept;
    }
    for (int32_t i = 0; i < n; i++) {
        start[i] = count;
        for (int32_t j = 0; j < n; j++) {
            bool same = order[i] / group == j / group;
            if (!same && (j / group > order[i] / group || next(&seed) > -0.5))
                continue;
            index[count] = j;
            values[count++] = next(&seed) + (order[i] == j ? 3 : 0);
        }
    }
    start[n] = count;
    for (int32_t k = 0; k < n; k++)
        b[k] = x[k] = next(&seed);
    bool no_memory = false;
    int32_t largest;
    RbvLu *all = rbv_lu_create(n, start, index);
    RbvBlockLu *blocks = rbv_block_lu_create(n, start, index);
    assert_non_null(all);
    assert_non_null(blocks);
    assert_true(rbv_lu_factor(all, values, &no_memory));
    assert_true(rbv_block_lu_factor(blocks, values, &no_memory));
    assert_int_equal(rbv_block_lu_coupled(blocks, &largest), group > 1 ? n / group : 0);
    assert_int_equal(largest, group);
    rbv_lu_solve_transposed(all, x);
    rbv_block_lu_solve_transposed(blocks, b, y);
    double size = 0;
    for (int32_t k = 0; k < n; k++)
        size = fmax(size, fabs(x[k]));
    for (int32_t k = 0; k < n; k++)
        assert_true(fabs(x[k] - y[k]) <= 1e-12 * size);
    rbv_lu_destroy(all);
    rbv_block_lu_destroy(blocks);
}

static void triangular_systems_need_no_factors(void **state) {
    (void)state;
    for (unsigned seed = 1; seed < 20; seed++)
        compare(12, 1, seed);
}

static void loops_are_blocks(void **state) {
    (void)state;
    for (unsigned seed = 1; seed < 20; seed++) {
        compare(12, 2, seed);
        compare(30, 5, seed);
        compare(20, 20, seed);
    }
}

static void singular_systems_are_seen(void **state) {
    (void)state;
    const int32_t start[] = {0, 1, 2, 4}, index[] = {0, 0, 1, 2}, full[] = {0, 1, 2, 3}, each[] = {0, 1, 2};
    const double values[] = {1, 1, 1, 1}, zero[] = {1, 0, 1}, wrong[] = {1, NAN, 1};
    bool no_memory = false;
    RbvBlockLu *lu = rbv_block_lu_create(3, start, index); /* two rows have one column */
    assert_non_null(lu);
    assert_false(rbv_block_lu_factor(lu, values, &no_memory));
    rbv_block_lu_destroy(lu);
    lu = rbv_block_lu_create(3, full, each);
    assert_false(rbv_block_lu_factor(lu, zero, &no_memory));
    assert_false(rbv_block_lu_factor(lu, wrong, &no_memory));
    assert_false(no_memory);
    rbv_block_lu_destroy(lu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangular_systems_need_no_factors),
        cmocka_unit_test(loops_are_blocks),
        cmocka_unit_test(singular_systems_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
