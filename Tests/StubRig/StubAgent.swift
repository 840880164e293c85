import BoardProtocol
import Foundation
import Framing
import POSIX
import RadioModel

/// An agent without a board: greets, sets clocks, powers radios, and does nothing else; for tests of the runner.
public final class StubAgent: Sendable {
    private let channel: FrameChannel

    /// - Parameter answer: Answers what is asked; nil for the usual answer.
    public init(
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

    /// Tells an event.
    public func tell(_ event: BoardEvent) { channel.send(StubAgent.frame(BoardProtocol.FrameKind.event, event)) }

    /// The board is gone.
    public func die() { channel.close() }

    private static func usual(_ command: BoardCommand, _ role: BoardRole) -> BoardResult {
        switch command {
        case .hello(let version): .hello(version: version, role: role, radiosPowered: false)
        case .versions: .versions(["kernel": "stub"])
        case .health:
            .health(BoardHealth(clock: wallClockNanoseconds(), daemons: [.bluetoothd, .hostapd, .supplicant]))
        case .accessory(let command, let adapter): .value(lamp(command, on: adapter))
        case .powerAdapter(let adapter, _): .address(address(of: adapter))
        default: .done
        }
    }

    /// What a lamp answers.
    private static func lamp(_ command: Data, on adapter: AdapterID) -> Data {
        let isPowerOn =
            if case .powerOn = try? JSONDecoder().decode(LampCommand.self, from: command) { true } else { false }
        return (try? JSONEncoder().encode(isPowerOn ? LampAnswer.address(address(of: adapter)) : .done)) ?? Data()
    }

    /// Where the accessory of an adapter is.
    public static func address(of adapter: AdapterID) -> DeviceAddress {
        DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8(truncatingIfNeeded: adapter.rawValue)])!
    }

    private static func frame(_ kind: UInt8, _ body: some Encodable) -> Frame {
        Frame(kind: kind, payload: Array((try? JSONEncoder().encode(body)) ?? Data()))
    }
}
