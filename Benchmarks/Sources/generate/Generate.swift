import Foundation

/// Writes dumps and their manifests.
///
/// The same size and seed give the same bytes on every machine.
///
///     generate tasks COUNT FOLDER [SEED]     users, projects and tasks
///     generate imports COUNT FOLDER [SEED]   the same tasks, in other orders and in small files
///     generate feed COUNT FOLDER [SEED]      the same tasks, of several kinds
///     generate nodes COUNT FOLDER [SEED]     one entity with string keys and references to itself
@main enum Generate {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 || arguments.count == 5, let count = Int(arguments[2]), count > 0 else {
            FileHandle.standardError.write(Data("usage: generate tasks|imports|feed|nodes COUNT FOLDER [SEED]\n".utf8))
            exit(64)
        }
        let folder = URL(fileURLWithPath: arguments[3], isDirectory: true)
        let seed = arguments.count == 5 ? UInt64(arguments[4]) ?? 1 : 1
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        switch arguments[1] {
        case "nodes":
            var nodes = Nodes(random: Random(state: seed))
            try nodes.write(count, to: folder)
        case "imports":
            var tasks = Tasks(random: Random(state: seed))
            try tasks.writeImports(count, to: folder)
        case "feed":
            var tasks = Tasks(random: Random(state: seed))
            try tasks.writeFeed(count, to: folder)
        default:
            var tasks = Tasks(random: Random(state: seed))
            try tasks.write(count, to: folder)
        }
    }
}

/// SplitMix64, which gives the same numbers on every platform.
struct Random {
    var state: UInt64

    /// Returns a number in a closed range.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return range.lowerBound + Int(bits % UInt64(range.count))
    }

    mutating func one<Value>(of values: [Value]) -> Value { values[number(0...values.count - 1)] }

    /// Returns distinct values in random order.
    mutating func sample<Value>(_ count: Int, of values: [Value]) -> [Value] {
        var rest = values
        return (0..<count).map { _ in rest.remove(at: number(0...rest.count - 1)) }
    }
}

/// An array of objects that is written to a file incrementally.
struct ArrayFile {
    private let file: FileHandle
    private var buffer = Data("[".utf8)
    private var isEmpty = true

    init(_ url: URL) throws {
        try Data().write(to: url)
        file = try FileHandle(forWritingTo: url)
    }

    static func write(_ objects: some Sequence<String>, to url: URL) throws {
        var file = try ArrayFile(url)
        for object in objects { try file.append(object) }
        try file.close()
    }

    mutating func append(_ object: String) throws {
        if !isEmpty { buffer.append(UInt8(ascii: ",")) }
        isEmpty = false
        buffer.append(contentsOf: object.utf8)
        if buffer.count > 1 << 20 {
            try file.write(contentsOf: buffer)
            buffer.removeAll(keepingCapacity: true)
        }
    }

    mutating func close() throws {
        buffer.append(UInt8(ascii: "]"))
        try file.write(contentsOf: buffer)
        try file.close()
    }
}
