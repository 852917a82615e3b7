/* Tables of foreign words: names used by other programs and textbooks, and their counterparts. */
#include "model/model/keys.h"

#include <ctype.h>
#include <string.h>

typedef struct Meaning {
    const char *words; /* foreign words, separated by blanks, in lower case without '-' and '_' */
    const char *plane; /* counterparts in the plane: candidates, or a sentence (contains a ':') */
    const char *space; /* counterparts in space; NULL: as in the plane */
} Meaning;

static const Meaning joints[] = {
    {"pin hinge hinged pivot pivoted swivel rotary rotational rotation rotoid turning turn r bearing rev", "revolute",
     NULL},
    {"slider slide sliding translation translatory linear guide rail p telescope telescopic slideway", "prismatic",
     NULL},
    {"weld welded rigid rigidly glue glued bolt bolted clamp clamped lock locked fix fixation anchor anchored encastre",
     "fixed", NULL},
    {"spherical ball balljoint socket ballandsocket sphere spheric rodend", "revolute", "spherical"},
    {"bar rod strut tie pendulumrod massless masslesslink masslessbar twoforce twoforcemember doublerevolute "
     "doublehinge connectingrod couplerlink constantdistance",
     "link", NULL},
    {"rope cable string wire tendon",
     "a rope is a type: link with unilateral: true (in simulate it goes slack; F is positive in tension)", NULL},
    {"universal hooke cardan cross ujoint universaljoint hookesjoint gimbal",
     "in the plane there is no cross: type: fixed carries the turn on", "universal"},
    {"cylindrical cylinder cylindric c pinslide turnslide", "in the plane a joint that turns and slides is type: slot",
     "cylindrical"},
    {"constantvelocity cv cvjoint homokinetic rzeppa", "in the plane shafts that turn alike are type: fixed",
     "constant-velocity"},
    {"screw helical helix leadscrew ballscrew nut spindle thread h",
     "in the plane a spindle is a drive of a joint's distance, or type: rack", "screw"},
    {"planar plane planarjoint flat e", "in the plane bodies need no type: planar; leave it out", "planar"},
    {"slot groove pininslot slotted pinslot", "slot", "inline"},
    {"inline pointonline pointcurve sleeve", "slot", "inline"},
    {"inplane pointonplane pointplane", "slot", "inplane"},
    {"gears gearpair toothed cogwheel cogs cogwheels spur spurgear", "gear", NULL},
    {"pinion rackandpinion rackpinion racks", "rack", NULL},
    {"pulley pulleys timingbelt vbelt beltdrive", "belt", NULL},
    {"roll roller rolling tire tyre", "wheel", "wheel ball"},
    {"knife skate blade skid", "knife-edge", NULL},
    {"bevel bevelgear conical", "gear", "bevel"},
    {"worm wormgear", "gear", "worm"},
    {"follower camfollower tappet", "cam", NULL},
    {"distancejoint constantlength length", "distance", NULL},
    {"generic custom 6dof sixdof dof bushingjoint", "general", NULL},
    {"none open unconstrained floating float freejoint 6dofjoint", "free", NULL},
    {"orientation alignment aligned paralleljoint", "parallel", NULL},
    {"motor actuator servo drive rheonomic",
     "a motor is an entry of drives: {motor: {coordinate: hinge.angle, motion: \"2*pi*t\"}}, beside a joint that "
     "leaves its coordinate free",
     NULL},
    {"spring damper dashpot springdamper shockabsorber",
     "springs and dampers are entries of loads: {spring: {type: spring, between: [a.P, b.Q], stiffness: 1000, "
     "free_length: 0.1, damping: 5}}",
     NULL},
    {"torsionspring torsion",
     "a torsion spring is an entry of loads: {coil: {type: torsion-spring, joint: hinge, stiffness: 2}}, beside the "
     "joint",
     NULL},
    {"bushing mount rubber",
     "a bushing is an entry of loads: {mount: {type: bushing, between: [a.P, b.Q], stiffness: [...]}}", NULL},
    {"force torque moment", "forces and torques are entries of loads:", NULL},
    {"contact stop impact bumper",
     "a limit of a coordinate is an entry of stops: {bumper: {coordinate: slide.distance, max: 0.2}}; contacts are "
     "type: cam (a point, flat or curve on a curve), with unilateral: true one that lifts off",
     NULL},
};

static const Meaning loads[] = {
    {"moment couple twistingmoment pointtorque m", "torque", NULL},
    {"pointforce pointload load push pull thrust vectorforce f nodalforce", "force", NULL},
    {"damper dashpot shockabsorber viscousdamper",
     "a damper is a type: spring with damping: and without stiffness: {type: spring, between: [a.P, b.Q], damping: 3 "
     "N.s/m}",
     NULL},
    {"springdamper springs linearspring tsda helicalspring coilspring gasspring", "spring", NULL},
    {"torsion torsional torsionalspring rotationalspring angularspring rotaryspring torquespring rsda coil "
     "spiralspring",
     "torsion-spring", NULL},
    {"rotationaldamper torsionaldamper rotarydamper",
     "a damper on a joint's angle is a type: torsion-spring with damping: alone, or damping: on the joint itself",
     NULL},
    {"gravity weight selfweight", "weight comes from masses: write gravity: [0, -9.81 m/s^2] at top level",
     "weight comes from masses: write gravity: [0, 0, -9.81 m/s^2] at top level"},
    {"motor actuator servo engine",
     "a motor with a given motion is an entry of drives: {motor: {coordinate: hinge.angle, motion: \"2*pi*t\"}}; with "
     "a given moment it is a type: torque",
     NULL},
    {"friction coulomb", "friction belongs to its joint: friction: {coefficient: 0.1, radius: 10 mm}", NULL},
    {"mount rubber sixdofspring 6dofspring bush rubbermount", "bushing", NULL},
    {"centrifugal inertiaforce rotating rotatingsystem", "rotating-frame", NULL},
    {"acceleration bodyforce volumeforce specificforce", "field", NULL},
    {"potential potentialenergy", "energy", NULL},
    {"rope cable string wire",
     "a rope is an entry of joints: {rope: {type: link, between: [a.P, b.Q], unilateral: true}}; an elastic one is a "
     "type: spring",
     NULL},
    {"distributed distributedload lineload pressure",
     "a distributed load is its resultant: type: force at the point where it acts", NULL},
    {"contact stop impact bumper",
     "contacts are joints: of type: cam, with unilateral: true; limits of a coordinate are entries of stops:; impact() "
     "in a force is that of a contact",
     NULL},
    {"pin hinge revolute prismatic fixed joint", "joints are entries of joints:", NULL},
};

static const Meaning keys[] = {
    {"cog com cg centre center centreofmass centerofmass centreofgravity centerofgravity masscentre masscenter "
     "gravitycentre gravitycenter",
     "centroid center", NULL},
    {"position pos location place placement origin xyz translation", "pose at", NULL},
    {"orientation rotation attitude rot rpy quaternion", "angle pose", "rotate pose"},
    {"weight masse", "mass", NULL},
    {"momentofinertia moi inertiatensor massmomentofinertia ixx izz jzz tensor rotaryinertia", "inertia", NULL},
    {"points point frames frame hardpoints marker nodes attachments", "markers to", NULL},
    {"geometry parts solid primitives", "shape", NULL},
    {"k rate springrate springconstant constant stiff springstiffness", "stiffness", NULL},
    {"c d b dampingcoefficient damper viscosity damp dampingconstant", "damping", NULL},
    {"length0 l0 restlength rest naturallength unstretchedlength unstretched initiallength relaxedlength "
     "undeformedlength length",
     "free_length length", NULL},
    {"angle0 phi0 restangle naturalangle initialangle", "free_angle", NULL},
    {"body on target appliedto applyto attach actson bodies connects connect connection parent child first second "
     "body1 body2 bodya bodyb from",
     "between to", NULL},
    {"magnitude amount moment vector components force torque", "value", NULL},
    {"derivative dot ode rhs xdot", "rate", NULL},
    {"initial x0 y0 initialvalue startvalue", "start", NULL},
    {"condition trigger expression guard crossing zero", "when", NULL},
    {"lower low minimum lowerlimit lowerbound below", "min", NULL},
    {"upper high maximum upperlimit upperbound above limit", "max", NULL},
    {"cor bounce elasticity e", "restitution", NULL},
    {"action then", "do", NULL},
    {"reset assign", "set", NULL},
    {"requirements requires goals targets requirement", "require", NULL},
    {"function law expression profile trajectory formula displacement prescribed value", "motion equation value", NULL},
    {"joint variable dof coord", "coordinate joint", NULL},
    {"speed velocity rate omega angularvelocity", "speed motion velocity rate", NULL},
    {"start begin t0 tstart starttime", "from", NULL},
    {"end stop tend tstop duration endtime finaltime finish t1", "to", NULL},
    {"dt timestep increment interval samplingtime stepsize", "step", NULL},
    {"kind jointtype loadtype class", "type", NULL},
    {"name label description comment", "title", NULL},
    {"gravitation g grav", "gravity", NULL},
    {"dimension dimensions dim", "space size", NULL},
    {"version format schema", "roberval", NULL},
    {"contacts contact limits impacts bumpers", "stops", NULL},
    {"odes differentialequations controllers controller controls integrators filters", "states", NULL},
    {"control following tracking inversedynamics", "track", NULL},
    {"triggers conditions switches", "events", NULL},
    {"links segments elements rigidbodies part", "bodies", NULL},
    {"connections connectors pairs kinematicpairs", "joints", NULL},
    {"motors actuators inputs drivers motions motor driver", "drives", NULL},
    {"forces springs dampers load", "loads", NULL},
    {"outputs measures measure results sensors requests plots", "output", NULL},
    {"params constants variables define parameter", "parameters", NULL},
    {"simulation time sim analysis run", "motion", NULL},
    {"init ic initialconditions initialvalues start0", "initial", NULL},
    {"functions splines lookup curves", "tables", NULL},
    {"equations", "constraints", NULL},
    {"unit unitsystem", "units", NULL},
    {"r radiuses pitchradii radius", "radii radius", NULL},
    {"diameter diameters dia", "radius radii", NULL},
    {"stiffness flexibility", "compliance", NULL},
    {"kinetic dynamic sliding kineticcoefficient dynamiccoefficient", "coefficient", NULL},
    {"stiction staticcoefficient mus", "static", NULL},
    {"lead", "pitch", NULL},
    {"mu friction frictioncoefficient", "coefficient friction", NULL},
    {"locks lock constrained restrained", "locked", NULL},
    {"thick", "thickness", NULL},
    {"rho", "density", NULL},
    {"extrapolation extrapolate beyond", "outside", NULL},
    {"filter cutoff lowpass", "smooth", NULL},
    {"filename path csv data source", "file", NULL},
};

/* Keys that belong elsewhere: first word of the containing item, the keys, what to write instead. */
static const struct {
    const char *where, *words, *instead;
} elsewhere[] = {
    {"stop", "stiffness damping k c d spring damper soft",
     "a stop is rigid, with restitution: 0 ... 1; a soft one is a load, as in force: \"if(l > 0.2, 1e5*(l - 0.2), 0)\" "
     "of a spring"},
    {"stop", "range limits interval between bounds", "write min: and max:"},
    {"drive", "gearbox gearratio ratio", "write rotor: {inertia, ratio}, or a body on a joint of its own with a gear"},
    {"drive", "torque force effort moment",
     "a drive prescribes a motion; a given torque or force is an entry of loads:"},
    {"body", "active", "joints, drives, constraints, loads and stops may have active:, bodies are always there"},
    {"body", "velocity omega initialvelocity rate speed",
     "rates at the start stand under initial: at top level, as in hinge.angle': 2 rad/s"},
    {"body", "joint parent fixed ground", "what holds a body is an entry of joints: at top level"},
    {"body", "gravity", "gravity: stands at top level"},
    {"event", "at time instant t", "write when: \"t - 0.5\""},
    {"joint", "ratio", "write radii: or teeth: of both wheels"},
    {"joint", "angle distance position",
     "where a joint stands at the start comes from the poses of its bodies, or from initial: at top level"},
    {"joint", "motion speed", "a prescribed motion is an entry of drives: at top level"},
    {"joint", "min max limits limit lower upper range",
     "limits of a joint's coordinate are an entry of stops: at top level"},
};

/* Is the normalized word in the list? */
static bool among(const char *list, const char *word, size_t length) {
    for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
            return true;
    return false;
}

/* Normalize a word: lower case, without '-', '_' and blanks, into plain[64]; returns the length, 0: too long. */
static size_t plain_word(const char *word, char *plain) {
    size_t length = 0;
    for (const char *c = word; *c; c++) {
        if (*c == '-' || *c == '_' || *c == ' ')
            continue;
        if (length + 1 >= 64)
            return 0;
        plain[length++] = (char)tolower((unsigned char)*c);
    }
    return length;
}

const char *rbv_meaning_elsewhere(const char *where, const char *word) {
    char plain[64];
    size_t length = plain_word(word, plain);
    for (size_t k = 0; length > 0 && k < sizeof elsewhere / sizeof elsewhere[0]; k++)
        if (strncmp(where, elsewhere[k].where, strcspn(where, " ")) == 0 &&
            strlen(elsewhere[k].where) == strcspn(where, " ") && among(elsewhere[k].words, plain, length))
            return elsewhere[k].instead;
    return NULL;
}

const char *rbv_meaning(RbvMeaningOf of, const char *word, bool spatial, bool *sentence) {
    static const struct {
        const Meaning *rows;
        size_t count;
    } tables[] = {
        [RBV_MEANING_JOINT] = {joints, sizeof joints / sizeof joints[0]},
        [RBV_MEANING_LOAD] = {loads, sizeof loads / sizeof loads[0]},
        [RBV_MEANING_KEY] = {keys, sizeof keys / sizeof keys[0]},
    };
    char plain[64];
    size_t length = plain_word(word, plain);
    for (size_t k = 0; length > 0 && k < tables[of].count; k++) {
        const Meaning *row = &tables[of].rows[k];
        if (!among(row->words, plain, length))
            continue;
        const char *meant = spatial && row->space ? row->space : row->plane;
        *sentence = strchr(meant, ':') != NULL;
        return meant;
    }
    return NULL;
}
