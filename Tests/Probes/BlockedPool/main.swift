import Airframe
import AirframeCurl
import AirframeSocket
import Foundation
import Synchronization

// Requests in a process whose tasks all wait on semaphores.
// blocked-pool-probe curl|socket URL [http2]

let arguments = CommandLine.arguments
guard arguments.count == 3 || arguments.count == 4 else {
    FileHandle.standardError.write(Data("blocked-pool-probe: an engine and a URL are needed\n".utf8))
    exit(64)
}
let url = arguments[2]
let transport: any Transport = arguments[1] == "socket" ? SocketTransport() : CurlTransport()
let configuration = URLSessionConfiguration.af.default
configuration.transportOptions.proxy = ProxyPolicy.none
if arguments.count == 4 { configuration.transportOptions.httpVersion = .http2PriorKnowledge }
let session = Session(transport: transport, configuration: configuration, interceptor: RetryPolicy())
let patience = 20.0

/// Takes all threads of Swift's pool at every priority that a program can name, and returns what lets them go.
func blockPool() -> DispatchSemaphore {
    let gate = DispatchSemaphore(value: 0)
    let entered = DispatchSemaphore(value: 0)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    // `.utility` and `.userInitiated` are other names for `.low` and `.high`.
    for priority in [TaskPriority.background, .low, .medium, .high] {
        for _ in 0..<cores * 2 {
            Task.detached(priority: priority) {
                entered.signal()
                gate.wait()
            }
        }
        for _ in 0..<cores where entered.wait(timeout: .now() + patience) == .timedOut {
            print("the pool is not blocked")
            exit(2)
        }
    }
    return gate
}

/// How many of `semaphore`'s signals came.
func count(_ semaphore: DispatchSemaphore, of expected: Int) -> Int {
    (0..<expected).prefix { _ in semaphore.wait(timeout: .now() + patience) == .success }.count
}

let callbacks = DispatchQueue(label: "probe.callbacks", attributes: .concurrent)

/// Requests with handlers on the connection of an awaited request, whose task gets no thread any more: it reads the
/// connection for itself until another stream waits.
func shareConnection() -> Never {
    Task.detached { _ = try? await session.request("\(url)/slow").serializingString().value }
    Thread.sleep(forTimeInterval: 0.5)
    let gate = blockPool()
    let answered = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
        session.request(url).responseString(queue: callbacks) { if $0.value == "ok" { answered.signal() } }
    }
    print("on a shared connection: \(count(answered, of: 2)) of 2")
    gate.signal()
    exit(0)
}

if arguments.count == 4 { shareConnection() }
let gate = blockPool()

// Begun while the pool is blocked: it waits with the task that wants its value.
let awaited = Mutex<String?>(nil)
let awaitedEnd = DispatchSemaphore(value: 0)
Task.detached {
    let text = try? await session.request(url).serializingString().value
    awaited.withLock { $0 = text ?? "failed" }
    awaitedEnd.signal()
}

let plain = DispatchSemaphore(value: 0)
for _ in 0..<20 {
    session.request(url).responseString(queue: callbacks) { if $0.value == "hello" { plain.signal() } }
}
print("handlers: \(count(plain, of: 20)) of 20")

// A handler that waits for another request, as it may with URLSession: it blocks the thread of its own queue.
// Two, since Dispatch adds a thread a second to a queue whose threads are blocked.
let nested = DispatchSemaphore(value: 0)
for _ in 0..<2 {
    session.request(url).responseString(queue: callbacks) { _ in
        let inner = DispatchSemaphore(value: 0)
        session.request(url).responseString(queue: callbacks) { if $0.value == "hello" { inner.signal() } }
        if inner.wait(timeout: .now() + patience) == .success { nested.signal() }
    }
}
print("nested: \(count(nested, of: 2)) of 2")

let retried = DispatchSemaphore(value: 0)
session.request("\(url)/flaky").validate().responseString(queue: callbacks) {
    if $0.value == "hello" { retried.signal() }
}
print("retried: \(count(retried, of: 1)) of 1")

let downloaded = DispatchSemaphore(value: 0)
session.download(url).responseURL(queue: callbacks) { if $0.error == nil { downloaded.signal() } }
print("downloaded: \(count(downloaded, of: 1)) of 1")

let uploaded = DispatchSemaphore(value: 0)
session.upload(Data(count: 1 << 20), to: url).responseString(queue: callbacks) { response in
    if response.error == nil { uploaded.signal() }
}
print("uploaded: \(count(uploaded, of: 1)) of 1")

// A validation that waits takes one of the threads for requests, of which there are as many as cores.
let validated = DispatchSemaphore(value: 0)
session.request(url)
    .validate { _, _, _ in
        let inner = DispatchSemaphore(value: 0)
        session.request(url).responseString(queue: callbacks) { if $0.value == "hello" { inner.signal() } }
        return inner.wait(timeout: .now() + patience) == .success ? .success(()) : .failure(CancellationError())
    }
    .responseString(queue: callbacks) { if $0.value == "hello" { validated.signal() } }
print("validated: \(ProcessInfo.processInfo.activeProcessorCount > 1 ? count(validated, of: 1) : 1) of 1")

print("awaited while blocked: \(awaited.withLock { $0 } ?? "nothing")")
for _ in 0..<1000 { gate.signal() }
_ = awaitedEnd.wait(timeout: .now() + patience)
print("awaited afterwards: \(awaited.withLock { $0 } ?? "nothing")")
exit(0)
