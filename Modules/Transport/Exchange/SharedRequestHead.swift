public import HTTPTypes

/// A request's head, shared by request, engine, timeline and response. Copying an `HTTPRequest` retains a dozen
/// strings; copying this reference retains one object.
///
/// `@unchecked Sendable`: it is immutable while it is shared. Only ``TransportRequest`` changes it, as its sole owner.
@usableFromInline
package final class SharedRequestHead: @unchecked Sendable {
    /// Method, scheme, authority, path and header fields.
    @exclusivity(unchecked) @usableFromInline package internal(set) var head: HTTPRequest

    /// Shares `head`.
    @usableFromInline
    package init(_ head: HTTPRequest) { self.head = head }
}
