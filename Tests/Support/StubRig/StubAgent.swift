import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel

/// An agent without a board, for tests of the runner. It greets, and accepts requests to set clocks and power radios.
package final class StubAgent: Sendable {
    private let channel: FrameChannel

    /// - Parameter answer: Returns the answer to a request; nil for the usual answer.
    package init(
        _ descriptor: Descriptor, role: BoardRole,
        answer: @escaping @Sendable (BoardCommand) -> BoardResult? = { _ in nil }
    ) {
        channel = FrameChannel(descriptor, name: "stub-agent")
        Task { [channel] in
            for await case .frame(let frame) in channel.items {
                guard let request = try? JSONDecoder().decode(BoardRequest.self, from: Data(frame.payload)) else {
                    continue
                }
                let result = answer(request.command) ?? StubAgent.usual(request.command, role)
                let reply = BoardReply(id: request.id, outcome: .success(result))
                channel.send(StubAgent.frame(BoardProtocol.FrameKind.reply, reply))
            }
        }
    }

    /// Sends an event.
    package func tell(_ event: BoardEvent) { channel.send(StubAgent.frame(BoardProtocol.FrameKind.event, event)) }

    /// Closes the connections, as if the board were gone.
    package func die() { channel.close() }

    private static func usual(_ command: BoardCommand, _ role: BoardRole) -> BoardResult {
        switch command {
        case .hello(let version): .hello(version: version, role: role, radiosPowered: false)
        case .versions: .versions(["kernel": "stub"])
        case .health:
            .health(BoardHealth(clock: wallClockNanoseconds(), daemons: [.bluetoothd, .hostapd, .supplicant]))
        case .accessory(let command, _, let adapter): .value(lamp(command, on: adapter))
        case .powerAdapter(let adapter, _): .address(address(of: adapter))
        default: .done
        }
    }

    /// The lamp's answer to a command.
    private static func lamp(_ command: Data, on adapter: AdapterID) -> Data {
        let isPowerOn =
            if case .powerOn = try? JSONDecoder().decode(LampCommand.self, from: command) { true } else { false }
        return (try? JSONEncoder().encode(isPowerOn ? LampAnswer.address(address(of: adapter)) : .done)) ?? Data()
    }

    /// The index of an adapter's accessory.
    package static func address(of adapter: AdapterID) -> DeviceAddress {
        DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8(truncatingIfNeeded: adapter.rawValue)])!
    }

    private static func frame(_ kind: UInt8, _ body: some Encodable) -> Frame {
        Frame(kind: kind, payload: Array((try? JSONEncoder().encode(body)) ?? Data()))
    }
}
