import Airframe
import ArgumentParser

/// The options that all commands for requests share.
struct RequestOptions: ParsableArguments {
    @Option(name: [.customShort("H"), .customLong("header")], help: "A header field, 'Name: value'. May be repeated.")
    var headers: [String] = []
    @OptionGroup(title: "Body") var body: BodyOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Credentials") var account: AccountOptions
    @OptionGroup(title: "Limits and retries (in seconds)") var limits: LimitOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "TLS") var tls: TLSSettings
    @OptionGroup(title: "Diagnostics") var diagnostics: DiagnosticOptions
    @OptionGroup(title: "Cache") var cache: CacheOptions
    @OptionGroup(title: "Cookies and https") var cookies: CookieOptions
}
