import Testing

@testable import HILAir

@Suite("A command's parameters, before RootCanal sees them")
struct HCIParameterTests {
    private func command(_ opcode: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    @Test(
        "A list is as long as it says",
        arguments: [
            (opcode: UInt16(0x2039), head: [UInt8]([1]), size: 4), (0x0C3A, [], 3), (0x2037, [0, 3, 1], 1),
            (0x2038, [0, 3, 1], 1), (0x203F, [0, 3], 1),
        ])
    func lists(opcode: UInt16, head: [UInt8], size: Int) {
        var hciGuard = HCIGuard()
        #expect(hciGuard.judge(command(opcode, head + [2] + zeros(2 * size))) == .pass)
        guard case .refuse(let answer, let why) = hciGuard.judge(command(opcode, head + [2] + zeros(2 * size - 1)))
        else {
            Issue.record("it would abort the air")
            return
        }
        #expect(answer.prefix(5) == [4, 0x0F, 4, 0x12, 1])
        #expect(why.contains("needs \(head.count + 1 + 2 * size)"))
    }

    @Test("Advertising data has at most 31 bytes", arguments: [UInt16(0x2008), 0x2009])
    func advertisingData(opcode: UInt16) {
        var hciGuard = HCIGuard()
        #expect(hciGuard.judge(command(opcode, [31] + zeros(31))) == .pass)
        #expect(hciGuard.judge(command(opcode, [32] + zeros(31))) != .pass)
    }

    @Test("An inquiry has an access code")
    func accessCode() {
        var hciGuard = HCIGuard()
        #expect(hciGuard.judge(command(0x0401, [0x33, 0x8B, 0x9E, 8, 0])) == .pass)
        #expect(hciGuard.judge(command(0x0401, [0x40, 0x8B, 0x9E, 8, 0])) != .pass)
        #expect(hciGuard.judge(command(0x0401, zeros(5))) != .pass)
    }

    @Test("No isochronous packet reaches RootCanal", arguments: [(UInt8(0), UInt8(0)), (0x80, 0), (0, 0x40)])
    func isochronousData(handle: UInt8, length: UInt8) {
        var hciGuard = HCIGuard()
        guard case .drop = hciGuard.judge([5, 1, handle, 0, length]) else {
            Issue.record("it reaches RootCanal")
            return
        }
    }

    /// A command that RootCanal reads strictly.
    struct Strict: Sendable {
        let opcode: UInt16
        let good: [UInt8]
        /// With a reserved bit, or an unknown error code.
        let bad: [[UInt8]]
    }

    @Test(
        "A command that RootCanal reads strictly has no byte too many, no reserved bit and a known error code",
        arguments: [
            Strict(opcode: 0x0406, good: [0xFE, 0x0E, 0x13], bad: [[0xFE, 0x5E, 0x13]]),
            Strict(opcode: 0x0434, good: [1, 2, 3, 4, 5, 6, 0x18], bad: [[1, 2, 3, 4, 5, 6, 0xB2]]),
            Strict(opcode: 0x2067, good: [1, 0, 0x0D], bad: [[1, 0, 0x8F], [1, 0x10, 0x0D]]),
        ])
    func strictness(strict: Strict) {
        let (opcode, good, bad) = (strict.opcode, strict.good, strict.bad)
        var hciGuard = HCIGuard()
        #expect(hciGuard.judge(command(opcode, good)) == .pass)
        for parameters in bad + [good + [0]] {
            guard case .refuse(let answer, _) = hciGuard.judge(command(opcode, parameters)) else {
                Issue.record("\(parameters) would abort the air")
                continue
            }
            #expect(answer.prefix(5) == [4, 0x0F, 4, 0x12, 1])
        }
    }

    @Test("Commands of isochronous channels are unknown, as in a controller without them")
    func isochronous() {
        var hciGuard = HCIGuard()
        guard case .answer(let answer, _) = hciGuard.judge(command(0x2062, zeros(15))) else {
            Issue.record("it would abort the air")
            return
        }
        #expect(answer == [4, 0x0F, 4, 0x01, 1, 0x62, 0x20])
    }
}
