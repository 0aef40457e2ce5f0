import Foundation

/// Compiles a program that uses modules of the package, in Swift 6 mode and with warnings as errors.
///
/// - Parameters:
///   - program: The executable to make.
///   - sources: The files of the program, or a pattern such as `*.swift`.
///   - modules: The modules that the program imports, and those that these import.
///   - folder: Where all of it is.
/// - Returns: How the compiler ended; its errors are those of the program.
public func compileProgram(
    _ program: String, of sources: String, with modules: [String], in folder: TemporaryDirectory
) async throws -> ProcessResult {
    try await runShell(
        """
        libraries=
        for module in $MODULES; do
            case $module in
                RequestQueue) [ "$(uname)" = Darwin ] || libraries="$libraries -lcurl -lz" ;;
                ObjectStore) libraries="$libraries -lsqlite3 -lz" ;;
            esac
        done
        newline=$(printf '\\n:') && newline=${newline%:}
        set --
        for module in $MODULES; do
            # Objects of sources that are gone may lie there still.
            IFS=$newline
            for source in $(find "$PACKAGE/$module" -name '*.swift'); do
                set -- "$@" "$PRODUCTS/$module.build/${source##*/}.o"
            done
            unset IFS
            [ "$module" != Digests ] || set -- "$@" "$PRODUCTS/CSHA256.build/CSHA256.c.o"
        done
        visible=$PRODUCTS/VisibleMutex.build/VisibleMutex.swift.o
        [ ! -f "$visible" ] || set -- "$@" "$visible"
        swiftc -swift-version 6 -warnings-as-errors -I "$PRODUCTS/Modules" -I "$PACKAGE/CSHA256/include" \\
            -I "$PACKAGE/CRuntime/include" \\
            -I "$PACKAGE/CSQLite" -I "$PACKAGE/CZlib" -I "$PACKAGE/CCurl" $SOURCES "$@" $libraries -o "$PROGRAM" \\
            ${SANITIZER:+-sanitize="$SANITIZER"}
        """,
        // Objects that a sanitizer was built into are linked with it.
        environment: [
            "PROGRAM": program, "SOURCES": sources, "MODULES": modules.joined(separator: " "),
            "PRODUCTS": productsDirectory.path, "PACKAGE": resource("Sources").path,
            "SANITIZER": ProcessInfo.processInfo.environment["SANITIZER"] ?? "",
        ],
        directory: folder.url)
}
