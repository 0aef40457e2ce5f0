import Digests
import Foundation
import RequestQueue

/// A file of the cache is refused, or equal to the written file of its response; its checksum and name are corrected,
/// because no other file would be read.
func fuzzCacheFile(_ text: LentText) {
    var data = Data(text.bytes)
    guard data.count >= 60 else { return expect(CacheFile.decode(data, name: "") == nil, "too short, and a response") }
    let length = Int(UInt32(littleEndian: data[56..<60].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }))
    let name = String(decoding: data.dropFirst(60).prefix(length), as: UTF8.self)
    _ = CacheFile.decode(data, name: name)
    var digest = SHA256()
    digest.update(Array(data[..<24] + data[56...]))
    data.replaceSubrange(24..<56, with: digest.finalize())
    guard let response = CacheFile.decode(data, name: name) else { return }
    expect(CacheFile.encode(response, name: name) == data, "another file of the same response")
}
