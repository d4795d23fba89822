/// The storage of a layer's state between requests, and the sessions that share it.
package enum LayerState<Object: AnyObject & Sendable>: Sendable {
    /// The process's shared object, for sessions with a default configuration.
    case shared
    /// The configuration's own object, created on first use, for ephemeral configurations.
    case own
    /// No state is stored.
    case none
    /// This object.
    case object(Object)
}
