internal import AirframeTransport
public import Foundation
internal import Synchronization

/// A request whose response is collected in memory.
///
/// `@unchecked Sendable` because Request is: what is added here is immutable or behind its own lock.
public class DataRequest: Request, @unchecked Sendable {
    /// What makes the `URLRequest`.
    public let convertible: any URLRequestConvertible

    // Guards the bytes received so far.
    private let received = Mutex<Data?>(nil)

    init(
        convertible: any URLRequestConvertible,
        session: Session,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?
    ) {
        self.convertible = convertible
        super.init(
            session: session,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// The bytes of the response's body that came so far; `nil` before the first.
    public var data: Data? { received.withLock { $0 } }

    override func makeURLRequest() throws -> URLRequest { try convertible.asURLRequest() }

    override func receiveAtOnce(_ response: TransportResponse, for task: URLSessionTask) -> Bool {
        !showsResponse && pullAtOnce(response.body, for: task, take)
    }

    override func receive(_ response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        if showsResponse { try await show(task) }
        let offset = received.withLock { Int64($0?.count ?? 0) }
        try await pull(response.body, for: task, from: offset) { chunk throws(AFError) in take(chunk) }
    }

    private func take(_ chunk: Data) {
        received.withLock { if $0?.append(chunk) == nil { $0 = chunk } }
    }

    override func reset() {
        super.reset()
        received.withLock { $0 = nil }
    }
}
