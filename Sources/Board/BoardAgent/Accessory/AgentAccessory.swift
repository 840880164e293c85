import BlueZ
import BoardProtocol
import FoundationEssentials
import InternetModel
import RadioModel

/// A kind of accessory that an agent hosts: a program in Swift that has the radios of an accessory board.
///
/// The agent makes one instance for each Bluetooth adapter. That of adapter 0 has the board's Wi-Fi as well. It tells each what
/// phones do, and carries out what it asks of its ``AccessoryRadio``. What commands, answers and events mean, only the accessory
/// and its handle in a scenario know: here they are bytes.
///
/// The agent of a team's own boards is one line: `try runAgent(options, accessory: Lamp.self) { nil }`.
public protocol AgentAccessory: AnyObject, Sendable {
    /// What the accessory's maker runs on the internet; by default nothing. The ports all differ.
    static var internetServices: [any InternetService] { get }

    /// An accessory that is switched off.
    ///
    /// - Parameter radio: Not to be asked for anything before a first command came.
    init(_ radio: any AccessoryRadio)

    /// The GATT services that it offers, and what answers for them. Asked for once, before it is on the air for the first time.
    var attributes: AccessoryAttributes { get }

    /// Does what the scenario's handle asks. One command at a time, on the whole board.
    ///
    /// - Parameter command: Hostile, like everything from outside.
    /// - Returns: The answer.
    /// - Throws: ``RadioModel/RadioError`` for a refusal; any other error is a fault of the rig.
    func perform(_ command: Data) async throws -> Data

    /// Takes what a phone or the board did. Called on the radio's threads, in order; must return at once.
    func take(_ input: AccessoryInput)

    /// Answers a question of pairing, once, now or later. Called on the radio's threads; must return at once.
    ///
    /// - Parameter phone: Who pairs; nil where bluetoothd does not say.
    func answer(
        _ question: PairingQuestion, of phone: DeviceAddress?, _ answer: @escaping @Sendable (Bool) -> Void)

    /// Begins to serve on one of its networks, which is on the air now.
    ///
    /// - Parameter address: Its own in that network, in dotted form.
    /// - Returns: What serves. It is let go of when the network closes.
    func serve(on address: String) throws -> any Sendable
}

extension AgentAccessory {
    public static var internetServices: [any InternetService] { [] }
}

/// What a phone or the board did, for an accessory to know.
public enum AccessoryInput: Sendable, Hashable {
    /// A link came up, or went.
    case connected(DeviceAddress)
    case disconnected(DeviceAddress)
    /// Pairing ended well.
    case bonded(DeviceAddress, Bond)
    /// A phone opened the classic channel, over this link.
    case bridged(BridgeLink)
    /// A station joined or left one of its networks.
    case stationJoined(ssid: String, DeviceAddress)
    case stationLeft(ssid: String, DeviceAddress)
    /// A daemon of the board ended.
    case daemonLost(BoardDaemon)
    /// It runs again, and what was on the air before is on it again.
    case daemonBack(BoardDaemon)
}

/// What pairing asks of an accessory.
public enum PairingQuestion: Sendable, Hashable {
    /// Whether the phone shows the same six digits.
    case comparison(passkey: UInt32)
    /// Whether to pair at all, where there is nothing to compare.
    case authorization
}

/// The GATT services of an accessory.
public struct AccessoryAttributes: Sendable {
    public var services: [LocalService]
    /// Called on the bus's thread, in order; must not block.
    public var handler: GATTServerHandler

    public init(services: [LocalService], handler: GATTServerHandler) {
        self.services = services
        self.handler = handler
    }
}
