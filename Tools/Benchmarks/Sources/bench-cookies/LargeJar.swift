import AirframeCookies
import Foundation

/// A jar of many cookies, and the time that it takes to find those of one request.
struct LargeJar {
    /// The longest time that a jar of 10,000 cookies may take, in microseconds.
    static let limit = 20.0
    /// The cookies of each host, and of the domain above it: a request gets those of both.
    private static let cookiesPerHost = 10

    private let jar = CookieJar()
    private let requests: [CookieRequest]

    /// Fills a jar by `Set-Cookie` fields, as servers do.
    init(count: Int) {
        var requests: [CookieRequest] = []
        for site in 0..<max(1, count / (2 * Self.cookiesPerHost)) {
            guard let url = URL(string: "https://www.site\(site).com/a/b?c"), let request = CookieRequest(url: url)
            else {
                continue
            }
            let fields = (0..<Self.cookiesPerHost).flatMap { number in
                [
                    "host\(number)=\(UUID().uuidString); Path=/; Secure; Max-Age=86400",
                    "domain\(number)=\(UUID().uuidString); Path=/; Domain=site\(site).com; Max-Age=86400",
                ]
            }
            _ = jar.receive(fields, for: request, at: Date())
            requests.append(request)
        }
        self.requests = requests
    }

    /// Prints the median and the 99th percentile of many requests.
    ///
    /// - Returns: Whether the median is within the limit.
    func report() throws -> Bool {
        var times: [Double] = []
        for round in 0..<20 {
            for request in requests {
                let start = ContinuousClock.now
                let found = jar.cookies(for: request)
                let time = ContinuousClock.now - start
                guard found.count == 2 * Self.cookiesPerHost else {
                    print("\(request.host): \(found.count) cookies found")
                    return false
                }
                if round > 0 { times.append(Double(time.components.attoseconds) / 1e12) }
            }
        }
        times.sort()
        let (median, last) = (times[times.count / 2], times[times.count * 99 / 100])
        let text = String(format: "median %.1f µs, 99 %% within %.1f µs", median, last)
        print(
            "\(jar.cookies.count) cookies, \(2 * Self.cookiesPerHost) for each request: \(text), limit \(Self.limit) µs"
        )
        return median <= Self.limit
    }
}
