/// The Swift code that sends the request of a curl command.
package struct SwiftProgram: Sendable {
    private let command: CurlCommand

    package init(_ command: CurlCommand) { self.command = command }

    /// A program that imports Airframe and compiles as it stands.
    ///
    /// Options that a session has, and not a request, such as proxies and limits, are listed in a comment.
    package var text: String {
        var lines = ["import Airframe", "import Foundation", ""]
        let headers = command.allHeaders
        if !headers.isEmpty {
            lines.append("let headers: HTTPHeaders = [")
            lines += headers.map { "    \(Self.literal($0.name)): \(Self.literal($0.value))," }
            lines.append("]")
        }
        lines += request(hasHeaders: !headers.isEmpty)
        if !command.followsRedirects { lines.append("    .redirect(using: .doNotFollow)") }
        if let credential = value(of: "--user") {
            let parts = credential.split(separator: ":", maxSplits: 1).map(String.init)
            let password = parts.count > 1 ? parts[1] : ""
            lines.append(
                "    .authenticate(username: \(Self.literal(parts.first ?? "")), password: \(Self.literal(password)))")
        }
        lines += [
            "    .validate()", "    .serializingData()", "    .response",
            "print(response.response?.statusCode ?? 0, response.error.map { \"\\($0)\" } ?? \"\")",
            "print(String(decoding: response.data ?? Data(), as: UTF8.self))",
        ]
        let rest = sessionOptions
        if !rest.isEmpty { lines.append("// Set on the session's configuration: \(rest.joined(separator: ", "))") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func append(_ part: RequestParts.Part) -> String {
        switch part {
        case .text(let name, let value):
            return "    form.append(Data(\(literal(value)).utf8), withName: \(literal(name)))"
        case .file(let name, let path, let mediaType):
            let file = path.split(separator: "/").last.map(String.init) ?? path
            // A form knows no media type for a file without an extension.
            let isUnknown = file.drop { $0 == "." }.contains(".") == false
            let type = (mediaType ?? (isUnknown ? "application/octet-stream" : nil)).map {
                ", fileName: \(literal(file)), mimeType: \(literal($0))"
            }
            return "    form.append(URL(filePath: \(literal(path))), withName: \(literal(name))\(type ?? ""))"
        }
    }

    private func request(hasHeaders: Bool) -> [String] {
        let url = Self.literal(command.url)
        let headers = hasHeaders ? ", headers: headers" : ""
        let method = ", method: \(Self.method(command.effectiveMethod))"
        if !command.parts.isEmpty {
            let parts = command.parts.map { Self.append($0) }
            return ["let response = await AF.upload(multipartFormData: { form in"] + parts
                + ["}, to: \(url)\(method)\(headers))"]
        }
        if !command.putsDataIntoQuery, let file = command.bodyFile {
            return [
                "let response = await AF.upload(URL(filePath: \(Self.literal(file))), to: \(url)\(method)\(headers))"
            ]
        }
        if !command.putsDataIntoQuery, let data = command.inlineData, !command.data.isEmpty {
            return [
                "let body = Data(\(Self.literal(data)).utf8)",
                "let response = await AF.upload(body, to: \(url)\(method)\(headers))",
            ]
        }
        return ["let response = await AF.request(\(url)\(method == ", method: .get" ? "" : method)\(headers))"]
    }

    private func value(of option: String) -> String? {
        let start = option + "="
        return command.passedOn.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    /// The names of options that the code cannot express. Their values may be secrets and are left out.
    private var sessionOptions: [String] {
        let covered: Set = ["--user", "--auth", "--output", "--include", "--fail", "--verbose"]
        return command.passedOn.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
            .filter { !covered.contains($0) }
    }

    private static func method(_ name: String) -> String {
        let known = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"]
        return known.contains(name) ? ".\(name.lowercased())" : "HTTPMethod(rawValue: \(literal(name)))"
    }

    /// A string as a Swift literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.actsOnTerminals: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
