public import Foundation

/// The response for a URL. Immutable; over HTTP it is always an ``HTTPURLResponse``.
public class URLResponse: @unchecked Sendable {
    // Unchecked because the class has subclasses: all of them have only constants of Sendable types, and since the
    // class is not open, no other module adds any.

    /// The URL of the response: after redirects, the last one.
    public let url: URL?

    private let declared: Declared?

    /// The properties of a response that its creator declared.
    private struct Declared: Sendable, Hashable {
        let mimeType: String?
        let expectedContentLength: Int64
        let textEncodingName: String?
    }

    /// Creates a response that was not received over HTTP.
    ///
    /// - Parameters:
    ///   - url: The URL of the response.
    ///   - mimeType: The media type.
    ///   - expectedContentLength: The length of the body in bytes; -1 if it is unknown.
    ///   - textEncodingName: The name of the character encoding.
    public init(url: URL, mimeType: String?, expectedContentLength: Int, textEncodingName: String?) {
        self.url = url
        declared = Declared(
            mimeType: mimeType,
            expectedContentLength: Int64(expectedContentLength),
            textEncodingName: textEncodingName
        )
    }

    init(url: URL?) {
        self.url = url
        declared = nil
    }

    /// The media type in lower case, without parameters.
    public var mimeType: String? { declared?.mimeType }

    /// The length of the body in bytes; -1 if it is unknown.
    public var expectedContentLength: Int64 { declared?.expectedContentLength ?? -1 }

    /// The name of the body's character encoding.
    public var textEncodingName: String? { declared?.textEncodingName }

    /// A name for a file with the body: the URL's last path component, its host, or `Unknown`. A name without an
    /// extension gets that of the media type, if it has one.
    public var suggestedFilename: String? {
        if let name = url?.lastPathComponent, let safe = SafeFilename(name) { return filename(from: safe.name) }
        // A host always gets the extension, because its last label is not one.
        return appendingExtension(to: url?.host().flatMap(SafeFilename.init)?.name ?? "Unknown")
    }

    /// Whether class, URL and declared properties equal those of `other`.
    func isEqual(to other: URLResponse) -> Bool {
        type(of: self) == type(of: other) && url == other.url && declared == other.declared
    }

    /// The class and URL.
    public var description: String { "\(type(of: self)) \(redactedURL)" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension URLResponse {
    /// Returns a safe name, with the extension of the media type if it has no extension.
    func filename(from name: String) -> String {
        // By scalars: a dot followed by a combining mark is another `Character`.
        let parts = name.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        // A word after a space belongs to a sentence, as in "St. Mary".
        guard let last = parts.dropFirst().last, !last.isEmpty, !last.contains(" ") else {
            return appendingExtension(to: name)
        }
        return name
    }

    private func appendingExtension(to name: String) -> String {
        guard let pathExtension = mimeType.flatMap(MIMEType.pathExtension(of:)) else { return name }
        let separator = name.unicodeScalars.last == "." ? "" : "."
        // The extension may make the name too long for a file system.
        return SafeFilename(name + separator + pathExtension)?.name ?? name
    }
}

extension URLResponse: CustomStringConvertible, CustomDebugStringConvertible {}

extension URLResponse: Hashable {
    /// Whether the responses are equal: over HTTP by URL, status and header fields, else by URL and declared
    /// properties.
    public static func == (left: URLResponse, right: URLResponse) -> Bool {
        left === right || left.isEqual(to: right)
    }

    /// Hashes the URL.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}
