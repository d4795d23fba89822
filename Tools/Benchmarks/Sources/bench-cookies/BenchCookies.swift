import Foundation

/// What cookies and HSTS cost, without a server or a network.
///
/// ```text
/// bench-cookies jar [COUNT]                                    the time to find a request's cookies in a large jar
/// bench-cookies layers none|redirects|cookies|hsts --requests N …        sends requests through a stack without that
///                                                              layer, for bench-layers
/// bench-cookies layers options|cache --requests N …                      sends OPTIONS, with a cache in the stack or
/// not
/// ```
@main
enum BenchCookies {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "jar":
            let count = words.dropFirst().first.flatMap { Int($0) } ?? 10_000
            guard try LargeJar(count: count).report() else { exit(1) }
        case "layers":
            let number = { (name: String) in
                words.firstIndex(of: name).flatMap { words.dropFirst($0 + 1).first }.flatMap { Int($0) } ?? 0
            }
            let run = LayerRun(without: words.dropFirst().first ?? "none")
            let failures = await run.send(count: number("--requests") + number("--warmup"))
            print("{\"failures\": \(failures)}")
        default:
            print(
                "usage: bench-cookies jar [COUNT] | layers none|redirects|cookies|hsts|options|cache --requests N --warmup N"
            )
            exit(2)
        }
    }
}
