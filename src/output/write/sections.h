/* The sections of a result: each as members of result.json (rbv_json_*) and as a part of the text page for a terminal
 * (rbv_page_*). A section that the result does not have writes nothing. */
#ifndef RBV_OUTPUT_WRITE_SECTIONS_H
#define RBV_OUTPUT_WRITE_SECTIONS_H

#include "core/base/text.h"
#include "model/result/result.h"
#include "model/result/scales.h"
#include "output/write/json_text.h"
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
/* Unit in which values in this SI unit are shown. */
static inline RbvShownUnit rbv_page_si(const RbvPage *page, const char *si) {
    return rbv_view_unit(&page->view, page->result, si);
}
/* Unit in which a column is shown. A parameter that statics followed keeps the unit it was written in. */
RbvShownUnit rbv_page_unit(const RbvPage *page, int32_t column);

/* Columns (columns.c): "reactions", "drives", and a section `name` of the columns of `list`; each column with the first
 * value, the extremes and their times. verdicts: all of them have a verdict. */
void rbv_json_reactions(RbvJson *json, const RbvResult *result);
void rbv_json_drives(RbvJson *json, const RbvResult *result);
void rbv_json_entries(RbvJson *json, const RbvResult *result, const char *name, const RbvList *list, bool verdicts);
/* Drives, outputs, reactions, constraints, loads: extremes over all samples; the values, if there is one state; the
 * verdicts, for check. Outputs alone. All columns of kinematics. */
void rbv_page_columns(RbvPage *page);
void rbv_page_outputs(RbvPage *page);
void rbv_page_kinematics(RbvPage *page);

/* Mobility (mobility.c): "mobility" with "decision", "newton" and "idle"; "rows_on_rates". */
void rbv_json_mobility(RbvJson *json, const RbvResult *result);
void rbv_json_integrability(RbvJson *json, const RbvResult *result);
void rbv_page_mobility(RbvPage *page);

/* What is determined (verdicts.c): "self_stress", "groups", "advice", "advice_together"; "multipliers_at_rest", "rows",
 * "asked", "along_motion". */
void rbv_json_advice(RbvJson *json, const RbvResult *result);
void rbv_json_verdicts(RbvJson *json, const RbvResult *result);
/* Constraint rows one by one, if requested. Answers, self-stresses, determined groups of reactions, advice. */
void rbv_page_rows(RbvPage *page);
void rbv_page_stress(RbvPage *page);

/* Equilibria (statics.c): "equilibrium" and "equilibria"; "follow", the path along a parameter with its events; "hold",
 * the ranges of a parameter in which friction can hold the model at rest. */
void rbv_json_equilibria(RbvJson *json, const RbvResult *result);
void rbv_json_followed(RbvJson *json, const RbvResult *result);
void rbv_json_held(RbvJson *json, const RbvHoldable *held);
void rbv_page_statics(RbvPage *page);

/* Modes (modes.c): "linearised", "modes", "state_space", "follow". */
void rbv_json_modes(RbvJson *json, const RbvResult *result);
void rbv_page_modes(RbvPage *page);
/* Shares of a motion or a self-stress as a member `name`: {name of a component: share}; name NULL: an item of a list.
 */
void rbv_json_shares(RbvJson *json, const char *name, const RbvMode *mode);
/* Opens "follow" and writes the followed parameter, its unit, its range and the value that was reached; the caller
 * closes the object. */
void rbv_json_open_followed(RbvJson *json, const RbvFollowed *followed);

/* Coordinates (coordinates.c): "coordinates" of natural or joint coordinates; "natural", the multipliers of inverse
 * dynamics in natural coordinates, a table of their own on the page. */
void rbv_json_coordinates(RbvJson *json, const RbvResult *result);
void rbv_page_coordinates(RbvPage *page);
void rbv_page_multipliers(RbvPage *page);

/* The state of assemble (assembled.c): "state", "udwadia", "null_space", "load_forces". */
void rbv_json_assembled(RbvJson *json, const RbvResult *result);
void rbv_page_assembled(RbvPage *page);

/* Drives, bearings, guides and screws that are sized (sizing.c): "sizing", with "choices" of motors and gears
 * (choices.c); tables. */
void rbv_json_choices(RbvJson *json, const RbvResult *result);
void rbv_json_sizing(RbvJson *json, const RbvResult *result);
void rbv_page_sizing(RbvPage *page);
/* Motors and gears of size: the first of each drive, and how many fit. */
void rbv_page_choices(RbvPage *page);

/* Contents of a model (info.c). */
void rbv_json_info(RbvJson *json, const RbvInfo *info);
void rbv_page_info(RbvPage *page);

#endif
