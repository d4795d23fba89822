internal import HTTPTypes

extension URLRequest {
    /// The header fields as a dictionary, those with the same name joined. Setting it sets each of its fields and
    /// leaves the others, as Foundation does; `nil` removes all.
    public var allHTTPHeaderFields: [String: String]? {
        get {
            var dictionary: [String: String] = [:]
            for header in headers { dictionary[header.name] = header.value }
            return dictionary
        }
        set {
            guard let newValue else {
                headers = HTTPHeaders()
                return
            }
            for header in HTTPHeaders(newValue) { setValue(header.value, forHTTPHeaderField: header.name) }
        }
    }

    /// The value of a header field, its name in any case; the values of fields with the same name are joined.
    public func value(forHTTPHeaderField field: String) -> String? {
        if let name = HTTPField.Name(field), let value = headerFields.value(of: name) { return value }
        return invalidHeaderFields.first { $0.name.equalsIgnoringASCIICase(field) }?.value
    }

    /// Sets a header field in place of all with its name. `nil` removes them.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        if !invalidHeaderFields.isEmpty {
            invalidHeaderFields.removeAll { $0.name.equalsIgnoringASCIICase(field) }
        }
        guard let value else {
            if let name = HTTPField.Name(field) { headerFields[fields: name] = [] }
            return
        }
        let header = HTTPHeader(name: field, value: value)
        guard let httpField = header.field, headerFields.hasRoom else {
            // A valid value from before must not be sent in the place of the one that was asked for.
            if let name = HTTPField.Name(field) { headerFields[fields: name] = [] }
            invalidHeaderFields.append(header)
            return
        }
        if headerFields.contains(httpField.name) {
            headerFields[fields: httpField.name] = [httpField]
        } else {
            headerFields.append(httpField)
        }
    }

    /// Adds to a header field: its value is appended to the one that is there, after a comma.
    ///
    /// To send a field several times, append to ``headerFields``.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        let joined = self.value(forHTTPHeaderField: field).map { "\($0),\(value)" } ?? value
        setValue(joined, forHTTPHeaderField: field)
    }

    /// The header fields, those with the same name joined. Setting it replaces all.
    public var headers: HTTPHeaders {
        get {
            var headers = HTTPHeaders(headerFields)
            for header in invalidHeaderFields { headers.update(header) }
            return headers
        }
        set { (headerFields, invalidHeaderFields) = newValue.makeFields() }
    }
}
