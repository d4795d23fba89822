import AirframeTransport
import Testing

@Suite("Names and descriptions", .timeLimit(.minutes(1)))
struct DescriptionTests {
    @Test(
        "A version of HTTP has the name that metrics use",
        arguments: zip(HTTPVersion.allCases, ["http/1.0", "http/1.1", "h2", "h3"]))
    func httpVersions(version: HTTPVersion, name: String) {
        #expect(version.networkProtocolName == name)
    }

    @Test("Versions of TLS are ordered by age and read as in the standards")
    func tlsVersions() {
        #expect(TLSVersion.allCases.sorted() == [.tls1_0, .tls1_1, .tls1_2, .tls1_3])
        #expect(TLSVersion.allCases.map(\.description) == ["TLS 1.0", "TLS 1.1", "TLS 1.2", "TLS 1.3"])
        #expect(TLSVersion.tls1_3.rawValue == 0x0304)
    }

    @Test(
        "The address of a connection's end has its usual form",
        arguments: [
            (SocketAddress.ip("127.0.0.1", port: 80), "127.0.0.1:80"), (.ip("::1", port: 80), "[::1]:80"),
            (.unix(path: "/run/s"), "unix:/run/s"),
        ]
    )
    func addresses(address: SocketAddress, text: String) {
        #expect(address.description == text)
    }

    @Test("Bytes in DER show only their number")
    func der() {
        #expect("\(DER([1, 2, 3]))" == "DER (3 bytes)")
    }

    @Test("A connection has constant properties, and only its reuse and stream differ among its exchanges")
    func connection() {
        let tls = TLSDescription(version: .tls1_3, cipherSuite: "TLS_AES_128_GCM_SHA256", applicationProtocol: "h2")
        var connection = TransportConnection(
            id: 4,
            httpVersion: .http2,
            localAddress: .ip("127.0.0.1", port: 1),
            remoteAddress: .ip("127.0.0.1", port: 2),
            isProxied: true,
            tls: tls
        )
        #expect(connection.id == 4)
        #expect(connection.httpVersion == .http2)
        #expect(connection.localAddress == .ip("127.0.0.1", port: 1))
        #expect(connection.remoteAddress == .ip("127.0.0.1", port: 2))
        #expect(connection.isProxied)
        #expect(connection.tls == tls)
        #expect(!connection.isReused)
        connection.isReused = true
        #expect(connection.isReused)
        #expect(connection.streamID == nil)
        connection.streamID = 0x7FFF_FFFF
        #expect(connection.streamID == 0x7FFF_FFFF)
        connection.streamID = 1 << 40
        #expect(connection.streamID == nil)
        #expect(TransportConnection(id: 4, httpVersion: .http2, streamID: 5).streamID == 5)
    }
}
