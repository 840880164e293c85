import RadioModel

/// The commands that bring a controller from power-on to use, one after the other.
///
/// Source: Core Specification 6.0, Vol 6, Part D, 2.1.
package struct Initialisation: Sendable {
    package struct Configuration: Sendable, Hashable {
        /// Whether to prepare the classic controller for a link to a bonded device.
        package var usesClassic = true
        /// The longest packets to send on new links; nil leaves the controller's.
        package var defaultDataLength: TransmitLength?
        /// The PHYs for new links; nil leaves the controller's.
        package var defaultPHYs: LEPHYSet?
        /// How long to call a classic device, in units of 0.625 ms; nil leaves the controller's.
        package var pageTimeout: UInt16?
        /// The events to ask for.
        package var events = Set(HCIEvent.Code.allCases)
        /// The LE events to ask for. Without `remoteConnectionParameterRequest` the controller refuses such requests.
        package var lowEnergyEvents = Set(HCIEvent.LECode.allCases)

        package init() { lowEnergyEvents.remove(.enhancedConnectionCompleteV2) }
    }

    /// What to do next.
    package enum Step: Sendable, Equatable {
        /// Send this command, and give its result to ``completed(_:returnParameters:)``.
        case send(HCICommand)
        case done(ControllerInformation)
        /// The controller cannot be used: why, in plain words.
        case failed(String)
    }

    package private(set) var information = ControllerInformation()
    private let configuration: Configuration
    /// The commands that are not sent yet.
    private var waiting = Initialisation.order[...]
    /// The command whose result is awaited.
    private var current: HCIOpcode?

    package init(configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// The first step.
    package mutating func start() -> Step { next() }

    /// Takes the result of the command that was sent last: its status, and the return parameters after the status.
    package mutating func completed(_ status: HCIError, returnParameters: [UInt8]) -> Step {
        guard let opcode = current else { return .failed("a result came before its command") }
        if status.isSuccess {
            do { try information.take(returnParameters, of: opcode) } catch {
                return .failed("the controller's start failed: \(error)")
            }
        } else if Initialisation.essential.contains(opcode) {
            return .failed("the controller's start failed: \(opcode): \(status)")
        } else {
            information.refusals.append("\(opcode): \(status)")
        }
        return next()
    }

    private mutating func next() -> Step {
        while let opcode = waiting.popFirst() {
            guard let command = command(opcode) else { continue }
            current = opcode
            return .send(command)
        }
        current = nil
        guard information.buffers.lowEnergy.exist || information.buffers.classic.exist else {
            return .failed("the controller has no buffers for data")
        }
        return .done(information)
    }
}

extension Initialisation {
    /// The order: features come before the commands that depend on them.
    private static let order: [HCIOpcode] = [
        .reset, .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures,
        .leReadLocalSupportedFeatures, .setEventMask, .leSetEventMask, .readAddress, .readBufferSize, .leReadBufferSize,
        .leReadSupportedStates, .leReadFilterAcceptListSize, .leReadResolvingListSize,
        .leReadMaximumAdvertisingDataLength, .leReadNumberOfSupportedAdvertisingSets, .leReadMaximumDataLength,
        .leWriteSuggestedDefaultDataLength, .leSetDefaultPHY, .writeLEHostSupport, .writeSimplePairingMode,
        .writeSecureConnectionsHostSupport, .writePageTimeout,
    ]

    /// The commands that every LE controller has.
    private static let essential: Set<HCIOpcode> = [
        .reset, .readLocalVersionInformation, .readLocalSupportedCommands, .leReadLocalSupportedFeatures,
        .setEventMask, .leSetEventMask, .readAddress, .leReadBufferSize,
    ]

    /// A command of the start; nil if the controller does not have it, or the configuration does not need it.
    private func command(_ opcode: HCIOpcode) -> HCICommand? {
        guard Initialisation.essential.contains(opcode) || information.supportedCommands.contains(opcode) else {
            return nil
        }
        switch opcode {
        case .setEventMask: return .setEventMask(configuration.events)
        case .leSetEventMask: return .leSetEventMask(lowEnergyEvents)
        case .leWriteSuggestedDefaultDataLength:
            return configuration.defaultDataLength.map { .leWriteSuggestedDefaultDataLength($0) }
        case .leSetDefaultPHY: return configuration.defaultPHYs.map { .leSetDefaultPHY(tx: $0, rx: $0) }
        case .writeLEHostSupport: return usesClassic ? .writeLEHostSupport(true) : nil
        case .writeSimplePairingMode: return usesClassic ? .writeSimplePairingMode(true) : nil
        case .writeSecureConnectionsHostSupport: return usesClassic ? .writeSecureConnectionsHostSupport(true) : nil
        case .writePageTimeout:
            return usesClassic ? configuration.pageTimeout.map { .writePageTimeout(slots: $0) } : nil
        // All others only read.
        default: return HCICommand(opcode)
        }
    }

    /// The LE events to ask for. Some controllers refuse a mask with events that they do not have.
    private var lowEnergyEvents: Set<HCIEvent.LECode> {
        configuration.lowEnergyEvents.filter { event in
            Initialisation.neededFeatures[event].map { !information.features.isDisjoint(with: $0) } ?? true
        }
    }

    /// The features for an event; one of them is enough.
    private static let neededFeatures: [HCIEvent.LECode: LEFeatures] = [
        .remoteConnectionParameterRequest: .connectionParametersRequest,
        .dataLengthChange: .dataLengthExtension,
        .directedAdvertisingReport: .extendedFilterPolicies,
        .phyUpdateComplete: [.twoMegabitPHY, .codedPHY],
        .extendedAdvertisingReport: .extendedAdvertising,
        .scanTimeout: .extendedAdvertising,
        .advertisingSetTerminated: .extendedAdvertising,
        .scanRequestReceived: .extendedAdvertising,
        .channelSelectionAlgorithm: .channelSelectionAlgorithm2,
    ]

    private var usesClassic: Bool { configuration.usesClassic && information.hasClassic }
}
