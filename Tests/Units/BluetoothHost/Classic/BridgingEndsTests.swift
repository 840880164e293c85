import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Bridging, and what comes between")
struct BridgingEndsTests {
    private typealias Bench = BridgingBench

    @Test("Bluetooth is switched off at any step: each request says so, once", arguments: BridgingBench.order)
    func powerOff(_ opcode: UInt16) {
        // Without an answer, the controller takes no other command.
        let isBusy = opcode == 0x040B || opcode == 0x1408
        var bench = Bench { $0.replies[opcode] = isBusy ? .silence : .events([]) }
        let ids = [bench.bridge(), bench.bridge()]
        bench.air.act(0) { $0.powerOff(at: $1) }
        for id in ids {
            guard case .failure(.off)? = bench.air.result(0, id) else {
                Issue.record("\(String(describing: bench.air.result(0, id)))")
                continue
            }
        }
        #expect(bench.accessory.opcodes.last == (isBusy ? opcode : opcode == 0x0405 ? 0x0408 : 0x0406))
        if !isBusy { #expect(bench.air.devices[0].stack.deadline == nil) }
        bench.air.classic?.replies = [:]
        bench.air.act(0) { $0.powerOn(at: $1) }
        let again = bench.bridge()
        #expect(bench.link(again) == Bench.link)
    }

    @Test("A broken controller fails the bridging with its reason")
    func brokenController() {
        var bench = Bench { $0.isDeaf = true }
        let id = bench.bridge()
        bench.hear([4, 0x10, 1, 0x42])
        guard case .failure(.controllerFailed(let text))? = bench.air.result(0, id) else {
            Issue.record("\(String(describing: bench.air.result(0, id)))")
            return
        }
        #expect(text.contains("0x42"))
    }

    @Test("Forgetting the device ends its bridging, and its key is given no more")
    func forgotten() {
        var bench = Bench { $0.replies[0x0411] = .events([]) }
        let id = bench.bridge()
        let waiting = bench.bridge()
        bench.air.act(0) { $0.forget(Bench.address, at: $1) }
        #expect(bench.failure(id) == .forgotten && bench.failure(waiting) == .notBonded)
        bench.hear([4, 0x17, 6] + Bench.address.bytes.reversed())
        #expect(!bench.accessory.opcodes.contains(0x040B) && bench.accessory.opcodes.contains(0x040C))
        #expect(!bench.accessory.isLinked)
    }

    @Test("Forgetting the device while it is called cancels the call")
    func forgottenCall() {
        var bench = Bench { $0.replies[0x0405] = .events([]) }
        let id = bench.bridge()
        bench.air.act(0) { $0.forget(Bench.address, at: $1) }
        #expect(bench.failure(id) == .forgotten)
        #expect(bench.accessory.opcodes == [0x0405, 0x0408])
        #expect(bench.air.devices[0].stack.bridging.current == nil)
    }

    @Test("Another device is forgotten: nothing changes")
    func otherForgotten() {
        var bench = Bench { $0.reaction = .nothing }
        let id = bench.bridge()
        bench.air.act(0) { $0.forget(DeviceAddress(bytes: [2, 0, 0, 0, 2, 0xB1])!, at: $1) }  // six bytes
        #expect(bench.air.result(0, id) == nil && bench.accessory.isLinked)
    }

    @Test("A device that calls the phone is refused, also while the phone calls it")
    func incoming() {
        var bench = Bench { $0.replies[0x0405] = .events([]) }
        let id = bench.bridge()
        let request: [UInt8] = [4, 0x04, 10] + Bench.address.bytes.reversed() + [0, 0, 0, 1]
        bench.hear(request)
        #expect(bench.accessory.parameters(of: 0x040A) == [Bench.address.bytes.reversed() + [0x0F]])
        #expect(bench.notes().contains { $0.contains("refused") })
        // The end of the refused connection is not the end of the phone's own call.
        #expect(bench.air.result(0, id) == nil)
        bench.hear(bench.air.classic!.connected())  // every bench has an accessory
        #expect(bench.link(id) == Bench.link)
    }

    @Test("Without power the phone answers nobody")
    func silentWithoutPower() {
        var bench = Bench()
        bench.air.act(0) { $0.powerOff(at: $1) }
        let name: [UInt8] = Bench.address.bytes.reversed()
        bench.hear([4, 0x04, 10] + name + [0, 0, 0, 1], [4, 0x17, 6] + name, [4, 0x31, 6] + name)
        #expect(bench.accessory.commands.isEmpty)
    }

    @Test("The phone does not pair by classic Bluetooth, and has no key for strangers")
    func pairing() {
        var bench = Bench { $0.reaction = .nothing }
        _ = bench.bridge()
        bench.hear([4, 0x31, 6] + Bench.address.bytes.reversed())
        #expect(bench.accessory.parameters(of: 0x0434) == [Bench.address.bytes.reversed() + [0x18]])
        let stranger: [UInt8] = [9, 9, 9, 9, 9, 9]
        bench.hear([4, 0x17, 6] + stranger)
        #expect(bench.accessory.parameters(of: 0x040C) == [stranger])
    }

    @Test("Frames that break L2CAP end the link, not the phone; each request has one result")
    func anyFrames() {
        var numbers = SeededNumbers(seed: 14)
        for round in 0..<300 {
            var bench = Bench {
                $0.isDeaf = round.isMultiple(of: 2)
                $0.reaction = .nothing
            }
            let id = bench.bridge()
            for _ in 0..<30 {
                let count = Int.random(in: 0...20, using: &numbers)
                let payload = (0..<count).map { _ in UInt8.random(in: 0...8, using: &numbers) }
                let channel = [1, 7, 0x40, 0x41].randomElement(using: &numbers) ?? 1
                bench.hear(bench.accessory.packet([UInt8(count), 0, UInt8(channel), 0] + payload))
            }
            bench.air.advance(by: .seconds(40))
            #expect(bench.air.result(0, id) != nil)
            bench.expectFree()
        }
    }

    @Test("Events of classic Bluetooth in any order do not stop the phone")
    func anyEvents() {
        var numbers = SeededNumbers(seed: 15)
        let codes: [UInt8] = [0x03, 0x04, 0x05, 0x06, 0x08, 0x17, 0x18, 0x30, 0x31, 0x33, 0x59]
        for _ in 0..<300 {
            var bench = Bench {
                $0.replies[[0x0405, 0x0411, 0x0413, 0x1408].randomElement(using: &numbers) ?? 0] = .events([])
            }
            let id = bench.bridge()
            for _ in 0..<20 {
                let handle: [UInt8] = [UInt8(bench.accessory.handle & 0xFF), UInt8(bench.accessory.handle >> 8)]
                let random = (0..<20).map { _ in UInt8.random(in: 0...3, using: &numbers) }
                let code = codes.randomElement(using: &numbers) ?? 0x03
                let start: [UInt8] =
                    [0x04, 0x17, 0x31].contains(code)
                    ? Bench.address.bytes.reversed()
                    : [random[0] / 2] + handle + (code == 0x03 ? Bench.address.bytes.reversed() : [])
                bench.hear([4, code, UInt8(start.count + random.count)] + start + random)
            }
            bench.air.advance(by: .seconds(60))
            #expect(bench.air.result(0, id) != nil)
        }
    }
}
