internal import FoundationEssentials

/// One condition of a route.
struct Condition: Sendable {
    /// The part of a request that a condition concerns. Its weight is the distance that a mismatch adds.
    enum Aspect: String, Sendable {
        case method
        case scheme
        case host
        case path
        case query
        case header
        case body
        case scenario
        case condition

        var weight: Int {
            switch self {
            case .path: 4
            case .host: 3
            case .method: 2
            default: 1
            }
        }
    }

    let aspect: Aspect
    /// The required value, in words.
    let expected: String
    /// Returns the request's actual value in words, or `nil` if it meets the condition.
    let mismatch: @Sendable (RecordedRequest) -> String?

    /// Whether the condition needs the body.
    var needsBody: Bool { aspect == .body || aspect == .condition }

    init(_ aspect: Aspect, _ expected: String, mismatch: @escaping @Sendable (RecordedRequest) -> String?) {
        self.aspect = aspect
        self.expected = expected
        self.mismatch = mismatch
    }
}

/// A line of a report for a condition that a request does not meet.
struct Mismatch: Sendable {
    let aspect: Condition.Aspect
    let expected: String
    let actual: String
    let distance: Int

    var line: String {
        let label = aspect.rawValue.padding(to: 9)
        return "  \(label) expected \(expected.padding(to: 32)) got \(actual)"
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String {
        count >= length ? self : self + String(repeating: " ", count: length - count)
    }
}
