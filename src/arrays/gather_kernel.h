/* Transpose contiguous samples into lanes: to[n][lanes] = from[lanes][n] transposed. */

static void LANED(gather)(const double *from, int64_t n, int64_t beyond, double *to) {
    (void)beyond;
    for (int64_t e = 0; e < n; e++)
        for (int l = 0; l < RBV_LANES; l++)
            to[RBV_LANES * e + l] = from[n * l + e];
}
