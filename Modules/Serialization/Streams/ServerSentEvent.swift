/// A server-sent event (WHATWG HTML §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type; `message` if the server sent none.
    public let event: String
    /// The data; several `data` lines are joined by line feeds.
    public let data: String
    /// The last identifier that the server sent, with this event or an earlier one; empty if it sent none.
    public let id: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - event: The type.
    ///   - data: The data.
    ///   - id: The last identifier that the server sent.
    public init(event: String = "message", data: String, id: String = "") {
        self.event = event
        self.data = data
        self.id = id
    }
}
