import Foundation
import Testing

@Suite("Package.swift and the house", .timeLimit(.minutes(2)))
struct ManifestTests {
    @Test("every Swift module of the house has a row")
    func modulesHaveRows() async throws {
        let targets = try await Manifest.ofThisPackage().targets.filter { target in
            target.type == "regular" && ["Modules/", "Transports/"].contains { target.path?.hasPrefix($0) == true }
        }
        let known = Set(House.modules.map(\.name))
        let swift = try targets.filter { try !Repository.swiftFiles(in: $0.path ?? "").isEmpty }
        expectNone(swift.map(\.name).filter { !known.contains($0) }.map { "\($0) has no row in House.modules" })
    }

    @Test("a target declares what its row allows and nothing else")
    func targetsFollowTheArrows() async throws {
        let manifest = try await Manifest.ofThisPackage()
        for module in House.modules {
            let target = try #require(manifest.target(of: module), "Package.swift has no target \(module.name)")
            #expect(target.path == module.folder, "\(module.name) lies in \(module.folder)")
            let wrong = target.dependencyNames.filter { !module.mayImport.contains($0) }
            expectNone(wrong.map { "\(module.name) depends on \($0), which its row does not allow" })
        }
    }

    @Test("a target declares all that its files import")
    func targetsDeclareTheirImports() async throws {
        let manifest = try await Manifest.ofThisPackage()
        for module in House.modules {
            let declared = manifest.target(of: module)?.dependencyNames ?? []
            let undeclared = try Repository.swiftFiles(in: module.folder).flatMap(\.imports)
                .filter { !House.system.contains($0.module) && !declared.contains($0.module) }
                .map { "\($0.place) imports \($0.module), which the target \(module.name) does not declare" }
            expectNone(undeclared)
        }
    }

    @Test("every module that users import is a product")
    func modulesAreProducts() async throws {
        let products = try await Manifest.ofThisPackage().products
        let missing = House.modules.filter { !$0.isInternal && !products.map(\.name).contains($0.name) }
        expectNone(missing.map { "Package.swift has no product \($0.name)" })
    }

    @Test("no target has unsafe flags: packages that depend on one cannot be depended on")
    func noUnsafeFlags() throws {
        let manifest = try SwiftSource(contentsOf: Repository.root.appending(path: "Package.swift"))
        expectNone(manifest.code.indices.filter { manifest.code[$0].contains("unsafeFlags") }.map(manifest.place))
    }
}

/// The output of `swift package dump-package`.
struct Manifest: Decodable {
    struct Product: Decodable {
        let name: String
    }

    struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        /// The pkg-config package of a system library.
        let pkgConfig: String?
        let dependencies: [[String: [Part]]]

        /// The names of the targets and products that it depends on. The first part of a dependency is its name.
        var dependencyNames: Set<String> {
            Set(dependencies.flatMap(\.values).compactMap { $0.first?.text })
        }
    }

    /// A part of a dependency: a string, `null`, or a condition, which is ignored.
    struct Part: Decodable {
        let text: String?

        init(from decoder: any Decoder) {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    let products: [Product]
    let targets: [Target]

    func target(of module: Module) -> Target? { targets.first { $0.name == module.name } }

    static func ofThisPackage() async throws -> Manifest { try await thisPackage.value }

    /// Read once for all tests.
    private static let thisPackage = Task {
        let json = try await Program(
            "swift",
            ["package", "dump-package", "--package-path", Repository.root.path]
                + ["--scratch-path", Repository.scratch.appending(path: "manifest").path]
        ).run()
        return try JSONDecoder().decode(Manifest.self, from: Data(json.utf8))
    }
}
