/// What the layers cannot do, and why.
enum LayerExclusions {
    static let all: [String: String] = [:]
}
