import HILBluetoothHost
import HILTiming
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import HILPhoneRadio

/// A controller that takes packets and says what the test wants.
private final class ScriptedController: ControllerTransport {
    let packets: AsyncThrowingStream<[UInt8], any Error>
    let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
    let sent = EventLog<[UInt8]>()

    init() { (packets, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream() }

    func send(_ packet: [UInt8]) { sent.append(packet) }
    func close() { continuation.finish() }
}

@Suite("The driver of the phone's host stack", .timeLimit(.minutes(1)))
struct StackDriverTests {
    private let transport = ScriptedController()
    private let clock = ManualClock()
    private let device = DeviceAddress("02:00:00:00:02:B0")!  // a literal

    private func driver() async -> StackDriver {
        let identity = DeviceIdentity(
            resolvingKey: Value128(high: 1, low: 2), address: PeerAddress(device, isRandom: false))
        let stack = BluetoothStack(identity: identity, random: { [UInt8](repeating: 7, count: $0) })
        let driver = StackDriver(stack, on: transport, clock: clock)
        await driver.start()
        return driver
    }

    private func firstFailure(_ driver: StackDriver) async -> String? {
        for await event in driver.events { if case .failed(let why) = event { return why } }
        return nil
    }

    @Test("A controller that does not answer is given up after the limit, by the driver's own timer")
    func silentController() async throws {
        let driver = await driver()
        await driver.act { $0.powerOn(at: $1) }
        // HCI Reset.
        _ = try await transport.sent.first(from: 0) { $0 == [1, 3, 0x0C, 0] }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(11))
        let why = try #require(await firstFailure(driver))
        #expect(why.contains("Reset"), "\(why)")
    }

    @Test("A lost controller is told with its reason, and each later request fails with it")
    func lostController() async throws {
        let driver = await driver()
        transport.continuation.finish(throwing: RadioError.rig("the cable was pulled"))
        #expect(await firstFailure(driver)?.contains("the cable was pulled") == true)
        await #expect(throws: RadioError.rig("the cable was pulled")) { try await driver.perform(.signal(device)) }
    }

    @Test("Without power a request fails at once, and a cancelled task does not wait")
    func requests() async throws {
        let driver = await driver()
        await #expect(throws: StackFailure.self) { try await driver.perform(.connect(device)) }
        await driver.act { $0.powerOn(at: $1) }
        let waiting = Task { try await driver.perform(.connect(device)) }
        waiting.cancel()
        // The controller is not ready, so this fails as well; but it never hangs.
        await #expect(throws: (any Error).self) { try await waiting.value }
    }
}
