import Airframe
import AirframeMock
import Foundation

// chat [URL]: sends the lines of standard input, and prints the messages of others. Without a URL it talks to a mock
// that answers each line.
let address = CommandLine.arguments.dropFirst().first
let session = address == nil ? Session(transport: echoServer()) : Session()
let url = address ?? "wss://chat.test/room"

/// A server in memory that greets, and answers each message.
func echoServer() -> MockTransport {
    MockTransport {
        Route("/room").reply(
            .webSocket { peer in
                try await peer.send("welcome")
                while case .text(let text) = try await peer.receive() { try await peer.send("you said: \(text)") }
            })
    }
}

let socket = session.reconnectingWebSocket(url) { _ in print("[connected]") }
if address != nil { try socket.retriesWhenNetworkReturns() }
let sending = Task {
    for await line in lines() { try await socket.send(.string(line)) }
    // Answers to the last line arrive before the close frame does.
    try await Task.sleep(for: .milliseconds(200))
    await socket.close()
}
do {
    for try await message in socket.messages {
        if case .string(let text) = message { print(text) }
    }
    print("[closed]")
} catch {
    print("[failed: \(error)]")
    exit(1)
}
sending.cancel()

/// The lines of standard input, read on their own thread: reading blocks.
func lines() -> AsyncStream<String> {
    AsyncStream { continuation in
        Thread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }.start()
    }
}
