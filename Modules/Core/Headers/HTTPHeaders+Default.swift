internal import Foundation

extension HTTPHeaders {
    /// What every session sends unless told otherwise: `Accept-Encoding`, `Accept-Language` and `User-Agent`.
    public static let `default`: HTTPHeaders = [.defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent]
}

extension HTTPHeader {
    /// `Accept-Encoding: br;q=1.0, gzip;q=0.9, deflate;q=0.8`.
    ///
    /// A session whose layers decode less advertises less.
    public static let defaultAcceptEncoding: HTTPHeader = .acceptEncoding(["br", "gzip", "deflate"].qualityEncoded())

    /// `Accept-Language` with the first six of the user's languages, in their order of preference.
    public static let defaultAcceptLanguage: HTTPHeader = .acceptLanguage(
        Locale.preferredLanguages.prefix(6).qualityEncoded()
    )

    /// `User-Agent` with the names and versions of the program, the system and Airframe:
    /// `weather/Unknown (Unknown; build:Unknown; Linux 6.1.0) Airframe/0.1.0`.
    ///
    /// `Unknown` stands for the version, identifier and build that a bundle would tell and a plain executable lacks. A
    /// program that wants to tell more sets a field of its own.
    public static let defaultUserAgent: HTTPHeader = .userAgent(UserAgent.current)
}

extension Collection<String> {
    /// The elements with falling quality values (RFC 9110 §12.4.2): `a;q=1.0, b;q=0.9`.
    package func qualityEncoded() -> String {
        enumerated().map { "\($1);q=\(Double(10 - Swift.min($0, 9)) / 10)" }.joined(separator: ", ")
    }
}

private enum UserAgent {
    /// A plain executable has no bundle to tell version, identifier and build; asking for one takes 0.7 ms.
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

    /// A program may be called anything; a product in `User-Agent` is a token (RFC 9110 §10.1.5).
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
