import RadioModel

/// The number of a command: 6 bits for its group and 10 bits for the command.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 5.4.1.
package struct HCIOpcode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The name of the specification: `LE Set Scan Enable`; the number for a command that this host does not use.
    package var name: String {
        HCIOpcode.table[self]?.name ?? "command 0x" + Hex.text([UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)])
    }

    package var description: String { name }
}

/// What the specification says of a command.
struct HCICommandEntry: Sendable {
    let name: String
    /// Its place among the supported commands: a byte, and a bit in it (Core Specification 6.0, Vol 4, Part E, 6.27).
    let octet: Int
    let bit: Int

    init(_ name: String, _ octet: Int, _ bit: Int) {
        self.name = name
        self.octet = octet
        self.bit = bit
    }
}

/// Link control, and status of a link.
extension HCIOpcode {
    /// No command: a controller answers it to change the number of commands that it takes.
    package static let noOperation = HCIOpcode(rawValue: 0x0000)
    package static let createConnection = HCIOpcode(rawValue: 0x0405)
    package static let disconnect = HCIOpcode(rawValue: 0x0406)
    package static let createConnectionCancel = HCIOpcode(rawValue: 0x0408)
    package static let acceptConnectionRequest = HCIOpcode(rawValue: 0x0409)
    package static let rejectConnectionRequest = HCIOpcode(rawValue: 0x040A)
    package static let linkKeyRequestReply = HCIOpcode(rawValue: 0x040B)
    package static let linkKeyRequestNegativeReply = HCIOpcode(rawValue: 0x040C)
    package static let authenticationRequested = HCIOpcode(rawValue: 0x0411)
    package static let setConnectionEncryption = HCIOpcode(rawValue: 0x0413)
    package static let remoteNameRequest = HCIOpcode(rawValue: 0x0419)
    package static let readRemoteSupportedFeatures = HCIOpcode(rawValue: 0x041B)
    package static let readRemoteVersionInformation = HCIOpcode(rawValue: 0x041D)
    package static let ioCapabilityRequestNegativeReply = HCIOpcode(rawValue: 0x0434)
    package static let readRSSI = HCIOpcode(rawValue: 0x1405)
    package static let readEncryptionKeySize = HCIOpcode(rawValue: 0x1408)
}

/// Controller, baseband, and informational parameters.
extension HCIOpcode {
    package static let setEventMask = HCIOpcode(rawValue: 0x0C01)
    package static let reset = HCIOpcode(rawValue: 0x0C03)
    package static let writePageTimeout = HCIOpcode(rawValue: 0x0C18)
    package static let writeScanEnable = HCIOpcode(rawValue: 0x0C1A)
    package static let writeSimplePairingMode = HCIOpcode(rawValue: 0x0C56)
    package static let writeLEHostSupport = HCIOpcode(rawValue: 0x0C6D)
    package static let writeSecureConnectionsHostSupport = HCIOpcode(rawValue: 0x0C7A)
    package static let readLocalVersionInformation = HCIOpcode(rawValue: 0x1001)
    package static let readLocalSupportedCommands = HCIOpcode(rawValue: 0x1002)
    package static let readLocalSupportedFeatures = HCIOpcode(rawValue: 0x1003)
    package static let readBufferSize = HCIOpcode(rawValue: 0x1005)
    package static let readAddress = HCIOpcode(rawValue: 0x1009)
}
