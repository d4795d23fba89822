import AirframeCore
import AirframeLogging
import AirframeSerialization
import AirframeTransport
import HTTPTypes

/// An engine without a network: it says yes to everything.
struct Yes: Transport {
    let capabilities = TransportCapabilities(engine: "yes", features: [])

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
    }
}

let loggers: [any EventMonitor] = [RequestLogger(), ConsoleLogger(), CURLLogger()]
let session = Session(transport: Yes(), eventMonitors: loggers)
print(await session.request("http://api.test/").serializingString(emptyResponseCodes: [200]).result)
