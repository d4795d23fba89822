internal import Foundation

extension HTTPHeaders {
    /// The default fields of sessions: `Accept-Encoding`, `Accept-Language` and `User-Agent`.
    public static let `default`: HTTPHeaders = [.defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent]
}

extension HTTPHeader {
    /// `Accept-Encoding: br;q=1.0, gzip;q=0.9, deflate;q=0.8`.
    ///
    /// A session whose layers support fewer codings advertises those.
    public static let defaultAcceptEncoding: HTTPHeader = .acceptEncoding(["br", "gzip", "deflate"].qualityEncoded())

    /// `Accept-Language` with the first six of the user's languages, in their order of preference.
    public static let defaultAcceptLanguage: HTTPHeader = .acceptLanguage(
        Locale.preferredLanguages.prefix(6).qualityEncoded()
    )

    /// `User-Agent` with the names and versions of the program, the system and Airframe:
    /// `weather/Unknown (Unknown; build:Unknown; Linux 6.1.0) Airframe/0.1.0`.
    ///
    /// `Unknown` takes the place of the version, identifier and build of a bundle, which a plain executable does not
    /// have. A program can set its own field instead.
    public static let defaultUserAgent: HTTPHeader = .userAgent(UserAgent.current)
}

extension Collection<String> {
    /// Returns the elements with descending quality values (RFC 9110 §12.4.2): `a;q=1.0, b;q=0.9`.
    package func qualityEncoded() -> String {
        enumerated().map { "\($1);q=\(Double(10 - Swift.min($0, 9)) / 10)" }.joined(separator: ", ")
    }
}

private enum UserAgent {
    /// A plain executable has no bundle with version, identifier and build, and looking for one takes 0.7 ms.
    static var current: String {
        "\(executable)/Unknown (Unknown; build:Unknown; \(system)) Airframe/\(AFInfo.version)"
    }

    private static var executable: String {
        let path = CommandLine.arguments.first ?? ""
        let name = path.split(separator: "/").last.map(token) ?? ""
        return name.isEmpty ? "Unknown" : name
    }

    private static var system: String {
        #if os(Linux)
            let name = "Linux"
        #elseif os(macOS)
            let name = "macOS"
        #else
            let name = "Unknown"
        #endif
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(name) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    /// Returns the name of a program as a token, which a product in `User-Agent` must be (RFC 9110 §10.1.5).
    private static func token(_ name: some StringProtocol) -> String {
        String(
            decoding: name.utf8.map { byte in
                let character = Character(Unicode.Scalar(byte))
                let isAllowed = byte < 0x80 && (character.isLetter || character.isNumber || "-._+".contains(character))
                return isAllowed ? byte : UInt8(ascii: "-")
            },
            as: UTF8.self
        )
    }
}
