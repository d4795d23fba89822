import AirframeSecurity
import Foundation
import Testing

@Suite("Files of keys of first use", .timeLimit(.minutes(1)))
struct FirstUseStoreTests {
    private static func withStores(_ body: ([FileFirstUseStore], String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "known-\(UUID().uuidString)").path
        defer { for file in [path, "\(path).lock"] { try? FileManager.default.removeItem(atPath: file) } }
        try await body([FileFirstUseStore(path: path), FileFirstUseStore(path: path)], path)
    }

    @Test("two stores of one file lose no server")
    func servers() async throws {
        try await Self.withStores { stores, path in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (place, store) in stores.enumerated() {
                    for number in 0..<100 {
                        group.addTask {
                            let pin = "sha256/\(place)-\(number)"
                            let known = try store.remember(pin, forHost: "\(place)-\(number).test", port: 443)
                            #expect(known == pin)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(Set(text.split(separator: "\n")).count == 200)
        }
    }

    @Test("of concurrent first contacts with one server, all get the same key")
    func oneServer() async throws {
        try await Self.withStores { stores, _ in
            let pins = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<40 {
                    let store = stores[number % 2]
                    group.addTask { try store.remember("sha256/\(number)", forHost: "api.test", port: 443) }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(pins.count == 1, "\(pins)")
        }
    }
}
