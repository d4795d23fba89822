internal import FoundationEssentials

/// One thing that a route asks of a request.
struct Condition: Sendable {
    /// What part of a request a condition is about. The weight says how much a mismatch sets a route apart.
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
    /// What is asked for, in words.
    let expected: String
    /// What the request has in its place, in words; `nil` when it is what is asked for.
    let mismatch: @Sendable (RecordedRequest) -> String?

    /// Whether the condition can be judged only when the body is there.
    var needsBody: Bool { aspect == .body || aspect == .condition }

    init(_ aspect: Aspect, _ expected: String, mismatch: @escaping @Sendable (RecordedRequest) -> String?) {
        self.aspect = aspect
        self.expected = expected
        self.mismatch = mismatch
    }
}

/// A condition that a request does not meet, as a line of a report.
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
