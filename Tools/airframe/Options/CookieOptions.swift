import Airframe
import ArgumentParser
import Foundation

/// The cookie and HSTS options of requests. Without them no state is kept.
struct CookieOptions: ParsableArguments {
    @Option(
        name: .customLong("cookie-jar"),
        help:
            "Send the cookies of this file, and store those of responses in it: in curl's format if it has that or its name ends in .txt."
    )
    var jar: String?
    @Option(name: .long, parsing: .unconditionalSingleValue, help: "Send a cookie, 'name=value'. May be repeated.")
    var cookie: [String] = []
    @Flag(name: .customLong("keep-session-cookies"), help: "Store cookies without an expiry in the jar too.")
    var keepsSessionCookies = false
    @Flag(name: .customLong("https-only"), help: "Send every request by https, those to http URLs too.")
    var httpsOnly = false
    @Option(
        name: .customLong("hsts"),
        help: "Keep the hosts that require https (HSTS) in this file, and send http requests to them by https."
    )
    var hstsFile: String?
    @Option(
        name: .customLong("hsts-preload"),
        help: "Read hosts that require https from this list: one host per line, or Chromium's list in JSON."
    )
    var preloadList: String?

    func validate() throws {
        if keepsSessionCookies, jar == nil { throw ValidationError("--keep-session-cookies needs --cookie-jar") }
        if let index = cookie.firstIndex(where: { !$0.contains("=") }) {
            // The text may be a value, and so a secret.
            throw ValidationError("cookie \(index + 1) has no name: write 'name=value'")
        }
    }

    /// The jar, opened; `nil` if none is named.
    ///
    /// - Throws: `StateFileError` when the file holds no cookies.
    func open() throws -> HTTPCookieStorage? {
        guard let jar else { return nil }
        let store = try FileCookieStore(existing: jar)
        return HTTPCookieStorage(jar: try CookieJar(store: store, keepsSessionCookies: keepsSessionCookies))
    }

    /// The hosts that want https alone; `nil` where neither a file nor a list is named.
    ///
    /// - Throws: `StateFileError` when a file cannot be read.
    func openHSTSStore() throws -> HSTSStore? {
        guard hstsFile != nil || preloadList != nil else { return nil }
        let store = try hstsFile.map { try HSTSStore(file: $0) } ?? HSTSStore()
        if let preloadList { try store.loadPreloadList(from: preloadList) }
        return store
    }

    /// The field for the cookies that were given one by one.
    var field: HTTPHeader? {
        cookie.isEmpty ? nil : HTTPHeader(name: "Cookie", value: cookie.joined(separator: "; "))
    }
}
