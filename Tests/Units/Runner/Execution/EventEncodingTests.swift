import BoardProtocol
import Foundation
import HIL
import HILPhone
import HILRecord
import RadioModel
import RigModel
import Testing

@testable import HILExecution

/// Every value in `events.jsonl` has a name that describes it.
struct EventEncodingTests {
    private static let device = DeviceAddress("02:00:00:00:02:B0")!
    private static let bond = Bond(isSecureConnections: true, isAuthenticated: true)
    private static let place = SourceLocation(file: "Scenarios/A.swift", path: "/a/Scenarios/A.swift", line: 1)

    private static let radio: [RadioEvent] = [
        .advertisement(Advertisement(address: device, rssi: -40)), .bluetoothPower(true), .connected(device),
        .disconnected(device, reason: "gone"), .confirmPasskey(device, passkey: 7), .bonded(device, bond),
        .addressChanged(device, to: device), .valueChanged(device, CharacteristicID(handle: 3), value: Data([1])),
        .askPairing(device), .noticed(device, "it did not answer"), .noticed(nil, "odd"),
        .pairedOnce(device, Bond(isSecureConnections: true, isAuthenticated: false)),
        .pairingFailed(device, reason: "time ran out"),
        .servicesChanged(device), .mtuChanged(device, 185), .wifiLost(ssid: "Die", reason: "left"), .wifiPower(false),
        .wifiAware(WiFiAwareService(address: device, name: "_die._tcp")),
    ]
    private static let actions: [PersonAction] = [
        .pick("Die"), .pick(.number(2)), .pick(.address(device)), .pick(.strongest(of: 2)), .pick(.weakest(of: 2)),
        .pick(.entry(UUID())), .switchBluetoothOff, .switchWiFiOn, .cancel, .rename("Die"), .allowForwarding(.all),
        .allowForwarding(.only(["com.example"])),
        .removeInSettings("Die"), .renameInSettings("Die", to: "Dice"), .forwardInSettings("Die", .none),
        .shareInSettings("Die", false),
    ]
    private static let phone: [PhoneEvent.Kind] =
        [
            .screen(nil), .screen(Screen(.picker, title: "Dice", willing: .pick("Die"))),
            .app("com.example", "launched"),
            .told("com.example", "an event"), .authorization("all"), .warning(rule: "K1", "too large"),
            .rigFailure("no answer"), .note("picker", "shown"),
        ] + radio.map { .radio($0) } + actions.map { .person($0, on: "Dice") }
    private static let accessory = [
        AccessoryNote(accessory: "lamp", adapter: 1, AccessoryLine("shines(7)")),
        AccessoryNote(accessory: "lamp", adapter: .first, AccessoryLine("connected", kind: "link", link: device)),
    ]
    private static let air: [AirEvent] = [
        .attached(.host, .bluetooth, name: "hci0"), .detached(.host, .wifi, reason: ""),
        .attached(.accessory, .bluetooth, adapter: AdapterID(rawValue: 3), name: "hci3"),
        .detached(.accessory, .bluetooth, adapter: AdapterID(rawValue: 3), reason: ""), .lost(.host, .wifi),
        .refused(from: "a client", why: "no message"), .fired(fault: "dropped", packet: nil, count: 1, of: 1),
        .arrived(metres: 3), .captureFailed("disk full"),
        .hostStack(8, .connected), .hostStack(8, .disconnected), .hostStack(8, .refused(why: "too short")),
        .hostStack(8, .cutOff(why: "no packet")),
    ]
    private static let play: [PlayEvent] = [
        .offers(buttons: ["Add"]), .did(.press(button: "Add")), .did(.act(.pick(.number(1)), on: .picker)),
        .did(.openSettings(.switches)), .did(.move(metres: nil)), .did(.move(metres: 2)),
        .refused(.post(app: "com.example", title: "Kim", body: "Hello"), why: "it cannot"),
        .ended(button: "Add", failure: nil), .forwarded(number: 1), .suggests([.cancel]),
        .awaits(["a lamp"], isPersonsTurn: true),
    ]
    private static let worker: [ScenarioEvent] =
        [
            .preparing, .boardsReady(versions: [:]), .bodyBegan(budget: 1),
            .stepBegan(name: "join", budget: 1, at: place, number: 1),
            .stepEnded(name: "join", seconds: 1, outcome: .done, number: 1),
            .drawn(ScreenPicture(number: 3, light: "screens/03.light.svg", dark: "screens/03.dark.svg")),
            .failure(Failure(.rig, "gone", finding: Finding(.daemon, of: .host, program: "bluetoothd"))),
            .expectation(text: "holds", held: true, at: place), .failure(Failure(.product, "wrong", at: place)),
            .accessoryVersion(name: "lamp", version: "1.2"), .standing(text: "in a step"), .note(text: "note"),
            .remark(text: "note"), .bodyEnded(seconds: 1), .paused,
            .done,
            .onAir(device, "a die"), .lacks(Lack(RigDescription("bare", has: []).lack(of: [.air, .capture])!)),
            .waited(what: "a lamp", seconds: 1), .audit(.began), .audit(.tried(text: "it was tried")),
            .audit(.stranger(address: "02:00:00:00:02:C0", interface: "accessory-hci8")), .audit(.seed(7)),
            .audit(.matrix(AuditMatrix([]))), .audit(.found(outcome: .holds, reason: "so", instead: "so")),
            .audit(.frames(ofNotes: [AuditFrames([1])])),
        ] + play.map { .play(PlayNote($0.text)) } + phone.map { .phone(PhoneNote($0)) }
        + accessory.map { .accessory($0) } + air.map { .air(AirNote($0)) }
    private static let result = ScenarioResult(attempts: [AttemptResult(Judgement([]), seconds: 1)])
    private static let runner: [RunnerEvent] = [
        .runBegan(RunInfo(version: "1", rig: "virtual", machine: "m", folder: "/r", scenarios: [])), .roundBegan([]),
        .scenarioBegan, .attemptBegan(number: 1), .attemptEnded(AttemptResult(Judgement([]), seconds: 1)),
        .scenarioEnded(result),
        .scenarioInterrupted, .runEnded(RunEnd(seconds: 1)),
    ]

    @Test("No value of a line has a number as its name, and every line can be read back")
    func names() throws {
        let told = EventEncodingTests.worker.map { RunLine(scenario: "a", worker: StampedEvent(time: 1, event: $0)) }
        for line in told + EventEncodingTests.runner.map({ RunLine(time: 1, scenario: "a", runner: $0) }) {
            let text = String(decoding: line.json, as: UTF8.self)
            // A quote in a text has a backslash before it.
            #expect(text.firstMatch(of: /[^\\]"_\d+":/) == nil, "\(text)")
            #expect(try JSONDecoder().decode(RunLine.self, from: Data(line.json)).json == line.json)
        }
    }

    @Test("The names of values describe them")
    func examples() {
        func json(_ event: ScenarioEvent) -> String {
            String(decoding: RunLine(scenario: "a", worker: StampedEvent(time: 1, event: event)).json, as: UTF8.self)
        }
        #expect(
            json(.phone(.warning(rule: "K1", "too large")))
                == #"{"scenario":"a","time":1,"worker":{"phone":{"event":{"warning":{"rule":"K1","text":"too large"}}}}}"#
        )
        #expect(
            json(.stepEnded(name: "join", seconds: 1, outcome: .overran, number: 2)).contains(
                #"{"stepEnded":{"name":"join","number":2,"outcome":"overran","seconds":1}}"#))
        let picture = ScreenPicture(number: 3, light: "screens/03.light.svg", dark: "screens/03.dark.svg")
        #expect(
            json(.drawn(picture)).contains(
                #"{"drawn":{"picture":{"dark":"screens/03.dark.svg","light":"screens/03.light.svg","number":3}}}"#))
        let failure = Failure(.rig, "gone", finding: Finding(.daemon, of: .host, program: "bluetoothd"))
        #expect(json(.failure(failure)).contains(#""finding":{"board":"host","kind":"daemon","program":"bluetoothd"}"#))
        #expect(
            json(.phone(.app("com.example", "launched"))).contains(
                #"{"app":{"app":"com.example","what":"launched"}}"#))
    }
}
