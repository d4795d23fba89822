public import HTTPTypes
internal import Synchronization

/// A request's head, shared by request, engine, timeline and response. Copying an `HTTPRequest` retains a dozen
/// strings; copying this reference retains one object.
///
/// `@unchecked Sendable`: it is immutable while it is shared. Only ``TransportRequest`` changes it, as its sole owner,
/// and only while it has no ``encoding``.
@usableFromInline
package final class SharedRequestHead: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var stored: HTTPRequest
    private let wasEncoded = Atomic(false)
    private let remembered = AtomicLazyReference<Encoding>()

    /// Method, scheme, authority, path and header fields.
    // An accessor, because other modules would check accesses to the stored property at run time.
    @inlinable package var head: HTTPRequest {
        _read { yield stored }
        _modify { yield &stored }
    }

    /// Shares `head`.
    @usableFromInline
    package init(_ head: HTTPRequest) { stored = head }

    /// The head's bytes as an engine sent them, for the next request with this head.
    package final class Encoding: Sendable {
        package let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    /// The bytes that an engine has remembered.
    package var encoding: Encoding? { remembered.load() }

    /// Whether the bytes are remembered, so that the head must not change.
    @usableFromInline var isEncoded: Bool { remembered.load() != nil }

    /// Remembers the head's bytes if they are encoded for the second time. Most heads are sent once, and copying their
    /// bytes would not pay.
    package func remember(_ bytes: [UInt8]) {
        guard wasEncoded.exchange(true, ordering: .relaxed) else { return }
        _ = remembered.storeIfNil(Encoding(bytes))
    }
}
