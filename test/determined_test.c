/* ctest: long */
/* Which combinations are determined: all criteria, small and large, doubtful and exact, against elimination and
 * constructions whose answer is known. */
#include "support/sparse.h"

static const RbvCriterionKind kinds[] = {RBV_DECIDE_DEFAULT, RBV_DECIDE_RANKS, RBV_DECIDE_SVD, RBV_DECIDE_QR};

/* --- determined
 * ------------------------------------------------------------------------------------------------------- */

/* A decision of a matrix against elimination: rank, null space, order, single rows, random combinations, combinations
 * of columns. */
static void assert_decides(const Sparse *S, const double *C, int32_t r, RbvCriterionKind kind, RbvDetermined *d,
                           uint64_t *seed) {
    int32_t m = S->rows, n = S->columns;
    RbvSparse matrix = view(S, NULL);
    int32_t *order = get((size_t)m, sizeof *order), *row = get((size_t)m, sizeof *row),
            *seen = get((size_t)m, sizeof *seen);
    double *c = get((size_t)m, sizeof *c), *chosen = get((size_t)m * (size_t)n, sizeof *chosen);
    assert_int_equal(rbv_determined_decide(d, &matrix, kind, order), RBV_OK);
    assert_int_equal(d->kind, kind);
    assert_int_equal(d->rows, m);
    assert_int_equal(d->columns, n);
    assert_int_equal(d->rank.rank, r);
    assert_true(d->rank.safe);
    for (int32_t k = 0; k < m; k++) {
        assert_in_range(order[k], 0, m - 1);
        assert_int_equal(seen[order[k]]++, 0);
        memcpy(chosen + k * n, C + order[k] * n, (size_t)n * sizeof *C);
        row[k] = k;
    }
    assert_int_equal(reference_rank(r, n, chosen), r);
    for (int32_t k = 0; k < m; k++) {
        const double one = 3.5;
        memset(c, 0, (size_t)m * sizeof *c);
        c[k] = 1;
        assert_int_equal(rbv_determined_verdict(d, 1, &k, &one),
                         reference_determined(m, n, C, c) ? RBV_DETERMINED : RBV_OPEN);
    }
    for (int trial = 0; trial < 4; trial++) { /* a column of C, then with one row wrong, or any numbers */
        double x[64];
        for (int32_t j = 0; j < n; j++)
            x[j] = machine_random(seed);
        for (int32_t k = 0; k < m; k++) {
            c[k] = trial == 3 ? machine_random(seed) : 0;
            for (int32_t j = 0; j < n && trial < 3; j++)
                c[k] += C[k * n + j] * x[j];
        }
        if (trial == 2)
            c[pick(seed, 0, m - 1)] += 1;
        assert_int_equal(rbv_determined_verdict(d, m, row, c),
                         reference_determined(m, n, C, c) ? RBV_DETERMINED : RBV_OPEN);
    }
    const double nothing[] = {0, 0};
    const int32_t two[] = {0, m - 1};
    assert_int_equal(rbv_determined_verdict(d, 0, NULL, NULL), RBV_DETERMINED);
    assert_int_equal(rbv_determined_verdict(d, m > 1 ? 2 : 1, two, nothing), RBV_DETERMINED);
    free(order);
    free(row);
    free(seen);
    free(c);
    free(chosen);
}

static void all_criteria_agree_with_elimination(void **unused) {
    (void)unused;
    uint64_t seed = 51;
    RbvDetermined d = {0};
    for (size_t s = 0; s < (getenv("ROBERVAL_MORE") ? 3 : 1) * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r;
        double *C = of_rank(m, n, r, &seed);
        Sparse S = sparse_of(m, n, C, &seed);
        double *scaled = dense_of(&S);
        for (int k = 0; k < 4; k++) {
            assert_decides(&S, scaled, r, kinds[k], &d, &seed);
            if (d.null_columns > 0 || r < m)
                assert_null_space(m, n, scaled, r, d.null, d.null_columns);
        }
        sparse_drop(&S);
        free(C);
        free(scaled);
    }
    rbv_determined_clear(&d);
    rbv_determined_clear(&d); /* twice is harmless */
}

/* Rows of rank r and rows marked `last`: as many of those are chosen as the others leave. */
static void rows_marked_last_are_taken_last(void **unused) {
    (void)unused;
    uint64_t seed = 52;
    RbvDetermined d = {0};
    for (size_t s = 1; s < 6 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r, order[80], taken = 0,
                count = 0;
        double *C = of_rank(m, n, r, &seed);
        Sparse S = sparse_of(m, n, C, &seed);
        double *scaled = dense_of(&S), *first = get((size_t)m * (size_t)n, sizeof *first);
        bool last[80];
        for (int32_t k = 0; k < m; k++) {
            last[k] = pick(&seed, 0, 2) == 0;
            if (!last[k])
                memcpy(first + count++ * n, scaled + k * n, (size_t)n * sizeof *first);
        }
        RbvSparse matrix = view(&S, last);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(rbv_determined_decide(&d, &matrix, kinds[k], order), RBV_OK);
            taken = 0;
            double *chosen = get((size_t)m * (size_t)n, sizeof *chosen);
            for (int32_t i = 0; i < r; i++) {
                taken += last[order[i]];
                memcpy(chosen + i * n, scaled + order[i] * n, (size_t)n * sizeof *chosen);
            }
            assert_int_equal(taken, r - reference_rank(count, n, first));
            assert_int_equal(reference_rank(r, n, chosen), r);
            free(chosen);
        }
        sparse_drop(&S);
        free(C);
        free(scaled);
        free(first);
    }
    rbv_determined_clear(&d);
}

/* --- large matrices of small pieces
 * ----------------------------------------------------------------------------------- */

typedef struct Piece {
    int32_t m, n, r, row, column;
    double C[36];
    bool determined[6]; /* of single rows */
} Piece;

static Piece draw_piece(uint64_t *seed) {
    Piece piece = {pick(seed, 1, 6), pick(seed, 1, 6), 0, 0, 0, {0}, {0}};
    int32_t most = piece.m < piece.n ? piece.m : piece.n;
    double *C = of_rank(piece.m, piece.n, pick(seed, 0, 3) ? most : pick(seed, 0, most), seed);
    memcpy(piece.C, C, (size_t)(piece.m * piece.n) * sizeof *C);
    piece.r = reference_rank(piece.m, piece.n, C);
    for (int32_t k = 0; k < piece.m; k++) {
        double c[6] = {0};
        c[k] = 1;
        piece.determined[k] = reference_determined(piece.m, piece.n, C, c);
    }
    free(C);
    return piece;
}

/* Pieces on the diagonal. Columns of an even piece are added to those of the next, which leaves the range as it is;
 * or, where `mixed`, the first row of an even piece to the first row of the next. */
static Sparse assemble(int32_t count, Piece *pieces, bool mixed) {
    int32_t rows = 0, columns = 0;
    for (int32_t p = 0; p < count; p++) {
        pieces[p].row = rows, pieces[p].column = columns;
        rows += pieces[p].m, columns += pieces[p].n;
    }
    Sparse S = sparse_create(rows, columns, 40 * rows);
    for (int32_t p = 0, column_node = 0, row_node = 0; p < count; p++) {
        const Piece *a = &pieces[p], *before = &pieces[p ? p - 1 : 0];
        for (int32_t j = 0; j < a->n; j++)
            S.node[a->column + j] = column_node += j % 3 == 0 && a->column + j > 0;
        for (int32_t i = 0; i < a->m; i++) {
            for (int32_t j = 0; mixed && p % 2 && i == 0 && j < before->n; j++)
                add_entry(&S, before->column + j, before->C[j]);
            for (int32_t j = 0; j < a->n; j++)
                add_entry(&S, a->column + j, a->C[i * a->n + j]);
            /* column j of an even piece counts for a column of the next as well */
            for (int32_t j = 0; !mixed && p % 2 == 0 && p + 1 < count && j < a->n && j < pieces[p + 1].n; j++)
                add_entry(&S, pieces[p + 1].column + j, a->C[i * a->n + j]);
            end_row(&S, row_node += i % 3 == 0 && a->row + i > 0);
        }
    }
    return S;
}

static void large_matrices_of_pieces_are_decided_as_the_pieces_are(void **unused) {
    (void)unused;
    uint64_t seed = 53;
    RbvDetermined d = {0};
    for (int trial = 0; trial < 8; trial++) {
        int32_t count = trial < 2 ? 130 : 260 + 120 * trial, rank = 0;
        bool mixed = trial % 2;
        Piece *pieces = get((size_t)count, sizeof *pieces);
        for (int32_t p = 0; p < count; p++) {
            pieces[p] = draw_piece(&seed);
            rank += pieces[p].r;
        }
        Sparse S = assemble(count, pieces, mixed);
        assert_true(S.rows > RBV_DENSE_ROWS);
        RbvSparse matrix = view(&S, NULL);
        int32_t *order = get((size_t)S.rows, sizeof *order);
        bool *chosen = get((size_t)S.rows, sizeof *chosen);
        bool ordered = trial % 4 < 2;
        assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, ordered ? order : NULL), RBV_OK);
        assert_int_equal(d.rank.rank, rank);
        assert_true(d.rank.safe);
        assert_true(!ordered || d.null || rank == S.rows);
        for (int32_t k = 0; ordered && k < S.rows; k++) {
            assert_in_range(order[k], 0, S.rows - 1);
            assert_false(chosen[order[k]]);
            chosen[order[k]] = k < rank;
        }
        for (int32_t p = 0; p < count; p++) {
            const Piece *a = &pieces[p], *next = &pieces[p + 1 < count ? p + 1 : p];
            double rows[36];
            int32_t got = 0;
            for (int32_t i = 0; i < a->m; i++) {
                /* row i of an even piece stands, mixed, in the first row of the next too: the combination that was e_i
                 * has an entry there */
                int32_t at[2] = {a->row + i, next->row}, extra = mixed && p % 2 == 0 && i == 0 && p + 1 < count;
                double c[2] = {1 / S.norm[at[0]], extra ? 1 / S.norm[at[1]] : 0};
                assert_int_equal(rbv_determined_verdict(&d, 1 + extra, at, c),
                                 a->determined[i] ? RBV_DETERMINED : RBV_OPEN);
                if (chosen[a->row + i])
                    memcpy(rows + got++ * a->n, a->C + i * a->n, (size_t)a->n * sizeof *rows);
            }
            if (ordered && !mixed) {
                assert_int_equal(got, a->r);
                assert_int_equal(reference_rank(got, a->n, rows), got);
            }
        }
        const int32_t ends[] = {0, S.rows - 1};
        const double nothing[] = {0, 0};
        assert_int_equal(rbv_determined_verdict(&d, 2, ends, nothing), RBV_DETERMINED);
        assert_int_equal(rbv_determined_verdict(&d, 0, NULL, NULL), RBV_DETERMINED);
        /* a random combination of all columns, then one with an open row more */
        double *c = get((size_t)S.rows, sizeof *c), *x = get((size_t)S.columns, sizeof *x);
        int32_t *all = get((size_t)S.rows, sizeof *all), open = -1;
        for (int32_t j = 0; j < S.columns; j++)
            x[j] = machine_random(&seed);
        for (int32_t k = 0; k < S.rows; k++) {
            all[k] = k;
            for (int32_t e = S.start[k]; e < S.start[k + 1]; e++)
                c[k] += S.values[e] * x[S.column[e]];
        }
        assert_int_equal(rbv_determined_verdict(&d, S.rows, all, c), RBV_DETERMINED);
        for (int32_t p = 1; open < 0 && p < count; p += 2)
            for (int32_t i = 0; i < pieces[p].m; i++)
                open = pieces[p].determined[i] ? open : pieces[p].row + i;
        assert_true(open >= 0);
        c[open] += 1;
        assert_int_equal(rbv_determined_verdict(&d, S.rows, all, c), RBV_OPEN);
        free(c);
        free(x);
        free(all);
        free(order);
        free(chosen);
        free(pieces);
        sparse_drop(&S);
    }
    rbv_determined_clear(&d);
}

static void rows_marked_last_are_taken_last_in_large_matrices(void **unused) {
    (void)unused;
    uint64_t seed = 54;
    RbvDetermined d = {0};
    int32_t count = 300, rank = 0;
    Piece *pieces = get((size_t)count, sizeof *pieces);
    for (int32_t p = 0; p < count; p++) {
        pieces[p] = draw_piece(&seed);
        rank += pieces[p].r;
    }
    Sparse S = assemble(count, pieces, false);
    int32_t *order = get((size_t)S.rows, sizeof *order);
    bool *last = get((size_t)S.rows, sizeof *last), *chosen = get((size_t)S.rows, sizeof *chosen);
    for (int32_t k = 0; k < S.rows; k++)
        last[k] = pick(&seed, 0, 1);
    RbvSparse matrix = view(&S, last);
    assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, order), RBV_OK);
    assert_int_equal(d.rank.rank, rank);
    for (int32_t k = 0; k < rank; k++)
        chosen[order[k]] = true;
    for (int32_t p = 0; p < count; p++) {
        const Piece *a = &pieces[p];
        double rows[36], early[36];
        int32_t got = 0, before = 0, taken = 0;
        for (int32_t i = 0; i < a->m; i++) {
            if (chosen[a->row + i])
                memcpy(rows + got++ * a->n, a->C + i * a->n, (size_t)a->n * sizeof *rows);
            if (!last[a->row + i])
                memcpy(early + before++ * a->n, a->C + i * a->n, (size_t)a->n * sizeof *early);
            taken += last[a->row + i] && chosen[a->row + i];
        }
        assert_int_equal(got, a->r);
        assert_int_equal(reference_rank(got, a->n, rows), got);
        assert_int_equal(taken, a->r - reference_rank(before, a->n, early));
    }
    free(order);
    free(last);
    free(chosen);
    free(pieces);
    sparse_drop(&S);
    rbv_determined_clear(&d);
}

/* Products of sparse and of well-filled factors against singular values. Filled in, a Gram matrix without pivoting may
 * doubt, but not be wrong. */
static void large_matrices_are_decided_as_by_singular_values(void **unused) {
    (void)unused;
    uint64_t seed = 55;
    RbvDetermined large = {0}, dense = {0};
    const int trials = getenv("ROBERVAL_MORE") ? 10 : 4 - 2 * (getenv("ROBERVAL_QUICK") != NULL);
    for (int trial = 0; trial < trials; trial++) {
        int32_t m = pick(&seed, RBV_DENSE_ROWS + 1, 460), n = pick(&seed, 200, 500),
                r = pick(&seed, 100, m < n ? m : n);
        bool filled = trial % 2;
        double *C = filled ? of_rank(m, n, r, &seed) : get((size_t)m * (size_t)n, sizeof *C);
        for (int32_t i = 0; !filled && i < m; i++)
            for (int32_t twice = 0; twice < 2; twice++) {
                int32_t k =
                    i < r && twice == 0 ? i : pick(&seed, 0, r - 1); /* row k of B: columns k, k + r ... and another */
                double a = pick(&seed, 0, 1) ? 1 : -2;
                for (int32_t j = k; j < n; j += r)
                    C[i * n + j] += a;
                C[i * n + (k * 7 + 3) % n] += a;
            }
        Sparse S = sparse_of(m, n, C, &seed);
        RbvSparse matrix = view(&S, NULL);
        assert_int_equal(rbv_determined_decide(&large, &matrix, RBV_DECIDE_DEFAULT, NULL), RBV_OK);
        assert_int_equal(rbv_determined_decide(&dense, &matrix, RBV_DECIDE_SVD, NULL), RBV_OK);
        assert_true(dense.rank.safe && (large.rank.safe || filled));
        assert_true(!large.rank.safe || large.rank.rank == dense.rank.rank);
        for (int32_t k = 0; k < m; k++) {
            const double one = 1;
            RbvDecision got = rbv_determined_verdict(&large, 1, &k, &one);
            assert_true(got == rbv_determined_verdict(&dense, 1, &k, &one) ||
                        (got == RBV_DOUBTFUL && !large.rank.safe));
        }
        sparse_drop(&S);
        free(C);
    }
    rbv_determined_clear(&large);
    rbv_determined_clear(&dense);
}

/* Bars in a line between n points, one end held: all determined. Both ends held: one self-stress, the same force in all
 * bars. */
static void chain_of_bars_is_open_when_both_ends_are_held(void **unused) {
    (void)unused;
    RbvDetermined d = {0};
    const int32_t sizes[] = {5, 100, 400, 401, 1000, 3000};
    for (int s = 0; s < 6; s++)
        for (int held = 1; held <= 2; held++) {
            int32_t n = sizes[s], m = n + held - 1;
            Sparse S = sparse_create(m, n, 2 * m);
            for (int32_t k = 0; k < m; k++) {
                if (k > 0)
                    add_entry(&S, k - 1, -1);
                if (k < n)
                    add_entry(&S, k, 1);
                end_row(&S, k);
            }
            RbvSparse matrix = view(&S, NULL);
            assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, NULL), RBV_OK);
            assert_int_equal(d.rank.rank, n);
            for (int32_t k = 0; k < m; k++) {
                const double one = 1;
                assert_int_equal(rbv_determined_verdict(&d, 1, &k, &one), held == 2 ? RBV_OPEN : RBV_DETERMINED);
                /* equilibrium of a point: the difference of two neighbours' forces, rows unscaled */
                int32_t two[] = {k, k + 1};
                const double c[] = {1 / S.norm[k], -1 / S.norm[k + 1 < m ? k + 1 : k]};
                if (k + 1 < m)
                    assert_int_equal(rbv_determined_verdict(&d, 2, two, c), RBV_DETERMINED);
            }
            sparse_drop(&S);
        }
    rbv_determined_clear(&d);
}

/* A girder of square panels, held at its left end: two chords, a post and a diagonal to a panel, every third with
 * both. Where both are, the bars round and in the panel share a self-stress; all others are determined. */
static Sparse girder(int32_t panels, bool *open) {
    Sparse S = sparse_create(5 * panels, 4 * panels, 20 * panels);
    const double u = 0.5 * sqrt(2);
    for (int32_t p = 0; p < panels; p++) {
        /* columns 4p ...: x and y of the lower, then of the upper point right of panel p */
        int32_t right = 4 * p, left = 4 * (p - 1), bar = S.rows;
        bool both = p % 3 == 1;
        for (int32_t k = 0; k < 5; k++) {
            if (k == 4 && !both)
                continue;
            if (k < 2) { /* lower, upper chord */
                add_entry(&S, right + 2 * k, 1);
                if (p > 0)
                    add_entry(&S, left + 2 * k, -1);
            } else if (k == 2) { /* post */
                add_entry(&S, right + 1, -1);
                add_entry(&S, right + 3, 1);
            } else { /* falling or rising: from the upper or lower left to the lower or upper right */
                int32_t to = right + (k == 3 ? 0 : 2), from = left + (k == 3 ? 2 : 0);
                double y = k == 3 ? -u : u;
                if (p > 0) {
                    add_entry(&S, from, -u);
                    add_entry(&S, from + 1, -y);
                }
                add_entry(&S, to, u);
                add_entry(&S, to + 1, y);
            }
            open[S.rows] = both;
            end_row(&S, S.rows);
        }
        if (both)
            open[bar - 2] = true; /* the post at its left, third bar of panel p - 1 with one diagonal */
    }
    for (int32_t j = 0; j < 4 * panels; j++)
        S.node[j] = j / 2;
    return S;
}

static void girder_is_open_where_panels_have_two_diagonals(void **unused) {
    (void)unused;
    RbvDetermined d = {0};
    const int32_t sizes[] = {9, 30, 90, 120, 180, 300}; /* the last two are large */
    for (int s = 0; s < 6; s++)
        for (int k = 0; k < (s < 4 ? 4 : 1); k++) {
            bool *open = get(5 * (size_t)sizes[s], sizeof *open);
            Sparse S = girder(sizes[s], open);
            RbvSparse matrix = view(&S, NULL);
            assert_int_equal(rbv_determined_decide(&d, &matrix, kinds[k], NULL), RBV_OK);
            assert_int_equal(d.rank.rank, S.columns);
            for (int32_t row = 0; row < (k == 1 && s > 1 ? 20 : S.rows); row++) { /* ranks: an SVD for each row */
                const double one = 1;
                assert_int_equal(rbv_determined_verdict(&d, 1, &row, &one), open[row] ? RBV_OPEN : RBV_DETERMINED);
            }
            sparse_drop(&S);
            free(open);
        }
    rbv_determined_clear(&d);
}

/* The chain that halves from row to row (see above), four ways: its null vector has tiny parts in most rows. */
static void large_chain_with_a_hidden_null_vector_is_not_called_full_rank(void **unused) {
    (void)unused;
    RbvDetermined d = {0};
    for (int reversed = 0; reversed < 2; reversed++)
        for (int transposed = 0; transposed < 2; transposed++) {
            int32_t n = 600;
            Sparse S = sparse_create(n, n, 2 * n);
            for (int32_t i = 0; i < n; i++) {
                int32_t other = transposed ? i - 1 : i + 1;
                add_entry(&S, reversed ? n - 1 - i : i, 1);
                if (other >= 0 && other < n)
                    add_entry(&S, reversed ? n - 1 - other : other, -2);
                end_row(&S, i);
            }
            RbvSparse matrix = view(&S, NULL);
            assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, NULL), RBV_OK);
            assert_true(d.rank.rank == n - 1 || (d.rank.rank == n && !d.rank.safe));
            /* the self-stress y halves or doubles from row to row: its largest parts are at one end */
            int32_t row = transposed ? 0 : n - 1;
            const double one = 1;
            assert_int_not_equal(rbv_determined_verdict(&d, 1, &row, &one), RBV_DETERMINED);
            sparse_drop(&S);
        }
    rbv_determined_clear(&d);
}

/* Sizes: a criterion by name above RBV_DENSE_MOST rows, a null space above RBV_NULL_MOST numbers. */
static void too_large_matrices_say_so(void **unused) {
    (void)unused;
    RbvDetermined d = {0};
    int32_t m = RBV_DENSE_MOST + 4; /* four rows alike to each column: 4503 redundant */
    Sparse S = sparse_create(m, m / 4, m);
    for (int32_t i = 0; i < m; i++) {
        add_entry(&S, i / 4, 1);
        end_row(&S, i);
    }
    RbvSparse matrix = view(&S, NULL);
    for (int k = 1; k < 4; k++)
        assert_int_equal(rbv_determined_decide(&d, &matrix, kinds[k], NULL), RBV_BAD_INPUT);
    int32_t *order = get((size_t)m, sizeof *order);
    assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, order), RBV_OK);
    assert_int_equal(d.rank.rank, m / 4);
    for (int32_t i = 0; i < m / 4; i++)
        for (int32_t j = 0; j < i; j += 1 + i / 4)
            assert_int_not_equal(order[i] / 4, order[j] / 4);
    assert_ptr_equal(d.null, NULL); /* it would be 6004 times 4503 */
    const int32_t row[] = {m - 4, m - 3, m - 2, m - 1};
    const double sum[] = {1, 1, 1, 1};
    for (int32_t count = 1; count <= 4; count++)
        assert_int_equal(rbv_determined_verdict(&d, count, row, sum), count == 4 ? RBV_DETERMINED : RBV_OPEN);
    free(order);
    sparse_drop(&S);
    rbv_determined_clear(&d);
}

/* --- doubt and exact arithmetic
 * --------------------------------------------------------------------------------------- */

/* C by rows, scaled to unit rows; `L` scales column 0 before. */
static Sparse scaled_of(int32_t m, int32_t n, const double *C, double L) {
    Sparse S = sparse_create(m, n, m * n);
    for (int32_t i = 0; i < m; i++) {
        for (int32_t j = 0; j < n; j++)
            add_entry(&S, j, C[i * n + j] / (j == 0 ? L : 1));
        end_row(&S, i);
        S.row_node[i] = i;
    }
    S.unit[0] = L;
    return S;
}

static void assert_verdicts(const Sparse *S, RbvCriterionKind kind, int32_t rank, bool safe, bool exact,
                            const RbvDecision *expected) {
    RbvDetermined d = {0};
    RbvSparse matrix = view(S, NULL);
    assert_int_equal(rbv_determined_decide(&d, &matrix, kind, NULL), RBV_OK);
    assert_int_equal(d.exact, exact);
    assert_int_equal(d.rank.rank, rank);
    assert_int_equal(d.rank.safe, safe);
    const double one = 1;
    for (int32_t k = 0; k < S->rows; k++)
        assert_int_equal(rbv_determined_verdict(&d, 1, &k, &one), expected[k]);
    rbv_determined_clear(&d);
}

/* Rows 0 and 1 nearly equal, row 2 alone, rows 3 and 4 equal: in doubt, determined, open. 1 + 1e-8 is no small
 * fraction. */
static void doubtful_combinations_are_called_doubtful(void **unused) {
    (void)unused;
    const double C[] = {1, 1, 0, 0, 1, 1 + 1e-8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1};
    const RbvDecision expected[] = {RBV_DOUBTFUL, RBV_DOUBTFUL, RBV_DETERMINED, RBV_OPEN, RBV_OPEN};
    Sparse S = scaled_of(5, 4, C, 1);
    assert_verdicts(&S, RBV_DECIDE_DEFAULT, 4, false, false, expected);
    assert_verdicts(&S, RBV_DECIDE_SVD, 4, false, false, expected);
    assert_verdicts(&S, RBV_DECIDE_QR, 4, false, false, expected);
    sparse_drop(&S);
}

/* 1/(i+j+1): regular, smallest singular value 2e-9 of the largest at seven rows. */
static void exact_arithmetic_settles_doubt_for_small_fractions(void **unused) {
    (void)unused;
    double C[49];
    const RbvDecision expected[] = {RBV_DETERMINED, RBV_DETERMINED, RBV_DETERMINED, RBV_DETERMINED,
                                    RBV_DETERMINED, RBV_DETERMINED, RBV_DETERMINED};
    for (int32_t e = 0; e < 49; e++)
        C[e] = 1.0 / (e / 7 + e % 7 + 1);
    const double lengths[] = {1, 0.37, 3.14159265358979};
    for (int k = 0; k < 3; k++) {
        Sparse S = scaled_of(7, 7, C, lengths[k]);
        assert_verdicts(&S, RBV_DECIDE_DEFAULT, 7, true, true, expected);
        RbvDetermined d = {0};
        RbvSparse matrix = view(&S, NULL);
        assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_SVD, NULL), RBV_OK);
        assert_false(d.exact || d.rank.safe); /* by name there is no exact arithmetic */
        if (k > 0) { /* without what makes them the user's numbers again they are no fractions */
            S.unit[0] = 1.000001;
            assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, NULL), RBV_OK);
            assert_false(d.exact || d.rank.safe);
        }
        rbv_determined_clear(&d);
        sparse_drop(&S);
    }
}

/* Entries of 0.01 with noise: in rows of unit length 1e-9, in the band. Within RBV_EXACT_NEAR of 1/100 the rows are
 * equal; beyond nobody knows. */
static void noise_counts_against_what_the_user_wrote(void **unused) {
    (void)unused;
    const RbvDecision equal[] = {RBV_OPEN, RBV_OPEN}, doubt[] = {RBV_DOUBTFUL, RBV_DOUBTFUL};
    const double near[] = {0.01, 0.01, 0.01, 0.01 + 0.9 * RBV_EXACT_NEAR},
                 far[] = {0.01, 0.01, 0.01, 0.01 + 2 * RBV_EXACT_NEAR};
    Sparse S = scaled_of(2, 2, near, 1);
    assert_verdicts(&S, RBV_DECIDE_DEFAULT, 1, true, true, equal);
    sparse_drop(&S);
    S = scaled_of(2, 2, far, 1);
    assert_verdicts(&S, RBV_DECIDE_DEFAULT, 2, false, false, doubt);
    sparse_drop(&S);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_criteria_agree_with_elimination),
        cmocka_unit_test(rows_marked_last_are_taken_last),
        cmocka_unit_test(large_matrices_of_pieces_are_decided_as_the_pieces_are),
        cmocka_unit_test(rows_marked_last_are_taken_last_in_large_matrices),
        cmocka_unit_test(large_matrices_are_decided_as_by_singular_values),
        cmocka_unit_test(chain_of_bars_is_open_when_both_ends_are_held),
        cmocka_unit_test(girder_is_open_where_panels_have_two_diagonals),
        cmocka_unit_test(large_chain_with_a_hidden_null_vector_is_not_called_full_rank),
        cmocka_unit_test(too_large_matrices_say_so),
        cmocka_unit_test(doubtful_combinations_are_called_doubtful),
        cmocka_unit_test(exact_arithmetic_settles_doubt_for_small_fractions),
        cmocka_unit_test(noise_counts_against_what_the_user_wrote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
