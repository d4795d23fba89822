import Testing

@Suite("The arrows of the house", .timeLimit(.minutes(1)))
struct ArrowTests {
    @Test("a module imports what its row allows and nothing else", arguments: House.modules)
    func importsFollowTheArrows(module: Module) throws {
        let wrong = try Repository.swiftFiles(in: module.folder).flatMap(\.imports)
            .filter { !module.mayImport.contains($0.module) }
            .map { "\($0.place) imports \($0.module), which \(module.name) may not" }
        expectNone(wrong)
    }

    @Test("no module depends on itself, directly or not")
    func arrowsFormNoCircle() {
        // A row may import rows above it only, so the table itself is the proof.
        var above: Set<String> = []
        let all = Set(House.modules.map(\.name))
        for module in House.modules {
            let below = module.mayImport.intersection(all).subtracting(above)
            expectNone(below.sorted().map { "\(module.name) may import \($0), which stands below it" })
            above.insert(module.name)
        }
    }

    @Test(
        "nothing imports FoundationNetworking",
        arguments: ["Modules", "Transports", "Tests", "Tools", "Examples"]
    )
    func nothingImportsFoundationNetworking(folder: String) throws {
        // Benchmarks measure it, the bridge converts its types, and the guide to writing an engine wraps it.
        let exempt = [
            "Tools/Benchmarks/", "Modules/Foundation/", "Tests/FoundationTests/",
            "Tests/HouseTests/Fixtures/Linkage/foundation-alone.swift",
            "Examples/Engines/Sources/conformance-urlsession/",
        ]
        let wrong = try Repository.swiftFiles(in: folder)
            .filter { source in !exempt.contains { source.path.hasPrefix($0) } }
            .flatMap(\.imports)
            .filter { $0.module == "FoundationNetworking" }
            .map { "\($0.place) imports FoundationNetworking" }
        expectNone(wrong)
    }
}
