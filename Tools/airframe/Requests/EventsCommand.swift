import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// Follows server-sent events.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Follow server-sent events, over as many connections as it takes.",
        discussion: """
            EXAMPLES
              airframe events https://api.test/prices
              airframe events --count 3 --json https://api.test/prices | jq .data

            Each event is its data as a line; with a name, `name: data`. A connection
            that breaks is followed by another, which tells the server the last
            identifier. It ends with a 204, after --count events, or by an interrupt.
            A connection that fails is reported on standard error, unless --quiet is
            given; --retry N ends it after N more that fail in a row.
            """
    )

    @Argument(help: "The URL.") var url: String
    @Argument(help: "Header fields and items of the query.") var items: [String] = []
    @Option(help: "End after this many events.") var count: Int?
    @Option(name: .customLong("last-id"), help: "The identifier of the last event that is known.") var lastID: String?
    @OptionGroup var options: RequestOptions

    func validate() throws {
        if let count, count <= 0 { throw ValidationError("--count needs a number above 0") }
        let output = options.output
        try RequestOptions.refuse(
            "events are lines on standard output", ("--output", output.output != nil), ("--include", output.include),
            ("--pretty", output.pretty != nil))
        try RequestOptions.refuse(
            "events end with any status but 200", ("--retry-status", options.limits.retryStatuses != nil))
    }

    func run() async throws {
        let outgoing = try OutgoingRequest(method: nil, url: url, items: items, options: options)
        let head = try outgoing.headWithData()
        var once = options
        // The event source connects again, so that no retrier of the session has to.
        once.limits.retry = nil
        // The limit is for all connections together.
        once.limits.all = nil
        let prepared = try PreparedSession(
            once, for: outgoing, monitors: options.output.quiet ? [] : [Self.failureMonitor()])
        try await prepared.run { [self] in
            try await options.limits.bounding(hint: "--max-time allows more time") {
                try await follow(head, prepared.session)
            }
        }
    }

    private func follow(_ head: URLRequest, _ session: Session) async throws {
        var seen = 0
        let rules = EventSource.Reconnection(limit: options.limits.retry.map { Int(clamping: $0) })
        for try await event in session.eventSource(head, lastEventID: lastID, reconnection: rules) {
            try StandardOutput.write(line(event) + "\n")
            seen += 1
            if seen == count { return }
        }
    }

    /// Reports connections that fail: the event source opens the next one without a word.
    private static func failureMonitor() -> ClosureEventMonitor {
        let monitor = ClosureEventMonitor()
        monitor.requestDidCompleteTaskWithError = { _, _, error in
            guard let error, !error.isExplicitlyCancelledError else { return }
            let style = Terminal.error.style
            let sentence = CommandFailure(error).description.safeForTerminals
            Terminal.error.write("\(style.paint("connection failed:", .dim)) \(sentence)\n")
        }
        return monitor
    }

    private func line(_ event: ServerSentEvent) -> String {
        guard !options.output.json else {
            return JSONNode.object([
                .init("event", .string(event.event)), .init("id", .string(event.id)),
                .init("data", .string(event.data)),
            ]).compactText
        }
        let isTerminal = Terminal.output.isTerminal
        let data = isTerminal ? event.data.safeForTerminals : event.data
        guard event.event != "message" else { return data }
        let name = isTerminal ? event.event.safeForTerminals : event.event
        return "\(Terminal.output.style.paint(name, .name)): \(data)"
    }
}
