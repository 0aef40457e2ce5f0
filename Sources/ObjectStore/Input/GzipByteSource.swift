import CMappingZlib
import MappingInflation
package import ObjectMapping

/// The text of a gzip file with one or several members (RFC 1952), decompressed into the reader's window.
///
/// Only zeros, as on tapes, may follow the last member.
package final class GzipByteSource: ByteSource {
    private enum State { case start, member, between, padding, ended }

    private var file: any ByteSource
    private let name: String
    private let longestText: Int
    /// The error that is thrown for a failure.
    private let error: (GzipFailure) -> any Error
    private let stream: InflateStream
    private let block = ByteBlock(count: 64 << 10)
    /// The compressed bytes of the block that were not read yet.
    private var unread = 0..<0
    private var state = State.start
    /// The number of bytes read from the file, and of bytes in the text.
    private var fileCount: Int64 = 0
    private var textCount: Int64 = 0
    private var isFileAtEnd = false

    /// - Parameters:
    ///   - name: The name of the file in messages.
    ///   - longestText: The maximum length of the text in bytes; a longer text is an error.
    ///   - error: Creates the errors that are thrown.
    package init(
        _ file: any ByteSource, name: String, longestText: Int, error: @escaping (GzipFailure) -> any Error
    ) throws {
        self.file = file
        self.name = name
        self.longestText = longestText
        self.error = error
        // 15 is the window of 32 KB that gzip uses, 16 requests gzip's header and checksum.
        let (stream, code) = InflateStream.start(windowBits: 15 + 16)
        guard let stream else { throw error(.system("zlib does not start (\(code))")) }
        self.stream = stream
    }

    package func read(into text: MutableByteView) throws -> Int {
        var count = 0
        while text.count > 0, count == 0, state != .ended {
            if unread.isEmpty { try fill() }
            switch state {
            case .start: try begin()
            case .member: count = try inflateMember(into: text)
            case .between: endMember()
            case .padding: try skipPadding()
            case .ended: break
            }
        }
        return count
    }

    private func fill() throws {
        guard !isFileAtEnd else { return }
        let count = try file.read(into: block.bytes)
        isFileAtEnd = count == 0
        fileCount += Int64(count)
        unread = 0..<count
    }

    private var next: UInt8? { unread.first.map { block.bytes[$0] } }

    private func begin() throws {
        guard let first = next else { throw damage("the file is empty") }
        guard first == Gzip.magic[0] else {
            throw damage("it does not start with a gzip header", advice: "If it is plain JSON, name it without '.gz'.")
        }
        state = .member
    }

    /// - Returns: The number of bytes in the text.
    private func inflateMember(into text: MutableByteView) throws -> Int {
        let step = block.bytes.view.part(unread).withRawSpan { input in
            text.withMutableRawSpan { stream.inflate(input, into: &$0) }
        }
        unread = unread.dropFirst(step.taken)
        textCount += Int64(step.count)
        guard textCount <= Int64(longestText) else {
            throw damage(
                "its text is longer than \(longestText) bytes, too many for a file of this size",
                advice: "If that is intended, decompress it first with gunzip.")
        }
        switch step.code {
        case Z_STREAM_END: state = .between
        case Z_OK: break
        case Z_BUF_ERROR:
            guard isFileAtEnd else { return step.count }
            throw damage("the file is truncated", advice: "Copy or download it again.")
        case Z_MEM_ERROR: throw error(.system("out of memory"))
        default: throw damage(stream.message ?? "zlib error \(step.code)")
        }
        return step.count
    }

    /// Handles the end of a member: another member, zeros up to the end, or the end.
    private func endMember() {
        switch next {
        case nil: state = .ended
        case Gzip.magic[0]:
            stream.reset()
            state = .member
        default: state = .padding
        }
    }

    private func skipPadding() throws {
        while let byte = next {
            guard byte == 0 else { throw damage("other data follows") }
            unread = unread.dropFirst()
        }
        if isFileAtEnd { state = .ended }
    }

    private func damage(_ what: String, advice: String = "Copy it again.") -> any Error {
        let place = "byte \(fileCount - Int64(unread.count)) of the file, byte \(textCount) of its text"
        return error(.damaged("\(name) is not valid gzip: \(what) (at \(place))", advice: advice))
    }
}

/// The reason why a gzip file cannot be read.
package enum GzipFailure: CustomStringConvertible {
    /// The file is damaged.
    case damaged(String, advice: String)
    case system(String)

    package var description: String {
        switch self {
        case .damaged(let message, _): message
        case .system(let cause): cause
        }
    }
}
