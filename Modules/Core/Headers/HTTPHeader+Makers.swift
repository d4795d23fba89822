internal import Foundation

extension HTTPHeader {
    /// Returns an `Accept` field (RFC 9110 §12.5.1).
    public static func accept(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept", value: value) }

    /// Returns an `Accept-Charset` field (RFC 9110 §12.5.2), which is deprecated.
    public static func acceptCharset(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Charset", value: value)
    }

    /// Returns an `Accept-Language` field (RFC 9110 §12.5.4). ``defaultAcceptLanguage`` follows the user's settings.
    public static func acceptLanguage(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Language", value: value)
    }

    /// Returns an `Accept-Encoding` field (RFC 9110 §12.5.3). ``defaultAcceptEncoding`` names the supported codings.
    public static func acceptEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Encoding", value: value)
    }

    /// Returns an `Authorization` field with Basic credentials (RFC 7617), in UTF-8.
    ///
    /// - Parameters:
    ///   - username: The user's name. It must not contain a colon: the server would take the part after it as the
    ///     beginning of the password (RFC 7617 §2).
    ///   - password: The password.
    public static func authorization(username: String, password: String) -> HTTPHeader {
        let credential = Data("\(username):\(password)".utf8).base64EncodedString()
        return authorization("Basic \(credential)")
    }

    /// Returns an `Authorization` field with a bearer token (RFC 6750 §2.1).
    public static func authorization(bearerToken: String) -> HTTPHeader { authorization("Bearer \(bearerToken)") }

    /// Returns an `Authorization` field (RFC 9110 §11.6.2).
    public static func authorization(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Authorization", value: value)
    }

    /// Returns a `Content-Disposition` field (RFC 6266).
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Disposition", value: value)
    }

    /// Returns a `Content-Encoding` field (RFC 9110 §8.4).
    public static func contentEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Encoding", value: value)
    }

    /// Returns a `Content-Type` field (RFC 9110 §8.3).
    public static func contentType(_ value: String) -> HTTPHeader { HTTPHeader(name: "Content-Type", value: value) }

    /// Returns a `User-Agent` field (RFC 9110 §10.1.5).
    public static func userAgent(_ value: String) -> HTTPHeader { HTTPHeader(name: "User-Agent", value: value) }

    /// Returns a `Sec-WebSocket-Protocol` field (RFC 6455 §11.3.4).
    public static func websocketProtocol(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Sec-WebSocket-Protocol", value: value)
    }
}
