# bash completion of roberval. Made by tools/make-man from what 'roberval help' says.
_roberval() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=
    COMPREPLY=()
    if [ "$word" = "=" ]; then word=; elif [ "$before" = "=" ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="check assemble kinematics statics inverse simulate track size modes study tolerance report info init convert schema help version"
    else
        case "$command $before" in
        "check --criterion") words="ranks svd qr" ;;
        "check --redundant") words="min-norm compliance eliminate=" ;;
        "check --frame") words="joint ground" ;;
        "check --coordinates") words="absolute natural joint" ;;
        "check --units") words="model SI" ;;
        "check --view") words="oblique front side top" ;;
        "check --virtual-motion") words="N NAME" ;;
        "assemble --udwadia") words="symmetric cholesky" ;;
        "assemble --coordinates") words="absolute natural joint" ;;
        "assemble --units") words="model SI" ;;
        "assemble --view") words="oblique front side top" ;;
        "assemble --virtual-motion") words="N NAME" ;;
        "kinematics --coordinates") words="absolute natural joint" ;;
        "kinematics --units") words="model SI" ;;
        "kinematics --view") words="oblique front side top" ;;
        "kinematics --virtual-motion") words="N NAME" ;;
        "statics --method") words="energy lagrange penalty augmented virtual-power relaxation" ;;
        "statics --redundant") words="min-norm compliance eliminate=" ;;
        "statics --frame") words="joint ground" ;;
        "statics --coordinates") words="absolute natural joint" ;;
        "statics --units") words="model SI" ;;
        "statics --view") words="oblique front side top" ;;
        "statics --virtual-motion") words="N NAME" ;;
        "inverse --method") words="two-step lagrange newton penalty augmented virtual-power recursive pseudo-inverse" ;;
        "inverse --by") words="cut constraint body" ;;
        "inverse --motion") words="FILE DIR" ;;
        "inverse --start") words="statics" ;;
        "inverse --redundant") words="min-norm compliance eliminate=" ;;
        "inverse --frame") words="joint ground" ;;
        "inverse --coordinates") words="absolute natural joint" ;;
        "inverse --units") words="model SI" ;;
        "inverse --view") words="oblique front side top" ;;
        "inverse --virtual-motion") words="N NAME" ;;
        "simulate --start") words="statics DIR" ;;
        "simulate --method") words="auto explicit implicit" ;;
        "simulate --samples") words="steps" ;;
        "simulate --redundant") words="min-norm compliance eliminate=" ;;
        "simulate --frame") words="joint ground" ;;
        "simulate --coordinates") words="absolute natural joint" ;;
        "simulate --units") words="model SI" ;;
        "simulate --view") words="oblique front side top" ;;
        "simulate --virtual-motion") words="N NAME" ;;
        "track --start") words="statics DIR" ;;
        "track --method") words="auto explicit implicit" ;;
        "track --redundant") words="min-norm compliance eliminate=" ;;
        "track --frame") words="joint ground" ;;
        "track --coordinates") words="absolute natural joint" ;;
        "track --units") words="model SI" ;;
        "track --view") words="oblique front side top" ;;
        "track --virtual-motion") words="N NAME" ;;
        "size --gears") words="3 FILE" ;;
        "size --sort") words="rms inertia margin" ;;
        "size --analysis") words="inverse simulate track statics" ;;
        "size --start") words="statics DIR" ;;
        "size --redundant") words="min-norm compliance eliminate=" ;;
        "size --frame") words="joint ground" ;;
        "size --coordinates") words="absolute natural joint" ;;
        "size --units") words="model SI" ;;
        "size --view") words="oblique front side top" ;;
        "size --virtual-motion") words="N NAME" ;;
        "modes --start") words="statics DIR" ;;
        "modes --coordinates") words="absolute natural joint" ;;
        "modes --units") words="model SI" ;;
        "modes --view") words="oblique front side top" ;;
        "modes --virtual-motion") words="N NAME" ;;
        "tolerance --analysis") words="statics inverse simulate track" ;;
        "tolerance --coordinates") words="absolute natural joint" ;;
        "report --start") words="statics DIR" ;;
        "report --redundant") words="min-norm compliance eliminate=" ;;
        "report --frame") words="joint ground" ;;
        "report --coordinates") words="absolute natural joint" ;;
        "report --units") words="model SI" ;;
        "report --view") words="oblique front side top" ;;
        "report --virtual-motion") words="N NAME" ;;
        "info --units") words="model SI" ;;
        "convert --to") words="spatial" ;;
        *" --out" | *" --path") COMPREPLY=($(compgen -d -- "$word")); return ;;
        "init init") words="planar spatial" ;;
        "schema schema") words="study" ;;
        "help help") words="check assemble kinematics statics inverse simulate track size modes study tolerance report info init convert schema help version" ;;
        esac
        case "$word" in
        -*) case $command in
            check) words="--criterion --ask --motion --rows --threads --redundant --norm-length --frame --from --to --step --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            assemble) words="--udwadia --null-space --load-forces --from --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            kinematics) words="--threads --record --tolerance --from --to --step --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            statics) words="--method --all --follow --hold --damping --penalty --locked --multipliers --redundant --norm-length --frame --from --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            inverse) words="--threads --method --balance --multipliers --penalty --reaction --by --record --motion --start --tolerance --redundant --norm-length --frame --from --to --step --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            simulate) words="--start --method --tolerance --samples --resume --redundant --norm-length --frame --from --to --step --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            track) words="--start --method --tolerance --redundant --norm-length --frame --from --to --step --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            size) words="--motors --gears --reserve --sort --loads --analysis --threads --record --start --tolerance --redundant --norm-length --frame --from --to --step --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            modes) words="--follow --modes --inputs --outputs --start --from --set --path --coordinates --cut --base --mixed --only --units --out --svg --at --view --self-stress --virtual-motion --x --width --title --frames --json --quiet --help" ;;
            study) words="--out --threads --resume --part --merge --extend --stop-on-failure --yes --path --json --quiet --help" ;;
            tolerance) words="--monte-carlo --coverage --seed --analysis --out --from --to --step --set --path --coordinates --json --quiet --help" ;;
            report) words="--analysis --full --out --all --follow --start --tolerance --redundant --norm-length --frame --from --to --step --set --path --coordinates --cut --base --mixed --only --units --svg --at --view --self-stress --virtual-motion --x --width --title --frames --quiet --help" ;;
            info) words="--set --path --only --units --out --json --quiet --help" ;;
            init) words=" --help" ;;
            convert) words="--to --quiet --help" ;;
            schema) words=" --help" ;;
            help) words=" --help" ;;
            version) words=" --help" ;;
            esac ;;
        esac
    fi
    [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _roberval roberval
