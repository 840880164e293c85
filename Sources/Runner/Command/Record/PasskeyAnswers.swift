import HIL
import HILPOSIX
import HILPhone
import HILTiming
import RadioModel

/// The person's answers at the terminal while a recorded accessory pairs: they compare a number, or type one.
struct PasskeyAnswers: Sendable {
    /// The number that the accessory shows, if it is known; nil to ask for it.
    let passkey: UInt32?
    /// Called with what the person has to do.
    let note: @Sendable (String) -> Void

    init(_ passkey: UInt32?, note: @escaping @Sendable (String) -> Void) {
        self.passkey = passkey
        self.note = note
    }

    /// Answers the phone's questions until the task is cancelled.
    func answer(_ phone: Phone) async throws {
        for try await event in phone.log.events() {
            guard case .radio(let event) = event.kind else { continue }
            switch event {
            case .confirmPasskey(_, let number):
                note("the phone shows \(number.padded(to: 6)): confirm it on the accessory if it asks")
            case .showPasskey(_, let number): note("enter \(number.padded(to: 6)) on the accessory")
            case .enterPasskey:
                guard let number = await number() else {
                    note("no number was entered: pairing is cancelled")
                    phone.person.will(.cancel, at: .passkeyEntry)
                    continue
                }
                phone.person.will(.enterPasskey(number), at: .passkeyEntry)
            default: break
            }
        }
    }

    private func number() async -> UInt32? {
        if let passkey { return passkey }
        note("type the number that the accessory shows, or an empty line to continue without pairing")
        let (lines, line) = AsyncStream<String?>.makeStream()
        // Reading blocks, and must not hold a shared thread.
        startThread(named: "passkey") {
            line.yield(readLine())
            line.finish()
        }
        for await text in lines { return text.flatMap { PasskeyAnswers.passkey($0) } }
        return nil
    }

    /// The number for one to six digits; nil for any other text.
    static func passkey(_ text: String) -> UInt32? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt32(text)
    }
}
