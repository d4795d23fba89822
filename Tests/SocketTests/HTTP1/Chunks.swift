import AirframeSocket
import AirframeTransport
import HTTPTypes
import Testing

@Suite("chunked requests (RFC 9112 §7.1)", .timeLimit(.minutes(1)))
struct Chunks {
    @Test(
        "a prefix is the size in hexadecimal digits",
        arguments: [
            (0, ""), (1, "1\r\n"), (15, "f\r\n"), (16, "10\r\n"), (4096, "1000\r\n"), (.max, "7fffffffffffffff\r\n"),
            (-1, ""),
        ]
    )
    func prefix(_ count: Int, _ expected: String) {
        var buffer: [UInt8] = []
        HTTP1Chunks.writePrefix(of: count, to: &buffer)
        #expect(String(decoding: buffer, as: UTF8.self) == expected)
    }

    @Test("the end, with and without a trailer")
    func end() throws {
        var buffer: [UInt8] = []
        try HTTP1Chunks.writeEnd(to: &buffer)
        #expect(buffer == "0\r\n\r\n".latin1)
        buffer = []
        var trailers = HTTPFields()
        for value in ["1", "2"] { trailers.append(HTTPField(name: .eTag, value: value)) }
        try HTTP1Chunks.writeEnd(trailers: trailers, to: &buffer)
        #expect(buffer == "0\r\nETag: 1\r\nETag: 2\r\n\r\n".latin1)
    }

    @Test("a long trailer is written completely")
    func longTrailer() throws {
        var buffer: [UInt8] = []
        let value = String(repeating: "x", count: 10_000)
        try HTTP1Chunks.writeEnd(trailers: [.eTag: value], to: &buffer)
        #expect(buffer.count == value.utf8.count + 13)
    }

    @Test(
        "fields for framing, routing or authentication are rejected as trailers (RFC 9110 §6.5.1)",
        arguments: [HTTPField.Name.contentLength, .transferEncoding, .authorization, .contentType, .trailer]
    )
    func forbidden(_ name: HTTPField.Name) {
        var buffer: [UInt8] = [1]
        let error = #expect(throws: TransportError.self) {
            try HTTP1Chunks.writeEnd(trailers: [name: "1"], to: &buffer)
        }
        #expect(error?.phase == .requestBody)
        #expect(buffer == [1])
    }

    @Test("a recipient reads the same content that was written")
    func roundTrip() {
        var buffer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".latin1
        var content: [UInt8] = []
        for count in [1, 15, 16, 255, 4096, 70_000] {
            let piece = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            HTTP1Chunks.writePrefix(of: count, to: &buffer)
            buffer += piece + HTTP1Chunks.suffix
            content += piece
        }
        #expect(throws: Never.self) { try HTTP1Chunks.writeEnd(trailers: [.eTag: "x"], to: &buffer) }
        let transcript = Transcript(of: buffer)
        #expect(transcript.body == content)
        #expect(transcript.events.last == #"end ETag="x""#)
    }
}
