internal import AirframeCore
public import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension MultipartFormData {
    /// The number of bytes of the encoded form; `nil` if a part's length is unknown.
    public var encodedLength: UInt64? {
        var total: UInt64 = 0
        for piece in MultipartPiece.pieces(of: parts, boundary: boundary) {
            guard let length = piece.length else { return nil }
            let (sum, overflows) = total.addingReportingOverflow(length)
            guard !overflows else { return nil }
            total = sum
        }
        return total
    }

    /// Returns the encoded form in memory.
    ///
    /// - Throws: `AFError.multipartEncodingFailed`: for an invalid part, a file or stream that cannot be read or has
    ///   another number of bytes than announced, or a part of an asynchronous sequence, which only an upload or
    ///   ``chunks()`` can read.
    public func encode() throws -> Data {
        var data = Data()
        if let length = encodedLength.flatMap(Int.init(exactly:)) { data.reserveCapacity(min(length, 64 << 20)) }
        try forEachChunk { data.append($0) }
        return data
    }

    /// Writes the encoded form into a new file, chunk by chunk.
    ///
    /// - Parameter fileURL: The file to create. It is removed if the encoding fails.
    /// - Throws: `AFError.multipartEncodingFailed`, as ``encode()``; and if the file exists, the URL is not a file URL,
    ///   or the file cannot be written.
    public func writeEncodedData(to fileURL: URL) throws { try writeEncodedData(to: fileURL, mode: 0o666) }

    /// Writes the encoded form into a new file with a mode, from which the process's umask is removed.
    func writeEncodedData(to fileURL: URL, mode: mode_t) throws {
        _ = try validParts()
        guard fileURL.isFileURL else {
            throw AFError.multipartEncodingFailed(reason: .outputStreamURLInvalid(url: fileURL))
        }
        let file = try NewFile(at: fileURL, mode: mode)
        do {
            try forEachChunk { try file.write($0) }
            try file.close()
        } catch {
            file.remove()
            throw error
        }
    }

    /// Calls `take` with the encoded form, chunk by chunk.
    private func forEachChunk(_ take: (Data) throws -> Void) throws {
        for piece in MultipartPiece.pieces(of: try validParts(), boundary: boundary) {
            switch piece {
            case .framing(let data): try take(data)
            case .part(let part): try read(part, take)
            }
        }
    }

    private func read(_ part: MultipartPart, _ take: (Data) throws -> Void) throws {
        var check = MultipartLengthCheck(expected: part.length)
        switch part.content {
        case .data(let data):
            return try take(data)
        case .file(let url):
            let handle = try MultipartFile.open(url)
            defer { try? handle.close() }
            while let chunk = try MultipartFile.read(handle) {
                try check.add(chunk)
                try take(chunk)
            }
        case .stream(let stream):
            try stream.open()
            defer { stream.stream.close() }
            while let chunk = try stream.read() {
                try check.add(chunk)
                try take(chunk)
            }
        case .body:
            throw AFError.multipartEncodingFailed(reason: .inputStreamReadFailed(error: AsynchronousPartError()))
        }
        try check.finish()
    }
}

extension MultipartStream {
    func open() throws(AFError) {
        switch stream.streamStatus {
        case .notOpen: stream.open()
        case .closed: throw .multipartEncodingFailed(reason: .inputStreamReadFailed(error: StreamAlreadyReadError()))
        default: break
        }
    }

    /// Returns the next bytes, or `nil` at the end. May block.
    func read() throws(AFError) -> Data? {
        var chunk = Data(count: MultipartFile.chunkSize)
        let count = chunk.withUnsafeMutableBytes { buffer in
            buffer.bindMemory(to: UInt8.self).baseAddress.map { stream.read($0, maxLength: buffer.count) } ?? 0
        }
        guard count >= 0 else {
            // `streamError` traps in Foundation on Linux, so the cause is not reported.
            throw .multipartEncodingFailed(reason: .inputStreamReadFailed(error: CocoaError(.fileReadUnknown)))
        }
        return count == 0 ? nil : chunk.prefix(count)
    }
}

/// An error for a part that only asynchronous code can read.
struct AsynchronousPartError: LocalizedError {
    var errorDescription: String? {
        "A part of the form is an asynchronous sequence: upload the form, or read its chunks()"
    }
}

/// An error for a stream that has been read before.
struct StreamAlreadyReadError: LocalizedError {
    var errorDescription: String? { "The stream of a part has been read before and cannot be read again" }
}

/// The file that a form is written to.
private struct NewFile {
    private let url: URL
    private let handle: FileHandle

    init(at url: URL, mode: mode_t) throws(AFError) {
        // O_EXCL: a file that another program creates at the same time is not overwritten.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            let exists = errno == EEXIST
            throw .multipartEncodingFailed(
                reason: exists ? .outputStreamFileAlreadyExists(at: url) : .outputStreamCreationFailed(for: url))
        }
        self.url = url
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ data: Data) throws(AFError) {
        do {
            try handle.write(contentsOf: data)
        } catch {
            throw .multipartEncodingFailed(reason: .outputStreamWriteFailed(error: error))
        }
    }

    func close() throws(AFError) {
        do {
            try handle.close()
        } catch {
            throw .multipartEncodingFailed(reason: .outputStreamWriteFailed(error: error))
        }
    }

    func remove() {
        try? handle.close()
        try? FileManager.default.removeItem(at: url)
    }
}
