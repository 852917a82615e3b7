/* Forms of joints: which geometry a joint's constraints have. What other rooms ask about a form is one row of the table
 * rbv_forms. */
#ifndef RBV_MODEL_MODEL_JOINT_FORM_H
#define RBV_MODEL_MODEL_JOINT_FORM_H

#include <stdbool.h>
#include <stdint.h>

typedef enum RbvJointForm {
    RBV_FORM_LOCKS,    /* locks the directions of a mask, and perhaps one more relation */
    RBV_FORM_POINT,    /* a point on a plane, in the plane on a line: locks that direction, and may be unilateral */
    RBV_FORM_DISTANCE, /* |p2 - p1| = length */
    RBV_FORM_GEAR,     /* tooth force at the pitch point */
    RBV_FORM_BELT,
    RBV_FORM_RACK,
    RBV_FORM_CAM,
    RBV_FORM_EDGE, /* no slip across the second's x: a constraint row on rates */
    RBV_FORM_ROLL, /* a disk or ball on a plane: contact, and two constraint rows on rates */
    RBV_FORM_COUNT
} RbvJointForm;

/* What the scene draws for a joint. */
typedef enum RbvFormFigure {
    RBV_FIGURE_DIRECTIONS, /* a pin, slide, ball, ..., by the locked directions */
    RBV_FIGURE_BAR,
    RBV_FIGURE_GEARS,
    RBV_FIGURE_BELT,
    RBV_FIGURE_RACK,
    RBV_FIGURE_CAM,
    RBV_FIGURE_EDGE,
    RBV_FIGURE_ROLLER /* a disk or ball on a plane */
} RbvFormFigure;

#define RBV_MOST_FORM_ROWS 3

typedef struct RbvFormTraits {
    /* geometry */
    bool directions; /* locks relative directions of its markers by a mask; the other directions are its coordinates;
                        its components are those of the mask, besides `components` */
    bool bar;      /* acts along the line between its two points; friction turns at both ends and adds a force across */
    bool wheels;   /* two wheels that turn on one carrier; in space an RbvMesh */
    bool teeth;    /* a tooth force with tangential, radial and axial parts Ft, Fr, Fa */
    bool strands;  /* two strands between wheels, which may have a preload */
    bool rack;     /* a straight line along x; in space of the marker RbvJoint.rack */
    bool outlines; /* outlines of an RbvCam touch */
    bool rolls;    /* a disk or ball of radius radii[1] rolls on the first marker's xy plane */
    bool symmetric;     /* its wrench is given midway between its two points; of locks if they lock no translation */
    bool second_turns;  /* needs the orientation of its second body */
    bool second_axes;   /* its reaction is given in the second marker's axes (but of a ball) */
    bool holds_points;  /* keeps points of two bodies together, or apart; locks do so by their mask */
    bool closes_loops;  /* a linkage on plain arrays can close a loop by it */
    bool contact_force; /* its only row is a force at one contact point */
    /* forces */
    bool only_pushes;  /* its force has one sign in reality, even if the joint is not declared unilateral */
    int8_t one_sided;  /* a unilateral joint holds its first row's value above (+1) or below (-1) the constant; 0: the
                          form cannot be unilateral */
    int8_t line_sign;  /* F along the line = line_sign lambda of the first row */
    int8_t pressing;   /* component whose verdict is that of the joint's friction; -1: what the friction law reads */
    bool ground_mixes; /* components in ground axes combine several of the joint's own */
    bool space_mixes;  /* in space its components are combinations of its rows in any axes */
    uint8_t compliant[2]; /* masks of directions that may be compliant or misfit in the plane and in space; of locks the
                             locked ones */
    uint16_t components[2]; /* masks of components up to RBV_LINE_FA that it can have in the plane and in space, in the
                               joint's axes, besides those of locked directions */
    /* words and figures */
    const char *row_names[RBV_MOST_FORM_ROWS]; /* names of its rows where these are no directions */
    RbvFormFigure figure;
} RbvFormTraits;

extern const RbvFormTraits rbv_forms[RBV_FORM_COUNT];

#endif
