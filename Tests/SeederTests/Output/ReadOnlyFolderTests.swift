import Foundation
import TestSupport
import Testing

/// Read-only folders for an unprivileged user: root may write anywhere.
@Suite(.enabled(if: canBeUser)) struct ReadOnlyFolderTests {
    /// Runs a build as the user nobody in a folder whose subfolder `closed` is read-only.
    private func build(_ options: String, prepare: String = ":") throws -> (ProcessResult, SeedFolder) {
        let folder = try SeedFolder([
            "seed.json": taskManifest(), "tasks.json": #"[{"id":1,"name":"x"}]"#, "closed/r": "",
        ])
        // The tool is copied to a folder that all users can read.
        let drop = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        let result = try runShell(
            """
            chmod 777 . && cp "$(command -v seed-db)" ./tool && (\(prepare)) && chmod 555 closed && chmod 644 closed/*
            exec \(drop) ./tool build seed.json -q \(options)
            """, directory: folder.folder.url)
        return (result, folder)
    }

    private func expect(_ result: ProcessResult, _ title: String, _ folder: SeedFolder) {
        #expect(result.status == 73)
        #expect(
            result.errors == """
                seed-db: cannot create \(title): Permission denied
                The folder \(folder.folder.path)/closed cannot be written to; choose another or change its permissions.

                """)
    }

    @Test(arguments: ["", "--update"])
    func `a read-only folder is named, with advice`(update: String) throws {
        let (result, folder) = try build("-o closed/out.sqlite \(update)")
        expect(result, "closed/out.sqlite", folder)
        #expect(try folder.folder.names == ["closed", "seed.json", "tasks.json", "tool"])
    }

    @Test func `an output in a read-only folder is unchanged`() throws {
        let (result, folder) = try build("-o closed/out.sqlite", prepare: "echo old > closed/out.sqlite")
        expect(result, "closed/out.sqlite", folder)
        #expect(try folder.folder.text(of: "closed/out.sqlite") == "old\n")
    }

    @Test(arguments: ["report", "rejects"])
    func `a report or rejects that cannot be written fail before the build`(option: String) throws {
        for name in ["new", "r"] {
            let (result, folder) = try build("-o out.sqlite --\(option) closed/\(name)")
            expect(result, "closed/\(name)", folder)
            #expect(try folder.folder.names == ["closed", "seed.json", "tasks.json", "tool"])
        }
    }

    @Test func `a read-only output in a writable folder is replaced`() throws {
        let (result, folder) = try build("-o out.sqlite", prepare: "echo old > out.sqlite && chmod 444 out.sqlite")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try folder.folder.data(of: "out.sqlite").count > 4096)
    }

    @Test func `a disk that is mounted read-only is named, with advice`() throws {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1}]"#])
        let result = try runShell(
            """
            mkdir disk; exec unshare -m sh -c '
                mount -t tmpfs -o ro tmpfs disk || exit 9; exec seed-db build seed.json -o disk/out.sqlite'
            """, directory: folder.folder.url)
        guard isAvailable(![1, 9].contains(result.status), otherwise: "a read-only disk cannot be mounted") else {
            return
        }
        #expect(result.status == 73)
        #expect(result.errors.hasPrefix("seed-db: cannot create disk/out.sqlite: Read-only file system\nThe folder "))
    }
}

private let canBeUser: Bool = {
    let probe = try? runShell("[ $(id -u) != 0 ] || setpriv --reuid=65534 --regid=65534 --clear-groups true")
    return isAvailable(probe?.status == 0, otherwise: "root cannot become an ordinary user (`setpriv` is needed)")
}()
