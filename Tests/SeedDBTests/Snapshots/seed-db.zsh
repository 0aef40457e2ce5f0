#compdef seed-db
# Completes seed-db in zsh; made by 'seed-db --generate-completion-script zsh'.

_seed-db() {
    local curcontext=$curcontext state state_descr line
    local -A opt_args
    local -a subcommands=(
        'build:Build a seed database from JSON dumps.'
        'check:Check a manifest and its dumps without writing a database.'
        'infer:Draft a manifest from JSON dumps.'
        'inspect:Show the contents of a seed database.'
        'diff:Compare the rows of two seed databases by identity.'
        'models:Write Swift models and mappings for a manifest.'
        'keypath:Print the value at a key path of a JSON file.'
        'help:Show help for a subcommand.'
    )
    _arguments -s -S -C \
        '--generate-completion-script=[Print the completion script for a shell.]:shell:(bash zsh fish)' \
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
                '(--output -o)'{--output=,-o+}'[The database to write. It appears when it is complete.]:file:_files -g "*.sqlite"' \
                '--base=[The folder of the dumps. Defaults to the folder of the manifest.]:dir:_files -/' \
                '--on-error=[Stop at the first invalid element, or skip invalid elements.]:policy:(fail skip)' \
                '--rejects=[The file for skipped elements. Defaults to OUTPUT.rejects.ndjson.]:file:_files -g "*.ndjson"' \
                '--strict-merge[Fail if an element replaces a value of another element with the same identity.]' \
                '--update[Update an existing database instead of replacing it.]' \
                '--report=[Write a report of the build as JSON.]:file:_files -g "*.json"' \
                '(--quiet -q)'{--quiet,-q}'[Print only errors.]' \
                '(--verbose -v)'{--verbose,-v}'[Print each step of the build.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:manifest:_files -g "*.json"'
            ;;
        check)
            _arguments -s -S \
                '--base=[The folder of the dumps. Defaults to the folder of the manifest.]:dir:_files -/' \
                '--limit=[The maximum number of problems to print.]:count: ' \
                '--strict[Exit with status 65 also for duplicate keys, conflicting merges and unresolved connections.]' \
                '--strict-merge[Fail if an element replaces a value of another element with the same identity.]' \
                '(--quiet -q)'{--quiet,-q}'[Print only problems.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:manifest:_files -g "*.json"'
            ;;
        infer)
            _arguments -s -S \
                '(--output -o)'{--output=,-o+}'[The manifest to write. Defaults to standard output.]:file:_files -g "*.json"' \
                '--base=[The folder that the manifest'\''s file names are relative to. Defaults to the folder of the manifest.]:dir:_files -/' \
                '--force[Replace an existing manifest.]' \
                '--report=[Write the guesses as JSON.]:file:_files -g "*.json"' \
                '(--quiet -q)'{--quiet,-q}'[Print only the manifest and errors.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '*:dump:_files -g "*.(json|ndjson|jsonl|gz)"'
            ;;
        inspect)
            _arguments -s -S \
                '--rows=[The maximum number of rows to show of each entity.]:count: ' \
                '--verify[Check all pages and references. The exit status is 65 if there is damage.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:file:_files -g "*.sqlite"'
            ;;
        diff)
            _arguments -s -S \
                '--json[Print a JSON object on each line, with all values of added and removed rows.]' \
                '(--quiet -q)'{--quiet,-q}'[Print nothing; only set the exit status.]' \
                '--version[Show the version.]' \
                '(--help -h)'{--help,-h}'[Show help information.]' \
                '1:old:_files -g "*.sqlite"' \
                '2:new:_files -g "*.sqlite"'
            ;;
        models)
            _arguments -s -S \
                '(--output -o)'{--output=,-o+}'[The folder for the files. It is created if its parent exists.]:dir:_files -/' \
                '--kind=[Write plain classes, structs, or managed classes for ObjectStore.]:kind:(classes structs managed)' \
                '--force[Replace existing files that differ.]' \
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
