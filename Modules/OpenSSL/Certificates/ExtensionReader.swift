/// Parses the values of extensions.
package enum ExtensionReader {
    /// Parses an extension by its identifier.
    package struct Kind<Value>: Sendable {
        package let identifier: String
        package let read: @Sendable ([UInt8]) throws -> Value

        package init(_ identifier: String, _ read: @escaping @Sendable (DERReader.Value) throws -> Value) {
            self.identifier = identifier
            self.read = { bytes in
                var reader = DERReader(bytes[...])
                let value = try reader.next()
                try reader.finish()
                return try read(value)
            }
        }
    }

    package static let subjectAlternativeNames = Kind("2.5.29.17") { value in
        let names = try GeneralName.list(try sequence(value))
        guard !names.isEmpty else { throw DERError("there are no names") }
        for case .ipAddress(let bytes) in names where bytes.count != 4 && bytes.count != 16 {
            throw DERError("an address has \(bytes.count) bytes")
        }
        return names
    }

    package static let keyUsage = Kind("2.5.29.15") { KeyUsage(rawValue: try $0.namedBits()) }

    package static let extendedKeyUsages = Kind("2.5.29.37") { value in
        let purposes = try identifiers(try sequence(value))
        guard !purposes.isEmpty else { throw DERError("there are no purposes") }
        return purposes
    }

    package static let basicConstraints = Kind("2.5.29.19") { value in
        var reader = try sequence(value)
        let isAuthority = try reader.nextIf(DERTag.boolean)?.boolean() ?? false
        let pathLength = try reader.nextIf(DERTag.integer)?.integer()
        try reader.finish()
        guard pathLength ?? 0 >= 0 else { throw DERError("the path length is negative") }
        return BasicConstraints(isAuthority: isAuthority, pathLength: pathLength)
    }

    package static let nameConstraints = Kind("2.5.29.30") { value in
        var reader = try sequence(value)
        let permitted = try reader.nextIf(DERTag.constructed(0)).map { try subtrees($0.reader) }
        let excluded = try reader.nextIf(DERTag.constructed(1)).map { try subtrees($0.reader) }
        try reader.finish()
        // One of the two must be present (RFC 5280 §4.2.1.10).
        guard permitted != nil || excluded != nil, permitted?.isEmpty != true || excluded?.isEmpty == false else {
            throw DERError("there are no constraints")
        }
        return NameConstraints(permitted: permitted ?? [], excluded: excluded ?? [])
    }

    package static let policies = Kind("2.5.29.32") { value in
        var reader = try sequence(value)
        var policies: [String] = []
        while !reader.isAtEnd {
            var policy = try reader.next(DERTag.sequence).reader
            policies.append(try policy.next().objectIdentifier())
        }
        return policies
    }

    package static let distributionPoints = Kind("2.5.29.31") { value in
        var reader = try sequence(value)
        var locations: [String] = []
        while !reader.isAtEnd {
            var point = try reader.next(DERTag.sequence).reader
            guard let name = try point.nextIf(DERTag.constructed(0)) else { continue }
            var choices = name.reader
            guard let full = try choices.nextIf(DERTag.constructed(0)) else { continue }
            for case .uri(let uri) in try GeneralName.list(full.reader) { locations.append(uri) }
        }
        return locations
    }

    package static let informationAccess = Kind("1.3.6.1.5.5.7.1.1") { value in
        var reader = try sequence(value)
        var entries: [(method: String, location: GeneralName)] = []
        while !reader.isAtEnd {
            var entry = try reader.next(DERTag.sequence).reader
            entries.append((try entry.next().objectIdentifier(), try GeneralName(try entry.next())))
            try entry.finish()
        }
        guard !entries.isEmpty else { throw DERError("there are no entries") }
        return entries
    }

    package static let tlsFeatures = Kind("1.3.6.1.5.5.7.1.24") { value in
        var reader = try sequence(value)
        var features: [Int] = []
        while !reader.isAtEnd { features.append(try reader.next(DERTag.integer).integer()) }
        return features
    }

    package static let timestamps = Kind("1.3.6.1.4.1.11129.2.4.2") { value in
        guard value.tag == DERTag.octetString else { throw DERError("there is no list of timestamps") }
        return try SignedCertificateTimestamp.list(value.contents)
    }

    package static let subjectKeyIdentifier = Kind("2.5.29.14") { value in
        guard value.tag == DERTag.octetString else { throw DERError("there is no key identifier") }
        return Array(value.contents)
    }

    /// The fields of an authority key identifier (RFC 5280 §4.2.1.1).
    package static let authorityKeyIdentifier = Kind("2.5.29.35") { value in
        var reader = try sequence(value)
        let key = try reader.nextIf(DERTag.context(0)).map { Array($0.contents) }
        let issuer = try reader.nextIf(DERTag.constructed(1))
        let serial = try reader.nextIf(DERTag.context(2))
        try reader.finish()
        return (key: key, namesIssuer: issuer != nil, namesSerial: serial != nil)
    }

    /// The identifiers of the extensions of `certificate` whose value cannot be read.
    package static func malformed(in certificate: Certificate) -> [String] {
        certificate.extensions.filter { `extension` in
            guard let check = checks[`extension`.identifier] else { return false }
            return !check(`extension`.value)
        }.map(\.identifier)
    }

    private static let checks: [String: @Sendable ([UInt8]) -> Bool] = Dictionary(
        uniqueKeysWithValues: [
            check(subjectAlternativeNames), check(keyUsage), check(extendedKeyUsages), check(basicConstraints),
            check(nameConstraints), check(policies), check(distributionPoints), check(informationAccess),
            check(tlsFeatures), check(timestamps), check(subjectKeyIdentifier), check(authorityKeyIdentifier),
        ]
    )

    private static func check<Value>(_ kind: Kind<Value>) -> (String, @Sendable ([UInt8]) -> Bool) {
        (kind.identifier, { bytes in (try? kind.read(bytes)) != nil })
    }

    private static func sequence(_ value: DERReader.Value) throws(DERError) -> DERReader {
        guard value.tag == DERTag.sequence else { throw DERError("there is no sequence") }
        return value.reader
    }

    private static func identifiers(_ reader: DERReader) throws(DERError) -> [String] {
        var reader = reader
        var identifiers: [String] = []
        while !reader.isAtEnd { identifiers.append(try reader.next().objectIdentifier()) }
        return identifiers
    }

    private static func subtrees(_ reader: DERReader) throws(DERError) -> [GeneralName] {
        var reader = reader
        var names: [GeneralName] = []
        while !reader.isAtEnd {
            var subtree = try reader.next(DERTag.sequence).reader
            names.append(try GeneralName(try subtree.next()))
        }
        return names
    }
}
