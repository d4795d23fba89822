/// An option of curl that ``CurlCommand`` understands.
struct CurlOption: Sendable {
    /// The effect of the option on a command.
    enum Effect: Sendable {
        /// Takes no value.
        case flag(@Sendable (inout CurlCommand) -> Void)
        /// Takes a value.
        case value(@Sendable (inout CurlCommand, String) throws -> Void)
        /// No effect on the request.
        case ignored(takesValue: Bool)
    }

    let names: [String]
    let effect: Effect

    init(_ names: String..., effect: Effect) {
        self.names = names
        self.effect = effect
    }

    /// The option of a name, with its hyphens.
    static func named(_ name: String) -> CurlOption? { byName[name] }

    private static let byName: [String: CurlOption] = {
        var table: [String: CurlOption] = [:]
        for option in all { for name in option.names { table[name] = option } }
        return table
    }()

    private static let all: [CurlOption] = message + body + account + connection + output

    /// The method, the URL and the fields.
    private static let message = [
        CurlOption("-X", "--request", effect: .value { $0.method = $1 }),
        CurlOption("--url", effect: .value { $0.urls.append($1) }),
        CurlOption("-I", "--head", effect: .flag { $0.isHead = true }),
        CurlOption("-G", "--get", effect: .flag { $0.putsDataIntoQuery = true }),
        CurlOption("-H", "--header", effect: .value { try $0.addHeader($1) }),
        CurlOption("-A", "--user-agent", effect: .value { $0.setHeader("User-Agent", $1) }),
        CurlOption("-e", "--referer", effect: .value { $0.setHeader("Referer", $1) }),
        CurlOption("-r", "--range", effect: .value { $0.setHeader("Range", "bytes=\($1)") }),
        CurlOption(
            "-b", "--cookie",
            effect: .value { command, value in
                if value.contains("=") { command.cookies.append(value) } else { command.cookieFiles.append(value) }
            }),
        CurlOption("-c", "--cookie-jar", effect: .value { $0.cookieJar = $1 }),
    ]

    /// The content.
    private static let body = [
        CurlOption("-d", "--data", "--data-ascii", effect: .value { try $0.addData($1, .stripped) }),
        CurlOption("--data-raw", effect: .value { $0.data.append(.text($1)) }),
        CurlOption("--data-binary", effect: .value { try $0.addData($1, .exact) }),
        CurlOption("--data-urlencode", effect: .value { try $0.addEncodedData($1) }),
        CurlOption(
            "--json",
            effect: .value { command, value in
                try command.addData(value, .exact)
                command.isJSON = true
            }),
        CurlOption("-F", "--form", effect: .value { try $0.addPart($1) }),
        CurlOption("--form-string", effect: .value { try $0.addTextPart($1) }),
        CurlOption("-T", "--upload-file", effect: .value { $0.uploadFile = $1 }),
    ]

    /// Credentials.
    private static let account = [
        CurlOption("-u", "--user", effect: .value { $0.passOn("--user", $1) }),
        CurlOption("--basic", effect: .flag { $0.passOn("--auth", "basic") }),
        CurlOption("--digest", effect: .flag { $0.passOn("--auth", "digest") }),
        CurlOption("--anyauth", effect: .flag { $0.passOn("--auth", "any") }),
        CurlOption("--oauth2-bearer", effect: .value { $0.setHeader("Authorization", "Bearer \($1)") }),
        CurlOption("--aws-sigv4", effect: .value { try $0.setAWSSigning($1) }),
        CurlOption("-n", "--netrc", effect: .flag { $0.passOn("--netrc") }),
        CurlOption("-E", "--cert", effect: .value { $0.passOn("--cert", $1) }),
        CurlOption("--key", effect: .value { $0.passOn("--key", $1) }),
        CurlOption("--pass", effect: .value { $0.passOn("--cert-password", $1) }),
        CurlOption("--cacert", effect: .value { $0.passOn("--cacert", $1) }),
        CurlOption("-k", "--insecure", effect: .flag { $0.passOn("--insecure") }),
        CurlOption("--pinnedpubkey", effect: .value { try $0.addPins($1) }),
    ]

    /// The route and the limits.
    private static let connection = [
        CurlOption("-L", "--location", effect: .flag { $0.followsRedirects = true }),
        CurlOption("--max-redirs", effect: .value { $0.passOn("--max-redirects", $1) }),
        CurlOption("-x", "--proxy", effect: .value { $0.passOn("--proxy", $1) }),
        CurlOption("-U", "--proxy-user", effect: .value { $0.passOn("--proxy-user", $1) }),
        CurlOption("--noproxy", effect: .value { $0.passOn("--no-proxy", $1) }),
        CurlOption("--resolve", effect: .value { $0.passOn("--resolve", $1) }),
        CurlOption("--unix-socket", effect: .value { $0.passOn("--unix-socket", $1) }),
        CurlOption("--interface", effect: .value { $0.passOn("--interface", $1) }),
        CurlOption("-m", "--max-time", effect: .value { $0.passOn("--max-time", $1) }),
        CurlOption("--connect-timeout", effect: .value { $0.passOn("--connect-timeout", $1) }),
        CurlOption("--retry", effect: .value { $0.passOn("--retry", $1) }),
        CurlOption("-0", "--http1.0", "--http1.1", effect: .flag { $0.passOn("--http1.1") }),
        CurlOption("--http2", effect: .ignored(takesValue: false)),
        CurlOption("--http2-prior-knowledge", effect: .flag { $0.passOn("--http2-prior-knowledge") }),
        CurlOption("--tlsv1.2", effect: .flag { $0.passOn("--tls-min", "1.2") }),
        CurlOption("--tlsv1.3", effect: .flag { $0.passOn("--tls-min", "1.3") }),
        CurlOption("--tls-max", effect: .value { $0.passOn("--tls-max", $1) }),
        CurlOption("--compressed", effect: .ignored(takesValue: false)),
    ]

    /// What is written.
    private static let output = [
        CurlOption("-o", "--output", effect: .value { $0.passOn("--output", $1) }),
        CurlOption("-i", "--include", "--show-headers", effect: .flag { $0.passOn("--include") }),
        CurlOption("-f", "--fail", "--fail-with-body", effect: .flag { $0.passOn("--fail") }),
        CurlOption("-v", "--verbose", effect: .flag { $0.passOn("--verbose") }),
        CurlOption("-s", "--silent", "-S", "--show-error", effect: .ignored(takesValue: false)),
        CurlOption("-N", "--no-buffer", "-g", "--globoff", "-#", effect: .ignored(takesValue: false)),
        CurlOption("--progress-bar", "--path-as-is", "--no-keepalive", effect: .ignored(takesValue: false)),
    ]
}
