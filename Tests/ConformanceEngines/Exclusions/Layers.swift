/// What the layers cannot do, and why.
package enum LayerExclusions {
    package static let all: [String: String] = [:]
}
