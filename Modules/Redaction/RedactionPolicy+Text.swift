extension RedactionPolicy {
    /// Returns a text body without its secrets.
    ///
    /// - In forms, JSON, multipart forms, XML and HTML, the values of secret names are hidden: see ``form(_:)``,
    ///   ``json(_:)``, ``multipart(_:boundary:)`` and ``xml(_:)``.
    /// - Other text, and malformed text of these formats, has no names by which secrets could be recognized. It is
    ///   replaced by its length (`••• (12 bytes)`), unless the policy ``showsPlainText``.
    /// - Sessions and curl send content without a type as a form, so JSON and XML are recognized there, too.
    ///
    /// - Parameters:
    ///   - body: The text. It may be truncated anywhere.
    ///   - mediaType: Its `Content-Type`. Without one, the beginning of the text decides.
    public func text(_ body: String, mediaType: String?) -> String {
        guard let first = body.utf8.first(where: { $0 > UInt8(ascii: " ") }) else { return body }
        switch TextKind(mediaType, firstByte: first) {
        case .form: return Self.isDocument(body.utf8) ? text(body, mediaType: nil) : form(body)
        case .json: return showsPlainText || Self.isLikeJSON(body.utf8) ? json(body) : Self.placeholder(for: body)
        case .multipart(let boundary): return multipart(body, boundary: boundary)
        case .xml: return first == UInt8(ascii: "<") || showsPlainText ? xml(body) : Self.placeholder(for: body)
        case .plain: return showsPlainText ? body : Self.placeholder(for: body)
        }
    }

    /// Returns whether content that was declared as a form is JSON or XML.
    package static func isDocument(_ content: some Collection<UInt8>) -> Bool {
        let start = Array(content.lazy.filter { $0 > UInt8(ascii: " ") }.prefix(2))
        return ["{", "<", "[{", "[[", "[\""].contains { start.starts(with: $0.utf8) }
            || start.first == UInt8(ascii: "[") && isLikeJSON(content)
    }

    static func placeholder(for text: some StringProtocol) -> String { "\(placeholder) (\(text.utf8.count) bytes)" }

    /// Returns whether text, which may be truncated, looks like JSON: outside of strings there are only punctuation,
    /// numbers and literals. ``json(_:)`` finds no secrets in other content, nor in a single string.
    static func isLikeJSON(_ text: some Collection<UInt8>) -> Bool {
        var isQuoted = false
        var isEscaped = false
        var depth = 0
        for byte in text {
            if isQuoted {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isQuoted = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                guard depth > 0 else { return false }
                isQuoted = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            // Numbers, the literals, and U+001E between texts (RFC 7464).
            case 0x09, 0x0A, 0x0D, 0x1E, 0x20, 0x30...0x3A, UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "E"):
                break
            default: guard "truefalsenull".utf8.contains(byte) else { return false }
            }
        }
        return true
    }
}

/// The format of a text body.
private enum TextKind {
    case form
    case json
    case multipart(boundary: String)
    case xml
    case plain

    init(_ mediaType: String?, firstByte: UInt8) {
        let bytes = (mediaType ?? "").utf8
        let type = String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }.filter { $0 > 0x20 }, as: UTF8.self)
            .lowercased()
        if type == "application/x-www-form-urlencoded" {
            self = .form
        } else if type.hasPrefix("multipart/") {
            self = HeaderParameters(mediaType ?? "")["boundary"].map { .multipart(boundary: $0) } ?? .plain
        } else if type.hasSuffix("json") || type.hasSuffix("json-seq") {
            self = .json
        } else if type.hasSuffix("xml") || type == "text/html" {
            self = .xml
        } else {
            // A missing, generic or wrong media type: the first byte decides.
            switch firstByte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
            case UInt8(ascii: "<"): self = .xml
            default: self = .plain
            }
        }
    }
}
