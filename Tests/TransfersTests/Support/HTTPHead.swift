import AirframeConformance
import Foundation

/// A request's head as a test's server reads it.
struct HTTPHead: Sendable {
    let method: String
    let path: String
    private let fields: [String: String]

    init(_ text: String) {
        let lines = text.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        method = words.first ?? ""
        path = words.count > 1 ? words[1] : "/"
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields[line[..<colon].lowercased()] = value
        }
        self.fields = fields
    }

    subscript(name: String) -> String? { fields[name.lowercased()] }
    func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }
    var contentLength: Int { number("Content-Length") ?? 0 }
}

extension ScriptedConnection {
    /// Sends a response without or with content.
    func respond(_ status: Int, _ fields: [String: String] = [:], _ content: Data = Data(), isHead: Bool = false) throws
    {
        var text = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if status != 204, status >= 200 { text += "Content-Length: \(content.count)\r\n" }
        try send(Array((text + "\r\n").utf8) + (isHead ? [] : Array(content)))
    }
}

/// Bytes that look random and are the same for the same seed.
func pseudorandom(_ count: Int, seed: UInt64) -> Data {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var data = Data(capacity: count + 8)
    while data.count < count {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        withUnsafeBytes(of: state) { data.append(contentsOf: $0) }
    }
    return data.prefix(count)
}
