/* Entry of the program: finds the command and runs it. */
#include "cli/commands.h"
#include "cli/help.h"

#include <fcntl.h>
#include <string.h>

static const Command commands[] = {
    {"check", command_check, "MODEL", "mobility, redundancy and the verdict of every reaction",
     "Counts freedoms and redundant constraints at the assembled state at `from`, says of every reaction whether the "
     "rigid model determines it, how load can shift where it "
     "does not, and what would make it unique. Needs no masses and no drives.",
     "roberval check door.yaml --ask 'top.Fz + bottom.Fz'"},
    {"assemble", command_assemble, "MODEL",
     "the state at the first instant: poses, coordinates, rates, what is left of each joint",
     "Brings the starting poses together with joints, constraints, drives and initial:, and says what neither decides. "
     "Needs no masses and no motion:, and not every freedom "
     "a drive.",
     "roberval assemble fourbar.yaml --from '0.1 s' --out state"},
    {"kinematics", command_kinematics, "MODEL", "positions, velocities, accelerations along the motion",
     "Needs a drive for every freedom and motion:, but no masses.",
     "roberval kinematics fourbar.yaml --step '1 ms' --out result"},
    {"statics", command_statics, "MODEL", "equilibria, their stability, and the forces in the joints",
     "Drives are held at their motion at `from`. With --follow: the path of equilibria along a parameter.",
     "roberval statics crane.yaml --follow 'load=0..50 kN' --out result"},
    {"inverse", command_inverse, "MODEL", "motion to drive efforts and reactions",
     "Needs a drive for every freedom, motion: and masses.",
     "roberval inverse fourbar.yaml --set 'n=90 rpm' --frame ground"},
    {"simulate", command_simulate, "MODEL", "forces to motion, and the reactions on the way",
     "From the starting poses or initial: on, whatever freedoms are left; drives lead theirs. Needs motion: and "
     "masses.",
     "roberval simulate pendulum.yaml --out result"},
    {"track", command_track, "MODEL", "control forces that make the system obey required motions",
     "What track: requires is brought about by its actuators, with the least weighted square of efforts, or by a "
     "control force on every coordinate. Needs track:, motion: and masses.",
     "roberval track arm.yaml --out result"},
    {"modes", command_modes, "MODEL", "small motions about a state: frequencies, damping, shapes",
     "Linearised at the state at `from`, or where it rests (--start statics). With --follow: the roots along a "
     "parameter, and where flutter or divergence begins.",
     "roberval modes rotor.yaml --follow 'speed=0..3000 rpm' --out result"},
    {"report", command_report, "DIR|MODEL [DIR]",
     "one page for a browser: the mechanism in motion, its reactions with their verdicts, curves, tables",
     "Of the result that another command has written to a folder by --out, or of a model at once: a model that is "
     "fully driven is analysed as by inverse, one with freedoms left and motion: as by "
     "simulate, one without motion: but with loads or weights as by statics, others as by check. A second folder is "
     "laid over the first. The page needs nothing else, no network either.",
     "roberval report press.yaml --out press.html"},
    {"info", command_info, "MODEL",
     "what is in a model: bodies with their masses, joints, drives, loads, parameters, files",
     "Nothing is assembled and nothing computed but masses, centroids and moments of inertia, also those that come "
     "from shapes. Slips of units show here.",
     "roberval info press.yaml --only 'crank*'"},
    {"init", command_init, "[planar|spatial]", "a model that runs, with a comment on each line, to begin from",
     "Of a slider-crank in the plane (default), or of a robot arm in space.", "roberval init > model.yaml"},
    {"convert", command_convert, "MODEL", "a planar model as a spatial one, on standard output",
     "What has no counterpart in space is refused by name, what is added is noted.",
     "roberval convert crank.yaml --to spatial > crank3d.yaml"},
    {"schema", command_schema, "", "the JSON Schema of the model file",
     "For editors and other programs. Editors that know the YAML language server check a model, and tell what its keys "
     "mean, when its first line is: # yaml-language-server: $schema=roberval.schema.json",
     "roberval schema > roberval.schema.json"},
    {"help", command_help, "[COMMAND]", "this list, or the options of one command",
     "The same as --help behind a command.", "roberval help statics"},
    {"version", command_version, "", "the version; --version and -V, too", "", "roberval version"},
    {.name = "study"},
    {0},
};

/* Name of the command for "--help", "-h", "--version" and "-V" in its place. */
static const char *command_name(const char *word) {
    bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    bool version = strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
    return help ? "help" : version ? "version" : word;
}

/* Open /dev/null for closed standard files. Otherwise a result file would get descriptor 0, 1 or 2, and messages would
 * be written into it. */
static void occupy_standard(void) {
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return;
}

int main(int argc, char **argv) {
    occupy_standard();
    if (argc < 2) {
        print_overview(commands);
        return EXIT_CALL;
    }
    const Command *command = find_command(commands, command_name(argv[1]));
    if (!command || !command->run)
        return say_no_command(commands, argv[1]);
    Call call = {.command = command,
                 .commands = commands,
                 .options = rbv_options_default(),
                 .view = rbv_view_default(),
                 .sketch = rbv_sketch_default()};
    if (!parse_call(&call, argc - 2, argv + 2))
        return EXIT_CALL;
    return call.help ? print_page(command) : command->run(&call);
}
