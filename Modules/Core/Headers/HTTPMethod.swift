/// The method of a request (RFC 9110 §9). It is case-sensitive.
///
/// ```swift
/// extension HTTPMethod { static let report = HTTPMethod(rawValue: "REPORT") }
/// ```
public struct HTTPMethod: RawRepresentable, Equatable, Hashable, Sendable {
    /// `CONNECT` (RFC 9110 §9.3.6)
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// `DELETE` (RFC 9110 §9.3.5)
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// `GET` (RFC 9110 §9.3.1)
    public static let get = HTTPMethod(rawValue: "GET")
    /// `HEAD` (RFC 9110 §9.3.2)
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// `OPTIONS` (RFC 9110 §9.3.7)
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// `PATCH` (RFC 5789)
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// `POST` (RFC 9110 §9.3.3)
    public static let post = HTTPMethod(rawValue: "POST")
    /// `PUT` (RFC 9110 §9.3.4)
    public static let put = HTTPMethod(rawValue: "PUT")
    /// `QUERY` (draft-ietf-httpbis-safe-method-w-body)
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// `TRACE` (RFC 9110 §9.3.8)
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method, which must be a token (RFC 9110 §5.6.2) to be sent.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension HTTPMethod {
    private static let registered: [String] = [
        get, post, put, delete, head, patch, options, query, trace, connect,
    ].map(\.rawValue)

    /// Returns `name`, in upper case if it is a registered method in another case.
    static func normalized(_ name: String) -> String {
        if registered.contains(name) { return name }
        return registered.first { $0.equalsIgnoringASCIICase(name) } ?? name
    }
}
