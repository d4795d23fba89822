public import Foundation

extension DownloadRequest {
    /// Returns a destination in one of the user's directories, with the response's suggested filename.
    ///
    /// - Parameters:
    ///   - directory: The kind of directory.
    ///   - domain: The domain in which the directory is looked up.
    ///   - options: How to make room for the file.
    public class func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        in domain: FileManager.SearchPathDomainMask = .userDomainMask,
        options: Options = []
    ) -> Destination {
        { temporary, response in
            let directories = FileManager.default.urls(for: directory, in: domain)
            let name = response.suggestedFilename ?? temporary.lastPathComponent
            return (directories.first?.appendingPathComponent(name) ?? temporary, options)
        }
    }

    /// Leaves the file in the temporary directory, with a name that identifies the library.
    static let defaultDestination: Destination = { temporary, _ in
        let name = "Airframe_\(temporary.lastPathComponent)"
        return (temporary.deletingLastPathComponent().appendingPathComponent(name), [])
    }

    /// Moves a finished file to its destination.
    func place(_ temporary: URL, _ response: HTTPURLResponse) throws(AFError) -> URL {
        let (target, options) = destination(temporary, response)
        monitors?.request(self, didCreateDestinationURL: target)
        do {
            if options.contains(.createIntermediateDirectories) {
                let directory = target.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            }
            if options.contains(.removePreviousFile), FileManager.default.fileExists(atPath: target.path) {
                try removePrevious(target)
            }
            // Without the user's own destination the file stays in the temporary directory, readable by its owner only.
            if target != Self.defaultDestination(temporary, response).destinationURL {
                TemporaryFile.applyCreationMask(to: temporary)
            }
            if target.standardizedFileURL != temporary.standardizedFileURL {
                try FileManager.default.moveItem(at: temporary, to: target)
            }
            return target
        } catch {
            TemporaryFile.remove(temporary)
            throw .downloadedFileMoveFailed(error: error, source: temporary, destination: target)
        }
    }

    /// Removes the file at `target`, but no device, pipe or socket: a program that runs as root could remove
    /// `/dev/null`.
    private func removePrevious(_ target: URL) throws {
        let kind = try FileManager.default.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
        guard kind == .typeRegular || kind == .typeDirectory || kind == .typeSymbolicLink else {
            throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: target.path])
        }
        try FileManager.default.removeItem(at: target)
    }
}
