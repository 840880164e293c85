import HILBlueZ
import Testing

/// What a program in a compartment sees of the kernel's management interface.
@Suite("The management interface as one holder sees it")
struct ManagementViewTests {
    private static let none: [UInt8] = [0xFF, 0xFF]
    private static let alone = ManagementView.alone(2)
    private static let without = ManagementView.without([1, 2])

    /// Command Complete of a list of controllers 0 to 2, with or without type and bus.
    private static func list(_ code: UInt8, _ entries: [[UInt8]]) -> [UInt8] {
        let parameters = [code, 0, 0, UInt8(entries.count), 0] + entries.joined()
        return [1, 0] + none + [UInt8(parameters.count), 0] + parameters
    }

    @Test("Its only controller is number 0, in commands and in events")
    func numberZero() {
        #expect(Self.alone.command([4, 0, 0, 0, 0, 0]) == .toKernel([4, 0, 2, 0, 0, 0]))
        #expect(Self.alone.event([6, 0, 2, 0, 4, 0, 1, 2, 3, 4]) == [6, 0, 0, 0, 4, 0, 1, 2, 3, 4])
    }

    @Test("What concerns no controller passes", arguments: [alone, without])
    func noController(view: ManagementView) {
        #expect(view.command([1, 0] + Self.none + [0, 0]) == .toKernel([1, 0] + Self.none + [0, 0]))
        let version: [UInt8] = [1, 0] + Self.none + [6, 0, 1, 0, 0, 1, 22, 0]
        #expect(view.event(version) == version)
    }

    @Test("A command to a controller that it does not see is answered as the kernel does: there is none")
    func hiddenCommand() {
        #expect(Self.alone.command([4, 0, 1, 0, 0, 0]) == .answered([2, 0, 1, 0, 3, 0, 4, 0, 0x11]))
        #expect(Self.alone.command([4, 0, 2, 0, 0, 0]) == .answered([2, 0, 2, 0, 3, 0, 4, 0, 0x11]))
        #expect(Self.without.command([4, 0, 1, 0, 0, 0]) == .answered([2, 0, 1, 0, 3, 0, 4, 0, 0x11]))
        #expect(Self.without.command([4, 0, 3, 0, 0, 0]) == .toKernel([4, 0, 3, 0, 0, 0]))
    }

    @Test("An event of a controller that it does not see does not reach it")
    func hiddenEvent() {
        #expect(Self.alone.event([4, 0, 0, 0, 0, 0]) == nil)
        #expect(Self.without.event([4, 0, 2, 0, 0, 0]) == nil)
        #expect(Self.without.event([4, 0, 0, 0, 0, 0]) == [4, 0, 0, 0, 0, 0])
    }

    @Test("A list names what it sees", arguments: [0x03, 0x36] as [UInt8])
    func lists(code: UInt8) {
        let all = Self.list(code, [[2, 0], [1, 0], [0, 0]])
        #expect(Self.alone.event(all) == Self.list(code, [[0, 0]]))
        #expect(Self.without.event(all) == Self.list(code, [[0, 0]]))
        #expect(ManagementView.without([]).event(all) == all)
    }

    @Test("The extended list keeps type and bus")
    func extendedList() {
        let all = Self.list(0x42, [[2, 0, 0, 1], [1, 0, 1, 3], [0, 0, 0, 5]])
        #expect(Self.alone.event(all) == Self.list(0x42, [[0, 0, 0, 1]]))
        #expect(Self.without.event(all) == Self.list(0x42, [[0, 0, 0, 5]]))
    }

    @Test("Any packet, cut anywhere, is passed or dropped, and never longer than it was")
    func anyPacket() {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            var packet = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            // Half of them are lists.
            if packet.count > 7, Bool.random(using: &numbers) {
                packet.replaceSubrange(0..<4, with: [1, 0, 0xFF, 0xFF])
                packet.replaceSubrange(6..<8, with: [[3, 0x36, 0x42].randomElement(using: &numbers)!, 0])
            }
            for view in [Self.alone, Self.without] {
                #expect(view.event(packet)?.count ?? 0 <= packet.count, "\(packet)")
                _ = view.command(packet)
            }
        }
    }
}
