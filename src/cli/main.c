/* Entry of the program: the table of commands, what their options must fit, the shortest commands; finds the command
 * and runs it. */
#include "cli/commands.h"
#include "cli/kernels.h"
#include "cli/print.h"

#include <fcntl.h>
#include <math.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the options of an analysis must fit; false: error reported. */

static bool fits_assemble(const Call *call) {
    if (call->options.assembly.udwadia != RBV_UDWADIA_NONE && call->coordinates != RBV_COORDINATES_ABSOLUTE)
        return wrong("--udwadia is written over the places of bodies, whose mass matrix has an inverse: not with "
                     "--coordinates natural");
    return true;
}

static bool fits_inverse(const Call *call) {
    if (call->options.penalty > 0 && call->options.inverse.method != RBV_METHOD_PENALTY &&
        call->options.inverse.method != RBV_METHOD_AUGMENTED)
        return wrong("--penalty belongs to --method penalty and --method augmented");
    if (call->motion && !isnan(call->options.step))
        return wrong("--motion has its own times: --from and --to choose among them, --step does not go with it");
    return true;
}

static bool fits_statics(const Call *call) {
    if (call->options.statics.damping > 0 && call->options.statics.method != RBV_STATICS_RELAXATION)
        return wrong("--damping belongs to --method relaxation");
    if (call->options.penalty > 0 && call->options.statics.method != RBV_STATICS_PENALTY &&
        call->options.statics.method != RBV_STATICS_AUGMENTED)
        return wrong("--penalty belongs to --method penalty and --method augmented");
    if (call->hold &&
        (call->follow || call->options.statics.all || call->options.statics.method != RBV_STATICS_DEFAULT))
        return wrong(
            "--hold asks of the place where the machine stands: it does not go with --follow, --all and --method");
    if (call->mixed && (call->hold || call->follow))
        return wrong("--mixed goes with one place and --all, not with %s", call->hold ? "--hold" : "--follow");
    return true;
}

static bool fits_modes(const Call *call) {
    if (call->follow && call->options.modes.input_count + call->options.modes.output_count > 0)
        return wrong("--inputs and --outputs are of one state: not with --follow");
    if (call->follow && call->options.modes.count > 0)
        return wrong("--modes is of one state: along a parameter any mode may come to grow, and all are followed");
    return true;
}

static bool fits_size(const Call *call) {
    if (call->gears && !call->motors)
        return wrong("--gears goes with --motors: gears alone are no choice");
    bool picks = call->options.sizing.reserve > 0 || call->options.sizing.sort != RBV_SORT_RMS;
    if (picks && !call->motors)
        return wrong("--reserve and --sort go with --motors: they are about its choice");
    if (call->record && call->options.sizing.case_count > 0)
        return wrong("--record has one motion, which is read once: not with --loads");
    return true;
}

static bool fits_study(const Call *call) {
    if ((call->resume || call->merge || call->parts > 0 || call->extend > 0) && !call->out)
        return wrong("--resume, --extend, --part and --merge are about rows in a folder: name it by --out");
    if (call->merge && call->parts > 0)
        return wrong("--merge computes nothing: not with --part");
    if (call->out && strcmp(call->out, "-") == 0)
        return wrong("study writes to a folder; --json prints study.json on standard output");
    return true;
}

/* Commands without a file of their own. */

static int print_converted(const Call *call) {
    if (!call->to_spatial) {
        RbvDiagnostics *messages = create_messages();
        RbvModel *model = NULL;
        RbvStatus read = messages ? read_model(call, messages, &model)
                                  : RBV_NO_MEMORY; /* errors of the model are reported before the missing --to */
        if (read != RBV_OK)
            print_diagnostics(messages, call->quiet);
        rbv_model_destroy(model);
        rbv_diagnostics_destroy(messages);
        if (read != RBV_OK)
            return report_status(read);
        wrong("convert wants to know to what: roberval convert %s --to spatial", call->argument);
        return EXIT_CALL;
    }
    RbvDiagnostics *diagnostics = create_messages();
    char *yaml = NULL;
    RbvStatus status = diagnostics ? read_as_spatial(call, diagnostics, &yaml) : RBV_NO_MEMORY;
    print_diagnostics(diagnostics, call->quiet);
    rbv_diagnostics_destroy(diagnostics);
    if (status == RBV_OK)
        return print_taken(yaml);
    free(yaml);
    return report_status(status);
}

static int print_schema(const Call *call) {
    const char *of = call->argument ? call->argument : "model";
    if (strcmp(of, "study") == 0)
        return print_taken(rbv_study_schema());
    if (strcmp(of, "model") == 0)
        return print_taken(rbv_model_schema());
    wrong("there is no schema of '%s'; there are model and study", of);
    return EXIT_CALL;
}

static int print_version(const Call *call) {
    (void)call;
    char text[64];
    snprintf(text, sizeof text, "roberval %s\n", rbv_version());
    return print_out(text);
}

static const Command commands[] = {
    {"check", command_analysis, "MODEL", "mobility, redundancy and the verdict of every reaction",
     "Counts freedoms and redundant constraints at the assembled state at `from`, says of every reaction whether the "
     "rigid model determines it, how load can shift where it "
     "does not, and what would make it unique. Needs no masses and no drives.",
     .example = "roberval check door.yaml --ask 'top.Fz + bottom.Fz'", .analysis = rbv_check, .assembles = true},
    {"assemble", command_analysis, "MODEL",
     "the state at the first instant: poses, coordinates, rates, what is left of each joint",
     "Brings the starting poses together with joints, constraints, drives and initial:, and says what neither decides. "
     "Needs no masses and no motion:, and not every freedom "
     "a drive.",
     .example = "roberval assemble fourbar.yaml --from '0.1 s' --out state", .analysis = rbv_assembly,
     .assembles = true, .fits = fits_assemble},
    {"kinematics", command_analysis, "MODEL", "positions, velocities, accelerations along the motion",
     "Needs a drive for every freedom and motion:, but no masses.",
     .example = "roberval kinematics fourbar.yaml --step '1 ms' --out result", .analysis = rbv_kinematics,
     .assembles = true},
    {"statics", command_analysis, "MODEL", "equilibria, their stability, and the forces in the joints",
     "Drives are held at their motion at `from`. With --follow: the path of equilibria along a parameter.",
     .example = "roberval statics crane.yaml --follow 'load=0..50 kN' --out result", .analysis = rbv_statics,
     .along = rbv_statics_follow, .assembles = true, .fits = fits_statics},
    {"inverse", command_analysis, "MODEL", "motion to drive efforts and reactions",
     "Needs a drive for every freedom, motion: and masses.",
     .example = "roberval inverse fourbar.yaml --set 'n=90 rpm' --frame ground", .analysis = rbv_inverse,
     .assembles = true, .fits = fits_inverse},
    {"simulate", command_analysis, "MODEL", "forces to motion, and the reactions on the way",
     "From the starting poses or initial: on, whatever freedoms are left; drives lead theirs. Needs motion: and "
     "masses.",
     .example = "roberval simulate pendulum.yaml --out result", .analysis = rbv_simulate, .assembles = true},
    {"track", command_analysis, "MODEL", "control forces that make the system obey required motions",
     "What track: requires is brought about by its actuators, with the least weighted square of efforts, or by a "
     "control force on every coordinate. Needs track:, motion: and masses.",
     .example = "roberval track arm.yaml --out result", .analysis = rbv_track, .assembles = true},
    {"size", command_analysis, "MODEL",
     "motors, bearings, guides and screws against their ratings, and which motors of a catalogue fit",
     "What rating:, bearing:, bearings:, plain:, guide: and screw_life: of the model rate, by inverse where every "
     "freedom "
     "is driven, by simulate or statics where not. With --motors and --gears every pair of a catalogue for every "
     "drive.",
     .example = "roberval size engine.yaml --motors catalogue.csv --gears 3,4,5,7,10 --reserve 1.2",
     .changing = rbv_size, .assembles = true, .fits = fits_size},
    {"modes", command_analysis, "MODEL", "small motions about a state: frequencies, damping, shapes",
     "Linearised at the state at `from`, or where it rests (--start statics). With --follow: the roots along a "
     "parameter, and where flutter or divergence begins.",
     .example = "roberval modes rotor.yaml --follow 'speed=0..3000 rpm' --out result", .analysis = rbv_modes,
     .along = rbv_modes_follow, .assembles = true, .fits = fits_modes},
    {"study", command_study, "STUDY",
     "one analysis for many values of a model's parameters: grids, samples, measured parts",
     "Each variant is what the analysis alone gives, to the last bit. With --out the rows are kept while they come, "
     "and "
     "--resume goes on with what is missing.",
     .example = "roberval study sweep.yaml --out sweep", .fits = fits_study},
    {"tolerance", command_tolerance, "MODEL",
     "what deviations of fits and parameters do to reactions: worst cases, standard deviations, causes",
     "Of tolerances: of the model. Reactions are linear in misfits, and the influences are exact; parameters by "
     "derivatives. What no misfit reaches, and what is unbounded for want of compliance, is told.",
     .example = "roberval tolerance door.yaml --monte-carlo 10000"},
    {"report", command_report, "DIR|MODEL [DIR]",
     "one page for a browser: the mechanism in motion, its reactions with their verdicts, curves, tables; or a study",
     "Of the result that another command has written to a folder by --out, or of a model at once: a model that is "
     "fully driven is analysed as by inverse, one with freedoms left and motion: as by "
     "simulate, one without motion: but with loads or weights as by statics, others as by check. A second folder is "
     "laid over the first. Of the folder of a study: its quantities, scatter plots, histograms and variants. The page "
     "needs nothing else, no network either.",
     .example = "roberval report press.yaml --out press.html"},
    {"info", command_analysis, "MODEL",
     "what is in a model: bodies with their masses, joints, drives, loads, parameters, files",
     "Nothing is assembled and nothing computed but masses, centroids and moments of inertia, also those that come "
     "from shapes. Slips of units show here.",
     .example = "roberval info press.yaml --only 'crank*'", .analysis = rbv_info},
    {"init", command_init, "[planar|spatial]", "a model that runs, with a comment on each line, to begin from",
     "Of a slider-crank in the plane (default), or of a robot arm in space.", .example = "roberval init > model.yaml"},
    {"convert", print_converted, "MODEL", "a planar model as a spatial one, on standard output",
     "What has no counterpart in space is refused by name, what is added is noted.",
     .example = "roberval convert crank.yaml --to spatial > crank3d.yaml"},
    {"schema", print_schema, "[study]", "the JSON Schema of the model file, or of the study file",
     "For editors and other programs. Editors that know the YAML language server check a model, and tell what its keys "
     "mean, when its first line is: # yaml-language-server: $schema=roberval.schema.json",
     .example = "roberval schema > roberval.schema.json"},
    {"help", command_help, "[COMMAND]", "this list, or the options of one command",
     "The same as --help behind a command.", .example = "roberval help statics"},
    {"version", print_version, "", "the version; --version and -V, too", "", .example = "roberval version"},
    {0},
};

/* Name of the command for "--help", "-h", "--version" and "-V" in its place. */
static const char *command_name(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return "help";
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 ? "version" : word;
}

/* Open /dev/null for closed standard files. Otherwise a result file would get descriptor 0, 1 or 2, and messages would
 * be written into it. */
static void occupy_standard(void) {
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return;
}

/* Blocks of memory from 1 MiB on are the system's own pages, so that they are given back when they are freed. glibc
 * raises the limit to 32 MiB as it meets such blocks, and what lies between them stays: a tenth of the memory of large
 * models. */
static void return_large_blocks(void) {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int main(int argc, char **argv) {
    occupy_standard();
    return_large_blocks();
    choose_kernels();
    if (argc < 2) {
        print_overview(commands);
        return EXIT_CALL;
    }
    const Command *command = find_command(commands, command_name(argv[1]));
    if (!command || !command->run)
        return report_no_command(commands, argv[1]);
    Call call = {.command = command,
                 .commands = commands,
                 .options = rbv_options_default,
                 .view = rbv_view_default,
                 .sketch = rbv_sketch_default};
    if (!parse_call(&call, argc - 2, argv + 2))
        return EXIT_CALL;
    return call.help ? print_page(command) : command->run(&call);
}
