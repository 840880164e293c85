import Foundation
import HostRadio
import RadioModel

extension PhoneBluetooth {
    /// The packets of the phone's Bluetooth host, for experiments and attacks.
    ///
    /// What is done here, an iPhone does not do: the app may see what it would never see.
    public var raw: RawBluetooth { RawBluetooth(phone: phone) }
}

extension Phone {
    /// Whether the phone's radio has a Bluetooth host of its own, so that experiments with packets are possible.
    package var hasRawBluetooth: Bool { radio is any RawBluetoothRadio }

    /// The devices that the phone has a bond with; none if its radio has no Bluetooth host of its own.
    package var bondedDevices: [DeviceAddress] {
        get async { await (radio as? any RawBluetoothRadio)?.bondedDevices ?? [] }
    }
}

/// Sends and answers packets in place of the phone's Bluetooth host, and holds, drops, changes and reorders its own.
///
/// Every function throws `RadioError.unsupported` if the phone's radio has no host stack of its own.
public struct RawBluetooth: Sendable {
    let phone: Phone

    /// Judges every packet between the phone and devices while something is done. Afterwards all pass again; packets
    /// that are still held are lost.
    ///
    /// - Parameter judge: Called for each packet, in order. It must not wait.
    public func withFilter<Result>(
        _ judge: @escaping @Sendable (RawPacket) -> RawVerdict, isolation: isolated (any Actor)? = #isolation,
        during body: () async throws -> Result
    ) async throws -> Result {
        let radio = try radio()
        await radio.setFilter(judge)
        do {
            let result = try await body()
            await radio.setFilter(nil)
            return result
        } catch {
            await radio.setFilter(nil)
            throw error
        }
    }

    /// The packets that are held, the oldest first.
    public var held: [RawPacket] { get async throws { try await radio().heldPackets() } }

    /// Lets packets go on, in this order: held ones, or any others. A sent one goes to the device as if the phone had
    /// sent it; a received one goes to the phone as if the device had. What has no link is lost.
    public func release(_ packets: [RawPacket]) async throws { try await radio().release(packets) }

    /// Sends a payload to a device, on a channel of L2CAP.
    public func send(_ payload: Data, on channel: UInt16 = RawPacket.attributes, to device: DeviceAddress) async throws
    {
        try await release([RawPacket(.sent, device, channel: channel, payload)])
    }

    /// Lets the phone take a payload as if a device had sent it.
    public func pretend(
        _ payload: Data, on channel: UInt16 = RawPacket.attributes, from device: DeviceAddress
    ) async throws {
        try await release([RawPacket(.received, device, channel: channel, payload)])
    }

    /// Sends a request of the attribute protocol as it is, and gives the answer: a response, or an Error Response.
    /// The phone asks for no better protection.
    public func request(_ pdu: Data, of device: DeviceAddress) async throws -> Data {
        try await radio().request(pdu, of: device)
    }

    /// Sends a command to the phone's controller.
    ///
    /// - Returns: The status, and the return parameters after it.
    public func command(_ opcode: UInt16, _ parameters: Data = Data()) async throws -> (status: UInt8, values: Data) {
        try await radio().command(opcode, parameters)
    }

    private func radio() throws -> any RawBluetoothRadio {
        guard let radio = phone.radio as? any RawBluetoothRadio else {
            throw RadioError.unsupported("this phone's radio has no Bluetooth host of its own")
        }
        return radio
    }
}
