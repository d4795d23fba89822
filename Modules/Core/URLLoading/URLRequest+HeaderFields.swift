internal import HTTPTypes

extension URLRequest {
    /// The header fields as a dictionary, with the values of fields with the same name joined. Setting the property
    /// sets each of the new fields and keeps the others, as in Foundation; `nil` removes all.
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

    /// Returns the value of a header field. The name's case is ignored; the values of fields with the same name are
    /// joined.
    public func value(forHTTPHeaderField field: String) -> String? {
        if let name = HTTPField.Name(field), let value = headerFields.value(of: name) { return value }
        return invalidHeaderFields.first { $0.name.equalsIgnoringASCIICase(field) }?.value
    }

    /// Sets a header field in place of all fields with its name. `nil` removes them.
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
            // An earlier valid value must not be sent in place of the new one.
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

    /// Adds to a header field: the value is appended to the existing one, after a comma.
    ///
    /// To send a field several times, append to ``headerFields``.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        let joined = self.value(forHTTPHeaderField: field).map { "\($0),\(value)" } ?? value
        setValue(joined, forHTTPHeaderField: field)
    }

    /// The header fields, with the values of fields with the same name joined. Setting the property replaces all
    /// fields.
    public var headers: HTTPHeaders {
        get {
            var headers = HTTPHeaders(ofRequest: headerFields)
            for header in invalidHeaderFields { headers.update(header) }
            return headers
        }
        set { (headerFields, invalidHeaderFields) = newValue.makeFields() }
    }
}
