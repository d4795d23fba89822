internal import AirframeCore
internal import Foundation

/// The file of a part.
enum MultipartFile {
    /// The size of the chunks that a file is read in, in bytes.
    static let chunkSize = 128 << 10

    /// Returns the size of a file, if it can be a part.
    static func length(of url: URL, fileManager: FileManager) throws(AFError) -> UInt64 {
        guard url.isFileURL else { throw .multipartEncodingFailed(reason: .bodyPartURLInvalid(url: url)) }
        var isDirectory: ObjCBool = false
        guard fileManager.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            let error = CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path, NSURLErrorKey: url])
            throw .multipartEncodingFailed(reason: .bodyPartFileNotReachableWithError(atURL: url, error: error))
        }
        guard !isDirectory.boolValue else {
            throw .multipartEncodingFailed(reason: .bodyPartFileIsDirectory(at: url))
        }
        guard fileManager.isReadableFile(atPath: url.path) else {
            throw .multipartEncodingFailed(reason: .bodyPartInputStreamCreationFailed(for: url))
        }
        let attributes: [FileAttributeKey: Any]
        do {
            // The size of a symbolic link is not that of its file.
            attributes = try fileManager.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        } catch {
            throw .multipartEncodingFailed(reason: .bodyPartFileSizeQueryFailedWithError(forURL: url, error: error))
        }
        // Opening a pipe waits for its writer, and a device has no length (decision 37).
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw .multipartEncodingFailed(reason: .bodyPartInputStreamCreationFailed(for: url))
        }
        guard let size = attributes[.size] as? NSNumber else {
            throw .multipartEncodingFailed(reason: .bodyPartFileSizeNotAvailable(at: url))
        }
        return size.uint64Value
    }

    static func open(_ url: URL) throws(AFError) -> FileHandle {
        do {
            return try FileHandle(forReadingFrom: url)
        } catch {
            throw .multipartEncodingFailed(reason: .bodyPartInputStreamCreationFailed(for: url))
        }
    }

    /// The next bytes, `nil` at the end.
    static func read(_ handle: FileHandle) throws(AFError) -> Data? {
        do {
            let data = try handle.read(upToCount: chunkSize)
            return data?.isEmpty == false ? data : nil
        } catch {
            throw .multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
        }
    }
}

/// Checks that a part has the length that it announced.
struct MultipartLengthCheck {
    let expected: UInt64?
    private(set) var count: UInt64 = 0

    init(expected: UInt64?) { self.expected = expected }

    mutating func add(_ data: Data) throws(AFError) {
        count += UInt64(data.count)
        if let expected, count > expected { throw failure(expected) }
    }

    func finish() throws(AFError) {
        if let expected, count != expected { throw failure(expected) }
    }

    private func failure(_ expected: UInt64) -> AFError {
        let error = AFError.UnexpectedInputStreamLength(bytesExpected: expected, bytesRead: count)
        return .multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
    }
}
