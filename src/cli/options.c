/* The options of all commands: parsers, and the table (at the end) that reads and documents them. */
#include "cli/call.h"
#include "cli/print.h"
#include "cli/study_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST(list) ((int)(sizeof(list) / sizeof(list)[0]))

static bool parse_time(const char *option, const char *text, double *seconds) {
    return rbv_quantity_read(text, "s", seconds) ||
           wrong("%s wants a time such as 0.5 or '10 ms', not '%s'", option, text);
}

static bool set_from(Call *call, const char *value) {
    return parse_time("--from", value, &call->options.from);
}

static bool set_to(Call *call, const char *value) {
    return parse_time("--to", value, &call->options.to);
}

static bool set_step(Call *call, const char *value) {
    return parse_time("--step", value, &call->options.step);
}

static bool set_spatial(Call *call, const char *value) {
    call->to_spatial = strcmp(value, "spatial") == 0;
    return call->to_spatial || wrong("convert --to %s is not in this version; there is spatial", value);
}

static bool set_full(Call *call, const char *value) {
    (void)value;
    return call->view.every_sample = true;
}

static bool set_page(Call *call, const char *value) {
    call->out = value;
    return *value || wrong("--out of report wants a file");
}

static bool set_analysis(Call *call, const char *value) {
    call->analysis = value;
    return true; /* report.c checks the name */
}

static bool set_out(Call *call, const char *value) {
    call->out = value;
    if (strcmp(value, "-") == 0 && is_listed("check info", call->command->name))
        return wrong("%s has no series for standard output; --json prints its result", call->command->name);
    return *value || wrong("--out wants a folder");
}

static bool set_override(Call *call, const char *value) {
    if (!strchr(value, '='))
        return wrong("--set wants name=value, not '%s'", value);
    if (call->override_count == MOST(call->overrides))
        return wrong("more than %d --set", MOST(call->overrides));
    call->overrides[call->override_count++] = value;
    return true;
}

static bool set_path(Call *call, const char *value) {
    if (!*value)
        return wrong("--path wants a folder");
    if (call->folder_count == MOST(call->folders))
        return wrong("more than %d --path", MOST(call->folders));
    call->folders[call->folder_count++] = value;
    return true;
}

static bool set_frame(Call *call, const char *value) {
    if (strcmp(value, "joint") != 0 && strcmp(value, "ground") != 0)
        return wrong("--frame is joint or ground, not '%s'", value);
    call->options.reactions.frame = value[0] == 'g' ? RBV_FRAME_GROUND : RBV_FRAME_JOINT;
    return true;
}

/* Index of a word among names[count], or -1. */
static int index_among(const char *const *names, int count, const char *word) {
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], word) == 0)
            return k;
    return -1;
}

static bool set_statics_method(Call *call, const char *value) {
    static const char *const names[] = {
        "energy",    "lagrange",      "penalty",
        "augmented", "virtual-power", "relaxation"}; /* order of RbvStaticsMethod, after the default */
    int k = index_among(names, MOST(names), value);
    call->options.statics.method = (RbvStaticsMethod)(k + 1);
    return k >= 0 || wrong("there is no method '%s' of statics; there are energy, lagrange, penalty, augmented, "
                           "virtual-power and relaxation",
                           value);
}

static bool set_inverse_method(Call *call, const char *value) {
    static const char *const names[] = {"two-step",      "lagrange",  "newton",        "penalty", "augmented",
                                        "virtual-power", "recursive", "pseudo-inverse"}; /* order of RbvInverseMethod */
    int k = index_among(names, MOST(names), value);
    call->options.inverse.method = (RbvInverseMethod)k;
    return k >= 0 || wrong("there is no method '%s'; there are two-step, lagrange, newton, penalty, augmented, "
                           "virtual-power, recursive and pseudo-inverse",
                           value);
}

static bool set_record(Call *call, const char *value) {
    call->record = value;
    return *value || wrong("--record wants a file, or - for standard input");
}

static bool set_motors(Call *call, const char *value) {
    call->motors = value;
    return *value || wrong("--motors wants a file");
}

static bool set_gears(Call *call, const char *value) {
    call->gears = value;
    return *value || wrong("--gears wants ratios such as 3,5,10, or a file");
}

static bool set_reserve(Call *call, const char *value) {
    double *reserve = &call->options.sizing.reserve;
    return (rbv_quantity_read(value, "", reserve) && *reserve >= 1) ||
           wrong("--reserve wants a factor of at least 1, such as 1.2, not '%s'", value);
}

static bool set_sort(Call *call, const char *value) {
    static const char *const names[] = {"rms", "inertia", "margin"}; /* order of RbvSizingSort */
    int k = index_among(names, MOST(names), value);
    call->options.sizing.sort = (RbvSizingSort)(k < 0 ? 0 : k);
    return k >= 0 || wrong("--sort wants rms, inertia or margin, not '%s'", value);
}

/* "A:0.7,B:0.3". */
static bool set_loads(Call *call, const char *value) {
    int32_t *count = &call->options.sizing.case_count;
    if (strlen(value) >= sizeof call->cases_text)
        return wrong("--loads is too long");
    snprintf(call->cases_text, sizeof call->cases_text, "%s", value);
    for (char *at = call->cases_text, *next; at; at = next) {
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        char *colon = strchr(at, ':');
        if (colon)
            *colon = '\0';
        double share = 1;
        if (*count == MOST(call->cases) || !*at || (colon && !rbv_quantity_read(colon + 1, "", &share)) || !(share > 0))
            return wrong("--loads wants load cases with their shares, such as A:0.7,B:0.3, not '%s'", value);
        call->cases[(*count)++] = (RbvSizingCase){at, share};
    }
    return true;
}

static bool set_all(Call *call, const char *value) {
    (void)value;
    return call->options.statics.all = true;
}

static bool set_locked(Call *call, const char *value) {
    (void)value;
    return call->options.statics.locked = true;
}

static bool set_damping(Call *call, const char *value) {
    char *end;
    double damping = call->options.statics.damping = strtod(value, &end);
    return (end != value && !*end && damping > 0 && isfinite(damping)) ||
           wrong("--damping wants a positive number [1/s], not '%s'", value);
}

static bool set_penalty(Call *call, const char *value) {
    double *alpha = &call->options.penalty;
    return (rbv_quantity_read(value, "N/m", alpha) && *alpha > 0) ||
           wrong("--penalty wants a stiffness such as 1e6 or '2 kN/mm', not '%s'", value);
}

static bool set_penalty_mass(Call *call, const char *value) {
    double *alpha = &call->options.penalty;
    return (rbv_quantity_read(value, "kg", alpha) && *alpha > 0) ||
           wrong("--penalty of inverse wants a mass such as 1e7 or '1e4 t', not '%s'", value);
}

static bool set_norm_length(Call *call, const char *value) {
    double *length = &call->options.reactions.norm_length;
    return (rbv_quantity_read(value, "m", length) && *length > 0) ||
           wrong("--norm-length wants a length such as 0.2 or '200 mm', not '%s'", value);
}

static bool set_motion_method(Call *call, const char *value) {
    static const char *const names[] = {"auto", "explicit", "implicit"}; /* order of RbvMotionMethod */
    int k = index_among(names, MOST(names), value);
    call->options.motion.method = (RbvMotionMethod)k;
    return k >= 0 || wrong("there is no method '%s' of integration; there are auto, explicit and implicit", value);
}

static bool set_tolerance(Call *call, const char *value) {
    char *end;
    double tolerance = call->options.motion.tolerance = strtod(value, &end);
    return (end != value && !*end && tolerance >= 1e-13 && tolerance <= 1e-2) ||
           wrong("--tolerance wants a number from 1e-13 to 1e-2, not '%s'", value);
}

static bool set_follow(Call *call, const char *value) {
    if (call->follow)
        return wrong("--follow goes along one parameter: '%s' and '%s'", call->follow, value);
    call->follow = value;
    return true;
}

static bool set_hold(Call *call, const char *value) {
    call->hold = value;
    return true;
}

static bool set_start(Call *call, const char *value) {
    call->options.start_at_equilibrium = true;
    return strcmp(value, "statics") == 0 || wrong("--start of %s is statics, not '%s'", call->command->name, value);
}

/* "statics", a folder DIR, or "DIR@1.5 s"; a folder whose name contains such an ending is written with a trailing
 * slash. */
static bool set_start_or_folder(Call *call, const char *value) {
    const char *at = strrchr(value, '@');
    call->start_time = NAN;
    if (strcmp(value, "statics") == 0)
        return set_start(call, value);
    if (!at || strchr(at, '/'))
        at = value + strlen(value);
    if (at == value || (size_t)(at - value) >= sizeof call->start)
        return wrong("--start wants statics, or a folder that a run was written to, DIR or DIR@t");
    memcpy(call->start, value, (size_t)(at - value));
    call->start[at - value] = '\0';
    return !*at || parse_time("--start DIR@t", at + 1, &call->start_time);
}

static bool set_samples(Call *call, const char *value) {
    call->options.motion.every_step = strcmp(value, "steps") == 0;
    return call->options.motion.every_step ||
           wrong("--samples is steps, not '%s'; --step gives samples at equal times", value);
}

static bool set_resume(Call *call, const char *value) {
    (void)value;
    return call->resume = true;
}

static bool set_coordinates(Call *call, const char *value) {
    static const char *const names[] = {"absolute", "natural", "joint"}; /* order of RbvCoordinatesChoice */
    int k = index_among(names, MOST(names), value);
    call->options.system.coordinates = call->coordinates = (RbvCoordinatesChoice)k;
    return k >= 0 || wrong("--coordinates cannot be '%s'; there are absolute, natural and joint", value);
}

static bool set_mixed(Call *call, const char *value) {
    (void)value;
    return call->mixed = true;
}

/* Split the comma-separated list `value` into names[64], stored in text[2048]. False: error reported. */
static bool split_list(const char *option, const char *value, char *text, const char **names, int *count) {
    size_t length = strlen(value);
    if (length == 0 || length >= 2048)
        return wrong(length ? "the list of %s is too long" : "%s wants names", option);
    memcpy(text, value, length + 1);
    *count = 0;
    for (char *name = text; name;) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        if (*count == 64)
            return wrong("more than 64 names in %s", option);
        names[(*count)++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return true;
}

/* "min-norm", "compliance", or "eliminate=J.Fx,K.Fy", whose list is split in a copy. */
static bool set_redundant(Call *call, const char *value) {
    static const char prefix[] = "eliminate=";
    call->eliminated_count = 0;
    call->options.reactions.redundant = strcmp(value, "min-norm") == 0     ? RBV_REDUNDANT_MIN_NORM
                                        : strcmp(value, "compliance") == 0 ? RBV_REDUNDANT_COMPLIANCE
                                                                           : RBV_REDUNDANT_ELIMINATE;
    if (call->options.reactions.redundant != RBV_REDUNDANT_ELIMINATE)
        return true;
    if (strncmp(value, prefix, sizeof prefix - 1) != 0)
        return wrong("--redundant cannot be '%s'; there are min-norm, compliance and eliminate=joint.Fx,...", value);
    return split_list("--redundant eliminate=", value + sizeof prefix - 1, call->eliminated_text, call->eliminated,
                      &call->eliminated_count);
}

static bool set_threads(Call *call, const char *value) {
    char *end;
    long number = strtol(value, &end, 10);
    call->options.threads = (int32_t)number;
    return (end != value && *end == '\0' && number >= 1 && number <= 256) ||
           wrong("--threads wants a number from 1 to 256, not '%s'", value);
}

static bool set_modes(Call *call, const char *value) {
    char *end;
    long number = strtol(value, &end, 10);
    call->options.modes.count = (int32_t)number;
    return (end != value && !*end && number > 0 && number <= 1000000) ||
           wrong("--modes wants the number of modes, from 1, not '%s'", value);
}

/* Inputs of the state-space model of modes; set_outputs: its outputs. */
static bool set_inputs(Call *call, const char *value) {
    return split_list("--inputs", value, call->inputs_text, call->inputs, &call->options.modes.input_count);
}

static bool set_outputs(Call *call, const char *value) {
    return split_list("--outputs", value, call->outputs_text, call->outputs, &call->options.modes.output_count);
}

/* Bodies of the requested Newton equilibrium (--balance). */
static bool set_balance(Call *call, const char *value) {
    return split_list("--balance", value, call->balance_text, call->balance, &call->options.inverse.balance_count);
}

/* Joints that are cut: not tree joints. */
static bool set_cut(Call *call, const char *value) {
    return split_list("--cut", value, call->cut_text, call->cut, &call->options.system.tree.cut_count);
}

/* Bodies from which the tree grows. */
static bool set_base(Call *call, const char *value) {
    return split_list("--base", value, call->base_text, call->base, &call->options.system.tree.base_count);
}

static bool set_reactions(Call *call, const char *value) {
    return split_list("--reaction", value, call->reactions_text, call->reactions,
                      &call->options.inverse.reaction_count);
}

static bool set_by(Call *call, const char *value) {
    static const char *const names[] = {"cut", "constraint", "body"}; /* order of RbvReactionBy */
    int k = index_among(names, MOST(names), value);
    call->options.inverse.by = (RbvReactionBy)k;
    return k >= 0 || wrong("--by is cut, constraint or body, not '%s'", value);
}

static bool set_given(Call *call, const char *value) {
    call->motion = value;
    return *value || wrong("--motion wants a table of a motion, or a folder with a series.csv");
}

static bool set_udwadia(Call *call, const char *value) {
    static const char *const names[] = {"symmetric", "cholesky"}; /* order of RbvUdwadiaForm, after none */
    int k = index_among(names, MOST(names), value);
    call->options.assembly.udwadia = (RbvUdwadiaForm)(k + 1);
    return k >= 0 || wrong("--udwadia is symmetric or cholesky, the root of the mass matrix, not '%s'", value);
}

static bool set_multipliers(Call *call, const char *value) {
    (void)value;
    return call->options.reactions.multipliers = true;
}

static bool set_null_space(Call *call, const char *value) {
    (void)value;
    return call->options.assembly.null_space = true;
}

static bool set_load_forces(Call *call, const char *value) {
    (void)value;
    return call->options.assembly.load_forces = true;
}

static bool set_criterion(Call *call, const char *value) {
    static const char *const names[] = {"default", "ranks", "svd", "qr"}; /* order of RbvCriterion */
    int k = index_among(names, MOST(names), value);
    call->options.reactions.criterion = (RbvCriterion)k;
    return k >= 0 || wrong("there is no criterion '%s'; there are ranks, svd and qr", value);
}

static bool set_question(Call *call, const char *value) {
    if (call->question_count == MOST(call->questions))
        return wrong("more than %d --ask", MOST(call->questions));
    call->questions[call->question_count++] = value;
    return true;
}

static bool set_motion(Call *call, const char *value) {
    (void)value;
    return call->options.check.along_motion = true;
}

static bool set_only(Call *call, const char *value) {
    if (call->view.only_count == MOST(call->only))
        return wrong("more than %d --only", MOST(call->only));
    call->only[call->view.only_count++] = value;
    return true;
}

static bool set_units(Call *call, const char *value) {
    call->view.model_units = strcmp(value, "model") == 0;
    return call->view.model_units || strcmp(value, "SI") == 0 || wrong("--units is model or SI, not '%s'", value);
}

static bool set_rows(Call *call, const char *value) {
    (void)value;
    return call->view.rows = true;
}

static bool set_svg(Call *call, const char *value) {
    call->svg = value;
    return *value || wrong("--svg wants a file");
}

static bool set_frames(Call *call, const char *value) {
    call->frames = value;
    return *value || wrong("--frames wants a file");
}

static bool set_at(Call *call, const char *value) {
    char list[1024];
    if (strlen(value) >= sizeof list)
        return wrong("--at is too long");
    strcpy(list, value);
    for (char *item = strtok(list, ","); item; item = strtok(NULL, ",")) {
        if (call->sketch.time_count == MOST(call->times))
            return wrong("more than %d poses", MOST(call->times));
        if (!parse_time("--at", item + strspn(item, " "), &call->times[call->sketch.time_count++]))
            return false;
    }
    return call->sketch.time_count > 0 || wrong("--at wants times, one for each pose: --at '0.1, 0.2, 0.3'");
}

static bool set_viewpoint(Call *call, const char *value) {
    static const char *const names[] = {"oblique", "front", "side", "top"}; /* order of RbvViewpoint */
    int k = index_among(names, MOST(names), value);
    call->sketch.viewpoint = (RbvViewpoint)k;
    return k >= 0 || wrong("--view is oblique, front, side or top, not '%s'", value);
}

static bool set_stress(Call *call, const char *value) {
    char *end;
    long number = strtol(value, &end, 10);
    call->sketch.self_stress = (int32_t)number;
    return (end != value && !*end && number > 0 && number < 10000) ||
           wrong("--self-stress wants the number of one of them, from 1, not '%s'", value);
}

static bool set_across(Call *call, const char *value) {
    call->curves.across = value;
    return *value || wrong("--x wants a column");
}

static bool set_width(Call *call, const char *value) {
    char *end;
    double width = strtod(value, &end);
    call->sketch.width = call->curves.width = width;
    return (end != value && !*end && width >= 100 && width <= 10000) ||
           wrong("--width wants a number of px from 100 to 10000, not '%s'", value);
}

static bool set_virtual(Call *call, const char *value) {
    call->sketch.virtual_motion = value;
    return true;
}

static bool set_title(Call *call, const char *value) {
    call->curves.title = value;
    return true;
}

static bool set_json(Call *call, const char *value) {
    (void)value;
    return call->json = true;
}

static bool set_quiet(Call *call, const char *value) {
    (void)value;
    return call->quiet = true;
}

#define PICTURES ANALYSES " report"
#define PRINTERS "init schema help version" /* commands that always write to standard output */

/* Order of the help pages: options of few commands first. */
const Option option_table[] = {
    {"--criterion", "ranks|svd|qr", "check", NULL, set_criterion, "how verdicts are decided; all agree"},
    {"--ask", "'A.Fx + B.Fx'", "check", NULL, set_question, "is this combination determined? may be repeated"},
    {"--motion", NULL, "check", NULL, set_motion, "decide at every sample of the motion, and say when verdicts change"},
    {"--rows", NULL, "check", NULL, set_rows,
     "a table of all constraint rows: what each holds, whether its own multiplier is determined"},
    {"--motors", "FILE", "size", NULL, set_motors,
     "a catalogue: CSV with columns name, continuous, peak, speed, inertia, units in the headings, and perhaps curve, "
     "the "
     "file of a curve; every motor is tried for every drive"},
    {"--gears", "3,5,10|FILE", "size", NULL, set_gears,
     "(--motors) ratios, or CSV with columns ratio and perhaps name, efficiency, inertia, peak; each with every motor"},
    {"--reserve", "S", "size", NULL, set_reserve,
     "(--motors) factor on rms and peak efforts against limits; default 1"},
    {"--sort", "rms|inertia|margin", "size", NULL, set_sort,
     "(--motors) what comes first among those that fit: the least rms over continuous (default), the least inertia "
     "ratio, the largest margin to the peak"},
    {"--loads", "A:0.7,B:0.3", "size", NULL, set_loads,
     "load cases, sets of parameters under cases: of the model, with their shares of the time; damages are summed"},
    {"--analysis", "inverse|simulate|track|statics", "size", NULL, set_analysis,
     "what is sized by, instead of what suits the model"},
    {"--analysis", "NAME", "report", NULL, set_analysis,
     "what is computed of a model: check, assemble, kinematics, statics, inverse, simulate, track or modes, instead of "
     "what tells most; with it the options of that command that change what is computed are taken, too"},
    {"--full", NULL, "report", NULL, set_full, "all samples of a long run, not only those that its pixels show"},
    {"--out", "FILE", "report", NULL, set_page,
     "the page, instead of DIR/report.html or MODEL's name with .html; a folder: the page in it; -: standard output"},
    {"--method", "energy|lagrange|penalty|augmented|virtual-power|relaxation", "statics", NULL, set_statics_method,
     "how it is looked for; energy is the default, lagrange where a load has no energy"},
    {"--all", NULL, "statics report", NULL, set_all, "look for other equilibria from many starts, too, and list them"},
    {"--follow", "p=a..b", "statics report", NULL, set_follow,
     "along a parameter, through folds, with snap-throughs and bifurcations: --follow 'F=0..50 N'"},
    {"--hold", "p", "statics", NULL, set_hold,
     "which values of the parameter p friction can hold at this place: self-locking has no end"},
    {"--follow", "p=a..b", "modes", NULL, set_follow,
     "the roots at 101 values of a parameter, and where flutter or divergence begins: --follow 'speed=0..4000 rpm'"},
    {"--monte-carlo", "N", "tolerance", NULL, set_monte_carlo,
     "N samples of the whole nonlinear model beside the linear numbers"},
    {"--coverage", "K", "tolerance", NULL, set_coverage, "a tolerance is K standard deviations, instead of 3"},
    {"--seed", "N", "tolerance", NULL, set_seed, "of the random numbers of --monte-carlo, instead of 1"},
    {"--analysis", "statics|inverse|simulate|track", "tolerance", NULL, set_tolerance_analysis,
     "what is computed, instead of what suits the model"},
    {"--out", "DIR", "tolerance", NULL, set_out,
     "write tolerance.csv and tolerance.json there; DIR -: the first on standard output"},
    {"--out", "DIR", "study", NULL, set_out,
     "write study.csv and study.json there, and keep the rows in DIR/journal while they come"},
    {"--threads", "N", "study", NULL, set_threads,
     "threads that compute variants, instead of as many as there are processors; no number depends on it"},
    {"--resume", NULL, "study", NULL, set_resume, "compute only what DIR/journal does not have"},
    {"--part", "I/N", "study", NULL, set_part,
     "every N-th variant from the I-th on, as one of N processes with the same --out; then --merge"},
    {"--merge", NULL, "study", NULL, set_merge, "write study.csv and study.json from the rows of all parts"},
    {"--extend", "N", "study", NULL, set_extend,
     "N samples more than the file says, of monte-carlo and sobol; what is there is not computed again"},
    {"--stop-on-failure", NULL, "study", NULL, set_stop_on_failure, "end with the first variant that fails"},
    {"--yes", NULL, "study", NULL, set_yes, "more than 10 million variants are meant"},
    {"--threads", "N", "check inverse kinematics size", NULL, set_threads,
     "threads that compute samples of a long motion, instead of as many as there are processors; no number depends on "
     "it"},
    {"--modes", "N", "modes", NULL, set_modes,
     "the N modes of least frequency alone; of large mechanisms without damping much faster, and of any size"},
    {"--udwadia", "symmetric|cholesky", "assemble", NULL, set_udwadia,
     "Udwadia's equation at the state, with its vectors and matrices (M, Q, A, b, a, e, B, Q_i, Q_ni, ...), in "
     "result.json; up to 60 coordinates and as many equations"},
    {"--null-space", NULL, "assemble", NULL, set_null_space,
     "R with v = R z' over the drives' coordinates and those that are left, and how it changes with them, dR/dz; in "
     "the coordinates of --coordinates"},
    {"--load-forces", NULL, "assemble", NULL, set_load_forces,
     "potential and generalized force Q of each weight and load by itself, in the coordinates of --coordinates"},
    {"--inputs", "a,b,...", "modes", NULL, set_inputs,
     "a state-space model with these inputs: components of forces (pull.Fx), springs, and drives, whose efforts they "
     "are; drives then hold no more"},
    {"--outputs", "x,y,...", "modes", NULL, set_outputs,
     "and with these outputs: columns as of inverse, and output: (the default)"},
    {"--damping", "c", "statics", NULL, set_damping,
     "(--method relaxation) damping per mass in 1/s, instead of the program's"},
    {"--penalty", "K", "statics", NULL, set_penalty,
     "(--method penalty, augmented) stiffness of each constraint row in N/m, instead of the program's; what the result "
     "is off by falls with it"},
    {"--locked", NULL, "statics", NULL, set_locked,
     "wheels, knife edges and velocity: constraints hold the position, too"},
    {"--method", "two-step|lagrange|newton|penalty|augmented|virtual-power|recursive|pseudo-inverse", "inverse", NULL,
     set_inverse_method, "how multipliers are solved for; two-step is the default"},
    {"--balance", "body,body,...", "inverse", NULL, set_balance,
     "(--method newton) the equilibrium of these bodies alone: what acts on them, and which of it their equations "
     "determine"},
    {"--multipliers", NULL, "statics inverse", NULL, set_multipliers,
     "(--coordinates natural) a table of all multipliers as the forces that they stand for, and those of rigid rows as "
     "columns: tensions of bars, couples"},
    {"--penalty", "K", "inverse", NULL, set_penalty_mass,
     "(--method penalty, augmented) alpha of a row of lengths in kg, of an angle that times the square of an arm, "
     "instead of the program's; what the result is off by falls with it"},
    {"--reaction", "J.Fx,...", "inverse", NULL, set_reactions,
     "(--method virtual-power) these reactions and the efforts alone, each by the motion of the mechanism cut there: "
     "joint.component, a joint, constraint.effort, a body and all that it hangs on, a drive (its motion is told), or "
     "with --by constraint a rigid row of natural coordinates, body.row1"},
    {"--by", "cut|constraint|body", "inverse", NULL, set_by,
     "(--reaction) the joint cut (default), its rows varied one by one, or in natural coordinates a body at it taken "
     "out of its rigid rows"},
    {"--record", "FILE", "inverse kinematics size", NULL, set_record,
     "a recorded motion instead of that of the drives: CSV with a column time and one for each driven coordinate, as "
     "hinge.angle [deg], with rates hinge.angle', hinge.angle'' where they are known; each row is a sample; FILE -: "
     "from standard input"},
    {"--motion", "FILE|DIR", "inverse", NULL, set_given,
     "a motion that is given, instead of that of drives: places, rates and accelerations of all bodies in a table with "
     "the columns of series.csv, or in a result's folder; which reactions belong to it, and what forces have too much "
     "of along each freedom"},
    {"--start", "statics", "inverse", NULL, set_start,
     "begin in equilibrium at the start, instead of at the poses and initial:"},
    {"--start", "statics|DIR[@t]", "simulate track modes size report", NULL, set_start_or_folder,
     "begin in equilibrium, or in the state that the result in DIR ends with, or has at t, and at its time, instead of "
     "at the poses and initial:"},
    {"--method", "auto|explicit|implicit", "simulate track", NULL, set_motion_method,
     "how motion is integrated; auto: implicit from where it is found to be stiff"},
    {"--tolerance", "T", "simulate track kinematics inverse size report", NULL, set_tolerance,
     "what a step may be off by, of the size of each quantity, instead of 1e-9"},
    {"--samples", "steps", "simulate", NULL, set_samples,
     "every step of the integration is a sample, and both sides of an instant at which something happens"},
    {"--resume", NULL, "simulate", NULL, set_resume,
     "go on with the run into the folder of --out that was interrupted or killed, of the same model, options and "
     "program"},
    {"--redundant", "min-norm|compliance|eliminate=J.Fx,...", "check statics inverse simulate track size report",
     "assemble kinematics", set_redundant,
     "which of the equally right reactions is printed: of least norm, shared by compliances (the default where joints "
     "have some), or with the components named set to zero"},
    {"--norm-length", "L", "check statics inverse simulate track size report", "assemble kinematics", set_norm_length,
     "the length of the least norm, sum |F|^2 + |T|^2/L^2, in m or with a unit, instead of the size of each redundant "
     "block"},
    {"--frame", "joint|ground", "check statics inverse simulate track size report", "assemble kinematics", set_frame,
     "axes of reactions: of the joint's first marker (default), or ground"},
    {"--from", "T", ANALYSES " report tolerance", NULL, set_from,
     "the first sample, or the one state, in s or with a unit, instead of motion:'s"},
    {"--to", "T", "check kinematics inverse simulate track size report tolerance", "assemble statics", set_to,
     "the last sample"},
    {"--to", "spatial", "convert", NULL, set_spatial, "what the model becomes"},
    {"--step", "T", "check kinematics inverse simulate track size report tolerance", "assemble statics", set_step,
     "time between samples"},
    {"--set", "name=value", ANALYSES " info report tolerance", NULL, set_override,
     "another value of a parameter; may be repeated"},
    {"--path", "DIR", ANALYSES " info report study tolerance", NULL, set_path,
     "tables and meshes may lie in or below DIR, too, besides the model's folder; may be repeated"},
    {"--coordinates", "absolute|natural|joint", ANALYSES " report tolerance", NULL, set_coordinates,
     "in which the motion is solved: the places of bodies (default), points and unit vectors that joints share, or "
     "what the joints of a tree leave free; forces and verdicts are the same"},
    {"--cut", "joint,joint,...", ANALYSES " report", NULL, set_cut,
     "(--coordinates joint, --method recursive) where loops are cut: these joints are rows, the tree leads along "
     "others; no result depends on it"},
    {"--base", "body,body,...", ANALYSES " report", NULL, set_base,
     "(--coordinates joint, --method recursive) from which bodies the tree grows, instead of ground: they hang on "
     "nothing, and their joints to what hangs elsewhere are rows; no result depends on it"},
    {"--mixed", NULL, ANALYSES " report", NULL, set_mixed,
     "(--coordinates natural) distances and angles that are driven, sprung, held by an equation or named are unknowns, "
     "too, with rows of their own"},
    {"--only", "'leg*'", ANALYSES " info report", NULL, set_only,
     "show these joints, drives, bodies, outputs alone, in tables and series.csv: * stands for any letters; may be "
     "repeated"},
    {"--units", "model|SI", ANALYSES " info report", NULL, set_units,
     "tables and series.csv in the units: of the model, or in SI (default); result.json is SI"},
    {"--out", "DIR", ANALYSES " info", PRINTERS, set_out,
     "write series.csv and result.json there (nothing is written without it); DIR -: series.csv on standard output, "
     "nothing else there"},
    {"--svg", "FILE", PICTURES, PRINTERS, set_svg,
     "a picture of the mechanism with its reactions; with --only (and a series) curves of these columns; FILE -: on "
     "standard output"},
    {"--at", "T,T,...", PICTURES, NULL, set_at, "(--svg) poses over each other at these times, the last one strong"},
    {"--view", "oblique|front|side|top", PICTURES, NULL, set_viewpoint,
     "(--svg) from where a mechanism of space is seen"},
    {"--self-stress", "N", PICTURES, NULL, set_stress, "(--svg) the N-th self-stress as arrows, instead of reactions"},
    {"--virtual-motion", "N|NAME", PICTURES, NULL, set_virtual,
     "(--svg) velocities as arrows while one freedom alone changes: the N-th that is left, or by its name, or a "
     "drive's"},
    {"--x", "COLUMN", PICTURES, NULL, set_across, "(--svg) curves over this column, instead of the first"},
    {"--width", "PX", PICTURES, NULL, set_width, "(--svg) width of the sheet, instead of 720 px (of curves 760 px)"},
    {"--title", "TEXT", PICTURES, NULL, set_title, "(--svg) another title"},
    {"--frames", "FILE", PICTURES, PRINTERS, set_frames,
     "the mechanism and its motion in glTF 2.0, for Blender, browsers and other viewers: FILE.gltf, or binary "
     "FILE.glb"},
    {"--json", NULL, ANALYSES " info study tolerance", NULL, set_json,
     "the result on standard output, nothing else there"},
    {"--quiet", NULL, ANALYSES " info convert report study tolerance", PRINTERS, set_quiet, "errors only"},
    {0},
};
