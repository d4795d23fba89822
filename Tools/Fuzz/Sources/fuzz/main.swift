internal import CFuzzer
internal import Glibc

// fuzz TARGET [arguments of libFuzzer]

let targets: [String: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32] = [
    "certificates": fuzzCertificates,
    "chains": fuzzChains,
    "events": fuzzEvents,
    "evidence": fuzzEvidence,
    "http1-responses": fuzzResponses,
    "http1-requests": fuzzRequests,
    "http2": fuzzHTTP2,
    "http2-blocks": fuzzHTTP2Blocks,
    "dbus": fuzzDBus,
    "json": fuzzJSON,
    "netlink": fuzzNetlink,
    "streams": fuzzStreams,
    "websocket-deflate": fuzzDeflate,
    "websocket-frames": fuzzWebSocketFrames,
]

guard CommandLine.arguments.count > 1, let target = targets[CommandLine.arguments[1]] else {
    print("usage: fuzz \(targets.keys.sorted().joined(separator: "|")) [arguments of libFuzzer]")
    exit(2)
}

var arguments = CommandLine.unsafeArgv.advanced(by: 1) as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
var count = CommandLine.argc - 1
exit(LLVMFuzzerRunDriver(&count, &arguments, target))
