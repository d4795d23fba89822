import Airframe
import ArgumentParser

/// The options that all commands for requests share.
struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("H"), .customLong("header")],
        parsing: .unconditionalSingleValue,
        help: """
            A header field, 'Name: value'. 'Name:' leaves out one that would be sent otherwise, and 'Name;' sends an empty \
            one. May be repeated.
            """
    )
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

    /// Refuses options that have no effect on a command.
    ///
    /// - Parameters:
    ///   - reason: The reason, as the first part of the error.
    ///   - options: The name of each option, and whether it was given.
    /// - Throws: `ValidationError`, which names the options that were given.
    static func refuse(_ reason: String, _ options: (name: String, isGiven: Bool)...) throws {
        let given = options.filter { $0.isGiven }.map { $0.name }
        guard given.isEmpty else { throw ValidationError("\(reason): leave \(given.joined(separator: " and ")) out") }
    }
}
