import AirframeConformance

/// `swift run --package-path Examples/Engines conformance-asynchttpclient --help`
@main
struct Conformance {
    static func main() async {
        let engine = ConformanceEngine(claiming: [.exchange, .streaming]) { AsyncHTTPClientTransport() }
        await ConformanceCommand.run(engine)
    }
}
