/* Normal quantiles by Newton's method; Student's t and chi squared by bisection of their probabilities, the incomplete
 * beta and gamma functions by continued fraction and series (Press et al., Numerical Recipes, chapter 6, gives the
 * formulas). */
#include "study/design/chances.h"

#include "core/base/tolerances.h"

#include <math.h>

#define ROOT_HALF 0.70710678118654752440

double rbv_normal_probability(double z) {
    return 0.5 * erfc(-z * ROOT_HALF);
}

/* Newton's method for log P(z) = log p, p <= 1/2. The left side is concave and grows: from the second iterate on the
 * iterates grow to the root. */
static double lower_quantile(double p) {
    const double root_two_pi = 2.50662827463100050242;
    double z = -sqrt(-2 * log(p));
    for (int k = 0; k < 50; k++) {
        double probability = rbv_normal_probability(z);
        double slope = exp(-z * z / 2) / (root_two_pi * probability);
        double next = z - log(probability / p) / slope;
        if (fabs(next - z) <= RBV_EXACT / 10 * fmax(1, fabs(z)) || (k > 1 && next <= z))
            break;
        z = next;
    }
    return z;
}

double rbv_normal_quantile(double p) {
    return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

double rbv_triangle_quantile(double least, double likely, double largest, double p) {
    double width = largest - least, at = (likely - least) / width;
    if (p < at)
        return least + sqrt(p * width * (likely - least));
    return largest - sqrt((1 - p) * width * (largest - likely));
}

/* Continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x) {
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        h *= d * c;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        h *= d * c;
        if (d * c == 1)
            break;
    }
    return h;
}

static double beta_probability(double a, double b, double x) {
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* Lower incomplete gamma function over the whole: a series below a + 1, a continued fraction above. */
static double gamma_probability(double a, double x) {
    if (x <= 0)
        return 0;
    double front = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (int k = 1; k < 1000000 && sum + term != sum; k++)
            sum += term *= x / (a + k);
        return front * sum;
    }
    double b = x + 1 - a, c = INFINITY, d = 1 / b, h = d;
    for (int k = 1; k < 1000000; k++) {
        double an = -k * (k - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= d * c;
        if (d * c == 1)
            break;
    }
    return 1 - front * h;
}

static double student_probability(double freedoms, double t) {
    double tail = beta_probability(freedoms / 2, 0.5, freedoms / (freedoms + t * t)) / 2;
    return t > 0 ? 1 - tail : tail;
}

static double chi_squared_probability(double freedoms, double x) {
    return gamma_probability(freedoms / 2, x / 2);
}

/* The x at which a growing probability is p, between least and largest. */
static double bisect(double (*probability)(double freedoms, double x), double freedoms, double p, double least,
                     double largest) {
    for (int k = 0; k < 200; k++) {
        double middle = (least + largest) / 2;
        if (middle <= least || middle >= largest)
            break;
        if (probability(freedoms, middle) < p)
            least = middle;
        else
            largest = middle;
    }
    return (least + largest) / 2;
}

double rbv_student_quantile(double freedoms, double p) {
    double most = 1;
    while (student_probability(freedoms, most) < fmax(p, 1 - p))
        most *= 2;
    return bisect(student_probability, freedoms, p, -most, most);
}

double rbv_chi_squared_quantile(double freedoms, double p) {
    double most = freedoms + 1;
    while (chi_squared_probability(freedoms, most) < p)
        most *= 2;
    return bisect(chi_squared_probability, freedoms, p, 0, most);
}

void rbv_wilson(double count, double of, double *least, double *largest) {
    double z = rbv_normal_quantile(0.975), share = count / of, more = z * z / of;
    double middle = (share + more / 2) / (1 + more);
    double half = z / (1 + more) * sqrt(share * (1 - share) / of + more / (4 * of));
    *least = fmax(0, middle - half);
    *largest = fmin(1, middle + half);
}
