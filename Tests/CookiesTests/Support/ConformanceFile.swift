import Foundation

/// Cases of public suites, read from the folder `shared` beside the repository or from the one `AIRFRAME_CONFORMANCE`
/// names.
enum ConformanceFile {
    static func contents(_ name: String) -> Data? {
        let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../../shared/conformance/\(name)"
        ).standardizedFileURL.path
        let named = ProcessInfo.processInfo.environment["AIRFRAME_CONFORMANCE"].map { "\($0)/\(name)" }
        return [named, beside].compactMap(\.self).lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
    }
}
