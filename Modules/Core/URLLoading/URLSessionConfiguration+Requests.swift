public import Foundation

extension URLSessionConfiguration {
    /// What a session adds to its requests, beyond Foundation's properties.
    struct Requests: Sendable {
        var baseURL: URL?
        var responseInterceptors: [any ResponseInterceptor] = []
        var transferRates = TransferRates()
    }

    /// The URL that requests with a relative URL are joined to: see ``BaseURL``. `nil`, at first, fails such requests.
    ///
    /// One without a scheme or a host fails them too, with a ``BaseURLError``.
    public var baseURL: URL? {
        get { requests.baseURL }
        set { change { $0.baseURL = newValue } }
    }

    /// What looks at each response before its body is taken, in order, before the interceptors of a request.
    public var responseInterceptors: [any ResponseInterceptor] {
        get { requests.responseInterceptors }
        set { change { $0.responseInterceptors = newValue } }
    }

    /// How fast requests may, and must, transfer their content, where they do not say so themselves.
    public var transferRates: TransferRates {
        get { requests.transferRates }
        set { change { $0.transferRates = newValue } }
    }
}
