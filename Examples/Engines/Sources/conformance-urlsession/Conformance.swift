import AirframeConformance

/// `swift run --package-path Examples/Engines conformance-urlsession --help`
@main
struct Conformance {
    static func main() async {
        await ConformanceCommand.run(ConformanceEngine(claiming: [.exchange]) { URLSessionTransport() })
    }
}
