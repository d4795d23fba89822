internal import AirframeTransport
internal import HTTPTypes

/// How a case speaks HTTP/2.
enum HTTP2Wire: Sendable, CaseIterable {
    /// In the clear, with prior knowledge (RFC 9113 §3.3).
    case clear
    /// Over TLS, by ALPN (RFC 9113 §3.2).
    case tls

    var needs: TransportFeatures {
        self == .clear ? [.http2, .http2PriorKnowledge] : [.http2, .tls, .customRoots]
    }

    /// A peer that reads the preface, sends SETTINGS and then does the steps, on every connection.
    func peer(settings: [(UInt16, UInt32)] = [], _ steps: PeerStep...) -> PeerScenario {
        peer(settings: settings, connections: [steps])
    }

    /// Creates a peer with a script for each connection.
    func peer(settings: [(UInt16, UInt32)] = [], connections: [[PeerStep]]) -> PeerScenario {
        let opening: [PeerStep] = [
            .readHTTP2Preface, .frames([.settings(settings), .settingsAcknowledged]),
        ]
        let tls = self == .tls ? PeerTLS(protocols: ["h2"]) : nil
        return PeerScenario(tls: tls, connections: connections.map { opening + $0 })
    }
}

extension ConformanceTrial {
    /// A request for HTTP/2.
    func http2Request(
        _ wire: HTTP2Wire,
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        body: RequestBody = .none
    ) throws -> TransportRequest {
        var request = request(method, path, scheme: wire == .tls ? "https" : "http", body: body)
        request.options.httpVersion = wire == .tls ? .http2Only : .http2PriorKnowledge
        if wire == .tls { request.options.tls.roots = .certificates([try TestCertificates.shared().root]) }
        return request
    }
}
