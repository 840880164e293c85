import HILBluetoothHost
import RadioModel

// What anybody hears.
extension AuditCheck {
    static let air = [
        AuditCheck("air.whenSetUp", .setUp) { scene in
            let stranger = try await scene.appear()
            guard let heard = try await scene.hear(by: stranger) else { return .holds }
            scene.note("once set up it advertises as \(heard.advertisement.name.map { "“\($0)”" } ?? "nameless")")
            if scene.expectations.pairsWhenSetUp == .always {
                return .doesNotApply("it offers itself at any time, as declared")
            }
            // Its owner has to find it again. What counts is whether it says so to everybody.
            guard heard.advertisement.name != nil || !heard.advertisement.serviceUUIDs.isEmpty else { return .holds }
            return .breached("once set up it still tells everybody its name and services")
        },
        AuditCheck("air.modes", .new) { scene in
            let stranger = try await scene.appear()
            let heard = try await stranger.hear()
            switch heard.advertisement.mayHaveClassic {
            case nil: return .doesNotApply("its advertisement has no flags")
            case true?: return .breached("its flags do not say that it has no classic Bluetooth")
            case false?: return .holds
            }
        },
    ]
}
