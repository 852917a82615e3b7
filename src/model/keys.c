/* The keys of a model file, of planar and of spatial models. */
#include "model/key_tables.h"

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

static const char *const spaces[] = {"planar", "spatial", NULL};
const char *const rbv_key_here[] = {"here", NULL};
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

static const RbvKey constraint_keys[] = {
    {.name = "equation", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY},
     .doc = "expression of coordinates and t that is held at 0"},
    {.name = "velocity", .kind = RBV_KEY_EXPRESSION, .dimension = {RBV_DIM_ANY},
     .doc = "instead: expression of coordinates, their rates and t that is held at 0"},
    {.name = "nonideal", .kind = RBV_KEY_COORDINATE_DICT, .dimension = {RBV_DIM_ANY},
     .doc = "the constraint does work: coordinates to the force, or torque, that it exerts along them"},
    {.name = "value", .kind = RBV_KEY_CHOICE, .words = rbv_key_here, .doc = "here, with active: the equation is held at the value that it has when it engages"},
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
    {.name = "value", .kind = RBV_KEY_CHOICE, .words = rbv_key_here, .doc = "here, with active: from where the coordinate is when it engages, the motion since then is added"},
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
    {.name = "bodies", .kind = RBV_KEY_DICT, .required = true, .unless = "generalized", .children = rbv_body_keys, .doc = "rigid bodies; ground may be given markers"},
    {.name = "joints", .kind = RBV_KEY_DICT, .children = rbv_joint_keys, .doc = "what keeps two bodies together"},
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
