import Airframe
import AirframeCurl
import AirframeSocket
import Foundation

// One transfer in its own process, for tests of what a process needs: memory, room on the disk.
// transfer-probe curl|sockets upload|download URL FILE

let arguments = CommandLine.arguments
guard arguments.count == 5 else {
    FileHandle.standardError.write(Data("transfer-probe: engine, direction, URL and file are needed\n".utf8))
    exit(64)
}
let file = URL(fileURLWithPath: arguments[4])
let transport: any Transport = arguments[1] == "sockets" ? SocketTransport() : CurlTransport()
let configuration = URLSessionConfiguration.af.default
configuration.transportOptions.proxy = ProxyPolicy.none
let session = Session(transport: ContentDecodingLayer(transport), configuration: configuration)

let failure: AFError?
if arguments[2] == "upload" {
    failure = await session.upload(file, to: arguments[3]).validate().serializingData().response.error
} else {
    let destination: DownloadRequest.Destination = { _, _ in (file, [.removePreviousFile]) }
    let response = await session.download(arguments[3], to: destination).validate().serializingDownloadedFileURL()
        .response
    failure = response.error
}
if let failure {
    let words = failure.underlyingError.map { "\($0)" } ?? "\(failure)"
    print("failed: \(words)")
    exit(1)
}
