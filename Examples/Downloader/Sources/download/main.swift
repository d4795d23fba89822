import Airframe
import Foundation

// download URL FILE [PIN…]: downloads a file. A run that is interrupted, or that loses its connection, leaves
// FILE.resume, and the next run resumes there. A PIN is 'sha256/…' of a public key; `airframe trust HOST` prints them.
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let url = URL(string: arguments[1]), let host = url.host() else {
    print("usage: download URL FILE [PIN…]")
    exit(64)
}
let file = URL(filePath: arguments[2])
let resumeFile = file.appendingPathExtension("resume")

do {
    let session = try makeSession(pins: Array(arguments.dropFirst(2)))
    let request = start(with: session)
    let interrupts = cancelOnInterrupt(request)
    defer { interrupts.cancel() }
    request.downloadProgress(queue: .global()) { progress in
        print("\(progress.completedUnitCount) of \(progress.totalUnitCount) bytes")
    }
    let response = await request.validate().serializingDownloadedFileURL().response
    try finish(response)
} catch {
    print("download failed: \(error)")
    exit(1)
}

/// A session that accepts only servers with one of the keys; without pins, the system's rules decide.
func makeSession(pins: [String]) throws -> Session {
    guard !pins.isEmpty else { return Session(interceptor: .retryPolicy) }
    let evaluator = PinSetTrustEvaluator(try PinSet(pins))
    let trust = ServerTrustManager(evaluators: [host: evaluator])
    return Session(interceptor: .retryPolicy, serverTrustManager: trust)
}

/// A download that starts from the beginning, or resumes where an earlier run stopped.
func start(with session: Session) -> DownloadRequest {
    let destination: DownloadRequest.Destination = { _, _ in (file, [.removePreviousFile]) }
    guard let resumeData = try? Data(contentsOf: resumeFile) else { return session.download(url, to: destination) }
    print("resuming")
    return session.download(resumingWith: resumeData, to: destination)
}

/// Cancels the download on an interrupt (Ctrl-C), so that it leaves resume data. Keep the source until the download
/// has ended.
func cancelOnInterrupt(_ request: DownloadRequest) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { request.cancel(producingResumeData: true) }
    source.resume()
    return source
}

/// Reports the file, or stores what the next run needs to resume.
func finish(_ response: AFDownloadResponse<URL>) throws {
    if let resumeData = response.resumeData { try resumeData.write(to: resumeFile) }
    let saved = try response.result.get()
    try? FileManager.default.removeItem(at: resumeFile)
    print("saved", saved.path)
}
