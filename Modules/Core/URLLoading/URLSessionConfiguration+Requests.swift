public import Foundation

extension URLSessionConfiguration {
    /// The additions of a session to its requests, beyond Foundation's properties.
    struct Requests: Sendable {
        var baseURL: URL?
        var responseInterceptors: [any ResponseInterceptor] = []
        var transferRates = TransferRates()
        var hasChosenURLCache = false
        var sendsAccept = true
    }

    /// The URL against which relative URLs are resolved: see ``BaseURL``. `nil`, the default, fails requests with
    /// relative URLs.
    ///
    /// A URL without a scheme or a host fails them too, with a ``BaseURLError``.
    public var baseURL: URL? {
        get { requests.baseURL }
        set { change { $0.baseURL = newValue } }
    }

    /// The interceptors of each response, in order, called before the request's own.
    public var responseInterceptors: [any ResponseInterceptor] {
        get { requests.responseInterceptors }
        set { change { $0.responseInterceptors = newValue } }
    }

    /// The rates of requests that set none themselves.
    public var transferRates: TransferRates {
        get { requests.transferRates }
        set { change { $0.transferRates = newValue } }
    }

    /// Whether the user has set a cache: neither the shared one of default configurations nor an ephemeral one's own.
    package var hasChosenURLCache: Bool {
        get { requests.hasChosenURLCache }
        set { change { $0.hasChosenURLCache = newValue } }
    }

    /// Whether requests without an `Accept` field are sent with `Accept: */*`.
    package var sendsAccept: Bool {
        get { requests.sendsAccept }
        set { change { $0.sendsAccept = newValue } }
    }
}
