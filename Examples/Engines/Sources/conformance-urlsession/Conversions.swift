import AirframeTransport
import Foundation
import FoundationNetworking
import HTTPTypes

extension TransportRequest {
    /// The URL, and the server to name in errors.
    func target() throws(TransportError) -> (URL, Origin) {
        let text = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "/")"
        guard let origin = Origin(head), let url = URL(string: text), url.host?.isEmpty == false else {
            throw TransportError(
                .invalidRequest, phase: .options, processing: .notSent, message: "\(text) is not a URL",
                origin: Origin(head))
        }
        guard ["http", "https"].contains(head.scheme) else {
            throw TransportError(
                .unsupportedScheme, phase: .options, processing: .notSent, message: "\(text) is not HTTP",
                origin: origin)
        }
        return (url, origin)
    }
}

extension RequestBody {
    /// All bytes, or `nil` for a request without content. An engine with *streaming* pulls them while it sends.
    func whole(for origin: Origin) async throws(TransportError) -> Data? {
        let data: Data?
        do {
            data = try await read()
        } catch let error as TransportError {
            // A body that can be read once and was read before: the error has its code already.
            throw error
        } catch {
            throw TransportError(
                .bodyFailed, phase: .requestBody, processing: .notSent, message: "the body cannot be read: \(error)",
                origin: origin, underlying: error)
        }
        guard let data, let length, length != data.count else { return data }
        throw TransportError(
            .bodyLengthMismatch, phase: .requestBody, processing: .notSent,
            message: "the body has \(data.count) bytes, and announced \(length)", origin: origin)
    }

    private func read() async throws -> Data? {
        switch content {
        case .none: return nil
        case .bytes(let data): return data
        case .file(let region):
            let file = try FileHandle(forReadingFrom: URL(filePath: region.path))
            try file.seek(toOffset: UInt64(region.offset))
            return try file.read(upToCount: Int(region.length)) ?? Data()
        case .stream(let stream):
            let source = try stream.makeSource()
            var data = Data()
            while let chunk = try await source.next() { data.append(chunk) }
            return data
        }
    }
}

extension TransportError {
    /// The words of URLSession, in the terms of the transport.
    ///
    /// `processing` stays unknown wherever bytes of the request may have left: a retry must not repeat what the server
    /// did.
    init(_ error: any Error, _ origin: Origin) {
        let (code, phase): (Code, TransportPhase) =
            switch (error as? URLError)?.code {
            case .cancelled: (.cancelled, .responseHead)
            case .cannotFindHost, .dnsLookupFailed: (.nameResolutionFailed, .resolve)
            case .cannotConnectToHost: (.connectFailed, .connect)
            case .timedOut: (.timedOut, .responseHead)
            // URLSession does not tell whether the head had come.
            case .networkConnectionLost, .badServerResponse: (.connectionLost, .responseHead)
            case .serverCertificateUntrusted: (.trustRefused, .tls)
            case .secureConnectionFailed: (.tlsFailed, .tls)
            // What URLSession has no code for is mostly a response that libcurl cannot read.
            default: (error is CancellationError ? .cancelled : .malformedResponse, .responseHead)
            }
        self.init(
            code, phase: phase, processing: [.resolve, .connect, .tls].contains(phase) ? .notSent : .unknown,
            message: "\(error.localizedDescription)", origin: origin, underlying: error)
    }
}

extension HTTPFields {
    /// The fields that URLSession returns: a dictionary, in which repeated fields are joined already.
    init(_ response: HTTPURLResponse) {
        self.init()
        for case (let name as String, let value as String) in response.allHeaderFields {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
    }
}
