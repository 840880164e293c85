import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import RigModel
import VirtualRadio

/// The calls of clients to the air.
extension AirServer {
    func refuse(_ why: String, from client: Int) {
        refusedClientFrames += 1
        perform([.tell(.refused(from: "client \(client)", why: why))])
    }

    func handle(_ frame: Frame, from client: Int) {
        guard frame.kind == AirFrameKind.calls.call else {
            return refuse("a frame of kind \(frame.kind), which is not a call", from: client)
        }
        switch Answerer<AirCall>.read(Data(frame.payload)) {
        case .call(let call, let id): handle(call, Ticket(client: client, call: id))
        case .unreadable(let why, let answer):
            refuse(why, from: client)
            send(AirFrameKind.calls.answer, answer, to: client)
        case .noise: refuse("a frame of \(frame.payload.count) bytes, which is not a call", from: client)
        }
    }

    private func handle(_ call: AirCall, _ ticket: Ticket) {
        func asked<Value>(_ reply: Reply<Value>) -> Asked<Value> { Asked(ticket: ticket, reply: reply) }
        switch call {
        case .attach(let board, let radio, let adapter, let reply):
            perform(medium.attach(LinkID(board: board, radio: radio, adapter: adapter), asked(reply)))
        case .detach(let board, let radio, let adapter, let reply):
            perform(medium.detach(LinkID(board: board, radio: radio, adapter: adapter), asked(reply)))
        case .silence(let board, let radio, let reply):
            perform(medium.silence(LinkID(board: board, radio: radio), asked(reply)))
        case .setDistance(let metres, let reply): send(setDistance(metres, asked(reply)))
        case .setHome(let metres, let board, let reply): send(setHome(metres, from: board, asked(reply)))
        case .move(let path, let reply): perform(medium.move(path, asked(reply)))
        case .arm(let fault, let firings, let reply): perform(medium.arm(fault, firings: firings, asked(reply)))
        case .disarm(let number, let reply): perform(medium.disarm(number, asked(reply)))
        case .add(let station, let reply): perform(medium.add(station, asked(reply)))
        case .remove(let address, let reply): perform(medium.remove(address, asked(reply)))
        case .attachStack(let address, let reply): send(attachStack(at: address, asked(reply)))
        case .attachPhone(let reply): send(attachPhone(asked(reply)))
        case .detachStack(let adapter, let reply):
            detachStack(adapter)
            send(asked(reply).answer())
        case .startCapture(let path, let reply): send(startCapture(path, asked(reply)))
        case .stopCapture(let reply): send(stopCapture(asked(reply)))
        case .status(let reply): send(asked(reply).answer(status))
        }
    }

    private func setDistance(_ metres: Double?, _ asked: Asked<Done>) -> AirAnswer {
        if let metres, !(metres >= 0) { return asked.refuse("a distance must not be negative: \(metres)") }
        perform(medium.setDistance(metres))
        log(metres.map { "the boards are \($0) m apart" } ?? "the boards are out of range")
        return asked.answer()
    }

    private func setHome(_ metres: Double?, from board: BoardRole, _ asked: Asked<Done>) -> AirAnswer {
        if let metres, !(metres >= 0) { return asked.refuse("a distance must not be negative: \(metres)") }
        medium.setHome(metres, from: board)
        let place = metres.map { "\($0) m from" } ?? "out of range of"
        log("the home's router is \(place) the \(board.rawValue) board")
        return asked.answer()
    }

    private var status: AirStatus {
        var status = medium.status
        status.capturePath = capture?.path
        status.capturedPackets = capture?.count ?? 0
        status.refusedClientFrames = refusedClientFrames
        return status
    }

    private func startCapture(_ path: String, _ asked: Asked<Done>) -> AirAnswer {
        guard path.hasPrefix("/") else { return asked.refuse("a capture needs an absolute path, not \(path)") }
        if let capture { return asked.refuse("a capture is already being written, to \(capture.path)") }
        do { capture = try CaptureFile(path: path) } catch { return asked.refuse("\(error)") }
        log("capturing to \(path)")
        return asked.answer()
    }

    private func stopCapture(_ asked: Asked<Int>) -> AirAnswer {
        guard let capture else { return asked.refuse("no capture is being written") }
        self.capture = nil
        do { try capture.flush() } catch { return asked.refuse("the capture's end is missing: \(error)") }
        log("captured \(capture.count) packets")
        return asked.answer(capture.count)
    }
}
