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
    // The raw value of the method's role, 0 while it is unknown.
    private let role = Atomic<UInt8>(0)
    private let presence = FieldPresence()

    /// Method, scheme, authority, path and header fields.
    // An accessor, because other modules would check accesses to the stored property at run time.
    @inlinable package var head: HTTPRequest {
        _read { yield stored }
        _modify {
            forgetReadings()
            yield &stored
        }
    }

    /// Forgets what was read of the head, before it changes.
    @usableFromInline func forgetReadings() {
        presence.reset()
        role.store(0, ordering: .relaxed)
    }

    /// Returns whether there is such a field.
    package func has(_ field: WellKnownField) -> Bool { presence.has(field, in: stored.headerFields) }

    /// Shares `head`.
    @usableFromInline
    package init(_ head: HTTPRequest) { stored = head }

    /// The role of the method. Remembered, because reading the method copies its field, 100 instructions.
    package var methodRole: MethodRole {
        if let known = MethodRole(rawValue: role.load(ordering: .relaxed)) { return known }
        let read = MethodRole(stored.method)
        role.store(read.rawValue, ordering: .relaxed)
        return read
    }

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
