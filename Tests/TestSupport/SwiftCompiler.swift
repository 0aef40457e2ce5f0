import Foundation

/// Compiles a program that uses modules of the package, in Swift 6 mode and with warnings as errors.
///
/// - Parameters:
///   - program: The executable to make.
///   - sources: The files of the program, or a pattern such as `*.swift`.
///   - folder: Where all of it is.
/// - Returns: How the compiler ended; its errors are those of the program.
public func compileProgram(
    _ program: String, of sources: String, in folder: TemporaryDirectory
) async throws -> ProcessResult {
    let library = try await packageLibrary.value
    return try await runShell(
        """
        swiftc -swift-version 6 -warnings-as-errors -I "$PRODUCTS/Modules" -I "$PACKAGE/CMappingSHA256/include" \\
            -I "$PACKAGE/CMappingRuntime/include" \\
            -I "$PACKAGE/CMappingSQLite" -I "$PACKAGE/CMappingZlib" -I "$PACKAGE/CMappingCurl" $SOURCES "$LIBRARY" -o "$PROGRAM" \\
            -Xlinker -rpath -Xlinker "$PRODUCTS" ${SANITIZER:+-sanitize="$SANITIZER"}
        """,
        environment: compilerEnvironment.merging([
            "PROGRAM": program, "SOURCES": sources, "LIBRARY": library,
        ]) { $1 },
        directory: folder.url)
}

/// The path of a library of all modules: programs that link it are linked in a fraction of the time that their objects
/// take.
///
/// It is next to the products, whose objects it holds, and is built once for each process that compiles programs.
private let packageLibrary = Task {
    let folder = try TemporaryDirectory()
    let result = try await runShell(
        """
        newline=$(printf '\\n:') && newline=${newline%:}
        set --
        libraries=
        for folder in "$PACKAGE"/*/; do
            module=$(basename "$folder")
            # On Linux, URLSession needs a library that programs shall not link.
            case $module in seed-db | URLSessionTransport) continue ;; esac
            [ -d "$PRODUCTS/$module.build" ] || continue
            case $module in
                RequestQueue) [ "$(uname)" = Darwin ] || libraries="$libraries -lcurl -lz" ;;
                ObjectStore) libraries="$libraries -lsqlite3 -lz" ;;
            esac
            # Objects of sources that are gone may lie there still.
            IFS=$newline
            for source in $(find "$folder" -name '*.swift' -o -name '*.c'); do
                object=$PRODUCTS/$module.build/${source##*/}.o
                [ ! -f "$object" ] || set -- "$@" "$object"
            done
            unset IFS
        done
        visible=$PRODUCTS/VisibleMutex.build/VisibleMutex.swift.o
        [ ! -f "$visible" ] || set -- "$@" "$visible"
        swiftc -emit-library -o library "$@" $libraries ${SANITIZER:+-sanitize="$SANITIZER"} &&
            mv library "$PRODUCTS/libPackageModules.so"
        """,
        environment: compilerEnvironment, directory: folder.url)
    guard result.status == 0 else { throw UnlinkableModules(errors: result.errors) }
    return productsDirectory.appendingPathComponent("libPackageModules.so").path
}

private struct UnlinkableModules: Error {
    let errors: String
}

/// Objects that a sanitizer was built into are linked with it.
private let compilerEnvironment = [
    "PRODUCTS": productsDirectory.path, "PACKAGE": resource("Sources").path,
    "SANITIZER": ProcessInfo.processInfo.environment["SANITIZER"] ?? "",
]
