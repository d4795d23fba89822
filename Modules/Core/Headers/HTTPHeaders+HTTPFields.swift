internal import AirframeTransport
package import HTTPTypes

extension HTTPHeaders {
    /// Creates the headers of a response. Well-known names have their usual spelling. The values of fields with the
    /// same name are joined by RFC 9110 §5.3 (`Cookie` with a semicolon, RFC 6265 §5.4).
    package init(_ fields: HTTPFields) { self.init(fields) { $0.usualSpelling } }

    /// Creates the headers of a request, whose names keep the spelling in which they were set.
    init(ofRequest fields: HTTPFields) { self.init(fields) { $0.rawName } }

    private init(_ fields: HTTPFields, spelling: (HTTPField.Name) -> String) {
        let isShort = fields.count <= Self.scanLimit
        self.init(unique: isShort ? Self.joinedByScan(fields, spelling) : Self.joinedByIndex(fields, spelling))
    }

    /// For the few fields of most messages, whose names are compared without a dictionary.
    private static func joinedByScan(_ fields: HTTPFields, _ spelling: (HTTPField.Name) -> String) -> [HTTPHeader] {
        var values: [HTTPHeader] = []
        values.reserveCapacity(fields.count)
        for field in fields {
            let name = field.name.rawName
            if let index = values.firstIndex(where: { $0.name.equalsIgnoringASCIICase(name) }) {
                let (first, separator) = (values[index], field.name == .cookie ? "; " : ", ")
                values[index] = HTTPHeader(name: first.name, value: first.value + separator + field.value)
            } else {
                values.append(HTTPHeader(name: spelling(field.name), value: field.value))
            }
        }
        return values
    }

    /// The server determines the number of fields and their names, so names are looked up in a dictionary and values
    /// joined once at the end, in linear time.
    private static func joinedByIndex(_ fields: HTTPFields, _ spelling: (HTTPField.Name) -> String) -> [HTTPHeader] {
        var places: [String: Int] = [:]
        var joined: [(name: HTTPField.Name, values: [String])] = []
        for field in fields {
            if let place = places[field.name.canonicalName] {
                joined[place].values.append(field.value)
            } else {
                places[field.name.canonicalName] = joined.count
                joined.append((field.name, [field.value]))
            }
        }
        return joined.map { name, values in
            HTTPHeader(name: spelling(name), value: values.joined(separator: name == .cookie ? "; " : ", "))
        }
    }

    /// The valid headers as fields.
    package var fields: HTTPFields { makeFields().fields }

    /// Returns the valid headers as fields, and the invalid headers.
    package func makeFields() -> (fields: HTTPFields, invalid: [HTTPHeader]) {
        var fields = HTTPFields()
        fields.reserveCapacity(count)
        var invalid: [HTTPHeader] = []
        for header in self {
            if let field = header.field, fields.hasRoom { fields.append(field) } else { invalid.append(header) }
        }
        return (fields, invalid)
    }
}

extension HTTPFields {
    /// Whether a field can be added: swift-http-types traps at 65,535.
    var hasRoom: Bool { count < 65_000 }

    /// Returns the value of a field, with the values of fields with the same name joined. The subscript of
    /// swift-http-types costs five times as much, because it joins lazily even if there is only one field.
    package func value(of name: HTTPField.Name) -> String? {
        guard let index = position(of: name) else { return nil }
        let isRepeated = position(of: name, from: index + 1) != nil
        return isRepeated ? self[name] : self[index].value
    }
}

extension HTTPHeader {
    /// The header as a field; `nil` if its name or value is invalid. Whitespace around the value is dropped, because
    /// they are not part of it (RFC 9110 §5.5).
    package var field: HTTPField? {
        guard let name = HTTPField.Name(name) else { return nil }
        let field = HTTPField(name: name, value: value)
        // The initializer replaces invalid characters, so an unchanged value is valid.
        if field.value == value { return field }
        let trimmed = value.trimmingBlanks()
        return HTTPField.isValidValue(trimmed) ? HTTPField(name: name, value: trimmed) : nil
    }

    /// The reason why the header cannot be sent; `nil` if it can.
    package var invalidity: InvalidHeaderFieldError? {
        guard HTTPField.Name(name) != nil else {
            return InvalidHeaderFieldError(name: name, reason: "the name is not a token (RFC 9110 §5.6.2)")
        }
        guard field == nil else { return nil }
        return InvalidHeaderFieldError(
            name: name,
            reason: "the value contains a line break or another control character (RFC 9110 §5.5)"
        )
    }
}

extension StringProtocol {
    /// Returns the text without leading and trailing spaces and tabs: optional whitespace of RFC 9110 §5.6.3.
    package func trimmingBlanks() -> String {
        let bytes = Substring(self).utf8
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(Substring(bytes[first...last]))
    }
}
