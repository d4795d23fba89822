import Foundation

/// The modules that were built along with this test, as arguments for compiler tools that import them.
struct BuiltModules {
    /// The folder of the compiled modules, beside the program that runs the tests.
    let folder: URL

    init() throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        folder = URL(filePath: program).deletingLastPathComponent().appending(path: "Modules")
    }

    /// Whether `module` was built.
    func contains(_ module: Module) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "\(module.name).swiftmodule").path)
    }

    /// The arguments with the paths of Swift modules and of the C libraries' wrappers that they import.
    func searchArguments() throws -> [String] {
        let maps = try ["Modules", "Transports"].flatMap { folder in
            try Repository.files(in: folder) { $0.lastPathComponent == "module.modulemap" }
        }
        let cache = Repository.scratch.appending(path: "module-cache").path
        return ["-I", folder.path, "-module-cache-path", cache]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }
}
