import Foundation

/// The targets that were built along with this test, as arguments for linking programs that use them.
///
/// They are read from the files that SwiftPM wrote for that build, in which the conditions of dependencies are
/// resolved. Targets are named by their modules.
struct BuiltTargets: Sendable {
    /// The part of SwiftPM's plan of the build that is read.
    private struct Plan: Decodable {
        let targetDependencyMap: [String: [String]]
    }

    /// Read once for all tests.
    static let shared = Task { try await BuiltTargets() }

    /// The targets that each target depends on, including indirect dependencies.
    private let dependencies: [String: [String]]
    /// The objects of each target, quoted for a response file.
    private let objects: [String: [String]]
    /// The pkg-config packages of the targets that are system libraries.
    private let packages: [String: String]

    private init() async throws {
        let program = try BuiltModules().program
        let plan = program.deletingLastPathComponent().appending(path: "description.json")
        dependencies = try JSONDecoder().decode(Plan.self, from: Data(contentsOf: plan)).targetDependencyMap
        // The tests are linked with this list. The folders of targets also hold objects of deleted files.
        let list = program.deletingPathExtension().appendingPathExtension("product")
            .appending(path: "Objects.LinkFileList")
        let all = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
        objects = Dictionary(grouping: all) { object in
            let folder = object.split(separator: "/").last { $0.hasSuffix(".build") }
            return folder.map { String($0.dropLast(".build".count)) } ?? ""
        }
        let targets = try await Manifest.ofThisPackage().targets
        packages = Dictionary(
            targets.compactMap { target in target.pkgConfig.map { (target.name, $0) } }, uniquingKeysWith: { $1 })
    }

    /// Returns `modules` and the targets that they depend on, sorted, without the modules of the system.
    func closure(of modules: [String]) -> [String] {
        Set(modules.flatMap { module in dependencies[module].map { [module] + $0 } ?? [] }).sorted()
    }

    /// Returns the objects of `targets`, quoted for a response file.
    func objects(of targets: [String]) -> [String] {
        targets.flatMap { objects[$0] ?? [] }
    }

    /// Returns the flags of the C libraries among `targets`.
    ///
    /// SwiftPM passes them even if no file imports the library, and the program then needs it nevertheless.
    func linkerFlags(of targets: [String]) async throws -> [String] {
        let names = targets.compactMap { packages[$0] }
        guard !names.isEmpty else { return [] }
        return try await Program("pkg-config", ["--libs"] + names).run().split(whereSeparator: \.isWhitespace)
            .map(String.init)
    }
}
