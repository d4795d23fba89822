import Foundation
import Glibc

// slow-files-probe SIZE: serves a file system whose files have SIZE bytes and cannot be read until a signal.
//
// It writes the path of the file system's root, and "held" for each read that waits. It reads "release", which answers
// all reads, and "fail", which fails them. It is a separate process: the kernel cannot end one that waits for itself.

@main
enum SlowFilesProbe {
    static func main() throws {
        guard let size = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) else { exit(2) }
        let files = try SlowFiles(size: size)
        Thread.detachNewThread {
            while let line = readLine() {
                switch line {
                case "release": files.end(.answered)
                case "fail": files.end(.failing)
                default: exit(2)
                }
            }
            exit(0)
        }
        Thread.detachNewThread(exitWithParent)
        report(files.root)
        files.serve()
    }

    /// Writes a line immediately, also to a pipe.
    static func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// Ends this process when its parent was killed. A parent that is waiting for a file holds the pipe to here open
    /// until this process ends, so the pipe's end cannot be waited for.
    private static func exitWithParent() {
        let parent = getppid()
        while true {
            usleep(100_000)
            let status = try? String(contentsOfFile: "/proc/\(parent)/stat", encoding: .utf8)
            let state = status?.split(separator: ")").last?.split(separator: " ").first
            if getppid() != parent || state == nil || state == "Z" || state == "X" { exit(1) }
        }
    }
}
