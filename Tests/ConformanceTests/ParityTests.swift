import AirframeConformance
import AirframeCurl
import AirframeSocket
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

/// Both engines decide alike on every response: one must not accept a response that the other refuses, and the reason
/// must be the same.
@Suite("Parity of the engines on invalid input", .timeLimit(.minutes(2)))
struct ParityTests {
    /// An engine's result for a response.
    struct Verdict: Equatable, CustomStringConvertible {
        var status: Int?
        var text: String?
        var code: TransportError.Code?
        var phase: TransportPhase?
        var processing: TransportError.Processing?
        /// In words, not compared.
        var words = ""

        static func == (left: Verdict, right: Verdict) -> Bool {
            left.status == right.status && left.text == right.text && left.code == right.code
                && left.phase == right.phase && left.processing == right.processing
        }

        var description: String { words }
    }

    struct Input: CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let text: String
        let bytes: [UInt8]

        init(_ text: String, method: HTTPRequest.Method = .get) {
            self.text = text
            bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            self.method = method
        }

        var testDescription: String {
            "\(method) \(String(decoding: bytes.prefix(90), as: UTF8.self).debugDescription)"
        }
    }

    private static func verdict(
        of transport: any Transport,
        on request: TransportRequest
    ) async -> Verdict {
        do {
            let response = try await transport.send(request)
            let data = try await response.body.collect(upTo: 1 << 24)
            let text = String(decoding: data, as: UTF8.self)
            return Verdict(
                status: response.head.status.code, text: text,
                words: "\(response.head.status.code) \(text.prefix(80).debugDescription)")
        } catch {
            return Verdict(
                code: error.code, phase: error.phase, processing: error.processing,
                words: "\(error.code) in \(error.phase), \(error.processing): \(error)")
        }
    }

    @Test("The verdict, the error's code, its phase and the processing agree", arguments: inputs)
    func verdicts(_ input: Input) async throws {
        let (curl, socket) = try await Self.verdicts(input)
        #expect(curl == socket)
    }

    @Test("libcurl still has its quirks", arguments: quirks.map { Input($0) })
    func quirk(_ input: Input) async throws {
        let (curl, socket) = try await Self.verdicts(input)
        #expect(socket.text == "ok")
        #expect(curl.code == .malformedResponse && curl.phase == .responseHead, "\(curl)")
    }

    private static func verdicts(_ input: Input) async throws -> (curl: Verdict, socket: Verdict) {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send(input.bytes)
            connection.close()
        }
        defer { server.stop() }
        var request = TransportRequest(
            HTTPRequest(method: input.method, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/"))
        request.options.proxy = ProxyPolicy.none
        request.options.deadline = .seconds(10)
        return (await verdict(of: CurlTransport(), on: request), await verdict(of: SocketTransport(), on: request))
    }

    static let inputs: [Input] = (statusLines + fields + framings + chunks + emptyLines + cuts).filter {
        !quirks.contains($0.text)
    }

    /// Responses that libcurl refuses by itself, and the socket engine accepts: see Docs/Engines.md.
    static let quirks: Set<String> = [
        "HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\nok",
    ]

    private static func lines(_ lines: String, _ body: String = "ok") -> String {
        "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n\(body)"
    }

    private static let statusLines: [Input] = [
        "", "\r\n", "\n", "x", "H", "HTTP", "HTTP/", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 2", "HTTP/1.1 200",
        "HTTP/1.1 200\r\n",
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.0 200 OK\r\n\r\nok",
        "HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/2 200 OK\r\n\r\nok", "HTTP/0.9 200 OK\r\n\r\nok",
        "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1\t200 OK\r\n\r\n", "HTTP/1.1 200\tOK\r\n\r\n", "HTTP/1.1 99 X\r\n\r\n",
        "HTTP/1.1 099 X\r\n\r\n", "HTTP/1.1 600 X\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 1000 X\r\n\r\n", "HTTP/1.1 +20 X\r\n\r\n", "HTTP/1.1 20x X\r\n\r\n", "HTTP/1.1 200 O\u{0}K\r\n\r\n",
        "HTTP/1.1 200 O\rK\r\n\r\n", "HTTP/1.1 200 O\u{1}K\r\nContent-Length: 2\r\n\r\nok", "http/1.1 200 OK\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "HTTP/1.1 101 X\r\n\r\n", "HTTP/1.1 200 OK\n\nok", "220 mail ESMTP\r\n", "<html>ok</html>",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nx", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 20",
        "HTTP/1.1 102 X\r\nTransfer-Encoding: gzip\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 103 X\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}P", "\u{0}\u{0}\u{12}\u{4}\u{0}\u{0}",
    ].map { Input($0) }

    private static let fields: [Input] = [
        " X: 1\r\nContent-Length: 2", "\tX: 1\r\nContent-Length: 2", "X: 1\r\n 2\r\nContent-Length: 2",
        "nothing\r\nContent-Length: 2",
        ": 1\r\nContent-Length: 2", "X : 1\r\nContent-Length: 2", "X Y: 1\r\nContent-Length: 2",
        "X(: 1\r\nContent-Length: 2",
        "X\u{FC}: 1\r\nContent-Length: 2", "X: \u{FC}\r\nContent-Length: 2", "X: \u{0}\r\nContent-Length: 2",
        "X\u{0}: 1\r\nContent-Length: 2",
        "X: a\rb\r\nContent-Length: 2", "X: a\u{1}b\r\nContent-Length: 2", "X: a\u{7F}b\r\nContent-Length: 2",
        "X:\r\nContent-Length: 2",
        "X: a\nContent-Length: 2", "X: a\r\r\nContent-Length: 2", "X: a\n\r\nContent-Length: 2",
        "\rX: a\r\nContent-Length: 2",
        "X\t: a\r\nContent-Length: 2", "\"X\": a\r\nContent-Length: 2", "X: \u{B}\r\nContent-Length: 2",
    ].map { Input(lines($0)) }

    private static let framings: [Input] =
        lengths.flatMap { [Input(lines($0)), Input(lines($0, ""), method: .head)] }
        + codings.flatMap { [Input(lines($0, "2\r\nok\r\n0\r\n\r\n")), Input(lines($0, ""), method: .head)] }
        + lengths.map { Input("HTTP/1.1 304 X\r\n\($0)\r\n\r\n") }
        + codings.map { Input("HTTP/1.1 204 X\r\n\($0)\r\n\r\n") }
        + codings.map { Input("HTTP/1.0 200 X\r\n\($0)\r\n\r\n2\r\nok\r\n0\r\n\r\n") }

    private static let lengths: [String] =
        [
            "+2", "-2", "2 2", "2,2", "2, 3", "02", "0x2", "2.0", "2;", "", " ", "two", "1", "3",
            "18446744073709551618",
            "9223372036854775807", "9223372036854775808", "2,", ",2", "\"2\"", "\u{B2}", "2\t", "2\u{B}", "0002",
        ].map { "Content-Length: \($0)" } + [
            "Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2\r\nContent-Length: 3", "Content-Length : 2",
            "Content-Length: 2\r\n 2", "content-length: 2", "Content-Length: 2\r\n ",
        ]

    private static let codings: [String] =
        [
            "chunked", "Chunked", "chunked, gzip", "gzip, chunked", "gzip", "identity", "rot13", "", ",", ", chunked",
            "chunked,",
            "chunked, chunked", "chunked;q=1", "chunkedchunked", "chunked gzip", "\"chunked\"", "xchunked",
            "chunked\u{B}",
            "\r\n chunked", "chunked\r\n ", "chunked\r\n , gzip", "chun\r\n ked",
        ].map { "Transfer-Encoding: \($0)" } + [
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "Transfer-Encoding: chunked\r\nContent-Length: 2",
            "Content-Length: 2\r\nTransfer-Encoding: chunked", "Transfer-Encoding : chunked",
        ]

    private static let chunks: [Input] =
        [
            "2_\r\nok", "2 \r\nok", " 2\r\nok", "2\t\r\nok", "+2\r\nok", "-2\r\nok", "0x2\r\nok", "g\r\nok", "\r\nok",
            "2;\r\nok",
            "2;;a\r\nok", "2;a=\r\nok", "2;a=b;c\r\nok", "2 ; a = b\r\nok", "2;a=\"b\r\nok", "2;a=\"b;c\"\r\nok",
            "2;a=\"b\"c\r\nok",
            "2;a b\r\nok", "2 a=b\r\nok", "2,\r\nok", "2\nok", "2\r\r\nok", "2\rok", "2\r\nokx", "2\r\no", "0002\r\nok",
            "00000000000000002\r\nok", "0000000000000002\r\nok", "10000000000000002\r\nok", "7fffffffffffffff\r\nok",
            "8000000000000000\r\nok", "ffffffffffffffff\r\nok", "2;\u{0}\r\nok", "2;a=\u{FC}\r\nok", "2 ;a\r\nok",
            "2; \r\nok",
        ].map { Input(lines("Transfer-Encoding: chunked", "\($0)\r\n0\r\n\r\n")) }
        + [
            "2\r\nok\n0\r\n\r\n", "2\r\nok\r\n0\n\r\n", "2\r\nok\r\n0\r\n\n", "2\r\nok0\r\n\r\n",
            "2\r\nok\r\n0 \r\n\r\n",
            "2\r\nok\r\n00\r\n\r\n", "2\r\nok\r\n0;a\r\n\r\n", "2\r\nok\r\n0\r\nX: 1\r\n\r\n",
            "2\r\nok\r\n0\r\nnothing\r\n\r\n",
            "2\r\nok\r\n0\r\n X: 1\r\n\r\n", "2\r\nok\r\n0\r\nX: 1\r\n 2\r\n\r\n", "2\r\nok\r\n0\r\nX : 1\r\n\r\n",
            "2\r\nok\r\n0\r\nX: 1\n\r\n",
            "2\r\nok\r\n0\r\nX: \u{0}\r\n\r\n", "2\r\nok\r\n0\r\n\r\nsurplus", "2\r\nok\r\n0\r\nx", "2\r\nok\r\n0\r\n",
            "2\r\nok\r\n0",
            "2\r\nok\r\n", "2\r\nok", "2\r\n", "2", "",
        ].map { Input(lines("Transfer-Encoding: chunked", $0)) }

    private static let emptyLines: [Input] =
        (1...6).map { count in
            Input(String(repeating: "\r\n", count: count) + lines("Content-Length: 2"))
        }
        + [
            "HTTP/1.1 100 Continue\r\n\r\n\r\n" + lines("Content-Length: 2"),
            "HTTP/1.1 103 X\r\n\r\n\r\n\r\n" + lines("Transfer-Encoding: chunked", "2\r\nok\r\n0\r\n\r\n"),
            "\n" + lines("Content-Length: 2"), "\r" + lines("Content-Length: 2"), "\r\nx",
            "\r\n" + lines("Content-Length: 3"),
            "\r\n" + lines("Transfer-Encoding: gzip"), "\r\n" + lines(" X: 1"), "\r\nHTTP/1.1 204 X\r\n\r\n",
            "\r\n" + lines("Content-Length: 2", "oksurplus"),
        ].map { Input($0) }

    private static let cuts: [Input] = [
        lines("Content-Length: 2", ""), lines("Content-Length: 2", "o"), lines("Content-Length: 2", "oks"),
        lines("X: 1", "until close"),
        "HTTP/1.1 204 X\r\n\r\nstray", "HTTP/1.1 304 X\r\nContent-Length: 2\r\n\r\nstray",
        "HTTP/1.1 205 X\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 407 X\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 417 X\r\nContent-Length: 2\r\n\r\nok",
    ].map { Input($0) }
}
