import Foundation

extension Router {
    /// Small fixed documents of many kinds.
    mutating func addSampleRoutes() {
        add("GET", path: "/json") { _ in .data(Sample.array, type: "application/json") }
        add("GET", path: "/json/1k") { _ in .data(Sample.kilobyte, type: "application/json") }
        add("GET", path: "/html") { _ in .text(Sample.html, type: "text/html; charset=utf-8") }
        add("GET", path: "/xml") { _ in .text(Sample.xml, type: "application/xml") }
        add("GET", path: "/plist") { _ in .text(Sample.propertyList, type: "application/x-plist") }
        add("GET", path: "/image/png") { _ in .data(Sample.png, type: "image/png") }
        add("GET", path: "/robots.txt") { _ in .text("User-agent: *\nDisallow: /deny\n") }
        add("GET", path: "/uuid") { _ in .json(["uuid": .string(UUID().uuidString.lowercased())]) }
        add("GET", path: "/base64/{value...}") { call in
            let standard = call["value"].replacing("-", with: "+").replacing("_", with: "/")
            let padded = standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
            guard let data = Data(base64Encoded: padded) else {
                throw Failure(400, "\"\(call["value"])\" is not Base64")
            }
            return .data(data, type: "text/plain; charset=utf-8")
        }
        add("GET", path: "/download/{name}") { call in try Self.download(call) }
    }

    /// An attachment (RFC 6266): the name in ASCII, and in UTF-8 where that differs.
    private static func download(_ call: Call) throws -> Reply {
        let count = try call.integer(query: "size", in: 0...(1 << 40), default: 1024)
        let name = call["name"]
        let isPlain = name.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
        let ascii = String(
            name.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? Character($0) : "_" })
        let quoted = ascii.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let extended = isPlain ? "" : "; filename*=UTF-8''\(PercentEncoding.encode(name))"
        return .stream(
            GeneratedBody(try call.pattern(), range: 0..<count), length: count, type: "application/octet-stream",
            fields: [Field("Content-Disposition", "attachment; filename=\"\(quoted)\"\(extended)")])
    }
}
