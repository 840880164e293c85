import BoardProtocol
import HILPhone
import HILRecord
import RadioModel
import RigModel

/// The one place where events of phone, air and person become events of the record.
extension ScenarioRecorder {
    /// Records what happened on the phone.
    func record(phone event: PhoneEvent.Kind) {
        let played: WorkerMessage.Played? =
            switch event {
            case .screen(let screen): .screen(screen?.bounded)
            case .radio(.bluetoothPower(let isOn)): .bluetoothPower(isOn)
            case .radio(.wifiPower(let isOn)): .wifiPower(isOn)
            default: nil
            }
        record(.phone(PhoneNote(event)), played: played)
    }

    /// Records what a person who plays a scenario by hand was offered, did, or could not do.
    func record(play event: PlayEvent) { record(.play(PlayNote(event.text)), played: .play(event.bounded)) }

    /// Records what the air reported.
    func record(air event: AirEvent) { record(.air(AirNote(event))) }

    /// Records that the rig lacks something, so that the scenario is skipped.
    func record(lack: RigLacks) { record(.lacks(Lack(lack))) }
}

extension Lack {
    /// The lack of a rig, as a record keeps it.
    package init(_ lack: RigLacks) {
        self.init(lack.description, capabilities: lack.capabilities.map(\.rawValue))
    }
}

extension AccessoryNote {
    package init(accessory: String, adapter: AdapterID, _ line: AccessoryLine) {
        self.init(accessory: accessory, adapter: adapter, kind: line.kind, text: line.text, link: line.link)
    }
}

extension AirNote {
    /// An event of the air, as a record keeps it.
    package init(_ event: AirEvent) {
        var fired: FiredFault?
        if case .fired(let fault, let packet, let count, let all) = event {
            fired = FiredFault(fault: fault, packet: packet, count: count, of: all)
        }
        self.init("\(event)", fired: fired)
    }
}

extension PhoneNote {
    /// An event of the phone, as a record keeps it.
    package init(_ event: PhoneEvent.Kind) {
        self =
            switch event {
            case .screen(let screen):
                .screen(screen.map { ScreenNote(kind: $0.kind.rawValue, title: $0.title, text: "\($0)") })
            case .person(let action, let title):
                .person(ActionNote(control: action.control.rawValue, text: "\(action)"), on: title)
            case .app(let name, let what): .app(name, what)
            case .told(let name, let what): .told(name, what)
            case .radio(let radio): .radio(RadioNote(kind: radio.kind, text: "\(radio)", devices: radio.devices))
            case .authorization(let what): .authorization(what)
            case .warning(let rule, let text): .warning(rule: rule, text)
            case .rigFailure(let what): .rigFailure(what)
            case .note(let part, let text): .note(part, text)
            }
    }
}

extension RadioEvent {
    /// The name of the event, one word that does not change between versions.
    fileprivate var kind: String {
        switch self {
        case .advertisement: "advertisement"
        case .bluetoothPower: "bluetoothPower"
        case .connected: "connected"
        case .disconnected: "disconnected"
        case .requestFailed: "requestFailed"
        case .askPairing: "askPairing"
        case .confirmPasskey: "confirmPasskey"
        case .enterPasskey: "enterPasskey"
        case .showPasskey: "showPasskey"
        case .bonded: "bonded"
        case .pairedOnce: "pairedOnce"
        case .pairingFailed: "pairingFailed"
        case .addressChanged: "addressChanged"
        case .valueChanged: "valueChanged"
        case .servicesChanged: "servicesChanged"
        case .mtuChanged: "mtuChanged"
        case .parametersRequested: "parametersRequested"
        case .noticed: "noticed"
        case .wifiLost: "wifiLost"
        case .wifiPower: "wifiPower"
        case .wifiAware: "wifiAware"
        }
    }

    /// The addresses of the devices in the event.
    fileprivate var devices: [DeviceAddress] {
        switch self {
        case .connected(let address), .disconnected(let address, _), .askPairing(let address),
            .confirmPasskey(let address, _), .enterPasskey(let address), .showPasskey(let address, _),
            .bonded(let address, _), .pairedOnce(let address, _), .pairingFailed(let address, _),
            .valueChanged(let address, _, _), .servicesChanged(let address), .mtuChanged(let address, _),
            .parametersRequested(let address, _), .requestFailed(let address, _):
            [address]
        case .addressChanged(let old, let own): [old, own]
        case .noticed(let address, _): address.map { [$0] } ?? []
        case .advertisement, .bluetoothPower, .wifiLost, .wifiPower, .wifiAware: []
        }
    }
}
