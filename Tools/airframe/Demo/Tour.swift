import AirframeCommandLine
import Foundation

/// Commands that are run as a person would run them, with their output.
struct Tour {
    private let servers: DemoServers
    private let style: TextStyle

    init(_ servers: DemoServers, style: TextStyle) {
        self.servers = servers
        self.style = style
    }

    /// The stops: a title and the arguments of each.
    private func stops(_ folder: String) -> [(title: String, arguments: [String])] {
        let archive = "\(folder)/session.har"
        return [
            ("JSON from fields", ["post", "\(servers.http)/post", "name=Ada", "age:=36", "tags[]=math"]),
            (
                "Formatted for a person",
                ["get", "\(servers.http)/base64/eyJpZCI6NywibmFtZSI6IkFkYSJ9", "--pretty", "all"]
            ),
            (
                "Where the time went, over HTTP/2",
                ["get", "\(servers.https)/get", "--cacert", servers.root, "--timings", "-o", "/dev/null"]
            ),
            ("A line of JSON for programs", ["get", "\(servers.http)/status/204", "--json"]),
            ("An image is summarised", ["get", "\(servers.http)/image/png", "--pretty", "all"]),
            ("An error, its hint, its exit status", ["get", "\(servers.expired)/get", "--cacert", servers.root]),
            (
                "From curl to Swift",
                ["from-curl", "--swift", "curl -X PUT -u ada:pw -H 'X-A: b' https://api.test/users/7 -d name=Ada"]
            ),
            ("Record an archive", ["get", "\(servers.http)/redirect/2", "--har", archive, "-o", "/dev/null"]),
            ("List it", ["har", "ls", archive]),
            ("Which certificates a server shows", ["trust", "--cacert", servers.root, host(servers.https)]),
        ]
    }

    /// Runs the commands, and writes their output.
    ///
    /// - Throws: When this program cannot be started, or its folder cannot be made.
    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "airframe-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for stop in stops(folder.path) {
            try StandardOutput.write("\n" + style.paint("# \(stop.title)", .dim) + "\n")
            let words = stop.arguments.map { ShellWords.quoted($0.replacing(folder.path + "/", with: "")) }
            try StandardOutput.write(style.paint("$ airframe \(words.joined(separator: " "))", .bold) + "\n")
            let process = Process()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = stop.arguments
            process.environment = ProcessInfo.processInfo.environment.merging(["NO_PROXY": "*"]) { $1 }
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 {
                try StandardOutput.write(style.paint("exit status \(process.terminationStatus)", .dim) + "\n")
            }
        }
    }

    private func host(_ origin: String) -> String { origin.replacing("https://", with: "") }
}
