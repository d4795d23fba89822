import AirframeCompression
import AirframeCore
import AirframeHAR
import AirframeJSON
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeSerialization

/// Reads the number of elements in each iteration, as some types do.
private struct Counted: Decodable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while let count = container.count, container.currentIndex < count { _ = try container.decode(Int.self) }
    }
}

@Suite("Cost of contents", .timeLimit(.minutes(2)), .serialized)
struct ContentCostTests {
    private static func decoding<Value: Decodable>(
        _ type: Value.Type,
        _ json: String,
        _ decoder: FastJSONDecoder = FastJSONDecoder()
    ) -> () throws -> Void {
        let data = Data(json.utf8)
        return { consume(try decoder.decode(type, from: data)) }
    }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    private static let json: [CostCase] = [
        CostCase("numbers as any JSON", size: 1000) { count in decoding(AnyJSON.self, list(count) { "\($0)" }) },
        CostCase("fractions as any JSON", size: 1000) { count in
            decoding(AnyJSON.self, list(count) { "\($0).12345678901234" })
        },
        CostCase("strings as any JSON", size: 1000) { count in decoding(AnyJSON.self, list(count) { "\"\($0)\"" }) },
        CostCase("objects as any JSON", size: 200) { count in
            decoding(AnyJSON.self, list(count) { "{\"a\":\($0),\"b\":[]}" })
        },
        CostCase("one large object as any JSON", size: 1000) { count in
            decoding(AnyJSON.self, "{" + (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}")
        },
        CostCase("an array that is asked for its count", size: 1000) { count in
            decoding(Counted.self, list(count) { "\($0)" })
        },
        CostCase("keys that a strategy converts", size: 300) { count in
            var decoder = FastJSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoding([Converted].self, list(count) { "{\"one_two\":\($0)}" }, decoder)
        },
        CostCase("escapes", size: 1000) { count in
            decoding([String].self, "[\"\(String.repeating("\\n\\u00e9", count))\"]")
        },
    ]

    private struct Converted: Decodable {
        let oneTwo: Int
    }

    private static func pushing<Parser: ByteStreamParser & Sendable>(
        _ parser: Parser,
        _ text: String,
        pieces: Int = 1
    ) -> () throws -> Void {
        let data = Data(text.utf8)
        let length = max(1, data.count / pieces)
        let chunks = stride(from: 0, to: data.count, by: length).map { data[$0..<min($0 + length, data.count)] }
        return {
            var (parser, elements) = (parser, [Parser.Element]())
            for chunk in chunks { try parser.push(Data(chunk), into: &elements) }
            consume(elements)
        }
    }

    private static let streams: [CostCase] = [
        CostCase("server-sent events") { count in
            pushing(ServerSentEventParser(), .repeating("id: 1\ndata: a\n\n", count))
        },
        CostCase("one event of many lines, byte by byte") { count in
            pushing(ServerSentEventParser(), .repeating("data: a\n", count), pieces: count * 8)
        },
        CostCase("comments, returns and fields of no meaning") { count in
            pushing(ServerSentEventParser(), .repeating(":\r\r\nx\rretry: 1\r", count))
        },
        CostCase("a line, byte by byte") { count in pushing(LineParser(), .repeating("a", count), pieces: count) },
        CostCase("lines") { count in pushing(LineParser(), .repeating("a\r\n\r", count)) },
        CostCase("newline-delimited JSON") { count in
            pushing(NDJSONFraming(), .repeating("{}\n \n", count), pieces: 100)
        },
        CostCase("JSON text sequences") { count in
            pushing(JSONSequenceFraming(), .repeating("\u{1E}[1]\n\u{1E}[", count), pieces: 100)
        },
        CostCase("the elements of an array") { count in
            pushing(JSONArrayFraming(), "[" + .repeating("{\"a\":[1]} ,", count), pieces: 100)
        },
        CostCase("one element that is nested and long") { count in
            pushing(JSONArrayFraming(), "[" + .repeating("[\"\\\"\",", count), pieces: 1000)
        },
        CostCase("a multipart stream of many parts", size: 5000) { count in
            pushing(MultipartParser(boundary: "x"), .repeating("--x\r\n\r\na\r\n", count))
        },
        CostCase("the header of a part, byte by byte", size: 500) { count in
            pushing(
                MultipartParser(boundary: "x", maximumHeaderLength: 1 << 20), "--x\r\n" + .repeating("A: 1\r\n", count),
                pieces: count * 6)
        },
        CostCase("text in pieces") { count in
            let piece = Data("é".utf8)
            return {
                let assembler = UTF8Assembler()
                for index in 0..<count { consume(assembler.text(of: piece[(index % 2)..<(index % 2 + 1)])) }
            }
        },
    ]

    private static let archives: [CostCase] = [
        CostCase("an archive of many entries", size: 200) { count in
            let entry =
                #"{"startedDateTime":"2026-01-01T00:00:00Z","request":{"method":"GET","url":"http://a.test/"},"#
                + #""response":{"status":200,"content":{"text":"\n\u00e9"}}}"#
            let text =
                #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":["#
                + (0..<count).map { _ in entry }.joined(separator: ",") + "]}}"
            let data = Data(text.utf8)
            return { consume(try HAR.Log(data)) }
        },
        CostCase("an archive that is cut off") { count in
            let text =
                #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":["# + .repeating(" [", 30)
                + .repeating("1 ,", count)
            let data = Data(text.utf8)
            return { consume(try? HAR.Log(data, recovering: true)) }
        },
        CostCase("a message of many fields", size: 1000) { count in
            let headers = (0..<count).map { HAR.Header(name: "X-Field-\($0)", value: "a\nb") }
            let entry = HAR.Entry(
                startedDateTime: Date(),
                time: 0,
                request: HAR.Request(method: "GET", url: "http://a.test/"),
                response: HAR.Response(status: 200, headers: headers),
                timings: HAR.Timings()
            )
            let log = HAR.Log(entries: [entry])
            return { consume(try HARTransport(log)) }
        },
        CostCase("a form") { count in
            let text = String.repeating("a%20+b=c&", count)
            return { consume(HAR.pairs(ofForm: text)) }
        },
    ]

    private static let codings: [CostCase] = [
        CostCase("gzip of many members", size: 500) { count in
            var encoder = try ContentEncoder(.gzip)
            let member = try encoder.encode([UInt8](repeating: 1, count: 10)) + encoder.finish()
            let content = [UInt8]((0..<count).flatMap { _ in member })
            return {
                var decoder = try ContentDecoder(.gzip, limits: .none)
                consume(try decoder.decode(content))
            }
        },
        CostCase("gzip in small pieces", size: 500) { count in
            var encoder = try ContentEncoder(.gzip)
            let content =
                try encoder.encode((0..<count * 40).map { UInt8(truncatingIfNeeded: $0 &* 31) }) + encoder.finish()
            return {
                var decoder = try ContentDecoder(.gzip, limits: .none)
                for byte in content { consume(try decoder.decode([byte])) }
            }
        },
        CostCase("text in EUC-JP and ISO-2022-JP", size: 5000) { count in
            let japanese = Data([UInt8]((0..<count).flatMap { _ in [0xA4, 0xA2] as [UInt8] }))
            let escapes = Data(String.repeating("\u{1B}$B$\"\u{1B}(B", count / 4).utf8)
            return {
                for (data, label) in [(japanese, "euc-jp"), (escapes, "iso-2022-jp")] {
                    let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain;charset=\(label)"])
                    let response = HTTPURLResponse(url: URL(string: "http://a.test/"), head: head)
                    consume(try TextDecoding.text(of: data, in: response))
                }
            }
        },
    ]

    @Test("JSON", arguments: json)
    func decoding(_ item: CostCase) throws { try item.check() }

    @Test("streams", arguments: streams)
    func stream(_ item: CostCase) throws { try item.check() }

    @Test("HTTP archives", arguments: archives)
    func archive(_ item: CostCase) throws { try item.check() }

    @Test("codings and character sets", arguments: codings)
    func coding(_ item: CostCase) throws { try item.check() }
}
