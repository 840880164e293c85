import Foundation
import HILTiming
import HostRadio
import Synchronization
import TestSupport
import Testing

@testable import CoreBluetooth

/// L2CAP channels of a peripheral, with streams as apps use them.
@Suite("L2CAP channels", .timeLimit(.minutes(1)))
struct L2CAPTests {
    /// Opens a channel at the die's port 0x80; the die keeps its end.
    private func channel(_ bench: Bench) async throws -> (Listener, CBL2CAPChannel, InMemoryChannel) {
        let ends = EventLog<InMemoryChannel>()
        bench.addDie { $0.channels[0x80] = { ends.append($0) } }
        let (_, listener, peripheral) = try await bench.connectedDie()
        peripheral.openL2CAPChannel(0x80)
        try await listener.next("channel 128 nil")
        let channel = try #require(listener.channel)
        #expect(channel.psm == 0x80 && channel.peer?.identifier == bench.identifier)
        let end = try await ends.first(within: .seconds(300), waitingFor: "the die's end").event
        return (listener, channel, end)
    }

    /// The same, with no other reference to the channel than the listener's.
    private func listenerAndEnd(_ bench: Bench) async throws -> (Listener, InMemoryChannel) {
        let (listener, _, end) = try await channel(bench)
        return (listener, end)
    }

    @Test("Bytes go both ways in order, in packets of the channel's MTU, and the end is told", .covers("C9"))
    func bytes() async throws {
        let bench = try await Bench()
        let (_, channel, die) = try await channel(bench)
        let (input, output) = (try #require(channel.inputStream), try #require(channel.outputStream))
        #expect(!input.hasBytesAvailable && !output.hasSpaceAvailable, "nothing before they are open")
        input.open()
        output.open()
        #expect(output.hasSpaceAvailable)
        let sent = (0..<250).map { UInt8($0) }
        #expect(output.write(sent, maxLength: sent.count) == 250)
        var heard: [Data] = []
        while heard.joined().count < 250 { heard.append(try await die.receive()) }
        #expect(heard.map(\.count) == [100, 100, 50] && Array(heard.joined()) == sent)

        let events = EventLog<UInt>()
        let delegate = StreamListener(events)
        input.delegate = delegate
        input.schedule(in: .main, forMode: .default)
        try await die.send(Data([1, 2, 3]))
        _ = try await events.first(within: .seconds(300), waitingFor: "bytes") {
            $0 == Stream.Event.hasBytesAvailable.rawValue
        }
        var buffer = [UInt8](repeating: 0, count: 2)
        #expect(input.read(&buffer, maxLength: 2) == 2 && buffer == [1, 2])
        #expect(input.hasBytesAvailable && input.read(&buffer, maxLength: 2) == 1 && buffer[0] == 3)
        die.close()
        _ = try await events.first(within: .seconds(300), waitingFor: "the end") {
            $0 == Stream.Event.endEncountered.rawValue
        }
        #expect(input.streamStatus == .atEnd && !output.hasSpaceAvailable)
        #expect(output.write([1], maxLength: 1) == -1)
        withExtendedLifetime((delegate, bench)) {}
    }

    @Test("The run loop of a thread waits for its streams, which call their delegate on that thread")
    func ownRunLoop() async throws {
        let bench = try await Bench()
        let (_, channel, die) = try await channel(bench)
        let input = HandedOn(stream: try #require(channel.inputStream))
        input.stream.open()
        let (events, threads) = (EventLog<UInt>(), EventLog<String>())
        Thread.detachNewThread {
            // Not by its name: Foundation on Linux may lose the name that a new thread gives itself.
            let own = pthread_self()
            let delegate = StreamListener(events) { threads.append(pthread_self() == own ? "its own" : "another") }
            input.stream.delegate = delegate
            input.stream.schedule(in: .current, forMode: .default)
            events.append(0)
            // A loop with nothing to wait for returns false at once.
            while events.events.count < 2,
                RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
            {}
            input.stream.remove(from: .current, forMode: .default)
            threads.append(RunLoop.current.run(mode: .default, before: .distantFuture) ? "waits" : "ends")
        }
        _ = try await events.first(within: .seconds(300), waitingFor: "the thread")
        try await die.send(Data([1]))
        _ = try await threads.first(from: 1, within: .seconds(300), waitingFor: "the end of the loop")
        #expect(threads.events == ["its own", "ends"])
        withExtendedLifetime(bench) {}
    }

    @Test("A full channel takes no more until the peer reads; nothing is lost")
    func backpressure() async throws {
        let bench = try await Bench()
        let (_, channel, die) = try await channel(bench)
        let input = try #require(channel.inputStream)
        let events = EventLog<UInt>()
        let delegate = StreamListener(events)
        input.delegate = delegate
        input.schedule(in: .main, forMode: .default)
        input.open()
        // More than waits in the pipe; the rest waits in the radio.
        let total = ChannelPipe.capacity + 1000
        for start in stride(from: 0, to: total, by: 100) {
            try await die.send(Data((0..<min(100, total - start)).map { UInt8(truncatingIfNeeded: start + $0) }))
        }
        var heard: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 5000)
        while heard.count < total {
            try await events.wait(for: "more bytes") { input.hasBytesAvailable }
            let count = input.read(&buffer, maxLength: buffer.count)
            heard += buffer.prefix(count)
        }
        withExtendedLifetime((bench, delegate)) {}
        #expect(heard == (0..<total).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test("A port that nobody listens at gives an error, and the end of the app's reference ends the channel")
    func ends() async throws {
        let bench = try await Bench()
        let (listener, die) = try await listenerAndEnd(bench)
        listener.releaseChannel()
        #expect(try await die.receive().isEmpty, "the die's end has ended")
        let peripheral = try #require(listener.lastPeripheral)
        peripheral.openL2CAPChannel(0x99)
        try await listener.next("channel 0 CBErrorDomain 0")
    }
}

/// Writes the events of a stream into a log.
final class StreamListener: NSObject, StreamDelegate {
    private let events: EventLog<UInt>
    private let body: @Sendable () -> Void

    init(_ events: EventLog<UInt>, _ body: @escaping @Sendable () -> Void = {}) {
        (self.events, self.body) = (events, body)
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        body()
        events.append(eventCode.rawValue)
    }
}

/// A stream that one thread hands on to another.
private struct HandedOn: @unchecked Sendable {
    let stream: InputStream
}
