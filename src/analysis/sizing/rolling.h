/* Rolling bearings: equivalent loads of ISO 281:2007 (dynamic) and ISO 76:2006 (static), and what multiplies the life.
 * Pure functions of numbers; forces in N, not negative. */
#ifndef RBV_ANALYSIS_SIZING_ROLLING_H
#define RBV_ANALYSIS_SIZING_ROLLING_H

#include "model/model/sized.h"

/* Equivalent dynamic load P = X Fr + Y Fa [N] of a single-row radial bearing. axial, if not NULL: dP/dFa as far as it
 * is linear, for errors. */
double rbv_rolling_dynamic(const RbvBearingDef *bearing, RbvBearingSeries series, double Fr, double Fa, double *axial);
/* P that no loads up to Fr and Fa exceed: near Fa = e Fr a larger Fr alone may have a smaller P. */
double rbv_rolling_bound(const RbvBearingDef *bearing, RbvBearingSeries series, double Fr, double Fa);
/* Equivalent static load P0 = max(X0 Fr + Y0 Fa, Fr) [N]. */
double rbv_rolling_static(const RbvBearingDef *bearing, RbvBearingSeries series, double Fr, double Fa);
/* Exponent p of L10 = (C/P)^p: 3 of balls, 10/3 of rollers. */
double rbv_rolling_exponent(const RbvBearingDef *bearing, RbvBearingSeries series);
/* Life modification factor a1 of a reliability of 90, 95 ... 99 %. */
double rbv_rolling_a1(double reliability);
/* Does the series take no axial force? */
bool rbv_rolling_radial_only(RbvBearingSeries series);
/* Axial force that a radial load induces in a bearing of an arrangement: Fr/(2 Y) of tapered rollers, e Fr of angular
 * contact. */
double rbv_rolling_induced(const RbvBearingDef *bearing, RbvBearingSeries series, double Fr, double Fa);

#endif
