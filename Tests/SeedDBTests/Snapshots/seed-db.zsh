#compdef seed-db
# Completes seed-db in zsh; made by 'seed-db --generate-completion-script zsh'.

_seed-db() {
    local curcontext=$curcontext state state_descr line
    local -A opt_args
    local -a subcommands=(
        'build:Build a seed database from JSON dumps.'
        'check:Check a manifest and all of its dumps; write nothing.'
        'infer:Draft a manifest from JSON dumps.'
        'inspect:Show what a seed database holds.'
        'diff:Compare the rows of two seed databases by identity.'
        'models:Write Swift models with their mappings for a manifest.'
        'keypath:Print what a key path finds in a JSON file.'
        'help:Show help information of a subcommand.'
    )
    _arguments -s -S -C \
        '--generate-completion-script=[Print the script that completes commands in a shell.]:shell:(bash zsh fish)' \
        '--version[Show the version.]' \
        '(--help -h)'{--help,-h}'[Show help information.]' \
        '(-): :->subcommand' \
        '(-)*:: :->rest'
    case $state in
    subcommand)
        _describe -t subcommands subcommand subcommands
        ;;
    rest)
        case $words[1] in
        build)
            _arguments -s -S \
                '(--output -o)'{--output=,-o+}'[The database to write; it appears only when complete.]:file:_files -g "*.sqlite"' \
                '--base=[The folder of the dumps; the manifest'\''s own if not given.]:dir:_files -/' \
                '--on-error=[Whether the first bad element ends the build, or bad elements are left out.]:policy:(fail skip)' \
                '--rejects=[Where left-out elements go; OUTPUT.rejects.ndjson if not given.]:file:_files -g "*.ndjson"' \
                '--strict-merge[Fail if an element replaces a value of another one with the same identity.]' \
                '--update[Bring an existing database up to date instead of replacing it.]' \
                '--report=[Write what was done as JSON.]:file:_files -g "*.json"' \
                '(--quiet -q)'{--quiet,-q}'[Print nothing but errors.]' \
                '(--verbose -v)'{--verbose,-v}'[Tell what happens on the way.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:manifest:_files -g "*.json"'
            ;;
        check)
            _arguments -s -S \
                '--base=[The folder of the dumps; the manifest'\''s own if not given.]:dir:_files -/' \
                '--limit=[Findings told one by one.]:count: ' \
                '--strict[Exit with status 65 for duplicate keys, conflicting merges and unresolved connections too.]' \
                '--strict-merge[Fail if an element replaces a value of another one with the same identity.]' \
                '(--quiet -q)'{--quiet,-q}'[Print nothing but what is wrong.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:manifest:_files -g "*.json"'
            ;;
        infer)
            _arguments -s -S \
                '(--output -o)'{--output=,-o+}'[The manifest to write; standard output if not given.]:file:_files -g "*.json"' \
                '--base=[The folder that the manifest names the dumps from; its own if not given.]:dir:_files -/' \
                '--force[Replace a manifest that is there already.]' \
                '--report=[Write the guesses as JSON.]:file:_files -g "*.json"' \
                '(--quiet -q)'{--quiet,-q}'[Print nothing but the manifest and errors.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '*:dump:_files -g "*.(json|ndjson|jsonl|gz)"'
            ;;
        inspect)
            _arguments -s -S \
                '--rows=[Rows shown of each entity.]:count: ' \
                '--verify[Let SQLite check every page and reference; bad ones are exit status 65.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:file:_files -g "*.sqlite"'
            ;;
        diff)
            _arguments -s -S \
                '--json[Print a JSON object on each line, with all values of added and removed rows.]' \
                '(--quiet -q)'{--quiet,-q}'[Print nothing; the exit status is the result.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:old:_files -g "*.sqlite"' \
                '2:new:_files -g "*.sqlite"'
            ;;
        models)
            _arguments -s -S \
                '(--output -o)'{--output=,-o+}'[The folder for the files; made if need be, its parent is not.]:dir:_files -/' \
                '--kind=[Write plain classes, structs, or managed classes of ObjectStore.]:kind:(classes structs managed)' \
                '--force[Replace files that differ.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:manifest:_files -g "*.json"'
            ;;
        keypath)
            _arguments -s -S \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:path: ' \
                '2:file:_files -g "*.json"'
            ;;
        help)
            _arguments -s -S \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1::subcommand:(build check infer inspect diff models keypath help)'
            ;;
        esac
        ;;
    esac
}

if [[ $funcstack[1] == _seed-db ]]; then
    _seed-db "$@"
else
    compdef _seed-db seed-db
fi
