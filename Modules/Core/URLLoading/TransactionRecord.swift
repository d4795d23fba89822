internal import AirframeTransport
internal import HTTPTypes

/// What is noted of one transaction while its events come: one request and its response.
struct TransactionRecord: Sendable {
    var request: HTTPRequest?
    var response: HTTPResponse?
    var connection: TransportConnection?
    var tls: TLSDescription?
    var fetchType = URLSessionTaskMetrics.ResourceFetchType.unknown
    var isReused: Bool?
    /// Whether a redirect began the transaction and its exchange has yet to start.
    var isFresh = false

    var fetchStart: MonotonicInstant
    var resolveStart: MonotonicInstant?
    var resolveEnd: MonotonicInstant?
    var connectStart: MonotonicInstant?
    var connectEnd: MonotonicInstant?
    var tlsStart: MonotonicInstant?
    var tlsEnd: MonotonicInstant?
    var requestStart: MonotonicInstant?
    var requestEnd: MonotonicInstant?
    var responseStart: MonotonicInstant?
    var responseEnd: MonotonicInstant?

    var requestHeadBytes: Int64 = 0
    var requestBodyBytes: Int64 = 0
    var responseHeadBytes: Int64 = 0
    var responseBodyBytes: Int64 = 0
    /// `nil` where nothing was decoded.
    var decodedBodyBytes: Int64?

    init(request: HTTPRequest?, fetchStart: MonotonicInstant) {
        self.request = request
        self.fetchStart = fetchStart
    }

    /// Notes an event that neither begins nor decides anything.
    mutating func note(_ event: TransportEvent) {
        let instant = event.instant
        switch event.kind {
        case .resolveStarted: resolveStart = resolveStart ?? instant
        case .resolveFinished: resolveEnd = instant
        case .connectStarted, .proxyStarted: connectStart = connectStart ?? instant
        case .connectFinished, .proxyFinished: connectEnd = instant
        case .tlsStarted: tlsStart = instant
        case .tlsFinished(let description):
            tls = description
            tlsEnd = instant
            // As Foundation has it, connecting ends with the handshake.
            connectEnd = instant
        case .connectionAcquired(let connection):
            self.connection = connection
            fetchType = .networkLoad
            requestStart = instant
        case .requestHeadSent(let byteCount):
            requestStart = requestStart ?? instant
            requestEnd = instant
            requestHeadBytes = Int64(byteCount ?? 0)
        case .requestBodySent(_, let total):
            requestEnd = instant
            requestBodyBytes = total
        case .requestFinished: requestEnd = instant
        case .responseHead(let head, let byteCount):
            response = head
            responseStart = instant
            responseHeadBytes = Int64(byteCount ?? 0)
        case .responseBodyReceived(_, let total):
            responseEnd = instant
            responseBodyBytes = total
        case .responseBodyDecoded(_, let total): decodedBodyBytes = total
        case .released: responseEnd = instant
        case .failed: responseEnd = responseStart == nil ? nil : instant
        default: break
        }
    }
}
