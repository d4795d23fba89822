import AirframeCore
import AirframeMock
import Testing
import Users

struct UsersClientTests {
    func client(_ mock: MockTransport) -> UsersClient {
        UsersClient(session: Session(transport: mock), baseURL: "https://api.test/v1", token: "secret")
    }

    @Test("returns a user, and sends the token")
    func user() async throws {
        let mock = MockTransport {
            Route(.get, "/v1/users/7").reply(.json(["id": 7, "name": "Ada"]))
        }
        #expect(try await client(mock).user(7).name == "Ada")
        #expect(mock.lastRequest?.headerFields[.authorization] == "Bearer secret")
    }

    @Test("sends the new name as JSON")
    func rename() async throws {
        let mock = MockTransport {
            Route(.put, "/v1/users/7").when(json: ["name": "Grace"]).reply(.json(["id": 7, "name": "Grace"]))
        }
        #expect(try await client(mock).rename(7, to: "Grace").name == "Grace")
    }

    @Test("retries while the server is unavailable, in virtual time")
    func retries() async throws {
        let mock = MockTransport {
            Route(.get, "/v1/users/7").reply(.sequence([.status(503), .status(503), .json(["id": 7, "name": "Ada"])]))
        }
        #expect(try await client(mock).user(7).name == "Ada")
        #expect(mock.requests.count == 3)
    }

    @Test("fails for a user that does not exist")
    func missing() async throws {
        let mock = MockTransport { Route(.get, "/v1/users/8").reply(.status(404)) }
        await #expect(throws: AFError.self) { try await client(mock).user(8) }
    }
}
