/// The parts of a request that are set, and that an engine must therefore look at.
///
/// An engine reads them once: each access to an optional part copies its value, even to compare it with `nil`, and each
/// access to ``TransportRequest/options`` costs a retain and a release. Not an `OptionSet`, since other modules do not
/// specialize its generic operations: one literal took 2,000 instructions.
package struct RequestTraits: Sendable {
    /// Whether ``TransportRequest/upgrade`` is set.
    package internal(set) var hasUpgrade = false
    /// Whether ``TransportRequest/trust`` is set.
    package internal(set) var hasTrust = false
    /// Whether ``TransportRequest/identity`` is set.
    package internal(set) var hasIdentity = false
    /// Whether ``TransportRequest/priorityUpdates`` is set.
    package internal(set) var hasPriorityUpdates = false
    /// Whether ``TransportRequest/deadline`` is set.
    package internal(set) var hasDeadline = false
    /// Whether there is content or a trailer section.
    package internal(set) var hasContent = false
    /// Whether any option is set.
    package internal(set) var hasOptions = false
    /// Whether options limit the exchange's time.
    package internal(set) var limitsTime = false
    /// Whether options choose the proxy or exclude HTTP/1.1.
    package internal(set) var choosesRoute = false
    /// Whether options change the request's head.
    package internal(set) var changesHead = false
    /// Whether options determine the endpoints of a connection, in addition to origin and proxy.
    package internal(set) var choosesPlace = false
    /// Whether options choose the HTTP version.
    package internal(set) var choosesVersion = false
}

extension TransportRequest {
    /// The parts that are set.
    package var traits: RequestTraits { storage.traits }
}

extension TransportRequest.Storage {
    // Matched in place, which copies no value.
    fileprivate var traits: RequestTraits {
        var traits = options.traits
        if case .some = upgrade { traits.hasUpgrade = true }
        traits.hasTrust = hasTrust
        if case .some = identity { traits.hasIdentity = true }
        if case .some = priorityUpdates { traits.hasPriorityUpdates = true }
        if case .some = deadline { traits.hasDeadline = true }
        traits.hasContent = !body.hasNoContent
        return traits
    }
}
