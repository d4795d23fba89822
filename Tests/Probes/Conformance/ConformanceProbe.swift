import AirframeConformance
import ConformanceEngines
import FoundationEssentials
import Glibc

// conformance-probe ENGINE [OPTION…]: runs the suite over sockets, curl or mock; `--help` lists the options.
// conformance-probe table REPORT…: prints reports, which are files of JSON, side by side as a table in Markdown.

@main
struct ConformanceProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let name = arguments.first ?? ""
        let rest = Array(arguments.dropFirst())
        if name == "table" {
            let reports = try rest.map { path in
                try JSONDecoder().decode(ConformanceReport.self, from: Data(contentsOf: URL(filePath: path)))
            }
            print(ScoreTable(reports), terminator: "")
            return
        }
        guard let named = (NamedEngine.all + BadEngine.all).first(where: { $0.name == name }) else {
            print("usage: conformance-probe (\(NamedEngine.all.map(\.name).joined(separator: " | "))) [OPTION…]")
            print("       conformance-probe table REPORT…")
            exit(2)
        }
        await ConformanceCommand.run(named.engine, exclusions: named.exclusions, arguments: rest)
    }
}
