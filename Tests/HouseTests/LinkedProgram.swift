import Foundation
import Testing

/// A program of Fixtures/Linkage, with the libraries that it must and must not load.
///
/// Libraries are named by how their file names begin. A module that joins the house gets a program and a row. The
/// program names modules by importing them, as a user's package names their products.
struct LinkedProgram: Sendable, CustomTestStringConvertible {
    /// The name of its file in Fixtures/Linkage, without the extension.
    let name: String
    let testDescription: String
    var loads: [String] = []
    let loadsNot: [String]

    /// Compiles the program, and links it as SwiftPM would.
    ///
    /// The modules that it imports are not compiled again: it is linked with the objects of the tests. All programs
    /// together take 10 to 15 s of CPU time; a package of them that depends on this one takes minutes, because SwiftPM
    /// compiles every module a second time.
    ///
    /// - Returns: The path of the program.
    func build() async throws -> String {
        let source = Repository.root.appending(path: "Tests/HouseTests/Fixtures/Linkage/\(name).swift")
        let targets = try await BuiltTargets.shared.value
        let modules = try targets.closure(of: SwiftSource(contentsOf: source).imports.map(\.module))
        let folder = Repository.scratch.appending(path: "linkage")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let objects = folder.appending(path: "\(name).objects")
        try targets.objects(of: modules).joined(separator: "\n").write(to: objects, atomically: true, encoding: .utf8)
        let program = folder.appending(path: name).path
        let arguments =
            try await ["-swift-version", "6", source.path, "@\(objects.path)", "-o", program]
            // No test needs the debug information: 110 of the programs' 390 MB.
            + ["-Xlinker", "--strip-debug"] + targets.linkerFlags(of: modules) + BuiltModules().searchArguments()
        _ = try await Program("swiftc", arguments).run()
        return program
    }
}
