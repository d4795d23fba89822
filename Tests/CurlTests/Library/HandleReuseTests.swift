import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Requests one after another", .timeLimit(.minutes(1)))
struct HandleReuseTests {
    /// Requests of all kinds to two servers.
    private static let kinds: [@Sendable (_ first: String, _ second: String) -> TransportRequest] = [
        { first, _ in TransportRequest(.get, "\(first)/one") },
        { first, _ in TransportRequest(.get, "\(first)/two?a=b") },
        { _, second in TransportRequest(.get, "\(second)/one") },
        { first, _ in TransportRequest(.get, "\(first)/one", fields: [.accept: "text/css", .userAgent: "tests"]) },
        { first, _ in TransportRequest(.get, "\(first)/one", body: .bytes(Data("content".utf8))) },
        { first, _ in TransportRequest(.post, "\(first)/one", body: .bytes(Data("content".utf8))) },
        { first, _ in TransportRequest(.put, "\(first)/one", body: .bytes(Data(repeating: 0x61, count: 40_000))) },
        { first, _ in TransportRequest(.post, "\(first)/one") },
        { first, _ in TransportRequest(.head, "\(first)/one") },
        { first, _ in TransportRequest(.delete, "\(first)/one") },
        { first, _ in
            TransportRequest(.options, "\(first)/").with { $0.head.path = "*" }
        },
        { first, _ in
            TransportRequest(.get, "\(first)/one").with { $0.options.priority = RequestPriority(urgency: 1) }
        },
        { first, _ in
            TransportRequest(.get, "\(first)/one").with { $0.options.deadline = .seconds(30) }
        },
        { first, _ in
            TransportRequest(.get, "\(first)/one").with { $0.options.localAddress = "127.0.0.1" }
        },
    ]

    @Test("a request does not depend on earlier requests of the transport", arguments: kinds.indices)
    func anyOrder(before: Int) async throws {
        let servers = [try ScriptedServer.answering(), try ScriptedServer.answering()]
        func make(_ index: Int) -> TransportRequest { Self.kinds[index](servers[0].origin, servers[1].origin) }
        func newlyReceived(_ send: () async throws -> Void) async throws -> [String] {
            let known = servers.map { server in server.connections.map(\.received.count) }
            try await send()
            return zip(servers, known).map { server, known in
                server.connections.enumerated().map { index, connection in
                    let bytes = connection.received
                    return String(decoding: bytes.dropFirst(index < known.count ? known[index] : 0), as: UTF8.self)
                }.joined()
            }
        }
        let transport = CurlTransport()
        for after in Self.kinds.indices {
            let alone = try await newlyReceived { _ = try await CurlTransport().fetch(make(after)) }
            #expect(alone.joined().contains(" HTTP/1.1\r\n"))
            _ = try await transport.fetch(make(before))
            let later = try await newlyReceived { _ = try await transport.fetch(make(after)) }
            #expect(later == alone)
        }
    }

    @Test("fields of any number and size arrive in order", arguments: [1, 7, 100], [0, 90, 3000])
    func manyFields(count: Int, size: Int) async throws {
        let server = try ScriptedServer.answering()
        var fields = HTTPFields()
        for index in 0..<count {
            let name = try #require(HTTPField.Name("X-Field-\(index)"))
            fields.append(HTTPField(name: name, value: String(repeating: "v", count: (size + index) % 3001)))
        }
        _ = try await CurlTransport().fetch(TransportRequest(.get, server.origin, fields: fields))
        let lines = server.connections[0].receivedText.components(separatedBy: "\r\n")
        #expect(
            lines.dropFirst(2).dropLast(2)
                == fields.map { $0.value.isEmpty ? "\($0.name):" : "\($0.name): \($0.value)" }[...])
    }
}
