import AirframeCore
import AirframeMock
import Shop
import Testing

@Suite("The shop's client")
struct ShopClientTests {
    @Test("reads an item", arguments: 0..<500)
    func item(id: Int) async throws {
        let mock = MockTransport {
            Route(.get, "/items/:id") { request in
                .json(ShopClient.Item(id: Int(request.captures["id"] ?? "") ?? -1, name: "Thing \(id)"))
            }
        }
        let shop = ShopClient(session: Session(transport: mock))
        #expect(try await shop.item(id) == ShopClient.Item(id: id, name: "Thing \(id)"))
        #expect(mock.requests.map(\.head.path) == ["/items/\(id)"])
    }

    @Test("retries a busy shop in virtual time", arguments: 0..<400)
    func patience(number: Int) async throws {
        // A session gives up after a minute of virtual time.
        let seconds = number % 50
        let mock = MockTransport {
            Route(.get, "/items").reply(
                .sequence([.status(503), .fault(.connectionRefused), .json([["id": 1, "name": "Lamp"]])])
            )
            Route(.get, "/items/:id").reply(.json(["id": 2, "name": "Desk"]).delayed(by: .seconds(seconds)))
        }
        let shop = ShopClient(session: Session(transport: mock, interceptor: .patient))
        #expect(try await shop.names() == ["Lamp"])
        #expect(mock.virtualClock.elapsed == .seconds(3))
        #expect(try await shop.item(2).name == "Desk")
        #expect(mock.virtualClock.elapsed == .seconds(3 + seconds))
        #expect(mock.requests.count == 4)
    }

    @Test("reports the error", arguments: 0..<100)
    func trouble(number: Int) async throws {
        let faults: [Fault] = [.dnsFailure, .tlsFailure(), .resetInHead, .malformedHead]
        let mock = MockTransport {
            Route(.get, "/items/:id").reply(.fault(faults[number % faults.count]))
        }
        let shop = ShopClient(session: Session(transport: mock))
        let error = await #expect(throws: AFError.self) { try await shop.item(number) }
        #expect(error?.isSessionTaskError == true)
    }
}
