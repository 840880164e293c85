import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import RigModel
import VirtualRadio

/// Requests of clients to the air.
extension AirServer {
    func refuse(_ why: String, from client: Int) {
        refusedClientFrames += 1
        perform([.tell(.refused(from: "client \(client)", why: why))])
    }

    func handle(_ frame: Frame, from client: Int) {
        let message: AirNumbered<AirRequest>
        do { message = try JSONDecoder().decode(AirNumbered<AirRequest>.self, from: Data(frame.payload)) } catch {
            let why = "an unreadable request: \(PlainText.unreadable(frame.payload, error))"
            refuse(why, from: client)
            // Answer an unknown request too, so that its client does not wait.
            guard let number = try? JSONDecoder().decode(AirNumber.self, from: Data(frame.payload)) else { return }
            return reply(.refused(why), Ticket(client: client, request: number.id))
        }
        guard frame.kind == AirFrameKind.request else {
            return refuse("a frame of kind \(frame.kind), which is not a request", from: client)
        }
        let ticket = Ticket(client: client, request: message.id)
        switch message.body {
        case .attach(let board, let radio, let adapter):
            perform(medium.attach(LinkID(board: board, radio: radio, adapter: adapter), ticket))
        case .detach(let board, let radio, let adapter):
            perform(medium.detach(LinkID(board: board, radio: radio, adapter: adapter), ticket))
        case .silence(let board, let radio): perform(medium.silence(LinkID(board: board, radio: radio), ticket))
        case .setDistance(let metres): reply(setDistance(metres), ticket)
        case .setHome(let metres, let board): reply(setHome(metres, from: board), ticket)
        case .move(let path): perform(medium.move(path, ticket))
        case .arm(let fault, let firings): perform(medium.arm(fault, firings: firings, ticket))
        case .disarm(let number): perform(medium.disarm(number, ticket))
        case .add(let station): perform(medium.add(station, ticket))
        case .remove(let address): perform(medium.remove(address, ticket))
        case .attachStack(let address): reply(attachStack(at: address, ticket), ticket)
        case .attachPhone: reply(attachPhone(ticket), ticket)
        case .detachStack(let adapter): reply(detachStack(adapter), ticket)
        case .startCapture(let path): reply(startCapture(path), ticket)
        case .stopCapture: reply(stopCapture(), ticket)
        case .status: reply(.status(status), ticket)
        }
    }

    private func setDistance(_ metres: Double?) -> AirReply {
        if let metres, !(metres >= 0) { return .refused("a distance must not be negative: \(metres)") }
        perform(medium.setDistance(metres))
        log(metres.map { "the boards are \($0) m apart" } ?? "the boards are out of range")
        return .done
    }

    private func setHome(_ metres: Double?, from board: BoardRole) -> AirReply {
        if let metres, !(metres >= 0) { return .refused("a distance must not be negative: \(metres)") }
        medium.setHome(metres, from: board)
        let place = metres.map { "\($0) m from" } ?? "out of range of"
        log("the home's router is \(place) the \(board.rawValue) board")
        return .done
    }

    private var status: AirStatus {
        var status = medium.status
        status.capturePath = capture?.path
        status.capturedPackets = capture?.count ?? 0
        status.refusedClientFrames = refusedClientFrames
        return status
    }

    private func startCapture(_ path: String) -> AirReply {
        guard path.hasPrefix("/") else { return .refused("a capture needs an absolute path, not \(path)") }
        guard capture == nil else { return .refused("a capture is already being written, to \(capture!.path)") }
        do { capture = try Capture(path: path) } catch { return .refused("\(error)") }
        log("capturing to \(path)")
        return .done
    }

    private func stopCapture() -> AirReply {
        guard let capture else { return .refused("no capture is being written") }
        self.capture = nil
        do { try capture.flush() } catch { return .refused("the capture's end is missing: \(error)") }
        log("captured \(capture.count) packets")
        return .captured(packets: capture.count)
    }
}
