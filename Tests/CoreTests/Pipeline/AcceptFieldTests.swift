import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Accept: */*", .timeLimit(.minutes(1)))
struct AcceptFieldTests {
    private static let url = "http://api.test/"

    @Test(
        "is sent with a request that has no Accept, as by URLSession",
        arguments: [[:], ["X-Own": "1"]] as [[String: String]])
    func sent(headers: [String: String]) async throws {
        let text = try await echoSession().request(Self.url, headers: HTTPHeaders(headers)).text
        #expect(text.contains("\naccept: */*\n"))
    }

    @Test("is not sent with a request or from a session that has the field")
    func own() async throws {
        let own = try await echoSession().request(Self.url, headers: [.accept("application/json")]).text
        #expect(own.contains("\naccept: application/json\n") && !own.contains("accept: */*"))
        let session = echoSession { $0.headers.add(.accept("text/csv")) }
        for headers in [[:], ["X-Own": "1"]] as [HTTPHeaders] {
            let text = try await session.request(Self.url, headers: headers).text
            #expect(text.contains("\naccept: text/csv\n") && !text.contains("accept: */*"))
        }
    }

    @Test("is in neither the URLRequest nor the curl command, and is not a type to validate")
    func hidden() async throws {
        let session = echoSession()
        let request = session.request(Self.url)
        let response = await request.validate().serializingString().response
        #expect(response.error == nil)
        #expect(request.request?.value(forHTTPHeaderField: "Accept") == nil)
        #expect(!request.cURLDescription().contains("Accept:"))
        #expect(session.sessionConfiguration.headers["Accept"] == nil)
    }

    @Test("reaches the server over each engine, once", arguments: TestedEngine.allCases)
    func onTheWire(engine: TestedEngine) async throws {
        let server = try ScriptedServer.echoing()
        defer { server.stop() }
        let session = engine.session()
        let plain = try await session.request(server.origin).text.lowercased()
        #expect(plain.split(separator: "\r\n").filter { $0.hasPrefix("accept:") } == ["accept: */*"])
        let own = try await session.request(server.origin, headers: [.accept("text/plain")]).text.lowercased()
        #expect(own.split(separator: "\r\n").filter { $0.hasPrefix("accept:") } == ["accept: text/plain"])
    }
}
