import AirframeConformance
import AirframeSocket
import HTTPTypes
import Testing

@Suite("Uploads that share an HTTP/2 connection", .timeLimit(.minutes(1)))
struct SharedUploads {
    @Test(
        "an upload whose content never runs out leaves room for another one, even if the server ignores priorities",
        arguments: [false, true])
    func rotation(ignoresPriorities: Bool) throws {
        let settings: [(UInt16, UInt32)] = ignoresPriorities ? [(4, 1 << 24), (9, 1)] : [(4, 1 << 24)]
        let server = try MemoryServer(settings: settings)
        server.receive([.windowUpdate(1 << 24)])
        let uploads = [try server.open(.post, hasContent: true), try server.open(.post, hasContent: true)]
        let content = Array(repeating: UInt8(7), count: 64 << 10)
        var counts: [UInt32: Int] = [:]
        for _ in 0..<10 {
            // As the tasks of the uploads do while the socket has no room.
            for upload in uploads {
                while let count = content.withUnsafeBytes({ server.session.send($0, on: upload) }), count > 0 {}
            }
            for frame in server.frames() where frame.type == 0 {
                counts[frame.stream, default: 0] += frame.payload.count
            }
        }
        let (first, second) = (counts[1] ?? 0, counts[3] ?? 0)
        #expect(min(first, second) * 2 > max(first, second), "\(counts)")
    }

    @Test("SETTINGS does not declare that priorities of RFC 7540 are ignored (RFC 9218 §2.1)")
    func settings() throws {
        let session = try HTTP2Session()
        var bytes: [UInt8] = []
        session.write { output in
            bytes = Array(output)
            return output.count
        }
        let settings = bytes.dropFirst(HTTP2Frame.preface.count)
        let length = try #require(settings.dropFirst(2).first)
        let payload = Array(settings.dropFirst(9).prefix(Int(length)))
        let identifiers = stride(from: 1, to: payload.count, by: 6).map { payload[$0] }
        #expect(identifiers.contains(2))
        #expect(!identifiers.contains(9))
    }
}
