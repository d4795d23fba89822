package import AirframeTransport
package import HTTPTypes

extension HAR {
    /// What is known of one exchange: a fold over its events, with the beginnings of its bodies beside.
    ///
    /// An entry is made of it when the exchange is over.
    package struct ExchangeRecord: Sendable {
        /// From the first event that begins something to the last one that ends it.
        struct Span: Sendable {
            var begin: MonotonicInstant?
            var end: MonotonicInstant?

            mutating func begin(at instant: MonotonicInstant) { begin = begin ?? instant }
        }

        /// The head of the request.
        package private(set) var request: HTTPRequest
        /// When the exchange began.
        package let start: MonotonicInstant
        private(set) var last: MonotonicInstant
        private(set) var resolve = Span()
        private(set) var connect = Span()
        private(set) var handshake = Span()
        private(set) var acquired: MonotonicInstant?
        private(set) var sent: MonotonicInstant?
        private(set) var answered: MonotonicInstant?
        private(set) var address: SocketAddress?
        private(set) var connection: TransportConnection?
        private(set) var tls: TLSDescription?
        private(set) var requestHeadSize: Int?
        private(set) var requestBodySize: Int64 = 0
        private(set) var informational: [HTTPResponse] = []
        private(set) var responseHeadSize: Int?
        private(set) var receivedSize: Int64 = 0
        private(set) var decodedSize: Int64?
        private(set) var trailers: HTTPFields?
        private(set) var isFromCache = false

        /// The head of the response, as it was on the wire.
        package private(set) var response: HTTPResponse?
        /// Why the exchange failed.
        package var failure: TransportError?
        /// The beginning of the request's body, where somebody took it.
        package var requestBody: BodySample?
        /// The beginning of the response's body, where somebody took it.
        package var responseBody: BodySample?
        /// The trailer fields of the request, where somebody saw them.
        package var requestTrailers: HTTPFields?
        /// The content codings that are still on the body that was taken.
        package var remainingCoding: String?
        /// What a reader should know.
        package var remarks: [String] = []
        /// What the entry says beside the format.
        package var custom: [String: Value] = [:]

        /// A record that begins.
        package init(of request: HTTPRequest, at instant: MonotonicInstant) {
            self.request = request
            start = instant
            last = instant
        }

        /// Whether the engine was done with it.
        package private(set) var isReleased = false

        /// Takes the next event.
        package mutating func receive(_ event: TransportEvent) {
            let instant = event.instant
            last = max(last, instant)
            switch event.kind {
            case .started(let head): request = head
            case .resolveStarted: resolve.begin(at: instant)
            case .resolveFinished: resolve.end = instant
            case .connectStarted(let address):
                connect.begin(at: instant)
                self.address = address
            case .proxyStarted: connect.begin(at: instant)
            case .connectFinished(let address):
                connect.end = instant
                self.address = address
            case .connectFailed, .proxyFinished: connect.end = instant
            case .tlsStarted:
                connect.begin(at: instant)
                handshake.begin(at: instant)
            case .tlsFinished(let description):
                connect.end = instant
                handshake.end = instant
                tls = description
            default: receiveMessage(event.kind, at: instant)
            }
        }

        private mutating func receiveMessage(_ kind: TransportEvent.Kind, at instant: MonotonicInstant) {
            switch kind {
            case .connectionAcquired(let connection):
                self.connection = connection
                acquired = instant
            case .requestHeadSent(let size):
                requestHeadSize = size
                sent = instant
            case .requestBodySent(_, let total):
                requestBodySize = total
                sent = instant
            case .requestFinished: sent = instant
            case .informationalResponse(let response): informational.append(response)
            case .responseHead(let head, let size):
                response = head
                responseHeadSize = size
                answered = instant
            case .responseBodyReceived(_, let total): receivedSize = total
            case .responseBodyDecoded(_, let total): decodedSize = total
            case .trailers(let fields): trailers = fields
            case .released: isReleased = true
            case .failed(let error): failure = failure ?? error
            case .decided(let decision): receive(decision)
            default: break
            }
        }

        private mutating func receive(_ decision: TransportDecision) {
            switch decision.kind {
            case .followedRedirect(let response, _): self.response = self.response ?? response
            case .servedFromCache: isFromCache = true
            default: break
            }
        }

        /// Notes a head that came without an event: from a layer that answers by itself.
        package mutating func note(_ head: HTTPResponse) { response = response ?? head }
    }
}
