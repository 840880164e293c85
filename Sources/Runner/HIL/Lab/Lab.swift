import BoardProtocol
import Phone
import RigModel
import Timing

/// What a scenario works with: the phone, the accessory, and what lies between them.
@MainActor
public final class Lab {
    /// The simulated phone, switched on, with no app running.
    public nonisolated let phone: Phone
    /// The accessory board; nothing on it is switched on yet.
    public nonisolated let accessory: AccessoryBoard
    /// What phone and accessory may reach without each other; nothing of it is there yet.
    public nonisolated let internet: Internet
    /// What lies between the boards.
    public nonisolated let air: AirHandle
    /// The boards themselves.
    public nonisolated let rig: RigHandle
    nonisolated let recorder: ScenarioRecorder
    let clock: any Clock<Duration>
    /// Tells that something was told by phone, boards or air.
    let news = News()
    private let screens: ScreenFolder?
    private var pumps: [Task<Void, Never>] = []
    /// Ends the logs that are watched, so that each pump hands on what is left and ends.
    private var endings: [@Sendable () -> Void] = []

    /// - Parameter screens: The folder for drawings of the phone's screens; nil draws none.
    init(
        phone: Phone, rig: RigHandle, recorder: ScenarioRecorder, clock: any Clock<Duration>, screens: String? = nil
    ) {
        self.screens = screens.map { path in
            ScreenFolder(path) { [recorder] in recorder.record(.note(text: $0)) }
        }
        self.phone = phone
        self.rig = rig
        air = rig.air
        self.recorder = recorder
        self.clock = clock
        accessory = AccessoryBoard(rig.accessory, air: air, recorder: recorder)
        internet = Internet(rig.accessory, recorder: recorder)
        phone.onCall { recorder.noteCall(at: SourceLocation(file: $0, path: $1, line: $2)) }
        watchPhone()
        for board in [rig.host, rig.accessory] { watch(board) }
    }

    deinit { for pump in pumps { pump.cancel() } }

    /// Everything that is wrong so far. A scenario may look, and stop early.
    public nonisolated var failures: [Failure] { recorder.failures }

    /// Completes the capture, and records what is still to be told; the rig may be stopped then.
    package func close() async {
        do { try await rig.connection.capture?.stop() } catch {
            recorder.record(.failure(Failure(.rig, "the capture is not complete: \(Failure(error).message)")))
        }
        // A fault that was told but not yet recorded would leave a verdict that is not deserved.
        for end in endings { end() }
        for pump in pumps { await pump.value }
        await screens?.finish()
        recorder.record(.done)
    }

    private func watchPhone() {
        pump(phone.log, of: "the phone") { [recorder, screens] event in
            switch event.kind {
            case .screen(let screen):
                recorder.record(.phone(event.kind))
                screens?.add(screen)
            case .radio(.advertisement): break  // Several a second, and all of them are in the capture.
            case .rigFault(let what): recorder.record(.failure(Failure(.rig, what)))
            default: recorder.record(.phone(event.kind))
            }
        }
    }

    private func watch(_ board: BoardClient) {
        pump(board.events, of: "the \(board.role) board") { [recorder, accessory, tolerance = rig.tolerance] event in
            let isExpected = tolerance.covers(event, of: board.role)
            func report(_ what: String) {
                recorder.record(isExpected ? .note(text: what) : .failure(Failure(.rig, what)))
            }
            switch event {
            case .radio: break  // Told to the phone, and recorded there.
            case .accessory(let told, let adapter):
                if let event = accessory.story(of: told, on: adapter) { recorder.record(event) }
            case .wifiKey: break  // Kept beside the capture, and nowhere else.
            case .refused(let why): report("the \(board.role) board's agent refused bytes: \(why)")
            case .daemonLost(let name, let how):
                report("\(name) on the \(board.role) board \(how.trimmingPrefix("it "))")
            case .agentStarted: report("the agent of the \(board.role) board started anew")
            }
        }
    }

    /// Records what the air tells unasked, which is mostly bad news.
    func watch(_ events: EventLog<AirEvent>) {
        pump(events, of: "the air") { [recorder, tolerance = rig.tolerance] event in
            func report(_ what: String, of whom: String) {
                let isExpected = tolerance.coversRadios(of: whom)
                recorder.record(isExpected ? .note(text: what) : .failure(Failure(.rig, what)))
            }
            switch event {
            case .attached, .detached, .fired, .arrived: recorder.record(.air(event))
            case .refused(let from, let why): report("the air refused bytes of \(from): \(why)", of: from)
            case .lost(let board, let radio):
                report("the \(board) board's \(radio) port is gone", of: board.rawValue)
            case .captureFailed(let why):
                recorder.record(.failure(Failure(.rig, "the capture is not complete: \(why)")))
            }
        }
    }

    /// The end of a log that is watched no longer.
    private struct Closed: Error {}

    /// Hands every event of a log on; when the log ends with an error, that is a fault of the rig.
    private func pump<Event>(
        _ log: EventLog<Event>, of whom: String, _ take: @escaping @Sendable (Event) -> Void
    ) {
        endings.append { log.finish(throwing: Closed()) }
        pumps.append(
            Task { [recorder, news] in
                var place = 0
                do {
                    while true {
                        let next = try await log.first(
                            from: place, within: .seconds(86_400), waitingFor: "an event of \(whom)")
                        place = next.next
                        take(next.event)
                        news.tell()
                    }
                } catch is Closed {
                } catch {
                    if !Task.isCancelled { recorder.record(.failure(Failure(.rig, Failure(error).message))) }
                }
            })
    }
}
