package import AirframeHAR
internal import Foundation

/// An exchange as one line of JSON, for programs: what `--json` writes.
///
/// Members: `method`, `url`, `status` (0 without a response), `httpVersion`, `requestHeaders` and `headers` as arrays
/// of name and value, `started` (ISO 8601), `milliseconds`, `timings`, `requestBytes` and `bytes` on the wire,
/// `mediaType`, `body` where it is text, `base64` where it is not, `truncated`, `address`, `tls`, `error`.
package enum ExchangeLine {
    /// The line, without a line feed.
    package static func text(_ entry: HAR.Entry) -> String {
        var members: [JSONNode.Member] = [
            .init("method", .string(entry.request.method)),
            .init("url", .string(entry.request.url)),
            .init("status", .number("\(entry.response.status)")),
            .init("httpVersion", .string(entry.response.httpVersion)),
            .init("started", .string(entry.startedDateTime.formatted(.iso8601))),
            .init("milliseconds", number(entry.time)),
            .init("timings", timings(entry.timings)),
            .init("requestHeaders", headers(entry.request.headers)),
            .init("headers", headers(entry.response.headers)),
        ]
        if let count = entry.request.bodySize { members.append(.init("requestBytes", .number("\(count)"))) }
        if let count = entry.response.bodySize { members.append(.init("bytes", .number("\(count)"))) }
        let content = entry.response.content
        if entry.response.status != 0 { members.append(.init("mediaType", .string(content.mimeType))) }
        if let text = content.text {
            members.append(.init(content.encoding == "base64" ? "base64" : "body", .string(text)))
        }
        if content.custom["_truncated"] == .bool(true) { members.append(.init("truncated", .bool(true))) }
        if let address = entry.serverIPAddress { members.append(.init("address", .string(address))) }
        if let tls = entry.custom["_tls"]?["version"]?.string { members.append(.init("tls", .string(tls))) }
        if entry.custom["_fromCache"] == .bool(true) { members.append(.init("fromCache", .bool(true))) }
        let error = entry.response.custom["_errorMessage"] ?? entry.response.custom["_error"]
        if let message = error?.string { members.append(.init("error", .string(message))) }
        return JSONNode.object(members).compactText
    }

    private static func headers(_ fields: [HAR.Header]) -> JSONNode {
        .array(fields.map { .array([.string($0.name), .string($0.value)]) })
    }

    private static func timings(_ timings: HAR.Timings) -> JSONNode {
        let all: [(String, Double?)] = [
            ("blocked", timings.blocked), ("resolve", timings.dns), ("connect", timings.connect), ("tls", timings.ssl),
            ("send", timings.send), ("wait", timings.wait), ("receive", timings.receive),
        ]
        return .object(all.compactMap { name, value in value.map { .init(name, number($0)) } })
    }

    /// Milliseconds with three decimals.
    private static func number(_ value: Double) -> JSONNode {
        .number(Quantities.digits(value))
    }
}
