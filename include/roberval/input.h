/* Models from files and texts.
 *
 *     RbvInput input = rbv_input_default;
 *     input.path = "crank.yaml";
 *     RbvModel *model;
 *     if (rbv_model_read(&input, diagnostics, &model) == RBV_OK) ... rbv_system_create (system.h)
 *     rbv_model_destroy(model); */
#ifndef ROBERVAL_INPUT_H
#define ROBERVAL_INPUT_H

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvModel RbvModel;

/* A function of the caller's program, which expressions call by name like sin: evaluate(context, x, gradient, hessian)
 * returns the value at x[argument_count]. It is called when the expression is evaluated, perhaps several times for one
 * state, and from all threads that run analyses: during this time the same arguments must give the same value. NaN: no
 * value at x; the analysis ends with a message. The function fills in gradient[argument_count] and
 * hessian[argument_count*argument_count] unless they are NULL; they are NULL beyond the order `derivatives`. */
typedef struct RbvFunctionDef {
    const char *name;
    int32_t argument_count; /* 1 ... 8 */
    int32_t
        derivatives; /* 0: value only, enough for loads in inverse dynamics; 1: gradient, for loads in statics, speeds
                        of frames and energies; 2: also the Hessian, for drives, constraints, and energies in statics */
    double (*evaluate)(void *context, const double *x, double *gradient, double *hessian);
    void *context; /* the caller's; must outlive the model */
} RbvFunctionDef;

/* A model file (docs/model-file.md), or its text, with the settings of the call. */
typedef struct RbvInput {
    const char *path; /* path of the file; with `text`, its name in messages. Tables and meshes are looked for in the
                         folder of this path */
    const char *text; /* [length] text of the model; NULL: the file is read */
    size_t length;
    int32_t override_count;
    const char *const *overrides; /* [override_count] "name=value" each, as in --set */
    int32_t folder_count;
    const char *const *folders; /* [folder_count] folders besides the model's folder that may hold tables and meshes, as
                                   in --path; links do not lead out of them */
    int32_t input_count;
    const char *const *inputs; /* [input_count] names of parameters that are inputs of simulations (simulation.h) */
    int32_t function_count;
    const RbvFunctionDef *functions; /* [function_count] functions of the calling program that expressions of the model
                                        call by name */
    bool scene;                      /* keep the text of the file and the shapes of bodies, for scenes (scene.h) */
    bool fixed; /* parameters will get no other values (rbv_system_set_parameters): data for this are not kept, which
                   saves memory */
} RbvInput;
RBV_API extern const RbvInput rbv_input_default;
/* Read a model. On RBV_OK *model is new, to be destroyed by the caller; otherwise NULL. Notes and all mistakes of the
 * file go to `diagnostics`. */
RBV_API RbvStatus rbv_model_read(const RbvInput *input, RbvDiagnostics *diagnostics, RbvModel **model);

/* Models along one parameter, for analyses that follow it. Fill in one, or load the family of a file (rbv_family_read).
 */
typedef struct RbvFamily {
    const char *parameter;  /* name of the parameter, for results */
    const char *unit;       /* SI, as printed: "N"; "" for a pure number */
    double from, to;        /* [unit] ends of the range; from != to */
    const char *shown_unit; /* unit in tables: "deg"; NULL: SI */
    double shown_factor;    /* SI value of the shown unit */
    /* Creates a new *model with the parameter at `value`, to be destroyed by the caller. Bodies, joints, loads and
     * their names must be the same at every value. Statuses and `diagnostics` (may be NULL) as rbv_model_read. Called
     * from one thread. */
    RbvStatus (*at)(void *context, double value, RbvDiagnostics *diagnostics, RbvModel **model);
    void *context;
    /* `at` always gives the same model, with its parameter of that name at `value` (rounded as the shown unit). Then
     * systems get other values by rbv_system_set_parameters, which is cheaper than a new model, and `at` is called only
     * where they refuse a value. True for families of files. */
    bool one_model;
} RbvFamily;
/* Family of a model file: `along` is "name=a..b" with units as in --set ("F=0..50 N"); the other overrides hold for all
 * models. The file is parsed once; tables and meshes that it names are read for every model. On RBV_OK *family is new,
 * to be freed with rbv_family_destroy; otherwise NULL and the mistakes are in `diagnostics`. */
RBV_API RbvStatus rbv_family_read(const RbvInput *input, const char *along, RbvDiagnostics *diagnostics,
                                  RbvFamily **family);
RBV_API void rbv_family_destroy(RbvFamily *family);

/* Text of a spatial model of the same machine as a planar model: a new string in *yaml, to be freed by the caller with
 * free(), or NULL. Of `input` the file or its text counts. Items without a counterpart in space are refused by name,
 * additions are noted (docs/command-line.md). Comments are not copied. */
RBV_API RbvStatus rbv_model_to_spatial(const RbvInput *input, RbvDiagnostics *diagnostics, char **yaml);

/* The content of a model file as JSON: a new string in *json, to be freed by the caller with free(), or NULL. Numbers
 * are written to all digits; quantities, expressions and all other texts stay texts, as they stand in the file. Of
 * `input` the file or its text counts; nothing is checked but the syntax. */
RBV_API RbvStatus rbv_model_to_json(const RbvInput *input, RbvDiagnostics *diagnostics, char **json);

/* The JSON Schema (2020-12) of the model file as a new string, to be freed by the caller with free(); NULL: no memory.
 */
RBV_API char *rbv_model_schema(void);

/* Read "0.5", "10 ms" or "90 rpm": *value in SI. `unit`: SI or another unit of the dimension that it must have ("s"); a
 * number alone is in SI and fits any. NULL: any dimension. False: no number, no such unit, or another dimension. */
RBV_API bool rbv_quantity_read(const char *text, const char *unit, double *value);

/* Read a new value of parameter number `parameter` (rbv_system_find) as overrides have it, for
 * rbv_system_set_parameters: *value in SI. "250 N/mm" must have the parameter's dimension; a number alone is for a
 * parameter without unit, or 0; a unit is not for a parameter that has none. BAD_INPUT: else, or an expression; the
 * reason is in `diagnostics`, and *value is unchanged. */
RBV_API RbvStatus rbv_parameter_read(const RbvModel *model, int32_t parameter, const char *text,
                                     RbvDiagnostics *diagnostics, double *value);

/* NULL is allowed. */
RBV_API void rbv_model_destroy(RbvModel *model);

#ifdef __cplusplus
}
#endif
#endif
