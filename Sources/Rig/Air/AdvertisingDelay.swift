/// The pseudo-random time that the link layer puts before each advertising event, 0 to 10 ms (Core Specification 6.0, Vol 6,
/// Part B, 4.4.2.2.1), which RootCanal leaves out.
///
/// Without it two adapters whose intervals are equal and begin at one moment speak at one moment for ever: a scanner asks the
/// first of them for its scan response, waits for the answer, and never asks the other.
struct AdvertisingDelay {
    private struct Waiting {
        let bytes: [UInt8]
        let phy: Int32
        let sender: AirAdapter
        /// Calls of ``next()`` until it goes on.
        var ticks: Int
    }

    /// The types of RootCanal's packets that begin an advertising event: legacy and extended.
    private static let types: Set<UInt8> = [0x0B, 0x37]
    /// How many ticks of the medium are 10 ms.
    private static let longest: UInt64 = 2

    private var waiting: [Waiting] = []
    /// Any start will do; the same one gives the same air in every run.
    private var noise: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Takes a packet that a controller sends in its turn; false for one that is not delayed.
    mutating func take(_ bytes: [UInt8], phy: Int32, from sender: AirAdapter) -> Bool {
        guard let type = bytes.first, AdvertisingDelay.types.contains(type) else { return false }
        // Marsaglia's xorshift.
        noise ^= noise << 13
        noise ^= noise >> 7
        noise ^= noise << 17
        let ticks = Int(noise % (AdvertisingDelay.longest + 1))
        guard ticks > 0 else { return false }
        waiting.append(Waiting(bytes: bytes, phy: phy, sender: sender, ticks: ticks))
        return true
    }

    /// The packets that go on with this tick.
    mutating func next() -> [(bytes: [UInt8], phy: Int32, sender: AirAdapter)] {
        for index in waiting.indices { waiting[index].ticks -= 1 }
        defer { waiting.removeAll { $0.ticks <= 0 } }
        return waiting.filter { $0.ticks <= 0 }.map { ($0.bytes, $0.phy, $0.sender) }
    }

    /// A controller is gone, and what it was about to say.
    mutating func forget(_ sender: AirAdapter) { waiting.removeAll { $0.sender == sender } }
}
