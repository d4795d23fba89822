internal import Foundation
internal import HTTPTypes

/// Where a redirect led: what was sent there, and the fragment that it has for whoever reads the document.
///
/// A fragment is not sent, so that heads have none. It is the location's own, or else that of the URL that was redirected
/// (RFC 9110 §10.2.2).
struct RedirectTrace: Sendable {
    /// What was sent.
    let head: HTTPRequest
    /// The fragment, percent-encoded.
    let fragment: String?

    /// - Parameters:
    ///   - response: The response that redirected.
    ///   - url: The URL that it answers for, with its fragment.
    ///   - head: What followed. Where somebody chose another target than the location, there is no fragment.
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

    /// `original` as it followed the redirect.
    func request(from original: URLRequest) -> URLRequest {
        var request = original.redirected(to: head)
        if let fragment, let url = request.url { request.url = URL(string: "\(url.absoluteString)#\(fragment)") ?? url }
        return request
    }
}
