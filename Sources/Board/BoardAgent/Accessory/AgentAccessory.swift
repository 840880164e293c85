import BoardProtocol
import FoundationEssentials
import HILBlueZ
import HILPOSIX
import RadioModel

/// An accessory that an agent hosts: a program in Swift that uses the radios of an accessory board.
///
/// The agent makes one instance for each Bluetooth adapter. The instance of adapter 0 also has the board's Wi-Fi. The
/// agent informs each instance of what phones do, and carries out its calls of ``AccessoryRadio``. Commands, answers
/// and events are only bytes to the agent. The accessory and its handle in a scenario give them a meaning.
///
/// An agent may have several kinds. On each adapter, the kind that got the last call is in use.
package protocol AgentAccessory: AnyObject, Sendable {
    /// What the scenario's handle asks of the accessory: an enum whose cases end with a `Reply`, which says what the
    /// answer is: `case roll(face: UInt8, Reply<Done>)`.
    associatedtype Call: Codable & Sendable

    /// The kind of accessory, in one word: `lamp`. Its handle in a scenario uses the same one.
    static var kind: String { get }

    /// The services that the accessory's maker runs on the internet; none by default. Their ports must differ.
    static var internetServices: [any InternetService] { get }

    /// Makes an accessory that is switched off.
    ///
    /// - Parameter radio: Do not use it before the first call.
    init(_ radio: any AccessoryRadio)

    /// Its GATT services and their handler. The agent reads this once, before the accessory advertises for the first
    /// time.
    var attributes: AccessoryAttributes { get }

    /// Carries out a call of the scenario's handle. There is one call at a time on the whole board.
    ///
    /// - Parameter call: From outside, so it may be hostile.
    /// - Returns: The answer, which only the call's reply makes: `case .roll(let face, let reply): return reply()`.
    /// - Throws: ``RadioModel/RadioError`` for a refusal; any other error is a fault of the rig.
    func perform(_ call: Call) async throws -> Answer

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
    package static var internetServices: [any InternetService] { [] }

    /// Refuses: most accessories have no keys.
    package func enterPasskey(of phone: DeviceAddress?, _ answer: @escaping @Sendable (UInt32?) -> Void) { answer(nil) }

    /// Carries out a call in JSON, and returns its answer in JSON.
    package func perform(encoded message: Data) async throws -> Data {
        let call: Call
        do { call = try JSONDecoder().decode(Call.self, from: message) } catch {
            throw RadioError.invalid("the \(Self.kind) of this agent: \(unreadCall(message, error))")
        }
        return try await perform(call).encoded()
    }
}

/// An event that concerns an accessory.
package enum AccessoryInput: Sendable, Hashable {
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
package enum PairingQuestion: Sendable, Hashable {
    /// Whether the phone shows the same six digits.
    case comparison(passkey: UInt32)
    /// Whether to pair at all, without a number to compare.
    case authorization
}

/// The GATT services of an accessory.
package struct AccessoryAttributes: Sendable {
    package var services: [LocalService]
    /// Called on the bus's thread, in order; must not block.
    package var handler: GATTServerHandler

    package init(services: [LocalService], handler: GATTServerHandler) {
        self.services = services
        self.handler = handler
    }
}
