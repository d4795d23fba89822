public import Foundation

/// What can be made into a URL.
public protocol URLConvertible: Sendable {
    /// The URL.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` when there is none.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// The URL that this text is. Characters that a URL cannot have are percent-encoded, a host with letters beyond
    /// ASCII is written in Punycode.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` when it is none.
    public func asURL() throws -> URL {
        guard let url = URL(string: self) else { throw AFError.invalidURL(url: self) }
        return url
    }
}

extension URL: URLConvertible {
    /// The URL itself.
    public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
    /// The URL that the components make.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` when they make none.
    public func asURL() throws -> URL {
        guard let url else { throw AFError.invalidURL(url: self) }
        return url
    }
}
