import MappingDigests
import Foundation
import RequestQueue

/// A file of the cache is refused, or equal to the written file of its response.
///
/// Its checksums and its name are corrected, because otherwise no file would be read.
func fuzzCacheFile(_ text: LentText) {
    var data = Data(text.bytes)
    guard data.count >= 92 else { return expect(CacheFile.decode(data, name: "") == nil, "too short, and a response") }
    func number(at offset: Int) -> Int {
        Int(
            UInt32(
                littleEndian: data[offset..<offset + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }))
    }
    let name = String(decoding: data.dropFirst(92).prefix(number(at: 88)), as: UTF8.self)
    _ = CacheFile.decode(data, name: name)
    let bodyStart = min(88 + number(at: 12), data.count)
    var digest = SHA256()
    digest.update(Array(data[bodyStart...]))
    data.replaceSubrange(24..<56, with: digest.finalize())
    digest = SHA256()
    digest.update(Array(data[..<56] + data[88..<bodyStart]))
    data.replaceSubrange(56..<88, with: digest.finalize())
    guard let response = CacheFile.decode(data, name: name) else { return }
    expect(CacheFile.encode(response, name: name) == data, "another file of the same response")
}
