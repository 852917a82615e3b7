/* Readers of the sections of a model file, one function each; errors are reported, and reading continues. */
#ifndef RBV_MODEL_READ_SECTIONS_H
#define RBV_MODEL_READ_SECTIONS_H

#include "model/read/fields.h"

/* The two steps of rbv_model_read: parse a text into a tree, to be destroyed by the caller (NULL unless OK); make a
 * model from the tree, any number of times. Of the settings of the call `scene` does not keep the text. */
RbvStatus rbv_read_tree(const char *name, const char *text, size_t length, RbvDiagnostics *diagnostics,
                        RbvNodeTree **tree);
/* Make a model whose parameters may get other values later (change.c). The model owns the tree from then on in all
 * cases, and destroys it when `owned`. */
RbvStatus rbv_read_changing(const char *name, RbvNodeTree *tree, bool owned, const RbvCallSettings *call,
                            RbvDiagnostics *diagnostics, RbvModel **model);
/* Keep the tree in the model so that the model can be changed. False: out of memory; the model cannot be changed. */
bool rbv_keep_source(RbvModel *model, RbvNodeTree *tree, bool owned, const RbvCallSettings *call);
/* Read a model file's text, to be freed by the caller; BAD_INPUT is reported. */
RbvStatus rbv_read_model_file(const char *path, char **text, size_t *length, RbvDiagnostics *diagnostics);
/* The settings of the call; they point to the caller's lists. */
RbvCallSettings rbv_call_settings(const RbvInput *input);
/* Check the caller's input and that its folders exist. BAD_ARGUMENT; BAD_INPUT: reported. */
RbvStatus rbv_check_input(const RbvInput *input, RbvDiagnostics *diagnostics);

void rbv_read_parameters(RbvReader *reader, const RbvFields *top);
/* Read the value of parameter k, from the call (returns true) or from the file. */
bool rbv_read_value(RbvReader *reader, const RbvNode *dict, int32_t k, double *value, RbvExprDimension *measured);
/* Read item k of the section with key `key`. */
typedef void RbvReadItem(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k);
RbvReadItem rbv_read_table, rbv_read_body, rbv_read_joint, rbv_read_coordinate, rbv_read_constraint, rbv_read_drive,
    rbv_read_load, rbv_read_state_name, rbv_read_state, rbv_read_stop, rbv_read_event, rbv_read_initial,
    rbv_read_output;
/* Read bearing:, bearings:, plain:, guide: and screw_life: of a joint, and rating: of a drive or actuator (sizing.c).
 */
void rbv_read_sized_joint(RbvReader *reader, const RbvFields *joint, const char *name);
void rbv_read_cases(RbvReader *reader, const RbvFields *top);
/* Another value of the parameter `name`, as a case or a tolerance has it, of the parameter's dimension. False:
 * reported.
 */
bool rbv_read_parameter_value(RbvReader *reader, const RbvNode *node, const char *name, RbvParameterValue *to,
                              RbvExprDimension *of);
void rbv_read_tolerances(RbvReader *reader, const RbvFields *top);
void rbv_read_rating(RbvReader *reader, const RbvFields *drive, const char *name);
/* Open an item with an equation of coordinates, or (*rates) of rates. False (reported): no map, or neither or both
 * equations. */
bool rbv_open_equation(RbvFields *fields, RbvLabel *label, RbvSource *source, RbvReader *reader, const RbvKey *key,
                       const RbvNode *dict, int32_t k, const char *kind, bool *rates);
/* `generalized:`: read the names of the coordinates, and their equations. */
void rbv_read_generalized_names(RbvReader *reader, const RbvFields *top);
void rbv_read_generalized(RbvReader *reader, const RbvFields *top);
/* Read `nonideal:` of constraint k, which may use any constraint: to be called after all constraints. */
void rbv_read_nonideal(RbvReader *reader, const RbvNode *dict, int32_t k);
/* Enter the names of all coordinates before any definition is read. */
void rbv_announce_coordinates(RbvReader *reader, const RbvNode *dict);
/* Read all items of a section, or one item again (things.c). */
void rbv_read_section(RbvReader *reader, const RbvFields *top, RbvSection section);
void rbv_read_again(RbvReader *reader, const RbvFields *top, RbvItem item);

/* Unit in a column's header; factor 1 without one. */
typedef struct RbvColumnUnit {
    RbvUnit unit;
    bool given;
} RbvColumnUnit;

/* A column to be read, and what was read. */
typedef struct RbvReadColumn {
    const char *name;
    RbvPosition at; /* where the name is written, for messages */
    RbvDimension dimension;
    bool optional;
    double *values; /* [rows] in SI, in the reader's arena; NULL: the file has no such column */
    RbvColumnUnit unit;
} RbvReadColumn;
/* Read columns of a CSV file in the model's folder. False: wrong (reported at `at` or in the file). */
bool rbv_read_csv_columns(RbvReader *reader, const char *file, RbvPosition at, RbvReadColumn *columns, int32_t count,
                          int32_t *rows);

/* Read two columns of a CSV file in the model's folder, converted to SI; units of x and y must have dimension
 * `dimension`. Arrays are in the reader's arena. False: wrong (reported at `at` or in the file). */
bool rbv_read_columns(RbvReader *reader, const char *file, RbvPosition at, const char *x, RbvPosition x_at,
                      const char *y, RbvPosition y_at, RbvDimension dimension, int32_t *count, double **xs, double **ys,
                      RbvColumnUnit units[2]);

/* The dimension word nearest to a misspelt one, or NULL. */
const char *rbv_nearest_dimension(const char *name);

#endif
