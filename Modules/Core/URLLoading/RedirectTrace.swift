internal import Foundation
internal import HTTPTypes

/// The target of a redirect: the head of the request that followed, and the fragment of its URL.
///
/// A fragment is not sent, so heads have none. It is that of the location, else that of the redirected URL (RFC 9110
/// §10.2.2).
struct RedirectTrace: Sendable {
    /// The head of the request that followed.
    let head: HTTPRequest
    /// The fragment, percent-encoded.
    let fragment: String?

    /// - Parameters:
    ///   - response: The redirect's response.
    ///   - url: The URL of the response, with its fragment.
    ///   - head: The head of the request that followed. If its target is not the location, there is no fragment.
    init(of response: HTTPResponse, from url: URL?, to head: HTTPRequest) {
        self.head = head
        guard let location = response.headerFields[values: .location].first,
            let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let known = RequestTarget(target.absoluteString), known.path == head.path
        else {
            fragment = nil
            return
        }
        fragment = target.fragment(percentEncoded: true) ?? url?.fragment(percentEncoded: true)
    }

    /// Returns `original` as it was sent after the redirect.
    func request(from original: URLRequest) -> URLRequest {
        var request = original.redirected(to: head)
        if let fragment, let url = request.url { request.url = URL(string: "\(url.absoluteString)#\(fragment)") ?? url }
        return request
    }
}
