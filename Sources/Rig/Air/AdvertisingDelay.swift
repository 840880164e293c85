/// The pseudo-random time that the link layer puts before each advertising event, 0 to 10 ms (Core Specification 6.0,
/// Vol 6, Part B, 4.4.2.2.1), which RootCanal leaves out.
///
/// Without it, two adapters with equal intervals that start at the same moment collide forever: a scanner asks the
/// first one for its scan response, waits for the answer, and never asks the other.
struct AdvertisingDelay {
    private struct Waiting {
        let bytes: [UInt8]
        let phy: Int32
        let sender: AirAdapter
        /// Calls of ``next()`` until the packet is sent.
        var ticks: Int
    }

    /// The types of RootCanal's packets that begin an advertising event: legacy and extended.
    private static let types: Set<UInt8> = [0x0B, 0x37]
    /// The longest delay, in ticks of the medium: 10 ms.
    private static let longest: UInt64 = 2

    private var waiting: [Waiting] = []
    /// The state of the random generator. The seed is fixed, so that every run has the same air.
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Delays a packet that a controller sends on its turn.
    ///
    /// - Returns: False if the packet is not delayed; then the caller sends it.
    mutating func take(_ bytes: [UInt8], phy: Int32, from sender: AirAdapter) -> Bool {
        guard let type = bytes.first, AdvertisingDelay.types.contains(type) else { return false }
        // Marsaglia's xorshift.
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        let ticks = Int(random % (AdvertisingDelay.longest + 1))
        guard ticks > 0 else { return false }
        waiting.append(Waiting(bytes: bytes, phy: phy, sender: sender, ticks: ticks))
        return true
    }

    /// The packets to send in this tick.
    mutating func next() -> [(bytes: [UInt8], phy: Int32, sender: AirAdapter)] {
        for index in waiting.indices { waiting[index].ticks -= 1 }
        defer { waiting.removeAll { $0.ticks <= 0 } }
        return waiting.filter { $0.ticks <= 0 }.map { ($0.bytes, $0.phy, $0.sender) }
    }

    /// Drops the delayed packets of a controller that is gone.
    mutating func forget(_ sender: AirAdapter) { waiting.removeAll { $0.sender == sender } }
}
