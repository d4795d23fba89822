internal import FoundationEssentials

extension HTTPCookie: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, value, domain, path, expires, secure, httpOnly, sameSite, partitionKey, created, accessed
    }

    /// Reads the output of ``encode(to:)``. Dates are seconds since 1970.
    ///
    /// - Throws: `DecodingError`, also for a cookie that HTTP could not carry.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func date(_ key: CodingKeys) throws -> Date? {
            try values.decodeIfPresent(Double.self, forKey: key).map(Date.init(timeIntervalSince1970:))
        }
        let domain = try values.decode(String.self, forKey: .domain)
        let isHostOnly = domain.first != "."
        let created = try date(.created) ?? Date()
        self.init(
            name: try values.decode(String.self, forKey: .name),
            value: try values.decode(String.self, forKey: .value),
            host: isHostOnly ? domain : String(domain.dropFirst()),
            isHostOnly: isHostOnly,
            path: try values.decodeIfPresent(String.self, forKey: .path) ?? "/",
            expires: try date(.expires),
            isSecure: try values.decodeIfPresent(Bool.self, forKey: .secure) ?? false,
            isHTTPOnly: try values.decodeIfPresent(Bool.self, forKey: .httpOnly) ?? false,
            sameSite: try values.decodeIfPresent(String.self, forKey: .sameSite).map(
                HTTPCookieStringPolicy.init(rawValue:)),
            partitionKey: try values.decodeIfPresent(String.self, forKey: .partitionKey),
            created: created,
            accessed: try date(.accessed)
        )
        guard isStorable else {
            throw DecodingError.dataCorruptedError(
                forKey: .name, in: values, debugDescription: "HTTP cannot carry the cookie \(name.debugDescription)")
        }
    }

    /// Writes the cookie, its value in the clear.
    ///
    /// - Throws: The errors of `encoder`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(value, forKey: .value)
        try values.encode(domain, forKey: .domain)
        try values.encode(path, forKey: .path)
        try values.encodeIfPresent(expiresDate?.timeIntervalSince1970, forKey: .expires)
        if isSecure { try values.encode(true, forKey: .secure) }
        if isHTTPOnly { try values.encode(true, forKey: .httpOnly) }
        try values.encodeIfPresent(sameSitePolicy?.rawValue, forKey: .sameSite)
        try values.encodeIfPresent(partitionKey, forKey: .partitionKey)
        try values.encode(creationDate.timeIntervalSince1970, forKey: .created)
        try values.encode(lastAccessDate.timeIntervalSince1970, forKey: .accessed)
    }
}
