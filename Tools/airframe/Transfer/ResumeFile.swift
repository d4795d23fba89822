import Airframe
import AirframeCommandLine
import Foundation
import Glibc

/// FILE.resume, which a download that stopped leaves next to its file: resume data, without credentials.
struct ResumeFile {
    let url: URL

    /// The members of the resume data that identify it, and that are compared with the command line.
    private struct Contents: Decodable {
        var airframeResumeData: Int
        var url: String
    }

    /// Returns the data for the rest of the download that `head` describes; `nil` if there is no file.
    ///
    /// - Throws: ``CommandFailure`` if the file belongs to another host or path. The query may differ: it often holds a
    ///   signature that expires.
    func data(for head: URLRequest) throws -> Data? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        guard head.httpMethod ?? "GET" == "GET", head.httpBody == nil else {
            throw CommandFailure("\(url.relativePath) continues a GET without content", status: .usage)
        }
        // The session reports data that cannot be read.
        guard let contents = try? JSONDecoder().decode(Contents.self, from: data),
            let stored = URL(string: contents.url), let given = head.url
        else { return data }
        guard Self.place(of: stored) == Self.place(of: given) else {
            throw CommandFailure(
                "\(url.relativePath) continues a download of \(Redaction.url(contents.url)), not of this URL",
                hint: "without --continue the download starts from the beginning", status: .usage)
        }
        return data
    }

    /// Stores what a later run needs to continue. Only the owner may read it, because its URL and validators may be
    /// private.
    ///
    /// - Returns: A hint for the user; `nil` if the file could not be written.
    func store(_ data: Data) -> String? {
        guard isAbsent || holdsResumeData else {
            return "it cannot be continued: \(url.relativePath) is another file, which is kept"
        }
        let isStored = FileManager.default.createFile(
            atPath: url.path, contents: data, attributes: [.posixPermissions: 0o600])
        return isStored ? "--continue resumes it where it stopped" : nil
    }

    /// Removes the file after the download has completed. Another file of the same name stays.
    func remove() {
        if holdsResumeData { try? FileManager.default.removeItem(at: url) }
    }

    private var isAbsent: Bool {
        var status = stat()
        return lstat(url.path, &status) != 0 && errno == ENOENT
    }

    /// Whether a download has left the file. Any other file of this name belongs to the user.
    private var holdsResumeData: Bool {
        guard let data = LocalFile.smallContent(url) else { return false }
        return (try? JSONDecoder().decode(Contents.self, from: data)) != nil
    }

    /// Returns an adapter that applies the URL and the fields of the command line, credentials among them, to the
    /// request for the rest.
    static func adapter(applying head: URLRequest) -> Adapter {
        Adapter { request, _, completion in
            // The range and its condition are those of the resume data; an offset counts bytes without a coding.
            let own: Set = ["range", "if-range", "accept-encoding"]
            var request = request
            request.url = head.url
            for header in head.headers where !own.contains(header.name.lowercased()) {
                request.setValue(header.value, forHTTPHeaderField: header.name)
            }
            completion(.success(request))
        }
    }

    private static func place(of url: URL) -> [String] {
        let path = url.path(percentEncoded: true)
        return [url.host()?.lowercased() ?? "", path.isEmpty ? "/" : path]
    }
}
