import DieProtocol
import DieLogic
import Synchronization

/// What the die answers over IP, as far as it knows: its last roll.
final class LastRoll: Sendable {
    private let roll = Mutex(Roll(number: 0, sides: Die.sides, face: 0))
    private let serialNumber: String

    init() {
        let info = Die().value(of: DieGATT.info).flatMap { try? DieInfo(decoding: $0) }
        serialNumber = info?.serialNumber ?? "unknown"
    }

    var answer: DieService.Answer {
        DieService.Answer(roll: roll.withLock { $0 }, serialNumber: serialNumber)
    }

    /// The die was powered on.
    func reset() { roll.withLock { $0 = Roll(number: 0, sides: Die.sides, face: 0) } }

    /// The die shows a face.
    func note(_ face: UInt8) {
        roll.withLock { $0 = Roll(number: $0.number &+ 1, sides: Die.sides, face: face) }
    }
}
