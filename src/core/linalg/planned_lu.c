/* LU by a plan; see planned_lu.h.
 *
 * Numbers are stored in slots: pivot k in slot k, then for each k the entries of row k of U and those of column k of L.
 * Step k of the elimination subtracts each pair l_ik u_kj from the slot of (i, j); the list `target` has these slots in
 * the order in which the steps meet them. */
#include "core/linalg/planned_lu.h"

#include "core/linalg/pattern.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A pivot is at least this part of the largest entry of its column when the order is found. */
#define LEAST_PIVOT 0.5
/* Columns in which a pivot is looked for, those of fewest entries: more find hardly less fill. */
#define COLUMNS_SEARCHED 4
/* Largest multiplier with other values; beyond it the order is found anew. Partial pivoting has 1: a step loses less
 * than a digit against it. */
#define MOST_MULTIPLIER 8.0

struct RbvPlannedLu {
    int32_t n, most;
    const int32_t *start, *index; /* the caller's pattern */
    bool planned;
    int sign, order_sign; /* of det A; of both permutations */
    int32_t repivots;
    int32_t *row, *column;  /* [n] row and column of pivot k */
    int32_t *place;         /* [most] slot of each entry */
    int32_t *upper, *lower; /* [n + 1] first entry of row k of U, of column k of L, in slots */
    int32_t *at;            /* [slots] column of an entry of U, row of an entry of L, in the order of pivots */
    int32_t *target;        /* [pairs] */
    double *slot;           /* [slots] */
    double *x;              /* [n] workspace */
    int32_t slots, slot_capacity, pair_capacity;
    double *a;                         /* [n][n] while the order is found, where filled */
    int32_t words;                     /* number of words of a set of columns, or of rows */
    uint64_t *in_row, *in_column;      /* [n][words] columns of each row and rows of each column, with what fills in */
    uint64_t *columns_left;            /* [words] columns without a step */
    int32_t *row_count, *column_count; /* [n] entries left */
    int32_t *row_step, *column_step;   /* [n] step of each row and column; -1: none yet */
};

/* ---- sets of rows or columns, a bit each ---- */

static inline bool has(const uint64_t *set, int32_t k) {
    return set[k / 64] >> (k % 64) & 1;
}

static inline void put(uint64_t *set, int32_t k) {
    set[k / 64] |= (uint64_t)1 << (k % 64);
}

static inline void take_out(uint64_t *set, int32_t k) {
    set[k / 64] &= ~((uint64_t)1 << (k % 64));
}

/* The least of the elements `left` of word w of a set, taken out of `left`. */
static inline int32_t next_of(uint64_t *left, int32_t w) {
    int32_t k = 64 * w + __builtin_ctzll(*left);
    *left &= *left - 1;
    return k;
}

static inline bool is_filled(const RbvPlannedLu *lu, int32_t row, int32_t column) {
    return has(lu->in_row + (ptrdiff_t)row * lu->words, column);
}

RbvPlannedLu *rbv_planned_lu_create(int32_t n, int32_t most) {
    RbvPlannedLu *lu = calloc(1, sizeof *lu);
    size_t size = (size_t)n + 1, square = (size_t)n * (size_t)n + 1;
    if (!lu)
        return NULL;
    lu->n = n;
    lu->most = most;
    lu->row = malloc(size * sizeof *lu->row);
    lu->column = malloc(size * sizeof *lu->column);
    lu->place = malloc(((size_t)most + 1) * sizeof *lu->place);
    lu->upper = malloc(size * sizeof *lu->upper);
    lu->lower = malloc(size * sizeof *lu->lower);
    lu->x = malloc(size * sizeof *lu->x);
    lu->a = malloc(square * sizeof *lu->a);
    lu->words = n / 64 + 1;
    lu->in_row = malloc(size * (size_t)lu->words * sizeof *lu->in_row);
    lu->in_column = malloc(size * (size_t)lu->words * sizeof *lu->in_column);
    lu->columns_left = malloc((size_t)lu->words * sizeof *lu->columns_left);
    lu->row_count = malloc(size * sizeof *lu->row_count);
    lu->column_count = malloc(size * sizeof *lu->column_count);
    lu->row_step = malloc(size * sizeof *lu->row_step);
    lu->column_step = malloc(size * sizeof *lu->column_step);
    if (lu->row && lu->column && lu->place && lu->upper && lu->lower && lu->x && lu->a && lu->in_row && lu->in_column &&
        lu->columns_left && lu->row_count && lu->column_count && lu->row_step && lu->column_step)
        return lu;
    rbv_planned_lu_destroy(lu);
    return NULL;
}

void rbv_planned_lu_destroy(RbvPlannedLu *lu) {
    if (!lu)
        return;
    void *const parts[] = {lu->row,          lu->column,     lu->place,        lu->upper,     lu->lower,
                           lu->at,           lu->target,     lu->slot,         lu->x,         lu->a,
                           lu->in_row,       lu->in_column,  lu->columns_left, lu->row_count, lu->row_step,
                           lu->column_count, lu->column_step};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        free(parts[k]);
    free(lu);
}

void rbv_planned_lu_take(RbvPlannedLu *lu, const int32_t *start, const int32_t *index) {
    lu->start = start;
    lu->index = index;
    lu->planned = false;
}

/* ---- the plan ---- */

/* Add `value` to an entry that is filled, or fill it. */
static void spread_entry(RbvPlannedLu *lu, int32_t row, int32_t column, double value) {
    double *entry = lu->a + (ptrdiff_t)row * lu->n + column;
    if (is_filled(lu, row, column)) {
        *entry += value;
        return;
    }
    *entry = value;
    put(lu->in_row + (ptrdiff_t)row * lu->words, column);
    put(lu->in_column + (ptrdiff_t)column * lu->words, row);
    lu->row_count[row]++;
    lu->column_count[column]++;
}

/* Spread the entries over the square. */
static void spread(RbvPlannedLu *lu, const double *values) {
    size_t n = (size_t)lu->n, words = (size_t)lu->words;
    memset(lu->in_row, 0, n * words * sizeof *lu->in_row);
    memset(lu->in_column, 0, n * words * sizeof *lu->in_column);
    memset(lu->columns_left, 0, words * sizeof *lu->columns_left);
    memset(lu->row_count, 0, n * sizeof *lu->row_count);
    memset(lu->column_count, 0, n * sizeof *lu->column_count);
    for (int32_t i = 0; i < lu->n; i++) {
        lu->row_step[i] = lu->column_step[i] = -1;
        put(lu->columns_left, i);
        for (int32_t e = lu->start[i]; e < lu->start[i + 1]; e++)
            spread_entry(lu, i, lu->index[e], values[e]);
    }
}

/* A pivot that is proposed, its fill (r - 1) (c - 1), and its size beside the largest of its column. */
typedef struct Pivot {
    int32_t row, column;
    int64_t fill;
    double size;
} Pivot;

/* Propose the entries of a column that are not small: less fill is better, then size. */
static void propose(const RbvPlannedLu *lu, int32_t column, Pivot *pivot) {
    const uint64_t *rows = lu->in_column + (ptrdiff_t)column * lu->words;
    double largest = 0;
    for (int32_t w = 0; w < lu->words; w++)
        for (uint64_t left = rows[w]; left != 0;) {
            int32_t i = next_of(&left, w);
            double size = fabs(lu->a[(ptrdiff_t)i * lu->n + column]);
            largest = lu->row_step[i] < 0 && size > largest ? size : largest;
        }
    for (int32_t w = 0; w < lu->words && largest > 0; w++)
        for (uint64_t left = rows[w]; left != 0;) {
            int32_t i = next_of(&left, w);
            double size = fabs(lu->a[(ptrdiff_t)i * lu->n + column]);
            int64_t fill = (int64_t)(lu->row_count[i] - 1) * (lu->column_count[column] - 1);
            if (lu->row_step[i] < 0 && size >= LEAST_PIVOT * largest &&
                (fill < pivot->fill || (fill == pivot->fill && size > pivot->size * largest)))
                *pivot = (Pivot){i, column, fill, size / largest};
        }
}

/* The columns of fewest entries that are left, the first ones of equal number: found[at most COLUMNS_SEARCHED].
 * Returns their number. */
static int shortest_columns(const RbvPlannedLu *lu, int32_t *found) {
    int count = 0;
    for (int32_t w = 0; w < lu->words; w++)
        for (uint64_t left = lu->columns_left[w]; left != 0;) {
            int32_t j = next_of(&left, w), entries = lu->column_count[j];
            if (entries == 0 || (count == COLUMNS_SEARCHED && entries >= lu->column_count[found[count - 1]]))
                continue;
            int at = count < COLUMNS_SEARCHED ? count++ : count - 1;
            for (; at > 0 && lu->column_count[found[at - 1]] > entries; at--)
                found[at] = found[at - 1];
            found[at] = j;
        }
    return count;
}

/* The pivot of the next step, from the columns of fewest entries (Zlatev 1980); from any column where these have
 * nothing but zeros. False: nothing but zeros is left. */
static bool choose_pivot(const RbvPlannedLu *lu, Pivot *pivot) {
    int32_t shortest[COLUMNS_SEARCHED];
    *pivot = (Pivot){-1, -1, INT64_MAX, 0};
    int count = shortest_columns(lu, shortest);
    for (int k = 0; k < count && pivot->fill > 0; k++)
        propose(lu, shortest[k], pivot);
    for (int32_t j = 0; j < lu->n && pivot->row < 0; j++)
        if (lu->column_step[j] < 0)
            propose(lu, j, pivot);
    return pivot->row >= 0;
}

/* Mark what fills in in row i when the pivot row is subtracted: `columns` of word w, that it has not. */
static void fill_in(RbvPlannedLu *lu, int32_t i, int32_t w, uint64_t columns) {
    lu->in_row[(ptrdiff_t)i * lu->words + w] |= columns;
    while (columns != 0) {
        int32_t j = next_of(&columns, w);
        put(lu->in_column + (ptrdiff_t)j * lu->words, i);
        lu->a[(ptrdiff_t)i * lu->n + j] = 0;
        lu->row_count[i]++;
        lu->column_count[j]++;
    }
}

/* Subtract the pivot row from row i. */
static void eliminate_row(RbvPlannedLu *lu, int32_t row, int32_t column, double inverse, int32_t i) {
    const double *pivot = lu->a + (ptrdiff_t)row * lu->n;
    double *to = lu->a + (ptrdiff_t)i * lu->n;
    const double factor = to[column] *= inverse;
    lu->row_count[i]--;
    for (int32_t w = 0; w < lu->words; w++) {
        uint64_t left = lu->in_row[(ptrdiff_t)row * lu->words + w] & lu->columns_left[w];
        fill_in(lu, i, w, left & ~lu->in_row[(ptrdiff_t)i * lu->words + w]);
        while (left != 0) {
            int32_t j = next_of(&left, w);
            to[j] -= factor * pivot[j];
        }
    }
}

/* Eliminate the column of a pivot from all rows that are left. */
static void eliminate(RbvPlannedLu *lu, int32_t row, int32_t column) {
    const double inverse = 1 / lu->a[(ptrdiff_t)row * lu->n + column]; /* as factor_by_plan has it */
    for (int32_t w = 0; w < lu->words; w++)
        for (uint64_t left = lu->in_column[(ptrdiff_t)column * lu->words + w]; left != 0;) {
            int32_t i = next_of(&left, w);
            if (lu->row_step[i] < 0)
                eliminate_row(lu, row, column, inverse, i);
        }
    for (int32_t w = 0; w < lu->words; w++)
        for (uint64_t left = lu->in_row[(ptrdiff_t)row * lu->words + w] & lu->columns_left[w]; left != 0;)
            lu->column_count[next_of(&left, w)]--;
}

/* Order of the pivots by these values. False: singular. */
static bool find_order(RbvPlannedLu *lu, const double *values) {
    spread(lu, values);
    for (int32_t k = 0; k < lu->n; k++) {
        Pivot pivot;
        if (!choose_pivot(lu, &pivot))
            return false;
        lu->row[k] = pivot.row;
        lu->column[k] = pivot.column;
        lu->row_step[pivot.row] = k;
        lu->column_step[pivot.column] = k;
        take_out(lu->columns_left, pivot.column);
        eliminate(lu, pivot.row, pivot.column);
    }
    lu->order_sign = rbv_permutation_sign(lu->n, lu->row, lu->x) * rbv_permutation_sign(lu->n, lu->column, lu->x);
    return true;
}

/* Enlarge an array to `count` elements; false: out of memory. */
static bool enlarge(void **array, size_t count, size_t size) {
    void *grown = realloc(*array, (count + 1) * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

/* Counts of slots and pairs, and memory for them. False: out of memory. */
static bool reserve(RbvPlannedLu *lu) {
    int32_t n = lu->n, pairs = 0, slots = n;
    for (int32_t k = 0; k < n; k++) {
        int32_t right = 0, below = 0;
        for (int32_t i = k + 1; i < n; i++) {
            right += is_filled(lu, lu->row[k], lu->column[i]);
            below += is_filled(lu, lu->row[i], lu->column[k]);
        }
        slots += right + below;
        pairs += right * below;
    }
    if (slots > lu->slot_capacity) {
        if (!enlarge((void **)&lu->at, (size_t)slots, sizeof *lu->at) ||
            !enlarge((void **)&lu->slot, (size_t)slots, sizeof *lu->slot))
            return false;
        lu->slot_capacity = slots;
    }
    if (pairs > lu->pair_capacity) {
        if (!enlarge((void **)&lu->target, (size_t)pairs, sizeof *lu->target))
            return false;
        lu->pair_capacity = pairs;
    }
    lu->slots = slots;
    return true;
}

/* Slots of all entries, and the targets of all steps; the square holds the slot of each place meanwhile. */
static void lay_out(RbvPlannedLu *lu) {
    int32_t n = lu->n, next = n, *target = lu->target;
    double *slot_of = lu->a; /* whole numbers */
    for (int32_t k = 0; k < n; k++) {
        slot_of[lu->row[k] * n + lu->column[k]] = k;
        lu->at[k] = k;
        lu->upper[k] = next;
        for (int32_t j = k + 1; j < n; j++)
            if (is_filled(lu, lu->row[k], lu->column[j])) {
                slot_of[lu->row[k] * n + lu->column[j]] = next;
                lu->at[next++] = j;
            }
        lu->lower[k] = next;
        for (int32_t i = k + 1; i < n; i++)
            if (is_filled(lu, lu->row[i], lu->column[k])) {
                slot_of[lu->row[i] * n + lu->column[k]] = next;
                lu->at[next++] = i;
            }
    }
    lu->upper[n] = next;
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = lu->lower[k]; l < lu->upper[k + 1]; l++)
            for (int32_t u = lu->upper[k]; u < lu->lower[k]; u++)
                *target++ = (int32_t)slot_of[lu->row[lu->at[l]] * n + lu->column[lu->at[u]]];
    for (int32_t i = 0; i < n; i++)
        for (int32_t e = lu->start[i]; e < lu->start[i + 1]; e++)
            lu->place[e] = (int32_t)slot_of[i * n + lu->index[e]];
}

/* ---- factors and solutions ---- */

/* Factor by the plan. False: a multiplier is too large, or a pivot is zero. */
static bool factor_by_plan(RbvPlannedLu *lu, const double *values) {
    int32_t n = lu->n, entries = lu->start[n];
    const int32_t *target = lu->target;
    double *slot = lu->slot;
    int sign = lu->order_sign;
    memset(slot, 0, (size_t)lu->slots * sizeof *slot);
    for (int32_t e = 0; e < entries; e++)
        slot[lu->place[e]] += values[e];
    for (int32_t k = 0; k < n; k++) {
        double pivot = slot[k], inverse = 1 / pivot;
        const double *right = slot + lu->upper[k];
        int32_t count = lu->lower[k] - lu->upper[k];
        if (pivot == 0)
            return false;
        sign = pivot < 0 ? -sign : sign;
        for (int32_t l = lu->lower[k]; l < lu->upper[k + 1]; l++) {
            double factor = slot[l] *= inverse;
            if (!(fabs(factor) <= MOST_MULTIPLIER))
                return false;
            for (int32_t u = 0; u < count; u++)
                slot[target[u]] -= factor * right[u];
            target += count;
        }
    }
    lu->sign = sign;
    return true;
}

bool rbv_planned_lu_factor(RbvPlannedLu *lu, const double *values, bool *no_memory) {
    double sum = 0;
    for (int32_t e = 0; e < lu->start[lu->n]; e++)
        sum += 0 * values[e];
    lu->sign = 0;
    if (sum != 0) /* NaN: a value is not finite */
        return false;
    if (lu->planned && factor_by_plan(lu, values))
        return true;
    lu->repivots += lu->planned;
    lu->planned = false;
    if (!find_order(lu, values))
        return false;
    if (!reserve(lu)) {
        *no_memory = true;
        return false;
    }
    lay_out(lu);
    lu->planned = true;
    return factor_by_plan(lu, values);
}

void rbv_planned_lu_solve(const RbvPlannedLu *lu, double *b) {
    const int32_t n = lu->n, *const upper = lu->upper, *const lower = lu->lower, *const at = lu->at;
    const double *const slot = lu->slot;
    double *const x = lu->x;
    for (int32_t k = 0; k < n; k++)
        x[k] = b[lu->row[k]];
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = lower[k]; l < upper[k + 1]; l++)
            x[at[l]] -= slot[l] * x[k];
    for (int32_t k = n - 1; k >= 0; k--) {
        double sum = x[k];
        for (int32_t u = upper[k]; u < lower[k]; u++)
            sum -= slot[u] * x[at[u]];
        x[k] = b[lu->column[k]] = sum / slot[k];
    }
}

void rbv_planned_lu_solve_transposed(const RbvPlannedLu *lu, double *b) {
    const int32_t n = lu->n, *const upper = lu->upper, *const lower = lu->lower, *const at = lu->at;
    const double *const slot = lu->slot;
    double *const x = lu->x;
    for (int32_t k = 0; k < n; k++)
        x[k] = b[lu->column[k]];
    for (int32_t k = 0; k < n; k++) {
        double value = x[k] /= slot[k];
        for (int32_t u = upper[k]; u < lower[k]; u++)
            x[at[u]] -= slot[u] * value;
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        double sum = x[k];
        for (int32_t l = lower[k]; l < upper[k + 1]; l++)
            sum -= slot[l] * x[at[l]];
        x[k] = b[lu->row[k]] = sum;
    }
}

int rbv_planned_lu_sign(const RbvPlannedLu *lu) {
    return lu->sign;
}

int32_t rbv_planned_lu_repivots(const RbvPlannedLu *lu) {
    return lu->repivots;
}
