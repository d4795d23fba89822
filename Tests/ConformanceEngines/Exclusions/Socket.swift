/// What AirframeSocket cannot do, and why.
package enum SocketExclusions {
    package static let all: [String: String] = [:]
}
