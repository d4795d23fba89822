public import AirframeCore
public import AirframeEncoding
public import Foundation

/// The functions of Alamofire 3 and 4 under their module's name: `Alamofire.request(…)`.
@available(*, deprecated, renamed: "AF")
public enum Alamofire {
    /// The session manager of Alamofire 4.
    public typealias SessionManager = AirframeLegacy.SessionManager
    /// The session manager of Alamofire 3.
    public typealias Manager = AirframeLegacy.SessionManager
    /// The request of Alamofire 5.
    public typealias Request = AirframeCore.Request

    /// Creates a request for data.
    @discardableResult
    public static func request(
        _ url: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: Any]? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil
    ) -> DataRequest {
        SessionManager.default.request(
            url,
            method: method,
            parameters: parameters,
            encoding: encoding,
            headers: headers
        )
    }

    /// Creates a request for data.
    @discardableResult
    public static func request(_ urlRequest: any URLRequestConvertible) -> DataRequest {
        SessionManager.default.request(urlRequest)
    }

    /// Downloads to a file.
    @discardableResult
    public static func download(
        _ url: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: Any]? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        SessionManager.default.download(
            url,
            method: method,
            parameters: parameters,
            encoding: encoding,
            headers: headers,
            to: destination
        )
    }

    /// Downloads to a file.
    @discardableResult
    public static func download(
        _ urlRequest: any URLRequestConvertible,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        SessionManager.default.download(urlRequest, to: destination)
    }

    /// Resumes a download.
    @discardableResult
    public static func download(
        resumingWith data: Data,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        SessionManager.default.download(resumingWith: data, to: destination)
    }

    /// Uploads data.
    @discardableResult
    public static func upload(
        _ data: Data,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil
    ) -> UploadRequest {
        SessionManager.default.upload(data, to: url, method: method, headers: headers)
    }

    /// Uploads a file.
    @discardableResult
    public static func upload(
        _ fileURL: URL,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil
    ) -> UploadRequest {
        SessionManager.default.upload(fileURL, to: url, method: method, headers: headers)
    }

    /// Uploads a stream.
    @discardableResult
    public static func upload(
        _ stream: InputStream,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil
    ) -> UploadRequest {
        SessionManager.default.upload(stream, to: url, method: method, headers: headers)
    }

    /// Uploads data.
    @discardableResult
    public static func upload(_ data: Data, with urlRequest: any URLRequestConvertible) -> UploadRequest {
        SessionManager.default.upload(data, with: urlRequest)
    }

    /// Uploads a file.
    @discardableResult
    public static func upload(_ fileURL: URL, with urlRequest: any URLRequestConvertible) -> UploadRequest {
        SessionManager.default.upload(fileURL, with: urlRequest)
    }
}
