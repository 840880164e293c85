import BoardProtocol
import HILPOSIX
import HILPhone
import HILRecord
import HILTiming
import HostRadio
import RadioModel
import RigModel
import StubRig
import Synchronization
import TestSupport

@testable import HIL
@testable import HILAir

/// A lab on a stub rig, and the events that it recorded.
@MainActor
final class TestLab {
    let lab: Lab
    let host: StubAgent
    let accessory: StubAgent
    private let air: StubAir?
    /// The radio of the phone.
    let radio = InMemoryRadio()
    let clock = ManualClock()
    /// What the lab has recorded.
    nonisolated let recorded: EventLog<ScenarioEvent>

    /// - Parameters:
    ///   - description: What the rig can do.
    ///   - packets: How many packets the air has captured at the end.
    ///   - logs: The folder for logs of accessories.
    ///   - boardPackages: The Debian packages that the accessory board got; nil if its rig cannot give it any.
    ///   - hostStacks: Gives controllers to host stacks; nil if the rig has none.
    ///   - home: The home of a bench; nil for that of the description.
    ///   - frames: How many frames the host board has sent to its Bluetooth radio by then.
    init(
        _ description: RigDescription = StubRigKind.whole, packets: Int = 1, frames: Int = 1,
        logs: String? = nil, boardPackages: [String]? = nil, hostStacks: (any HostStackControl)? = nil,
        home: BenchHomeConnection? = nil,
        accessoryAnswer: @escaping @Sendable (BoardCall) throws(RadioError) -> Answer? = { _ in nil }
    ) throws {
        let (hostEnd, hostBoard) = try UnixSocket.pair()
        let (accessoryEnd, accessoryBoard) = try UnixSocket.pair()
        host = StubAgent(hostBoard, role: .host)
        accessory = StubAgent(accessoryBoard, role: .accessory, answer: accessoryAnswer)
        let hostClient = BoardClient(hostEnd, role: .host)
        let accessoryClient = BoardClient(accessoryEnd, role: .accessory)
        var rig = RigConnection(description, host: hostClient, accessory: accessoryClient)
        if description.has(.air) {
            let (airEnd, airServer) = try UnixSocket.pair()
            air = StubAir(airServer) { call in
                switch call {
                case .disarm(_, let reply): reply(0)
                case .stopCapture(let reply): reply(packets)
                case .status(let reply): reply(TestLab.status(frames: frames))
                default: nil
                }
            }
            let facets = AirFacets(AirClient(airEnd))
            (rig.air, rig.distance, rig.adapters, rig.capture) = (facets, facets, facets, facets.capture)
        } else {
            air = nil
        }
        rig.hostStacks = hostStacks
        rig.home = home
        let recorded = EventLog<ScenarioEvent>()
        self.recorded = recorded
        let recorder = ScenarioRecorder { recorded.append($0.stamped.event) }
        let airHandle = AirHandle(rig, recorder: recorder, guardProgram: RunnerProcess.path(of: TestProgram.probe))
        let handle = RigHandle(rig, air: airHandle, recorder: recorder, clock: clock, healthLimit: .seconds(300))
        var options = LabOptions()
        options.logs = logs
        options.packages = boardPackages
        lab = Lab(
            phone: Phone(radio: radio), rig: handle, recorder: recorder, clock: clock, options: options)
    }

    private nonisolated static func status(frames: Int) -> AirStatus {
        var link = AirStatus.Link(board: .host, radio: .bluetooth)
        link.framesFromBoard = frames
        return AirStatus(
            distance: 1, bluetoothSignal: -40, wifiSignal: -36, links: [link], capturePath: nil, capturedPackets: 0,
            refusedClientFrames: 0)
    }

    var events: [ScenarioEvent] { recorded.events }
    var failures: [Failure] { lab.failures }
}
