public import AirframeTransport
internal import Foundation
internal import Synchronization

/// The tags of a request: names with which an application finds the request again.
///
/// Layers read them from a transport's request, adapters from a `URLRequest`, monitors and retriers from a ``Request``.
public enum RequestTags: TransportRequestKey {
    /// No tags.
    public static var defaultValue: Set<String> { [] }
}

extension URLRequest {
    /// Names with which an application finds the request again. They are not sent.
    public var tags: Set<String> {
        get { self[RequestTags.self] }
        set { self[RequestTags.self] = newValue }
    }
}

extension Request {
    /// Sets a typed value that travels with the request and is not sent. Adapters and layers read it from their
    /// requests, monitors and retriers from this one.
    ///
    /// ```swift
    /// enum Screen: TransportRequestKey { static let defaultValue = "none" }
    ///
    /// session.request("https://api.test/feed").setting(Screen.self, to: "home")
    /// ```
    ///
    /// The value takes precedence over one in the `URLRequest`. If an attempt has begun, it applies to the next one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value.
    @discardableResult
    public func setting<Key: TransportRequestKey>(_ key: Key.Type, to value: Key.Value) -> Self {
        mutable.withLock { $0.values = LayerValues($0.values, setting: value, for: key) }
        return self
    }

    /// The value for `key`: the one set by ``setting(_:to:)``, else that of the last `URLRequest`.
    public subscript<Key: TransportRequestKey>(key: Key.Type) -> Key.Value {
        let (values, last) = mutable.withLock { ($0.values, $0.requests.last) }
        return values?.stored(key) ?? last?[key] ?? Key.defaultValue
    }

    /// Adds tags, with which an application finds the request again: see ``Session/cancelRequests(tagged:)``.
    @discardableResult
    public func tag(_ tags: String...) -> Self {
        mutable.withLock { state in
            let known = state.values?.stored(RequestTags.self) ?? []
            state.values = LayerValues(state.values, setting: known.union(tags), for: RequestTags.self)
        }
        return self
    }

    /// The tags of the request: those added by ``tag(_:)`` and those of its `URLRequest`.
    public var tags: Set<String> {
        let (values, last) = mutable.withLock { ($0.values, $0.requests.last) }
        return (values?.stored(RequestTags.self) ?? []).union(last?.tags ?? [])
    }

    /// Copies the request's values to the `URLRequest` of an attempt.
    func addValues(to urlRequest: inout URLRequest) {
        guard let values = mutable.withLock({ $0.values }) else { return }
        let tags = urlRequest.tags.union(values.stored(RequestTags.self) ?? [])
        urlRequest.layerValues = .merging(urlRequest.layerValues, values)
        if !tags.isEmpty { urlRequest.tags = tags }
    }
}

extension Session {
    /// Returns the requests with a tag that have not finished.
    ///
    /// - Parameter tag: The tag.
    public func requests(tagged tag: String) -> Set<Request> {
        context.activeRequests.all.filter { $0.tags.contains(tag) }
    }

    /// Cancels the requests with a tag that have not finished.
    ///
    /// - Parameter tag: The tag.
    public func cancelRequests(tagged tag: String) {
        for request in requests(tagged: tag) { request.cancel() }
    }
}
