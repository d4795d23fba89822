import Airframe
import AirframeCommandLine

extension Scene {
    static let chats = Scene(title: "chat over a WebSocket", engines: [.sockets]) { server in
        let session = server.session
        let room = "\(server.http)/websocket/chat"
        let (ada, bob) = (try await session.webSocket(room), try await session.webSocket(room))
        var heard = bob.messages.makeAsyncIterator()
        // The room answers pings: after both pongs, both peers are in it.
        let trip = (try await ada.ping(), try await bob.ping()).1
        try await ada.send("hello, Bob")
        let message = try await heard.next()
        try check(message == .string("hello, Bob"), "Bob heard \(message.map { "\($0)" } ?? "nothing")")
        await ada.close()
        await bob.close(reason: "bye")
        try check(bob.closeCode == .normalClosure, "the room closed with \(bob.closeCode.map { "\($0)" } ?? "nothing")")
        return "Bob heard Ada; a ping took \(Quantities.milliseconds(trip / .milliseconds(1)))"
    }
}
