import RadioModel

@testable import HILBluetoothHost

/// A controller that keeps the rules of the specification about what is allowed when.
struct ControllerModel {
    var information = ControllerInformation()
    private(set) var randomAddress: DeviceAddress?
    private(set) var isScanning = false
    /// The random address, or nil for the public one, with which it advertises.
    private(set) var advertisedAddress: DeviceAddress??
    private(set) var initiatingTo: PeerAddress?
    private(set) var setAddress: DeviceAddress?
    private(set) var advertisingData: [UInt8] = []
    private(set) var scanResponse: [UInt8] = []
    private var hasAdvertisingParameters = false
    private var usedFamilies: Set<Bool> = []
    /// The answer to the next command of each kind.
    var refusals: [HCIOpcode: HCIError] = [:]
    /// Commands that a host must not send in the controller's state.
    private(set) var violations: [String] = []

    var isAdvertising: Bool { advertisedAddress != nil }

    /// - Parameters:
    ///   - isExtended: Whether it has extended commands.
    ///   - isAble: Whether it scans and advertises while it connects.
    init(isExtended: Bool = false, isAble: Bool = true) {
        information.address = .numbered(0xEE)
        if isExtended {
            information.features = [.extendedAdvertising]
            information.supportedCommands = SupportedCommands([UInt8](repeating: 0xFF, count: 64))
        }
        if isAble { information.states = [.activeScanWithInitiating, .connectableAdvertisingWithInitiating] }
    }

    /// The status of a command, and the events that follow.
    mutating func take(_ command: HCICommand) -> (status: HCIError, events: [HCIEvent]) {
        if let refusal = refusals.removeValue(forKey: command.opcode) { return (refusal, []) }
        switch command.opcode {
        case .leSetRandomAddress: return (setRandomAddress(command.parameters), [])
        case .leSetScanParameters, .leSetExtendedScanParameters:
            use(command)
            return (allowed(!isScanning, command), [])
        case .leSetScanEnable, .leSetExtendedScanEnable: return (setScan(command), [])
        case .leCreateConnection, .leExtendedCreateConnection: return (connect(command), [])
        case .leCreateConnectionCancel: return cancel()
        case .disconnect:
            let number = Int(command.parameters[0]) + Int(command.parameters[1]) << 8
            return (
                .success,
                [.disconnectionComplete(ConnectionHandle(number), status: .success, reason: .localHostEnded)]
            )
        default: return (advertise(command), [])
        }
    }

    /// A device answers: the link is there, and the attempt over.
    mutating func connects() { initiatingTo = nil }

    /// A device has connected, or the set is over.
    mutating func advertisingEnds() { advertisedAddress = nil }

    mutating func reset() {
        let (information, violations) = (self.information, self.violations)
        self = ControllerModel()
        (self.information, self.violations) = (information, violations)
    }

    private mutating func allowed(_ isAllowed: Bool, _ command: HCICommand) -> HCIError {
        if isAllowed { return .success }
        violations.append("\(command) at the wrong time")
        return .commandDisallowed
    }

    /// Notes whether a command is extended or legacy; both must not be mixed.
    private mutating func use(_ command: HCICommand) {
        usedFamilies.insert(command.opcode.name.contains("Extended") || command.opcode.name.contains("Set Random"))
        if usedFamilies.count > 1 { violations.append("\(command) is of the other family") }
    }

    private mutating func setRandomAddress(_ parameters: [UInt8]) -> HCIError {
        let isAllowed = !isScanning && !isAdvertising && initiatingTo == nil
        randomAddress = DeviceAddress(bytes: parameters.reversed())
        return allowed(isAllowed, .init(.leSetRandomAddress))
    }

    private mutating func setScan(_ command: HCICommand) -> HCIError {
        use(command)
        let isOn = command.parameters[0] == 1
        if isOn, initiatingTo != nil, !information.states.contains(.activeScanWithInitiating) {
            return allowed(false, command)
        }
        isScanning = isOn
        return .success
    }

    private mutating func connect(_ command: HCICommand) -> HCIError {
        use(command)
        let states = information.states
        let isAllowed =
            initiatingTo == nil && (!isScanning || states.contains(.activeScanWithInitiating))
            && (!isAdvertising || states.contains(.connectableAdvertisingWithInitiating))
        let start = command.opcode == .leCreateConnection ? 5 : 2
        let address = Array(command.parameters[(start + 1)..<(start + 7)])
        guard isAllowed, let peer = DeviceAddress(bytes: address.reversed()) else { return allowed(false, command) }
        initiatingTo = PeerAddress(peer, isRandom: command.parameters[start] == 1)
        return .success
    }

    private mutating func cancel() -> (HCIError, [HCIEvent]) {
        guard initiatingTo != nil else { return (.commandDisallowed, []) }
        initiatingTo = nil
        return (.success, [.leConnectionComplete(.test(0, status: .unknownConnection))])
    }

    private mutating func advertise(_ command: HCICommand) -> HCIError {
        use(command)
        switch command.opcode {
        case .leSetAdvertisingParameters, .leSetExtendedAdvertisingParameters:
            hasAdvertisingParameters = true
            return allowed(!isAdvertising, command)
        case .leSetAdvertisingSetRandomAddress:
            setAddress = DeviceAddress(bytes: command.parameters[1...].reversed())
            return allowed(!isAdvertising && hasAdvertisingParameters, command)
        case .leSetAdvertisingData: advertisingData = Array(command.parameters[1...].prefix(Int(command.parameters[0])))
        case .leSetScanResponseData: scanResponse = Array(command.parameters[1...].prefix(Int(command.parameters[0])))
        case .leSetExtendedAdvertisingData: advertisingData = Array(command.parameters[4...])
        case .leSetExtendedScanResponseData: scanResponse = Array(command.parameters[4...])
        case .leSetAdvertisingEnable, .leSetExtendedAdvertisingEnable:
            let isOn = command.parameters[0] == 1
            let isExtended = command.opcode == .leSetExtendedAdvertisingEnable
            advertisedAddress = isOn ? .some(isExtended ? setAddress : randomAddress) : nil
            return allowed(hasAdvertisingParameters, command)
        default: break
        }
        return .success
    }
}

extension LEConnectionComplete {
    /// A new link, or none.
    static func test(
        _ handle: Int, status: HCIError = .success, role: Role = .central, peer: PeerAddress? = nil
    ) -> LEConnectionComplete {
        LEConnectionComplete(
            handle: ConnectionHandle(handle), status: status, role: role, peer: peer, isResolved: false, interval: 24,
            latency: 0, timeout: 72)
    }
}
