import Airframe
import AirframeConformance
import Foundation
import HTTPTypes
import Testing

@Suite("Heads that requests share", .timeLimit(.minutes(1)))
struct SharedHeadTests {
    private let heads = Log<HTTPRequest>()

    private func session(_ configuration: URLSessionConfiguration = .af.default) -> Session {
        let transport = ClosureTransport { [heads] request in
            heads.append(request.head)
            return TransportResponse(
                head: HTTPResponse(status: .ok), body: ResponseBody(Data("ok".utf8)), request: request.head)
        }
        return kept(Session(transport: transport, configuration: configuration))
    }

    @Test("a request that changes its head does not change those of later requests for the same URL")
    func changes() async throws {
        let session = session()
        let url = "http://api.test/feed"
        let own = try #require(HTTPField.Name("X-Own"))
        _ = try await session.request(url).serializingString().value
        _ = try await session.request(url, headers: ["X-Own": "1"]).serializingString().value
        _ = await session.request(url, requestModifier: { $0.httpMethod = "HEAD" }).serializingData(
            emptyRequestMethods: [.head]
        ).response
        _ = try await session.request(url).serializingString().value
        let all = heads.values
        #expect(all.map(\.method) == [.get, .get, .head, .get])
        #expect(all.map { $0.headerFields[values: own] } == [[], ["1"], [], []])
        #expect(all.first == all.last)
        #expect(all.first?.headerFields.contains(.userAgent) == true)
    }

    @Test("requests for alternating URLs have their own targets")
    func targets() async throws {
        let session = session()
        for path in ["/a", "/b", "/a", "/b?c=d"] {
            _ = try await session.request("http://api.test\(path)").serializingString().value
        }
        #expect(heads.values.map(\.path) == ["/a", "/b", "/a", "/b?c=d"])
    }

    @Test("a layer that changes a request does not change the next one")
    func layers() async throws {
        let configuration = URLSessionConfiguration.af.default
        configuration.layers.insert(below: .redirects) { Stamp(base: $0) }
        let session = session(configuration)
        for _ in 1...3 { _ = try await session.request("http://api.test/feed").serializingString().value }
        #expect(heads.values.map { $0.headerFields[values: .via] } == [["1"], ["1"], ["1"]])
    }

    /// A layer that adds a field to each request.
    private struct Stamp: TransportLayer {
        let base: any Transport

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            var request = request
            request.head.headerFields.append(HTTPField(name: .via, value: "1"))
            return try await base.send(request)
        }
    }

    @Test("a URL with a password sends its credentials, and the next one its own")
    func passwords() async throws {
        let session = session()
        for user in ["ann", "bob"] {
            _ = try await session.request("http://\(user):secret@api.test/").serializingString().value
        }
        let values = heads.values.map { $0.headerFields[.authorization] }
        #expect(values == ["ann:secret", "bob:secret"].map { "Basic " + Data($0.utf8).base64EncodedString() })
    }
}
