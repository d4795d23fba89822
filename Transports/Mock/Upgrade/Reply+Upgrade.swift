public import HTTPTypes

extension Reply {
    /// Plays the server's end of a two-way stream. When it returns, the server closes the stream; an error that it
    /// throws breaks the connection.
    public typealias StreamHandler = @Sendable (MockStreamPeer) async throws -> Void

    /// Switches protocols: `101` (RFC 9110 §7.8), or `200` to a `CONNECT`, and after it a stream in both directions.
    ///
    /// ```swift
    /// Route(.get, "/echo").reply(.upgrade(to: "echo") { client in
    ///     while let data = try await client.read() { try await client.write(data) }
    /// })
    /// ```
    ///
    /// It answers requests that set `TransportRequest.upgrade`. Any other request fails: it did not ask to switch.
    ///
    /// - Parameters:
    ///   - name: The protocol, for the `Upgrade` field.
    ///   - headers: Further fields of the head.
    ///   - serve: Plays the server's end. It may sleep on the mock's clock.
    public static func upgrade(
        to name: String? = nil,
        headers: HTTPFields = [:],
        _ serve: @escaping StreamHandler
    ) -> Reply {
        var plan = ReplyPlan(status: .switchingProtocols, fields: headers)
        if let name {
            plan.fields[.upgrade] = name
            if !plan.fields.contains(.connection) { plan.fields[.connection] = "upgrade" }
        }
        plan.framing = .open
        plan.serve = serve
        return Reply(plan)
    }
}
