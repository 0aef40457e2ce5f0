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
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a check -d 'Check a manifest and its dumps without writing a database.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a infer -d 'Draft a manifest from JSON dumps.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a inspect -d 'Show the contents of a seed database.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a diff -d 'Compare the rows of two seed databases by identity.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a models -d 'Write Swift models and mappings for a manifest.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a keypath -d 'Print the value at a key path of a JSON file.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -a help -d 'Show help for a subcommand.'
complete -c seed-db -n 'string match -q -- "1 build" (__seed_db_place)' -k -a '(__fish_complete_suffix .json)' -d 'The manifest, a JSON file; \'-\' for standard input.'
complete -c seed-db -n 'string match -q -- "1 check" (__seed_db_place)' -k -a '(__fish_complete_suffix .json)' -d 'The manifest, a JSON file; \'-\' for standard input.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -k -a '(__fish_complete_suffix .json; __fish_complete_suffix .ndjson; __fish_complete_suffix .jsonl; __fish_complete_suffix .gz)' -d 'A JSON or NDJSON file, plain or gzip; \'-\' for standard input.'
complete -c seed-db -n 'string match -q -- "1 inspect" (__seed_db_place)' -k -a '(__fish_complete_suffix .sqlite)' -d 'The database to show.'
complete -c seed-db -n 'string match -q -- "1 diff" (__seed_db_place)' -k -a '(__fish_complete_suffix .sqlite)' -d 'The old database.'
complete -c seed-db -n 'string match -q -- "2 diff" (__seed_db_place)' -k -a '(__fish_complete_suffix .sqlite)' -d 'The new database.'
complete -c seed-db -n 'string match -q -- "1 models" (__seed_db_place)' -k -a '(__fish_complete_suffix .json)' -d 'The manifest, a JSON file; \'-\' for standard input.'
complete -c seed-db -n 'string match -q -- "2 keypath" (__seed_db_place)' -k -a '(__fish_complete_suffix .json)' -d 'The JSON file; \'-\' for standard input.'
complete -c seed-db -n 'string match -q -- "1 help" (__seed_db_place)' -a 'build check infer inspect diff models keypath help' -d 'The subcommand. Defaults to the tool itself.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -l generate-completion-script -x -a 'bash zsh fish' -d 'Print the completion script for a shell.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "0" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l output -s o -x -k -a '(__fish_complete_suffix .sqlite)' -d 'The database to write. It appears when it is complete.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l base -x -a '(__fish_complete_directories)' -d 'The folder of the dumps. Defaults to the folder of the manifest.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l on-error -x -a 'fail skip' -d 'Stop at the first invalid element, or skip invalid elements.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l rejects -x -k -a '(__fish_complete_suffix .ndjson)' -d 'The file for skipped elements. Defaults to OUTPUT.rejects.ndjson.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l strict-merge -d 'Fail if an element replaces a value of another element with the same identity.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l update -d 'Update an existing database instead of replacing it.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l report -x -k -a '(__fish_complete_suffix .json)' -d 'Write a report of the build as JSON.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l quiet -s q -d 'Print only errors.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l verbose -s v -d 'Print each step of the build.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* build" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l base -x -a '(__fish_complete_directories)' -d 'The folder of the dumps. Defaults to the folder of the manifest.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l limit -x -d 'The maximum number of problems to print.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l strict -d 'Exit with status 65 also for duplicate keys, conflicting merges and unresolved connections.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l strict-merge -d 'Fail if an element replaces a value of another element with the same identity.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l quiet -s q -d 'Print only problems.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* check" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l output -s o -x -k -a '(__fish_complete_suffix .json)' -d 'The manifest to write. Defaults to standard output.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l base -x -a '(__fish_complete_directories)' -d 'The folder that the manifest\'s file names are relative to. Defaults to the folder of the manifest.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l force -d 'Replace an existing manifest.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l report -x -k -a '(__fish_complete_suffix .json)' -d 'Write the guesses as JSON.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l quiet -s q -d 'Print only the manifest and errors.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* infer" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* inspect" (__seed_db_place)' -l rows -x -d 'The maximum number of rows to show of each entity.'
complete -c seed-db -n 'string match -q -- "* inspect" (__seed_db_place)' -l verify -d 'Check all pages and references. The exit status is 65 if there is damage.'
complete -c seed-db -n 'string match -q -- "* inspect" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* inspect" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* diff" (__seed_db_place)' -l json -d 'Print a JSON object on each line, with all values of added and removed rows.'
complete -c seed-db -n 'string match -q -- "* diff" (__seed_db_place)' -l quiet -s q -d 'Print nothing; only set the exit status.'
complete -c seed-db -n 'string match -q -- "* diff" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* diff" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l output -s o -x -a '(__fish_complete_directories)' -d 'The folder for the files. It is created if its parent exists.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l kind -x -a 'classes structs managed' -d 'Write plain classes, structs, or managed classes for ObjectStore.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l force -d 'Replace existing files that differ.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* models" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* keypath" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* keypath" (__seed_db_place)' -l help -s h -d 'Show help information.'
complete -c seed-db -n 'string match -q -- "* help" (__seed_db_place)' -l version -d 'Show the version.'
complete -c seed-db -n 'string match -q -- "* help" (__seed_db_place)' -l help -s h -d 'Show help information.'
