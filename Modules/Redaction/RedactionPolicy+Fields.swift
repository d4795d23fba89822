public import HTTPTypes

extension RedactionPolicy {
    /// Returns the value of a field without its secrets.
    ///
    /// - The value of a secret field is replaced as a whole, except for the scheme of a credential (`Bearer •••`). The
    ///   names of cookies are hidden, too: the text before a `=` can be a part of a secret.
    /// - Fields that contain URLs (`Location`, `Referer`, `Link`, …) are redacted as ``url(_:)`` does.
    /// - `Sec-WebSocket-Protocol` is replaced if one of the subprotocols carries a token.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - name: The field's name.
    public func value(_ value: String, of name: HTTPField.Name) -> String {
        guard isSecret(field: name) else {
            if name == .secWebSocketProtocol, holdCredential(subprotocols: value) { return Self.placeholder }
            if name == Self.link { return links(value) }
            return Self.urlFields.contains(name) || value.utf8.holdsScheme ? url(value) : value
        }
        guard name == .authorization || name == .proxyAuthorization, let space = value.firstIndex(of: " "),
            value[..<space].utf8.allSatisfy(isSchemeByte)
        else { return Self.placeholder }
        return "\(value[..<space]) \(Self.placeholder)"
    }

    /// Returns the value of a field without its secrets, like ``value(_:of:)-(_,HTTPField.Name)``, for a name that may
    /// be invalid.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - name: The field's name, in any case.
    public func value(_ value: String, of name: String) -> String {
        if let name = HTTPField.Name(name) { return self.value(value, of: name) }
        // A name with a space or a control character cannot be sent, but can be logged.
        let token = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 }))
        if let name = HTTPField.Name(token) { return self.value(value, of: name) }
        return isSecret(parameter: name) ? Self.placeholder : url(value)
    }

    /// Returns whether a field is a secret by its name or by its value.
    package func isSecret(_ field: HTTPField) -> Bool {
        isSecret(field: field.name)
            || field.name == .secWebSocketProtocol && holdCredential(subprotocols: field.value)
    }

    /// The maximum length of a subprotocol that is not a token. The names in IANA's registry are shorter.
    private static let longestSubprotocol = 64

    /// Returns whether one of the subprotocols carries a credential: its name says so, or it is too long for a name.
    ///
    /// Scripts in browsers cannot set other fields of a handshake, so Kubernetes and other servers accept tokens here:
    /// `base64url.bearer.authorization.k8s.io.TOKEN`, or `bearer` followed by the token. Because of the second form all
    /// members are secret together.
    private func holdCredential(subprotocols: String) -> Bool {
        guard hidesParameters else { return false }
        return subprotocols.utf8.split(separator: UInt8(ascii: ",")).contains { member in
            let name = String(decoding: member.filter { $0 > UInt8(ascii: " ") }, as: UTF8.self)
            return name.utf8.count > Self.longestSubprotocol || isSecret(parameter: name)
        }
    }

    /// Returns `fields` without their secrets, each redacted by ``value(_:of:)-(_,HTTPField.Name)``.
    public func redacted(_ fields: HTTPFields) -> HTTPFields {
        var result = HTTPFields()
        for field in fields {
            result.append(HTTPField(name: field.name, value: value(field.value, of: field.name)))
        }
        return result
    }

    /// The fields whose value is a URL or ends in one.
    private static let urlFields: Set<HTTPField.Name> = {
        let rare = ["Refresh", "Destination", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-URI", "X-Original-URI"]
        return Set([.location, .contentLocation, .referer] + rare.compactMap { HTTPField.Name($0) })
    }()

    private static let link = HTTPField.Name("Link")

    /// Returns the value of a `Link` field (RFC 8288 §3) without secrets; its URLs are in angle brackets.
    private func links(_ value: String) -> String {
        var result = ""
        var rest = value[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "<")),
            let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: ">"))
        {
            let start = rest.utf8.index(after: open)
            result += rest[..<start] + url(String(rest[start..<close]))
            rest = rest[close...]
        }
        // In a malformed field the last URL lacks its brackets.
        return result + url(String(rest))
    }

    private func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension String.UTF8View {
    /// Whether the text may contain a URL.
    fileprivate var holdsScheme: Bool {
        var rest = self[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[index(after: colon)...]
            if rest.starts(with: "//".utf8) { return true }
        }
        return false
    }
}
