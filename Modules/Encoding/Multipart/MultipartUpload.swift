internal import AirframeCore
internal import Foundation

/// The upload of a form: the request with its content type, and the content.
struct MultipartUpload: UploadConvertible {
    /// The storage of a form before it is sent.
    enum Storage {
        /// In memory if its contents are small; otherwise the contents are read while they are sent.
        case streamed
        /// In memory below a number of bytes; otherwise in a temporary file, as in Alamofire.
        case threshold(UInt64)
    }

    let form: MultipartFormData
    let request: any URLRequestConvertible
    let storage: Storage
    let fileManager: FileManager

    func asURLRequest() throws -> URLRequest {
        var request = try request.asURLRequest()
        request.headers.add(.contentType(form.contentType))
        return request
    }

    func createUploadable() throws -> UploadRequest.Uploadable {
        switch storage {
        case .streamed:
            let isSmall = form.contentLength < MultipartFormData.encodingMemoryThreshold
            if isSmall, form.parts.allSatisfy(\.isSynchronous) { return .data(try form.encode()) }
            return .stream(BodyInputStream(try form.makeRequestBody()))
        case .threshold(let threshold):
            guard form.contentLength >= threshold else { return .data(try form.encode()) }
            return .file(try writeTemporaryFile(), shouldRemove: true)
        }
    }

    /// The temporary directory is shared: only the owner can read the file, and no folder is shared with other users.
    private func writeTemporaryFile() throws -> URL {
        let name = "airframe.multipart-\(UUID().uuidString)"
        let file = fileManager.temporaryDirectory.appendingPathComponent(name)
        try form.writeEncodedData(to: file, mode: 0o600)
        return file
    }
}
