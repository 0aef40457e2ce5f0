import Foundation
import ObjectMapping
import ObjectStore
import TestSupport
import Testing

@testable import Seeder

@Suite struct GzipTests {
    static let dump = #"[{"id":1,"name":"x"},{"id":2,"name":"y"}]"#
    static let lines = "{\"id\":1,\"name\":\"x\"}\n{\"id\":2,\"name\":\"y\"}\n"
    static let rows = ["1, 1, 'x'", "2, 2, 'y'"]

    static func folder(_ file: String, _ bytes: Data) throws -> SeedFolder {
        let folder = try SeedFolder(["seed.json": taskManifest(sources: #"{ "file": "\#(file)", "entity": "Task" }"#)])
        try folder.folder.write(bytes, to: file)
        return folder
    }

    @Test(arguments: [
        ("a.json.gz", dump), ("a.gz", dump), ("a.json", dump), ("A.JSON.GZ", dump), ("a.ndjson.gz", lines),
        ("a.jsonl.gz", lines), ("a.NDJSON.Gz", lines), ("a.ndjson", lines),
    ])
    func `a compressed dump is read like its text, detected by name, header or option`(file: String, text: String)
        throws
    {
        let folder = try Self.folder(file, gzipMember(text))
        try folder.build()
        #expect(try folder.rows("SELECT * FROM Task") == Self.rows)
    }

    @Test(arguments: [
        gzipMember(dump) + Data(count: 1000), gzipMember("") + gzipMember(dump) + gzipMember(""),
        dump.utf8.reduce(Data()) { $0 + gzipMember(Data([$1])) },
        gzipMember("\u{FEFF}") + gzipMember(dump) + gzipMember("\n"),
    ])
    func `members are concatenated, and zeros can follow the last one`(bytes: Data) throws {
        let folder = try Self.folder("a.json.gz", bytes)
        try folder.build()
        #expect(try folder.rows("SELECT * FROM Task") == Self.rows)
    }

    @Test func `standard input, pipes and files of the gzip tool are decompressed, too`() throws {
        let folder = try Self.folder("a.json", Data(Self.dump.utf8))
        for (file, script) in [
            ("-", "gzip -c a.json | seed-db build m.json -o out.sqlite -q"),
            ("a.json.gz", "gzip -9 a.json && seed-db build m.json -o out.sqlite -q"),
            ("pipe", "mkfifo pipe && { cat a.json.gz > pipe & } && seed-db build m.json -o out.sqlite -q"),
        ] {
            try folder.folder.write(taskManifest(sources: #"{ "file": "\#(file)", "entity": "Task" }"#), to: "m.json")
            let result = try runShell(script, directory: folder.folder.url)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try folder.rows("SELECT * FROM Task") == Self.rows)
        }
    }

    @Test func `compressed and plain dumps give the same bytes`() throws {
        let text = (0..<20_000).map { #"{"id":\#($0),"name":"task number \#($0 * 7919 % 20_000)"}"# }
        let folder = try Self.folder("a.ndjson", Data(text.joined(separator: "\n").utf8))
        try folder.build()
        let plain = try folder.folder.data(of: "out.sqlite")
        #expect(try runShell("gzip -c a.ndjson > a && mv a a.ndjson", directory: folder.folder.url).status == 0)
        try folder.build()
        #expect(try folder.folder.data(of: "out.sqlite") == plain)
    }

    static let damages: [(bytes: Data, message: String)] = [
        (Data(), "the file is empty (at byte 0 of the file, byte 0 of its text)"),
        (
            Data(dump.utf8),
            """
            it does not start with a gzip header (at byte 0 of the file, byte 0 of its text)
            If it is plain JSON, name it without '.gz'.
            """
        ),
        (
            gzipMember(dump).prefix(1),
            """
            the file is truncated (at byte 1 of the file, byte 0 of its text)
            Copy or download it again.
            """
        ),
        (
            gzipMember(dump).prefix(30),
            """
            the file is truncated (at byte 30 of the file, byte 15 of its text)
            Copy or download it again.
            """
        ),
        (
            gzipMember(dump).dropLast(),
            """
            the file is truncated (at byte 63 of the file, byte 41 of its text)
            Copy or download it again.
            """
        ),
        (
            gzipMember(dump) + gzipMember("x").prefix(5),
            """
            the file is truncated (at byte 69 of the file, byte 41 of its text)
            Copy or download it again.
            """
        ),
        (with(7, at: 2), "unknown compression method (at byte 4 of the file, byte 0 of its text)"),
        (with(0xE0, at: 3), "unknown header flags set (at byte 4 of the file, byte 0 of its text)"),
        (with(7, at: 10), "invalid block type (at byte 11 of the file, byte 0 of its text)"),
        (with(7, at: 11), "invalid stored block lengths (at byte 15 of the file, byte 0 of its text)"),
        (with(UInt8(ascii: "z"), at: 32), "incorrect data check (at byte 60 of the file, byte 41 of its text)"),
        (with(7, at: 60), "incorrect length check (at byte 64 of the file, byte 41 of its text)"),
        (gzipMember(dump) + Data("[]".utf8), "other data follows (at byte 64 of the file, byte 41 of its text)"),
        (
            gzipMember(dump) + Data([0, 0, 1]),
            "other data follows (at byte 66 of the file, byte 41 of its text)"
        ),
        (
            gzipMember(dump) + Data([0x1F, 0]),
            "incorrect header check (at byte 66 of the file, byte 41 of its text)"
        ),
    ]

    static func with(_ byte: UInt8, at index: Int) -> Data {
        var bytes = gzipMember(dump)
        bytes[index] = byte
        return bytes
    }

    @Test(arguments: damages.indices)
    func `damaged data is reported with its positions in the file and in the text, and with advice`(index: Int) throws {
        let (bytes, words) = Self.damages[index]
        let message = words.contains("\n") ? words : words + "\nCopy it again."
        let folder = try Self.folder("a.json.gz", bytes)
        try folder.folder.write("old", to: "out.sqlite")
        let (kind, lines) = try #require(try folder.buildError { $0.onError = .skip })
        #expect(kind == .badData)
        #expect(lines.joined(separator: "\n") == "a.json.gz is not valid gzip: " + message)
        #expect(try folder.folder.names == ["a.json.gz", "out.sqlite", "seed.json"])
        #expect(try folder.folder.text(of: "out.sqlite") == "old")
    }

    @Test func `a truncated file, or a file with a flipped bit, never gives other rows`() throws {
        let text = (0..<300).map { #"{"id":\#($0),"name":"task number \#($0 * 7919 % 300)"}"# }.joined(separator: "\n")
        let folder = try Self.folder("a.ndjson", Data(text.utf8))
        #expect(try runShell("gzip a.ndjson", directory: folder.folder.url).status == 0)
        let sound = try folder.folder.data(of: "a.ndjson.gz")
        let cuts = stride(from: 1, to: sound.count, by: 37).map { sound.prefix($0) }
        let flips = stride(from: 0, to: sound.count, by: 41).map { index in
            var bytes = sound
            bytes[index] ^= 1 << (index % 8)
            return bytes
        }
        for (number, bytes) in (cuts + flips).enumerated() {
            let source = try GzipByteSource(dump: Chunks(bytes, size: 100), name: "a", longestText: 1 << 20)
            var found = Data()
            var error: SeedError?
            do { try readAll(source) { found += $0 } } catch let thrown as SeedError { error = thrown }
            if number < cuts.count {
                #expect(error?.message.hasPrefix("a is not valid gzip: the file is truncated") == true)
                #expect(Data(text.utf8).starts(with: found))
            } else {
                // No checksum covers the time and the name in the header.
                #expect(error?.kind == .badData || error == nil && found == Data(text.utf8), "\(number)")
            }
        }
    }

    @Test func `more text than the limit of a file is an error`() throws {
        #expect(Gzip.longestText(inFileOf: 0) == 64 << 20)
        #expect(Gzip.longestText(inFileOf: 1_000_000) == 250_000_000)
        #expect(Gzip.longestText(inFileOf: .max) == 1 << 40)
        let folder = try Self.folder("a.json.gz", Data())
        let bomb = "{ printf '[\"'; head -c 80000000 /dev/zero | tr '\\0' x; printf '\"]'; } | gzip -9 > a.json.gz"
        #expect(try runShell(bomb, directory: folder.folder.url).status == 0)
        let size = try folder.folder.data(of: "a.json.gz").count
        #expect(size < 100_000)
        let source = try GzipByteSource(
            dump: Chunks(try folder.folder.data(of: "a.json.gz"), size: 65_536), name: "a.json.gz",
            longestText: Gzip.longestText(inFileOf: size))
        let error = #expect(throws: SeedError.self) { try readAll(source) { _ in } }
        #expect(error?.kind == .badData)
        let words =
            "a.json.gz is not valid gzip: its text is longer than 67108864 bytes, too many for a file"
        #expect(error?.message.hasPrefix(words) == true)
    }

    @Test func `positions and lines in messages are those of the text`() throws {
        let dump = "[{\"id\":1,\"name\":\"é\"},\n {\"id\":\"zwei\"}]"
        let folder = try Self.folder("a.json.gz", gzipMember(dump))
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite")
        #expect(result.status == 65)
        #expect(
            result.errors == """
                a.json.gz:2:8 $[1].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Task.id)
                  {"id":"zwei"}]
                        ^

                """)
    }

    @Test func `if damaged data decompresses to broken JSON, the damage is reported`() throws {
        var bytes = gzipMember(Self.dump)
        bytes[15 + 8] = UInt8(ascii: "?")
        let folder = try Self.folder("a.json.gz", bytes)
        #expect(
            try folder.buildError()?.1 == [
                "a.json.gz is not valid gzip: incorrect data check (at byte 60 of the file, byte 41 of its text)",
                "Copy it again.",
            ])
        try folder.folder.write(gzipMember(#"[{"id"?1}]"#), to: "a.json.gz")
        #expect(try folder.buildError()?.1 == ["a.json.gz:1:7 $[0].id: expected a colon after the key, found '?'"])
    }

    @Test func `excerpts are found anywhere in a long text`() throws {
        let text = (0..<9000).map { "line \($0) of many" }.joined(separator: "\n")
        let bytes = stride(from: 0, to: text.utf8.count, by: 5000).reduce(Data()) { bytes, start in
            bytes + gzipMember(Data(text.utf8.dropFirst(start).prefix(5000)))
        }
        let source = try GzipByteSource(dump: Chunks(bytes, size: 999), name: "a", longestText: 1 << 20)
        let offsets = [0, 70_000, 70_001, 130_000, text.utf8.count, text.utf8.count + 10_000]
        let excerpts = source.excerpts(around: offsets)
        #expect(Set(excerpts.keys) == Set(offsets.dropLast()))
        for (offset, excerpt) in excerpts {
            #expect(excerpt == SourceExcerpt(bytes: Array(text.utf8), offset: offset))
        }
    }

    @Test func `a key path is looked up in compressed files`() throws {
        let folder = try Self.folder("a.json.gz", gzipMember(Self.dump))
        #expect(try folder.run("keypath", "@count", "a.json.gz").output == "2\n")
        let piped = try runShell("seed-db keypath name - < a.json.gz", directory: folder.folder.url)
        #expect(piped.output == "[\n  \"x\",\n  \"y\"\n]\n")
        try folder.folder.write(gzipMember(Self.dump).dropLast(30), to: "a.json.gz")
        let result = try folder.run("keypath", "@count", "a.json.gz")
        #expect(result.status == 65)
        #expect(
            result.errors == """
                seed-db: a.json.gz is not valid gzip: the file is truncated (at byte 34 of the file, byte 19 of its text)
                Copy or download it again.

                """)
    }
}

/// Bytes in pieces.
private struct Chunks: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let size: Int

    init(_ bytes: Data, size: Int) { (rest, self.size) = (Array(bytes)[...], size) }

    mutating func read(into buffer: MutableByteView) -> Int {
        let count = rest.prefix(size).withView { buffer.copy($0) }
        rest = rest.dropFirst(count)
        return count
    }
}

private func readAll(_ source: GzipByteSource, _ body: (ByteView) -> Void) throws {
    let block = ByteBlock(count: 4096)
    while case let count = try source.read(into: block.bytes), count > 0 { body(block.bytes.view.prefix(count)) }
}
