public import AirframeTransport
public import Foundation
internal import HTTPTypes

/// The metrics of one request and its response: the dates of each phase, the connection and the byte counts.
///
/// A date is `nil` if the phase did not happen, for example connecting on a reused connection.
public final class URLSessionTaskTransactionMetrics: Sendable {
    /// The timeline of the exchange, from which all other values are derived.
    public let timeline: ExchangeTimeline
    private let calendar: MetricsCalendar

    init(timeline: ExchangeTimeline, calendar: MetricsCalendar) {
        self.timeline = timeline
        self.calendar = calendar
    }

    private func date(_ instant: MonotonicInstant?) -> Date? { instant.map(calendar.date(at:)) }

    /// The request as it was sent; `nil` if the transport did not report it.
    public var request: URLRequest? { timeline.request.flatMap(URLRequest.init(head:)) }
    /// The response, if one arrived.
    public var response: HTTPURLResponse? {
        timeline.response.map {
            HTTPURLResponse(url: timeline.request?.targetURL, head: $0, httpVersion: timeline.connection?.httpVersion)
        }
    }

    /// The start of the transaction.
    public var fetchStartDate: Date? { date(timeline.first) }
    /// The start of name resolution.
    public var domainLookupStartDate: Date? { date(timeline.resolution?.start) }
    /// The end of name resolution.
    public var domainLookupEndDate: Date? { date(timeline.resolution?.end) }
    /// The start of the first attempt to connect.
    public var connectStartDate: Date? { date(timeline.connecting?.start) }
    /// The time at which the connection was ready, after the TLS handshake.
    public var connectEndDate: Date? { date(timeline.isConnected ? timeline.connecting?.end : nil) }
    /// The start of the TLS handshake.
    public var secureConnectionStartDate: Date? { date(timeline.tlsHandshake?.start) }
    /// The end of the TLS handshake.
    public var secureConnectionEndDate: Date? { date(timeline.tlsHandshake?.end) }
    /// The start of sending.
    public var requestStartDate: Date? { date(timeline.connectionAcquired ?? timeline.requestHeadSent) }
    /// The time at which the request had been sent.
    public var requestEndDate: Date? { date(timeline.requestSent) }
    /// The arrival of the response's head.
    public var responseStartDate: Date? { date(timeline.responseHead) }
    /// The time at which the response had arrived or failed.
    public var responseEndDate: Date? { date(timeline.responseEnd) }

    /// The protocol: `http/1.1`, `h2`, `h3`.
    public var networkProtocolName: String? { timeline.connection?.httpVersion.networkProtocolName }
    /// Whether a proxy was used.
    public var isProxyConnection: Bool { timeline.connection?.isProxied ?? false }
    /// Whether the connection was used for an earlier exchange.
    public var isReusedConnection: Bool { timeline.isReused ?? false }
    /// The identifier of the HTTP/2 stream on the connection (RFC 9113 §5.1.1); `nil` over HTTP/1.1.
    public var streamID: Int? { timeline.connection?.streamID }
    /// The source of the response.
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType {
        if timeline.isFromCache { return .localCache }
        return timeline.connection == nil ? .unknown : .networkLoad
    }

    /// The number of bytes of the request's head that were sent; 0 if the transport did not report it.
    public var countOfRequestHeaderBytesSent: Int64 { Int64(timeline.requestHeadBytes ?? 0) }
    /// The number of bytes of the request's body that were sent.
    public var countOfRequestBodyBytesSent: Int64 { timeline.requestBodyBytes }
    /// The number of bytes of the response's head that were received; 0 if the transport did not report it.
    public var countOfResponseHeaderBytesReceived: Int64 { Int64(timeline.responseHeadBytes ?? 0) }
    /// The number of encoded bytes of the response's body that were received.
    public var countOfResponseBodyBytesReceived: Int64 { timeline.responseBodyBytes }
    /// The number of bytes of the response's body after decoding.
    public var countOfResponseBodyBytesAfterDecoding: Int64 { timeline.decodedBodyBytes ?? timeline.responseBodyBytes }

    /// The client's address, or the path of a Unix socket.
    public var localAddress: String? { timeline.connection?.localAddress?.host }
    /// The client's port.
    public var localPort: Int? { timeline.connection?.localAddress?.port }
    /// The address of the peer, or the path of a Unix socket.
    public var remoteAddress: String? { timeline.connection?.remoteAddress?.host }
    /// The port of the peer.
    public var remotePort: Int? { timeline.connection?.remoteAddress?.port }

    /// The version of TLS; `nil` for an unencrypted connection.
    public var negotiatedTLSProtocolVersion: TLSVersion? { tls?.version }
    /// The cipher suite by its IANA or OpenSSL name; `nil` for an unencrypted connection.
    public var negotiatedTLSCipherSuite: String? { tls?.cipherSuite }
    private var tls: TLSDescription? { timeline.tls ?? timeline.connection?.tls }

    /// Whether a cellular network was used. Engines do not report it: always `false`. `NetworkPathMonitor` of
    /// AirframeReachability reports the kind of an interface.
    public var isCellular: Bool { false }
    /// Whether traffic is likely to cost money at the time of the call, according to AirframeReachability: the
    /// machine's network is metered or cellular. `false` if that is unknown, and without the umbrella.
    public var isExpensive: Bool { NetworkCost.current?.isExpensive ?? false }
    /// Whether the settings of the machine's network mark it as metered at the time of the call. `false` if that is
    /// unknown, and without the umbrella.
    public var isConstrained: Bool { NetworkCost.current?.isConstrained ?? false }
    /// Whether Multipath TCP was used (RFC 8684). Engines do not report it: always `false`, also with
    /// `SocketSettings.multipath`.
    public var isMultipath: Bool { false }
}

extension ExchangeTimeline {
    /// Whether an attempt to connect succeeded, so that connecting has an end.
    fileprivate var isConnected: Bool {
        connectAttempts.contains { $0.span.end != nil && $0.error == nil } || proxy?.end != nil
            || tlsHandshake?.end != nil
    }

    /// The time at which the response had arrived or was interrupted.
    fileprivate var responseEnd: MonotonicInstant? {
        switch ending {
        case .released?: ended
        case .failed?: responseHead == nil ? nil : ended
        case nil: lastBodyByte
        }
    }
}

extension SocketAddress {
    fileprivate var host: String {
        switch self {
        case .ip(let address, _): address
        case .unix(let path): path
        }
    }

    fileprivate var port: Int? {
        if case .ip(_, let port) = self { port } else { nil }
    }
}

extension URLSessionTaskTransactionMetrics: CustomStringConvertible, CustomDebugStringConvertible {
    /// The request, the status, the protocol, the connection and the duration of each phase.
    public var description: String {
        let phases: [(String, Date?, Date?)] = [
            ("name resolution", domainLookupStartDate, domainLookupEndDate),
            ("connect", connectStartDate, connectEndDate),
            ("TLS", secureConnectionStartDate, secureConnectionEndDate),
            ("request", requestStartDate, requestEndDate),
            ("wait", requestEndDate, responseStartDate),
            ("response", responseStartDate, responseEndDate),
        ]
        let lengths = phases.compactMap { name, start, end -> String? in
            guard let start, let end else { return nil }
            return "\(name) \(URLSessionTaskMetrics.milliseconds(end.timeIntervalSince(start)))"
        }
        let subject = [
            request?.description, response.map { String($0.statusCode) }, networkProtocolName,
            isReusedConnection ? "kept connection" : nil, streamID.map { "stream \($0)" },
        ]
        return (subject.compactMap { $0 } + lengths).joined(separator: ", ")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
