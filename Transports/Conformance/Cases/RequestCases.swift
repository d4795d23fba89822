internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    static let request: [ConformanceCase] = [
        ConformanceCase(
            .request, "line", "method, path and query arrive unchanged (RFC 9112 §3.1, §3.2.1)",
            peer: .keeping()
        ) { trial in
            let targets = ["/", "/a/b?c=d&e=%20f", "/%7Euser/./x/../y", "/?", "/a//b", "/?q=a+b", "/%E2%82%AC"]
            for target in targets { trial.judge(await trial.get(target), .whole("ok")) }
            let arrived = trial.peer.requests.map(\.target)
            trial.expect(arrived == targets, "sent: \(targets); arrived: \(arrived)")
            let isHTTP1 = trial.peer.requests.allSatisfy { $0.method == "GET" && $0.version == "HTTP/1.1" }
            trial.expect(isHTTP1, "methods and versions: \(trial.peer.requests.map { "\($0.method) \($0.version)" })")
        },
        ConformanceCase(
            .request, "methods", "methods are case-sensitive, and any of them is sent (RFC 9110 §9.1)",
            peer: .keeping()
        ) { trial in
            let names = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "brew", "M-SEARCH"]
            for name in names {
                let method = try trial.require(HTTPRequest.Method(name), "\(name) is not a method")
                trial.judge(await trial.exchange(trial.request(method)), .whole("ok"))
            }
            let arrived = trial.peer.requests.map(\.method)
            trial.expect(arrived == names, "arrived: \(arrived)")
        },
        ConformanceCase(
            .request, "host", "there is one Host field, with the authority (RFC 9110 §7.2)",
            peer: .keeping()
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            let hosts = trial.peer.requests.first?.values("Host") ?? []
            trial.expect(hosts == [trial.peer.authority], "Host: \(hosts)")
        },
        ConformanceCase(
            .request, "fields", "fields, also repeated ones, arrive in order and unchanged",
            peer: .keeping()
        ) { trial in
            var fields = HTTPFields()
            let lines = [
                ("X-One", "1"), ("Accept", "text/plain;q=0.5, */*"), ("X-Two", "a"), ("X-Two", "b"), ("X-Empty", ""),
                ("X-Two", "c, d"), ("User-Agent", "conformance/1"), ("X-Quote", "\"a, b\""),
            ]
            for (name, value) in lines {
                fields.append(HTTPField(name: try trial.require(.init(name), name), value: value))
            }
            trial.judge(await trial.exchange(trial.request(fields: fields)), .whole("ok"))
            let arrived = (trial.peer.requests.first?.fields ?? []).filter { field in
                lines.contains { $0.0.lowercased() == field.name.lowercased() }
            }
            let isSame = arrived.map { $0.name.lowercased() } == lines.map { $0.0.lowercased() }
            trial.expect(isSame && arrived.map(\.value) == lines.map(\.1), "arrived: \(arrived)")
        },
        ConformanceCase(
            .request, "nothing-added", "the engine adds only fields that frame the message",
            peer: .keeping()
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            let body = RequestBody.bytes(Data("x".utf8))
            trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
            let allowed = ["host", "connection", "content-length", "transfer-encoding", "te", "trailer"]
            let added = trial.peer.requests.flatMap(\.fields).map { $0.name.lowercased() }
                .filter { !allowed.contains($0) }
            trial.expect(added.isEmpty, "added: \(added)")
        },
        ConformanceCase(
            .request, "value.bytes", "bytes beyond ASCII in a value arrive unchanged (RFC 9110 §5.5)",
            peer: .keeping()
        ) { trial in
            let name = try trial.require(HTTPField.Name("X-Text"), "no name")
            let fields: HTTPFields = [name: "grün €"]
            trial.judge(await trial.exchange(trial.request(fields: fields)), .whole("ok"))
            let arrived = trial.peer.requests.first?.values("X-Text")
            trial.expect(arrived == ["grün €"], "arrived: \(arrived ?? [])")
        },
        ConformanceCase(
            .request, "value.large", "a field of 32 KiB is sent whole",
            peer: .keeping()
        ) { trial in
            let name = try trial.require(HTTPField.Name("X-Large"), "no name")
            let value = String(repeating: "v", count: 32 << 10)
            trial.judge(await trial.exchange(trial.request(fields: [name: value])), .whole("ok"))
            trial.expect(trial.peer.requests.first?.values("X-Large") == [value], "it did not")
        },
        ConformanceCase(
            .request, "no-injection", "a path cannot smuggle a second line or a second target into the request",
            peer: .keeping()
        ) { trial in
            for path in ["/a b", "/a\r\nX-Evil: 1", "/a HTTP/1.1\r\n\r\nGET /evil", "/a\nb", "/a\tb", "/a\u{0}b"] {
                let outcome = await trial.get(path)
                if let error = outcome.error {
                    trial.expect(error.code == .invalidRequest, "\(path.debugDescription): \(error)")
                    trial.expect(error.processing == .notSent, "\(path.debugDescription): \(error)")
                }
            }
            let requests = trial.peer.requests
            let isClean = requests.allSatisfy { request in
                !request.target.contains(where: \.isWhitespace) && request.values("X-Evil").isEmpty
            }
            trial.expect(isClean, "arrived: \(requests.map { "\($0.method) \($0.target)" })")
        },
        ConformanceCase(
            .request, "no-content",
            "without content there is no framing, except a length of 0 for methods that expect content",
            peer: .keeping()
        ) { trial in
            for method in [HTTPRequest.Method.get, .head, .delete] {
                _ = await trial.exchange(trial.request(method))
            }
            let framed = trial.peer.requests.filter {
                !$0.values("Content-Length").isEmpty || !$0.values("Transfer-Encoding").isEmpty
            }
            trial.expect(framed.isEmpty, "framed: \(framed.map(\.method))")
            for method in [HTTPRequest.Method.post, .put] {
                trial.judge(await trial.exchange(trial.request(method)), .whole("ok"))
                let lengths = trial.peer.requests.last?.values("Content-Length") ?? []
                trial.expect(lengths == ["0"], "\(method) without content: Content-Length \(lengths) (RFC 9110 §8.6)")
            }
        },
        ConformanceCase(
            .request, "content.length", "a body of known length, also an empty one, is framed by its length",
            peer: .keeping()
        ) { trial in
            for size in [0, 1, 100_000] {
                let body = RequestBody.bytes(Data(repeating: 65, count: size))
                trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
                let request = trial.peer.requests.last
                trial.expect(request?.values("Content-Length") == ["\(size)"], "\(request?.fields ?? [])")
                trial.expect(request?.values("Transfer-Encoding") == [], "\(request?.fields ?? [])")
                trial.expect(request?.body.count == size, "\(request?.body.count ?? -1) of \(size) bytes arrived")
            }
        },
        ConformanceCase(
            .request, "content.chunked", "a body of unknown length is sent in chunks (RFC 9112 §7.1)",
            peer: .keeping()
        ) { trial in
            let source = CountingSource(["one", " two", " three"])
            trial.judge(await trial.exchange(trial.request(.post, body: .oneShot(source))), .whole("ok"))
            let request = trial.peer.requests.last
            trial.expect(request?.values("Transfer-Encoding") == ["chunked"], "\(request?.fields ?? [])")
            trial.expect(request?.values("Content-Length") == [], "both framings: \(request?.fields ?? [])")
            trial.expect(request?.text == "one two three", "arrived: \(request?.text ?? "")")
        },
        ConformanceCase(
            .request, "content.get", "the content of a GET is framed like any other",
            peer: .keeping()
        ) { trial in
            let body = RequestBody.bytes(Data("query".utf8))
            trial.judge(await trial.exchange(trial.request(.get, body: body)), .whole("ok"))
            let request = trial.peer.requests.first
            trial.expect(
                request?.method == "GET" && request?.text == "query", "arrived: \(String(describing: request))")
        },
        ConformanceCase(
            .request, "content.lying-length", "a Content-Length that differs from the content's length is rejected",
            peer: .keeping()
        ) { trial in
            let body = RequestBody.bytes(Data("12345".utf8))
            for length in ["4", "6", "-1", "5, 5", "x"] {
                let outcome = await trial.exchange(trial.request(.post, fields: [.contentLength: length], body: body))
                guard let error = outcome.error else {
                    // An engine may correct the framing instead.
                    let arrived = trial.peer.requests.last
                    trial.expect(
                        arrived?.values("Content-Length") == ["5"], "\(length) was sent: \(arrived?.fields ?? [])")
                    continue
                }
                trial.expect(error.code == .invalidRequest && error.processing == .notSent, "\(length): \(error)")
            }
        },
        ConformanceCase(
            .request, "trailers", "trailer fields follow the content (RFC 9110 §6.5)",
            needs: .requestTrailers, peer: .keeping()
        ) { trial in
            let name = try trial.require(HTTPField.Name("X-Checksum"), "no name")
            let source = CountingSource(["abc"])
            let body = RequestBody.oneShot(source).trailers {
                // Trailers may depend on the sent content.
                [name: "\(source.pulledBytes)"]
            }
            trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
            let request = trial.peer.requests.first
            trial.expect(request?.text == "abc", "the content is \(request?.text ?? "")")
            let trailers = request?.trailers.map { "\($0.name.lowercased()): \($0.value)" } ?? []
            trial.expect(trailers == ["x-checksum: 3"], "the trailers are \(trailers)")
        },
        ConformanceCase(
            .request, "trailers.again", "uploads with and without trailers do not disturb each other on one transport",
            needs: .requestTrailers, peer: .keeping()
        ) { trial in
            let name = try trial.require(HTTPField.Name("X-Sum"), "no name")
            for round in 0..<8 {
                let text = String(repeating: "\(round)", count: 70_000)
                let chunked = RequestBody.restartable { CountingSource([text]) }
                let body = round % 3 == 2 ? chunked : chunked.trailers { [name: "\(round)"] }
                trial.judge(await trial.exchange(trial.request(.put, body: body)), .whole("ok"))
                // Uploads with and without trailers may go over their own connections.
                let request = trial.peer.requests.last { $0.text == text }
                trial.expect(request != nil, "the content of request \(round) did not arrive as it is")
                let trailers = request?.trailers.map(\.value) ?? []
                trial.expect(trailers == (round % 3 == 2 ? [] : ["\(round)"]), "the trailers are \(trailers)")
            }
        },
        ConformanceCase(
            .request, "trailers.empty-value", "a trailer field may be empty",
            needs: .requestTrailers, peer: .keeping()
        ) { trial in
            let name = try trial.require(HTTPField.Name("X-Empty"), "no name")
            let body = RequestBody.oneShot(CountingSource(["abc"])).trailers { [name: ""] }
            trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
            let trailers = trial.peer.requests.first?.trailers.map { "\($0.name.lowercased()):\($0.value)" } ?? []
            trial.expect(trailers == ["x-empty:"], "the trailers are \(trailers)")
        },
        ConformanceCase(
            .request, "trailers.refused",
            "fields that frame, route, authenticate or modify a request are rejected as trailers (RFC 9110 §6.5.1)",
            needs: .requestTrailers, peer: PeerScenario(connections: [[.forever([.readRequest, .awaitClose])]])
        ) { trial in
            let names = [
                "Content-Length", "Transfer-Encoding", "Host", "Authorization", "Cookie", "Set-Cookie", "If-Match",
                "Content-Type", "TE", "Proxy-Authorization",
            ]
            for text in names {
                let name = try trial.require(HTTPField.Name(text), "no name")
                let body = RequestBody.restartable { CountingSource(["abc"]) }.trailers { [name: "1"] }
                let outcome = await trial.exchange(trial.request(.post, body: body))
                trial.judge(outcome, .broken([.invalidRequest], in: [.requestBody]))
                let isNamed = outcome.error?.message.contains(text) == true
                trial.expect(isNamed, "the message does not name \(text): \(outcome.summary)")
            }
            trial.expect(trial.peer.requests.allSatisfy { !$0.isComplete }, "the server saw a whole request")
        },
        ConformanceCase(
            .request, "scheme", "a scheme that the engine does not support is rejected before anything is sent",
            peer: .keeping()
        ) { trial in
            for scheme in ["ftp", "file", "gopher", "dict"] {
                let outcome = await trial.exchange(trial.request(scheme: scheme))
                trial.judge(
                    outcome, .broken([.unsupportedScheme, .invalidRequest, .unsupportedOption], in: [.options]))
            }
            trial.expect(trial.peer.connections.isEmpty, "it connected")
        },
        ConformanceCase(
            .request, "no-authority", "a request without a host is rejected before anything is sent",
            peer: .keeping()
        ) { trial in
            for authority in [nil, "", ":80", "a b", "127.0.0.1:99999"] {
                var request = trial.request()
                request.head.authority = authority
                let outcome = await trial.exchange(request)
                let error = outcome.error
                trial.expect(error?.code == .invalidRequest, "\(authority ?? "nil"): \(outcome.summary)")
                trial.expect(error?.processing == .notSent, "\(authority ?? "nil"): \(outcome.summary)")
            }
        },
    ]
}
