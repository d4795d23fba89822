import Airframe
import AirframeCommandLine
import AirframeHAR
import ArgumentParser
import Foundation
import Synchronization

/// Sends one request and writes the response.
struct RequestRunner: Sendable {
    let options: RequestOptions
    /// Whether the head is written without being asked for.
    var showsHead = false

    /// Sends the request.
    ///
    /// - Throws: ``CommandFailure`` when it fails, or when `--fail` makes its status a failure.
    func run(_ outgoing: OutgoingRequest) async throws {
        let lines = ExchangeLines(isEnabled: options.output.json, redaction: options.diagnostics.redaction)
        let prepared = try PreparedSession(options, for: outgoing, monitors: lines.monitors)
        let result = try await Interruption.cancelling { [self] in
            do {
                let response = try await perform(outgoing, prepared)
                try await prepared.finish()
                try lines.write()
                return response
            } catch {
                try? await prepared.finish()
                try? lines.write()
                throw error
            }
        }
        try check(result)
    }

    /// Fails for an error status if `--fail` is given.
    private func check(_ response: HTTPURLResponse?) throws {
        guard options.output.fail, let response, response.statusCode >= 400 else { return }
        throw CommandFailure(
            "the server answered \(response.statusCode) \(ReasonPhrase.of(response))", status: .httpError)
    }

    private func perform(_ outgoing: OutgoingRequest, _ prepared: PreparedSession) async throws -> HTTPURLResponse? {
        let session = prepared.session
        var head = outgoing.head
        switch outgoing.body {
        case .none: return try await send(head, outgoing, prepared)
        case .data(let data):
            head.httpBody = data
            return try await send(head, outgoing, prepared)
        case .file(let url):
            // The response to an upload is complete before it can be read, so a small file is sent from memory. A GET
            // takes content as an upload only, and the command of --print-curl names a file that is uploaded.
            if head.httpMethod != "GET", !options.diagnostics.printsCommand, let data = LocalFile.smallContent(url) {
                head.httpBody = data
                return try await send(head, outgoing, prepared)
            }
            let file = url.resolvingSymlinksInPath()
            return try await upload(session.upload(file, with: head), outgoing, prepared)
        case .standardInput:
            return try await upload(session.upload(StandardInput.chunks(), with: head), outgoing, prepared)
        case .form(let parts):
            let form = MultipartFormData()
            for part in parts { Self.append(part, to: form) }
            return try await upload(session.upload(multipartFormData: form, with: head), outgoing, prepared)
        }
    }

    // MARK: Kinds of requests

    /// Sends a request with content from memory.
    private func send(
        _ head: URLRequest,
        _ outgoing: OutgoingRequest,
        _ prepared: PreparedSession
    ) async throws -> HTTPURLResponse? {
        if let output = options.output.target, options.output.fileMode == .none, !LocalFile.isSpecial(output) {
            return try await download(head, outgoing, to: LocalFile.target(output), prepared)
        }
        return try await stream(head, outgoing, prepared)
    }

    /// Writes the content to standard output or to a device as it arrives, or at the end if it is formatted.
    private func stream(
        _ head: URLRequest,
        _ outgoing: OutgoingRequest,
        _ prepared: PreparedSession
    ) async throws -> HTTPURLResponse? {
        let request = authenticated(prepared.session.streamRequest(head), outgoing)
        let bytes = request.bytes()
        let response = try await bytes.response
        // Lines about the exchange must not come after its content.
        await prepared.diagnostics.flush()
        var writer = ResponseWriter(options.output, includesHead: showsHead)
        try writer.begin(response)
        for try await chunk in bytes { try writer.take(chunk) }
        try writer.finish()
        return request.response ?? response
    }

    private func download(
        _ head: URLRequest,
        _ outgoing: OutgoingRequest,
        to target: URL,
        _ prepared: PreparedSession
    ) async throws -> HTTPURLResponse? {
        let progress = ProgressReporter(isEnabled: !options.output.quiet)
        let fails = options.output.fail
        let destination: DownloadRequest.Destination = { temporary, response in
            // An error page does not replace the file.
            if fails, response.statusCode >= 400 { return (temporary, []) }
            return (target, [.removePreviousFile])
        }
        let request = authenticated(prepared.session.download(head, to: destination), outgoing)
        request.downloadProgress(queue: .global()) { progress.show($0) }
        let download = await request.serializingDownloadedFileURL().response
        progress.clear()
        await prepared.diagnostics.flush()
        if let response = download.response {
            var writer = ResponseWriter(options.output, includesHead: showsHead)
            try writer.begin(response)
            if fails, response.statusCode >= 400, let page = download.fileURL {
                try? FileManager.default.removeItem(at: page)
            }
        }
        if let error = download.error { throw CommandFailure(error) }
        return download.response
    }

    private func upload(
        _ request: UploadRequest,
        _ outgoing: OutgoingRequest,
        _ prepared: PreparedSession
    ) async throws -> HTTPURLResponse? {
        let progress = ProgressReporter(isEnabled: !options.output.quiet)
        let request = authenticated(request, outgoing)
        request.uploadProgress(queue: .global()) { progress.show($0) }
        let data = await request.serializingData(emptyResponseCodes: Set(100...999)).response
        progress.clear()
        await prepared.diagnostics.flush()
        if let error = data.error { throw CommandFailure(error) }
        guard let response = data.response else { return nil }
        var writer = ResponseWriter(options.output, includesHead: showsHead)
        try writer.begin(response)
        try writer.take(data.value ?? Data())
        try writer.finish()
        return response
    }

    private func authenticated<R: Request>(_ request: R, _ outgoing: OutgoingRequest) -> R {
        if let credential = outgoing.challengeCredential { request.authenticate(with: credential) }
        return request
    }

    private static func append(_ part: RequestParts.Part, to form: MultipartFormData) {
        switch part {
        case .text(let name, let value): form.append(Data(value.utf8), withName: name)
        case .file(let name, let path, let mediaType):
            let url = LocalFile.url(path)
            // Without an extension the form knows no media type for the file.
            let known = mediaType ?? (url.pathExtension.isEmpty ? "application/octet-stream" : nil)
            guard let known else { return form.append(url, withName: name) }
            form.append(url, withName: name, fileName: url.lastPathComponent, mimeType: known)
        }
    }
}

/// The lines of `--json`.
private final class ExchangeLines: Sendable {
    // Guards the lines of exchanges that have ended.
    private let lines = Mutex<[String]>([])
    private let isEnabled: Bool
    private let redaction: RedactionPolicy

    init(isEnabled: Bool, redaction: RedactionPolicy) {
        self.isEnabled = isEnabled
        self.redaction = redaction
    }

    /// The monitor that makes the lines; none where they are not asked for.
    var monitors: [any EventMonitor] {
        guard isEnabled else { return [] }
        return [
            EntryMonitor(options: HAR.RecordingOptions(redaction: redaction)) { [self] _, entry in
                lines.withLock { $0.append(ExchangeLine.text(entry)) }
            }
        ]
    }

    func write() throws {
        for line in lines.withLock({ $0 }) { try StandardOutput.write(line + "\n") }
    }
}
