/* A page on a terminal, in parts: what each is about, of which names, in which units. */
#ifndef RBV_WRITE_PAGE_H
#define RBV_WRITE_PAGE_H

#include "result/scales.h"
#include "result/view.h"
#include "write/table.h"

typedef struct RbvPage {
    RbvText text;
    const RbvResult *result;
    RbvView view;
    RbvScales scales;
} RbvPage;

/* A value of an SI unit as it is shown: 0 when it is rounding. */
double rbv_page_figure(const RbvPage *page, const char *si, double value);
/* One value of a column, in SI, as it is shown. */
double rbv_page_value(const RbvPage *page, int32_t column, double value);
/* A column's summary as it is shown, in SI. Does it stay at its first value? */
RbvSummary rbv_page_summary(const RbvPage *page, int32_t column, bool *constant);

/* Of a column. The parameter that statics followed stands as it was written. */
RbvShownUnit rbv_page_unit(const RbvPage *page, int32_t column);

/* Drives, outputs, reactions, constraints, loads: extremes, or of one state the values, or of check the verdicts
 * (page_columns.c). */
void rbv_page_columns(RbvPage *page);
void rbv_page_outputs(RbvPage *page);
/* All columns of kinematics. */
void rbv_page_kinematics(RbvPage *page);
/* An equilibrium, all that were found, a path along a parameter (page_statics.c). */
void rbv_page_statics(RbvPage *page);
/* The modes of the linearised motion (page_modes.c). */
void rbv_page_modes(RbvPage *page);
/* The state of assemble (page_assembled.c). */
void rbv_page_assembled(RbvPage *page);
/* The constraint rows one by one, where they are wanted (page_rows.c). */
void rbv_page_rows(RbvPage *page);
/* Points, vectors and rigid rows of natural coordinates, where they were asked for (page_coordinates.c). */
void rbv_page_coordinates(RbvPage *page);
/* R and dR/dz, and each load's V and Q, where they were asked for (page_terms.c). */
void rbv_page_terms(RbvPage *page);
/* Multipliers of natural coordinates at the first sample, where they were asked for (page_multipliers.c). */
void rbv_page_multipliers(RbvPage *page);
/* The tree of joint coordinates likewise (page_tree.c). */
void rbv_page_tree(RbvPage *page);
/* What is in a model (page_info.c). */
void rbv_page_info(RbvPage *page);
/* Self-stresses, determined groups, advice (stress.c). */
void rbv_page_stress(RbvPage *page);

#endif
