import AirframeHAR
import AirframeMock
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Damaged archives", .timeLimit(.minutes(2)))
struct DamageTests {
    /// An archive with all that the format has.
    private static func archive() -> Data {
        let header = HAR.Header(name: "Content-Length", value: "3")
        let cookie = HAR.Cookie(name: "a", value: "b", expires: Date(timeIntervalSince1970: 0), secure: true)
        var answer = HAR.Response(status: 200, statusText: "OK", cookies: [cookie], headers: [header])
        answer.content = HAR.Content(size: 3, mimeType: "text/plain", text: "YWJj", encoding: "base64")
        answer.custom = [
            "_errorCode": "connectionLost", "_informational": [["status": 103, "headers": []]],
            "_trailers": [["name": "ETag", "value": "x"]],
        ]
        let request = HAR.Request(
            method: "POST",
            url: "http://a.test/?x=1",
            headers: [header],
            postData: HAR.PostData(mimeType: "text/plain", text: "{}"),
            headersSize: 5,
            bodySize: 2
        )
        let entry = HAR.Entry(
            startedDateTime: Date(timeIntervalSince1970: 1),
            time: 6,
            request: request,
            response: answer,
            timings: HAR.Timings(blocked: 1, dns: 1, connect: 1, send: 1, wait: 1, receive: 1, ssl: 1)
        )
        return HAR.Log(pages: [HAR.Page(startedDateTime: Date(), id: "p", title: "t")], entries: [entry]).data
    }

    @Test("damaged bytes are reported or tolerated by reading and replaying", arguments: 0..<40)
    func damage(seed: Int) async throws {
        let whole = Self.archive()
        var generator = Generator(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
        let bytes = Array(#"0123456789-+.eE{}[]",:\/untrlf"#.utf8) + [0, 0x80, 0xFF, 0x20]
        for _ in 0..<25 {
            var data = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<data.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: data.remove(at: place)
                case 1: data.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
                case 2: data[place] = bytes.randomElement(using: &generator) ?? 0
                default: data = data.prefix(max(1, place))
                }
            }
            guard let log = try? HAR.Log(data, recovering: Bool.random(using: &generator)) else { continue }
            #expect(try HAR.Log(log.data).entries.count == log.entries.count)
            let configuration = HARTransport.Configuration(matching: .strict, timing: .original)
            guard let transport = try? HARTransport(log, configuration: configuration) else { continue }
            let head = HTTPRequest(method: .post, scheme: "http", authority: "a.test", path: "/?x=1")
            let request = TransportRequest(head, body: .bytes(Data("{}".utf8)))
            _ = try? await transport.send(request).body.collect(upTo: 100)
        }
    }
}

/// A generator that draws the same from the same start.
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
