/* Factors of ISO 281:2007 and ISO 76:2006 for single-row radial bearings; see rolling.h. */
#include "analysis/sizing/rolling.h"

#include <math.h>

#define DEG (3.14159265358979323846 / 180)

/* ISO 281:2007, table 3: factors over the relative axial load f0 Fa/C0r; between the rows linear, beyond them the end
 * rows. X above e does not depend on it. */
typedef struct RelativeLoad {
    double load, e, Y;
} RelativeLoad;

#define ROWS 9
static const RelativeLoad deep_groove[ROWS] = {{0.172, 0.19, 2.30}, {0.345, 0.22, 1.99}, {0.689, 0.26, 1.71},
                                               {1.03, 0.28, 1.55},  {1.38, 0.30, 1.45},  {2.07, 0.34, 1.31},
                                               {3.45, 0.38, 1.15},  {5.17, 0.42, 1.04},  {6.89, 0.44, 1.00}};
static const RelativeLoad contact_15[ROWS] = {{0.178, 0.38, 1.47}, {0.357, 0.40, 1.40}, {0.714, 0.43, 1.30},
                                              {1.07, 0.46, 1.23},  {1.43, 0.47, 1.19},  {2.14, 0.50, 1.12},
                                              {3.57, 0.55, 1.02},  {5.35, 0.56, 1.00},  {7.14, 0.56, 1.00}};
#define X_DEEP_GROOVE 0.56
#define X_CONTACT_15 0.44

/* ISO 281:2007, table 3, contact angles whose factors do not depend on the load; ISO 76:2006, table 2: static ones. */
typedef struct Contact {
    int angle; /* [deg] */
    double e, X, Y, X0, Y0;
} Contact;
static const Contact contacts[] = {{15, 0, 0, 0, 0.5, 0.46},
                                   {25, 0.68, 0.41, 0.87, 0.5, 0.38},
                                   {30, 0.80, 0.39, 0.76, 0.5, 0.33},
                                   {40, 1.14, 0.35, 0.57, 0.5, 0.26}};

static const Contact *contact_of(double angle) {
    const Contact *nearest = &contacts[0];
    for (size_t k = 1; k < sizeof contacts / sizeof contacts[0]; k++)
        if (fabs(contacts[k].angle * DEG - angle) < fabs(nearest->angle * DEG - angle))
            nearest = &contacts[k];
    return nearest;
}

static RelativeLoad interpolate(const RelativeLoad *rows, double load) {
    if (load <= rows[0].load)
        return rows[0];
    for (int k = 1; k < ROWS; k++) {
        if (load > rows[k].load)
            continue;
        double s = (load - rows[k - 1].load) / (rows[k].load - rows[k - 1].load);
        return (RelativeLoad){load, rows[k - 1].e + s * (rows[k].e - rows[k - 1].e),
                              rows[k - 1].Y + s * (rows[k].Y - rows[k - 1].Y)};
    }
    return rows[ROWS - 1];
}

/* Up to Fa = e Fr the factors are X1, Y1, above it X2, Y2. */
typedef struct Factors {
    double e, X1, Y1, X2, Y2;
} Factors;

static Factors factors_of(const RbvBearingDef *b, RbvBearingSeries series, double Fa) {
    switch (series) {
    case RBV_BEARING_DEEP_GROOVE: {
        RelativeLoad at = interpolate(deep_groove, b->f0 * Fa / b->C0);
        return (Factors){at.e, 1, 0, X_DEEP_GROOVE, at.Y};
    }
    case RBV_BEARING_ANGULAR_CONTACT: {
        const Contact *contact = contact_of(b->angle);
        RelativeLoad at = interpolate(contact_15, b->f0 * Fa / b->C0);
        return contact->angle == 15 ? (Factors){at.e, 1, 0, X_CONTACT_15, at.Y}
                                    : (Factors){contact->e, 1, 0, contact->X, contact->Y};
    }
    /* ISO 281, tables 3 and 4: X = 0.65 and 0.67 above e; tapered rollers: X = 0.4 */
    case RBV_BEARING_SELF_ALIGNING: return (Factors){b->e, 1, b->Y1, 0.65, b->Y2};
    case RBV_BEARING_SPHERICAL_ROLLER: return (Factors){b->e, 1, b->Y1, 0.67, b->Y2};
    case RBV_BEARING_TAPERED_ROLLER: return (Factors){b->e, 1, 0, 0.4, b->Y};
    case RBV_BEARING_GENERAL: return (Factors){b->e, 1, 0, b->X, b->Y};
    default: return (Factors){INFINITY, 1, 0, 1, 0};
    }
}

double rbv_rolling_dynamic(const RbvBearingDef *b, RbvBearingSeries series, double Fr, double Fa, double *axial) {
    Factors f = factors_of(b, series, Fa);
    bool above = Fa > f.e * Fr;
    if (axial)
        *axial = fmax(f.Y1, f.Y2);
    return above ? f.X2 * Fr + f.Y2 * Fa : f.X1 * Fr + f.Y1 * Fa;
}

double rbv_rolling_bound(const RbvBearingDef *b, RbvBearingSeries series, double Fr, double Fa) {
    Factors f = factors_of(b, series, Fa);
    return fmax(f.X1 * Fr + f.Y1 * Fa, f.X2 * Fr + f.Y2 * Fa);
}

double rbv_rolling_static(const RbvBearingDef *b, RbvBearingSeries series, double Fr, double Fa) {
    double X0 = 1, Y0 = 0;
    switch (series) {
    case RBV_BEARING_DEEP_GROOVE: X0 = 0.6, Y0 = 0.5; break;
    case RBV_BEARING_ANGULAR_CONTACT: X0 = contact_of(b->angle)->X0, Y0 = contact_of(b->angle)->Y0; break;
    case RBV_BEARING_SELF_ALIGNING:
    case RBV_BEARING_SPHERICAL_ROLLER: Y0 = b->Y0; break;
    case RBV_BEARING_TAPERED_ROLLER: X0 = 0.5, Y0 = b->Y0; break;
    case RBV_BEARING_GENERAL: X0 = b->X0, Y0 = b->Y0; break;
    default: break;
    }
    return fmax(X0 * Fr + Y0 * Fa, Fr);
}

double rbv_rolling_exponent(const RbvBearingDef *b, RbvBearingSeries series) {
    bool rollers = series == RBV_BEARING_SPHERICAL_ROLLER || series == RBV_BEARING_TAPERED_ROLLER ||
                   series == RBV_BEARING_CYLINDRICAL_ROLLER;
    if (series == RBV_BEARING_GENERAL)
        return b->exponent;
    return rollers ? 10.0 / 3 : 3;
}

/* ISO 281:2007, table 12. */
double rbv_rolling_a1(double reliability) {
    static const double of[] = {0.64, 0.55, 0.47, 0.37, 0.25};
    return reliability < 95 ? 1 : of[(int)reliability - 95];
}

bool rbv_rolling_radial_only(RbvBearingSeries series) {
    return series == RBV_BEARING_CYLINDRICAL_ROLLER;
}

double rbv_rolling_induced(const RbvBearingDef *b, RbvBearingSeries series, double Fr, double Fa) {
    return series == RBV_BEARING_TAPERED_ROLLER ? Fr / (2 * b->Y) : factors_of(b, series, Fa).e * Fr;
}
