/* The keys of a body: its mass, poses, markers, shapes. */
#include "model/key_tables.h"

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

const RbvKey rbv_body_keys[] = {
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
