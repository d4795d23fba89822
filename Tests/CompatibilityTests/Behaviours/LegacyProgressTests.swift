import AirframeLegacy
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("The progress of requests of Alamofire 3", .timeLimit(.minutes(1)))
struct LegacyProgressTests {
    @Test("progress(_:) reports the bytes that an upload sends, and those that other requests receive")
    func directions() async throws { try await (Directions() as any Sample).run() }

    private struct Directions: Sample {
        @available(*, deprecated)
        func run() async throws {
            let engine = ClosureTransport { request in
                if !request.body.isNone {
                    request.report(.requestBodySent(byteCount: 1_000, total: 1_000), on: SystemClock.shared)
                }
                return TransportResponse(
                    head: HTTPResponse(status: .ok), body: ResponseBody(Data("response".utf8)), request: request.head)
            }
            let session = Session(transport: engine)
            let (sent, received) = (Counts(), Counts())
            _ = await handled { (done: @escaping @Sendable (AFDataResponse<Data?>) -> Void) in
                session.upload(Data(count: 1_000), to: "http://api.test/").progress { sent.append([$0, $1, $2]) }
                    .response { response in done(response) }
            }
            _ = await handled { (done: @escaping @Sendable (AFDataResponse<Data?>) -> Void) in
                session.request("http://api.test/").progress { received.append([$0, $1, $2]) }
                    .response { response in done(response) }
            }
            try await eventually("the progress") { !sent.all.isEmpty && !received.all.isEmpty }
            #expect(sent.all == [[1_000, 1_000, 1_000]])
            #expect(received.all.map { Array($0.prefix(2)) } == [[8, 8]])
        }
    }
}

/// The arguments of calls that several threads make.
private final class Counts: Sendable {
    private let calls = Mutex<[[Int64]]>([])
    var all: [[Int64]] { calls.withLock { $0 } }
    func append(_ call: [Int64]) { calls.withLock { $0.append(call) } }
}
