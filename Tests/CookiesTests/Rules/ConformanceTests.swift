import AirframeCookies
import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// The suite of the IETF's http-state group, played through the layers over a scripted server.
@Suite("Cookies: the cases of http-state", .timeLimit(.minutes(1)))
struct HTTPStateTests {
    struct Case: Decodable, Sendable {
        let send: [[String]]
        let expect: String
    }

    /// Cases that follow RFC 6265 where 6265bis differs, with the results that 6265bis demands and its section.
    static let changed: [String: (expect: String, section: String)] = [
        "0004": ("foo", nameless), "0021": ("a=b; x; c=d", nameless), "0023": ("foo", nameless),
        "0024": ("foo", nameless), "0025": ("foo", nameless), "0026": ("foo", nameless), "0027": ("bar", nameless),
        "0028": ("foo", nameless), "chromium0009": ("BLAHHH", nameless),
        "chromium0010": ("\"BLA\\\"HHH\"", nameless), "chromium0012": ("ABC", nameless),
        "mozilla0012": ("test=\"fubar! = foo; five", nameless), "mozilla0014": ("six", nameless),
        "mozilla0015": ("seven", nameless), "mozilla0016": ("eight", nameless),
        "mozilla0017": ("eight; test=six", nameless), "name0017": ("a=bar", nameless), "name0023": ("foo", nameless),
        "name0025": ("==a=bar", nameless), "name0028": ("a", nameless), "name0031": ("\"foo", nameless),
        "name0032": ("\"foo\\\"bar", nameless), "name0033": ("aaa", nameless),
        "optional-domain0042": ("foo=bar", "§5.6.3: the last Domain counts, and an empty one is for the host alone"),
        "disabled-chromium0022": ("", control), "disabled-chromium0023": ("", control),
        "disabled-path0029": ("", "§5.1.4: paths are compared as they are, percent-encoding too"),
    ]

    private static let nameless = "§5.6: a field without a name makes a nameless cookie, which §5.8.3 sends"
    private static let control = "§5.6: a field with a control character is ignored"

    static let cases: [String: Case] =
        ConformanceFile.contents("http-state-cookies.json").flatMap {
            try? JSONDecoder().decode([String: Case].self, from: $0)
        } ?? [:]

    @Test("the cases are there", .enabled(if: !cases.isEmpty, "no conformance data next to the repository"))
    func casesAreThere() { #expect(Self.cases.count == 222) }

    @Test("the next request has the expected cookies", arguments: cases.keys.sorted())
    func play(_ name: String) async throws {
        let example = try #require(Self.cases[name])
        let expected = Self.changed[name]?.expect ?? example.expect
        // An HTTP field cannot contain a control character, so such a case goes directly to the jar.
        if example.send.contains(where: { $0[1].utf8.contains { $0 < 0x20 && $0 != 0x09 } }) {
            let jar = CookieJar()
            let url = "http://home.example.org:8888/cookie-parser?\(name)"
            for field in example.send { try jar.receive(field[1], from: url) }
            #expect(try jar.field(for: url) == expected)
            return
        }
        var fields = HTTPFields()
        for field in example.send {
            // The years of some cases have passed.
            let value = field[1].replacing("2019", with: "2037").replacing("2027", with: "2037")
            fields.append(HTTPField(name: try #require(HTTPField.Name(field[0])), value: value))
        }
        if !fields.contains(.location) { fields[.location] = "/cookie-parser-result?\(name)" }
        let first = HTTPResponse(status: .found, headerFields: fields)
        let server = ScriptedTransport { request in
            request.head.path?.hasPrefix("/cookie-parser?") == true ? first : HTTPResponse(status: .ok)
        }
        let client = RedirectLayer(CookieLayer(server))
        _ = try await client.send(request("http://home.example.org:8888/cookie-parser?\(name)"))
        #expect(server.requests.count == 2)
        #expect(server.cookies.last == (expected.isEmpty ? [] : [expected]))
    }
}

@Suite("Cookies: dates (RFC 6265bis §5.1.1)", .timeLimit(.minutes(1)))
struct CookieDateTests {
    struct Case: Decodable, Sendable {
        let test: String
        let expected: String?
    }

    static let cases: [Case] =
        ConformanceFile.contents("http-state-dates.json").flatMap { try? JSONDecoder().decode([Case].self, from: $0) }
        ?? []

    @Test("the cases are there", .enabled(if: !cases.isEmpty, "no conformance data next to the repository"))
    func casesAreThere() { #expect(Self.cases.count == 70) }

    /// A strict parser of `Wed, 21 Oct 2026 07:28:00 GMT` over Foundation's calendar.
    private func date(_ text: String) throws -> Date {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return try #require(formatter.date(from: text))
    }

    @Test("is the expected date, or none", arguments: cases)
    func parse(_ example: Case) throws {
        let expected = try example.expected.map(date)
        // The cookie is received long before its expiry, so that the longest lifetime does not limit the date.
        let rules = {
            var rules = CookieRules(); rules.longestLifetime = 1e12; return rules
        }()
        let jar = CookieJar(rules: rules)
        try jar.receive("a=b; Expires=\(example.test)", from: "http://a.test/", at: .distantPast)
        let cookie = try #require(jar.cookies(for: cookieRequest("http://a.test/"), at: .distantPast).first)
        #expect(cookie.expiresDate == expected)
    }

    @Test(
        "limits of each field",
        arguments: [
            ("01 Jan 1601 00:00:00", true), ("31 Dec 1600 23:59:59", false), ("29 Feb 2096 00:00:00", true),
            ("29 Feb 2100 00:00:00", false), ("31 Apr 2090 00:00:00", false), ("1 Jan 2090 24:00:00", false),
            ("1 Jan 2090 23:60:00", false), ("1 Jan 2090 23:59:60", false), ("0 Jan 2090 00:00:00", false),
            ("Janvier 1 69 1:2:3", true), ("1 Jan 2090 1:2", false), ("1 Jan 20900 1:2:3", false),
        ])
    func limits(text: String, isDate: Bool) throws {
        let rules = {
            var rules = CookieRules(); rules.longestLifetime = 1e12; return rules
        }()
        let jar = CookieJar(rules: rules)
        try jar.receive("a=b; Expires=\(text)", from: "http://a.test/", at: .distantPast)
        let cookie = try #require(jar.cookies(for: cookieRequest("http://a.test/"), at: .distantPast).first)
        #expect((cookie.expiresDate != nil) == isDate)
    }
}

@Suite("Cookies: the Public Suffix List", .timeLimit(.minutes(1)))
struct PublicSuffixTests {
    static let pairs: [(String, String?)] =
        ConformanceFile.contents("psl-tests.txt").map { data in
            String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 2, !line.hasPrefix("//"), words[0] != "null" else { return nil }
                return (words[0], words[1] == "null" ? nil : words[1])
            }
        } ?? []

    @Test("the pairs are there", .enabled(if: !pairs.isEmpty, "no conformance data next to the repository"))
    func pairsAreThere() { #expect(Self.pairs.count >= 70) }

    @Test("the registrable domain is the expected one", arguments: pairs)
    func registrable(name: String, expected: String?) {
        // A name with a leading dot is invalid.
        #expect((name.first == "." ? nil : PublicSuffixes.registrableDomain(of: name.lowercased())) == expected)
    }

    @Test("addresses have neither suffix nor registrable domain", arguments: ["127.0.0.1", "::1", "1.2.3.4", "0x7f.1"])
    func addresses(host: String) {
        #expect(!PublicSuffixes.contains(host))
        #expect(PublicSuffixes.registrableDomain(of: host) == nil)
    }
}
