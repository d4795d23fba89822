/// Cases that the layers do not support, and the reasons.
package enum LayerExclusions {
    package static let all: [String: String] = [:]
}
