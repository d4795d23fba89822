/// The path of an encoder within a value. Nested encoders share it, so that a level costs one key instead of a copy.
final class FormPath {
    static var root: FormPath { FormPath(parent: nil, key: nil, depth: 0) }

    let depth: Int
    private let parent: FormPath?
    private let key: (any CodingKey)?

    private init(parent: FormPath?, key: (any CodingKey)?, depth: Int) {
        self.parent = parent
        self.key = key
        self.depth = depth
    }

    func appending(_ key: any CodingKey) -> FormPath { FormPath(parent: self, key: key, depth: depth + 1) }

    /// The keys from the outermost to the innermost.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var path: FormPath? = self
        while let current = path {
            if let key = current.key { keys.append(key) }
            path = current.parent
        }
        return keys.reversed()
    }

    /// Returns an error for this path, without the value, which may be a secret. A long path is truncated.
    func error(_ words: String) -> EncodingError {
        let keys = keys
        return .invalidValue(
            keys.last?.stringValue ?? "",
            .init(codingPath: Array(keys.prefix(8)), debugDescription: words)
        )
    }
}

/// A key that no type declares: an element's index.
struct FormKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
