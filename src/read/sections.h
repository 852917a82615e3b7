/* The sections of a model file, one function each; mistakes are said, the rest goes on. */
#ifndef RBV_READ_SECTIONS_H
#define RBV_READ_SECTIONS_H

#include "read/fields.h"

/* The two halves of rbv_model_load: the tree of a text, to be destroyed (NULL unless OK), and a model from it, as often
 * as is wanted. scene: as RbvInput.scene, but for the text. */
RbvStatus rbv_read_tree(const char *name, const char *text, size_t length, RbvDiagnostics *diagnostics,
                        RbvNodeTree **tree);
RbvStatus rbv_read_model(const char *name, const RbvNodeTree *tree, bool scene, const RbvOverrides *overrides,
                         const RbvFolders *folders, RbvDiagnostics *diagnostics, RbvModel **model);
/* Likewise, of a model whose parameters may be given other values later (change.c): the model keeps the tree, which it
 * destroys when `owned`. In all cases the tree is then the model's. */
RbvStatus rbv_read_changing(const char *name, RbvNodeTree *tree, bool owned, bool scene, const RbvOverrides *overrides,
                            const RbvFolders *folders, RbvDiagnostics *diagnostics, RbvModel **model);
/* The model can be changed from now on: it keeps the tree. False: no memory, and it cannot. */
bool rbv_keep_source(RbvModel *model, RbvNodeTree *tree, bool owned, const RbvOverrides *overrides,
                     const RbvFolders *folders);
/* A model file's text, to be freed; BAD_INPUT is said. */
RbvStatus rbv_read_model_file(const char *path, char **text, size_t *length, RbvDiagnostics *diagnostics);
/* Is the input one that a caller may give, and are its folders there? BAD_ARGUMENT; BAD_INPUT: said. */
RbvStatus rbv_check_input(const RbvInput *input, RbvDiagnostics *diagnostics);

void rbv_read_parameters(RbvReader *reader, const RbvFields *top);
/* The value of parameter k, from the call (then true) or the file. */
bool rbv_read_value(RbvReader *reader, const RbvNode *dict, int32_t k, double *value, RbvExprDimension *measured);
/* Number k of a section, whose key is `key`. */
typedef void RbvReadItem(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k);
RbvReadItem rbv_read_table, rbv_read_body, rbv_read_joint, rbv_read_coordinate, rbv_read_constraint, rbv_read_drive,
    rbv_read_load, rbv_read_state_name, rbv_read_state, rbv_read_stop, rbv_read_event, rbv_read_initial,
    rbv_read_output;
/* Open a thing that holds an equation of coordinates, or (*rates) of rates. False (said): it is no map, or has neither
 * or both. */
bool rbv_open_equation(RbvFields *fields, RbvLabel *label, RbvSource *source, RbvReader *reader, const RbvKey *key,
                       const RbvNode *dict, int32_t k, const char *kind, bool *rates);
/* Requirements, actuators and rate (track.c). */
void rbv_read_track(RbvReader *reader, const RbvFields *top);
/* `generalized:`: its coordinates, and its equations. */
void rbv_read_generalized_names(RbvReader *reader, const RbvFields *top);
void rbv_read_generalized(RbvReader *reader, const RbvFields *top);
/* What of constraint k may read any constraint: when all are known. */
void rbv_read_nonideal(RbvReader *reader, const RbvNode *dict, int32_t k);
/* The names of all coordinates, before any of them is read. */
void rbv_announce_coordinates(RbvReader *reader, const RbvNode *dict);
/* All things of a section, or one of them again (things.c). */
void rbv_read_section(RbvReader *reader, const RbvFields *top, RbvSection section);
void rbv_read_again(RbvReader *reader, const RbvFields *top, RbvItem item);

/* Mass, centroid and inertia from `shape:`. False when wrong (said). */
bool rbv_read_shape(RbvReader *reader, const RbvFields *body, RbvBodyDef *def);

/* The same of a spatial body. */
bool rbv_read_solids(RbvReader *reader, const RbvFields *body, RbvBodyDef *def);
/* What stands under `rotate`, if anything does. False when wrong (said). */
bool rbv_read_rotation(RbvReader *reader, const RbvFields *parent, RbvQuat *rotation);

/* What a column's header says; factor 1 where it says nothing. */
typedef struct RbvColumnUnit {
    RbvUnit unit;
    bool given;
} RbvColumnUnit;

/* Two columns of a CSV file in the model's folder, in SI; units of x and y must measure `dimension`. Arrays live in the
 * reader's arena. False when wrong (said at `at` or in the file). */
bool rbv_read_columns(RbvReader *reader, const char *file, RbvPosition at, const char *x, RbvPosition x_at,
                      const char *y, RbvPosition y_at, RbvDimension dimension, int32_t *count, double **xs, double **ys,
                      RbvColumnUnit units[2]);

/* The key of a dimension nearest to a misspelt one, or NULL. */
const char *rbv_nearest_dimension(const char *name);

#endif
