public import HTTPTypes

/// A request's head, shared by request, engine, timeline and response. Copying an `HTTPRequest` retains a dozen
/// strings; copying this reference retains one object.
///
/// `@unchecked Sendable`: it is immutable while it is shared. Only ``TransportRequest`` changes it, as its sole owner.
@usableFromInline
package final class SharedRequestHead: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var stored: HTTPRequest

    /// Method, scheme, authority, path and header fields.
    // An accessor, because other modules would check accesses to the stored property at run time.
    @inlinable package var head: HTTPRequest {
        _read { yield stored }
        _modify { yield &stored }
    }

    /// Shares `head`.
    @usableFromInline
    package init(_ head: HTTPRequest) { stored = head }
}
