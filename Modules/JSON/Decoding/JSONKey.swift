/// A key that belongs to the document, not to a decoded type.
struct JSONKey: CodingKey {
    static let `super` = JSONKey(stringValue: "super")

    private enum Kind {
        case name(String)
        case position(Int)
    }

    private let kind: Kind

    init(stringValue: String) { kind = .name(stringValue) }

    init(intValue: Int) { kind = .position(intValue) }

    var stringValue: String {
        switch kind {
        case .name(let name): name
        // Computed on demand: most coding paths are discarded unread.
        case .position(let position): "Index \(position)"
        }
    }

    var intValue: Int? {
        switch kind {
        case .name: nil
        case .position(let position): position
        }
    }
}
