import AirframeCore
import AirframeTransfers
import AirframeTransport
import Foundation
import HTTPTypes

let transport = ClosureTransport { request in
    TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
}
let queue = try await TransferQueue(
    file: URL(fileURLWithPath: "transfers.db"), session: Session(transport: transport))
print(try await queue.transfers().count)
