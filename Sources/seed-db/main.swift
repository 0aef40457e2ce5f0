import Seeder

occupyStandardDescriptors()
ignoreFileSignals()
exit(run(Array(CommandLine.arguments.dropFirst())))
