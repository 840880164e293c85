import HILPOSIX

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A daemon that an accessory's own program runs instead of the board.
public enum OwnedDaemon: String, Sendable, Hashable, Codable, CaseIterable {
    /// The program runs bluetoothd itself, with its own configuration if it wants, or uses the controller without it.
    case bluetoothd
    /// The program runs hostapd itself. The board's only Wi-Fi radio then belongs to the program.
    case hostapd
    /// The program runs dnsmasq itself. The board only runs it for the networks that it opens.
    case dnsmasq
    /// The program runs wpa_supplicant itself. The board's only Wi-Fi radio then belongs to the program.
    case wpaSupplicant = "wpa_supplicant"

    /// Whether the daemon needs the board's only Wi-Fi radio for itself.
    package var usesWiFi: Bool { self == .hostapd || self == .wpaSupplicant }
}

/// The condition for a program to count as ready.
public enum ProgramReadiness: Sendable, Hashable, Codable {
    /// Nothing: it is ready when it has started.
    case started
    /// It has printed a line that contains this text, to standard output or standard error.
    case line(containing: String)
    /// The board advertises by Bluetooth LE, through bluetoothd or the kernel's management interface.
    case advertisement
    /// The board has opened a Wi-Fi network with this name.
    case network(ssid: String)
    /// A process on the board accepts TCP connections at this port.
    case socket(port: UInt16)
}

extension ProgramReadiness: CustomStringConvertible {
    /// The awaited condition, for use after “the program”: `to print “ready”`.
    public var description: String {
        switch self {
        case .started: "to start"
        case .line(let text): "to print “\(text)”"
        case .advertisement: "to advertise"
        case .network(let ssid): "to open the network “\(ssid)”"
        case .socket(let port): "to listen on TCP port \(port)"
        }
    }
}

/// How a program ended.
public enum ProgramExit: Sendable, Hashable, Codable {
    /// It exited with this code.
    case code(Int32)
    /// A signal with this number ended it.
    case signal(Int32)

    package init(_ status: ExitStatus) {
        switch status {
        case .exited(let code): self = .code(code)
        case .signalled(let number): self = .signal(number)
        }
    }
}

extension ProgramExit: CustomStringConvertible {
    /// A verb phrase: `exited with 3`, `was ended by signal 11 (Segmentation fault)`.
    public var description: String {
        switch self {
        case .code(let code): ExitStatus.exited(code).description
        case .signal(let number): ExitStatus.signalled(number).description
        }
    }
}

/// A line that a program printed.
public struct ProgramLine: Sendable, Hashable, Codable {
    /// Where a line comes from.
    package enum Source: String, Sendable, Hashable, Codable {
        /// The program's standard output.
        case output
        /// The program's standard error.
        case errors
        /// The board, which left lines out because the program printed too many.
        case board
    }

    /// The line without its line break. Bytes that are not UTF-8 are replaced.
    public var text: String
    package var source: Source

    package init(_ text: String, from source: Source = .output) {
        self.text = text
        self.source = source
    }
}

/// The request to start an accessory's program.
package struct ProgramRequest: Sendable, Hashable, Codable {
    /// The files to unpack first; nil for none.
    package var payload: PayloadID?
    /// Whether to keep the program's folder from the last run, if that run had the same payload.
    package var keepsFiles: Bool
    /// The program and its arguments. No shell is involved.
    package var command: [String]
    package var environment: [String: String]
    /// The working folder: absolute, or relative to the folder of the files; nil for that folder.
    package var folder: String?
    /// The user that runs the program; nil for root.
    package var user: String?
    package var owns: Set<OwnedDaemon>

    package init(
        payload: PayloadID? = nil, keepsFiles: Bool = false, command: [String], environment: [String: String] = [:],
        folder: String? = nil, user: String? = nil, owns: Set<OwnedDaemon> = []
    ) {
        self.payload = payload
        self.keepsFiles = keepsFiles
        self.command = command
        self.environment = environment
        self.folder = folder
        self.user = user
        self.owns = owns
    }
}

/// A program to start before a scenario requests it.
package struct ProgramStart: Sendable, Hashable, Codable {
    package var request: ProgramRequest
    package var readiness: ProgramReadiness
    /// How long it may take to be ready.
    package var milliseconds: Int

    package init(_ request: ProgramRequest, _ readiness: ProgramReadiness, milliseconds: Int) {
        self.request = request
        self.readiness = readiness
        self.milliseconds = milliseconds
    }
}

/// The output of a command, and how it ended.
package struct CommandOutcome: Sendable, Hashable, Codable {
    /// Nil if it did not end in time and was killed.
    package var exit: ProgramExit?
    /// The end of its standard output and standard error, mixed: at most ``CommandRun/outputLimit`` bytes.
    package var output: Data

    package init(exit: ProgramExit?, output: Data) {
        self.exit = exit
        self.output = output
    }

    /// The output as text, without the last line break.
    package var text: String {
        var bytes = Array(output)
        while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
