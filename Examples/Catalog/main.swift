import Foundation

do {
    try await Catalog.run(Array(CommandLine.arguments.dropFirst()))
} catch let error as Catalog.UsageError {
    FileHandle.standardError.write(Data("catalog: \(error.message)\n".utf8))
    exit(64)
} catch {
    FileHandle.standardError.write(Data("catalog: \(error)\n".utf8))
    exit(1)
}
