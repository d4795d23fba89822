public import Foundation

/// What came back for a URL. Immutable; over HTTP it is always an ``HTTPURLResponse``.
public class URLResponse: @unchecked Sendable {
    // Unchecked because the class has subclasses: they and it have only constants of Sendable types, and since it is
    // not open, no other module adds to them.

    /// Where the response comes from: after redirects, the last URL.
    public let url: URL?

    private let declared: Declared?

    /// What a response was said to be by who made it.
    private struct Declared: Sendable, Hashable {
        let mimeType: String?
        let expectedContentLength: Int64
        let textEncodingName: String?
    }

    /// Makes a response that did not come over HTTP.
    ///
    /// - Parameters:
    ///   - url: Where it comes from.
    ///   - mimeType: Its media type.
    ///   - expectedContentLength: The length of its body in bytes, -1 where it is not known.
    ///   - textEncodingName: The name of its character encoding.
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

    /// The length of the body in bytes, -1 where it is not known.
    public var expectedContentLength: Int64 { declared?.expectedContentLength ?? -1 }

    /// The name of the body's character encoding.
    public var textEncodingName: String? { declared?.textEncodingName }

    /// A name for a file with the body: the URL's last path component, its host, or `Unknown`.
    public var suggestedFilename: String? {
        if let name = url?.lastPathComponent, let safe = SafeFilename(name) { return safe.name }
        return url?.host().flatMap(SafeFilename.init)?.name ?? "Unknown"
    }

    /// Whether this is the same response as `other`: class, URL and all that was declared of it.
    func isEqual(to other: URLResponse) -> Bool {
        type(of: self) == type(of: other) && url == other.url && declared == other.declared
    }

    /// The class and URL.
    public var description: String { "\(type(of: self)) \(redactedURL)" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension URLResponse: CustomStringConvertible, CustomDebugStringConvertible {}

extension URLResponse: Hashable {
    /// Whether both say the same: for responses over HTTP URL, status and header fields, else URL and what was declared.
    public static func == (left: URLResponse, right: URLResponse) -> Bool {
        left === right || left.isEqual(to: right)
    }

    /// Hashes the URL.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}
