internal import AirframeTransport
package import Foundation
package import HTTPTypes

extension URLRequest {
    /// Returns the head of this request for a transport.
    ///
    /// User information in the URL becomes Basic credentials, unless there is an `Authorization` field; the fragment is
    /// dropped (RFC 9110 §7.1); an empty path becomes `/`.
    ///
    /// - Throws: ``AFError/sessionTaskFailed(error:)`` with `URLError.unsupportedURL` for a URL without a scheme or
    ///   without a host to connect to; ``AFError/createURLRequestFailed(error:)`` for a method or a header field that
    ///   is invalid in HTTP.
    package func head() throws(AFError) -> HTTPRequest {
        if let header = invalidHeaderFields.first {
            let error = header.invalidity ?? InvalidHeaderFieldError(name: header.name, reason: "there are too many")
            throw .createURLRequestFailed(error: error)
        }
        guard let url else { throw .createURLRequestFailed(error: URLError(.badURL)) }
        guard let known = knownURL ?? KnownURL.find(url), known.hasTarget else {
            throw .sessionTaskFailed(error: URLError.unsupported(url))
        }

        var head = known.head
        if let name = httpMethod, name != "GET" {
            guard let method = HTTPRequest.Method(name) else {
                throw .createURLRequestFailed(error: InvalidMethodError(method: name))
            }
            head.method = method
        }
        head.headerFields = headerFields
        if let userInformation = known.userInformation, !head.headerFields.has(.authorization) {
            head.headerFields[fields: .authorization] = [userInformation.basicAuthorization]
        }
        return head
    }

    /// Creates the `URLRequest` of a head that a transport sent.
    package init?(head: HTTPRequest) {
        guard let url = head.targetURL else { return nil }
        self.init(url: url)
        httpMethod = head.method.rawValue
        headerFields = head.headerFields
    }

    /// Returns this request as a redirect changed it: with another URL, perhaps another method, and without the body
    /// and the fields that must not be sent there.
    package func redirected(to head: HTTPRequest) -> URLRequest {
        var redirected = self
        if let url = head.targetURL { redirected.url = url }
        if head.method.rawValue != httpMethod {
            redirected.httpBody = nil
            redirected.httpMethod = head.method.rawValue
        }
        redirected.headerFields = head.headerFields
        return redirected
    }
}

extension HTTPRequest {
    /// The URL of the request without user information and fragment.
    package var targetURL: URL? {
        guard let scheme, let authority else { return nil }
        return URL(string: "\(scheme)://\(authority)\(path ?? "/")")
    }
}

extension URLError {
    /// Returns the error for a URL that no transport can send a request to. Secrets in the URL are redacted.
    static func unsupported(_ url: URL) -> URLError {
        let text = Redaction.invalidURL(url.absoluteString)
        var information: [String: Any] = [
            NSLocalizedDescriptionKey:
                "The URL \(text.debugDescription) has no scheme, no host or no valid port."
        ]
        if let shown = URL(string: text) { information.setFailingURL(shown) }
        return URLError(.unsupportedURL, userInfo: information)
    }
}

/// A method that is not a token (RFC 9110 §9.1).
struct InvalidMethodError: LocalizedError {
    let method: String

    var errorDescription: String? { "method \(method.debugDescription) cannot be sent: it is not a token" }
}
