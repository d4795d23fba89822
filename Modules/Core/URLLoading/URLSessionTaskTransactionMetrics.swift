public import AirframeTransport
public import Foundation
internal import HTTPTypes

/// One request and its response: when each phase began and ended, on which connection, and how many bytes.
///
/// A date is `nil` when the phase did not happen, as connecting does not on a kept connection.
public final class URLSessionTaskTransactionMetrics: Sendable {
    private let record: TransactionRecord
    private let calendar: MetricsCalendar

    init(record: TransactionRecord, calendar: MetricsCalendar) {
        self.record = record
        self.calendar = calendar
    }

    private func date(_ instant: MonotonicInstant?) -> Date? { instant.map(calendar.date(at:)) }

    /// The request as it was sent; `nil` when the transport did not say.
    public var request: URLRequest? { record.request.flatMap(URLRequest.init(head:)) }
    /// The response, if one came.
    public var response: HTTPURLResponse? {
        record.response.map {
            HTTPURLResponse(url: record.request?.targetURL, head: $0, httpVersion: record.connection?.httpVersion)
        }
    }

    /// When the transaction began.
    public var fetchStartDate: Date? { date(record.fetchStart) }
    /// When name resolution began.
    public var domainLookupStartDate: Date? { date(record.resolveStart) }
    /// When name resolution ended.
    public var domainLookupEndDate: Date? { date(record.resolveEnd) }
    /// When the first attempt to connect began.
    public var connectStartDate: Date? { date(record.connectStart) }
    /// When the connection was ready, the TLS handshake included.
    public var connectEndDate: Date? { date(record.connectEnd) }
    /// When the TLS handshake began.
    public var secureConnectionStartDate: Date? { date(record.tlsStart) }
    /// When the TLS handshake ended.
    public var secureConnectionEndDate: Date? { date(record.tlsEnd) }
    /// When sending began.
    public var requestStartDate: Date? { date(record.requestStart) }
    /// When the request had been sent.
    public var requestEndDate: Date? { date(record.requestEnd) }
    /// When the head of the response came.
    public var responseStartDate: Date? { date(record.responseStart) }
    /// When the response had come, or failed on its way.
    public var responseEndDate: Date? { date(record.responseEnd) }

    /// The protocol: `http/1.1`, `h2`, `h3`.
    public var networkProtocolName: String? { record.connection?.httpVersion.networkProtocolName }
    /// Whether a proxy was between.
    public var isProxyConnection: Bool { record.connection?.isProxied ?? false }
    /// Whether an earlier exchange ran on the connection.
    public var isReusedConnection: Bool { record.connection?.isReused ?? record.isReused ?? false }
    /// Where the response comes from.
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { record.fetchType }

    /// Bytes of the request's head that were sent; 0 when the transport does not say.
    public var countOfRequestHeaderBytesSent: Int64 { record.requestHeadBytes }
    /// Bytes of the request's body that were sent.
    public var countOfRequestBodyBytesSent: Int64 { record.requestBodyBytes }
    /// Bytes of the response's head that came; 0 when the transport does not say.
    public var countOfResponseHeaderBytesReceived: Int64 { record.responseHeadBytes }
    /// Bytes of the response's body that came, as they were on the wire.
    public var countOfResponseBodyBytesReceived: Int64 { record.responseBodyBytes }
    /// Bytes of the response's body once its content codings were undone.
    public var countOfResponseBodyBytesAfterDecoding: Int64 { record.decodedBodyBytes ?? record.responseBodyBytes }

    /// Our address; a unix socket's path.
    public var localAddress: String? { record.connection?.localAddress?.host }
    /// Our port.
    public var localPort: Int? { record.connection?.localAddress?.port }
    /// The address that we were connected to; a unix socket's path.
    public var remoteAddress: String? { record.connection?.remoteAddress?.host }
    /// The port that we were connected to.
    public var remotePort: Int? { record.connection?.remoteAddress?.port }

    /// The version of TLS; `nil` for a connection in the clear.
    public var negotiatedTLSProtocolVersion: TLSVersion? { tls?.version }
    /// The cipher suite by its IANA or OpenSSL name; `nil` for a connection in the clear.
    public var negotiatedTLSCipherSuite: String? { tls?.cipherSuite }
    private var tls: TLSDescription? { record.tls ?? record.connection?.tls }

    /// Whether a mobile network was used. Linux does not say: always `false`.
    public var isCellular: Bool { false }
    /// Whether the network is dear. Linux does not say: always `false`.
    public var isExpensive: Bool { false }
    /// Whether the network is in a mode that saves data. Linux does not say: always `false`.
    public var isConstrained: Bool { false }
    /// Whether several paths were used (RFC 8684). No transport uses them: always `false`.
    public var isMultipath: Bool { false }
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
