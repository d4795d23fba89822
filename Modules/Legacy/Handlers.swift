public import AirframeCore
internal import AirframeSerialization
public import Dispatch
public import Foundation
internal import Synchronization

// Handlers and validations with the signatures of Alamofire 3 and 4.

@available(*, deprecated)
extension Request {
    /// Sets the credential for authentication challenges.
    @discardableResult
    public func authenticate(using credential: URLCredential) -> Self { authenticate(with: credential) }
}

@available(*, deprecated)
extension DataRequest {
    /// Calls `completionHandler` with request, response, data and error, as Alamofire 3 did.
    @discardableResult
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (URLRequest?, HTTPURLResponse?, Data?, (any Error)?) -> Void
    ) -> Self {
        response(queue: queue) { (response: AFDataResponse<Data?>) in
            completionHandler(response.request, response.response, response.data, response.error)
        }
    }

    /// Validates without the data, as Alamofire 3 did.
    @discardableResult
    public func validate(
        _ validation: @escaping @Sendable (URLRequest?, HTTPURLResponse) -> ValidationResult
    ) -> Self {
        validate { request, response, _ in validation(request, response) }
    }

    /// Calls `closure` with the bytes since the last call, the bytes so far, and the expected total: of the content
    /// that an upload sends, and of the response to another request.
    @discardableResult
    public func progress(_ closure: @escaping @Sendable (Int64, Int64, Int64) -> Void) -> Self {
        self is UploadRequest
            ? uploadProgress(closure: differences(closure)) : downloadProgress(closure: differences(closure))
    }

    /// Calls `completionHandler` with the response's property list; `NSNull` for a `204` or `205`, as in Alamofire 4.
    @discardableResult
    public func responsePropertyList(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDataResponse<Any>) -> Void
    ) -> Self {
        responseData(queue: queue) { completionHandler(propertyList(of: $0)) }
    }
}

@available(*, deprecated)
extension DownloadRequest {
    /// The destination of a downloaded file.
    public typealias DownloadFileDestination = Destination
    /// The options for files that exist at the destination.
    public typealias DownloadOptions = Options

    /// Calls `completionHandler` with request, response, error, and the file in place of Alamofire 3's data.
    @discardableResult
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (URLRequest?, HTTPURLResponse?, URL?, (any Error)?) -> Void
    ) -> Self {
        response(queue: queue) { (response: AFDownloadResponse<URL?>) in
            completionHandler(response.request, response.response, response.fileURL, response.error)
        }
    }

    /// Validates with the temporary URL and the destination of the file, which are the same here.
    @discardableResult
    public func validate(
        _ validation: @escaping @Sendable (URLRequest?, HTTPURLResponse, URL?, URL?) -> ValidationResult
    ) -> Self {
        validate { request, response, file in validation(request, response, file, file) }
    }

    /// Calls `closure` with the bytes since the last call, the bytes so far, and the expected total.
    @discardableResult
    public func progress(_ closure: @escaping @Sendable (Int64, Int64, Int64) -> Void) -> Self {
        downloadProgress(closure: differences(closure))
    }
}

@available(*, deprecated)
extension DownloadResponse {
    /// The current location of the file.
    public var temporaryURL: URL? { fileURL }
    /// The current location of the file.
    public var destinationURL: URL? { fileURL }
}

/// Returns a response with the property list of its data.
private func propertyList(of response: AFDataResponse<Data>) -> AFDataResponse<Any> {
    let result = response.result.flatMap { data -> Result<Any, AFError> in
        if let status = response.response?.statusCode, [204, 205].contains(status) { return .success(NSNull()) }
        do {
            return .success(try PropertyListSerialization.propertyList(from: data, format: nil))
        } catch {
            return .failure(.responseSerializationFailed(reason: .customSerializationFailed(error: error)))
        }
    }
    return AFDataResponse<Any>(
        request: response.request,
        response: response.response,
        data: response.data,
        metrics: response.metrics,
        serializationDuration: response.serializationDuration,
        result: result
    )
}

/// Returns a progress handler that passes the difference since the last call.
private func differences(
    _ closure: @escaping @Sendable (Int64, Int64, Int64) -> Void
) -> @Sendable (Progress) -> Void {
    let counter = ProgressCounter()
    return { progress in
        let total = progress.completedUnitCount
        closure(counter.advance(to: total), total, progress.totalUnitCount)
    }
}

/// A counter of the bytes that have been reported.
private final class ProgressCounter: Sendable {
    private let count = Mutex<Int64>(0)

    func advance(to total: Int64) -> Int64 {
        count.withLock { count in
            defer { count = total }
            return total - count
        }
    }
}
