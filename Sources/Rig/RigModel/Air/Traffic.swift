import BoardProtocol
import RadioModel

/// A predicate that selects packets on the air. The air evaluates it on decoded packets.
///
/// Examples: `.smp(.publicKey).sent(by: .accessory)`, `.eapol(message: 3)`, `.any([.att(opcode: 0x1B), .advertising])`.
/// Packets between a board's host and its controller match only if ``hci(_:)`` is part of the predicate.
public indirect enum Traffic: Sendable, Hashable, Codable {
    /// Every packet on the air.
    case everything
    /// All packets of one radio.
    case radio(AirRadio)
    /// Packets that this board's radios send; with ``hci(_:)``, packets between this board's host and controller. A
    /// host stack without a board counts as part of the accessory board.
    case from(BoardRole)
    /// Packets that one of this board's Bluetooth adapters sends; with ``hci(_:)``, packets between it and its host.
    case fromAdapter(BoardRole, AdapterID)
    /// Packets that contain these bytes anywhere.
    case containing([UInt8])

    /// LE advertisements, legacy or extended, scan requests and scan responses.
    case advertising
    /// Data packets of a Bluetooth link.
    case acl
    /// The beginning of an attribute protocol message on an LE link, enhanced bearers included; nil is any opcode (Core
    /// Specification, volume 3, part F, 3.4.8).
    case att(opcode: UInt8? = nil)
    /// The beginning of a security manager message on an LE link; nil is any.
    case smp(SMPCode? = nil)
    /// A packet between RootCanal's controllers, by the type in its first byte.
    case linkLayer(type: UInt8)
    /// Packets between a board's host and its controller.
    case hci(HCITraffic)

    /// An 802.11 frame by type (0 management, 1 control, 2 data) and subtype; nil is any subtype.
    case frame(type: UInt8, subtype: UInt8? = nil)
    /// An 802.11 authentication frame; SAE is algorithm 3, its commit is transaction 1 and its confirm 2.
    case authentication(algorithm: UInt16? = nil, transaction: UInt16? = nil)
    /// An unencrypted EAPOL frame; 1 to 4 is that message of the four-way handshake, nil is any.
    case eapol(message: Int? = nil)
    /// 802.11 data with a body, other than unencrypted EAPOL.
    case data

    /// Packets that match all of these.
    case all([Traffic])
    /// Packets that match at least one of these.
    case any([Traffic])
    /// Packets that do not match this.
    case not(Traffic)

    /// The SAE frame with this transaction number: 1 commit, 2 confirm.
    public static func sae(_ transaction: UInt16? = nil) -> Traffic {
        .authentication(algorithm: 3, transaction: transaction)
    }

    /// The change of an LE link's connection parameters by its central. If it is lost, the peripheral ends the link
    /// with Instant Passed (0x28), and the central hears nothing until its supervision timeout.
    public static var parameterUpdate: Traffic { .linkLayer(type: 0x2F) }

    /// The request of a scanning host to an advertiser for its scan response.
    public static var scanRequest: Traffic { .linkLayer(type: 0x0E) }

    /// The second part of an advertisement, for a host that requested it.
    public static var scanResponse: Traffic { .linkLayer(type: 0x0F) }

    /// The packets of this predicate that this board's radios send.
    public func sent(by board: BoardRole) -> Traffic { .all([self, .from(board)]) }

    /// The packets of this predicate that one of this board's Bluetooth adapters sends; useful if the accessory board
    /// hosts several accessories.
    public func sent(by board: BoardRole, adapter: AdapterID) -> Traffic { .all([self, .fromAdapter(board, adapter)]) }

    /// The packets that match both predicates.
    public func and(_ other: Traffic) -> Traffic { .all([self, other]) }
}

/// The codes of the security manager's messages (Core Specification, volume 3, part H, 3.3).
public enum SMPCode: UInt8, Sendable, Hashable, Codable {
    /// The central's offer to pair (3.5.1).
    case pairingRequest = 0x01
    /// The peripheral's answer to the offer (3.5.2).
    case pairingResponse = 0x02
    /// The commitment to a random number (3.5.3).
    case pairingConfirm = 0x03
    /// The random number (3.5.4).
    case pairingRandom = 0x04
    /// The end of a pairing, with its reason (3.5.5).
    case pairingFailed = 0x05
    /// The key of a legacy pairing (3.6.2).
    case encryptionInformation = 0x06
    /// The number that finds the key of a legacy pairing (3.6.3).
    case centralIdentification = 0x07
    /// The key that resolves private addresses (3.6.4).
    case identityInformation = 0x08
    /// The identity address (3.6.5).
    case identityAddressInformation = 0x09
    /// The key of signatures (3.6.6).
    case signingInformation = 0x0A
    /// The peripheral's request to pair or to encrypt (3.6.7).
    case securityRequest = 0x0B
    /// A public key of LE Secure Connections (3.5.6).
    case publicKey = 0x0C
    /// The check that both ends have the same key (3.5.7).
    case dhKeyCheck = 0x0D
    /// A key that the person pressed while entering the number (3.5.8).
    case keypressNotification = 0x0E
}

/// A kind of packet between a board's host and its controller (Core Specification, volume 4, part E, 5.4). nil matches
/// any value.
public enum HCITraffic: Sendable, Hashable, Codable {
    /// A command of the host.
    case command(opcode: UInt16? = nil)
    /// The subevent is for LE Meta events, code 0x3E.
    case event(code: UInt8? = nil, subevent: UInt8? = nil)
    /// Data of a link.
    case acl
}

extension Traffic: CustomStringConvertible {
    public var description: String {
        func hex(_ number: some BinaryInteger) -> String { "0x" + String(number, radix: 16, uppercase: true) }
        return switch self {
        case .everything: "everything"
        case .radio(let radio): radio.rawValue
        case .from(let board): "from the \(board.rawValue) board"
        case .fromAdapter(let board, let adapter): "from adapter \(adapter) of the \(board.rawValue) board"
        case .containing(let bytes): "with \(Hex.text(bytes))"
        case .advertising: "advertising"
        case .acl: "Bluetooth data"
        case .att(let opcode): "ATT" + (opcode.map { " \(hex($0))" } ?? "")
        case .smp(let code): "SMP" + (code.map { " \($0)" } ?? "")
        case .linkLayer(let type): "link-layer type \(hex(type))"
        case .hci(let kind): "HCI \(kind)"
        case .frame(let type, let subtype): "802.11 type \(type)" + (subtype.map { ", subtype \($0)" } ?? "")
        case .authentication(let algorithm, let transaction):
            (algorithm == 3 ? "SAE" : "authentication") + (transaction.map { " transaction \($0)" } ?? "")
        case .eapol(let message): "EAPOL" + (message.map { " message \($0)" } ?? "")
        case .data: "802.11 data"
        case .all(let parts): parts.map { "\($0)" }.joined(separator: " and ")
        case .any(let parts): parts.map { "\($0)" }.joined(separator: " or ")
        case .not(let part): "not \(part)"
        }
    }
}
