import Foundation
import HILAir
import HILPOSIX

/// An air without boards that accepts every request.
package final class StubAir: Sendable {
    private let channel: FrameChannel

    /// - Parameter answer: Returns the answer to a call; nil for the usual answer.
    package init(_ descriptor: Descriptor, answer: @escaping @Sendable (AirCall) -> Answer? = { _ in nil }) {
        channel = FrameChannel(descriptor, name: "stub-air")
        Task { [channel] in
            for await case .frame(let frame) in channel.items {
                let answer = Answerer<AirCall>.answer(Data(frame.payload)) { call throws(AirRefusal) in
                    if let answer = answer(call) ?? StubAir.usual(call) { return answer }
                    throw AirRefusal("a stub does not do \(call.name)")
                }
                // An answer is of kind 2.
                if let answer { channel.send(Frame(kind: 2, payload: Array(answer))) }
            }
        }
    }

    private static func usual(_ call: AirCall) -> Answer? {
        switch call {
        case .attach(_, _, _, let reply): reply("stub0")
        case .arm(_, _, let reply), .disarm(_, let reply), .stopCapture(let reply): reply(1)
        case .detach(_, _, _, let reply), .silence(_, _, let reply), .setDistance(_, let reply),
            .setHome(_, _, let reply), .move(_, let reply), .add(_, let reply), .remove(_, let reply),
            .detachStack(_, let reply), .startCapture(_, let reply):
            reply()
        case .attachStack, .attachPhone, .status: nil
        }
    }
}
