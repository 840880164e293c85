import Foundation
import HIL

/// A Bluetooth host stack that others have written, with a small program of ours over it.
///
/// All programs have the same command line, `PROGRAM PLACE peripheral|central --io none|display|keyboard|yesno [--legacy] [--oob]`,
/// take the same commands and print the same lines. `README.md` lists both.
enum OtherStack: String, CaseIterable {
    /// Apache NimBLE, which speaks H4 over TCP.
    case nimble
    /// BlueKitchen's BTstack, which speaks H4 over a terminal.
    case btstack
    /// Google's Bumble, which speaks H4 over a Unix socket.
    case bumble

    /// The program, as the phone's peer.
    ///
    /// - Parameters:
    ///   - phone: The phone's role; the program has the other one.
    ///   - method: How the two shall pair.
    ///   - hasData: Whether the program says that it has out-of-band data of the phone.
    func program(for phone: PhoneRole, by method: PairingMethod, hasData: Bool = false) -> HostStack {
        var arguments = [phone.ofPeer, "--io", method.io.rawValue]
        if !method.isSecureConnections { arguments.append("--legacy") }
        if hasData { arguments.append("--oob") }
        switch self {
        case .nimble: return .hostStack(command: ["\(Files.built)/nimble", "{port}"] + arguments, speaking: .tcp())
        case .btstack: return .hostStack(command: ["\(Files.built)/btstack", "{pty}"] + arguments, speaking: .pty())
        case .bumble:
            return .hostStack(
                command: ["python3", "\(Files.hostStackInterop)/bumble/main.py", "{socket}"] + arguments,
                environment: ["PYTHONPATH": "\(Files.checkout)/.build/tests-python"], speaking: .unixSocket())
        }
    }
}

/// The phone's role on the link.
enum PhoneRole: String, CaseIterable {
    case central, peripheral

    /// The word for the program's role.
    var ofPeer: String { self == .central ? "peripheral" : "central" }
}

/// How phone and peer pair. The phone has a screen and a keyboard, so that the peer decides (Core Specification 6.0,
/// Vol 3, Part H, 2.3.5.1).
enum PairingMethod: String, CaseIterable {
    case justWorks, comparison, phoneEnters, peerEnters
    case legacyJustWorks, legacyPhoneEnters, legacyPeerEnters

    /// What the peer has for the person.
    enum Capability: String { case none, display, keyboard, yesno }

    var io: Capability {
        switch self {
        case .justWorks, .legacyJustWorks: .none
        case .comparison: .yesno
        case .phoneEnters, .legacyPhoneEnters: .display
        case .peerEnters, .legacyPeerEnters: .keyboard
        }
    }

    var isSecureConnections: Bool { !rawValue.hasPrefix("legacy") }
    var isAuthenticated: Bool { io != .none }

    /// What the peer prints about its bond.
    var words: String {
        "paired \(isAuthenticated ? "authenticated" : "unauthenticated") \(isSecureConnections ? "sc" : "legacy")"
    }
}
