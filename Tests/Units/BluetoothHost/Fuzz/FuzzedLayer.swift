/// A layer of the phone's host, as `HIL_FUZZ_LAYER` names it.
enum FuzzedLayer: String, CaseIterable, Codable, Sendable {
    case controller, access, l2cap, security, attributes, gatt
    /// A machine that is broken on purpose, for the tests of the campaign itself.
    case broken

    static let real = allCases.filter { $0 != .broken }

    var machine: any FuzzedMachine.Type {
        switch self {
        case .controller: ControllerMachine.self
        case .access: AccessMachine.self
        case .l2cap: HostilePeerRun.self
        case .security: SecurityMachine.self
        case .attributes: AttributeMachine.self
        case .gatt: GATTMachine.self
        case .broken: BrokenMachine.self
        }
    }
}
