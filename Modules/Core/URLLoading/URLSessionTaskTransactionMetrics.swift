public import AirframeTransport
public import Foundation
internal import HTTPTypes

/// One request and its response: when each phase began and ended, on which connection, and how many bytes.
///
/// A date is `nil` when the phase did not happen, as connecting does not on a kept connection.
public final class URLSessionTaskTransactionMetrics: Sendable {
    /// The timeline of the exchange, from which all other values are derived.
    public let timeline: ExchangeTimeline
    private let calendar: MetricsCalendar

    init(timeline: ExchangeTimeline, calendar: MetricsCalendar) {
        self.timeline = timeline
        self.calendar = calendar
    }

    private func date(_ instant: MonotonicInstant?) -> Date? { instant.map(calendar.date(at:)) }

    /// The request as it was sent; `nil` when the transport did not say.
    public var request: URLRequest? { timeline.request.flatMap(URLRequest.init(head:)) }
    /// The response, if one came.
    public var response: HTTPURLResponse? {
        timeline.response.map {
            HTTPURLResponse(url: timeline.request?.targetURL, head: $0, httpVersion: timeline.connection?.httpVersion)
        }
    }

    /// When the transaction began.
    public var fetchStartDate: Date? { date(timeline.first) }
    /// When name resolution began.
    public var domainLookupStartDate: Date? { date(timeline.resolution?.start) }
    /// When name resolution ended.
    public var domainLookupEndDate: Date? { date(timeline.resolution?.end) }
    /// When the first attempt to connect began.
    public var connectStartDate: Date? { date(timeline.connecting?.start) }
    /// When the connection was ready, the TLS handshake included.
    public var connectEndDate: Date? { date(timeline.isConnected ? timeline.connecting?.end : nil) }
    /// When the TLS handshake began.
    public var secureConnectionStartDate: Date? { date(timeline.tlsHandshake?.start) }
    /// When the TLS handshake ended.
    public var secureConnectionEndDate: Date? { date(timeline.tlsHandshake?.end) }
    /// When sending began.
    public var requestStartDate: Date? { date(timeline.connectionAcquired ?? timeline.requestHeadSent) }
    /// When the request had been sent.
    public var requestEndDate: Date? { date(timeline.requestSent) }
    /// When the head of the response came.
    public var responseStartDate: Date? { date(timeline.responseHead) }
    /// When the response had come, or failed on its way.
    public var responseEndDate: Date? { date(timeline.responseEnd) }

    /// The protocol: `http/1.1`, `h2`, `h3`.
    public var networkProtocolName: String? { timeline.connection?.httpVersion.networkProtocolName }
    /// Whether a proxy was between.
    public var isProxyConnection: Bool { timeline.connection?.isProxied ?? false }
    /// Whether an earlier exchange ran on the connection.
    public var isReusedConnection: Bool { timeline.isReused ?? false }
    /// Where the response comes from.
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType {
        if timeline.isFromCache { return .localCache }
        return timeline.connection == nil ? .unknown : .networkLoad
    }

    /// Bytes of the request's head that were sent; 0 when the transport does not say.
    public var countOfRequestHeaderBytesSent: Int64 { Int64(timeline.requestHeadBytes ?? 0) }
    /// Bytes of the request's body that were sent.
    public var countOfRequestBodyBytesSent: Int64 { timeline.requestBodyBytes }
    /// Bytes of the response's head that came; 0 when the transport does not say.
    public var countOfResponseHeaderBytesReceived: Int64 { Int64(timeline.responseHeadBytes ?? 0) }
    /// Bytes of the response's body that came, as they were on the wire.
    public var countOfResponseBodyBytesReceived: Int64 { timeline.responseBodyBytes }
    /// Bytes of the response's body once its content codings were undone.
    public var countOfResponseBodyBytesAfterDecoding: Int64 { timeline.decodedBodyBytes ?? timeline.responseBodyBytes }

    /// Our address; a unix socket's path.
    public var localAddress: String? { timeline.connection?.localAddress?.host }
    /// Our port.
    public var localPort: Int? { timeline.connection?.localAddress?.port }
    /// The address that we were connected to; a unix socket's path.
    public var remoteAddress: String? { timeline.connection?.remoteAddress?.host }
    /// The port that we were connected to.
    public var remotePort: Int? { timeline.connection?.remoteAddress?.port }

    /// The version of TLS; `nil` for a connection in the clear.
    public var negotiatedTLSProtocolVersion: TLSVersion? { tls?.version }
    /// The cipher suite by its IANA or OpenSSL name; `nil` for a connection in the clear.
    public var negotiatedTLSCipherSuite: String? { tls?.cipherSuite }
    private var tls: TLSDescription? { timeline.tls ?? timeline.connection?.tls }

    /// Whether a mobile network was used. Linux does not say: always `false`.
    public var isCellular: Bool { false }
    /// Whether traffic is likely to cost money, by what AirframeReachability knows of the machine's network when this
    /// is asked: it is metered, or a mobile one. `false` where nothing is known, and without the umbrella.
    public var isExpensive: Bool { NetworkCost.current?.isExpensive ?? false }
    /// Whether the settings of the machine's network call it metered, when this is asked. `false` where nothing is
    /// known, and without the umbrella.
    public var isConstrained: Bool { NetworkCost.current?.isConstrained ?? false }
    /// Whether several paths were used (RFC 8684). No transport uses them: always `false`.
    public var isMultipath: Bool { false }
}

extension ExchangeTimeline {
    /// Whether an attempt to connect succeeded, or what stands for one: connecting has an end then.
    fileprivate var isConnected: Bool {
        connectAttempts.contains { $0.span.end != nil && $0.error == nil } || proxy?.end != nil
            || tlsHandshake?.end != nil
    }

    /// When the response had arrived, or broke off.
    fileprivate var responseEnd: MonotonicInstant? {
        switch outcome {
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
    /// Request, status, protocol, connection and the length of each phase.
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
            isReusedConnection ? "kept connection" : nil,
        ]
        return (subject.compactMap { $0 } + lengths).joined(separator: ", ")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
