/* Expressions: text -> checked tree -> program with exact first and second derivatives.
 *
 * Grammar, functions and units in brackets are those of the model file. An expression is a function of variables that
 * the caller's scope names; names that the scope maps to numbers are constants and are folded. The program is
 * evaluated on a stack of jets (value, gradient, Hessian) by the chain rule, without allocation.
 */
#ifndef RBV_CORE_EXPR_EXPR_H
#define RBV_CORE_EXPR_EXPR_H

#include "core/base/units.h"
#include "core/expr/spline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name in an expression. Either `name` ("t", "x", "n", "hinge.angle", "motor.effort"), function NULL; or a
 * coordinate function ("distance", "angle", "x", "y", "z", "dot", "wx", "wy", "wz") with one or two arguments ("rod",
 * "rod.P", "rod.P.x"), name NULL. */
typedef struct RbvExprName {
    const char *name;
    const char *function;
    const char *argument[2];
    int32_t argument_count;
    int32_t rate; /* number of primes: 0, 1 or 2 */
} RbvExprName;

/* A function defined by the caller: value, and derivatives as far as available. */
#define RBV_CALLBACK_ARGUMENTS 8
typedef struct RbvExprCallback {
    const char *name;
    int32_t count;       /* arguments, 1 ... RBV_CALLBACK_ARGUMENTS */
    int32_t derivatives; /* 0: value only; 1: also gradient[count]; 2: also hessian[count*count] */
    double (*evaluate)(void *context, const double *x, double *gradient,
                       double *hessian); /* gradient, hessian NULL: not requested, or not available */
    void *context;
} RbvExprCallback;

typedef enum RbvExprMeaning { RBV_EXPR_UNKNOWN, RBV_EXPR_CONSTANT, RBV_EXPR_VARIABLE, RBV_EXPR_DEFINED } RbvExprMeaning;

typedef struct RbvExpr RbvExpr;

/* How reliably the dimension of a value is known; where two values are added or compared, the higher one decides. */
typedef enum RbvExprBond {
    RBV_EXPR_BARE,  /* a number without unit, and products of such numbers: fits any dimension */
    RBV_EXPR_LOOSE, /* t, sin(x), a < b: has its dimension beside a factor with a known one; alone fits any dimension */
    RBV_EXPR_KNOWN, /* a coordinate: dimension known to the program, no unit written */
    RBV_EXPR_DECLARED /* a unit was written, or it is a force */
} RbvExprBond;

typedef struct RbvExprDimension {
    RbvExprBond bond;
    RbvExponents exponents; /* zero for BARE */
} RbvExprDimension;

typedef struct RbvExprScope {
    void *context;
    /* Meaning of a name. CONSTANT: *value is set. VARIABLE: *id is set (the caller's number, >= 0). DEFINED: the name
     * of another expression, number *id. UNKNOWN: `message` gets the error and a correction. No side effects except
     * that a variable may be registered. */
    RbvExprMeaning (*resolve)(void *context, const RbvExprName *name, double *value, int32_t *id, char *message,
                              size_t message_size);
    /* The table called `name`, or NULL. */
    const RbvSpline *(*table)(void *context, const char *name);
    /* The caller's function called `name`, or NULL. The member itself may be NULL. */
    const RbvExprCallback *(*callback)(void *context, const char *name);
    /* defined: expression number `index`, whose variables belong to this scope. rate: the id of the first or second
     * rate of variable `id`; -1: out of memory. */
    const RbvExpr *(*defined)(void *context, int32_t index);
    int32_t (*rate)(void *context, int32_t id, int32_t order);
    /* Dimensions of variable `id`, of constant `name`, and of argument and value of table `name`. NULL: all are bare
     * numbers. */
    RbvExprDimension (*variable_dimension)(void *context, int32_t id);
    RbvExprDimension (*constant_dimension)(void *context, const char *name);
    /* Was the constant `name` computed, possibly from constants with dimensions? NULL: no constant was. */
    bool (*constant_computed)(void *context, const char *name);
    void (*table_dimension)(void *context, const char *name, RbvExprDimension *x, RbvExprDimension *y);
} RbvExprScope;

typedef struct RbvExprError {
    size_t offset;     /* of the error, in bytes from the start of the text */
    char message[320]; /* the error, and a correction */
} RbvExprError;

/* Parse and compile. Returns the expression, to be released by rbv_expr_destroy. NULL with *error filled: the text is
 * wrong, or out of memory (message "no memory"). Tables and defined expressions are referenced, not copied: they must
 * outlive the expression. Nesting deeper than 100 is refused. */
RbvExpr *rbv_expr_parse(const char *text, const RbvExprScope *scope, RbvExprError *error);
/* The constant expression `value`. NULL: out of memory. */
RbvExpr *rbv_expr_constant(double value);
/* Add a reference to the expression; rbv_expr_destroy removes one, and the last one frees the expression. */
RbvExpr *rbv_expr_share(RbvExpr *expr);
void rbv_expr_destroy(RbvExpr *expr);
/* The text of the expression, as written. */
const char *rbv_expr_text(const RbvExpr *expr);

/* Number of distinct variables (0: a constant), in order of first use; the scope's id of the k-th variable. */
int32_t rbv_expr_variable_count(const RbvExpr *expr);
int32_t rbv_expr_variable(const RbvExpr *expr, int32_t k);

/* Meaning of an expression that is a single name. VARIABLE: *id is the scope's id; DEFINED: the scope's number, with
 * *rate primes. Any other expression: UNKNOWN. */
RbvExprMeaning rbv_expr_meaning(const RbvExpr *expr, int32_t *id, int32_t *rate);

/* Dimension of the value. */
RbvExprDimension rbv_expr_dimension(const RbvExpr *expr);
/* Does the expression contain an operand of known dimension; the word pi? */
bool rbv_expr_has_dimension(const RbvExpr *expr);
bool rbv_expr_has_pi(const RbvExpr *expr);
/* A hint to append to an error message if the dimensions a and b differ only because t, beside a factor with a unit,
 * was taken as a time; else "". */
const char *rbv_expr_time_hint(const RbvExpr *expr, RbvExponents a, RbvExponents b);
/* Remark on coordinates of different dimensions that are added or compared as numbers (y - x^2), where no written
 * unit is contradicted; NULL: none. */
const RbvExprError *rbv_expr_remark(const RbvExpr *expr);

/* A term without units that is added to, or compared with, a term of known dimension; or the constant argument of
 * sin, cos or tan. */
typedef struct RbvBareTerm {
    int32_t offset, length; /* in the text */
    double value;           /* value; NaN: not constant */
    RbvExponents beside;    /* dimension of the other terms */
    bool turned;            /* argument of a function of angles */
} RbvBareTerm;
/* Number of bare terms, at most `most`, written to out[most]. */
int32_t rbv_expr_bare_terms(const RbvExpr *expr, RbvBareTerm *out, int32_t most);

/* Is the expression certainly twice continuously differentiable in variable k everywhere? If not, *why names the
 * function at fault ("abs", "if", "floor", ...). step, ramp, pulse and tables are. */
bool rbv_expr_is_smooth(const RbvExpr *expr, int32_t k, const char **why);

/* Is the value by its form a truth value: a comparison, or comparisons joined by and, or, not? */
bool rbv_expr_is_truth(const RbvExpr *expr);

/* Switching functions in variable k alone (comparisons, abs, ends of step, of held tables): side[most] gets numbers
 * that change sign where the expression changes its form. Only element k of x[variables] is read. Returns their
 * number; those beyond `most` are not written. */
int32_t rbv_expr_sides(const RbvExpr *expr, int32_t k, const double *x, double *side, int32_t most);

/* The first value of variable k after x at which a table of that variable alone has a knot (jump of its third
 * derivative); infinite: none. */
double rbv_expr_next_knot(const RbvExpr *expr, int32_t k, double x);

/* Is the expression everywhere affine in all chosen variables together (chosen[variable_count])? Decided by form:
 * abs, step, if of these variables are not affine. */
bool rbv_expr_is_affine(const RbvExpr *expr, const bool *chosen);

/* Number of derivatives available from all callback functions in the expression, 2 without callbacks; *name: a
 * function with no more than that. */
int32_t rbv_expr_derivatives(const RbvExpr *expr, const char **name);

/* Doubles of work memory for rbv_expr_value and rbv_expr_jet. */
size_t rbv_expr_work_size(const RbvExpr *expr);
/* Upper bounds for the same text with any other values of its constants (other branches may be taken): number of
 * variables, doubles of work memory. */
int32_t rbv_expr_most_variables(const RbvExpr *expr);
size_t rbv_expr_most_work(const RbvExpr *expr);
/* Value at x[variable_count]; work[rbv_expr_work_size]. */
double rbv_expr_value(const RbvExpr *expr, const double *x, double *work);
/* Largest term of the sums and differences in the value, each multiplied by its later factors: the scale of the
 * value's rounding error, 1 for 1 - cos(x). */
double rbv_expr_parts(const RbvExpr *expr, const double *x, double *work);
/* Value, gradient[n] and Hessian[n*n] (symmetric, full) at x[n], n = variable_count. gradient, hessian: both NULL, or
 * neither. Third derivatives of a defined expression f are left out: in second derivatives of its rate sum f_i x_i',
 * and in first derivatives of its second rate with respect to x. Where a derivative does not exist (abs at 0, a jump)
 * it is the one from the right. NaN is always passed on. */
double rbv_expr_jet(const RbvExpr *expr, const double *x, double *work, double *gradient, double *hessian);
/* Control of pieces. A program is piecewise smooth; its switches are comparisons, abs, sign, min, max, floor, the
 * ends of step, ramp and pulse, the ends of held tables, and the switches of the expressions that it uses. */
typedef struct RbvExprPieces {
    const int32_t *held; /* [switches] pieces to use, whatever x: the value is then smooth; NULL: the pieces at x */
    int32_t *here;       /* [switches] out: pieces at x, of evaluated switches; NULL: not requested */
    uint64_t *mixed;     /* out: hash of those pieces, equal for two x on the same pieces; NULL: not requested */
    double *margins;   /* [switches] out: for evaluated switches with two pieces, the function that changes sign between
                          them; NULL: not requested */
    int32_t requested; /* for a jet: number of a switch, from 1, whose margin is requested; 0: none */
    double *margin;    /* [1 + variables] out: value and gradient of the function that passes a bound where that switch
                          changes its piece; unchanged if the switch is not evaluated */
} RbvExprPieces;
int32_t rbv_expr_switch_count(const RbvExpr *expr);
/* rbv_expr_value and rbv_expr_jet on given pieces. pieces NULL: the pieces at x. */
double rbv_expr_value_on(const RbvExpr *expr, const double *x, double *work, const RbvExprPieces *pieces);
double rbv_expr_jet_on(const RbvExpr *expr, const double *x, double *work, double *gradient, double *hessian,
                       const RbvExprPieces *pieces);
/* Write why the value at x is not finite, e.g. "sqrt of -0.2" or "lift(7.5): outside the table, 0 to 6.28". */
void rbv_expr_explain(const RbvExpr *expr, const double *x, double *work, char *message, size_t size);

/* Is `name` a function of the language (and so no valid parameter name)? */
bool rbv_expr_is_function(const char *name);

#endif
