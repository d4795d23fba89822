import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// The credentials of the request.
struct AccountOptions: ParsableArguments {
    /// The scheme for a name and a password.
    enum Scheme: String, ExpressibleByArgument, CaseIterable {
        /// Sent immediately, as Basic (RFC 7617).
        case basic
        /// The answer to a Digest challenge (RFC 7616).
        case digest
        /// The answer to any challenge.
        case any
    }

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: "NAME:PASSWORD; the command prompts for a missing password.")
    var user: String?
    @Option(help: "The scheme: basic is sent immediately, digest and any answer a challenge.") var auth = Scheme.basic
    @Option(parsing: .unconditional, help: "A bearer token (RFC 6750).") var bearer: String?
    @Option(
        name: .customLong("aws-sigv4"),
        help: "Sign for AWS: REGION:SERVICE. The keys are those of --user, or of AWS_ACCESS_KEY_ID and its like."
    )
    var awsScope: String?
    @Flag(help: "Read name and password for the host from ~/.netrc, or from the file that NETRC names.") var netrc =
        false

    func validate() throws {
        if let awsScope, awsScope.split(separator: ":").count != 2 {
            throw ValidationError("--aws-sigv4 needs REGION:SERVICE, such as eu-central-1:s3")
        }
        if user != nil, bearer != nil { throw ValidationError("--user and --bearer exclude each other") }
        if netrc, bearer != nil { throw ValidationError("--netrc and --bearer exclude each other") }
        if awsScope != nil {
            try RequestOptions.refuse(
                "--aws-sigv4 signs with the keys of --user or of the environment", ("--netrc", netrc),
                ("--bearer", bearer != nil), ("--auth", auth != .basic))
        }
        if auth != .basic, user == nil, !netrc {
            throw ValidationError("--auth \(auth.rawValue) needs --user or --netrc")
        }
    }

    /// A name and its password.
    struct Credential {
        var name: String
        var password: String

        /// The value of `Authorization` for Basic (RFC 7617 §2).
        var basic: String { "Basic " + Data("\(name):\(password)".utf8).base64EncodedString() }
    }

    /// The name and password for a host; `nil` if there are none.
    ///
    /// - Throws: An error if the password is missing and there is no terminal to ask on, or if the file cannot be read.
    func credential(for host: String?) throws -> Credential? {
        if let user {
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count > 1 { return Credential(name: parts[0], password: parts[1]) }
            guard let password = Terminal.password("Password for \(user): ") else {
                throw CommandFailure(
                    "--user \(user) has no password", hint: "write --user NAME:PASSWORD", status: .usage)
            }
            return Credential(name: user, password: password)
        }
        guard netrc, let host else { return nil }
        let path = ProcessInfo.processInfo.environment["NETRC"] ?? ("~/.netrc" as NSString).expandingTildeInPath
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure("\(path) cannot be read", status: .read)
        }
        return Netrc(text).entry(for: host).map { Credential(name: $0.login, password: $0.password) }
    }

    /// The layer that signs for AWS; `nil` unless it is requested.
    ///
    /// - Throws: An error if there are no keys.
    func signer() throws -> AWSSignatureV4? {
        guard let parts = awsScope?.split(separator: ":").map(String.init) else { return nil }
        let environment = ProcessInfo.processInfo.environment
        var keys = try credential(for: nil)
        if keys == nil, let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] {
            keys = Credential(name: id, password: secret)
        }
        guard let keys else {
            throw CommandFailure(
                "--aws-sigv4 needs keys", hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or --user",
                status: .usage)
        }
        let token = environment["AWS_SESSION_TOKEN"]
        return AWSSignatureV4(service: parts[1], region: parts[0]) {
            AWSCredentials(accessKeyID: keys.name, secretAccessKey: keys.password, sessionToken: token)
        }
    }
}
