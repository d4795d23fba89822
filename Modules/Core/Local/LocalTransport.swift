public import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// Answers requests for `file:` (RFC 8089) and `data:` (RFC 2397) URLs, as `URLSession` does on Apple's platforms.
///
/// A session sends a request here if the request's own URL has one of these schemes and
/// ``URLSessionConfiguration/allowsLocalURLs`` is set. The transport is beneath no layer, so that neither a redirect
/// nor a response can lead to it.
///
/// Only `GET` and `HEAD` are answered, with status 200. A file must be a regular one.
public struct LocalTransport: Transport {
    /// Plain requests only.
    public let capabilities = TransportCapabilities(engine: "local", features: [])

    /// Creates a transport.
    public init() {}

    /// Does nothing: no connection is open between requests.
    public func shutdown() async {}

    /// Reads the file, or decodes the URL.
    ///
    /// - Throws: ``TransportError`` with `URLError.fileDoesNotExist`, `.noPermissionsToReadFile` or `.badURL`.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try requireSupport(for: request)
        guard request.head.method == .get || request.head.method == .head else {
            throw Self.failure("the method \(request.head.method) has no meaning for local URLs", .unsupportedURL)
        }
        let (fields, body) =
            switch request.head.scheme {
            case "file": try LocalFile.open(request.head.path ?? "")
            case "data": try DataURL.decode(request.head.path ?? "")
            default: throw Self.failure("only file and data URLs are supported", .unsupportedURL)
            }
        return TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: fields),
            body: request.head.method == .head ? ResponseBody() : body,
            request: request.head
        )
    }

    private func requireSupport(for request: TransportRequest) throws(TransportError) {
        guard request.upgrade == nil else { throw Self.failure("a local URL has no connection", .unsupportedURL) }
    }

    static func failure(
        _ message: String,
        _ code: URLError.Code,
        underlying: (any Error)? = nil
    ) -> TransportError {
        TransportError(
            TransportError.Code(rawValue: "localURLFailed"),
            phase: .options,
            processing: .notSent,
            message: message,
            urlErrorCode: code.rawValue,
            underlying: underlying
        )
    }

    /// Returns the head of a request for a local URL, or `nil` for another URL.
    static func head(for request: URLRequest) -> HTTPRequest? {
        // The cached property decides for most URLs without parsing.
        guard request.knownURL?.mayBeLocal != false, let url = request.url, let scheme = url.scheme?.lowercased()
        else { return nil }
        let method = HTTPRequest.Method(request.httpMethod ?? "GET") ?? .get
        switch scheme {
        case "file": return HTTPRequest(method: method, scheme: scheme, authority: nil, path: url.path)
        case "data":
            let text = String(url.absoluteString.dropFirst("data:".count))
            return HTTPRequest(method: method, scheme: scheme, authority: nil, path: text)
        default: return nil
        }
    }
}

/// Responses with the content of files.
enum LocalFile {
    static func open(_ path: String) throws(TransportError) -> (HTTPFields, ResponseBody) {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        } catch {
            throw LocalTransport.failure("the file \(path.debugDescription) does not exist", .fileDoesNotExist)
        }
        // Opening a pipe waits for its peer, and opening a device may have effects.
        guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? NSNumber else {
            throw LocalTransport.failure("\(path.debugDescription) is not a regular file", .fileIsDirectory)
        }
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw LocalTransport.failure(
                "the file \(path.debugDescription) cannot be opened",
                .noPermissionsToReadFile,
                underlying: error
            )
        }
        var fields = HTTPFields()
        fields[.contentLength] = "\(size.int64Value)"
        let source = LocalFileSource(handle, path: path)
        return (fields, ResponseBody(source, expectedLength: size.int64Value))
    }
}

/// The content of a file, in chunks.
private final class LocalFileSource: ResponseBodySource {
    private static let pieceSize = 128 << 10
    // Guards the open file, which `cancel()` closes from any thread.
    private let handle: Mutex<FileHandle?>
    private let path: String

    init(_ handle: FileHandle, path: String) {
        self.handle = Mutex(handle)
        self.path = path
    }

    var trailers: HTTPFields? { nil }

    func next() async throws(TransportError) -> Data? {
        do {
            let piece = try handle.withLock { try $0?.read(upToCount: Self.pieceSize) }
            if let piece, !piece.isEmpty { return piece }
            cancel()
            return nil
        } catch {
            throw LocalTransport.failure(
                "the file \(path.debugDescription) cannot be read",
                .cannotOpenFile,
                underlying: error
            )
        }
    }

    func cancel() { try? handle.withLock { $0.take() }?.close() }
}

/// The content of a `data:` URL (RFC 2397 §3).
enum DataURL {
    private static let longestShown = 40

    /// - Parameter text: The text after `data:`.
    static func decode(_ text: String) throws(TransportError) -> (HTTPFields, ResponseBody) {
        guard let comma = text.firstIndex(of: ",") else { throw malformed(text, "it has no comma") }
        var type = text[..<comma]
        let isBase64 = type.lowercased().hasSuffix(";base64")
        if isBase64 { type = type.dropLast(";base64".count) }
        let fragment = text[comma...].firstIndex(of: "#") ?? text.endIndex
        let content = String(text[text.index(after: comma)..<fragment])
        guard let bytes = unescaped(content) else { throw malformed(text, "an escape in it is incomplete") }
        let data: Data
        if isBase64 {
            guard let decoded = Data(base64Encoded: bytes, options: .ignoreUnknownCharacters) else {
                throw malformed(text, "its content is not valid base64")
            }
            data = decoded
        } else {
            data = bytes
        }
        var fields = HTTPFields()
        let named = type.hasPrefix(";") ? "text/plain\(type)" : String(type)
        fields[.contentType] =
            named.isEmpty ? "text/plain;charset=US-ASCII" : named.removingPercentEncoding ?? named
        fields[.contentLength] = "\(data.count)"
        return (fields, ResponseBody(data))
    }

    private static func malformed(_ text: String, _ fault: String) -> TransportError {
        let shown = text.prefix(longestShown)
        return LocalTransport.failure("data:\(shown) is not a valid data URL: \(fault)", .badURL)
    }

    /// Returns the bytes of percent-encoded text (RFC 3986 §2.1).
    private static func unescaped(_ text: String) -> Data? {
        var data = Data()
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                data.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit) else { return nil }
            data.append(high << 4 | low)
        }
        return data
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
    }
}
