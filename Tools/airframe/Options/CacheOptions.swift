import Airframe
import ArgumentParser
import Foundation

/// The cache options of requests. Without them no cache is used.
struct CacheOptions: ParsableArguments {
    @Option(
        name: .customLong("cache"),
        help: "Answer from the responses stored in this directory, and store responses there."
    )
    var directory: String?
    @Option(name: .customLong("cache-size"), help: "The most MiB to store in the cache's directory, by default 256.")
    var size: Int?

    func validate() throws {
        if let size, size <= 0 { throw ValidationError("--cache-size needs a number of MiB above 0") }
        if size != nil, directory == nil { throw ValidationError("--cache-size needs --cache") }
    }

    /// The cache; `nil` where no directory is named.
    func open() -> URLCache? {
        directory.map { path in
            URLCache(
                memoryCapacity: 1 << 20, diskCapacity: min(size ?? 256, 1 << 30) << 20,
                directory: URL(filePath: (path as NSString).expandingTildeInPath, directoryHint: .isDirectory))
        }
    }
}
