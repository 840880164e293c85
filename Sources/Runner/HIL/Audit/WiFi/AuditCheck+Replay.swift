import BoardProtocol
import HILTiming
import RadioModel
import RigModel

// Messages of a handshake that come again.
extension AuditCheck {
    static let replay = [
        AuditCheck("wifi.replay", .setUp) { scene in
            let home = scene.lab.homeNetwork
            guard home.wasOpened, home.security != .open, try await scene.homeAddress() != nil,
                let radio = try await scene.accessoryRadio()
            else { return .doesNotApply("it is in no home's network with a key") }
            guard try await scene.rejoins(radio, losing: .eapol(message: 4)) else {
                return .doesNotApply("it does not join the home's network again by itself")
            }
            let numbers = PacketNumbers(in: try await scene.capture(), of: radio)
            scene.note(
                "the third message of the handshake came \(numbers.thirdMessages) times; \(numbers.framesAfterRepetition) "
                    + "encrypted frames followed")
            guard numbers.thirdMessages > 1, numbers.framesAfterRepetition > 0 else {
                throw RadioError.rig("no frame of the accessory followed a repeated message of the handshake")
            }
            guard let number = numbers.reused else { return .holds }
            return .breached(
                "a repeated message of the handshake sets its key again: it used packet number \(number) twice")
        }
    ]
}

extension AuditScene {
    /// How long the accessory may take to join the home's network again.
    private static let rejoining = Duration.seconds(45)

    /// Switches the home's router off and on again, and lets the accessory's answer to a message of the handshake be lost, as
    /// an attacker between both does. So the router repeats its message.
    ///
    /// - Returns: Whether the accessory joined again.
    func rejoins(_ radio: DeviceAddress, losing lost: Traffic) async throws -> Bool {
        let home = lab.homeNetwork
        let mark = home.events.mark
        return try await lab.air.withFault(.dropped(lost.sent(by: .accessory))) {
            try await home.close()
            try await home.switchOn()
            do {
                _ = try await home.events.first(
                    EventPattern("the accessory to get an address again") { event -> Void? in
                        guard case .gaveAddress(_, let station) = event, station == radio else { return nil }
                        return ()
                    }, since: mark, within: AuditScene.rejoining)
                return true
            } catch is TimedOut { return false }
        }
    }
}
