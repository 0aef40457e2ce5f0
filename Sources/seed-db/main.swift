import Seeder

ignoreFileSignals()
exit(run(Array(CommandLine.arguments.dropFirst())))
