import Foundation

extension Router {
    /// Content codings, and text in two character sets.
    mutating func addCodingRoutes() {
        add(path: "/gzip") { call in try await Self.coded(call, .gzip, name: "gzip", flag: "gzipped") }
        add(path: "/deflate") { call in try await Self.coded(call, .zlib, name: "deflate", flag: "deflated") }
        add(path: "/deflate-raw") { call in
            try await Self.coded(call, .rawDeflate, name: "deflate", flag: "deflated")
        }
        add(path: "/brotli") { call in try await Self.coded(call, .brotli, name: "br", flag: "brotli") }
        add(path: "/zstd") { call in try await Self.coded(call, .zstd, name: "zstd", flag: "zstd") }
        add("GET", path: "/encoding/utf8") { _ in .text(Self.sample, type: "text/html; charset=utf-8") }
        add("GET", path: "/encoding/latin1") { _ in
            let text = "Fl\u{FC}gel, Stra\u{DF}e, ni\u{F1}o, caf\u{E9}, \u{C5}ngstr\u{F6}m, \u{BD} \u{A3}5\n"
            return .data(Data(text.unicodeScalars.map { UInt8($0.value) }), type: "text/plain; charset=iso-8859-1")
        }
    }

    private static func coded(_ call: Call, _ coding: Coding, name: String, flag: String) async throws -> Reply {
        let json = JSON.object([(flag, .bool(true))] + (try await Echo(call).members))
        return .data(
            try coding.encode(Data(json.text.utf8)), type: "application/json",
            fields: [Field("Content-Encoding", name)])
    }

    private static let sample = """
        <h1>UTF-8</h1>
        <p>Latin: Flügel, façade, Łódź, niño</p>
        <p>Greek: αεροσκάφος &middot; Cyrillic: самолёт &middot; Hebrew: מטוס &middot; Arabic: طائرة</p>
        <p>Chinese: 飞机 &middot; Japanese: ひこうき &middot; Korean: 비행기 &middot; Thai: เครื่องบิน</p>
        <p>Beyond the basic plane: 𝄞 ✈️ 🛩️ 👩🏽‍✈️ &middot; composed and not: é é</p>

        """
}
