internal import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

extension Reply {
    /// A response without a body.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Reply {
        Reply(ReplyPlan(status: status, fields: headers))
    }

    /// A response with bytes.
    public static func data(
        _ data: Data,
        contentType: String? = "application/octet-stream",
        status: HTTPResponse.Status = .ok
    ) -> Reply {
        Reply(ReplyPlan(status: status, contentType: contentType, body: .data(data)))
    }

    /// A response with a text in UTF-8.
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
    ///   - value: The value. When it cannot be encoded the exchange fails with ``TransportError/Code/engineFailure``.
    ///   - status: The status.
    ///   - encoder: Encodes it. By default members are in the order of their names, so that replies are the same from
    ///     run to run.
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

    /// A response with the content of a file, read when it is sent.
    ///
    /// - Parameters:
    ///   - path: The path of the file. When it cannot be read the exchange fails with
    ///     ``TransportError/Code/engineFailure``.
    ///   - contentType: The media type; by default by the file's extension, for the common ones.
    ///   - status: The status.
    public static func file(_ path: String, contentType: String? = nil, status: HTTPResponse.Status = .ok) -> Reply {
        let type = contentType ?? MediaType.of(path: path)
        return Reply(ReplyPlan(status: status, contentType: type, body: .file(path: path)))
    }

    /// A response that comes in these chunks, one at each time that the caller asks; its length is not announced.
    public static func chunks(
        _ chunks: [Data],
        contentType: String? = "application/octet-stream",
        status: HTTPResponse.Status = .ok
    ) -> Reply {
        Reply(ReplyPlan(status: status, contentType: contentType, body: .chunks(chunks)))
    }

    /// A response whose body is an asynchronous sequence; its length is not announced.
    ///
    /// The sequence is pulled when the caller asks for bytes, and not before. Time does not pass while it makes its
    /// caller wait, unless it sleeps on the transport's clock. When it throws, the connection breaks with that error
    /// beneath; a `TransportError` is passed on as it is.
    ///
    /// - Parameters:
    ///   - contentType: The media type.
    ///   - status: The status.
    ///   - makeSequence: Makes the sequence, for each response anew.
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

    /// The reply with another status.
    public func status(_ status: HTTPResponse.Status) -> Reply {
        modified { $0.status = status }
    }

    /// The reply with a field in place of those of the same name.
    public func header(_ name: HTTPField.Name, _ value: String) -> Reply {
        modified { $0.fields[name] = value }
    }

    /// The reply with a field added to those that it has.
    public func addingHeader(_ name: HTTPField.Name, _ value: String) -> Reply {
        modified { $0.fields.append(HTTPField(name: name, value: value)) }
    }

    /// The reply followed by trailer fields (RFC 9110 §6.5). Its length is not announced.
    public func trailers(_ trailers: HTTPFields) -> Reply {
        modified { $0.trailers = trailers }
    }

    /// The reply after an informational response (RFC 9110 §15.2), such as `103 Early Hints`.
    public func informational(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Reply {
        modified { $0.informational.append(HTTPResponse(status: status, headerFields: headers)) }
    }

    /// The reply with `Content-Length` set to `length`, whatever the body's is.
    ///
    /// A body that is shorter fails with ``TransportError/Code/bodyTruncated``. Of a longer one the caller gets as much
    /// as was announced, and the connection is closed; on HTTP/2 it fails with
    /// ``TransportError/Code/malformedResponse`` (RFC 9113 §8.1.1).
    public func announcing(length: Int64) -> Reply {
        modified { $0.framing = .announced(max(0, length)) }
    }

    /// The reply without an announced length: chunked, on HTTP/1.1 (RFC 9112 §7.1).
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
