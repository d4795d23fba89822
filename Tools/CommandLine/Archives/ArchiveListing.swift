package import AirframeHAR
internal import AirframeTransport
internal import Foundation

/// The text form of archive entries: a line for each, or the details of one.
package struct ArchiveListing: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// A line about an entry: number, status, method, duration, size and URL, in at most `width` columns.
    package func line(_ number: Int, _ entry: HAR.Entry, width: Int = .max) -> String {
        let size = entry.response.bodySize ?? entry.response.content.size
        let words = [
            "\(number)".aligned(to: 4),
            entry.request.method.printable.padded(to: 7),
            Quantities.milliseconds(entry.time).aligned(to: 9),
            Quantities.bytes(size).aligned(to: 9),
        ]
        let status = entry.response.status == 0 ? "---" : "\(entry.response.status)".aligned(to: 3)
        let painted = style.paint(status, TextStyle.role(ofStatus: entry.response.status))
        let used = words.reduce(0) { $0 + $1.count } + 3 + 2 * words.count + 2
        let url = entry.request.url.printable.truncated(to: max(8, width == .max ? .max : width - used), style)
        return ([words[0], painted] + words.dropFirst() + [url]).joined(separator: "  ")
    }

    /// The details of an entry: heads, recorded bodies, phases and comments.
    package func details(_ entry: HAR.Entry, mode: BodyFormatter.Mode = .all) -> String {
        let formatter = BodyFormatter(mode, style: style)
        var text = style.paint("\(entry.request.method) \(entry.request.url)".printable, .bold) + "\n"
        text += fields(entry.request.headers)
        if let body = entry.request.postData, let data = try? body.data(), !data.isEmpty {
            text += "\n" + formatter.text(data, mediaType: body.mimeType)
        }
        let response = entry.response
        if response.status == 0 {
            let message =
                response.custom["_errorMessage"]?.string ?? response.custom["_error"]?.string ?? response.statusText
            text += "\n" + style.paint("no response: \(message.printable)", .failure) + "\n"
        } else {
            let line = "\(response.httpVersion) \(response.status) \(response.statusText)".printable
            text +=
                "\n" + style.paint(line, TextStyle.role(ofStatus: response.status)) + "\n" + fields(response.headers)
            if let data = try? response.content.data(), !data.isEmpty {
                text += "\n" + formatter.text(data, mediaType: response.content.mimeType)
            }
        }
        return text + "\n" + phases(entry)
    }

    private func fields(_ fields: [HAR.Header]) -> String {
        fields.map { "\(style.paint($0.name.printable, .name)): \($0.value.printable)\n" }.joined()
    }

    /// The phases as bars on a common scale, a line each.
    package func phases(_ entry: HAR.Entry) -> String {
        let timings = entry.timings
        let all: [(String, Double?)] = [
            ("blocked", timings.blocked), ("resolve", timings.dns),
            ("connect", timings.connect.map { max(0, $0 - (timings.ssl ?? 0)) }), ("TLS", timings.ssl),
            ("send", timings.send), ("wait", timings.wait), ("receive", timings.receive),
        ]
        let phases = all.compactMap { name, duration in duration.map { (name, $0) } }.filter { $0.1 > 0 }
        let total = phases.reduce(0) { $0 + $1.1 }
        guard total > 0, total.isFinite else { return "" }
        let width = 30.0
        var start = 0.0
        return phases.map { name, duration in
            let before = Int((start / total * width).rounded(.down))
            let length = max(1, Int((duration / total * width).rounded()))
            start += duration
            let bar =
                String(repeating: " ", count: before) + String(repeating: style.usesUnicode ? "█" : "#", count: length)
            return "\(name.padded(to: 8)) \(style.paint(bar.padded(to: 31), .number)) "
                + "\(Quantities.milliseconds(duration).aligned(to: 9))\n"
        }.joined() + "\("total".padded(to: 8)) \(String(repeating: " ", count: 31)) "
            + "\(Quantities.milliseconds(total).aligned(to: 9))\n"
    }
}
