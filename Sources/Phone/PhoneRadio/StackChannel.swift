import Foundation
import HILBluetoothHost
import HILTiming
import HostRadio
import RadioModel
import Synchronization

/// An L2CAP channel of the phone's host stack.
final class StackChannel: RadioChannel {
    let mtu: Int
    private let channel: LocalChannel
    private let device: DeviceAddress
    private let driver: StackDriver
    /// An empty packet is the end.
    private let packets = EventLog<Data>()
    private let place = Mutex(0)

    init(_ channel: LocalChannel, of device: DeviceAddress, mtu: Int, on driver: StackDriver) {
        self.channel = channel
        self.device = device
        self.mtu = mtu
        self.driver = driver
    }

    deinit { close() }

    func send(_ packet: Data) async throws {
        do {
            try await driver.act { [channel, device] stack, now throws(StackFailure) in
                try stack.send(Array(packet), on: channel, of: device, at: now)
            }
        } catch { throw RadioError(error) }
    }

    func receive() async throws -> Data {
        let next = place.withLock { place in
            defer { place += 1 }
            return place
        }
        let packet = try await packets.first(from: next) { _ in true }.event
        if !packet.isEmpty {
            await driver.act { [channel, device] in $0.consumed(on: channel, of: device, at: $1) }
        }
        return packet
    }

    func close() {
        Task { [driver, channel, device] in await driver.act { $0.close(channel, of: device, at: $1) } }
    }

    func receive(_ packet: Data) { packets.append(packet) }

    func end() { if packets.events.last?.isEmpty != true { packets.append(Data()) } }
}
