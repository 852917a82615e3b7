/* Internal structure of expressions: checked tree, compiled program, and the elementary functions of both.
 *
 *   text --parse.c--> tree --compile.c--> program --program.c--> value, gradient, Hessian
 *                      |
 *                      +--homogeneity.c--> dimension of the value
 *                      +--explain.c--> why the value at x is not finite, what is not smooth
 *
 * The tree is as deep as the text is nested (sums and products are one node each), so recursion over the tree is
 * safe.
 */
#ifndef RBV_CORE_EXPR_NODE_H
#define RBV_CORE_EXPR_NODE_H

#include "core/expr/expr.h"

#include <stdbool.h>

/* Replacement for a UTF-8 character that resembles one of the language, or NULL. */
const char *rbv_expr_lookalike(const char *c);
/* Bytes of the character at c (UTF-8). */
int rbv_expr_character_length(const char *c);
/* Is the word a function of points or bodies? */
bool rbv_expr_is_coordinate(const char *word);

/* The program's operations. a, b: slots; c: the instruction's number. */
typedef enum RbvExprOp {
    RBV_OP_CONSTANT, /* c */
    RBV_OP_MOVE,     /* a */
    RBV_OP_BRANCH,   /* a != 0: continue; a == 0: go to `otherwise`; a NaN: the result is NaN, go to `end` */
    RBV_OP_JUMP,     /* to `end` */
    RBV_OP_CALLBACK, /* arguments: slot a and the following ones */
    RBV_OP_ADD,
    RBV_OP_ADD_CONSTANT,
    RBV_OP_SUBTRACT,
    RBV_OP_SUBTRACT_FROM, /* c - a */
    RBV_OP_MULTIPLY,
    RBV_OP_SCALE,
    RBV_OP_DEFINED, /* another expression, or its rate */
    RBV_OP_MIN,
    RBV_OP_MAX,
    RBV_OP_LESS, /* comparisons, in the order of RbvExprComparison */
    RBV_OP_LESS_EQUAL,
    RBV_OP_GREATER,
    RBV_OP_GREATER_EQUAL,
    RBV_OP_EQUAL,
    RBV_OP_NOT_EQUAL,
    /* functions of two jets, by their partial derivatives */
    RBV_OP_DIVIDE,
    RBV_OP_POWER,
    RBV_OP_ATAN2, /* atan2(a, b) */
    /* functions of one jet, by f, f', f'' */
    RBV_OP_FIRST_UNARY,
    RBV_OP_DIVIDE_BY = RBV_OP_FIRST_UNARY, /* a / c */
    RBV_OP_DIVIDE_INTO,                    /* c / a */
    RBV_OP_INTEGER_POWER,                  /* a^c, c a small integer */
    RBV_OP_CONSTANT_POWER,                 /* a^c */
    RBV_OP_EXPONENTIAL,                    /* c^a */
    RBV_OP_TABLE,
    RBV_OP_SIN,
    RBV_OP_COS,
    RBV_OP_TAN,
    RBV_OP_ASIN,
    RBV_OP_ACOS,
    RBV_OP_ATAN,
    RBV_OP_SINH,
    RBV_OP_COSH,
    RBV_OP_TANH,
    RBV_OP_EXP,
    RBV_OP_LOG,
    RBV_OP_SQRT,
    RBV_OP_ABS,
    RBV_OP_SIGN,
    RBV_OP_FLOOR,
    RBV_OP_RISE,    /* 10s^3 - 15s^4 + 6s^5 between 0 and 1 */
    RBV_OP_RUN,     /* the integral of RISE from 0 */
    RBV_OP_POSITIVE /* a if a > 0, else not a number */
} RbvExprOp;

/* Use of another expression f with variables x: f(x), sum f_i x_i' or sum f_i x_i'' + f_ij x_i' x_j'. */
typedef struct RbvExprUse {
    const RbvExpr *of;
    int32_t order; /* order of the rate: 0, 1, 2 */
    int32_t at[];  /* [(order + 1) variables of `of`] variables of this expression that are x, x', x'' */
} RbvExprUse;

typedef struct RbvExprInstruction {
    RbvExprOp op;
    int32_t out, a, b;
    int32_t place; /* switch number, from 1: of this instruction, or the first of the used expression; 0: none */
    union {
        double number;
        const RbvSpline *table;
        const RbvExprCallback *callback;
        const RbvExprUse *use;
        struct {
            int32_t otherwise, end;
        } to;
    } with;
} RbvExprInstruction;

typedef enum RbvExprFunction {
    RBV_FN_UNARY, /* one argument, one operation */
    RBV_FN_ATAN2,
    RBV_FN_MIN,
    RBV_FN_MAX,
    RBV_FN_IF,
    RBV_FN_STEP,
    RBV_FN_RAMP,
    RBV_FN_PULSE,
    RBV_FN_POLY,
    RBV_FN_FOURIER,
    RBV_FN_IMPACT /* expanded into other nodes by the parser */
} RbvExprFunction;

typedef struct RbvExprFunctionRow {
    const char *name;
    const char *usage;
    RbvExprFunction function;
    RbvExprOp op;        /* of a unary function */
    int32_t least, most; /* arguments; most -1: no limit */
    bool smooth;         /* twice continuously differentiable in every argument */
} RbvExprFunctionRow;

typedef enum RbvExprKind {
    RBV_NODE_NUMBER,
    RBV_NODE_VARIABLE,
    RBV_NODE_SUM,     /* children: terms; ~child: subtracted */
    RBV_NODE_PRODUCT, /* children: factors; ~child: divided by */
    RBV_NODE_NEGATIVE,
    RBV_NODE_POWER,
    RBV_NODE_COMPARISON,
    RBV_NODE_CALL,
    RBV_NODE_TABLE,
    RBV_NODE_CALLBACK,
    RBV_NODE_DEFINED /* children: the variables x, then x', then x'' */
} RbvExprKind;

typedef struct RbvExprNode {
    RbvExprKind kind;
    int32_t offset, length; /* in the text */
    int32_t first, count;   /* children, in the tree's links */
    double number;
    const RbvExprFunctionRow *function;
    union { /* selected by `kind` */
        const RbvSpline *table;
        const RbvExprCallback *callback;
        const RbvExpr *of; /* a defined expression, with `order` */
    };
    int32_t order;
    RbvExprOp comparison;
    int32_t id;                 /* the scope's id of a variable or a defined expression */
    int32_t variable;           /* index among the expression's variables; -1: only in a dead branch */
    int32_t taken;              /* for `if` with a constant condition: 1 or 2, the live branch; else 0 */
    RbvExprDimension dimension; /* dimension of a number, a variable or a table's value */
    RbvExprDimension requested; /* dimension of a table's argument */
    bool computed;              /* a constant computed from other constants */
    RbvExprDimension measures;  /* dimension of the node's value, set by homogeneity.c */
} RbvExprNode;

typedef struct RbvExprTree {
    char *text;
    RbvExprNode *nodes;
    int32_t *links;
    int32_t node_count, node_capacity;
    int32_t link_count, link_capacity;
    int32_t root;
    bool has_pi;
} RbvExprTree;

struct RbvExpr {
    RbvExprTree tree;
    RbvExprInstruction *program;
    int32_t program_count, program_capacity;
    int32_t *ids; /* the scope's id of each variable */
    int32_t variable_count, variable_capacity;
    int32_t slot_count;   /* variables first, then temporaries */
    int32_t switch_count; /* number of switches, with those of the expressions used */
    RbvExprUse **uses;
    int32_t use_count, use_capacity;
    size_t use_size; /* doubles of work memory that the largest used expression needs */
    int32_t result;  /* slot of the result; -1: the value is `constant` */
    double constant;
    RbvExprDimension dimension;
    RbvExprError *remark; /* NULL: none */
    bool has_dimension;
    int32_t others; /* number of further references */
};

/* functions.c */
const RbvExprFunctionRow *rbv_expr_function(const char *name);
/* The function of the language or coordinate function nearest to a misspelt name, or NULL. */
const char *rbv_expr_function_nearest(const char *name);
const char *rbv_expr_comparison_text(RbvExprOp comparison);
double rbv_expr_unary_value(const RbvExprInstruction *in, double x);
/* f, f', f'' at x; side: sign of abs's derivative where the argument is 0, +1 or -1. */
void rbv_expr_unary(const RbvExprInstruction *in, double x, double side, double f[3]);
/* Is the function constant near x? */
bool rbv_expr_unary_is_flat(const RbvExprInstruction *in, double x);
double rbv_expr_binary_value(RbvExprOp op, double a, double b);
/* f, f_a, f_b, f_aa, f_ab, f_bb of DIVIDE, POWER, ATAN2. */
void rbv_expr_binary(RbvExprOp op, double a, double b, double f[6]);

/* Doubles of a jet of n variables (program.c). */
static inline size_t rbv_expr_jet_size(int32_t n) {
    size_t m = (size_t)n;
    return 1 + m + m * (m + 1) / 2;
}
/* parse.c: fills the tree; false with *error. */
bool rbv_expr_parse_tree(RbvExprTree *tree, const RbvExprScope *scope, RbvExprError *error);
/* compile.c: from expr->tree to expr->program; false with *error. */
bool rbv_expr_compile(RbvExpr *expr, RbvExprError *error);
/* homogeneity.c: fills expr->dimension and expr->remark; false with *error where written units contradict each other.
 */
bool rbv_expr_infer(RbvExpr *expr, RbvExprError *error);
/* pieces.c: numbers the switches of the program. */
void rbv_expr_count_switches(RbvExpr *expr);
/* pieces.c: the piece of a switch to use, recording the one that its operands are on; its value on that piece; f, f',
 * f'' of a function of one argument on that piece. */
int32_t rbv_expr_take_piece(const RbvExprInstruction *in, double u, double v, const RbvExprPieces *pieces);
double rbv_expr_piece_value(const RbvExprInstruction *in, int32_t piece, double u, double v);
void rbv_expr_piece_derivatives(const RbvExprInstruction *in, int32_t piece, double u, double f[3]);
/* explain.c: the value of a node without variables, else NaN. */
double rbv_expr_constant_node(const RbvExprTree *tree, int32_t node);
/* explain.c: the value of a node at x. */
double rbv_expr_node_value(const RbvExprTree *tree, int32_t node, const double *x);
/* explain.c: why the value of this node at x is not finite. */
void rbv_expr_explain_node(const RbvExprTree *tree, int32_t node, const double *x, char *message, size_t size);

static inline const RbvExprNode *rbv_expr_child(const RbvExprTree *tree, const RbvExprNode *node, int32_t k,
                                                bool *inverse) {
    int32_t link = tree->links[node->first + k];
    if (inverse != NULL)
        *inverse = link < 0;
    return &tree->nodes[link < 0 ? ~link : link];
}

#endif
