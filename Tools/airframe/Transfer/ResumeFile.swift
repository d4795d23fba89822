import Airframe
import AirframeCommandLine
import Foundation

/// FILE.resume, which a download that stopped leaves next to its file: resume data, which holds no secrets.
struct ResumeFile {
    let url: URL

    /// The member of the resume data that is compared with the command line.
    private struct Contents: Decodable {
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
