internal import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

extension Reply {
    /// A response without a body.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Reply {
        Reply(ReplyPlan(status: status, fields: headers))
    }

    /// Returns a response with bytes.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - contentType: The media type; `nil` for none.
    ///   - status: The status.
    public static func data(
        _ data: Data,
        contentType: String? = "application/octet-stream",
        status: HTTPResponse.Status = .ok
    ) -> Reply {
        Reply(ReplyPlan(status: status, contentType: contentType, body: .data(data)))
    }

    /// Returns a response whose content is a string in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - contentType: The media type.
    ///   - status: The status.
    public static func text(
        _ text: String,
        contentType: String = "text/plain; charset=utf-8",
        status: HTTPResponse.Status = .ok
    ) -> Reply {
        data(Data(text.utf8), contentType: contentType, status: status)
    }

    /// A response with JSON that may mix types: `.json(["id": 7, "name": "Ada"])`.
    public static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Reply {
        text(value.description, contentType: "application/json", status: status)
    }

    /// A response with a value encoded as JSON.
    ///
    /// - Parameters:
    ///   - value: The value. If it cannot be encoded, the exchange fails with ``TransportError/Code/engineFailure``.
    ///   - status: The status.
    ///   - encoder: The encoder. By default members are sorted by their names, so that replies are the same in each
    ///     run.
    public static func json<Value: Encodable>(
        _ value: Value,
        status: HTTPResponse.Status = .ok,
        encoder: JSONEncoder? = nil
    ) -> Reply {
        do {
            let data = try (encoder ?? .stable).encode(value)
            return self.data(data, contentType: "application/json", status: status)
        } catch {
            return Reply(ReplyPlan(body: .unusable("\(Value.self) cannot be encoded as JSON", error)))
        }
    }

    /// Returns a response with the content of a file, which is read when it is sent.
    ///
    /// - Parameters:
    ///   - path: The path of the file. If it cannot be read, the exchange fails with
    ///     ``TransportError/Code/engineFailure``.
    ///   - contentType: The media type; by default that of the file's extension, for common ones.
    ///   - status: The status.
    public static func file(_ path: String, contentType: String? = nil, status: HTTPResponse.Status = .ok) -> Reply {
        let type = contentType ?? MediaType.of(path: path)
        return Reply(ReplyPlan(status: status, contentType: type, body: .file(path: path)))
    }

    /// Returns a response in these chunks, one for each read of the caller. Its length is not announced.
    ///
    /// - Parameters:
    ///   - chunks: The content.
    ///   - contentType: The media type; `nil` for none.
    ///   - status: The status.
    public static func chunks(
        _ chunks: [Data],
        contentType: String? = "application/octet-stream",
        status: HTTPResponse.Status = .ok
    ) -> Reply {
        Reply(ReplyPlan(status: status, contentType: contentType, body: .chunks(chunks)))
    }

    /// Returns a response whose body is an asynchronous sequence. Its length is not announced.
    ///
    /// The sequence is pulled when the caller asks for bytes. Time does not pass while it suspends, unless it sleeps on
    /// the transport's clock. If it throws, the connection breaks with that underlying error; a `TransportError` is
    /// passed on unchanged.
    ///
    /// - Parameters:
    ///   - contentType: The media type.
    ///   - status: The status.
    ///   - makeSequence: Creates the sequence for each response.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        contentType: String? = "application/octet-stream",
        status: HTTPResponse.Status = .ok,
        _ makeSequence: @escaping @Sendable () -> Chunks
    ) -> Reply where Chunks.Element == Data {
        Reply(ReplyPlan(status: status, contentType: contentType, body: .stream { SequenceChunks(makeSequence()) }))
    }

    /// A redirect to `location`.
    public static func redirect(to location: String, status: HTTPResponse.Status = .found) -> Reply {
        Reply(ReplyPlan(status: status, fields: [.location: location]))
    }

    // MARK: Changes

    /// Returns the reply with another status.
    public func status(_ status: HTTPResponse.Status) -> Reply {
        modified { $0.status = status }
    }

    /// Returns the reply with a field that replaces those of the same name.
    public func header(_ name: HTTPField.Name, _ value: String) -> Reply {
        modified { $0.fields[name] = value }
    }

    /// Returns the reply with an additional field.
    public func addingHeader(_ name: HTTPField.Name, _ value: String) -> Reply {
        modified { $0.fields.append(HTTPField(name: name, value: value)) }
    }

    /// Returns the reply followed by trailer fields (RFC 9110 §6.5). Its length is not announced.
    public func trailers(_ trailers: HTTPFields) -> Reply {
        modified { $0.trailers = trailers }
    }

    /// Returns the reply after an informational response (RFC 9110 §15.2), such as `103 Early Hints`.
    public func informational(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Reply {
        modified { $0.informational.append(HTTPResponse(status: status, headerFields: headers)) }
    }

    /// Returns the reply with `Content-Length` set to `length`, regardless of the body's length.
    ///
    /// A shorter body fails with ``TransportError/Code/bodyTruncated``. Of a longer one the caller gets the announced
    /// part, and the connection is closed; over HTTP/2 it fails with ``TransportError/Code/malformedResponse`` (RFC
    /// 9113 §8.1.1).
    public func announcing(length: Int64) -> Reply {
        modified { $0.framing = .announced(max(0, length)) }
    }

    /// Returns the reply without an announced length: chunked over HTTP/1.1 (RFC 9112 §7.1).
    public func chunked() -> Reply {
        modified { $0.framing = .open }
    }
}

extension JSONEncoder {
    fileprivate static var stable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// Media types by the extensions of files.
enum MediaType {
    private static let types = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8",
        "xml": "application/xml", "csv": "text/csv", "css": "text/css", "js": "text/javascript",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml",
        "pdf": "application/pdf", "zip": "application/zip",
    ]

    static func of(path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return types[suffix] ?? "application/octet-stream"
    }
}
