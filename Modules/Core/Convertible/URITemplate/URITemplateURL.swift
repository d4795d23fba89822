public import Foundation

/// A URI template with the values of its variables.
public struct URITemplateURL: URLConvertible, Sendable {
    let template: String
    let parsed: Result<URITemplate, URITemplateError>
    let values: [String: URITemplateValue]

    /// Returns the URL that the template expands to.
    ///
    /// - Throws: ``URITemplateError`` when the template is invalid or cannot be expanded with the values;
    ///   ``AFError/invalidURL(url:)`` when the result is not a URL.
    public func asURL() throws -> URL {
        try parsed.get().expand(values).asURL()
    }
}

extension URLConvertible where Self == URITemplateURL {
    /// Returns the URL of a URI template (RFC 6570).
    ///
    /// - Parameters:
    ///   - template: The template, for example `https://api.test/users/{id}{?fields*}`. An invalid template fails the
    ///     request with a ``URITemplateError``.
    ///   - values: The values of its variables, by name.
    public static func template(_ template: String, _ values: [String: URITemplateValue] = [:]) -> URITemplateURL {
        let parsed = Result { () throws(URITemplateError) in try URITemplate(template) }
        return URITemplateURL(template: template, parsed: parsed, values: values)
    }
}
