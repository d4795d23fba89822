/// What AirframeSocket cannot do, and why.
package enum SocketExclusions {
    package static let all: [String: String] = [
        "trust.protocol.http2-only": "the engine does not speak HTTP/2, and says so"
    ]
}
