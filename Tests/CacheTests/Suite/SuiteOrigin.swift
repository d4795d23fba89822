import AirframeConformance
import Foundation
import Synchronization

/// The origin server of the public suite: it answers each request as its case specifies, and records it.
final class SuiteOrigin: Sendable {
    struct Observed: Sendable {
        let number: Int
        let method: String
        let fields: [(name: String, value: String)]
        var sent: [(name: String, value: String)] = []

        func values(_ name: String) -> [String] {
            fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }
    }

    struct Play: Sendable {
        let test: SuiteCase
        let clock: ShiftedClock
        var observed: [Observed] = []
        var lastTag: String?
        var lastModified: String?
    }

    private let plays = Mutex<[String: Play]>([:])
    private let holder = Mutex<ScriptedServer?>(nil)
    let port: Int

    init() throws {
        let plays = Reference()
        let server = try ScriptedServer { connection in
            while let exchange = try Self.read(connection) {
                guard try plays.origin?.answer(exchange, on: connection) == true else { return }
            }
        }
        port = server.port
        plays.set(self)
        holder.withLock { $0 = server }
    }

    deinit { holder.withLock { $0?.stop() } }

    func begin(_ test: SuiteCase, _ token: String, _ clock: ShiftedClock) {
        plays.withLock { $0[token] = Play(test: test, clock: clock) }
    }

    func observed(_ token: String) -> [Observed] { plays.withLock { $0[token]?.observed ?? [] } }

    /// The default content of a case's responses.
    static func text(_ token: String) -> String {
        "body of \(token)".padding(toLength: 36, withPad: ".", startingAt: 0)
    }

    static func date(_ seconds: Int, _ clock: ShiftedClock, rfc850: Bool = false) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = rfc850 ? "EEEE, dd-MMM-yy HH:mm:ss 'GMT'" : "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: clock.date.addingTimeInterval(Double(seconds)))
    }

    /// The name that `Transfer-Encoding` has between the origin and ``ClockedLayer``. The suite sends a coding that
    /// does not exist. The client has not offered it (RFC 9110 §10.1.4), so that both engines reject the response.
    static let transferEncoding = "Suite-Transfer-Encoding"

    // MARK: One exchange

    private struct Exchange {
        let method: String
        let target: String
        let fields: [(name: String, value: String)]
    }

    private static func read(_ connection: ScriptedConnection) throws -> Exchange? {
        guard let head = try? connection.readHead() else { return nil }
        var lines = head.components(separatedBy: "\r\n")
        let start = lines.removeFirst().components(separatedBy: " ")
        let fields: [(String, String)] = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (String(line[..<colon]), value)
        }
        let length = fields.first { $0.0.lowercased() == "content-length" }.flatMap { Int($0.1) } ?? 0
        if length > 0 { _ = try connection.read(length) }
        return Exchange(method: start[0], target: start.count > 1 ? start[1] : "/", fields: fields)
    }

    private func answer(_ exchange: Exchange, on connection: ScriptedConnection) throws -> Bool {
        let token = exchange.target.split(separator: "/").first.map { String($0.prefix { $0 != "?" }) } ?? ""
        guard var play = plays.withLock({ $0[token] }) else {
            try connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return true
        }
        let number = exchange.fields.first { $0.name == "Req-Num" }.flatMap { Int($0.value) } ?? 1
        let step = play.test.requests[number - 1]
        var observed = Observed(number: number, method: exchange.method, fields: exchange.fields)
        if step.disconnect == true {
            plays.withLock { $0[token]?.observed.append(observed) }
            connection.reset()
            return false
        }
        if let pause = step.response_pause { play.clock.advance(seconds: Double(pause)) }
        var status = step.response_status?.first?.number ?? 200
        if step.expected_type?.hasSuffix("validated") == true {
            let isTagged = play.lastTag != nil && observed.values("if-none-match") == [play.lastTag ?? ""]
            let isDated = play.lastModified != nil && observed.values("if-modified-since") == [play.lastModified ?? ""]
            if isTagged || isDated { status = 304 } else if status != 304 { status = 999 }
        }
        var fields = fields(of: step, token, play.clock)
        observed.sent = fields.filter(\.isChecked).map { ($0.name, $0.value) }
        for field in fields {
            if field.name.lowercased() == "etag" { play.lastTag = field.value }
            if field.name.lowercased() == "last-modified" { play.lastModified = field.value }
        }
        fields.append(("Server-Request-Count", "\(play.observed.count + 1)", false))
        fields.append(("Client-Request-Count", "\(number)", false))
        let (tag, modified, seen) = (play.lastTag, play.lastModified, observed)
        plays.withLock { plays in
            plays[token]?.observed.append(seen)
            plays[token]?.lastTag = tag
            plays[token]?.lastModified = modified
        }
        try send(status, fields, step, token, exchange.method, on: connection)
        return true
    }

    private func fields(
        of step: SuiteStep, _ token: String, _ clock: ShiftedClock
    ) -> [(name: String, value: String, isChecked: Bool)] {
        (step.response_headers ?? []).map { field in
            var name = field[0].text ?? ""
            if name == "Transfer-Encoding" { name = Self.transferEncoding }
            var value = field[1].text ?? ""
            if let seconds = field[1].number {
                // A number is a date only in fields whose values are dates.
                let isDate = ["date", "expires", "last-modified"].contains(name.lowercased())
                value =
                    isDate
                    ? Self.date(seconds, clock, rfc850: step.rfc850date?.contains(name.lowercased()) == true)
                    : "\(seconds)"
            }
            if step.magic_locations == true, name.lowercased().hasSuffix("location") {
                value = "http://127.0.0.1:\(port)/\(token)" + (value.isEmpty ? "" : "/\(value)")
            }
            return (name, value, field.count < 3 || field[2] == .flag(true))
        }
    }

    private func send(
        _ status: Int,
        _ fields: [(name: String, value: String, isChecked: Bool)],
        _ step: SuiteStep,
        _ token: String,
        _ method: String,
        on connection: ScriptedConnection
    ) throws {
        for interim in step.interim_responses ?? [] {
            let lines = interim.dropFirst().first?.list?.compactMap(\.list).map {
                "\($0[0].text ?? ""): \($0[1].text ?? "")\r\n"
            }
            try connection.send("HTTP/1.1 \(interim[0].number ?? 100) Interim\r\n\((lines ?? []).joined())\r\n")
        }
        var body = ""
        if status != 304, status != 204 {
            switch step.response_body {
            case nil: body = Self.text(token)
            case .text(let text): body = text
            default: body = ""
            }
        }
        let announced = fields.last { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
        if let announced, status != 304 { body = body.padding(toLength: announced, withPad: ".", startingAt: 0) }
        var head = "HTTP/1.1 \(status) \(step.response_status?.dropFirst().first?.text ?? "OK")\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if announced == nil, status != 204, status != 304 { head += "Content-Length: \(body.utf8.count)\r\n" }
        try connection.send(head + "\r\n" + (method == "HEAD" ? "" : body))
    }
}

/// Breaks the reference cycle between the server and the origin.
private final class Reference: Sendable {
    private struct Weak: Sendable { weak var origin: SuiteOrigin? }
    private let state = Mutex(Weak())
    var origin: SuiteOrigin? { state.withLock { $0.origin } }
    func set(_ origin: SuiteOrigin) { state.withLock { $0.origin = origin } }
}
