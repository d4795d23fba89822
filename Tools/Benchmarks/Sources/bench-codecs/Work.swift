import AirframeCore
import AirframeEncoding
import AirframeJSON
import AirframeSerialization
import Foundation

/// Something to do, and how it is done with Airframe and without.
struct Work {
    let name: String
    /// The bytes that one run makes or reads.
    let byteCount: Int
    let own: () throws -> Void
    let otherName: String
    let other: () throws -> Void

    static func all() throws -> [Work] {
        [
            json("ten small objects decoded", [Account].self, Samples.accounts),
            json("nested objects decoded, 0.9 MB", [Profile].self, Samples.profiles),
            json("100,000 integers decoded", [Int].self, Samples.integers),
            json("20,000 strings decoded", [String].self, Samples.strings),
            try encodedJSON("ten small objects encoded", [Account].self, Samples.accounts),
            try encodedJSON("nested objects encoded, 0.9 MB", [Profile].self, Samples.profiles),
            try form(), try multipart(), try events(),
        ]
    }

    private static func json<Value: Decodable>(_ name: String, _ type: Value.Type, _ data: Data) -> Work {
        let fast = FastJSONDecoder()
        let foundation = JSONDecoder()
        return Work(
            name: "JSON: \(name)",
            byteCount: data.count,
            own: { _ = try fast.decode(type, from: data) },
            otherName: "`JSONDecoder`",
            other: { _ = try foundation.decode(type, from: data) }
        )
    }

    private static func encodedJSON<Value: Codable>(
        _ name: String,
        _ type: Value.Type,
        _ data: Data
    ) throws -> Work {
        let value = try JSONDecoder().decode(type, from: data)
        let fast = FastJSONEncoder()
        let foundation = JSONEncoder()
        return Work(
            name: "JSON: \(name)",
            byteCount: try fast.encode(value).count,
            own: { _ = try fast.encode(value) },
            otherName: "`JSONEncoder`",
            other: { _ = try foundation.encode(value) }
        )
    }

    private static func form() throws -> Work {
        let encoder = URLEncodedFormEncoder()
        let pairs = Samples.form
        return Work(
            name: "a form of five pairs encoded",
            byteCount: try (encoder.encode(pairs) as Data).count,
            own: { _ = try encoder.encode(pairs) as Data },
            otherName: "`URLComponents`",
            other: {
                var components = URLComponents()
                components.queryItems = pairs.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0, value: $1) }
                _ = components.percentEncodedQuery.map { Data($0.utf8) }
            }
        )
    }

    private static func multipart() throws -> Work {
        let parts = Samples.form.sorted { $0.key < $1.key }.map { ($0.key, Data($0.value.utf8)) }
        let make = {
            let form = MultipartFormData()
            for (name, data) in parts { form.append(data, withName: name) }
            return try form.encode()
        }
        return Work(
            name: "a multipart form of five parts encoded",
            byteCount: try make().count,
            own: { _ = try make() },
            otherName: "`Data`, appended by hand",
            other: {
                let boundary = UUID().uuidString
                var data = Data()
                for (name, content) in parts {
                    data += Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8)
                    data += content
                    data += Data("\r\n".utf8)
                }
                data += Data("--\(boundary)--\r\n".utf8)
            }
        )
    }

    private static func events() throws -> Work {
        let stream = Samples.events
        return Work(
            name: "1,000 server-sent events read",
            byteCount: stream.count,
            own: {
                var parser = ServerSentEventParser()
                _ = try parser.push(stream)
            },
            otherName: "`String`, split at line ends",
            other: {
                var data: [String] = []
                for block in String(decoding: stream, as: UTF8.self).components(separatedBy: "\n\n") {
                    for line in block.components(separatedBy: "\n") where line.hasPrefix("data: ") {
                        data.append(String(line.dropFirst(6)))
                    }
                }
            }
        )
    }
}

struct Account: Codable {
    let id: Int
    let name: String
    let ok: Bool
}

struct Profile: Codable {
    struct Address: Codable {
        let street: String
        let city: String
        let zip: String
    }

    let id: Int
    let name: String
    let email: String
    let age: Int
    let score: Double
    let tags: [String]
    let active: Bool
    let address: Address
}

/// What is made and read.
enum Samples {
    static let accounts: Data = {
        let objects = (0..<10).map { #"{"id":\#($0 + 1000),"name":"user number \#($0)","ok":true}"# }
        return Data("[\(objects.joined(separator: ", "))]".utf8)
    }()

    static let profiles: Data = {
        let objects = (0..<4200).map { number in
            #"{"id":\#(number),"name":"User \#(number)","email":"user\#(number)@example.test","age":\#(number % 90),"#
                + #""score":\#(Double(number) / 8),"tags":["alpha","beta","gamma"],"active":\#(number % 2 == 0),"#
                + #""address":{"street":"\#(number) Main Street with \"quotes\"","city":"Zürich","zip":"8000"}}"#
        }
        return Data("[\(objects.joined(separator: ","))]".utf8)
    }()

    static let integers = Data("[\((0..<100_000).map { String(($0 * 7919) % 1_000_003) }.joined(separator: ","))]".utf8)

    static let strings = Data("[\((0..<20_000).map { #""user number \#($0)""# }.joined(separator: ","))]".utf8)

    static let form = [
        "name": "Ada Lovelace", "email": "ada@example.test", "city": "Zürich & surroundings", "count": "1024",
        "comment": "What is made here is read there: 100 % of it.",
    ]

    static let events: Data = {
        let events = (0..<1000).map { "id: \($0)\nevent: change\ndata: {\"number\":\($0),\"text\":\"some\"}\n\n" }
        return Data(events.joined().utf8)
    }()
}
