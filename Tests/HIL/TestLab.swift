import BoardProtocol
import HostRadio
import POSIX
import Phone
import StubRig
import Synchronization
import Timing

@testable import HIL

/// A lab on stubs, and what it recorded.
@MainActor
final class TestLab {
    let lab: Lab
    let host: StubAgent
    let accessory: StubAgent
    let clock = ManualClock()
    private nonisolated let recorded: Recorded

    final class Recorded: Sendable {
        let events = Mutex<[ScenarioEvent]>([])
    }

    /// - Parameter packets: How many the air has captured in the end.
    init(packets: Int = 1) throws {
        let (hostEnd, hostBoard) = try UnixSocket.pair()
        let (accessoryEnd, accessoryBoard) = try UnixSocket.pair()
        host = StubAgent(hostBoard, role: .host)
        accessory = StubAgent(accessoryBoard, role: .accessory)
        let hostClient = BoardClient(hostEnd, role: .host)
        let rig = RigHandle(
            host: hostClient, accessory: BoardClient(accessoryEnd, role: .accessory), versions: [:])
        let recorded = Recorded()
        self.recorded = recorded
        let recorder = ScenarioRecorder { event in recorded.events.withLock { $0.append(event.event) } }
        let air = AirHandle(capture: "/nowhere") { request in
            if case .stopCapture = request { .captured(packets: packets) } else { .done }
        }
        lab = Lab(phone: Phone(radio: BoardRadio(hostClient)), rig: rig, air: air, recorder: recorder, clock: clock)
    }

    var events: [ScenarioEvent] { recorded.events.withLock { $0 } }
    var failures: [Failure] { lab.failures }
}
