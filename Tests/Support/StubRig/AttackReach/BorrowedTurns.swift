import HIL
import RadioModel
import RigModel

/// When strangers had the host board's controller, which they borrow on a bench.
///
/// A turn goes from one reset to the next. It is a stranger's if its address is set in it, whatever the boards' clocks say.
struct BorrowedTurns {
    /// The packets of strangers' turns, by their numbers in the capture from 1.
    private(set) var numbers: Set<Int> = []
    /// How many turns strangers had.
    private(set) var count = 0

    /// - Parameters:
    ///   - names: The interfaces of the capture.
    ///   - strangers: The addresses of all strangers.
    init(in capture: [UInt8], _ names: [String], of strangers: Set<DeviceAddress>) {
        var turn: [Int] = []
        var isStrangers = false
        for (place, packet) in PcapNGPackets(capture).enumerated() {
            guard names.indices.contains(Int(packet.interface)), names[Int(packet.interface)].hasPrefix("host-hci"),
                let read = ControllerPacket(packet.bytes)
            else { continue }
            if read.isReset {
                if isStrangers { add(turn) }
                (turn, isStrangers) = ([], false)
            }
            turn.append(place + 1)
            if read.setsAddress, let address = read.ownAddress, strangers.contains(address) { isStrangers = true }
        }
        if isStrangers { add(turn) }
    }

    private mutating func add(_ turn: [Int]) {
        numbers.formUnion(turn)
        count += 1
    }
}
