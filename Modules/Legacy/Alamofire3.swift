public import AirframeCore
internal import AirframeEncoding
public import Foundation

// Alamofire 3: the method comes first, encodings are cases, and handlers take four arguments.

/// The encodings of Alamofire 3.
@available(*, deprecated, message: "use URLEncoding, JSONEncoding or PropertyListEncoding")
public enum Alamofire3Encoding: Sendable {
    /// A URL-encoded form in the query or the body, depending on the method.
    case URL
    /// In the query.
    case URLEncodedInURL
    /// JSON in the body.
    case JSON

    fileprivate var encoding: any ParameterEncoding {
        switch self {
        case .URL: URLEncoding.default
        case .URLEncodedInURL: URLEncoding.queryString
        case .JSON: JSONEncoding.default
        }
    }
}

@available(*, deprecated)
extension HTTPMethod {
    /// `GET` under Alamofire 3's name.
    public static var GET: HTTPMethod { .get }
    /// `HEAD` under Alamofire 3's name.
    public static var HEAD: HTTPMethod { .head }
    /// `POST` under Alamofire 3's name.
    public static var POST: HTTPMethod { .post }
    /// `PUT` under Alamofire 3's name.
    public static var PUT: HTTPMethod { .put }
    /// `PATCH` under Alamofire 3's name.
    public static var PATCH: HTTPMethod { .patch }
    /// `DELETE` under Alamofire 3's name.
    public static var DELETE: HTTPMethod { .delete }
    /// `OPTIONS` under Alamofire 3's name.
    public static var OPTIONS: HTTPMethod { .options }
}

@available(*, deprecated)
extension SessionManager {
    /// Creates a request for data.
    @discardableResult
    public func request(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        parameters: [String: Any]? = nil,
        encoding: Alamofire3Encoding = .URL,
        headers: [String: String]? = nil
    ) -> DataRequest {
        request(
            url,
            method: method,
            parameters: parameters,
            encoding: encoding.encoding,
            headers: headers.map { HTTPHeaders($0) }
        )
    }

    /// Downloads to a file.
    @discardableResult
    public func download(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        parameters: [String: Any]? = nil,
        encoding: Alamofire3Encoding = .URL,
        headers: [String: String]? = nil,
        destination: DownloadRequest.Destination?
    ) -> DownloadRequest {
        download(
            url,
            method: method,
            parameters: parameters,
            encoding: encoding.encoding,
            headers: headers.map { HTTPHeaders($0) },
            to: destination
        )
    }

    /// Uploads data.
    @discardableResult
    public func upload(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        headers: [String: String]? = nil,
        data: Data
    ) -> UploadRequest {
        upload(data, to: url, method: method, headers: headers.map { HTTPHeaders($0) })
    }

    /// Uploads a file.
    @discardableResult
    public func upload(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        headers: [String: String]? = nil,
        file: URL
    ) -> UploadRequest {
        upload(file, to: url, method: method, headers: headers.map { HTTPHeaders($0) })
    }
}

@available(*, deprecated)
extension Alamofire {
    /// Creates a request for data.
    @discardableResult
    public static func request(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        parameters: [String: Any]? = nil,
        encoding: Alamofire3Encoding = .URL,
        headers: [String: String]? = nil
    ) -> DataRequest {
        SessionManager.default.request(
            method,
            url,
            parameters: parameters,
            encoding: encoding,
            headers: headers
        )
    }

    /// Downloads to a file.
    @discardableResult
    public static func download(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        parameters: [String: Any]? = nil,
        encoding: Alamofire3Encoding = .URL,
        headers: [String: String]? = nil,
        destination: DownloadRequest.Destination?
    ) -> DownloadRequest {
        SessionManager.default.download(
            method,
            url,
            parameters: parameters,
            encoding: encoding,
            headers: headers,
            destination: destination
        )
    }

    /// Downloads to a file.
    @discardableResult
    public static func download(
        _ urlRequest: any URLRequestConvertible,
        destination: DownloadRequest.Destination?
    ) -> DownloadRequest {
        SessionManager.default.download(urlRequest, to: destination)
    }

    /// Uploads data.
    @discardableResult
    public static func upload(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        headers: [String: String]? = nil,
        data: Data
    ) -> UploadRequest {
        SessionManager.default.upload(method, url, headers: headers, data: data)
    }

    /// Uploads a file.
    @discardableResult
    public static func upload(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        headers: [String: String]? = nil,
        file: URL
    ) -> UploadRequest {
        SessionManager.default.upload(method, url, headers: headers, file: file)
    }

    /// Uploads a file.
    @discardableResult
    public static func upload(_ urlRequest: any URLRequestConvertible, file: URL) -> UploadRequest {
        SessionManager.default.upload(file, with: urlRequest)
    }

    /// Uploads data.
    @discardableResult
    public static func upload(_ urlRequest: any URLRequestConvertible, data: Data) -> UploadRequest {
        SessionManager.default.upload(data, with: urlRequest)
    }
}
