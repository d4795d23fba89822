public import Foundation

/// A type that can be converted to a URL.
public protocol URLConvertible: Sendable {
    /// Returns the URL.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` if there is none.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// Returns the URL of this text. Characters that are invalid in a URL are percent-encoded, and a host with
    /// non-ASCII letters is converted to Punycode.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` if it is not a URL.
    public func asURL() throws -> URL {
        guard let url = URL(string: self) else { throw AFError.invalidURL(url: self) }
        return url
    }
}

extension URL: URLConvertible {
    /// Returns the URL itself.
    public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
    /// Returns the URL of the components.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` if they do not form one.
    public func asURL() throws -> URL {
        guard let url else { throw AFError.invalidURL(url: self) }
        return url
    }
}
