import Foundation
import Testing

@Suite("What a program loads", .timeLimit(.minutes(5)))
struct LinkageTests {
    static let programs = [
        LinkedProgram(
            name: "transport-alone",
            testDescription: "a transport and layers, with a closure as the engine",
            loads: ["libFoundationEssentials"],
            loadsNot: engineLibraries + wholeFoundation
        ),
        LinkedProgram(
            name: "core-and-serialization",
            testDescription: "requests and their responses, with a closure as the engine",
            loadsNot: engineLibraries
        ),
        LinkedProgram(
            name: "curl-alone",
            testDescription: "the libcurl engine without sessions",
            loads: ["libcurl"],
            loadsNot: wholeFoundation
        ),
        LinkedProgram(
            name: "socket-alone",
            testDescription: "the engine over sockets without sessions",
            loads: ["libssl", "libnghttp2"],
            loadsNot: ["libcurl"] + wholeFoundation
        ),
        LinkedProgram(
            name: "security-alone",
            testDescription: "evaluators without an engine",
            loads: ["libcrypto"],
            loadsNot: ["libcurl", "libnghttp2"]
        ),
        LinkedProgram(
            name: "oauth-alone",
            testDescription: "tokens without an engine",
            loads: ["libcrypto"],
            loadsNot: ["libcurl", "libnghttp2"]
        ),
        LinkedProgram(
            name: "mock-alone",
            testDescription: "a program's tests on the mock",
            loadsNot: engineLibraries + ["libz.", "libbrotli", "libzstd"]
        ),
        LinkedProgram(
            name: "reachability-alone",
            testDescription: "a monitor of the network without an HTTP client",
            loadsNot: engineLibraries + wholeFoundation + ["libFoundationEssentials"]
        ),
        LinkedProgram(
            name: "connectivity-alone",
            testDescription: "requests that wait for a network, over a closure as the engine",
            loadsNot: engineLibraries
        ),
        LinkedProgram(
            name: "compression-alone",
            testDescription: "the content codings without an engine",
            loads: ["libz.", "libbrotlidec", "libzstd"],
            loadsNot: engineLibraries + wholeFoundation
        ),
        LinkedProgram(
            name: "cookies-alone",
            testDescription: "a jar of cookies without an engine",
            loads: ["libpsl"],
            loadsNot: engineLibraries + wholeFoundation
        ),
        LinkedProgram(
            name: "redis-alone",
            testDescription: "a cache store in Redis without an engine",
            loads: ["libhiredis"],
            loadsNot: engineLibraries
        ),
        LinkedProgram(
            name: "transfers-alone",
            testDescription: "a queue of transfers, with a closure as the engine",
            loads: ["libsqlite3", "libcrypto"],
            loadsNot: ["libcurl", "libnghttp2", "libbrotli", "libzstd"]
        ),
        LinkedProgram(
            name: "har-alone",
            testDescription: "a reader of HTTP archives",
            loadsNot: engineLibraries + wholeFoundation + ["libz.", "libbrotli", "libzstd"]
        ),
        LinkedProgram(
            name: "metrics-alone",
            testDescription: "requests that are measured, without an engine",
            loadsNot: engineLibraries
        ),
        LinkedProgram(
            name: "tracing-alone",
            testDescription: "requests that are traced, without an engine",
            loadsNot: engineLibraries
        ),
        LinkedProgram(
            name: "logging-alone",
            testDescription: "loggers without an engine",
            loadsNot: engineLibraries + ["libz.", "libbrotli", "libzstd"]
        ),
        LinkedProgram(
            name: "inspection-alone",
            testDescription: "a program that is inspected, without an engine",
            loadsNot: engineLibraries + ["libz.", "libbrotli", "libzstd"]
        ),
        LinkedProgram(
            name: "foundation-alone",
            testDescription: "the conversions to and from FoundationNetworking's types, without an engine",
            // FoundationNetworking itself needs libcurl, and libcurl OpenSSL.
            loads: ["libFoundationNetworking", "libpsl"],
            loadsNot: []
        ),
        LinkedProgram(
            name: "configuration-alone",
            testDescription: "a configuration that is read through swift-configuration, without an engine",
            loadsNot: engineLibraries
        ),
        LinkedProgram(
            name: "everything",
            testDescription: "the umbrella",
            loads: ["libssl", "libnghttp2", "libzstd"],
            loadsNot: ["libcurl", "libhiredis"]
        ),
    ]

    private static let engineLibraries = ["libcurl", "libssl", "libcrypto", "libnghttp2"]
    private static let wholeFoundation = ["libFoundation.so", "libFoundationInternationalization", "lib_FoundationICU"]

    // Serialized, so that one compiler runs at a time.
    @Test("loads the libraries of the modules that it names and no others", .serialized, arguments: programs)
    func loadsOnlyWhatItNames(program: LinkedProgram) async throws {
        let linkage = try await Linkage(ofProgramAt: program.build())
        try #require(Set(linkage.needed).isSubset(of: linkage.loaded), "the loader's account is not the program's")
        let networking = "libFoundationNetworking"
        let forbidden = program.loadsNot + (program.loads.contains(networking) ? [] : [networking])
        let wrong = linkage.loaded.filter { library in forbidden.contains { library.hasPrefix($0) } }
        expectNone(wrong.map { "\(program.name) loads \($0)" })
        let missing = program.loads.filter { library in !linkage.needed.contains { $0.hasPrefix(library) } }
        expectNone(missing.map { "\(program.name) does not need \($0); it needs \(linkage.needed)" })
    }
}

/// The shared libraries of a program.
private struct Linkage {
    /// The libraries that the program itself names: the entries `NEEDED` of its dynamic section.
    let needed: [String]
    /// The libraries that the system's loader loads, including indirect ones.
    let loaded: [String]

    init(ofProgramAt path: String) async throws {
        let dynamic = try await Program("readelf", ["--dynamic", "--wide", path]).run()
        needed = dynamic.matches(of: /\(NEEDED\)\s+Shared library: \[([^\]]+)\]/).map { String($0.output.1) }
        // As `ldd` does: the loader lists the libraries and does not start the program.
        let trace = try await Program("env", ["LD_TRACE_LOADED_OBJECTS=1", path]).run()
        let names = trace.split(separator: "\n").compactMap { $0.split(whereSeparator: \.isWhitespace).first }
        // The loader itself stands there with its path.
        loaded = names.compactMap { $0.split(separator: "/").last.map(String.init) }
    }
}
