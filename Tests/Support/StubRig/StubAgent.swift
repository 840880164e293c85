import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel

/// An agent without a board, for tests of the runner. It greets, and accepts requests to set clocks and power radios.
package final class StubAgent: Sendable {
    private let channel: FrameChannel

    /// - Parameter answer: Returns the answer to a call; nil for the usual answer.
    package init(
        _ descriptor: Descriptor, role: BoardRole,
        answer: @escaping @Sendable (BoardCall) throws(RadioError) -> Answer? = { _ in nil }
    ) {
        channel = FrameChannel(descriptor, name: "stub-agent")
        Task { [channel] in
            for await case .frame(let frame) in channel.items {
                let answer = Answerer<BoardCall>.answer(Data(frame.payload)) { call throws(RadioError) in
                    if let answer = try answer(call) ?? StubAgent.usual(call, role) { return answer }
                    throw .unsupported("a stub does not do \(call.name)")
                }
                guard let answer else { continue }
                channel.send(Frame(kind: BoardProtocol.FrameKind.answer, payload: Array(answer)))
            }
        }
    }

    /// Sends an event.
    package func tell(_ event: BoardEvent) {
        let payload = (try? JSONEncoder().encode(event)) ?? Data()
        channel.send(Frame(kind: BoardProtocol.FrameKind.event, payload: Array(payload)))
    }

    /// Closes the connections, as if the board were gone.
    package func die() { channel.close() }

    private static func usual(_ call: BoardCall, _ role: BoardRole) -> Answer? {
        switch call {
        case .hello(let version, let reply):
            reply(BoardGreeting(version: version, role: role, radiosPowered: false))
        case .system(let call): usual(call)
        case .fault(let call): usual(call)
        case .controller(.giveBack(let reply)): reply()
        case .station(.setPower(_, let reply)), .station(.discoverWiFiAware(_, let reply)),
            .station(.leave(let reply)), .station(.closeStream(_, let reply)):
            reply()
        case .home(.open(_, let reply)), .home(.changePassphrase(_, let reply)), .home(.close(let reply)),
            .home(.closeClient(_, let reply)):
            reply()
        case .stranger(.leave(let reply)): reply()
        case .accessory(let call): usual(call)
        case .program(.end(_, let reply)), .program(.send(_, _, let reply)): reply()
        case .controller, .station, .localNetwork, .home, .stranger, .program: nil
        }
    }

    private static func usual(_ call: SystemCall) -> Answer? {
        switch call {
        case .setClock(_, let reply), .wake(let reply): reply()
        case .powerRadios(let reply): reply(BoardAddresses(bluetooth: nil, wifi: nil))
        case .versions(let reply), .warmUp(let reply): reply(["kernel": "stub"])
        case .health(let reply):
            reply(BoardHealth(clock: wallClockNanoseconds(), daemons: [.bluetoothd, .hostapd, .supplicant]))
        }
    }

    private static func usual(_ call: FaultCall) -> Answer? {
        switch call {
        case .killDaemon(_, _, let reply), .startDaemon(_, let reply), .waitForAdapterRemoval(_, let reply),
            .killAgent(let reply), .shutDown(let reply):
            reply()
        case .fillDisk, .freeDisk: nil
        }
    }

    private static func usual(_ call: AccessoryCall) -> Answer? {
        switch call {
        case .prepareCompartment(_, let reply), .openInternet(_, let reply): reply()
        case .powerAdapter(let adapter, _, let reply): reply(address(of: adapter))
        case .ask(let call, _, let adapter, let reply): lamp(call, on: adapter).map { reply($0) }
        }
    }

    /// The lamp's answer to a call.
    private static func lamp(_ message: Data, on adapter: AdapterID) -> Data? {
        switch try? JSONDecoder().decode(LampCall.self, from: message) {
        case .powerOn?: try? JSONEncoder().encode(address(of: adapter))
        case .dim?: try? JSONEncoder().encode([String: String]())
        case nil: nil
        }
    }

    /// The index of an adapter's accessory.
    package static func address(of adapter: AdapterID) -> DeviceAddress {
        DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8(truncatingIfNeeded: adapter.rawValue)])!
    }
}
