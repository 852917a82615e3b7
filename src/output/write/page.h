/* The result as a text page for a terminal: one function for each part of the page. */
#ifndef RBV_OUTPUT_WRITE_PAGE_H
#define RBV_OUTPUT_WRITE_PAGE_H

#include "model/result/result.h"
#include "model/result/scales.h"
#include "output/write/table.h"

typedef struct RbvPage {
    RbvText text;
    const RbvResult *result;
    RbvView view;
    RbvScales scales;
} RbvPage;

/* Value [si] as the page shows it: 0 if it is within rounding. */
double rbv_page_figure(const RbvPage *page, const char *si, double value);
/* Value of a column, in SI units, as the page shows it: 0 if it is within rounding or within the column's error. */
double rbv_page_value(const RbvPage *page, int32_t column, double value);
/* Summary of a column as the page shows it, in SI units. *constant: the column stays at its first value. */
RbvSummary rbv_page_summary(const RbvPage *page, int32_t column, bool *constant);

/* Unit in which a column is shown. A parameter that statics followed keeps the unit it was written in. */
RbvShownUnit rbv_page_unit(const RbvPage *page, int32_t column);

/* Drives, outputs, reactions, constraints, loads (page_columns.c): extremes over all samples; the values, if there is
 * one state; the verdicts, for check. */
void rbv_page_columns(RbvPage *page);
void rbv_page_outputs(RbvPage *page);
/* All columns of kinematics. */
void rbv_page_kinematics(RbvPage *page);
/* Equilibria, or the equilibrium path along a parameter (page_statics.c). */
void rbv_page_statics(RbvPage *page);
/* Modes of the linearised motion (page_modes.c). */
void rbv_page_modes(RbvPage *page);
/* State of assemble: positions, velocities, residuals (page_assembled.c). */
void rbv_page_assembled(RbvPage *page);
/* Constraint rows one by one, if requested (page_rows.c). */
void rbv_page_rows(RbvPage *page);
/* Points, vectors and rigid rows of natural coordinates, if requested (page_coordinates.c). */
void rbv_page_coordinates(RbvPage *page);
/* R and dR/dz of the null space, and V and Q of each load, if requested (page_terms.c). */
void rbv_page_terms(RbvPage *page);
/* Multipliers of natural coordinates at the first sample, if requested (page_multipliers.c). */
void rbv_page_multipliers(RbvPage *page);
/* Tree joints and cut joints of joint coordinates, if requested (page_tree.c). */
void rbv_page_tree(RbvPage *page);
/* Contents of a model (page_info.c). */
void rbv_page_info(RbvPage *page);
/* Self-stresses, determined groups of reactions, advice (stress.c). */
void rbv_page_stress(RbvPage *page);

#endif
