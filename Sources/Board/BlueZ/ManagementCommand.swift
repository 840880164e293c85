import RadioModel

/// A command to the kernel's Bluetooth management interface.
///
/// Source: BlueZ 5.82, `doc/mgmt-protocol.rst`.
package enum ManagementCommand: Sendable, Equatable {
    /// Reads the address and the settings of a controller.
    case information
    /// Switches a controller on or off. Off ends its links.
    case setPowered(Bool)
    /// Lists the links of a controller. An adapter that is off answers with an error.
    case connections
    /// Ends all advertisements.
    case removeAdvertisements
    case setConnectable(Bool)
    case setFastConnectable(Bool)
    case setBondable(Bool)
    /// BR/EDR in addition to LE. The kernel accepts it only if the adapter is off and Secure Connections are disabled.
    case setClassic(Bool)
    case setSimplePairing(Bool)
    case setSecureConnections(Bool)
    /// Private addresses, which only devices with this key (16 bytes) can resolve; nil for none. The adapter must be
    /// off.
    case setPrivacy([UInt8]?)
    /// Reads how many advertisements the kernel sends now, and its limits.
    case advertisingFeatures
    /// Ends an LE link, and answers at its end: the status is ``ManagementReply/notConnected`` if there is none.
    case disconnect(DeviceAddress, isRandom: Bool)
    /// The parameters that a peripheral requests from its central. The kernel requests them when a link begins with
    /// another interval.
    case setDefaultConnectionParameters(ConnectionParameters)

    var code: UInt16 {
        switch self {
        case .information: 0x0004
        case .setPowered: 0x0005
        case .setConnectable: 0x0007
        case .setFastConnectable: 0x0008
        case .setBondable: 0x0009
        case .setSimplePairing: 0x000B
        case .disconnect: 0x0014
        case .connections: 0x0015
        case .setClassic: 0x002A
        case .setSecureConnections: 0x002D
        case .setPrivacy: 0x002F
        case .advertisingFeatures: 0x003D
        case .removeAdvertisements: 0x003F
        case .setDefaultConnectionParameters: 0x004C
        }
    }

    var parameters: [UInt8] {
        switch self {
        case .setPowered(let isOn), .setConnectable(let isOn), .setFastConnectable(let isOn), .setBondable(let isOn),
            .setClassic(let isOn), .setSimplePairing(let isOn),
            .setSecureConnections(let isOn):
            [isOn ? 1 : 0]
        case .setPrivacy(let key): [key == nil ? 0 : 1] + (key ?? [UInt8](repeating: 0, count: 16))
        case .disconnect(let address, let isRandom):
            address.bytes.reversed() + [isRandom ? 2 : 1]
        case .information, .connections, .advertisingFeatures: []
        case .removeAdvertisements: [0]
        case .setDefaultConnectionParameters(let parameters):
            zip(UInt16(0x0017)..., parameters.fields).flatMap { type, value in
                type.littleEndianBytes + [2] + value.littleEndianBytes
            }
        }
    }
}

/// The kernel's answer to a command.
package struct ManagementReply: Sendable, Equatable {
    /// The code of the command.
    package let code: UInt16
    /// The controller that answers: 0 is `hci0`.
    package let controller: UInt16
    /// 0 is success. The other codes are in `doc/mgmt-protocol.rst`, "Error Codes".
    package let status: UInt8
    package let parameters: [UInt8]

    /// The status of a command for a link that does not exist.
    package static let notConnected: UInt8 = 0x02
    /// The status of a command for a controller that does not exist, or that a program has for itself.
    package static let invalidIndex: UInt8 = 0x11

    /// Parses a packet of the control channel; nil if it is not a reply.
    package init?(decoding packet: [UInt8]) {
        var reader = LittleEndianReader(packet)
        // Command Complete, Command Status.
        guard let event = reader.uint16(), event == 1 || event == 2, let controller = reader.uint16(),
            let length = reader.uint16(), Int(length) <= reader.count, let code = reader.uint16(),
            let status = reader.uint8(), let parameters = reader.bytes(Int(length) - 3)
        else { return nil }
        self.code = code
        self.controller = controller
        self.status = status
        self.parameters = parameters
    }

    /// How many advertisements the kernel sends, from a reply to ``ManagementCommand/advertisingFeatures``.
    package var advertisements: Int? {
        // Flags 4, longest data 1, longest scan response 1, most instances 1, instances 1.
        guard code == 0x003D, status == 0, parameters.count >= 8 else { return nil }
        return Int(parameters[7])
    }
}

extension ConnectionParameters {
    /// In the order of the kernel's interface.
    fileprivate var fields: [UInt16] { [shortestInterval, longestInterval, latency, timeout] }
}

extension UInt16 {
    fileprivate var littleEndianBytes: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}
