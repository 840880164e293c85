import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import Testing

@testable import HILBlueZ

@Suite("A controller that a program has for itself", .timeLimit(.minutes(1)))
struct UserChannelTests {
    @Test("Packets go both ways; closed, the socket is closed when that returns")
    func packets() async throws {
        let (near, far) = try UnixSocket.packetPair()
        let (taken, lost) = (EventLog<[UInt8]>(), EventLog<String>())
        let channel = try UserChannel(near, take: { taken.append($0) }, lost: { lost.append($0) })
        try channel.send([1, 3, 0x0C, 0])
        #expect(try far.read() == [1, 3, 0x0C, 0])
        for packet: [UInt8] in [[4, 0x0E, 0], [2, 1, 0x20, 0, 0]] { try far.write(packet) }
        _ = try await taken.first(from: 1)
        #expect(taken.events == [[4, 0x0E, 0], [2, 1, 0x20, 0, 0]])
        await channel.close()
        #expect(try far.read().isEmpty)
        #expect(lost.events.isEmpty)
        await channel.close()
    }

    @Test("A controller that goes is told once")
    func unplugged() async throws {
        let (near, far) = try UnixSocket.packetPair()
        let lost = EventLog<String>()
        let channel = try UserChannel(near, take: { _ in }, lost: { lost.append($0) })
        far.close()
        #expect(try await lost.first().event == "it was unplugged")
        await channel.close()
        #expect(lost.count == 1)
    }

    @Test("Who sends to a controller that takes nothing stops with the channel")
    func full() async throws {
        let (near, far) = try UnixSocket.packetPair()
        try near.setNonBlocking()
        // Until the kernel has no room for another packet.
        #expect(throws: SystemError.self) { while true { try near.writeNow([UInt8](repeating: 0, count: 1000)) } }
        let channel = try UserChannel(near, take: { _ in }, lost: { _ in })
        let ended = EventLog<SystemError>()
        startThread(named: "sender") {
            do throws(SystemError) { try channel.send([1, 3, 0x0C, 0]) } catch { ended.append(error) }
        }
        channel.stop()
        #expect(try await ended.first().event.code == ECANCELED)
        await channel.close()
        withExtendedLifetime(far) {}
    }

    @Test("A refusal of the kernel comes with what to do")
    func advice() {
        for code in [EBUSY, EUSERS, ENODEV, ERFKILL, EPERM] {
            #expect(UserChannel.advice(for: SystemError(code: code, action: "")) != nil)
        }
        #expect(UserChannel.advice(for: SystemError(code: EIO, action: "")) == nil)
    }

    @Test("An answer about a controller's abilities is read; refusals and other packets are told apart")
    func answers() {
        let features: [UInt8] = [4, 0x0E, 12, 1, 0x03, 0x20, 0, 0xFF, 1, 2, 3, 4, 5, 6, 0x80]
        #expect(ControllerQuery.Answer(features, to: 0x2003)?.value == 0x8006_0504_0302_01FF)
        #expect(ControllerQuery.Answer(features, to: 0x201C) == nil, "the answer to another command")
        // Unknown HCI Command, in both kinds of answers.
        for refusal: [UInt8] in [[4, 0x0E, 4, 1, 0x03, 0x20, 1], [4, 0x0F, 4, 1, 1, 0x03, 0x20]] {
            let answer = ControllerQuery.Answer(refusal, to: 0x2003)
            #expect(answer != nil && answer?.value == nil)
        }
        for length in 0..<features.count {
            #expect(ControllerQuery.Answer(Array(features.prefix(length)), to: 0x2003) == nil)
        }
    }
}
