import AirframeCore
import AirframeSecurity
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// Sends requests to servers of this machine, and classifies the results.
enum LiveRequest {
    /// Sends a request for `host` to a port of this machine.
    static func fetch(
        _ transport: any Transport,
        _ evaluator: (any ServerTrustEvaluating)?,
        host: String = "localhost",
        port: Int,
        change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> TransportResponse {
        var request = TransportRequest(
            HTTPRequest(method: .get, scheme: "https", authority: "\(host):\(port)", path: "/"),
            trust: evaluator.map { EvaluatorTrust($0, limit: .seconds(240)) }
        )
        request.options.deadline = .seconds(240)
        request.options.resolveOverrides = [ResolveOverride(host: host, port: port, addresses: ["127.0.0.1"])]
        change(&request)
        let response = try await transport.send(request)
        // `openssl s_server` ends its page by close_notify, and closes only after its client.
        _ = try await response.body.collect(upTo: 1 << 20)
        return response
    }

    /// Sends a request as ``fetch(_:_:host:port:change:)`` does. A server that is rejected
    /// must not have received any byte of it.
    static func verdict(
        _ transport: any Transport,
        _ evaluator: any ServerTrustEvaluating,
        host: String = "localhost",
        port: Int,
        change: (inout TransportRequest) -> Void = { _ in }
    ) async -> Verdict {
        do {
            _ = try await fetch(transport, evaluator, host: host, port: port, change: change)
            return .trusted
        } catch let error as TransportError where error.isTrustFailure {
            #expect(error.processing == .notSent)
            #expect(error.phase == .tls)
            return Verdict(error.underlying)
        } catch {
            Issue.record("\(error)")
            return .other
        }
    }
}
