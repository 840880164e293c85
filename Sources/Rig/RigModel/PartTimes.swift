import BoardProtocol
import HILPOSIX

/// A part of a rig that consists of processes of this machine.
package enum RigPart: String, Sendable, Hashable, Codable, CaseIterable {
    case host, accessory, air
    /// The process that owns the others.
    case rig

    package init(_ board: BoardRole) { self = board == .host ? .host : .accessory }

    /// Its name in a sentence: `the host board`.
    package var name: String {
        switch self {
        case .host: "the host board"
        case .accessory: "the accessory board"
        case .air: "the air"
        case .rig: "the rig's process"
        }
    }
}

/// Measurements, at one moment, of how late a part of a rig is.
package struct PartTimes: Sendable, Equatable {
    /// How long it has run on one of the machine's processors, and waited for one; nil if unknown.
    package var processor: ProcessorTime?
    /// When it was last seen running; nil if that is not observed.
    package var ticks: TickRecord?

    package init(processor: ProcessorTime? = nil, ticks: TickRecord? = nil) {
        (self.processor, self.ticks) = (processor, ticks)
    }
}
