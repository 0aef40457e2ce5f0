# Completes seed-db in bash; made by 'seed-db --generate-completion-script bash'.

# Offers what compgen finds; a line each, whatever blanks or stars are in it.
_seed_db_offer() {
    local line
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$cur")
}

# Offers words.
_seed_db_words() {
    _seed_db_offer -W "$*"
}

# Offers folders.
_seed_db_folders() {
    compopt -o filenames 2>/dev/null
    _seed_db_offer -d
}

# Offers folders, and files that end in one of the extensions.
_seed_db_files() {
    local extension
    _seed_db_folders
    for extension in "$@"; do _seed_db_offer -f -X "!*.$extension"; done
}

_seed_db() {
    local cur=${COMP_WORDS[COMP_CWORD]} command='' option='' place=0 dashes=yes i word
    COMPREPLY=()
    # Bash makes a word of the = in --name=value.
    [[ $cur == = ]] && cur=''
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == = && -n $option ]]; then
            continue
        elif [[ -n $option ]]; then
            option=''
        elif [[ $word == -- ]]; then
            dashes=''
        elif [[ $dashes && $word == -?* ]]; then
            case "$command $word" in
            ' --generate-completion-script' | 'build --output' | 'build -o' | 'build --base' | 'build --on-error' | 'build --rejects' | 'build --report' | 'check --base' | 'check --limit' | 'infer --output' | 'infer -o' | 'infer --base' | 'infer --report' | 'inspect --rows' | 'models --output' | 'models -o' | 'models --kind') option=$word ;;
            esac
        elif [[ -z $command ]]; then
            command=$word
        else
            place=$((place + 1))
        fi
    done

    if [[ -n $option ]]; then
        case "$command $option" in
        ' --generate-completion-script') _seed_db_words bash zsh fish ;;
        'build --output' | 'build -o') _seed_db_files sqlite ;;
        'build --base') _seed_db_folders ;;
        'build --on-error') _seed_db_words fail skip ;;
        'build --rejects') _seed_db_files ndjson ;;
        'build --report') _seed_db_files json ;;
        'check --base') _seed_db_folders ;;
        'infer --output' | 'infer -o') _seed_db_files json ;;
        'infer --base') _seed_db_folders ;;
        'infer --report') _seed_db_files json ;;
        'models --output' | 'models -o') _seed_db_folders ;;
        'models --kind') _seed_db_words classes structs managed ;;
        esac
    elif [[ $dashes && $cur == -* ]]; then
        case "$command" in
        '') _seed_db_words --generate-completion-script --version --help -h ;;
        'build') _seed_db_words --output -o --base --on-error --rejects --strict-merge --update --report --quiet -q --verbose -v --version --help -h ;;
        'check') _seed_db_words --base --limit --strict --strict-merge --quiet -q --version --help -h ;;
        'infer') _seed_db_words --output -o --base --force --report --quiet -q --version --help -h ;;
        'inspect') _seed_db_words --rows --verify --version --help -h ;;
        'diff') _seed_db_words --json --quiet -q --version --help -h ;;
        'models') _seed_db_words --output -o --kind --force --version --help -h ;;
        'keypath') _seed_db_words --version --help -h ;;
        'help') _seed_db_words --version --help -h ;;
        esac
    else
        case "$command $place" in
        ' 0') _seed_db_words build check infer inspect diff models keypath help ;;
        'build 0') _seed_db_files json ;;
        'check 0') _seed_db_files json ;;
        'infer '*) _seed_db_files json ndjson jsonl gz ;;
        'inspect 0') _seed_db_files sqlite ;;
        'diff 0') _seed_db_files sqlite ;;
        'diff 1') _seed_db_files sqlite ;;
        'models 0') _seed_db_files json ;;
        'keypath 1') _seed_db_files json ;;
        'help 0') _seed_db_words build check infer inspect diff models keypath help ;;
        esac
    fi
}

complete -F _seed_db seed-db
