/* part = R^-1 Q^T for the unit wrenches G = Q R of a joint's rows (Gram and Schmidt); see wrench_parts.h. */
#include "solution/reaction/wrench_parts.h"

#include <math.h>
#include <stdbool.h>

/* A row's wrench of which less than this part lies outside those of previous rows is a combination of them. */
#define SAME_WRENCH 1e-10

static double dot(int width, const double *a, const double *b) {
    double sum = 0;
    for (int c = 0; c < width; c++)
        sum += a[c] * b[c];
    return sum;
}

void rbv_wrench_parts(int rows, int width, double unit[6][6], double part[6][6]) {
    double R[6][6] = {{0}};
    for (int k = 0; k < rows; k++) {
        double *Q = unit[k], whole = dot(width, Q, Q);
        for (int i = 0; i < k; i++) {
            R[i][k] = dot(width, unit[i], Q);
            for (int c = 0; c < width; c++)
                Q[c] -= R[i][k] * unit[i][c];
        }
        double left = dot(width, Q, Q);
        bool own = left > SAME_WRENCH * SAME_WRENCH * whole;
        R[k][k] = own ? sqrt(left) : 1;
        for (int c = 0; c < width; c++)
            Q[c] = own ? Q[c] / R[k][k] : 0;
    }
    for (int k = rows - 1; k >= 0; k--)
        for (int c = 0; c < width; c++) {
            double sum = unit[k][c];
            for (int i = k + 1; i < rows; i++)
                sum -= R[k][i] * part[i][c];
            part[k][c] = sum / R[k][k];
        }
}
