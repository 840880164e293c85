/// A capability that some rigs lack. A scenario is skipped if its rig lacks one that it needs.
public enum Capability: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    /// Bluetooth LE between the boards.
    case bluetooth
    /// Wi-Fi between the boards.
    case wifi
    /// Wi-Fi Aware service discovery between the boards.
    case wifiAware
    /// A board that runs the accessory, or its program. Without it, the accessory is a device without a login.
    case accessoryBoard
    /// Boards that nobody else uses: their clock, disk and agent may be broken.
    case ownBoards
    /// An air that scenarios control: faults, and stations without a board.
    case air
    /// The boards can be moved apart and together.
    case distance
    /// Everything on the air is captured, on one clock.
    case capture
    /// Radios that can be plugged into a board and pulled out of it; several Bluetooth adapters on one board.
    case adapters
    /// Controllers for host stacks without a board: programs that speak H4.
    case hostStacks
    /// A home's network beside the phone, which accessories can join.
    case homeNetwork
    /// The home's router has a radio of its own, so that the phone can join the network, too.
    case homeRouter
    /// The home's router obeys: it is switched off and on and changed, and says who has joined it.
    case homeControl
    /// The power of each board can be cut and restored.
    case power
    /// Both boards can be kept as they are, and brought back later.
    case snapshot
    /// The accessory board's system can be chosen: ``BoardSystem``.
    case boardSystem
    /// The rig measures how long the boards' processors ran and waited.
    case processorTimes
    /// Packets travel through real antennas, walls and the neighbours' networks.
    case realAir
}

extension Capability: CustomStringConvertible {
    /// A noun for people, for use after “lacks”.
    public var description: String {
        switch self {
        case .bluetooth: "Bluetooth"
        case .wifi: "Wi-Fi"
        case .wifiAware: "Wi-Fi Aware service discovery"
        case .accessoryBoard: "an accessory board"
        case .ownBoards: "its own boards, whose clock and disk may be changed"
        case .air: "a simulated air"
        case .distance: "an adjustable distance"
        case .capture: "a capture of the air"
        case .adapters: "radios that can be plugged in and pulled out"
        case .hostStacks: "controllers for host stacks without a board"
        case .homeNetwork: "a home network"
        case .homeRouter: "a home's router with a radio of its own"
        case .homeControl: "control over the home's router"
        case .power: "a switch for the boards' power"
        case .snapshot: "snapshots of boards"
        case .boardSystem: "a choice of the accessory board's system"
        case .processorTimes: "a measure of the boards' processor time"
        case .realAir: "real air between antennas"
        }
    }
}
