import Airframe
import AirframeCommandLine
import AirframeHAR
import ArgumentParser
import Foundation

extension HARCommand {
    /// `airframe har replay FILE [NUMBER…]`
    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Send the requests of an archive again, one after the other, and compare the statuses.",
            discussion: """
                Secrets that the recording hid are not there: give them with --header.
                A redirect is not followed, because the archive holds the request that
                followed.

                EXIT STATUS: 1 when a status differs or a request fails.
                """
        )
        @OptionGroup var archive: Archive
        @Argument(help: "The numbers that ls writes; all without any.") var numbers: [Int] = []
        @Option(name: .customLong("origin"), help: "Send to this origin, such as http://localhost:8080.")
        var origin: ReplayOrigin?
        @OptionGroup var options: RequestOptions

        func validate() throws {
            let (account, output, body) = (options.account, options.output, options.body)
            if account.awsScope != nil { throw ValidationError("--aws-sigv4 does not apply to this command") }
            if account.user != nil || account.bearer != nil || account.netrc || !options.cookies.cookie.isEmpty {
                throw ValidationError(
                    "the recorded fields are sent: write --header in place of --user, --bearer, --netrc and --cookie")
            }
            if body.hasBody || body.form || body.multipart {
                throw ValidationError("the recorded content is sent: omit --data, --upload-file and the like")
            }
            if output.output != nil || output.include || output.json || output.fail || output.pretty != nil {
                throw ValidationError(
                    "each exchange is written as a line: omit --output, --include, --json, --fail and --pretty")
            }
        }

        func run() async throws {
            let entries = try archive.entries()
            var options = options
            options.output.staysPut = true
            let prepared = try PreparedSession(options)
            let chosen = numbers.isEmpty ? entries.isEmpty ? [] : Array(1...entries.count) : numbers
            let isSame = try await prepared.run { [self] in
                var isSame = true
                for number in chosen {
                    let entry = try HARCommand.entry(number, of: entries)
                    let isOne = try await replay(number, entry, in: prepared.session)
                    isSame = isOne && isSame
                }
                return isSame
            }
            guard isSame else { throw ExitCode(1) }
        }

        private func replay(_ number: Int, _ entry: HAR.Entry, in session: Session) async throws -> Bool {
            let request = try urlRequest(entry)
            let response = await send(request, in: session).serializingData(emptyResponseCodes: Set(100...999)).response
            let status = response.response?.statusCode ?? 0
            let isSame = status == entry.response.status
            let style = Terminal.output.style
            let duration = Quantities.milliseconds((response.metrics?.taskInterval.duration ?? 0) * 1000)
            let words = [
                "\(number)".aligned(to: 4), style.paint(isSame ? "same" : "differs", isSame ? .string : .failure),
                "\(entry.response.status) -> \(status == 0 ? "---" : "\(status)")", duration.aligned(to: 9),
                "\(entry.request.method) \(request.url?.absoluteString ?? "")".printable,
            ]
            try StandardOutput.write(words.joined(separator: "  ") + "\n")
            if let error = response.error {
                Terminal.error.write("      \(CommandFailure(error).description.printable)\n")
            }
            return isSame
        }

        private func send(_ request: URLRequest, in session: Session) -> DataRequest {
            // Uploads get no Content-Type that the recording does not have.
            guard let body = request.httpBody else { return session.request(request) }
            return session.upload(body, with: request)
        }

        private func urlRequest(_ entry: HAR.Entry) throws -> URLRequest {
            let url = try origin.map { try $0.url(of: entry.request.url) } ?? entry.request.url
            var request = try URLRequest(url: url, method: HTTPMethod(rawValue: entry.request.method))
            // The engine writes these itself; fields of HTTP/2 begin with a colon.
            let own: Set = ["host", "content-length", "connection", "accept-encoding", "transfer-encoding"]
            for field in entry.request.headers {
                let isHidden = field.value.contains(RedactionPolicy.placeholder)
                guard !own.contains(field.name.lowercased()), !field.name.hasPrefix(":"), !isHidden else { continue }
                request.addValue(field.value, forHTTPHeaderField: field.name)
            }
            if !options.output.compressed { request.setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
            let given = try OutgoingRequest.fields(options.headers)
            for name in given.removed { request.setValue(nil, forHTTPHeaderField: name) }
            for field in given.sent {
                request.setValue(field.value, forHTTPHeaderField: field.name)
            }
            if let body = try entry.request.postData?.data(), !body.isEmpty { request.httpBody = body }
            return request
        }
    }
}
