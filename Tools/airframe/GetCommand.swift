import Airframe
import AirframeCurl
import AirframeSocket
import ArgumentParser
import Foundation
import HTTPTypes

/// Sends one request and writes what comes back.
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Send one request and write its response to standard output.",
        discussion: """
            EXAMPLES
              airframe get https://api.test/users
              airframe get -i -H 'Accept: application/json' https://api.test/users
              airframe get -X POST -d '{"name":"x"}' -H 'Content-Type: application/json' https://api.test/users
              airframe get -o image.png https://api.test/image.png
              airframe get --wait-for-connectivity --max-time 60 https://api.test/users
              airframe get --timings --output /dev/null https://api.test/users
              airframe get --print-curl -d 'name=x' https://api.test/users
              airframe get --har session.har https://api.test/users
              airframe get --cookie-jar cookies.json --cookie theme=dark https://api.test/users
              airframe get --cache ~/.cache/airframe https://api.test/users

            DIAGNOSTICS go to standard error, in colour on a terminal unless NO_COLOR is set. Passwords, tokens and cookies are
            hidden in them unless --show-secrets is given.

            EXIT STATUS
              0  the response came (with --fail: and its status is below 400)
              1  the request failed; standard error says why
              22 with --fail: the status is 400 or above
            """
    )

    @Argument(help: "The URL.") var url: String
    @Option(name: [.customShort("X"), .long], help: "The method.") var method: String?
    @Option(name: [.customShort("H"), .customLong("header")], help: "A header field, 'Name: value'. May be repeated.")
    var headers: [String] = []
    @Option(name: .shortAndLong, help: "The body. Makes the method POST unless another is given.") var data: String?
    @Option(name: [.customShort("T"), .customLong("upload-file")], help: "Send this file as the body, by PUT.")
    var uploadFile: String?
    @Option(name: .shortAndLong, help: "Write the body to this file.") var output: String?
    @Flag(name: .shortAndLong, help: "Write the response's head first.") var include = false
    @OptionGroup(title: "Diagnostics") var diagnosticOptions: DiagnosticOptions
    @OptionGroup(title: "Cache") var cacheOptions: CacheOptions
    @OptionGroup(title: "Cookies and https") var cookieOptions: CookieOptions
    @Flag(name: .long, help: "Exit with 22 when the status is 400 or above.") var fail = false
    @Flag(name: .customLong("no-location"), help: "Do not follow redirects.") var staysPut = false
    @Option(name: .customLong("cacert"), help: "Trust the PEM certificates of this file and no others.")
    var trustedRoots: String?
    @Option(name: .customLong("max-time"), help: "The longest that all may take, retries included, in seconds.")
    var limit: Seconds?
    @Option(
        name: .long,
        help:
            "Try again up to this many times after a failure that may pass, later each time, or once the network is back."
    )
    var retry: UInt?
    @Option(
        name: .customLong("retry-offline"),
        help: "Where there is no network, try again when there is one, within this many seconds."
    )
    var offlineLimit: Seconds?
    @Flag(
        name: .customLong("wait-for-connectivity"),
        help: "Where there is no network, wait for one, as long as --max-time allows."
    )
    var waitsForConnectivity = false
    @Option(name: .long, help: "The engine: sockets or curl.") var engine = Engine.sockets
    @Flag(name: .customLong("http1.1"), help: "Speak HTTP/1.1.") var speaksHTTP1 = false
    @Flag(name: .customLong("http2-prior-knowledge"), help: "Speak HTTP/2 without asking.") var speaksHTTP2 = false

    /// What does the exchanges.
    enum Engine: String, ExpressibleByArgument, CaseIterable {
        case curl
        case sockets
    }

    func validate() throws {
        if let limit, limit.duration <= .zero {
            throw ValidationError("--max-time needs a number of seconds above 0")
        }
    }

    func run() async throws {
        let diagnostics = try diagnosticOptions.makeMonitors()
        let cookies = try cookieOptions.open()
        let policies = try cookieOptions.openHSTSStore()
        let session = session(diagnostics.monitors, cookies, policies)
        let (response, error) = try await perform(in: session, diagnostics)
        try cookies?.jar.save()
        try policies?.save()
        try await diagnostics.close()
        if let error { throw Failure(error) }
        if fail, let status = response?.statusCode, status >= 400 { throw ExitCode(22) }
    }

    /// Sends the request and writes the response: to a file as it comes, to standard output when it is whole.
    private func perform(
        in session: Session,
        _ diagnostics: Diagnostics
    ) async throws -> (HTTPURLResponse?, AFError?) {
        if let output, uploadFile == nil {
            let target = URL(fileURLWithPath: output)
            let request = session.download(
                url,
                method: chosenMethod,
                headers: try fields,
                requestModifier: setBody,
                to: { _, _ in (target, [.removePreviousFile]) }
            )
            if staysPut { request.redirect(using: .doNotFollow) }
            let download = await request.serializingDownloadedFileURL().response
            await diagnostics.flush()
            if include, let head = download.response { try writeHead(head) }
            return (download.response, download.error)
        }
        let request =
            if let uploadFile {
                session.upload(URL(fileURLWithPath: uploadFile), to: url, method: chosenMethod, headers: try fields)
            } else {
                session.request(url, method: chosenMethod, headers: try fields, requestModifier: setBody)
            }
        if staysPut { request.redirect(using: .doNotFollow) }
        let data = await request.serializingData(emptyResponseCodes: Set(100...999)).response
        await diagnostics.flush()
        if include, let head = data.response { try writeHead(head) }
        if let body = data.value { try write(body) }
        return (data.response, data.error)
    }

    private var chosenMethod: HTTPMethod {
        HTTPMethod(rawValue: method ?? (uploadFile != nil ? "PUT" : data != nil ? "POST" : "GET"))
    }

    private var fields: HTTPHeaders {
        get throws { HTTPHeaders(try headers.map(header) + [cookieOptions.field].compactMap(\.self)) }
    }

    private var setBody: Session.RequestModifier {
        { [data] request in if let data { request.httpBody = Data(data.utf8) } }
    }

    private func session(
        _ monitors: [any EventMonitor],
        _ cookies: HTTPCookieStorage?,
        _ policies: HSTSStore?
    ) -> Session {
        let configuration = configuration()
        if let policies { configuration.strictTransportSecurity = policies }
        configuration.httpCookieStorage = cookies
        configuration.urlCache = cacheOptions.open()
        configuration.httpsOnly = cookieOptions.httpsOnly
        let retriers = retriers()
        let interceptor = retriers.isEmpty ? nil : Interceptor(retriers: retriers)
        let transport: any Transport =
            switch engine {
            case .curl: CurlTransport()
            case .sockets: SocketTransport()
            }
        return Session(
            transport: transport,
            configuration: configuration,
            interceptor: interceptor,
            eventMonitors: monitors
        )
    }

    private func retriers() -> [any RequestRetrier] {
        var retriers: [any RequestRetrier] = []
        if let offlineLimit {
            retriers.append(OfflineRetrier(maximumWait: .milliseconds(Int(offlineLimit.count * 1000))))
        }
        if let retry { retriers.append(ReachabilityRetryPolicy(retryLimit: retry)) }
        return retriers
    }

    private func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.af.default
        configuration.waitsForConnectivity = waitsForConnectivity
        var options = TransportOptions()
        configuration.timeoutIntervalForAllAttempts = limit?.count
        options.proxy = .environment
        if let trustedRoots { options.tls.roots = .pemFile(path: trustedRoots) }
        if speaksHTTP1 { options.httpVersion = .http1Only }
        if speaksHTTP2 { options.httpVersion = .http2PriorKnowledge }
        configuration.transportOptions = options
        return configuration
    }

    private func header(_ text: String) throws -> HTTPHeader {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { throw ValidationError("'\(text)' is no header field: write 'Name: value'") }
        return HTTPHeader(name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }

    private func writeHead(_ head: HTTPURLResponse) throws {
        let status = "\((head.httpVersion ?? .http1_1).rawValue) \(head.statusCode) \(ReasonPhrase.of(head).printable)"
        let fields = head.headerFields.map { "\($0.name.rawName): \($0.value.printable)\n" }
        try StandardOutput.write("\(status)\n\(fields.joined())\n")
    }

    private func write(_ body: Data) throws {
        guard let output else { return try StandardOutput.write(body) }
        try body.write(to: URL(fileURLWithPath: output))
    }
}

/// A request that failed, as the last line on standard error.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ error: AFError) {
        description = error.transportError?.description ?? error.localizedDescription
    }
}
