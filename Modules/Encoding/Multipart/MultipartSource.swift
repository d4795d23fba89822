internal import AirframeCore
internal import AirframeTransport
internal import Foundation

/// The bytes of one transmission of a form.
///
/// An actor, because the position in the form is private state. Small pieces are combined, large ones are sent
/// unchanged, and at most one chunk of a file is in memory.
actor MultipartSource: RequestBodySource {
    private var pieces: ArraySlice<MultipartPiece>
    private var reader: Reader?
    private var isCancelled = false
    /// Whether a thread reads the file. If it were closed now, the read could get another file's descriptor.
    private var isReadingFile = false

    /// The part that is sent now.
    private struct Reader {
        enum Content {
            case data(Data)
            case file(FileHandle)
            case source(any RequestBodySource)
        }

        var content: Content
        var check: MultipartLengthCheck
    }

    init(_ pieces: [MultipartPiece]) { self.pieces = pieces[...] }

    func next() async throws -> Data? {
        var chunk = Data()
        while !isCancelled, chunk.count < MultipartFile.chunkSize {
            // Available bytes are not held back for an asynchronous part, which may be slow.
            if !chunk.isEmpty, isNextSlow { break }
            guard let piece = try await nextPiece() else { break }
            if chunk.isEmpty { chunk = piece } else { chunk.append(piece) }
        }
        return chunk.isEmpty ? nil : chunk
    }

    nonisolated func cancel() {
        Task { await drop() }
    }

    private func drop() {
        isCancelled = true
        pieces = []
        if !isReadingFile { close() }
    }

    private var isNextSlow: Bool {
        switch reader?.content {
        case .source: return true
        case .data, .file: return false
        case nil: break
        }
        guard case .part(let part) = pieces.first else { return false }
        switch part.content {
        case .data, .file: return false
        case .stream, .body: return true
        }
    }

    /// Returns the next bytes of the form, or `nil` at its end.
    private func nextPiece() async throws -> Data? {
        while true {
            if let bytes = try await readOn() { return bytes }
            guard let piece = pieces.popFirst() else { return nil }
            switch piece {
            case .framing(let data): return data
            case .part(let part):
                reader = try await open(part)
                if isCancelled { close() }
            }
        }
    }

    /// Files are opened and read on threads that may block, because Swift's pool has one thread per core.
    private func open(_ part: MultipartPart) async throws -> Reader {
        let content: Reader.Content =
            switch part.content {
            case .data(let data): .data(data)
            case .file(let url): .file(try await WorkerThreads.files.result { try MultipartFile.open(url) })
            case .stream(let stream): .source(try stream.makeSource())
            case .body(let body): .source(try body.makeChunks())
            }
        return Reader(content: content, check: MultipartLengthCheck(expected: part.length))
    }

    /// Returns the next bytes of the current part, or `nil` at its end.
    private func readOn() async throws -> Data? {
        guard let reader else { return nil }
        let bytes: Data?
        switch reader.content {
        case .data(let data):
            bytes = data.isEmpty ? nil : data.prefix(MultipartFile.chunkSize)
            self.reader?.content = .data(data.dropFirst(MultipartFile.chunkSize))
        case .file(let handle):
            isReadingFile = true
            defer {
                isReadingFile = false
                if isCancelled { close() }
            }
            bytes = try await WorkerThreads.files.result { try MultipartFile.read(handle) }
        case .source(let source):
            bytes = try await Self.nextBytes(of: source)
        }
        guard let bytes else {
            try self.reader?.check.finish()
            close()
            return nil
        }
        try self.reader?.check.add(bytes)
        return bytes
    }

    private static func nextBytes(of source: any RequestBodySource) async throws -> Data? {
        while let bytes = try await source.next() {
            if !bytes.isEmpty { return bytes }
        }
        return nil
    }

    private func close() {
        switch reader?.content {
        case .file(let handle): try? handle.close()
        case .source(let source): source.cancel()
        case .data, nil: break
        }
        reader = nil
    }
}

extension MultipartStream {
    /// Reads on a queue, because the stream may block.
    func makeSource() throws -> any RequestBodySource {
        guard stream.streamStatus != .closed else {
            throw AFError.multipartEncodingFailed(reason: .inputStreamReadFailed(error: StreamAlreadyReadError()))
        }
        guard case .stream(let body) = RequestBody.oneShot(length: nil, stream: stream).content else {
            throw AFError.multipartEncodingFailed(reason: .inputStreamReadFailed(error: CocoaError(.fileReadUnknown)))
        }
        return try body.makeSource()
    }
}
