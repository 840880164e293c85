import HILBluetoothHost
import HILPhoneRadio
import HILRecord
import RadioModel

/// The phone's controller on a bench, which the phone and strangers have by turns: a board has one.
@MainActor
package final class BorrowedController {
    /// The capture's interface with its packets.
    static let interface = "host-hci0"

    private let controller: SharedController
    private let radio: PhoneRadio
    private let phonesEnd: SharedController.End
    /// Its public address.
    private let address: DeviceAddress
    /// The stranger who has it; nil while the phone has it.
    private weak var borrower: Stranger?
    private var isLent = false

    init(
        _ controller: SharedController, of radio: PhoneRadio, phonesEnd: SharedController.End, at address: DeviceAddress
    ) {
        (self.controller, self.radio, self.phonesEnd, self.address) = (controller, radio, phonesEnd, address)
    }

    /// The phone's knowledge of a device; nil if it has never heard it.
    func known(_ device: DeviceAddress) async -> DeviceIdentity? { await radio.known(device) }

    func makeEnd() -> SharedController.End { controller.makeEnd() }

    /// Lends it to a stranger. The phone hears nothing meanwhile, without its apps' knowledge, and another stranger who has it
    /// steps aside.
    ///
    /// - Returns: False if the stranger has it already.
    /// - Throws: ``OutOfReach`` if the phone has a link that would end.
    func lend(to stranger: Stranger, at end: SharedController.End) async throws -> Bool {
        if isLent, borrower === stranger { return false }
        if isLent {
            await borrower?.stepAside()
        } else if let work = try await radio.rest() {
            throw OutOfReach(
                "the phone needs its controller, which strangers would borrow: \(work)",
                instead: "audit it on virtual boards, where strangers have controllers of their own")
        }
        (borrower, isLent) = (stranger, true)
        end.takeTurn()
        return true
    }

    /// Gives it back to the phone, which uses it as before. Does nothing if it is not lent.
    func giveBack(_ recorder: ScenarioRecorder) async throws {
        guard isLent else { return }
        await borrower?.stepAside()
        (borrower, isLent) = (nil, false)
        phonesEnd.takeTurn()
        recorder.record(.onAir(address, "the phone"))
        try await radio.resume()
    }
}

/// A check cannot be made on this rig, which says nothing about the accessory.
struct OutOfReach: Error {
    /// Why, as a clause.
    let why: String
    /// What to do instead, as an order.
    let instead: String

    init(_ why: String, instead: String) { (self.why, self.instead) = (why, instead) }
}
