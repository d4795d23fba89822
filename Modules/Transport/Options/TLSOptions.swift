/// The options of TLS.
public struct TLSOptions: Sendable, Hashable {
    /// The oldest version to accept; TLS 1.2 if not set.
    public var minimumVersion: TLSVersion?
    /// The newest version to accept.
    public var maximumVersion: TLSVersion?
    /// The roots that a server's chain must lead to if there is no ``TrustEvaluation``.
    public var roots: TrustRoots?
    /// The cipher suites of TLS 1.3 in order of preference, by the names of RFC 8446 §B.4: `TLS_AES_128_GCM_SHA256`. If
    /// not set, that one is offered first, followed by OpenSSL's other suites in its order.
    public var cipherSuites: [String]?
    /// The cipher suites of TLS 1.2 and older in order of preference, by OpenSSL's names:
    /// `ECDHE-RSA-AES128-GCM-SHA256`. Suites without a server's certificate (`aNULL`) or without encryption (`eNULL`)
    /// are never offered.
    public var legacyCipherSuites: [String]?
    /// The groups of the key exchange in order of preference, by OpenSSL's names: `X25519`, `P-256`.
    public var groups: [String]?

    /// Creates options. Algorithms are set by their properties.
    ///
    /// - Parameters:
    ///   - minimumVersion: The oldest version to accept; `nil` for TLS 1.2.
    ///   - maximumVersion: The newest version to accept; `nil` for any.
    ///   - roots: The roots that a server's chain must lead to if there is no ``TrustEvaluation``; `nil` for the
    ///     system's.
    public init(
        minimumVersion: TLSVersion? = nil,
        maximumVersion: TLSVersion? = nil,
        roots: TrustRoots? = nil
    ) {
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
        self.roots = roots
    }

    /// Returns these options, replaced by those that are set in `overrides`.
    public func merging(_ overrides: TLSOptions) -> TLSOptions {
        TLSOptions(
            minimumVersion: overrides.minimumVersion ?? minimumVersion,
            maximumVersion: overrides.maximumVersion ?? maximumVersion,
            roots: overrides.roots ?? roots
        )
        .withAlgorithms(
            suites: overrides.cipherSuites ?? cipherSuites,
            legacySuites: overrides.legacyCipherSuites ?? legacyCipherSuites,
            groups: overrides.groups ?? groups
        )
    }

    private func withAlgorithms(suites: [String]?, legacySuites: [String]?, groups: [String]?) -> TLSOptions {
        var options = self
        (options.cipherSuites, options.legacyCipherSuites, options.groups) = (suites, legacySuites, groups)
        return options
    }

    /// Whether the options name cipher suites or groups.
    package var namesAlgorithms: Bool { cipherSuites != nil || legacyCipherSuites != nil || groups != nil }

    var requiredFeatures: TransportFeatures {
        var required: TransportFeatures = []
        if minimumVersion != nil || maximumVersion != nil { required.insert(.tlsVersionBounds) }
        if let roots, roots != .system { required.insert(.customRoots) }
        if namesAlgorithms { required.insert(.tlsAlgorithms) }
        return required
    }
}

/// The certificates that a chain may end in.
public enum TrustRoots: Sendable, Hashable {
    /// The system's roots, found at run time.
    case system
    /// Only these certificates.
    case certificates([DER])
    /// The certificates of a PEM file, which is read when the first connection is opened.
    ///
    /// It is read again for the first TLS handshake after it has changed: it is another file, or has another size or
    /// time of modification. Open connections stay. Replace the file by renaming another one, because a file that is
    /// incomplete or missing fails handshakes.
    case pemFile(path: String)
}

/// The bytes of a certificate or key in DER (ITU-T X.690).
public struct DER: Sendable, Hashable, CustomStringConvertible {
    /// The bytes.
    public let bytes: [UInt8]

    /// Wraps `bytes` without a check.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes.
    public var description: String { "DER (\(bytes.count) bytes)" }
}
