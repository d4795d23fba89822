internal import HTTPTypes

/// The role of a method for a layer that treats methods by what they do to their target (RFC 9110 §9).
package enum MethodRole: UInt8, Sendable {
    case get = 1
    case head
    case post
    /// `OPTIONS` or `TRACE`, which neither retrieve the target's content nor change the target.
    case inquiry
    /// A method that changes its target. Unknown methods are taken for such.
    case change

    init(_ method: HTTPRequest.Method) {
        // By length first, because only a comparison of unequal strings is a function call (Docs/Decisions/0114).
        switch method.rawValue.utf8.count {
        case 3 where method == .get: self = .get
        case 4 where method == .post: self = .post
        case 4 where method == .head: self = .head
        case 5 where method == .trace, 7 where method == .options: self = .inquiry
        default: self = .change
        }
    }
}
