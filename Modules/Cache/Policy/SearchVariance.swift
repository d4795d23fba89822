internal import HTTPTypes

/// The query parameters that distinguish resources, according to a response's `No-Vary-Search` field
/// (draft-ietf-httpbis-no-vary-search).
struct SearchVariance: Sendable, Hashable {
    private enum Parameters: Sendable, Hashable {
        /// All parameters but these.
        case allBut(Set<String>)
        /// Only these parameters.
        case only(Set<String>)
    }

    private var counting = Parameters.allBut([])
    private var isOrderSignificant = true

    /// The variance of a response; `nil` if all parameters count in their order, or the field is malformed.
    init?(_ head: HTTPResponse) {
        guard head.headerFields.contains(.noVarySearch), let members = Self.members(head.headerFields) else {
            return nil
        }
        for (name, value) in members {
            switch (name, value) {
            case ("key-order", .boolean(let ignoresOrder)): isOrderSignificant = !ignoresOrder
            case ("params", .boolean(let ignoresAll)): if ignoresAll { counting = .only([]) }
            case ("params", .list(let names)): counting = .allBut(Set(names.map(Self.parameterName)))
            case ("key-order", _), ("params", _): return nil
            default: break
            }
        }
        if let exceptions = members["except"] {
            // `except` is valid only with a `params` that ignores all parameters.
            guard case .list(let names) = exceptions, case .only = counting else { return nil }
            counting = .only(Set(names.map(Self.parameterName)))
        }
        if isOrderSignificant, counting == .allBut([]) { return nil }
    }

    /// Returns the part of a query that counts: the same string for equivalent queries, and different strings under
    /// different rules.
    func search(_ query: Substring?) -> String {
        var pairs = Self.pairs(query ?? "").filter { counts($0.name) }
        if !isOrderSignificant {
            // Values of one name keep their order.
            pairs = pairs.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
                .map(\.element)
        }
        return ([rule] + pairs.map { "\($0.name.utf8.count):\($0.name)=\($0.value)" }).joined(separator: "&")
    }

    private func counts(_ name: String) -> Bool {
        switch counting {
        case .allBut(let ignored): !ignored.contains(name)
        case .only(let names): names.contains(name)
        }
    }

    /// The rule as text. It keeps a response whose field a validation changed from answering queries of the former
    /// rule.
    private var rule: String {
        let (kind, names) =
            switch counting {
            case .allBut(let names): ("-", names)
            case .only(let names): ("+", names)
            }
        return ([isOrderSignificant ? "=" : "*", kind] + names.sorted()).joined(separator: "\u{0}")
    }

    // MARK: Queries

    /// The pairs of a query in form encoding: `+` is a space (URL Standard §5.1).
    private static func pairs(_ query: Substring) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let equals = pair.firstIndex(of: "=")
            let value = equals.map { pair[pair.index(after: $0)...] } ?? ""
            // The value's length keeps a value from being read as another pair.
            let decoded = decoded(value)
            return (Self.decoded(pair[..<(equals ?? pair.endIndex)]), "\(decoded.utf8.count):\(decoded)")
        }
    }

    private static func parameterName(_ text: String) -> String { decoded(text[...]) }

    private static func decoded(_ text: Substring) -> String {
        var (bytes, rest) = ([UInt8](), text.utf8[...])
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
                if digits.count == 2 {
                    bytes.append(UInt8(digits[0] << 4 | digits[1]))
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// MARK: The field

extension SearchVariance {
    private enum Value {
        case boolean(Bool)
        case list([String])
        /// A value of a type that the field does not define.
        case other
    }

    /// The members of the dictionary (RFC 9651 §3.2); `nil` if it is malformed. Of several members with the same name
    /// the last one counts.
    private static func members(_ fields: HTTPFields) -> [String: Value]? {
        var members: [String: Value] = [:]
        for member in fields[values: .noVarySearch].flatMap(FieldList.members) {
            let (key, value) =
                member.firstIndex(of: "=").map { (member[..<$0], member[member.index(after: $0)...]) }
                ?? (member, "?1")
            guard let first = key.utf8.first, first == UInt8(ascii: "*") || isLowercase(first),
                key.utf8.allSatisfy({ isLowercase($0) || "0123456789_-.*".utf8.contains($0) })
            else { return nil }
            switch value {
            case "?1": members[String(key)] = .boolean(true)
            case "?0": members[String(key)] = .boolean(false)
            case _ where value.first == "(":
                guard let names = strings(in: value) else { return nil }
                members[String(key)] = .list(names)
            default: members[String(key)] = .other
            }
        }
        return members
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    /// The strings of an inner list without parameters; `nil` for anything else.
    private static func strings(in list: Substring) -> [String]? {
        guard list.count >= 2, list.last == ")" else { return nil }
        var (strings, rest) = ([String](), list.dropFirst().dropLast())
        while true {
            rest = rest.drop { $0 == " " }
            guard !rest.isEmpty else { return strings }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
            // Parameter names are percent-encoded, so they contain no character that needs a backslash.
            let string = rest[rest.index(after: rest.startIndex)..<end]
            guard !string.contains("\\") else { return nil }
            strings.append(String(string))
            rest = rest[rest.index(after: end)...]
            guard rest.isEmpty || rest.first == " " else { return nil }
        }
    }
}
