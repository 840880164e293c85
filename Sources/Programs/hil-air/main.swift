import BoardProtocol
@preconcurrency import Glibc
import HILAir
import HILPOSIX
import RigModel

/// The arguments of `hil-air`.
struct AirArguments {
    static let usage = """
        usage: hil-air --rig DIR --library PATH --log PATH [--boards host,accessory] [--record DIR] [--resume DIR]
                       [--protocol N]

        """

    var rig = ""
    var boards = BoardRole.allCases
    var library = ""
    var log = ""
    var record: String?
    var resume: String?
    /// The version of ``AirProtocol`` of the program that starts `hil-air`.
    var version = "\(AirProtocol.version)"

    /// Nil if an option is unknown or has no value, or if a required option is missing.
    init?(_ words: [String]) {
        var rest = words[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--rig": rig = value
            case "--boards":
                boards = value.split(separator: ",").compactMap { BoardRole(rawValue: String($0)) }
                if boards.isEmpty { return nil }
            case "--library": library = value
            case "--log": log = value
            case "--record": record = value
            case "--resume": resume = value
            case "--protocol": version = value
            default: return nil
            }
        }
        guard ![rig, library, log].contains("") else { return nil }
    }
}

/// Writes a line to standard error, with the time in seconds since 1970.
@Sendable func logLine(_ line: String) {
    let now = wallClockNanoseconds()
    let fraction = String(now / 1_000_000 % 1000 + 1000).dropFirst()
    try? Descriptor.standardError.write(Array("\(now / 1_000_000_000).\(fraction) \(line)\n".utf8))
}

extension Descriptor {
    static let standardInput = Descriptor(adopting: STDIN_FILENO)
    static let standardError = Descriptor(adopting: STDERR_FILENO)
}

/// Redirects standard output and standard error to the log. RootCanal writes a lot to standard output.
///
/// Each line is written at once, so that the last lines are in the log if RootCanal aborts.
func redirectOutput(to path: String) throws(SystemError) {
    let log = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND)
    for target in [STDOUT_FILENO, STDERR_FILENO] {
        try valueOrErrno("dup2", "pointing the output at \(path)") { dup2(log.raw, target) }
    }
    setvbuf(stdout, nil, _IOLBF, 0)
}

/// A descriptor that becomes readable when the process should end: after SIGTERM, SIGINT or the end of standard input.
func makeStop() throws(SystemError) -> Descriptor {
    let (read, write) = try Descriptor.pipe()
    let end: @Sendable () -> Void = { try? write.write([0]) }
    onSignal([SIGTERM, SIGINT], end)
    startThread(named: "lifeline") {
        while let bytes = try? Descriptor.standardInput.read(), !bytes.isEmpty {}
        end()
    }
    return read
}

guard let arguments = AirArguments(Array(CommandLine.arguments.dropFirst())) else {
    try? Descriptor.standardError.write(Array(AirArguments.usage.utf8))
    exit(64)
}
signal(SIGPIPE, SIG_IGN)
guard arguments.version == "\(AirProtocol.version)" else {
    logLine(
        """
        hil-air speaks version \(AirProtocol.version) of its protocol, but its caller speaks version \
        \(arguments.version): rebuild both with `make build`
        """)
    exit(2)
}
do {
    let stop = try makeStop()
    try redirectOutput(to: arguments.log)
    let configuration = AirConfiguration(
        rig: arguments.rig, boards: arguments.boards, library: arguments.library, recordings: arguments.record,
        resumed: arguments.resume)
    let server = try AirServer(configuration, log: logLine)
    let ticker = try Ticker(at: RigFolder.ticks(of: .air, in: arguments.rig))
    try server.run(until: stop)
    ticker.stop()
    logLine("the air ends")
} catch {
    logLine("the air ends: \(error)")
    exit(2)
}
