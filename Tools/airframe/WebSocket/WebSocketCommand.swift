import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// Opens a WebSocket; lines of standard input become text messages, and messages become lines.
struct WebSocketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ws",
        abstract: "Open a WebSocket: send lines of standard input, write messages to standard output.",
        discussion: """
            EXAMPLES
              airframe ws wss://api.test/chat
              echo '{"subscribe":"prices"}' | airframe ws --wait 3 wss://api.test/prices
              airframe ws --protocol graphql-transport-ws --compress wss://api.test/graphql
              airframe ws --bearer $TOKEN --proxy socks5h://localhost:1080 api.test/chat

            Each line is sent as a text message. Text messages are written as lines, binary messages unchanged. On a
            terminal, control characters are escaped, and binary messages not shown. At the end of standard input the
            connection is closed: on a terminal immediately, in a pipe after --wait seconds, so that the answers to the
            last lines can arrive. On a terminal the opening and the end of the connection are reported, unless --quiet
            is given.

            EXIT STATUS
              0  the connection was closed in good order
              1  the server declined the WebSocket, or it failed; standard error says why
              5, 6, 7, 28, 35 or 60 when no connection was made, as for requests
            """
    )

    @Argument(help: "The URL: wss, ws, https or http.") var url: String
    @Argument(help: "Header fields and items of the query.") var items: [String] = []
    @Option(name: .customLong("protocol"), help: "An application protocol to request. May be repeated.")
    var protocols: [String] = []
    @Flag(name: .long, help: "Offer compression (permessage-deflate).") var compress = false
    @Option(name: .customLong("max-size"), help: "The largest message, in bytes.") var maximumSize = 1 << 20
    @Option(name: .customLong("ping"), help: "Ping at this interval, in seconds.") var pingInterval: Seconds?
    @Option(name: .customLong("wait"), help: "In a pipe, how long to keep reading after the last line, in seconds.")
    var wait = Seconds(.seconds(1))
    @OptionGroup var options: RequestOptions

    func validate() throws {
        if options.body.hasBody || options.body.form || options.body.multipart {
            throw ValidationError("a WebSocket has no body: its messages are the lines of standard input")
        }
        if options.output.output != nil || options.output.include || options.output.json || options.output.fail {
            throw ValidationError("messages go to standard output: omit --output, --include, --json and --fail")
        }
        try RequestOptions.refuse("messages are not formatted", ("--pretty", options.output.pretty != nil))
        if options.account.awsScope != nil {
            throw ValidationError("--aws-sigv4 does not apply to this command")
        }
    }

    func run() async throws {
        let outgoing = try OutgoingRequest(method: "GET", url: url, items: items, options: options)
        guard !outgoing.hasBody else {
            throw ValidationError("a WebSocket has no body: write header fields and items of the query behind the URL")
        }
        let prepared = try PreparedSession(options, for: outgoing)
        try await prepared.run { [self] in try await converse(outgoing, prepared.session) }
    }

    private func converse(_ outgoing: OutgoingRequest, _ session: Session) async throws {
        let socket: WebSocket
        do {
            socket = try await open(outgoing, session)
        } catch let error as AFError {
            throw error.webSocketError.map { CommandFailure($0.description) } ?? CommandFailure(error)
        }
        let isTerminal = isatty(STDIN_FILENO) == 1
        if isTerminal { note("connected\(socket.protocol.map { ", protocol \($0)" } ?? "")") }
        let input = Task { try await send(to: socket, isTerminal) }
        defer { input.cancel() }
        do {
            for try await message in socket.messages { try write(message) }
        } catch let error as WebSocketError {
            throw CommandFailure(error.description)
        } catch {
            // A signal, or output that cannot be written: the process must not end before the Close frame is sent.
            await socket.close(code: .goingAway)
            throw error
        }
        if isTerminal { note("closed with \(socket.closeCode.map { "\($0)" } ?? "no code")") }
    }

    private func open(_ outgoing: OutgoingRequest, _ session: Session) async throws -> WebSocket {
        try await session.webSocket(performing: outgoing.head, configuration: configuration)
    }

    /// Sends lines until there are none, and closes the connection.
    private func send(to socket: WebSocket, _ isTerminal: Bool) async throws {
        for await line in StandardInputLines.all { try await socket.send(line) }
        if !isTerminal { try await Task.sleep(for: wait.duration) }
        await socket.close()
    }

    private func write(_ message: WebSocket.Message) throws {
        let isTerminal = Terminal.output.isTerminal
        switch message {
        case .string(let text): try StandardOutput.write((isTerminal ? text.safeForTerminals : text) + "\n")
        case .data(let data) where isTerminal:
            try StandardOutput.write("[\(Quantities.bytes(Int64(data.count))) that are not text, not shown]\n")
        case .data(let data): try StandardOutput.write(data)
        }
    }

    private func note(_ text: String) {
        guard !options.output.quiet else { return }
        Terminal.error.write("[\(text)]\n")
    }

    private var configuration: WebSocket.Configuration {
        WebSocket.Configuration(
            protocols: protocols,
            compression: compress ? .standard : nil,
            maximumMessageSize: maximumSize,
            keepAlive: pingInterval.map { WebSocket.KeepAlive(interval: $0.duration) }
        )
    }
}

/// The lines of standard input, each read when it is asked for, on a queue: reading blocks.
private enum StandardInputLines {
    static var all: AsyncStream<String> {
        let queue = DispatchQueue(label: "airframe.standardInput")
        return AsyncStream(unfolding: {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: readLine()) }
            }
        })
    }
}
