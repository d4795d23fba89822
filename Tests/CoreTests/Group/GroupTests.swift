import Airframe
import Foundation
import Testing

@Suite("Request groups and methods", .timeLimit(.minutes(1)))
struct GroupTests {
    private struct User: Codable, Sendable, Equatable {
        var name: String
    }

    @Test("every method has a function")
    func verbs() async throws {
        let session = echoSession { $0.baseURL = URL(string: "https://api.test/v2") }
        #expect(try await session.get("x").line == "GET https://api.test/v2/x")
        #expect(try await session.head("x").line == "HEAD https://api.test/v2/x")
        #expect(try await session.options("x").line == "OPTIONS https://api.test/v2/x")
        #expect(try await session.delete("x").line == "DELETE https://api.test/v2/x")
        #expect(try await session.post("x").line == "POST https://api.test/v2/x")
        #expect(try await session.put("x").line == "PUT https://api.test/v2/x")
        #expect(try await session.patch("x").line == "PATCH https://api.test/v2/x")
    }

    @Test("values are encoded as JSON by default, data is sent unchanged")
    func bodies() async throws {
        let session = echoSession()
        let value = try await session.post("https://api.test/x", body: User(name: "Ada")).text
        #expect(value.contains("content-type: application/json"))
        #expect(value.hasSuffix(#"{"name":"Ada"}"#))
        let data = try await session.put("https://api.test/x", body: Data("raw".utf8)).text
        #expect(data.hasSuffix("\n\nraw"))
        #expect(!data.contains("content-type"))
        let form = try await session.patch("https://api.test/x", body: User(name: "A B"), encoder: .urlEncodedForm).text
        #expect(form.hasSuffix("name=A%20B"))
        let modified = try await session.post(
            "https://api.test/x", body: Data("a".utf8), requestModifier: { $0.httpBody?.append(Data("b".utf8)) }
        ).text
        #expect(modified.hasSuffix("\n\nab"))
        #expect(modified.contains("content-type: application/x-www-form-urlencoded"))
    }

    @Test("queries are appended in the given format")
    func queries() async throws {
        let session = echoSession()
        let query = ["tags": ["a", "b c"]]
        #expect(
            try await session.get("https://api.test/x?y=1", query: query).line
                == "GET https://api.test/x?y=1&tags%5B%5D=a&tags%5B%5D=b%20c")
        #expect(
            try await session.delete("https://api.test/x", query: query, format: .form).line
                == "DELETE https://api.test/x?tags=a&tags=b+c")
        #expect(try await session.head("https://api.test/x", query: ["a": "1"]).line == "HEAD https://api.test/x?a=1")
    }

    @Test("a group adds its fields, options and tags; the request's own take precedence")
    func additions() async throws {
        let session = echoSession()
        var options = TransportOptions()
        options.deadline = .seconds(5)
        options.localAddress = "127.0.0.1"
        let group = session.group(
            baseURL: "https://api.test/v2", headers: ["X-One": "group", "X-Two": "group"], options: options,
            tags: ["api"])
        #expect(group.baseURL?.absoluteString == "https://api.test/v2")
        let request = group.request("users", headers: ["x-two": "own"]) {
            $0.transportOptions.deadline = .seconds(1)
            $0.tags = ["list"]
        }
        let text = try await request.text
        #expect(text.hasPrefix("GET https://api.test/v2/users\n"))
        #expect(text.contains("x-one: group"))
        #expect(text.contains("x-two: own"))
        #expect(!text.contains("x-two: group"))
        #expect(request.request?.transportOptions.deadline == .seconds(1))
        #expect(request.request?.transportOptions.localAddress == "127.0.0.1")
        #expect(request.tags == ["api", "list"])
    }

    @Test("nested groups join their bases and add fields and tags")
    func nesting() async throws {
        let session = echoSession { $0.baseURL = URL(string: "https://api.test") }
        let outer = session.group(baseURL: "v2", headers: ["X-Outer": "1", "X-Both": "outer"], tags: ["outer"])
        let inner = outer.group(baseURL: "users", headers: ["X-Both": "inner"], tags: ["inner"])
        let request = inner.get("7")
        let text = try await request.text
        #expect(text.hasPrefix("GET https://api.test/v2/users/7\n"))
        #expect(text.contains("x-outer: 1"))
        #expect(text.contains("x-both: inner"))
        #expect(request.tags == ["outer", "inner"])
        let plain = try await outer.group().get("x").line
        #expect(plain == "GET https://api.test/v2/x")
    }

    @Test("credentials of a group are sent only to the origin of its base")
    func credentials() async throws {
        let group = echoSession().group(
            baseURL: "https://api.test",
            headers: [.authorization(bearerToken: "secret"), HTTPHeader(name: "X-App", value: "1")])
        let own = try await group.get("x").text
        #expect(own.contains("authorization: Bearer secret"))
        let same = try await group.get("https://api.test:443/y").text
        #expect(same.contains("authorization: Bearer secret"))
        for url in ["https://cdn.test/x", "http://api.test/x", "https://api.test:8443/x"] {
            let foreign = try await group.get(url).text
            #expect(!foreign.contains("secret"), "\(url)")
            #expect(foreign.contains("x-app: 1"))
        }
    }

    @Test("a group without a base sends its fields everywhere")
    func noBase() async throws {
        let group = echoSession().group(headers: [.authorization(bearerToken: "secret")])
        #expect(try await group.get("https://any.test/").text.contains("Bearer secret"))
    }

    @Test("an invalid base fails the group's requests")
    func invalid() async throws {
        let group = echoSession().group(baseURL: "")
        #expect(await group.get("x").serializingString().response.error != nil)
        #expect(group.baseURL == nil)
    }

    @Test("the interceptor of a group runs between the session's and the request's")
    func interceptors() async throws {
        @Sendable func adding(_ name: String) -> Interceptor {
            Interceptor(adapters: [
                Adapter { request, _, completion in
                    var request = request
                    request.headers.update(
                        name: "X-Trace", value: (request.headers["X-Trace"].map { "\($0)," } ?? "") + name)
                    completion(.success(request))
                }
            ])
        }
        let group = echoSession().group(interceptor: adding("outer")).group(interceptor: adding("inner"))
        let text = try await group.get("https://api.test/", interceptor: adding("own")).text
        #expect(text.contains("x-trace: outer,inner,own"))
    }

    @Test("downloads, uploads and streams of a group have its base and its fields")
    func otherRequests() async throws {
        let group = echoSession().group(baseURL: "https://api.test/v2", headers: ["X-Group": "1"])
        let download = try await group.download("file").serializingString().value
        #expect(download.hasPrefix("GET https://api.test/v2/file\n") && download.contains("x-group: 1"))
        let upload = try await group.upload(Data("a".utf8), to: "file").text
        #expect(upload.hasPrefix("POST https://api.test/v2/file\n") && upload.contains("x-group: 1"))
        var streamed = Data()
        for try await chunk in group.streamRequest("log").bytes() { streamed += chunk }
        #expect(String(decoding: streamed, as: UTF8.self).hasPrefix("GET https://api.test/v2/log\n"))
        let request = group.session.request(group.adding(to: try URLRequest(url: "any", method: .get)))
        #expect(try await request.line == "GET https://api.test/v2/any")
    }
}
