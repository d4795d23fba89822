internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// A source of a `URLRequest` with the additions of its group.
struct GroupedRequest: URLRequestConvertible {
    let convertible: any URLRequestConvertible
    let additions: RequestGroup.Additions
    /// The fields that are removed if the request goes to another origin than the base's.
    let secrets: RedactionPolicy

    func asURLRequest() throws -> URLRequest {
        var request = try convertible.asURLRequest()
        if let base = try additions.base?.get() { try request.resolve(against: base) }
        addHeaders(to: &request)
        if additions.options != TransportOptions() {
            request.transportOptions = additions.options.merging(request.transportOptions)
        }
        if !additions.tags.isEmpty { request.tags.formUnion(additions.tags) }
        return request
    }

    private func addHeaders(to request: inout URLRequest) {
        guard !additions.headers.isEmpty else { return }
        let isForeign = (try? additions.base?.get()).map { $0.url.origin != request.url?.origin } ?? false
        for header in additions.headers where request.headers[header.name] == nil {
            if isForeign, let name = HTTPField.Name(header.name),
                secrets.isSecret(HTTPField(name: name, value: header.value))
            {
                continue
            }
            request.headers.add(header)
        }
    }
}

extension URLRequest {
    /// Resolves a relative URL against `base`. An absolute URL is not changed.
    mutating func resolve(against base: BaseURL) throws(BaseURLError) {
        guard let url, url.scheme == nil else { return }
        self.url = try base.joining(url)
    }
}

extension URL {
    /// The URL's origin; `nil` for a URL without a scheme or a host.
    fileprivate var origin: Origin? {
        guard let scheme, let host = host(percentEncoded: true), !host.isEmpty else { return nil }
        return Origin(scheme: scheme, host: host, port: port)
    }
}
