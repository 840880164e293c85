import BoardProtocol
import FoundationEssentials
import HILBlueZ
import RadioModel

/// An accessory that an agent hosts: a program in Swift that uses the radios of an accessory board.
///
/// The agent makes one instance for each Bluetooth adapter. The instance of adapter 0 also has the board's Wi-Fi. The
/// agent informs each instance of what phones do, and carries out its calls of ``AccessoryRadio``. Commands, answers
/// and events are only bytes to the agent. The accessory and its handle in a scenario give them a meaning.
///
/// An agent may have several kinds. On each adapter, the kind that got the last command is in use.
///
/// The agent for a team's own boards is one line: `try runAgent(options, accessories: [Lamp.self]) { nil }`.
public protocol AgentAccessory: AnyObject, Sendable {
    /// The kind of accessory, in one word: `lamp`. Its handle in a scenario uses the same one.
    static var kind: String { get }

    /// The services that the accessory's maker runs on the internet; none by default. Their ports must differ.
    static var internetServices: [any InternetService] { get }

    /// Makes an accessory that is switched off.
    ///
    /// - Parameter radio: Do not use it before the first command.
    init(_ radio: any AccessoryRadio)

    /// Its GATT services and their handler. The agent reads this once, before the accessory advertises for the first
    /// time.
    var attributes: AccessoryAttributes { get }

    /// Carries out a command of the scenario's handle. There is one command at a time on the whole board.
    ///
    /// - Parameter command: From outside, so it may be hostile.
    /// - Returns: The answer.
    /// - Throws: ``RadioModel/RadioError`` for a refusal; any other error is a fault of the rig.
    func perform(_ command: Data) async throws -> Data

    /// Handles an event. Called on the radio's threads, in order; must return at once.
    func take(_ input: AccessoryInput)

    /// Answers a question during pairing, once, now or later. Called on the radio's threads; must return at once.
    ///
    /// - Parameter phone: The device that pairs; nil if bluetoothd does not say.
    func answer(
        _ question: PairingQuestion, of phone: DeviceAddress?, _ answer: @escaping @Sendable (Bool) -> Void)

    /// Answers with the number that the phone shows, once, now or later; nil refuses. Called on the radio's threads;
    /// must return at once.
    ///
    /// The agent asks only if ``AccessoryRadio/setCapability(_:)`` gave the accessory keys.
    func enterPasskey(of phone: DeviceAddress?, _ answer: @escaping @Sendable (UInt32?) -> Void)

    /// Starts to serve on one of its networks, which is open now, or on one that it has joined.
    ///
    /// - Parameter address: Its own IPv4 address in that network, in dotted form.
    /// - Returns: An object that serves. It is released when the network closes.
    func serve(on address: String) throws -> any Sendable
}

extension AgentAccessory {
    public static var internetServices: [any InternetService] { [] }

    /// Refuses: most accessories have no keys.
    public func enterPasskey(of phone: DeviceAddress?, _ answer: @escaping @Sendable (UInt32?) -> Void) { answer(nil) }
}

/// An event that concerns an accessory.
public enum AccessoryInput: Sendable, Hashable {
    /// A link was connected or disconnected.
    case connected(DeviceAddress)
    case disconnected(DeviceAddress)
    /// Show this number, which the person enters on the phone.
    case passkeyShown(DeviceAddress?, UInt32)
    /// A device that the accessory has connected to notified a value.
    case heard(DeviceAddress, Data)
    /// Pairing has succeeded.
    case bonded(DeviceAddress, Bond)
    /// A phone opened the classic channel over this link.
    case bridged(ClassicLink)
    /// A station joined or left one of its networks.
    case stationJoined(ssid: String, DeviceAddress)
    case stationLeft(ssid: String, DeviceAddress)
    /// The accessory joined a network of others, by itself or as it was told, or lost it.
    case joinedNetwork(ssid: String)
    case lostNetwork(ssid: String)
    /// The accessory did not find a network: it is at this centre frequency in MHz, in a band that its radio does not know.
    case unheardNetwork(ssid: String, frequency: Int)
    /// A daemon of the board has ended.
    case daemonLost(BoardDaemon)
    /// The daemon runs again, and the agent has restored what was on the air before.
    case daemonBack(BoardDaemon)
}

/// A question to an accessory during pairing.
public enum PairingQuestion: Sendable, Hashable {
    /// Whether the phone shows the same six digits.
    case comparison(passkey: UInt32)
    /// Whether to pair at all, without a number to compare.
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
