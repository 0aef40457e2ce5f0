import Foundation
import ObjectStore
import TestSupport
import Testing

/// Outputs on a full disk, at thirty sizes each, so that every part of a build fails once.
@Suite struct DiskFullTests {
    private static let rows = 4_000
    /// Between the size of the first page and more than the size of the complete output.
    private static let kilobytes = (0..<30).map { 8 + 10 * $0 }

    private static let canMount: Bool = {
        guard let folder = try? TemporaryDirectory() else { return false }
        let probe = withExtendedLifetime(folder) {
            try? runShell("mkdir disk && exec unshare -m mount -t tmpfs -o size=64k tmpfs disk", directory: folder.url)
        }
        return isAvailable(
            probe?.status == 0, otherwise: "a small disk cannot be mounted (root and `unshare` are needed)")
    }()

    private static func folder() throws -> SeedFolder {
        let tasks = (1...rows).map { #"{"id":\#($0),"name":"a task with the number \#($0)"}"# }
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":0,"name":"old"}]"#])
        try folder.folder.write("", to: "old/nothing")
        #expect(try folder.run("build", "seed.json", "-o", "old/out.sqlite").status == 0)
        try folder.folder.write("[\(tasks.joined(separator: ","))]", to: "tasks.json")
        return folder
    }

    /// Builds by a shell command for every size, each time over the old output, and checks the remaining files in
    /// `after`.
    private func build(_ script: String, advice: [String]) throws {
        let folder = try Self.folder()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.file("old").path).sorted()
        var statuses: [Int32] = []
        for (index, size) in Self.kilobytes.enumerated() {
            let update = index.isMultiple(of: 2) ? "" : "--update"
            let result = try runShell(
                "rm -rf after && mkdir after && \(script)",
                environment: ["SIZE": "\(size)", "BUILD": "seed-db build seed.json -o disk/out.sqlite -q \(update)"],
                directory: folder.folder.url)
            statuses.append(result.status)
            let comment = Comment("\(size) KB: \(result.status), \(result.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.folder.file("after").path).sorted()
            #expect(left == names, comment)
            let check = try runShell("sha256sum -c --quiet out.sqlite.sha256", directory: folder.folder.file("after"))
            #expect(check.status == 0, comment)
            if result.status == 0 {
                let count = try SeedDatabase(at: folder.folder.file("after/out.sqlite")).count(of: "Task")
                #expect(count == (update.isEmpty ? Self.rows : Self.rows + 1), comment)
            } else {
                #expect(result.status == 74, comment)
                #expect(result.errors.contains(" disk/out.sqlite"), comment)
                #expect(advice.contains { result.errors.contains($0) }, comment)
                #expect(
                    try folder.folder.data(of: "after/out.sqlite") == folder.folder.data(of: "old/out.sqlite"), comment)
            }
        }
        #expect(statuses.first == 74)
        #expect(statuses.last == 0)
    }

    @Test(.enabled(if: canMount)) func `a full disk is an output error, and the old output is kept`() throws {
        // The disk is unmounted with its shell. The old output takes 52 KB of it.
        try build(
            #"""
            mkdir -p disk && exec unshare -m sh -c '
                mount -t tmpfs -o size=$((SIZE + 52))k tmpfs disk && cp old/* disk || exit 9
                $BUILD; status=$?; cp -a disk/. after; exit $status'
            """#, advice: ["\nFree some space there"])
    }

    @Test(.disabled(if: isThreadSanitized))
    func `a limit of file sizes is an output error, and the old output is kept`() throws {
        // The shell counts blocks of 512 bytes.
        try build(
            """
            rm -rf disk && cp -r old disk
            (ulimit -f $((SIZE * 2)) && exec $BUILD); status=$?; cp -r disk/. after; exit $status
            """, advice: ["\nRaise the limit of file sizes (ulimit -f).", "the limit of file sizes."])
    }

    @Test(.enabled(if: canMount)) func `a full disk for temporary files is reported with their folder`()
        throws
    {
        // More than the 2 MB that are sorted in memory.
        let keys = (0..<20_000).map { #"{"id":"\#(String(repeating: "k", count: 120))\#($0 * 7919 % 20_000)"}"# }
        let manifest = #"""
            { "model": { "Key": { "identifiedBy": "id", "attributes": { "id": { "type": "string" } } } },
              "sources": [{ "file": "keys.json", "entity": "Key" }] }
            """#
        let folder = try SeedFolder(["seed.json": manifest, "keys.json": "[\(keys.joined(separator: ","))]"])
        let result = try runShell(
            """
            mkdir -p disk && exec unshare -m sh -c '
                mount -t tmpfs -o size=64k tmpfs disk || exit 9
                SQLITE_TMPDIR=$PWD/disk exec seed-db build seed.json -o out.sqlite'
            """, directory: folder.folder.url)
        #expect(result.status == 74)
        #expect(
            result.errors == """
                seed-db: cannot build out.sqlite: no space left to write 'out.sqlite'
                Free some space there and in the folder for temporary files (SQLITE_TMPDIR).

                """)
        #expect(try folder.folder.names == ["disk", "keys.json", "seed.json"])
    }
}
