public import Foundation

/// Cases of public test suites.
public enum ConformanceFile {
    /// Returns the content of a file in the folder that `AIRFRAME_CONFORMANCE` names, or in `shared/conformance` beside
    /// the repository; `nil` if neither has it.
    public static func contents(_ name: String) -> Data? {
        let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../shared/conformance/\(name)"
        ).standardizedFileURL.path
        let named = ProcessInfo.processInfo.environment["AIRFRAME_CONFORMANCE"].map { "\($0)/\(name)" }
        return [named, beside].compactMap(\.self).lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
    }
}
