public import HTTPTypes
internal import Synchronization

/// A request's head, shared by request, engine, timeline and response. Copying an `HTTPRequest` retains a dozen
/// strings; copying this reference retains one object.
///
/// `@unchecked Sendable`: it is immutable while it is shared. Only ``TransportRequest`` changes it, as its sole owner
/// and only while its bytes are not remembered.
@usableFromInline
package final class SharedRequestHead: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var stored: HTTPRequest
    // Guards the bytes that an engine has remembered.
    private let encoding = Mutex(Encoding.none)

    /// Method, scheme, authority, path and header fields.
    // An accessor, because other modules would check accesses to the stored property at run time.
    @inlinable package var head: HTTPRequest {
        _read { yield stored }
        _modify {
            forgetPresence()
            yield &stored
        }
    }

    private let presence = FieldPresence()

    @usableFromInline func forgetPresence() { presence.reset() }

    /// Returns whether there is such a field.
    package func has(_ field: WellKnownField) -> Bool { presence.has(field, in: stored.headerFields) }

    /// Shares `head`.
    @usableFromInline
    package init(_ head: HTTPRequest) { stored = head }

    private enum Encoding {
        case none
        /// The head was encoded once. Most heads are sent once, and copying their bytes would not pay.
        case once
        case known([UInt8])
    }

    /// The head's bytes as an engine sent them, if they are remembered.
    package var encodedBytes: [UInt8]? {
        encoding.withLock { if case .known(let bytes) = $0 { bytes } else { nil } }
    }

    /// Whether the bytes are remembered, so that the head must not change.
    @usableFromInline var isEncoded: Bool { encodedBytes != nil }

    /// Remembers the head's bytes if they are encoded for the second time.
    package func remember(_ bytes: [UInt8]) {
        encoding.withLock { encoding in
            switch encoding {
            case .none: encoding = .once
            case .once: encoding = .known(bytes)
            case .known: break
            }
        }
    }
}
