/// What the layers cannot do yet, and why.
enum LayerExclusions {
    static let all: [String: String] = [:]
}
