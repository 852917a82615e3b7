/* Elimination of sparse rows: each row of small whole numbers is called independent of those before exactly when it is
 * modulo a large prime, by dense elimination. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/elimination.h"
#include "support/machines.h"

#include <math.h>
#include <string.h>

#define PRIME 2147483647 /* minors of these rows are far smaller: none is a multiple of it by chance alone */
enum { COLUMNS = 24, ROWS = 60 };

static int64_t inverse(int64_t a) {
    int64_t power = PRIME - 2, result = 1;
    for (a %= PRIME; power > 0; power >>= 1, a = a * a % PRIME)
        result = power & 1 ? result * a % PRIME : result;
    return result;
}

/* Reduce x by the kept rows (kept[j][0 ... COLUMNS) has 1 in column j); true: something is left, and it is kept. */
static bool independent(int64_t kept[COLUMNS][COLUMNS], bool has[COLUMNS], int64_t x[COLUMNS]) {
    for (int j = 0; j < COLUMNS; j++) {
        if (x[j] == 0)
            continue;
        if (!has[j]) {
            int64_t scale = inverse(x[j]);
            for (int c = 0; c < COLUMNS; c++)
                kept[j][c] = x[c] * scale % PRIME;
            has[j] = true;
            return true;
        }
        int64_t factor = x[j];
        for (int c = 0; c < COLUMNS; c++)
            x[c] = ((x[c] - factor * kept[j][c]) % PRIME + PRIME) % PRIME;
    }
    return false;
}

static int number(uint64_t *seed, int most) {
    return (int)((machine_random(seed) + 1) / 2 * most) % most;
}

/* A row of two to five entries, or the sum of two rows before. */
static void draw(uint64_t *seed, int row, int rows[ROWS][COLUMNS]) {
    memset(rows[row], 0, sizeof rows[row]);
    if (row > 2 && number(seed, 3) == 0) {
        int a = number(seed, row), b = number(seed, row);
        for (int c = 0; c < COLUMNS; c++)
            rows[row][c] = rows[a][c] - rows[b][c];
        return;
    }
    for (int n = 2 + number(seed, 4); n > 0; n--)
        rows[row][number(seed, COLUMNS)] = number(seed, 9) - 4;
}

static void rows_are_independent_as_modulo_a_prime(void **unused) {
    (void)unused;
    uint64_t seed = 0x9e3779b97f4a7c15u;
    int32_t kept_rows = 0, asked = 0;
    for (int trial = 0; trial < 300; trial++) {
        int32_t place[COLUMNS], column[COLUMNS], rank = 0;
        int rows[ROWS][COLUMNS];
        int64_t kept[COLUMNS][COLUMNS];
        bool has[COLUMNS] = {false};
        for (int32_t j = 0; j < COLUMNS; j++) { /* any order of the columns */
            int32_t other = number(&seed, j + 1);
            place[j] = place[other];
            place[other] = j;
        }
        RbvElimination *e = rbv_elimination_create(COLUMNS, place);
        assert_non_null(e);
        for (int r = 0; r < ROWS; r++) {
            double value[COLUMNS];
            int64_t x[COLUMNS];
            int32_t count = 0;
            draw(&seed, r, rows);
            for (int c = 0; c < COLUMNS; c++) {
                x[c] = (rows[r][c] + (int64_t)PRIME) % PRIME;
                if (rows[r][c] != 0)
                    column[count] = c, value[count++] = rows[r][c];
            }
            bool fresh = independent(kept, has, x);
            assert_int_equal(rbv_elimination_take(e, count, column, value, 1e-9), fresh);
            rank += fresh;
            asked++;
        }
        assert_int_equal(rbv_elimination_rank(e), rank);
        assert_false(rbv_elimination_lost(e));
        kept_rows += rank;
        rbv_elimination_destroy(e);
    }
    assert_true(kept_rows > 300 * COLUMNS / 2 && asked > 2 * kept_rows);
}

/* A row of some neighbouring columns, or a sum of rows before with coefficients of any size: of length 1 either way, as
 * the gradients of scalar products of unit vectors are. False: nothing new by its making. */
static bool draw_real(uint64_t *seed, int row, double rows[ROWS][COLUMNS]) {
    double *x = rows[row], length = 0;
    bool sum = row > 6 && number(seed, 3) == 0;
    memset(x, 0, sizeof rows[row]);
    for (int n = 0, first = number(seed, COLUMNS - 6); !sum && n < 6; n++)
        x[first + n] = machine_random(seed);
    for (int n = 0; sum && n < 6; n++) {
        double factor = machine_random(seed) * pow(10, -number(seed, 3));
        int of = number(seed, row);
        for (int c = 0; c < COLUMNS; c++)
            x[c] += factor * rows[of][c];
    }
    for (int c = 0; c < COLUMNS; c++)
        length += x[c] * x[c];
    for (int c = 0; c < COLUMNS; c++)
        x[c] /= sqrt(length);
    return !sum;
}

/* Of rows with rounding: what is left of a dependent one is rounding, whatever pivots it has met, and is not enlarged
 * by making it a pivot. */
static void sums_of_rows_are_dependent(void **unused) {
    (void)unused;
    uint64_t seed = 0x1234567890abcdefu;
    int32_t sums = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double rows[ROWS][COLUMNS];
        int32_t place[COLUMNS], all[COLUMNS];
        for (int32_t j = 0; j < COLUMNS; j++)
            place[j] = all[j] = j;
        RbvElimination *e = rbv_elimination_create(COLUMNS, place);
        assert_non_null(e);
        for (int r = 0; r < COLUMNS; r++) {
            bool fresh = draw_real(&seed, r, rows);
            bool taken = rbv_elimination_take(e, COLUMNS, all, rows[r], 1e-8);
            if (!fresh)
                assert_false(taken);
            sums += !fresh;
        }
        rbv_elimination_destroy(e);
    }
    assert_true(sums > 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_independent_as_modulo_a_prime),
                                       cmocka_unit_test(sums_of_rows_are_dependent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
