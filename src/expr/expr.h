/* Expressions: text -> checked tree -> program with exact first and second derivatives.
 *
 * Grammar, functions and units in brackets are those of the model file. An expression is a function
 * of variables that the caller's scope names; names that the scope gives a number are constants, folded away. The
 * program is evaluated on a stack of jets (value, gradient, Hessian) by the chain rule, without allocation.
 */
#ifndef RBV_EXPR_EXPR_H
#define RBV_EXPR_EXPR_H

#include "base/dimension.h"
#include "expr/spline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name as it stands in an expression. Either `name` ("t", "x", "n", "hinge.angle", "motor.effort"), function NULL;
 * or a coordinate function ("distance", "angle", "x", "y", "z", "dot", "wx", "wy", "wz") with one or two arguments
 * ("rod", "rod.P", "rod.P.x"), name NULL. */
typedef struct RbvExprName {
    const char *name;
    const char *function;
    const char *argument[2];
    int32_t argument_count;
    int32_t rate; /* how many primes follow: 0, 1 or 2 */
} RbvExprName;

/* A function of the caller's, by its value and what it knows of its derivatives. */
#define RBV_CALLBACK_ARGUMENTS 8
typedef struct RbvExprCallback {
    const char *name;
    int32_t count;       /* arguments, 1 ... RBV_CALLBACK_ARGUMENTS */
    int32_t derivatives; /* 0: its value alone; 1: gradient[count], too; 2: and hessian[count*count] */
    double (*evaluate)(void *context, const double *x, double *gradient,
                       double *hessian); /* gradient, hessian NULL: not wanted, or not given */
    void *context;
} RbvExprCallback;

typedef enum RbvExprMeaning { RBV_EXPR_UNKNOWN, RBV_EXPR_CONSTANT, RBV_EXPR_VARIABLE, RBV_EXPR_DEFINED } RbvExprMeaning;

typedef struct RbvExpr RbvExpr;

/* How firmly the dimension of a value is known; where two values meet the firmer one decides. */
typedef enum RbvExprBond {
    RBV_EXPR_BARE,    /* a number without unit, and what it multiplies: fits anything */
    RBV_EXPR_LOOSE,   /* t, sin(x), a < b: has its dimension beside a factor that has one, alone it fits anything */
    RBV_EXPR_KNOWN,   /* a coordinate: the program knows its dimension, nobody wrote a unit */
    RBV_EXPR_DECLARED /* a unit was written, or it is a force */
} RbvExprBond;

typedef struct RbvExprDimension {
    RbvExprBond bond;
    RbvExponents exponents; /* zero for BARE */
} RbvExprDimension;

typedef struct RbvExprScope {
    void *context;
    /* What a name means here. CONSTANT: set *value. VARIABLE: set *id (the caller's number, >= 0). DEFINED: the name
     * of another expression, number *id. UNKNOWN: write what is wrong and what would be right into message. Pure but
     * for registering a variable. */
    RbvExprMeaning (*resolve)(void *context, const RbvExprName *name, double *value, int32_t *id, char *message,
                              size_t message_size);
    /* The table called `name`, or NULL. `count` tables are called names(k), for "did you mean". */
    const RbvSpline *(*table)(void *context, const char *name);
    /* The caller's function called `name`, or NULL. May itself be NULL. */
    const RbvExprCallback *(*callback)(void *context, const char *name);
    /* The expression number `index`, whose variables are this scope's, too; the id of the first or second rate of
     * variable `id`, -1: no memory. */
    const RbvExpr *(*defined)(void *context, int32_t index);
    int32_t (*rate)(void *context, int32_t id, int32_t order);
    /* What they measure: the variable `id`, the constant `name`, argument and value of the table `name`. NULL: bare
     * numbers. */
    RbvExprDimension (*variable_dimension)(void *context, int32_t id);
    RbvExprDimension (*constant_dimension)(void *context, const char *name);
    /* Was the constant `name` computed, perhaps from some with dimensions? NULL: none was. */
    bool (*constant_computed)(void *context, const char *name);
    void (*table_dimension)(void *context, const char *name, RbvExprDimension *x, RbvExprDimension *y);
} RbvExprScope;

typedef struct RbvExprError {
    size_t offset;     /* of the mistake, in bytes from the start of the text */
    char message[320]; /* what is wrong; what would be right */
} RbvExprError;

/* Parse and compile. NULL with *error filled when the text is wrong, or when there is no memory (message "no
 * memory"). Tables and defined expressions are referred to, not copied: they must outlive the expression. Nesting
 * deeper than 100 is refused. */
RbvExpr *rbv_expr_parse(const char *text, const RbvExprScope *scope, RbvExprError *error);
/* The expression that is this number. NULL: no memory. */
RbvExpr *rbv_expr_constant(double value);
/* One more that holds the expression; each destroys it, the last one frees it. */
RbvExpr *rbv_expr_share(RbvExpr *expr);
void rbv_expr_destroy(RbvExpr *expr);
/* As written. */
const char *rbv_expr_text(const RbvExpr *expr);

/* The distinct variables, in the order of their first use; the scope's id of the k-th. No variables: a constant. */
int32_t rbv_expr_variable_count(const RbvExpr *expr);
int32_t rbv_expr_variable(const RbvExpr *expr, int32_t k);

/* Is it a single name? VARIABLE: *id is the scope's, DEFINED: the scope's number of it, with *rate primes. Else
 * UNKNOWN. */
RbvExprMeaning rbv_expr_meaning(const RbvExpr *expr, int32_t *id, int32_t *rate);

/* What its value measures. */
RbvExprDimension rbv_expr_dimension(const RbvExpr *expr);
/* What is in it: anything of a known dimension, the word pi. */
bool rbv_expr_has_dimension(const RbvExpr *expr);
bool rbv_expr_has_pi(const RbvExpr *expr);
/* Is it that t was taken for a time, being beside a factor with a unit, that tells a from b? A hint to append to a
 * message, or "". */
const char *rbv_expr_time_hint(const RbvExpr *expr, RbvExponents a, RbvExponents b);
/* Coordinates of different dimension added or compared as numbers (y - x^2), where no written unit is contradicted;
 * NULL: none. */
const RbvExprError *rbv_expr_remark(const RbvExpr *expr);

/* A number without a unit, or what is made of such alone, where something else that is added to it or compared with it
 * has a dimension; or the constant argument of sin, cos or tan. */
typedef struct RbvBareTerm {
    int32_t offset, length; /* in the text */
    double value;           /* NaN: it varies */
    RbvExponents beside;    /* what it measures there */
    bool turned;            /* the argument of a function of angles */
} RbvBareTerm;
/* How many there are, up to `most`, in out[most]. */
int32_t rbv_expr_bare_terms(const RbvExpr *expr, RbvBareTerm *out, int32_t most);

/* Is it certainly twice continuously differentiable in variable k everywhere? If not, *why names the function at fault
 * ("abs", "if", "floor", ...). step, ramp, pulse and tables are. */
bool rbv_expr_is_smooth(const RbvExpr *expr, int32_t k, const char **why);

/* Is its value, by its form, the truth of a condition: a comparison, or some joined by and, or, not? */
bool rbv_expr_is_truth(const RbvExpr *expr);

/* Where it changes its form with variable k alone (at comparisons, abs, ends of step, of tables that are held):
 * side[most], of each such place a number that changes its sign there. Of x[variables] only the k-th is read. Their
 * number; those beyond `most` are not written. */
int32_t rbv_expr_sides(const RbvExpr *expr, int32_t k, const double *x, double *side, int32_t most);

/* The first value after x of variable k at which a table of that variable alone has a knot (its third derivative
 * jumps); infinite: there is none. */
double rbv_expr_next_knot(const RbvExpr *expr, int32_t k, double x);

/* Is it affine, everywhere, in the chosen variables together (chosen[variable_count])? By its form: abs, step, if over
 * them are not. */
bool rbv_expr_is_affine(const RbvExpr *expr, const bool *chosen);

/* How many derivatives all of the caller's functions in it give, 2 without any; *name: one that gives no more. */
int32_t rbv_expr_derivatives(const RbvExpr *expr, const char **name);

/* Doubles of scratch memory that value and jet need. */
size_t rbv_expr_work_size(const RbvExpr *expr);
/* Of the same text with any other values of its constants, which may take other branches: no more variables, and no
 * more doubles, than this. */
int32_t rbv_expr_most_variables(const RbvExpr *expr);
size_t rbv_expr_most_work(const RbvExpr *expr);
/* The value at x[variable_count]. */
double rbv_expr_value(const RbvExpr *expr, const double *x, double *work);
/* The largest part of the sums and differences that make the value, each with what it is multiplied by afterwards: what
 * the value's own rounding is a part of, 1 for 1 - cos(x). */
double rbv_expr_parts(const RbvExpr *expr, const double *x, double *work);
/* Value, gradient[n] and Hessian[n*n] (symmetric, full) at x[n], n = variable_count. gradient, hessian may be NULL
 * only both. Third derivatives of a defined expression f are left out: in the second of its rate sum f_i x_i', and in
 * the first of its second rate, by the x themselves. Where a derivative does not exist (abs at 0, a jump) it is the
 * one from the right. Not a number is never hidden. */
double rbv_expr_jet(const RbvExpr *expr, const double *x, double *work, double *gradient, double *hessian);
/* A program is smooth in pieces. Its switches stand where pieces meet: comparisons, abs, sign, min, max, floor, the
 * ends of step, ramp and pulse, and those of tables that are held beyond them; with the switches of the expressions
 * it uses. */
typedef struct RbvExprPieces {
    const int32_t
        *held;     /* [switches] the pieces to be taken, wherever x is: the value is smooth; NULL: those that x is on */
    int32_t *here; /* [switches] out: the pieces that x is on, of switches on its way; NULL: not wanted */
    uint64_t *mixed; /* out: a number mixed from those pieces, which two x on the same pieces share; NULL: not wanted */
    double *margins; /* [switches] out: of those on the way that have two pieces, what changes its sign between them;
                        NULL: not wanted */
    int32_t requested; /* of a jet: the number of a switch, from 1 on, whose margin is wanted; 0: none */
    double *margin; /* [1 + variables] out: what passes a bound where that switch changes its piece, and its gradient;
                       left as it is where the switch is not on the way */
} RbvExprPieces;
int32_t rbv_expr_switch_count(const RbvExpr *expr);
/* As rbv_expr_value and rbv_expr_jet, on pieces. NULL: as these. */
double rbv_expr_value_on(const RbvExpr *expr, const double *x, double *work, const RbvExprPieces *pieces);
double rbv_expr_jet_on(const RbvExpr *expr, const double *x, double *work, double *gradient, double *hessian,
                       const RbvExprPieces *pieces);
/* Why is the value at x not finite? Writes e.g. "sqrt of -0.2" or "lift(7.5): outside the table, 0 to 6.28". */
void rbv_expr_explain(const RbvExpr *expr, const double *x, double *work, char *message, size_t size);

/* Is `name` a function of the language (so that a parameter may not have it)? */
bool rbv_expr_is_function(const char *name);

#endif
