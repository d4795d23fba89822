import AirframeCompression
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Events of several exchanges under the layer that decodes content", .timeLimit(.minutes(1)))
struct ReleaseGateTests {
    /// A cache over an engine. It reports the events of two exchanges and answers with coded bytes.
    private struct StubCache: Transport {
        enum Course {
            /// The first exchange validates the stored response, which is the second one's.
            case validates
            /// The first exchange is answered from the store, and the second one validates in the background.
            case validatesInBackground
        }

        let course: Course
        let bytes: [UInt8]
        let capabilities = TransportCapabilities(engine: "cache", features: [])

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            var second = request
            second.beginNewExchange()
            switch course {
            case .validates:
                report([.started(request.head), Self.head(.notModified), .released(.kept)], request)
                serve(second)
            case .validatesInBackground:
                serve(request)
                // The engine may send the validation again on another connection.
                let retry = TransportDecision(.retried(attempt: 2), reason: "the connection was closed")
                let kinds: [TransportEvent.Kind] = [
                    .started(second.head), .decided(retry), Self.head(.notModified), .released(.kept),
                ]
                report(kinds, second)
            }
            let head = HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"])
            return TransportResponse(head: head, body: ResponseBody(Data(bytes)), request: request.head)
        }

        private func serve(_ request: TransportRequest) {
            let decision = TransportDecision(.servedFromCache, reason: "it is fresh")
            report([.started(request.head), .decided(decision), Self.head(.ok), .released(.unknown)], request)
        }

        private func report(_ kinds: [TransportEvent.Kind], _ request: TransportRequest) {
            for kind in kinds { request.report(kind, on: clock) }
        }

        private static func head(_ status: HTTPResponse.Status) -> TransportEvent.Kind {
            .responseHead(HTTPResponse(status: status), byteCount: nil)
        }
    }

    /// Sends a request and reads its response. Returns the numbers of the exchanges and the names of the events.
    private func events(_ course: StubCache.Course, _ bytes: [UInt8]) async throws -> [String] {
        let log = EventLog()
        var request = TransportRequest.plain()
        request.events = log
        _ = try? await ContentDecodingLayer(StubCache(course: course, bytes: bytes)).outcome(of: request)
        return zip(log.exchanges, log.names).map { "\($0 == request.exchange ? 1 : 2) \($1)" }
    }

    @Test("the exchange of a validation ends before that of the stored response, whose content is decoded")
    func validation() async throws {
        let events = try await events(.validates, encode(Array("content".utf8), as: .gzip))
        let expected = [
            "1 started", "1 responseHead", "1 released", "2 started", "2 decided", "2 responseHead",
            "2 responseBodyDecoded", "2 released",
        ]
        #expect(events == expected)
    }

    @Test("content that cannot be decoded fails the exchange of the response only")
    func failure() async throws {
        let events = try await events(.validates, Array("<html>".utf8))
        let expected = [
            "1 started", "1 responseHead", "1 released", "2 started", "2 decided", "2 responseHead", "2 failed",
        ]
        #expect(events == expected)
    }

    @Test("a validation in the background ends by itself, and the content belongs to the stored response")
    func background() async throws {
        let events = try await events(.validatesInBackground, encode(Array("content".utf8), as: .gzip))
        let expected = [
            "1 started", "1 decided", "1 responseHead", "2 started", "2 decided", "2 responseHead",
            "2 released", "1 responseBodyDecoded", "1 released",
        ]
        #expect(events == expected)
    }
}
