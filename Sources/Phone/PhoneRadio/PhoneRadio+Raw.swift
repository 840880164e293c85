import Foundation
import HILBluetoothHost
import HostRadio
import RadioModel

// Experiments with packets.
extension PhoneRadio: RawBluetoothRadio {
    package func setFilter(_ filter: (@Sendable (RawPacket) -> RawVerdict)?) async {
        let tap = filter.map { filter in
            PacketTap { packet in
                switch filter(RawPacket(packet)) {
                case .pass: .pass
                case .drop: .drop
                case .hold: .hold
                case .replace(let payload): .replace(Array(payload))
                }
            }
        }
        await driver.act { stack, _ in
            stack.tap(tap)
            return []
        }
    }

    package func heldPackets() async -> [RawPacket] { await driver.ask { $0.held.map { RawPacket($0) } } }

    package func release(_ packets: [RawPacket]) async {
        let packets = packets.map { packet in
            TappedPacket(
                packet.direction == .sent ? .sent : .received, current(packet.device),
                L2CAPFrame(channel: ChannelIdentifier(rawValue: packet.channel), payload: Array(packet.payload)))
        }
        await driver.act { $0.release(packets, at: $1) }
    }

    package func request(_ pdu: Data, of device: DeviceAddress) async throws -> Data {
        let request: ATTPDU
        do { request = try ATTPDU.decode(Array(pdu)) } catch {
            throw RadioError.invalid("this is no request: \(error)")
        }
        guard request.opcode.kind == .request else { throw RadioError.invalid("\(request) is not a request") }
        do {
            let answer = try await driver.perform(.gatt(current(device), .request(request)))
            guard case .gatt(.pdu(let pdu)) = answer else {
                throw RadioError.rig("the phone's host answered \(answer)")
            }
            return Data(pdu.bytes)
        } catch StackFailure.gatt(.refused(let error, let handle)) {
            let refusal = ATTPDU.errorResponse(request: request.opcode.rawValue, handle: handle, error: error)
            return Data(refusal.bytes)
        } catch let failure as StackFailure { throw RadioError(failure) }
    }

    package var bondedDevices: [DeviceAddress] {
        get async { await driver.ask { Array($0.bonds.keys) } }
    }

    package func command(_ opcode: UInt16, _ parameters: Data) async throws -> (status: UInt8, values: Data) {
        guard parameters.count <= 255 else { throw RadioError.invalid("an HCI command has at most 255 bytes") }
        let request = StackRequest.command(HCICommand(HCIOpcode(rawValue: opcode), Array(parameters)))
        guard case .command(let status, let values) = try await perform(request) else {
            throw RadioError.rig("the phone's host stack answered something else")
        }
        return (status.rawValue, Data(values))
    }
}

extension RawPacket {
    init(_ packet: TappedPacket) {
        self.init(
            packet.direction == .sent ? .sent : .received, packet.device, channel: packet.frame.channel.rawValue,
            Data(packet.frame.payload))
    }
}
