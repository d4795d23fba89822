/// An event of a server's (WHATWG HTML §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type: what the server named, else `message`.
    public let event: String
    /// The data; several `data` lines are joined by line feeds.
    public let data: String
    /// The last identifier that the server gave, with this event or before; empty if it gave none.
    public let id: String

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - event: The type.
    ///   - data: The data.
    ///   - id: The last identifier that the server gave.
    public init(event: String = "message", data: String, id: String = "") {
        self.event = event
        self.data = data
        self.id = id
    }
}
