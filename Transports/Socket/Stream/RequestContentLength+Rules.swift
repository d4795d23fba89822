internal import HTTPTypes

/// The rules for a request's content, and for the fields by which the request describes it. They are the same in every
/// HTTP version, so that whether a request is valid does not depend on its connection.
///
/// Each check returns the violated rule; `nil` if there is none.
extension RequestContentLength {
    /// Whether bytes of content follow the head.
    var hasContent: Bool {
        switch self {
        case .none, .length(0): false
        case .length, .unknown: true
        }
    }

    /// Checks the content of a request with this method.
    func fault(of method: HTTP1Method) -> String? {
        switch self {
        case .none: return nil
        case .length(let length) where length < 0: return "the content's length is \(length)"
        case .length, .unknown: break
        }
        return switch method {
        case .head: "a HEAD request with content has no meaning that servers agree on"
        case .trace: "a TRACE request cannot have content (RFC 9110 §9.3.8)"
        case .connect: "a CONNECT request cannot have content (RFC 9110 §9.3.6)"
        case .get, .options, .contentful, .other: nil
        }
    }

    /// Checks the value of the request's own `Content-Length`, which must agree with the content.
    func fault(ofLength value: String) -> String? {
        let length: Int64? =
            switch self {
            case .none: 0
            case .length(let length): length
            case .unknown: nil
            }
        if let length, value.utf8.allSatisfy(\.isDigit), Int64(value) == length { return nil }
        let actual = length.map { "\($0) bytes" } ?? "of unknown length"
        return "the field Content-Length says \(value.debugDescription), the content is \(actual)"
    }

    /// Checks the value of the request's own `Transfer-Encoding`, which must be the engine's over HTTP/1.1.
    func fault(ofCoding value: String) -> String? {
        if self == .unknown, value.lowercased() == "chunked" { return nil }
        return "the field Transfer-Encoding (\(value)) is the engine's to set"
    }

    /// Checks the expectation of `100 (Continue)`, which needs content.
    var faultOfExpectation: String? {
        hasContent ? nil : "Expect: 100-continue without content (RFC 9110 §10.1.1)"
    }
}

extension HTTPField {
    /// Whether the field, an `Expect`, has the member `100-continue` (RFC 9110 §10.1.1).
    var expectsContinue: Bool { HTTP1List(self).contains(where: HTTP1List.isEqual("100-continue")) }
}
