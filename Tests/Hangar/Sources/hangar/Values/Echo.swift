import Foundation

/// The JSON description of a request, shaped like httpbin's.
struct Echo {
    private let call: Call
    private let body: Data

    /// Reads the body.
    init(_ call: Call) async throws {
        self.call = call
        body = try await call.body.collect()
    }

    var members: [(name: String, value: JSON)] {
        let content = content
        return [
            ("args", call.query.json),
            ("data", .string(content.isForm ? "" : Self.text(body))),
            ("files", .grouped(content.files)),
            ("form", .grouped(content.form)),
            ("headers", Self.headers(call)),
            ("json", content.isForm ? .null : json),
            ("method", .string(call.method)),
            ("origin", .string(call.origin)),
            ("url", .string(call.url)),
        ]
    }

    static func headers(_ call: Call) -> JSON {
        .grouped(call.fields.sorted { $0.name < $1.name }.map { ($0.name, $0.value) })
    }

    private var json: JSON {
        guard (try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)) != nil,
            let text = String(data: body, encoding: .utf8)
        else { return .null }
        return .verbatim(text)
    }

    private typealias Content = (
        isForm: Bool, form: [(name: String, value: String)], files: [(name: String, value: String)]
    )

    private var content: Content {
        let type = call.field("Content-Type") ?? ""
        if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            return (true, Query(String(decoding: body, as: UTF8.self)).pairs, [])
        }
        guard let parts = Multipart(contentType: type)?.parts(of: body) else { return (false, [], []) }
        let form = parts.filter { $0.filename == nil }.map { ($0.name, Self.text($0.content)) }
        let files = parts.filter { $0.filename != nil }.map { ($0.name, Self.text($0.content)) }
        return (true, form, files)
    }

    /// Text as it is; anything else as a data URL, as httpbin has it.
    private static func text(_ data: Data) -> String {
        String(data: data, encoding: .utf8)
            ?? "data:application/octet-stream;base64,\(data.base64EncodedString())"
    }
}

extension Reply {
    /// The echo of a request, after `extra`.
    static func echo(_ call: Call, adding extra: [(name: String, value: JSON)] = []) async throws -> Reply {
        .json(.object(extra + (try await Echo(call).members)))
    }
}
