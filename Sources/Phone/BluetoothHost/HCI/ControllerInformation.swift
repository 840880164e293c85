import RadioModel

/// What a controller is and has, as its start found it.
package struct ControllerInformation: Sendable, Equatable {
    /// The versions of a controller (Core Specification 6.0, Vol 4, Part E, 7.4.1).
    package struct Version: Sendable, Hashable {
        /// The number of the Core Specification's version for HCI (Assigned Numbers, 2.1): 13 is 5.4, 14 is 6.0.
        package var hci: UInt8
        package var hciSubversion: UInt16
        /// The same number for the link manager.
        package var linkManager: UInt8
        /// The company that made the controller (Assigned Numbers, 7.1).
        package var company: UInt16
        package var subversion: UInt16
    }

    /// The public address; nil if there is none.
    package var address: DeviceAddress?
    package var version: Version?
    package var supportedCommands = SupportedCommands()
    /// The features of the classic controller, the first page (Vol 2, Part C, 3.3).
    package var classicFeatures: UInt64 = 0
    package var features: LEFeatures = []
    package var states: LEStates = []
    package var buffers = BufferSizes()
    /// How many devices the filter accept list takes.
    package var filterAcceptListSize = 0
    /// How many devices the resolving list takes.
    package var resolvingListSize = 0
    /// The most bytes of advertising data.
    package var advertisingDataLength = 31
    /// How many advertising sets there may be; 0 without extended advertising.
    package var advertisingSets = 0
    /// nil without data length extension.
    package var dataLength: DataLength?
    /// Commands of the start that the controller refused, with the reason.
    package var refusals: [String] = []

    package init() {}

    /// Whether it has a classic (BR/EDR) controller.
    package var hasClassic: Bool { classicFeatures & ControllerInformation.noClassic == 0 && buffers.classic.exist }

    /// The bit “BR/EDR Not Supported” (Vol 2, Part C, 3.3).
    private static let noClassic: UInt64 = 1 << 37
}

/// The commands that a controller supports.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 6.27.
package struct SupportedCommands: Sendable, Hashable {
    private var bytes: [UInt8]

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// Whether the controller has a command that this host knows.
    package func contains(_ opcode: HCIOpcode) -> Bool {
        guard let entry = HCIOpcode.table[opcode], entry.octet < bytes.count else { return false }
        return bytes[entry.octet] & 1 << UInt8(entry.bit) != 0
    }
}

/// The buffers of a controller for data from its host.
package struct BufferSizes: Sendable, Hashable {
    /// The buffers for one kind of link.
    package struct Buffers: Sendable, Hashable {
        /// The most bytes of data in one packet.
        package var packetLength: Int
        /// How many packets the controller holds.
        package var packetCount: Int

        package init(packetLength: Int = 0, packetCount: Int = 0) {
            self.packetLength = packetLength
            self.packetCount = packetCount
        }

        /// Whether there are any.
        package var exist: Bool { packetLength > 0 && packetCount > 0 }
    }

    /// None if LE links use the classic buffers.
    package var lowEnergy = Buffers()
    package var classic = Buffers()

    package init(lowEnergy: Buffers = Buffers(), classic: Buffers = Buffers()) {
        self.lowEnergy = lowEnergy
        self.classic = classic
    }
}
