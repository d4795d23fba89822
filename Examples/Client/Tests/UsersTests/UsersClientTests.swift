import AirframeCore
import AirframeMock
import Testing
import Users

@Suite("The users client")
struct UsersClientTests {
    @Test("returns a user, and sends the token")
    func user() async throws {
        let mock = MockTransport {
            Route(.get, "/v1/users/:id") { request in
                .json(UsersClient.User(id: Int(request.captures["id"] ?? "") ?? 0, name: "Ada"))
            }
        }
        let client = UsersClient(session: Session(transport: mock), token: "secret")
        #expect(try await client.user(7) == UsersClient.User(id: 7, name: "Ada"))
        #expect(mock.lastRequest?.headerFields[.authorization] == "Bearer secret")
    }

    @Test("sends the new name as JSON")
    func rename() async throws {
        let mock = MockTransport {
            Route(.put, "/v1/users/7").when(json: ["name": "Grace"]).reply(.json(["id": 7, "name": "Grace"]))
        }
        let client = UsersClient(session: Session(transport: mock), token: "secret")
        #expect(try await client.rename(7, to: "Grace").name == "Grace")
    }

    @Test("retries while the server is unavailable, in virtual time")
    func retries() async throws {
        let mock = MockTransport {
            Route(.get, "/v1/users/7").reply(.sequence([.status(503), .status(503), .json(["id": 7, "name": "Ada"])]))
        }
        let client = UsersClient(session: Session(transport: mock), token: "secret")
        #expect(try await client.user(7).name == "Ada")
        #expect(mock.requests.count == 3)
    }

    @Test("fails for a user that does not exist")
    func missing() async throws {
        let mock = MockTransport { Route(.get, "/v1/users/8").reply(.status(404)) }
        let client = UsersClient(session: Session(transport: mock), token: "secret")
        await #expect(throws: AFError.self) { try await client.user(8) }
    }
}
