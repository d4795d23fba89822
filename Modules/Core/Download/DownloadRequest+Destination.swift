public import Foundation

extension DownloadRequest {
    /// A destination in one of the user's directories, under the name that the response suggests.
    ///
    /// - Parameters:
    ///   - directory: The kind of directory.
    ///   - domain: Where to look for it.
    ///   - options: What to do to make room for the file.
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

    /// Leaves the file in the temporary directory, under a name that says whose it is.
    static let defaultDestination: Destination = { temporary, _ in
        let name = "Airframe_\(temporary.lastPathComponent)"
        return (temporary.deletingLastPathComponent().appendingPathComponent(name), [])
    }

    /// Moves a finished file to where the user wants it.
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
            // Without a destination of the user's the file stays in the temporary directory, for its owner only.
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

    /// Removes what is at `target`, but no device, pipe or socket: a program that runs as root could remove `/dev/null`.
    private func removePrevious(_ target: URL) throws {
        let kind = try FileManager.default.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
        guard kind == .typeRegular || kind == .typeDirectory || kind == .typeSymbolicLink else {
            throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: target.path])
        }
        try FileManager.default.removeItem(at: target)
    }
}
