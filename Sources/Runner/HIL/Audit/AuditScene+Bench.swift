import HILAudit
import HILBluetoothHost
import HILPhone
import HILPhoneRadio
import HILRecord
import RadioModel

// On a bench the air is real: others are near, and strangers borrow the phone's controller.
extension AuditScene {
    /// Whether strangers borrow the phone's controller, so that there is one at a time, and the phone is away meanwhile.
    var isOnBench: Bool { lab.hostController != nil }

    /// Whether a device on the desk is attacked, without a scenario.
    var isOnDesk: Bool { order.device != nil }

    /// Why a check cannot be made here; nil if it can.
    func lack(of check: AuditCheck) -> OutOfReach? {
        if isOfPhone { return check.lackOfPhone ?? (isOnBench ? .phoneOnBench : nil) }
        if isOnDesk { return check.lackOnDesk }
        return isOnBench ? check.lackOnBench : nil
    }

    /// The phone has its controller from now on. Strangers who are on step aside.
    func giveControllerBack() async throws { try await lab.hostController?.giveBack(lab.recorder) }

    /// How long the phone listens for the accessory before strangers borrow its controller.
    private static let listening = Duration.seconds(5)

    /// Lets the phone hear the accessory before it hears nothing any more: its first screen is a list of what it has heard.
    func letPhoneHear() async {
        guard isOnBench, let address = lab.accessoryAddress else { return }
        _ = try? await lab.phone.log.first(
            EventPattern<PhoneEvent, Advertisement>.advertisement(of: .address(address)), within: Self.listening)
    }

    /// The only device that strangers may meet; nil on a simulated air, where they meet everybody but bystanders.
    ///
    /// - Throws: ``OutOfReach`` if nobody knows its address.
    func target() async throws -> Bystanders.Target? {
        if isOfPhone { return try phoneAsTarget() }
        guard isOnBench else { return nil }
        if let device = order.device { return Bystanders.Target(address: device.address) }
        guard let address = lab.accessoryAddress else {
            throw OutOfReach(
                "nobody knows the address of an accessory without a board, and strangers attack one address only",
                instead: "attack it by its name, without a scenario: `hil audit --rig HOST,none --device NAME`")
        }
        let known = await lab.hostController?.known(address)
        return Bystanders.Target(
            address: known?.address ?? PeerAddress(address, isRandom: false), isKnown: known != nil,
            resolvingKey: known.flatMap { $0.resolvingKey == .zero ? nil : $0.resolvingKey })
    }

    /// What was not heard may have advertised with an address that nobody knows as its own. A phone advertises only while an app
    /// asks for it.
    ///
    /// - Throws: ``OutOfReach`` if that is so.
    func requireKnownAddress(of target: Bystanders.Target?) throws {
        if isOfPhone { throw OutOfReach.silentPhone }
        if let device = order.device { try lab.requireUnchangedAddress(of: device) }
        guard let target, !target.isKnown else { return }
        throw OutOfReach(
            "nothing was ever heard from \(target.address.address), the address of its board's adapter: it may have private "
                + "addresses, by which nobody can tell it from its neighbours",
            instead: "audit it on virtual boards, where nobody else is near")
    }
}

extension AuditCheck {
    /// Why a bench cannot show the control, and what to do instead; nil if it can.
    var lackOnBench: OutOfReach? {
        switch control {
        case "robustness.advertisements":
            OutOfReach(
                "advertisements reach everybody near, and an audit on a bench attacks one address only",
                instead: "audit it on virtual boards")
        case _ where control.hasPrefix("wifi.") || control == "robustness.ports":
            OutOfReach(
                "strangers on Wi-Fi need radios and a capture of their own, which a bench does not have",
                instead: "audit the same scenario on virtual boards")
        default: nil
        }
    }
}
