internal import Foundation
internal import HTTPTypes

/// The rules behind `validate(statusCode:)` and `validate(contentType:)`.
enum ResponseRules {
    static func check(
        statusCode acceptable: some Sequence<Int>,
        of response: HTTPURLResponse
    ) -> Request.ValidationResult {
        guard !acceptable.contains(response.statusCode) else { return .success(()) }
        return .failure(AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: response.statusCode)))
    }

    /// A response without content needs no content type.
    static func check(
        contentType acceptable: some Sequence<String>,
        of response: HTTPURLResponse,
        isEmpty: Bool
    ) -> Request.ValidationResult {
        isEmpty ? .success(()) : check(Array(acceptable), response)
    }

    static func check(
        contentType acceptable: some Sequence<String>,
        of response: HTTPURLResponse,
        file: URL?
    ) -> Request.ValidationResult {
        guard let file else { return failure(.dataFileNil) }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
            return check(contentType: acceptable, of: response, isEmpty: size?.int64Value == 0)
        } catch {
            return failure(.dataFileReadFailed(at: file))
        }
    }

    /// Checks that a response to `request` has a type that its `Accept` field names. Without the field, as in most
    /// requests, every type is valid and nothing is parsed.
    static func check(
        acceptedBy request: URLRequest?,
        _ response: HTTPURLResponse,
        isEmpty: () -> Bool
    ) -> Request.ValidationResult {
        guard let accepted = acceptableContentTypes(of: request) else { return .success(()) }
        return check(contentType: accepted, of: response, isEmpty: isEmpty())
    }

    /// The media types of the request's `Accept` field; `nil` if it has none.
    static func acceptableContentTypes(of request: URLRequest?) -> [String]? {
        request?.headerFields.value(of: .accept)?.split(separator: ",").map(String.init)
    }

    private static func check(_ acceptable: [String], _ response: HTTPURLResponse) -> Request.ValidationResult {
        let patterns = acceptable.compactMap(MediaTypePattern.init)
        let acceptsAll = patterns.contains { $0.isWildcard }
        guard let text = response.mimeType, let type = MediaTypePattern(text) else {
            return acceptsAll ? .success(()) : failure(.missingContentType(acceptableContentTypes: acceptable.sorted()))
        }
        guard !patterns.contains(where: { $0.matches(type) }) else { return .success(()) }
        return failure(
            .unacceptableContentType(acceptableContentTypes: acceptable.sorted(), responseContentType: text))
    }

    private static func failure(_ reason: AFError.ResponseValidationFailureReason) -> Request.ValidationResult {
        .failure(AFError.responseValidationFailed(reason: reason))
    }
}

/// A media type in which `*` matches any type or subtype (RFC 9110 §12.5.1), without parameters. A single part, as in
/// `*`, is both the type and the subtype, as in Alamofire.
private struct MediaTypePattern {
    let type: Substring
    let subtype: Substring

    init?(_ text: String) {
        let essence = text.prefix { $0 != ";" }.trimmingBlanks().lowercased()
        let parts = essence.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let last = parts.last else { return nil }
        type = first
        subtype = last
    }

    var isWildcard: Bool { type == "*" && subtype == "*" }

    func matches(_ other: MediaTypePattern) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }
}
