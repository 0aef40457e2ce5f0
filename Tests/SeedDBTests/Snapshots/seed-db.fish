# Completes seed-db in fish; made by 'seed-db --generate-completion-script fish'.

# Prints how many words that are no options stand before the cursor, and the first of them, the subcommand.
function __seed_db_place
    set -l words (commandline -opc)
    set -l operands
    set -l is_value no
    set -l has_options yes
    for word in $words[2..-1]
        if test $is_value = yes
            set is_value no
        else if test $has_options = yes; and string match -q -- '-*' $word
            switch "$operands[1] $word"
                case '* --'
                    set has_options no
                case ' --generate-completion-script' 'build --output' 'build -o' 'build --base' 'build --on-error' 'build --rejects' 'build --report' 'check --base' 'check --limit' 'infer --output' 'infer -o' 'infer --base' 'infer --report' 'inspect --rows' 'models --output' 'models -o' 'models --kind'
                    set is_value yes
            end
        else
            set -a operands $word
        end
    end
    echo (count $operands) $operands[1]
end

complete -c seed-db -f
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a build -d 'Build a seed database from JSON dumps.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a check -d 'Check a manifest and all of its dumps; write nothing.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a infer -d 'Draft a manifest from JSON dumps.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a inspect -d 'Show what a seed database holds.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a diff -d 'Compare the rows of two seed databases by identity.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a models -d 'Write Swift models with their mappings for a manifest.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a keypath -d 'Print what a key path finds in a JSON file.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a help -d 'Show help information of a subcommand.'
complete -c seed-db -n 'string match -q -- "1 build" (__seed_db_place)' -k -a '(__fish_complete_suffix .json)' -d 'What to build from which dumps; \'-\' is standard input.'
complete -c seed-db -n 'string match -q -- "1 check" (__seed_db_place)' -k -a '(__fish_complete_suffix .json)' -d 'What to build from which dumps; \'-\' is standard input.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -k -a '(__fish_complete_suffix .json; __fish_complete_suffix .ndjson; __fish_complete_suffix .jsonl; __fish_complete_suffix .gz)' -d 'What to read; \'-\' is standard input.'
complete -c seed-db -n 'string match -q -- "1 inspect" (__seed_db_place)' -k -a '(__fish_complete_suffix .sqlite)' -d 'The database.'
complete -c seed-db -n 'string match -q -- "1 diff" (__seed_db_place)' -k -a '(__fish_complete_suffix .sqlite)' -d 'The database before.'
complete -c seed-db -n 'string match -q -- "2 diff" (__seed_db_place)' -k -a '(__fish_complete_suffix .sqlite)' -d 'The database after.'
complete -c seed-db -n 'string match -q -- "1 models" (__seed_db_place)' -k -a '(__fish_complete_suffix .json)' -d 'What to write models for; \'-\' is standard input.'
complete -c seed-db -n 'string match -q -- "2 keypath" (__seed_db_place)' -k -a '(__fish_complete_suffix .json)' -d 'Where to look for it; \'-\' is standard input.'
complete -c seed-db -n 'string match -q -- "1 help" (__seed_db_place)' -a 'build check infer inspect diff models keypath help' -d 'The subcommand; the tool itself if there is none.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -l generate-completion-script -x -a 'bash zsh fish' -d 'Print the script that completes commands in a shell.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l output -s o -x -k -a '(__fish_complete_suffix .sqlite)' -d 'The database to write; it appears only when complete.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l base -x -a '(__fish_complete_directories)' -d 'The folder of the dumps; the manifest\'s own if not given.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l on-error -x -a 'fail skip' -d 'Whether the first bad element ends the build, or bad elements are left out.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l rejects -x -k -a '(__fish_complete_suffix .ndjson)' -d 'Where left-out elements go; OUTPUT.rejects.ndjson if not given.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l strict-merge -d 'Fail if an element replaces a value of another one with the same identity.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l update -d 'Bring an existing database up to date instead of replacing it.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l report -x -k -a '(__fish_complete_suffix .json)' -d 'Write what was done as JSON.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l quiet -s q -d 'Print nothing but errors.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l verbose -s v -d 'Tell what happens on the way.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l base -x -a '(__fish_complete_directories)' -d 'The folder of the dumps; the manifest\'s own if not given.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l limit -x -d 'Findings told one by one.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l strict -d 'Exit with status 65 for duplicate keys, conflicting merges and unresolved connections too.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l strict-merge -d 'Fail if an element replaces a value of another one with the same identity.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l quiet -s q -d 'Print nothing but what is wrong.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l output -s o -x -k -a '(__fish_complete_suffix .json)' -d 'The manifest to write; standard output if not given.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l base -x -a '(__fish_complete_directories)' -d 'The folder that the manifest names the dumps from; its own if not given.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l force -d 'Replace a manifest that is there already.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l report -x -k -a '(__fish_complete_suffix .json)' -d 'Write the guesses as JSON.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l quiet -s q -d 'Print nothing but the manifest and errors.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* inspect" (__seed_db_place)' -l rows -x -d 'Rows shown of each entity.'
complete -c seed-db -n 'string match -q -- "* inspect" (__seed_db_place)' -l verify -d 'Let SQLite check every page and reference; bad ones are exit status 65.'
complete -c seed-db -n 'string match -q -- "* inspect" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* inspect" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* diff" (__seed_db_place)' -l json -d 'Print a JSON object on each line, with all values of added and removed rows.'
complete -c seed-db -n 'string match -q -- "* diff" (__seed_db_place)' -l quiet -s q -d 'Print nothing; the exit status is the result.'
complete -c seed-db -n 'string match -q -- "* diff" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* diff" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l output -s o -x -a '(__fish_complete_directories)' -d 'The folder for the files; made if need be, its parent is not.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l kind -x -a 'classes structs managed' -d 'Write plain classes, structs, or managed classes of ObjectStore.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l force -d 'Replace files that differ.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* keypath" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* keypath" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* help" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* help" (__seed_db_place)' -l help -s h -d 'Show help information.'
