import Foundation
import RadioModel

/// A phone's radio that lets experiments at the packets of its Bluetooth host. Only a phone with its own host stack has
/// it.
package protocol RawBluetoothRadio: Sendable {
    /// Sets what becomes of packets; nil lets all pass, and forgets those that are held. The function is called for each
    /// packet in order, and must not wait.
    func setFilter(_ filter: (@Sendable (RawPacket) -> RawVerdict)?) async
    /// The packets that are held, the oldest first.
    func heldPackets() async -> [RawPacket]
    /// Lets packets go on in this order as if they had just come: held ones, or made ones. What has no link is lost.
    func release(_ packets: [RawPacket]) async
    /// Sends one request of the attribute protocol as it is, and gives the answer: a response, or an Error Response.
    ///
    /// - Throws: ``RadioModel/RadioError``.
    func request(_ pdu: Data, of device: DeviceAddress) async throws -> Data
    /// The devices that the phone has a bond with.
    var bondedDevices: [DeviceAddress] { get async }
    /// Sends an HCI command to the phone's controller.
    ///
    /// - Returns: The status, and the return parameters after it.
    func command(_ opcode: UInt16, _ parameters: Data) async throws -> (status: UInt8, values: Data)
}
