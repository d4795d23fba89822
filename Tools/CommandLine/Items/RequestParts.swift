package import Foundation

/// The header fields, the query and the body from all ``RequestItem``s.
package struct RequestParts: Sendable, Equatable {
    /// How text fields are encoded.
    package enum FieldEncoding: Sendable, Hashable {
        /// As one JSON object.
        case json
        /// As a form (`application/x-www-form-urlencoded`).
        case form
        /// As a multipart form (RFC 7578).
        case multipart
    }

    /// A body.
    package enum Body: Sendable, Hashable {
        case none
        case json(JSONNode)
        case form([Pair])
        case multipart([Part])
        /// The file at a path; `-` is standard input.
        case file(String)
    }

    /// A name and a value.
    package struct Pair: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A part of a multipart form.
    package enum Part: Sendable, Hashable {
        case text(name: String, value: String)
        case file(name: String, path: String, mediaType: String?)
    }

    /// The fields to set, in their order.
    package private(set) var headers: [Pair] = []
    /// The names of default fields to leave out.
    package private(set) var removedHeaders: [String] = []
    /// The items of the query, in their order.
    package private(set) var query: [Pair] = []
    /// The body.
    package private(set) var body = Body.none

    /// Combines items.
    ///
    /// - Parameters:
    ///   - items: The items, in their order.
    ///   - encoding: How text fields are encoded. A file makes the body a multipart form in any case.
    ///   - read: Returns the content of a file.
    /// - Throws: ``ItemError`` for items that contradict each other, and what `read` throws.
    package init(_ items: [RequestItem], encoding: FieldEncoding, read: (String) throws -> Data) throws {
        var files: [String] = []
        var fields: [RequestItem] = []
        for item in items {
            switch item {
            case .header(let name, let value?): headers.append(Pair(name, value))
            case .header(let name, nil): removedHeaders.append(name)
            case .query(let name, let value): query.append(Pair(name, value))
            case .body(let path): files.append(path)
            case .textFile(let name, let path):
                guard let text = String(data: try read(path), encoding: .utf8) else {
                    throw ItemError("\(path) is not UTF-8 text: send it with \(name)@\(path)")
                }
                fields.append(.text(name: name, value: text))
            case .jsonFile(let name, let path):
                do {
                    fields.append(.json(name: name, value: try JSONReader.read(try read(path))))
                } catch let error as JSONReadingError {
                    throw ItemError("\(path) holds \(error)")
                }
            case .text, .json, .file: fields.append(item)
            }
        }
        guard files.count <= 1, files.isEmpty || fields.isEmpty else {
            throw ItemError("@\(files[0]) is the whole body: nothing else can be in it")
        }
        if let file = files.first {
            body = .file(file)
        } else if !fields.isEmpty {
            body = try Self.body(of: fields, encoding)
        }
    }

    private static func body(of fields: [RequestItem], _ encoding: FieldEncoding) throws(ItemError) -> Body {
        let hasFile = fields.contains { if case .file = $0 { true } else { false } }
        guard encoding == .json, !hasFile else {
            return hasFile || encoding == .multipart ? .multipart(parts(of: fields)) : .form(pairs(of: fields))
        }
        var root: JSONNode?
        for field in fields {
            switch field {
            case .text(let name, let value): try JSONKey(name).put(.string(value), into: &root)
            case .json(let name, let value): try JSONKey(name).put(value, into: &root)
            default: break
            }
        }
        return .json(root ?? .object([]))
    }

    private static func pairs(of fields: [RequestItem]) -> [Pair] {
        fields.compactMap { field in
            switch field {
            case .text(let name, let value): Pair(name, value)
            case .json(let name, let value): Pair(name, value.compactText)
            default: nil
            }
        }
    }

    private static func parts(of fields: [RequestItem]) -> [Part] {
        fields.compactMap { field in
            switch field {
            case .text(let name, let value): .text(name: name, value: value)
            case .json(let name, let value): .text(name: name, value: value.compactText)
            case .file(let name, let path, let mediaType): .file(name: name, path: path, mediaType: mediaType)
            default: nil
            }
        }
    }
}
