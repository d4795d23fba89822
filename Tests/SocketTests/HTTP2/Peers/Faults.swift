import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("A server that violates the protocol", .timeLimit(.minutes(2)), .enabled(if: Peers.areExpected))
struct Faults {
    /// The outcome of a request whose first attempt meets a fault.
    enum Result {
        /// A response, from the same attempt or from one on another connection.
        case answered
        case fails([TransportError.Code])
    }

    struct Case: CustomTestStringConvertible {
        let fault: String
        let result: Result
        var testDescription: String { fault }
    }

    static let cases = [
        Case(fault: "refuse", result: .answered),
        Case(fault: "exclude", result: .answered),
        Case(fault: "informational", result: .answered),
        Case(fault: "padded", result: .answered),
        Case(fault: "reset", result: .fails([.connectionLost])),
        Case(fault: "reset-in-content", result: .fails([.connectionLost])),
        Case(fault: "close", result: .fails([.connectionLost])),
        // A server that closes a connection with unread bytes resets it.
        Case(fault: "close-in-content", result: .fails([.bodyTruncated, .connectionLost])),
        Case(fault: "abort", result: .fails([.connectionLost])),
        Case(fault: "short", result: .fails([.bodyTruncated])),
        Case(fault: "long", result: .fails([.malformedResponse])),
        Case(fault: "uppercase", result: .fails([.malformedResponse])),
        Case(fault: "connection-field", result: .fails([.malformedResponse])),
        Case(fault: "pseudo-trailers", result: .fails([.malformedResponse])),
        Case(fault: "malformed-block", result: .fails([.malformedResponse])),
        Case(fault: "push", result: .fails([.malformedResponse])),
        Case(fault: "overflow", result: .fails([.malformedResponse])),
    ]

    private func request(_ fault: String? = nil) throws -> TransportRequest {
        let port = try Peers.required().port("http2FaultsPlain")
        return TransportRequest(.get, "http://127.0.0.1:\(port)/").with {
            var values = ["x-id": UUID().uuidString, "x-length": "12"]
            values["x-fault"] = fault
            $0.head.headerFields = HTTPFields(named: values)
            $0.options.httpVersion = .http2PriorKnowledge
            $0.options.deadline = .seconds(20)
        }
    }

    @Test("over sockets, every fault has the outcome that the violated rule requires", arguments: cases)
    func sockets(_ fault: Case) async throws {
        let transport = SocketTransport()
        let request = try request(fault.fault)
        switch fault.result {
        case .answered: #expect(try await transport.text(request) == String(repeating: "x", count: 12))
        case .fails(let codes):
            let error = try #require(await transport.failure(of: request))
            #expect(codes.contains(error.code), "\(error)")
            #expect(error.processing == .unknown, "\(error)")
        }
        // The next request succeeds, on the same connection or on another.
        #expect(try await transport.text(self.request()) == String(repeating: "x", count: 12))
        #expect(transport.statistics.busyConnectionCount == 0)
    }

    /// libcurl 7.88 ends a response at its declared length, and loses the trailers (Docs/Engines.md).
    private static let casesOfLibcurl = cases.filter { $0.fault != "pseudo-trailers" }

    @Test("over libcurl, no fault is delivered as a response", arguments: casesOfLibcurl)
    func libcurl(_ fault: Case) async throws {
        let transport = CurlTransport()
        guard transport.capabilities.features.contains(.http2PriorKnowledge) else { return }
        let request = try request(fault.fault)
        switch fault.result {
        case .answered: #expect(try await transport.text(request) == String(repeating: "x", count: 12))
        case .fails:
            let error = try #require(await transport.failure(of: request))
            #expect(error.processing != .notProcessed, "\(error)")
        }
    }
}
