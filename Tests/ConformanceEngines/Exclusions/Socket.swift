/// Cases that AirframeSocket does not support, and the reasons.
package enum SocketExclusions {
    package static let all: [String: String] = [:]
}
