/// What a session's layers remember from one request to the next, and which sessions share it.
package enum LayerState<Object: AnyObject & Sendable>: Sendable {
    /// The process's shared object: sessions with a default configuration.
    case shared
    /// An object of the configuration's own, which is made when it is first asked for: ephemeral configurations.
    case own
    /// Nothing is remembered.
    case none
    /// This object.
    case object(Object)
}
