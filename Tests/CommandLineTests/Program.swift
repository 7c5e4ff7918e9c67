import Foundation

/// The real program, run as a user would run it.
struct Program {
    /// What a run of the program left behind.
    struct Outcome {
        var status: Int32
        var output: Data
        var errors: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The working folder of the program; removed with its owner.
    let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Runs `lifestats` with arguments, in the scratch folder.
    @discardableResult
    func run(_ arguments: String..., input: String? = nil, environment: [String: String] = [:]) throws -> Outcome {
        try run(arguments, input: input, environment: environment)
    }

    /// Runs a script of the shell, in the scratch folder; `$LIFESTATS` is the program.
    func shell(_ script: String) throws -> Outcome {
        try run(
            ["-c", script], environment: ["LIFESTATS": Self.executable.path],
            executable: URL(fileURLWithPath: "/bin/bash"))
    }

    func run(
        _ arguments: [String], input: String? = nil, environment: [String: String] = [:],
        executable: URL = Program.executable
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        var variables = ProcessInfo.processInfo.environment
        variables["LIFESTATS_DB"] = nil
        variables["COLUMNS"] = nil
        variables["NO_COLOR"] = "1"
        variables.merge(environment) { $1 }
        process.environment = variables
        // Files, not pipes, which could fill up.
        let output = folder.url.appendingPathComponent(".stdout")
        let errors = folder.url.appendingPathComponent(".stderr")
        let inputFile = folder.url.appendingPathComponent(".stdin")
        try Data((input ?? "").utf8).write(to: inputFile)
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        // Test threads may block signals, and child processes inherit that.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_UNBLOCK, &all, nil)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try Data(contentsOf: output),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// Writes a file into the scratch folder.
    func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    func write(_ data: Data, to name: String) throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    /// The program that `LIFESTATS_BINARY` names, as in `make test`, or the one next to the test bundle.
    static let executable: URL = {
        if let path = ProcessInfo.processInfo.environment["LIFESTATS_BINARY"] { return URL(fileURLWithPath: path) }
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let folder = (bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        return folder.appendingPathComponent("lifestats")
    }()

    /// `until_read FILE BYTES`, for a script of the shell: waits until the process `$A` has read this much of a file, or
    /// has ended.
    static let untilRead = """
        until_read() {
            while kill -0 $A 2>/dev/null; do
                for descriptor in /proc/$A/fd/*; do
                    [ "$descriptor" -ef "$1" ] || continue
                    position=$(awk '/^pos:/ { print $2 }' /proc/$A/fdinfo/${descriptor##*/} 2>/dev/null)
                    [ "${position:-0}" -ge "$2" ] && return
                done
                sleep 0.01  # looking without a pause would take the processor from what is looked at
            done
        }

        """

    /// Whether the system reports how far a process has read its files.
    static let tellsOfReading = FileManager.default.fileExists(atPath: "/proc/self/fdinfo")

    /// The root of the project.
    static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
