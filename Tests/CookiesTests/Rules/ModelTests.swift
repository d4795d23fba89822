import AirframeCookies
import AirframeTransport
import Foundation
import Testing

@Suite("Cookies: the jar against a plain model", .timeLimit(.minutes(2)))
struct ModelTests {
    /// A generator whose sequence depends only on its seed.
    struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    static let hosts = [
        "a.com", "www.a.com", "x.www.a.com", "b.com", "ba.com", "a.co.uk", "b.a.co.uk", "me.github.io", "you.github.io",
        "github.io", "com", "localhost", "app.localhost", "127.0.0.1", "10.0.0.1", "intra.test", "test",
    ]
    static let domains =
        hosts + [".a.com", "WWW.a.com", "co.uk", "uk", "io", "0.0.1", "", ".", "com.", "unrelated.com"]
    static let paths = ["/", "/a", "/a/", "/a/b", "/a/b/c", "/ab", "//", "/a//b"]
    static let names = ["n", "m", "__Secure-n", "__Host-n", "__host-m"]

    @Test(
        "ten thousand steps with random hosts, schemes, paths and attributes: the same cookies are sent",
        arguments: 1...8)
    func random(seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        var model = PlainModel()
        let jar = CookieJar()
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        var now = 0.0
        for step in 0..<1250 {
            now += Double(Int.random(in: 0...3, using: &random))
            let place = Self.place(&random)
            var request = try cookieRequest("\(place.scheme)://\(place.host)\(place.path)")
            request.firstParty = place.party.map { Origin(scheme: $0.scheme, host: $0.host) }
            request.isTopLevelNavigation = place.navigates
            request.isSafe = place.safe
            let date = start.addingTimeInterval(now)
            if Bool.random(using: &random) {
                let sent = Self.attributes(step, &random)
                model.receive(sent, from: place, at: now)
                jar.receive([sent.field], for: request, at: date)
            }
            let field = HTTPCookie.requestHeaderFields(with: jar.cookies(for: request, at: date))["Cookie"] ?? ""
            try #require(field == model.field(for: place, at: now), "seed \(seed), step \(step), \(place)")
        }
    }

    private static func place(_ random: inout Seeded) -> PlainModel.Place {
        var place = PlainModel.Place(
            scheme: pick(["http", "https"], &random), host: pick(hosts, &random), path: pick(paths, &random))
        if Int.random(in: 0..<3, using: &random) == 0 {
            place.party = (pick(["http", "https"], &random), pick(hosts, &random))
            place.navigates = .random(using: &random)
            place.safe = .random(using: &random)
        }
        return place
    }

    private static func attributes(_ step: Int, _ random: inout Seeded) -> PlainModel.Attributes {
        var sent = PlainModel.Attributes(name: pick(names, &random), value: "\(step)")
        if Bool.random(using: &random) { sent.domain = pick(domains, &random) }
        if Bool.random(using: &random) { sent.path = pick(paths + ["", "x"], &random) }
        sent.secure = .random(using: &random)
        sent.httpOnly = .random(using: &random)
        if Bool.random(using: &random) { sent.sameSite = pick(["strict", "lax", "none"], &random) }
        if Int.random(in: 0..<3, using: &random) == 0 { sent.maxAge = .random(in: -1...30, using: &random) }
        return sent
    }

    private static func pick<Element>(_ list: [Element], _ random: inout Seeded) -> Element {
        list[Int.random(in: list.indices, using: &random)]
    }
}
