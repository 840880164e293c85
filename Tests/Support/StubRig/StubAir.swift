import Foundation
import HILAir
import HILPOSIX

/// An air without boards that accepts every request.
package final class StubAir: Sendable {
    private struct Numbered<Body: Codable>: Codable {
        var id: UInt32
        var body: Body
    }

    private let channel: FrameChannel

    package init(_ descriptor: Descriptor) {
        channel = FrameChannel(descriptor, name: "stub-air")
        Task { [channel] in
            for await case .frame(let frame) in channel.items {
                guard let request = try? JSONDecoder().decode(Numbered<AirRequest>.self, from: Data(frame.payload))
                else {
                    continue
                }
                let reply = Numbered(id: request.id, body: StubAir.answer(request.body))
                // A reply is of kind 2.
                channel.send(Frame(kind: 2, payload: Array((try? JSONEncoder().encode(reply)) ?? Data())))
            }
        }
    }

    private static func answer(_ request: AirRequest) -> AirReply {
        switch request {
        case .attach: .attached(name: "stub0")
        case .arm: .armed(1)
        case .disarm: .disarmed(fired: 1)
        case .stopCapture: .captured(packets: 1)
        default: .done
        }
    }
}
