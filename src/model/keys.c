/* The keys of a model file, of planar and of spatial models. */
#include "model/keys.h"

#include <roberval/model.h>
#include <string.h>

bool rbv_key_belongs(const char *list, const char *word) {
    if (!list || !*word)
        return true;
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return true;
    return false;
}

#define L RBV_DIM_LENGTH
#define A RBV_DIM_ANGLE
#define END {0}
#define PLANE .in = RBV_KIND_PLANE
#define SPACE .in = RBV_KIND_SPACE
/* A point or direction: two numbers in the plane, three in space. */
#define POINT .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 2, .spatial = 3
#define D RBV_DIM_DAMPING
#define T RBV_DIM_TORSIONAL_DAMPING

static const char *const spaces[] = {"planar", "spatial", NULL};
static const char *const outsides[] = {"error", "hold", NULL};
static const char *const frames[] = {"ground", "body", NULL};

static const RbvKey unit_keys[] = {
    {.name = "", .kind = RBV_KEY_TEXT, .doc = "the unit that a bare number of this dimension has"},
    END,
};

static const RbvKey motion_keys[] = {
    {.name = "from", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_TIME}, .doc = "first sample; default 0 s"},
    {.name = "to", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {RBV_DIM_TIME}, .doc = "last sample"},
    {.name = "step", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {RBV_DIM_TIME}, .doc = "time between samples"},
    END,
};

static const RbvKey table_keys[] = {
    {.name = "file", .kind = RBV_KEY_TEXT, .required = true, .doc = "CSV file in the model's folder, with a header line"},
    {.name = "x", .kind = RBV_KEY_TEXT, .required = true, .doc = "column of the argument"},
    {.name = "y", .kind = RBV_KEY_TEXT, .required = true, .doc = "column of the value"},
    {.name = "periodic", .kind = RBV_KEY_BOOL, .doc = "repeats after its last x; default false"},
    {.name = "smooth", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_FREQUENCY},
     .doc = "cut-off of a zero-phase low-pass for measured data; Hz for time, else cycles per unit of x"},
    {.name = "outside", .kind = RBV_KEY_CHOICE, .words = outsides, .doc = "outside the data: error (default) or hold the end value"},
    END,
};

static const RbvKey rotate_keys[] = {
    {.name = "axis", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_NONE}, .least = 3, .most = 3, .doc = "turn about it by `angle`, or"},
    {.name = "angle", .kind = RBV_KEY_QUANTITY, .dimension = {A}, .doc = "right-handed about `axis`"},
    {.name = "quaternion", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_NONE}, .least = 4, .most = 4, .doc = "[w, x, y, z] of unit length, or"},
    {.name = "euler", .kind = RBV_KEY_TEXT, .doc = "three of x y z, such as zyx: turns about the body's own axes in this order"},
    {.name = "angles", .kind = RBV_KEY_QUANTITIES, .dimension = {A}, .least = 3, .most = 3, .doc = "the three angles of `euler`"},
    END,
};

static const RbvKey pose_keys[] = {
    {.name = "at", POINT, .doc = "origin of the body frame"},
    {.name = "angle", .kind = RBV_KEY_QUANTITY, .dimension = {A}, PLANE, .doc = "turn of the body frame about z"},
    {.name = "rotate", .kind = RBV_KEY_MAP, .children = rotate_keys, SPACE, .doc = "turn of the body frame"},
    END,
};

static const RbvKey marker_keys[] = {
    {.name = "at", POINT, .doc = "place in the body frame; default its origin"},
    {.name = "angle", .kind = RBV_KEY_QUANTITY, .dimension = {A}, PLANE, .doc = "turn of its x from the body's x"},
    {.name = "axis", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_NONE}, .least = 3, .most = 3, SPACE, .doc = "direction of its z; default the body's z"},
    {.name = "x", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_NONE}, .least = 3, .most = 3, SPACE,
     .doc = "direction of its x, made square to the axis; default the body's x, or its y"},
    {.name = "rotate", .kind = RBV_KEY_MAP, .children = rotate_keys, SPACE, .doc = "instead: the turn of its axes from the body's"},
    END,
};

static const RbvKey rod_keys[] = {
    {.name = "from", POINT, .required = true, .doc = "one end"},
    {.name = "to", POINT, .required = true, .doc = "other end"},
    {.name = "height", .kind = RBV_KEY_QUANTITY, .dimension = {L}, PLANE, .doc = "of its section, when the mass comes from a density"},
    END,
};
static const RbvKey rectangle_keys[] = {
    {.name = "at", .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 2, .doc = "centre; default the origin"},
    {.name = "width", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "along its x"},
    {.name = "height", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "along its y"},
    {.name = "angle", .kind = RBV_KEY_QUANTITY, .dimension = {A}, .doc = "turn of its x from the body's x"},
    END,
};
static const RbvKey triangle_keys[] = {
    {.name = "at", .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 2, .doc = "middle of the base; default the origin"},
    {.name = "base", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "length of the base, along its x"},
    {.name = "height", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "of the apex over the base, along its y"},
    {.name = "angle", .kind = RBV_KEY_QUANTITY, .dimension = {A}, .doc = "turn of its x from the body's x"},
    END,
};
static const RbvKey disk_keys[] = {
    {.name = "at", .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 2, .doc = "centre; default the origin"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "its radius"},
    END,
};
static const RbvKey semicircle_keys[] = {
    {.name = "at", .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 2, .doc = "centre of the full circle; default the origin"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "its radius"},
    {.name = "angle", .kind = RBV_KEY_QUANTITY, .dimension = {A}, .doc = "direction in which it bulges, from the body's x"},
    END,
};
static const RbvKey ring_keys[] = {
    {.name = "at", .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 2, .doc = "centre; default the origin"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "of the middle line"},
    {.name = "width", .kind = RBV_KEY_QUANTITY, .dimension = {L}, .doc = "radial width, small, when the mass comes from a density"},
    END,
};
static const RbvKey point_keys[] = {
    {.name = "", .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 2, .doc = "a corner"},
    END,
};
static const RbvKey polygon_keys[] = {
    {.name = "points", .kind = RBV_KEY_LIST, .required = true, .least = 3, .children = point_keys, .doc = "corners in order, not crossing"},
    END,
};

static const RbvKey box_keys[] = {
    {.name = "at", POINT, .doc = "centre; default the origin"},
    {.name = "size", POINT, .required = true, .doc = "[x, y, z] along its axes"},
    {.name = "rotate", .kind = RBV_KEY_MAP, .children = rotate_keys, .doc = "turn of its axes from the body's"},
    END,
};
static const RbvKey round_keys[] = {
    {.name = "from", POINT, .required = true, .doc = "middle of one end; of a cone, of its base"},
    {.name = "to", POINT, .required = true, .doc = "middle of the other end; of a cone, its apex"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "its radius"},
    END,
};
static const RbvKey sphere_keys[] = {
    {.name = "at", POINT, .doc = "centre; default the origin"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .doc = "its radius"},
    END,
};
static const RbvKey mesh_keys[] = {
    {.name = "file", .kind = RBV_KEY_TEXT, .required = true, .doc = "STL file (ASCII or binary) in the model's folder: a closed surface"},
    {.name = "scale", .kind = RBV_KEY_QUANTITY, .dimension = {L}, .doc = "length of one unit of the file; default that of a bare number"},
    END,
};

static const RbvKey shape_keys[] = {
    {.name = "rod", .kind = RBV_KEY_MAP, .children = rod_keys, .doc = "thin rod"},
    {.name = "rectangle", .kind = RBV_KEY_MAP, PLANE, .children = rectangle_keys, .doc = "rectangle"},
    {.name = "triangle", .kind = RBV_KEY_MAP, PLANE, .children = triangle_keys, .doc = "isosceles triangle"},
    {.name = "disk", .kind = RBV_KEY_MAP, PLANE, .children = disk_keys, .doc = "full circle"},
    {.name = "semicircle", .kind = RBV_KEY_MAP, PLANE, .children = semicircle_keys, .doc = "half circle"},
    {.name = "ring", .kind = RBV_KEY_MAP, PLANE, .children = ring_keys, .doc = "thin ring"},
    {.name = "polygon", .kind = RBV_KEY_MAP, PLANE, .children = polygon_keys, .doc = "any polygon"},
    {.name = "box", .kind = RBV_KEY_MAP, SPACE, .children = box_keys, .doc = "rectangular block"},
    {.name = "cylinder", .kind = RBV_KEY_MAP, SPACE, .children = round_keys, .doc = "full cylinder"},
    {.name = "cone", .kind = RBV_KEY_MAP, SPACE, .children = round_keys, .doc = "full cone"},
    {.name = "sphere", .kind = RBV_KEY_MAP, SPACE, .children = sphere_keys, .doc = "full ball"},
    {.name = "mesh", .kind = RBV_KEY_MAP, SPACE, .children = mesh_keys, .doc = "solid inside a closed triangle mesh"},
    {.name = "mass", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_MASS}, .doc = "mass of the part, or"},
    {.name = "density", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_DENSITY}, .doc = "its density, in the plane with a thickness"},
    {.name = "thickness", .kind = RBV_KEY_QUANTITY, .dimension = {L}, PLANE, .doc = "across the plane"},
    {.name = "void", .kind = RBV_KEY_BOOL, .doc = "a hole: its mass is taken away"},
    END,
};

static const RbvKey body_keys[] = {
    {.name = "mass", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_MASS}, .doc = "mass; default 0"},
    {.name = "centroid", POINT, .doc = "in the body frame; default its origin"},
    {.name = "inertia", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_INERTIA}, PLANE, .doc = "moment of inertia about the centroid"},
    {.name = "inertia", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_INERTIA}, .least = 3, .most = 6, SPACE,
     .doc = "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] about the centroid, body axes; elements of the tensor"},
    {.name = "realizable", .kind = RBV_KEY_BOOL, SPACE, .doc = "false: accept a published inertia that no real body has, with a note; default true"},
    {.name = "shape", .kind = RBV_KEY_LIST, .least = 1, .children = shape_keys, .doc = "parts that give mass, centroid and inertia"},
    {.name = "particle", .kind = RBV_KEY_BOOL, .doc = "a point mass: no rotation"},
    {.name = "pose", .kind = RBV_KEY_MAP, .children = pose_keys, .doc = "where the body is expected to be: the start of assembly"},
    {.name = "markers", .kind = RBV_KEY_MARKERS, .children = marker_keys, .doc = "points, or points with an angle, in space with axes"},
    END,
};

static const RbvKey curve_keys[] = {
    {.name = "file", .kind = RBV_KEY_TEXT, .required = true, .doc = "CSV file in the model's folder"},
    {.name = "x", .kind = RBV_KEY_TEXT, .required = true, .doc = "column of x in the marker's frame"},
    {.name = "y", .kind = RBV_KEY_TEXT, .required = true, .doc = "column of y"},
    {.name = "z", .kind = RBV_KEY_TEXT, SPACE, .doc = "column of z: a curve of space that the second's origin follows"},
    {.name = "revolved", .kind = RBV_KEY_BOOL, SPACE, .doc = "turned about z: x is the distance from the axis, y the height"},
    {.name = "closed", .kind = RBV_KEY_BOOL, .doc = "the last point repeats the first; material inside"},
    END,
};

static const RbvKey compliance_keys[] = {
    {.name = "x", .kind = RBV_KEY_RANGE, .dimension = {RBV_DIM_COMPLIANCE}, .doc = "along the first marker's x"},
    {.name = "y", .kind = RBV_KEY_RANGE, .dimension = {RBV_DIM_COMPLIANCE}, .doc = "along its y"},
    {.name = "z", .kind = RBV_KEY_RANGE, .dimension = {RBV_DIM_COMPLIANCE}, SPACE, .doc = "along its z"},
    {.name = "rx", .kind = RBV_KEY_RANGE, .dimension = {RBV_DIM_TORSIONAL_COMPLIANCE}, SPACE, .doc = "about its x"},
    {.name = "ry", .kind = RBV_KEY_RANGE, .dimension = {RBV_DIM_TORSIONAL_COMPLIANCE}, SPACE, .doc = "about its y"},
    {.name = "rz", .kind = RBV_KEY_RANGE, .dimension = {RBV_DIM_TORSIONAL_COMPLIANCE}, .doc = "about z"},
    END,
};

static const RbvKey misfit_keys[] = {
    {.name = "x", .kind = RBV_KEY_QUANTITY, .dimension = {L}, .doc = "along the first marker's x"},
    {.name = "y", .kind = RBV_KEY_QUANTITY, .dimension = {L}, .doc = "along its y"},
    {.name = "z", .kind = RBV_KEY_QUANTITY, .dimension = {L}, SPACE, .doc = "along its z"},
    {.name = "rx", .kind = RBV_KEY_QUANTITY, .dimension = {A}, SPACE, .doc = "about its x"},
    {.name = "ry", .kind = RBV_KEY_QUANTITY, .dimension = {A}, SPACE, .doc = "about its y"},
    {.name = "rz", .kind = RBV_KEY_QUANTITY, .dimension = {A}, .doc = "about z"},
    END,
};

static const RbvKey friction_keys[] = {
    {.name = "coefficient", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {RBV_DIM_NONE}, .doc = "Coulomb's, 0 or more"},
    {.name = "static", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_NONE}, .doc = "coefficient up to which it sticks; default: the coefficient"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .dimension = {L}, .doc = "at which turns rub: of a pin, shaft, ball or thread, of the pins or balls of a link, of the balls of a constant-velocity joint; of teeth the mean distance of their contact from the pitch point (required there); half the length of a guide"},
    {.name = "normal", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_FORCE}, .doc = "load on a knife edge, or on a wheel of the plane (required there)"},
    END,
};

static const char *const places[] = {"here", NULL};
static const RbvKey joint_keys[] = {
    {.name = "type", .kind = RBV_KEY_TEXT, .required = true, .doc = "kind of joint"},
    {.name = "between", .kind = RBV_KEY_TEXTS, .required = true, .least = 2, .most = 2, .doc = "[first, second]: body.marker or body"},
    {.name = "at", POINT, .doc = "place in ground coordinates in the starting pose, for bodies given without a marker"},
    {.name = "axis", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_NONE}, .least = 2, .most = 2, .spatial = 3,
     .doc = "direction there of the markers' x, in space of their z"},
    {.name = "value", .kind = RBV_KEY_QUANTITY, .dimension = {L}, .only = "slot x y z", .doc = "the relative coordinate held; default 0"},
    {.name = "value", .kind = RBV_KEY_QUANTITY, .dimension = {A}, .only = "angle", .doc = "the relative angle held; default 0"},
    {.name = "value", .kind = RBV_KEY_CHOICE, .words = places, .only = "revolute prismatic translational cylindrical fixed parallel general link distance gear bevel worm belt chain rack cam spherical universal screw planar perpendicular inline inplane constant-velocity",
     .doc = "here, with active: it holds where it stands when it engages (also of slot, x, y, z, angle)"},
    {.name = "length", .kind = RBV_KEY_QUANTITY, .dimension = {L}, .only = "link distance", .doc = "default: the starting distance"},
    {.name = "radii", .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 2, .only = "gear bevel",
     .doc = "pitch radii [first, second], or teeth"},
    {.name = "radii", .kind = RBV_KEY_QUANTITIES, .required = true, .dimension = {L}, .least = 2, .most = 2, .only = "belt chain worm",
     .doc = "pitch radii [first, second]"},
    {.name = "teeth", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_NONE}, .least = 2, .most = 2, .only = "gear bevel",
     .doc = "numbers of teeth, which divide the starting distance"},
    {.name = "carrier", .kind = RBV_KEY_TEXT, .only = "gear bevel worm", .doc = "body that holds both centres; default ground"},
    {.name = "pressure_angle", .kind = RBV_KEY_QUANTITY, .dimension = {A}, .only = "gear bevel worm", .doc = "default 20 deg"},
    {.name = "helix_angle", .kind = RBV_KEY_QUANTITY, .dimension = {A}, .only = "gear bevel", .doc = "of the first, right-handed positive; default 0"},
    {.name = "internal", .kind = RBV_KEY_BOOL, .only = "gear", .doc = "the larger wheel is a ring"},
    {.name = "crossed", .kind = RBV_KEY_BOOL, .only = "belt chain", .doc = "the strands cross; default false"},
    {.name = "preload", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_FORCE}, .only = "belt chain",
     .doc = "tension of each strand at rest; default 0"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .only = "rack", .doc = "pitch radius of the pinion"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .dimension = {L}, .only = "wheel", PLANE, .doc = "without effect in the plane"},
    {.name = "radius", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .only = "wheel ball", SPACE, .doc = "of the disk or ball that rolls (a ball in a socket is spherical)"},
    {.name = "pitch", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {L}, .only = "screw worm", SPACE,
     .doc = "advance per turn, right-handed positive; of a worm its lead"},
    {.name = "locked", .kind = RBV_KEY_TEXTS, .required = true, .least = 1, .most = 3, .spatial = 6, .only = "general",
     .doc = "directions held, of x, y, rz, in space of x, y, z, rx, ry, rz"},
    {.name = "curve", .kind = RBV_KEY_MAP, .required = true, .children = curve_keys, .only = "cam", .doc = "outline of the first"},
    {.name = "flat", .kind = RBV_KEY_BOOL, .only = "cam", .doc = "the follower is a flat along the second's x"},
    {.name = "curve2", .kind = RBV_KEY_MAP, .children = curve_keys, .only = "cam", .doc = "the follower is this outline of the second"},
    {.name = "damping", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_TORSIONAL_DAMPING}, .only = "revolute screw",
     .doc = "viscous, on the angle"},
    {.name = "damping", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_DAMPING}, .only = "prismatic translational",
     .doc = "viscous, on the distance"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D, T}, .least = 2, .most = 2,
     .only = "slot x y", PLANE, .doc = "viscous, on the free translation and the angle"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D}, .least = 2, .most = 2, .only = "parallel angle", PLANE,
     .doc = "viscous, on x and y"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D, T}, .least = 2, .most = 2, .only = "cylindrical", SPACE,
     .doc = "viscous, on the distance and the angle"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {T}, .least = 3, .most = 3, .only = "spherical", SPACE, .doc = "viscous, on rx, ry, rz"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D, D, T}, .least = 3, .most = 3, .only = "planar", SPACE, .doc = "viscous, on x, y, rz"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D, D, D, T}, .least = 4, .most = 4, .only = "parallel", SPACE,
     .doc = "viscous, on x, y, z, rz"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D, T}, .least = 4, .most = 4, .only = "inline", SPACE, .doc = "viscous, on z, rx, ry, rz"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D, D, T}, .least = 5, .most = 5, .only = "inplane x y z", SPACE,
     .doc = "viscous, on the free translations and rx, ry, rz"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D, D, T}, .least = 3, .most = 3, .only = "free", PLANE, .doc = "viscous, on x, y, rz"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {D, D, D, T}, .least = 6, .most = 6, .only = "free", SPACE,
     .doc = "viscous, on x, y, z, rx, ry, rz"},
    {.name = "damping", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_ANY}, .least = 1, .most = 2, .spatial = 5, .only = "general",
     .doc = "viscous, on the free directions in the order x, y, z, rx, ry, rz"},
    {.name = "compliance", .kind = RBV_KEY_MAP, .children = compliance_keys, .doc = "how far a unit load moves the joint; a list of two: least and largest"},
    {.name = "unilateral", .kind = RBV_KEY_BOOL, .only = "cam link distance belt chain", .doc = "in simulate it lets go where its force would turn negative, and lands again; elsewhere that is noted; default false"},
    {.name = "unilateral", .kind = RBV_KEY_BOOL, .only = "wheel ball", SPACE, .doc = "in simulate it lets go where its force would turn negative, and lands again; elsewhere that is noted; default false"},
    {.name = "restitution", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_NONE}, .only = "cam link distance belt chain", .doc = "of a unilateral joint: rate after it lands over that before; default 0"},
    {.name = "restitution", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_NONE}, .only = "wheel ball", SPACE, .doc = "of a unilateral joint: rate after it lands over that before; default 0"},
    {.name = "misfit", .kind = RBV_KEY_MAP, .children = misfit_keys, .doc = "lack of fit: the offset of the second marker at which the joint carries nothing"},
    {.name = "friction", .kind = RBV_KEY_MAP, .children = friction_keys, .doc = "Coulomb friction, of kinds whose faces slide on each other, that roll, and of belts"},
    {.name = "penalty", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_NONE}, .doc = "of --method penalty and augmented: how much stiffer its rows are than others; default 1"},
    {.name = "active", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "an expression: it holds only while this is not 0, such as t > 2[s]; default always"},
    END,
};

static const RbvKey constraint_keys[] = {
    {.name = "equation", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY},
     .doc = "expression of coordinates and t that is held at 0"},
    {.name = "velocity", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY},
     .doc = "instead: expression of coordinates, their rates and t that is held at 0"},
    {.name = "nonideal", .kind = RBV_KEY_COORDINATE_DICT, .dimension = {RBV_DIM_ANY},
     .doc = "the constraint does work: coordinates to the force, or torque, that it exerts along them"},
    {.name = "value", .kind = RBV_KEY_CHOICE, .words = places, .doc = "here, with active: the equation is held at the value that it has when it engages"},
    {.name = "active", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "an expression: it holds only while this is not 0, such as t > 2[s]; default always"},
    END,
};

static const RbvKey rotor_keys[] = {
    {.name = "inertia", .kind = RBV_KEY_QUANTITY, .required = true, .dimension = {RBV_DIM_INERTIA}, .doc = "of the rotor about its own axis"},
    {.name = "ratio", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "how fast it turns: rad per rad of the coordinate (default 1), or rad/m of a length"},
    END,
};

static const RbvKey drive_keys[] = {
    {.name = "coordinate", .kind = RBV_KEY_TEXT, .required = true, .doc = "the coordinate that moves as told"},
    {.name = "motion", .kind = RBV_KEY_EXPRESSION, .required = true, .dimension = {RBV_DIM_ANY}, .doc = "expression of t [m or rad]: the coordinate itself, not its speed"},
    {.name = "max", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "its effort lies between -max and max [N or N.m], an expression of rates, coordinates, states, t, such as 20[N.m] - 0.1*abs(hinge.angle'); where it would need more it slips; default: it has what it needs"},
    {.name = "catch_up", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_FREQUENCY}, .doc = "with max: how fast a lag dies out once the effort suffices [1/s]; default 0, it stays"},
    {.name = "rotor", .kind = RBV_KEY_MAP, .children = rotor_keys, .doc = "a wheel that turns with the coordinate, as the rotor of a motor with its gear does"},
    {.name = "value", .kind = RBV_KEY_CHOICE, .words = places, .doc = "here, with active: from where the coordinate is when it engages, the motion since then is added"},
    {.name = "active", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "an expression: it holds only while this is not 0, such as t > 2[s]; default always"},
    END,
};

#define INTO(field) offsetof(RbvLoadDef, field)
static const RbvKey load_keys[] = {
    {.name = "type", .into = INTO(type), .kind = RBV_KEY_TEXT, .required = true, .doc = "kind of load"},
    {.name = "to", .into = INTO(to), .kind = RBV_KEY_TEXT, .required = true, .only = "force torque", .doc = "body.marker (force) or body (torque) it acts on"},
    {.name = "value", .into = INTO(value), .kind = RBV_KEY_EXPRESSIONS, .required = true, .dimension = {RBV_DIM_FORCE}, .least = 2, .most = 2, .spatial = 3, .only = "force",
     .doc = "[Fx, Fy], in space [Fx, Fy, Fz]"},
    {.name = "value", .into = INTO(value), .kind = RBV_KEY_EXPRESSION, .required = true, .dimension = {RBV_DIM_TORQUE}, .only = "torque", PLANE, .doc = "torque about z"},
    {.name = "value", .into = INTO(value), .kind = RBV_KEY_EXPRESSIONS, .required = true, .dimension = {RBV_DIM_TORQUE}, .least = 3, .most = 3, .only = "torque", SPACE,
     .doc = "[Tx, Ty, Tz]"},
    {.name = "value", .into = INTO(value), .kind = RBV_KEY_EXPRESSION, .required = true, .dimension = {RBV_DIM_ENERGY}, .only = "energy", .doc = "potential of coordinates"},
    {.name = "frame", .into = INTO(body_frame), .kind = RBV_KEY_CHOICE, .words = frames, .only = "force", PLANE, .doc = "axes of the force: ground (default) or body"},
    {.name = "frame", .into = INTO(body_frame), .kind = RBV_KEY_CHOICE, .words = frames, .only = "force torque", SPACE, .doc = "axes of the value: ground (default) or body"},
    {.name = "between", .into = INTO(between), .kind = RBV_KEY_TEXTS, .required = true, .least = 2, .most = 2, .only = "bushing", .doc = "[first, second] points"},
    {.name = "between", .into = INTO(between), .kind = RBV_KEY_TEXTS, .least = 2, .most = 2, .only = "spring", .doc = "[first, second] points; or `joint`"},
    {.name = "joint", .into = INTO(joint), .kind = RBV_KEY_TEXT, .only = "spring", .doc = "instead of points: the joint along whose distance it acts, a length with a sign"},
    {.name = "joint", .into = INTO(joint), .kind = RBV_KEY_TEXT, .required = true, .only = "torsion-spring", .doc = "the joint whose angle it acts on"},
    {.name = "stiffness", .into = INTO(stiffness), .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_STIFFNESS}, .only = "spring", .doc = "default 0"},
    {.name = "stiffness", .into = INTO(stiffness), .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_TORSIONAL_STIFFNESS}, .only = "torsion-spring", .doc = "default 0"},
    {.name = "stiffness", .into = INTO(stiffness), .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_STIFFNESS, RBV_DIM_STIFFNESS, RBV_DIM_TORSIONAL_STIFFNESS},
     .least = 3, .most = 3, .only = "bushing", PLANE, .doc = "[x, y, rz] in the first marker's axes"},
    {.name = "stiffness", .into = INTO(stiffness), .kind = RBV_KEY_QUANTITIES,
     .dimension = {RBV_DIM_STIFFNESS, RBV_DIM_STIFFNESS, RBV_DIM_STIFFNESS, RBV_DIM_TORSIONAL_STIFFNESS}, .least = 6, .most = 6, .only = "bushing", SPACE,
     .doc = "[x, y, z, rx, ry, rz] in the first marker's axes"},
    {.name = "damping", .into = INTO(damping), .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_DAMPING}, .only = "spring", .doc = "default 0"},
    {.name = "damping", .into = INTO(damping), .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_TORSIONAL_DAMPING}, .only = "torsion-spring", .doc = "default 0"},
    {.name = "damping", .into = INTO(damping), .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_DAMPING, RBV_DIM_DAMPING, RBV_DIM_TORSIONAL_DAMPING},
     .least = 3, .most = 3, .only = "bushing", PLANE, .doc = "[x, y, rz]"},
    {.name = "damping", .into = INTO(damping), .kind = RBV_KEY_QUANTITIES, .dimension = {D, D, D, T}, .least = 6, .most = 6, .only = "bushing", SPACE,
     .doc = "[x, y, z, rx, ry, rz]"},
    {.name = "free_length", .into = INTO(free), .kind = RBV_KEY_QUANTITY, .dimension = {L}, .only = "spring", .doc = "length without force; required with a stiffness"},
    {.name = "free_angle", .into = INTO(free), .kind = RBV_KEY_QUANTITY, .dimension = {A}, .only = "torsion-spring", .doc = "angle without torque; default 0"},
    {.name = "force", .into = INTO(law), .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_FORCE}, .only = "spring",
     .doc = "added force, positive in tension, of l, l', t"},
    {.name = "torque", .into = INTO(law), .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_TORQUE}, .only = "torsion-spring",
     .doc = "added torque, positive driving the angle down"},
    {.name = "speed", .into = INTO(speed), .kind = RBV_KEY_EXPRESSION, .required = true, .dimension = {RBV_DIM_ANGULAR_VELOCITY}, .only = "rotating-frame",
     .doc = "of the frame about its axis, of t"},
    {.name = "axis", .into = INTO(axis), .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_NONE}, .least = 3, .most = 3, .only = "rotating-frame",
     .doc = "any direction; in the plane [0, 0, 1] or [0, 0, -1]"},
    {.name = "center", .into = INTO(center), .kind = RBV_KEY_QUANTITIES, .dimension = {L}, .least = 2, .most = 3, .only = "rotating-frame",
     .doc = "a point of the axis; default the origin"},
    {.name = "acceleration", .into = INTO(value), .kind = RBV_KEY_EXPRESSIONS, .required = true, .dimension = {RBV_DIM_ACCELERATION}, .least = 2, .most = 2, .spatial = 3, .only = "field",
     .doc = "force per unit mass at the centroids, of x, y, z, t"},
    {.name = "active", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "an expression: it holds only while this is not 0, such as t > 2[s]; default always"},
    END,
};

static const RbvKey state_keys[] = {
    {.name = "rate", .kind = RBV_KEY_EXPRESSION, .required = true, .dimension = {RBV_DIM_ANY}, .doc = "what it changes by in a second"},
    {.name = "start", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_ANY}, .doc = "its value at the start; default 0"},
    {.name = "unit", .kind = RBV_KEY_TEXT, .doc = "of it, such as m.s; default: that of start, or none"},
    END,
};

static const RbvKey generalized_coordinate_keys[] = {
    {.name = "start", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_ANY}, .doc = "its value at the start; default: as constraints have it, nearest to 0"},
    {.name = "rate", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_ANY}, .doc = "its rate at the start; default: as constraints have it, least motion"},
    {.name = "unit", .kind = RBV_KEY_TEXT, .doc = "of it, such as rad; default: that of start, or none"},
    END,
};

static const RbvKey generalized_keys[] = {
    {.name = "coordinates", .kind = RBV_KEY_DICT, .required = true, .children = generalized_coordinate_keys, .doc = "their names, which stand in expressions as they are: u, u', in outputs u''"},
    {.name = "mass", .kind = RBV_KEY_MATRIX, .required = true, .dimension = {RBV_DIM_ANY}, .doc = "the symmetric matrix M, row by row in the order of the coordinates: expressions of these, their rates and t"},
    {.name = "force", .kind = RBV_KEY_EXPRESSIONS, .required = true, .dimension = {RBV_DIM_ANY}, .least = 1, .most = 1000, .doc = "the right-hand side, one expression for each coordinate"},
    END,
};

static const RbvKey stop_keys[] = {
    {.name = "coordinate", .kind = RBV_KEY_TEXT, .required = true, .doc = "the coordinate that cannot pass"},
    {.name = "min", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_ANY}, .doc = "least value; default none"},
    {.name = "max", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_ANY}, .doc = "largest value; default none"},
    {.name = "restitution", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_NONE}, .doc = "rate after an impact over that before; default 0"},
    {.name = "active", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "an expression: it holds only while this is not 0; default always"},
    END,
};

static const char *const directions[] = {"both", "rising", "falling", NULL};
static const char *const deeds[] = {"mark", "stop", NULL};
static const RbvKey event_keys[] = {
    {.name = "when", .kind = RBV_KEY_EXPRESSION, .required = true, .dimension = {RBV_DIM_ANY}, .doc = "it happens where this passes 0"},
    {.name = "direction", .kind = RBV_KEY_CHOICE, .words = directions, .doc = "rising, falling or both (default)"},
    {.name = "do", .kind = RBV_KEY_CHOICE, .words = deeds, .doc = "mark (default): list it; stop: end the run there"},
    {.name = "set", .kind = RBV_KEY_EXPRESSION_DICT, .dimension = {RBV_DIM_ANY}, .doc = "states to the values they get there: {integral: 0}; expressions of what is there before it"},
    END,
};

static const RbvKey require_keys[] = {
    {.name = "equation", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "expression of coordinates and t that is to be 0"},
    {.name = "velocity", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY}, .doc = "instead: expression of coordinates, their rates and t that is to be 0"},
    {.name = "nonideal", .kind = RBV_KEY_COORDINATE_DICT, .dimension = {RBV_DIM_ANY},
     .doc = "without actuators: control that does work, coordinates to the force, or torque, that it exerts along them beside what is required (Udwadia's C)"},
    END,
};

static const RbvKey actuator_keys[] = {
    {.name = "coordinate", .kind = RBV_KEY_TEXT, .required = true, .doc = "the coordinate along which its effort acts"},
    {.name = "weight", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_NONE}, .doc = "the sum of weight effort^2 is least; default 1"},
    {.name = "max", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_ANY}, .doc = "its effort lies between -max and max; default no limit"},
    END,
};

static const RbvKey track_keys[] = {
    {.name = "require", .kind = RBV_KEY_DICT, .required = true, .children = require_keys, .doc = "motions that control is to bring about"},
    {.name = "actuators", .kind = RBV_KEY_DICT, .children = actuator_keys, .doc = "efforts that may be used; default a control force on every coordinate"},
    {.name = "rate", .kind = RBV_KEY_QUANTITY, .dimension = {RBV_DIM_FREQUENCY}, .doc = "rate at which errors die out, critically damped [1/s]; default: they are not corrected"},
    END,
};

const RbvKey rbv_model_keys[] = {
    {.name = "roberval", .kind = RBV_KEY_NUMBER, .required = true, .doc = "version of the format: 1"},
    {.name = "title", .kind = RBV_KEY_TEXT, .doc = "one line"},
    {.name = "space", .kind = RBV_KEY_CHOICE, .required = true, .words = spaces, .doc = "planar or spatial"},
    {.name = "units", .kind = RBV_KEY_MAP, .children = unit_keys, .doc = "what a bare number means, dimension by dimension; the rest is SI"},
    {.name = "gravity", .kind = RBV_KEY_QUANTITIES, .dimension = {RBV_DIM_ACCELERATION}, .least = 2, .most = 2, .spatial = 3, .doc = "acceleration along ground's axes; default none"},
    {.name = "parameters", .kind = RBV_KEY_QUANTITY_DICT, .dimension = {RBV_DIM_ANY}, .doc = "named constants"},
    {.name = "tables", .kind = RBV_KEY_DICT, .children = table_keys, .doc = "functions from CSV files"},
    {.name = "bodies", .kind = RBV_KEY_DICT, .required = true, .unless = "generalized", .children = body_keys, .doc = "rigid bodies; ground may be given markers"},
    {.name = "joints", .kind = RBV_KEY_DICT, .children = joint_keys, .doc = "what keeps two bodies together"},
    {.name = "coordinates", .kind = RBV_KEY_EXPRESSION_DICT, .dimension = {RBV_DIM_ANY}, .doc = "names of coordinates, or of expressions of them, that serve wherever a coordinate does"},
    {.name = "constraints", .kind = RBV_KEY_DICT, .children = constraint_keys, .doc = "relations of coordinates"},
    {.name = "drives", .kind = RBV_KEY_DICT, .children = drive_keys, .doc = "coordinates with a prescribed motion"},
    {.name = "loads", .kind = RBV_KEY_DICT, .children = load_keys, .doc = "forces, torques, springs, fields"},
    {.name = "states", .kind = RBV_KEY_DICT, .children = state_keys, .doc = "differential equations of your own"},
    {.name = "generalized", .kind = RBV_KEY_MAP, .children = generalized_keys, .doc = "a system by its own equations M q'' = force, alone or tied to bodies by constraints"},
    {.name = "stops", .kind = RBV_KEY_DICT, .children = stop_keys, .doc = "coordinates that cannot pass a limit"},
    {.name = "events", .kind = RBV_KEY_DICT, .children = event_keys, .doc = "instants that a run marks, sets states at, or ends at"},
    {.name = "track", .kind = RBV_KEY_MAP, .children = track_keys, .doc = "motions required of the system, for roberval track"},
    {.name = "initial", .kind = RBV_KEY_QUANTITY_DICT, .dimension = {RBV_DIM_ANY}, .doc = "coordinates and rates at the start"},
    {.name = "motion", .kind = RBV_KEY_MAP, .children = motion_keys, .doc = "the samples from + i step, and to"},
    {.name = "output", .kind = RBV_KEY_EXPRESSION_DICT, .dimension = {RBV_DIM_ANY}, .doc = "more series: expressions of coordinates and results"},
    END,
};
