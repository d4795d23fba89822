import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// The origin to which `har replay` sends requests in place of the recorded one.
struct ReplayOrigin: ExpressibleByArgument {
    private let components: URLComponents

    init?(argument: String) {
        guard let components = URLComponents(string: argument), let scheme = components.scheme?.lowercased(),
            ["http", "https"].contains(scheme), components.host?.isEmpty == false, components.user == nil,
            ["", "/"].contains(components.percentEncodedPath), components.query == nil, components.fragment == nil
        else { return nil }
        self.components = components
    }

    /// Returns a recorded URL at this origin. Its user information is dropped.
    ///
    /// - Throws: ``CommandFailure`` if the URL has no origin.
    func url(of recorded: String) throws -> String {
        guard let old = URLComponents(string: recorded), old.host?.isEmpty == false else {
            throw Self.failure(recorded)
        }
        var new = components
        new.percentEncodedPath = old.percentEncodedPath
        new.percentEncodedQuery = old.percentEncodedQuery
        guard let text = new.string else { throw Self.failure(recorded) }
        return text
    }

    private static func failure(_ recorded: String) -> CommandFailure {
        CommandFailure("\(Redaction.url(recorded)) has no origin that --origin could replace", status: .usage)
    }
}
