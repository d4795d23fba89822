import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCache

@Suite("Encoded entries", .timeLimit(.minutes(1)))
struct EntryCoderTests {
    @Test("an entry has at most 10,000 header fields", arguments: [10_000, 10_001])
    func limit(count: Int) throws {
        let key = CacheKey(uri: "http://api.test/x")
        let now = Date()
        let head = HTTPResponse.make(200, (0..<count).map { ("x-\($0)", "") })
        let entry = try #require(
            CacheEntry(key: key, answering: get("/x").head, head: head, requestTime: now, responseTime: now))
        let restored = CacheEntry(encoded: entry.encoded())
        #expect(restored?.head.headerFields.count == (count == 10_000 ? count : nil))
    }

    @Test("a count of fields that HTTPFields cannot hold is damage, although the checksum is right")
    func forged() {
        var payload = ByteWriter()
        payload.text("http://api.test/x")
        payload.number(UInt32(1))
        payload.number(UInt64(1))
        payload.number(UInt16(200))
        payload.number(UInt32(70_000))
        for _ in 0..<70_000 {
            payload.text("a")
            payload.data(Data())
        }
        var checksum = Checksum()
        checksum.update(payload.bytes)
        var file = ByteWriter()
        file.bytes = EntryCoder.magic
        file.number(UInt64(payload.bytes.count))
        file.number(checksum.value)
        #expect(CacheEntry(encoded: Data(file.bytes + payload.bytes)) == nil)
    }
}
