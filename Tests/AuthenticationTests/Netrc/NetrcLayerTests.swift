import AirframeAuthentication
import AirframeCurl
import AirframeLayers
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The netrc layer", .timeLimit(.minutes(1)))
struct NetrcLayerTests {
    private static func layers(_ base: any Transport, _ text: String) throws -> any Transport {
        RedirectLayer(NetrcLayer(AuthenticationLayer(base), try Netrc(text)))
    }

    private static func basic(_ pair: String) -> String { "Basic \(Data(pair.utf8).base64EncodedString())" }

    @Test("answers challenges with the entry of the host, and sends nothing preemptively")
    func answers() async throws {
        let base = ScriptedTransport(challenging: "Basic realm=\"r\"")
        let transport = try Self.layers(base, "machine api.test login u password p")
        #expect(try await transport.send(.to(user: nil)).head.status == .ok)
        #expect(base.authorizations == [nil, Self.basic("u:p")])
        let other = ScriptedTransport(challenging: "Basic realm=\"r\"")
        let elsewhere = try Self.layers(other, "machine other.test login u password p")
        #expect(try await elsewhere.send(.to(user: nil)).head.status == .unauthorized)
    }

    @Test("keeps a credential or an Authorization of the request")
    func own() async throws {
        let base = ScriptedTransport(challenging: "Basic realm=\"r\"")
        let transport = try Self.layers(base, "default login u password p")
        _ = try await transport.send(.to(user: "own", password: "x"))
        #expect(base.authorizations == [nil, Self.basic("own:x")])
        var request = TransportRequest.to(user: nil)
        request.head.headerFields[.authorization] = "Bearer t"
        _ = try await transport.send(request)
        #expect(base.authorizations.last == "Bearer t")
    }

    @Test("gives each hop of a redirect the entry of its own host")
    func redirects() async throws {
        let base = ScriptedTransport { request in
            guard request.head.headerFields.contains(.authorization) else {
                return .challenge(["Basic realm=\"r\""], to: request)
            }
            guard request.head.authority == "api.test" else { return .status(200, to: request) }
            return .status(302, fields: [.location: "http://other.test/"], to: request)
        }
        let transport = try Self.layers(
            base, "machine api.test login a password 1 machine other.test login b password 2")
        #expect(try await transport.send(.to(user: nil)).head.status == .ok)
        #expect(base.authorizations == [nil, Self.basic("a:1"), nil, Self.basic("b:2")])
    }

    @Test(
        "authenticates to Apache by Basic and Digest over each engine",
        .enabled(if: Peers.areExpected),
        arguments: ["curl", "sockets"], ["basic", "digest"]
    )
    func apache(engine: String, place: String) async throws {
        let port = try Peers.required().port("apache")
        let base: any Transport = engine == "curl" ? CurlTransport() : SocketTransport()
        let transport = try Self.layers(base, #"machine 127.0.0.1 login airframe password "open: sesame""#)
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/\(place)/file.txt")
        var request = TransportRequest(head)
        request.options.proxy = ProxyPolicy.none
        let response = try await transport.send(request)
        #expect(String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self) == "from \(place)\n")
    }
}
