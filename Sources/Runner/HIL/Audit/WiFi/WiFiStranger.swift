import BoardProtocol
import HILPOSIX
import HILRecord
import RadioModel
import RigModel

/// A stranger near the accessory with a Wi-Fi radio of its own: wpa_supplicant, in a network that the phone does not see.
///
/// Its frames go over the same air as the phone's, and are in the capture beside them.
struct WiFiStranger: Sendable {
    let radio: DeviceAddress
    private let host: BoardClient

    /// How long joining a network may take, with an address.
    private static let joinLimit = Duration.seconds(40)

    /// Puts a stranger on the air.
    ///
    /// - Parameter adapter: Which of ``AdapterID/strangers``.
    /// - Throws: `RigLacks` if the rig has no radios for it; `RigFailure`.
    static func appear(in lab: Lab, as adapter: AdapterID) async throws -> WiFiStranger {
        let connection = lab.rig.connection
        let adapters = try connection.facet(connection.adapters, .adapters, lab.recorder)
        let radio = try await connection.plugInFurtherWiFi(adapter, by: adapters).further
        lab.recorder.record(.onAir(radio, "a stranger's Wi-Fi"))
        lab.recorder.record(.audit(.stranger(address: "\(radio)", interface: "air-wifi")))
        return WiFiStranger(radio: radio, host: connection.host)
    }

    /// Takes all strangers of a lab off the air.
    static func leave(_ lab: Lab) async { _ = try? await lab.rig.connection.host.ask { .stranger(.leave($0)) } }

    /// Asks something of its station.
    @discardableResult
    func station<Value: Codable & Sendable>(
        within limit: Duration = .seconds(30), _ call: @Sendable (Reply<Value>) -> StationCall
    ) async throws -> Value {
        try await host.ask(within: limit) { .stranger(.station(radio, call($0))) }
    }

    /// Joins a network, and gets an address there.
    ///
    /// - Throws: ``RadioError`` if the network refuses it, or cannot be heard.
    func join(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        try await station(within: Self.joinLimit) { .join(credentials, $0) }
    }

    /// Asks ports of a device in the joined network.
    func ask(_ question: PortQuestion, within limit: Duration) async throws -> PortAnswers {
        try await host.ask(within: limit) { .stranger(.askPorts(radio, question, $0)) }
    }
}
