import Foundation

/// The modules that were built along with this test, as arguments for compiler tools that import them.
struct BuiltModules {
    /// The program that runs the tests.
    let program: URL
    /// The folder of the compiled modules, next to the program.
    let folder: URL

    init() throws {
        program = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        folder = program.deletingLastPathComponent().appending(path: "Modules")
    }

    /// Whether `module` was built.
    func contains(_ module: Module) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "\(module.name).swiftmodule").path)
    }

    /// Returns the arguments that find Swift modules and the C modules that they import.
    func searchArguments() throws -> [String] {
        let own = try ["Modules", "Transports"].flatMap { folder in
            try Repository.files(in: folder) { $0.lastPathComponent == "module.modulemap" }
        }
        // swift-configuration imports swift-system, which has a C module.
        let checkouts = folder.appending(path: "../../../checkouts").standardizedFileURL
        let maps = own + [checkouts.appending(path: "swift-system/Sources/CSystem/include/module.modulemap")]
        let cache = Repository.scratch.appending(path: "module-cache").path
        return ["-I", folder.path, "-module-cache-path", cache]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }
}
